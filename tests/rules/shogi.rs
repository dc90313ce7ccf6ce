//! The rules of standard shogi, one test per rule.

use sanban::rules::shogi::declare::Declaration;
use sanban::rules::shogi::{Position, Rules, START};
use sanban::rules::{MoveList, Position as _, Rules as _, Verdict};
use std::collections::BTreeSet;

fn pos(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"))
}

fn moves(sfen: &str) -> BTreeSet<String> {
    let mut list = MoveList::new();
    pos(sfen).legal(&mut list);
    list.into_iter().map(Position::usi).collect()
}

/// Plays USI moves; each must be legal.
fn play(sfen: &str, text: &str) -> Position {
    let mut pos = pos(sfen);
    for word in text.split_whitespace() {
        let mv = pos.parse_usi(word).unwrap_or_else(|| panic!("{word} is illegal in {}", pos.sfen()));
        pos.make(mv, &mut ());
    }
    pos
}

fn with_rules(mut pos: Position, settings: &[(&str, &str)]) -> Position {
    let mut rules = Rules::default();
    for (name, value) in settings {
        rules.set(name, value).expect("a rule setting of shogi");
    }
    pos.set_rules(&rules);
    pos
}

/// Checks the destinations of a lone piece on 5e (kings far away), without promotions, for both sides.
fn pattern(letter: &str, black: &[&str], white: &[&str]) {
    for (piece, side, expected) in [(letter.to_uppercase(), "b", black), (letter.to_lowercase(), "w", white)]
    {
        // Kings in corners that no pattern reaches from 5e.
        let sfen = format!("8k/9/9/9/4{piece}4/9/9/9/K8 {side} - 1");
        let own: BTreeSet<_> = moves(&sfen)
            .into_iter()
            .filter(|mv| mv.starts_with("5e") && !mv.ends_with('+'))
            .map(|mv| mv[2..].to_string())
            .collect();
        assert_eq!(own, expected.iter().map(|s| (*s).to_string()).collect(), "{sfen}");
    }
}

const DIAGONALS: &[&str] =
    &["4d", "3c", "2b", "6d", "7c", "8b", "9a", "4f", "3g", "2h", "1i", "6f", "7g", "8h"];
const ORTHOGONALS: &[&str] =
    &["5a", "5b", "5c", "5d", "5f", "5g", "5h", "5i", "1e", "2e", "3e", "4e", "6e", "7e", "8e", "9e"];
const GOLD: &[&str] = &["5d", "4d", "6d", "4e", "6e", "5f"];
const GOLD_DOWN: &[&str] = &["5f", "4f", "6f", "4e", "6e", "5d"];

#[test]
fn pawn_moves() {
    pattern("p", &["5d"], &["5f"]);
}

#[test]
fn lance_moves() {
    pattern("l", &["5d", "5c", "5b"], &["5f", "5g", "5h"]);
}

#[test]
fn knight_moves() {
    pattern("n", &["4c", "6c"], &["4g", "6g"]);
}

#[test]
fn silver_moves() {
    pattern("s", &["5d", "4d", "6d", "4f", "6f"], &["5f", "4f", "6f", "4d", "6d"]);
}

#[test]
fn gold_moves() {
    pattern("g", GOLD, GOLD_DOWN);
}

#[test]
fn promoted_pawn_lance_knight_and_silver_move_like_a_gold() {
    for letter in ["+p", "+l", "+n", "+s"] {
        pattern(letter, GOLD, GOLD_DOWN);
    }
}

#[test]
fn bishop_moves() {
    // The kings are on 1a and 9i in `pattern`: use other squares here.
    let all: BTreeSet<_> = DIAGONALS.iter().map(|s| format!("5e{s}")).collect();
    for (piece, side) in [("B", "b"), ("b", "w")] {
        let sfen = format!("3k5/9/9/9/4{piece}4/9/9/9/3K5 {side} - 1");
        let own: BTreeSet<_> = moves(&sfen).into_iter().filter(|mv| mv.starts_with("5e")).collect();
        // Without the kings there, 1a and 9i can be reached as well.
        let mut plain: BTreeSet<_> = own.iter().filter(|mv| !mv.ends_with('+')).cloned().collect();
        assert!(plain.remove("5e1a"));
        assert!(plain.remove("5e9i"));
        let mut expected = all.clone();
        expected.remove("5e1a");
        assert_eq!(plain, expected);
    }
}

#[test]
fn rook_moves() {
    pattern("r", ORTHOGONALS, ORTHOGONALS);
}

#[test]
fn horse_moves() {
    for (piece, side) in [("+B", "b"), ("+b", "w")] {
        let sfen = format!("3k5/9/9/9/4{piece}4/9/9/9/3K5 {side} - 1");
        let own = moves(&sfen).into_iter().filter(|mv| mv.starts_with("5e")).count();
        assert_eq!(own, 16 + 4);
    }
}

#[test]
fn dragon_moves() {
    let corners = ["4d", "6d", "4f", "6f"];
    let both: Vec<&str> = ORTHOGONALS.iter().chain(&corners).copied().collect();
    pattern("+r", &both, &both);
}

#[test]
fn king_moves() {
    let around = ["5d", "4d", "6d", "4e", "6e", "5f", "4f", "6f"].map(|s| format!("5e{s}"));
    for (sfen, side) in [("k8/9/9/9/4K4/9/9/9/9", "b"), ("K8/9/9/9/4k4/9/9/9/9", "w")] {
        assert_eq!(moves(&format!("{sfen} {side} - 1")), around.iter().cloned().collect());
    }
}

#[test]
fn lances_bishops_and_rooks_stop_at_pieces() {
    let sfen = "8k/9/4p4/9/2p1R1P2/9/4P4/9/K8 b - 1";
    let rook: BTreeSet<_> = moves(sfen).into_iter().filter(|mv| mv.starts_with("5e")).collect();
    let expected = ["5e5d", "5e5c", "5e5c+", "5e5f", "5e4e", "5e6e", "5e7e"];
    assert_eq!(rook, expected.iter().map(|s| (*s).to_string()).collect());
}

#[test]
fn promotion_is_optional_when_entering_moving_within_and_leaving_the_zone() {
    let entering = moves("8k/9/9/4S4/9/9/9/9/K8 b - 1");
    assert!(entering.contains("5d5c") && entering.contains("5d5c+"));
    assert!(!entering.contains("5d4e+") && entering.contains("5d4e"));
    let within = moves("8k/9/4S4/9/9/9/9/9/K8 b - 1");
    assert!(within.contains("5c5b") && within.contains("5c5b+"));
    assert!(within.contains("5c4d") && within.contains("5c4d+"), "leaving");
    let white = moves("8k/9/9/9/9/9/4s4/9/K8 w - 1");
    assert!(white.contains("5g4f+") && white.contains("5g5h") && white.contains("5g5h+"));
}

#[test]
fn gold_and_king_and_promoted_pieces_do_not_promote() {
    let list = moves("8k/9/4G4/3+P5/9/9/9/9/K8 b - 1");
    assert!(list.iter().all(|mv| !mv.ends_with('+')));
}

#[test]
fn pawn_and_lance_must_promote_on_the_last_rank() {
    let list = moves("8k/4P4/3L5/9/9/9/9/9/K8 b - 1");
    assert!(list.contains("5b5a+") && !list.contains("5b5a"));
    assert!(list.contains("6c6a+") && !list.contains("6c6a"));
    assert!(list.contains("6c6b+") && list.contains("6c6b"));
    let white = moves("8k/9/9/9/9/9/3l5/4p4/K8 w - 1");
    assert!(white.contains("5h5i+") && !white.contains("5h5i") && !white.contains("6g6i"));
}

#[test]
fn knight_must_promote_on_the_last_two_ranks() {
    let list = moves("8k/9/3N5/4N4/6N2/9/9/9/K8 b - 1");
    assert!(list.contains("6c5a+") && !list.contains("6c5a"));
    assert!(list.contains("5d4b+") && !list.contains("5d4b"));
    assert!(list.contains("3e2c+") && list.contains("3e2c"));
}

#[test]
fn non_promotions_of_pawn_bishop_and_rook_are_legal() {
    let list = moves("8k/9/9/4P3B/9/9/9/R8/4K4 b - 1");
    for text in ["5d5c", "5d5c+", "1d2c", "1d4a", "9h9b", "9h9a"] {
        assert!(list.contains(text), "{text}");
    }
}

#[test]
fn drops_go_to_every_vacant_square() {
    let list = moves("8k/9/9/9/4P4/9/9/9/K8 b G 1");
    assert_eq!(list.iter().filter(|mv| mv.starts_with("G*")).count(), 81 - 3);
    assert!(moves("8k/9/9/9/4P4/9/9/9/K8 b g 1").iter().all(|mv| !mv.contains('*')));
}

#[test]
fn captured_pieces_change_sides_and_lose_their_promotion() {
    let after = play("8k/9/9/9/4+r4/4G4/9/9/K8 b - 1", "5f5e");
    assert_eq!(after.sfen(), "8k/9/9/9/4G4/9/9/9/K8 w R 2");
}

#[test]
fn nifu() {
    let list = moves("8k/9/9/9/4P4/3+P5/9/9/K8 b P 1");
    assert!(list.iter().all(|mv| !mv.starts_with("P*5")), "a second pawn on a file");
    assert!(list.contains("P*6b"), "a promoted pawn does not count");
    let enemy = moves("8k/9/9/9/4p4/9/9/9/K8 b P 1");
    assert!(enemy.contains("P*5g"), "nor does an enemy pawn");
}

#[test]
fn pieces_are_not_dropped_where_they_never_move() {
    let list = moves("4k4/9/9/9/9/9/9/9/K8 b PLN 1");
    assert!(!list.contains("P*9a") && !list.contains("L*9a") && !list.contains("N*9a"));
    assert!(list.contains("P*9b") && list.contains("L*9b") && !list.contains("N*9b"));
    assert!(list.contains("N*9c"));
    let white = moves("4k4/9/9/9/9/9/9/9/K8 w pln 1");
    assert!(!white.contains("P*1i") && !white.contains("L*1i") && !white.contains("N*1h"));
    assert!(white.contains("P*1h") && white.contains("N*1g"));
}

#[test]
fn mating_pawn_drop_is_illegal() {
    // 2a is occupied by a knight of its own side, and the silver attacks 1b and 2b.
    assert!(!moves("7nk/9/8S/9/9/9/9/9/K8 b P 1").contains("P*1b"), "uchifuzume");
    assert!(!moves("8k/9/9/9/9/9/8s/9/7NK w p 1").contains("P*1h"), "also for white");
}

#[test]
fn a_pawn_drop_that_only_checks_is_legal() {
    // The king can move to 2a.
    assert!(moves("8k/9/8S/9/9/9/9/9/K8 b P 1").contains("P*1b"));
    // The gold on 2a can capture the pawn.
    assert!(moves("7gk/9/7GS/9/9/9/9/9/K8 b P 1").contains("P*1b"));
}

#[test]
fn a_pinned_piece_does_not_save_from_a_mating_pawn_drop() {
    // The gold on 2a is pinned by the rook on 9a: it may not capture on 1b.
    let list = moves("R6gk/9/7GS/9/9/9/9/9/K8 b P 1");
    assert!(!list.contains("P*1b"));
}

#[test]
fn mate_by_a_pawn_move_is_legal() {
    let mated = play("7nk/7ns/8P/9/8L/9/9/9/K8 b - 1", "1c1b+");
    assert!(mated.in_check() && mated.count() == 0, "{mated}");
}

#[test]
fn mate_by_another_drop_is_legal() {
    let mated = play("8k/9/7SS/9/9/9/9/9/K8 b G 1", "G*1b");
    assert!(mated.in_check() && mated.count() == 0);
    assert_eq!(mated.verdict_without_moves(), Verdict::Loss);
}

#[test]
fn no_legal_move_loses_even_without_check() {
    // The king in the corner is not attacked and has no move: shogi has no stalemate rule.
    let stuck = pos("8k/6+R2/9/7N1/9/9/9/9/K8 w - 1");
    assert_eq!((stuck.in_check(), stuck.count()), (false, 0), "{stuck}");
    assert_eq!(stuck.verdict_without_moves(), Verdict::Loss);
}

#[test]
fn a_check_must_be_answered() {
    // A rook gives check on the file: block, capture or step aside.
    let list = moves("4r3k/9/9/9/9/9/9/3G5/4K3B b P 1");
    for mv in &list {
        // The null move makes it black's turn again, to test whether black is still in check.
        let mut after = play("4r3k/9/9/9/9/9/9/3G5/4K3B b P 1", mv);
        after.make_null();
        assert!(!after.in_check(), "{mv}");
    }
    assert!(list.contains("P*5b") && list.contains("6h5h") && list.contains("1i5e") && list.contains("5i4i"));
    assert!(!list.contains("5i5h") && !list.contains("6h6g") && !list.contains("P*4e"));
}

#[test]
fn in_double_check_only_the_king_moves() {
    let list = moves("4r3k/9/9/9/9/9/3n5/9/4K4 b G 1");
    assert!(list.iter().all(|mv| mv.starts_with("5i")), "{list:?}");
    assert!(!list.is_empty());
}

#[test]
fn a_pinned_piece_stays_on_its_line() {
    let list = moves("4r3k/9/9/9/9/9/9/4G4/4K4 b - 1");
    let gold: BTreeSet<_> = list.iter().filter(|mv| mv.starts_with("5h")).map(String::as_str).collect();
    assert_eq!(gold, ["5h5g"].into());
}

const SHUFFLE: &str = "2h3h 8b7b 3h2h 7b8b";

#[test]
fn fourfold_repetition_is_a_draw() {
    let twice = [SHUFFLE; 2].join(" ");
    assert_eq!(play(START, &twice).verdict(0), None, "three times is not enough");
    let thrice = [SHUFFLE; 3].join(" ");
    assert_eq!(play(START, &thrice).verdict(0), Some(Verdict::Draw));
    // One ply earlier, the position is a different one.
    let words: Vec<&str> = thrice.split(' ').collect();
    assert_eq!(play(START, &words[..11].join(" ")).verdict(0), None);
}

#[test]
fn repetition_needs_the_same_hands() {
    // The board repeats three times, but black has one more pawn in hand each time.
    let start = "k8/9/9/9/9/9/4R4/9/K8 b 3p 1";
    let cycle = "5g4g P*4d 4g4d 9a9b 4d4g 9b8b 4g5g 8b9a";
    assert_eq!(play(start, &[cycle; 3].join(" ")).verdict(0), None);
    // Without the pawn it is a draw.
    let cycle = "5g4g 9a9b 4g5g 9b9a";
    assert_eq!(play(start, &[cycle; 3].join(" ")).verdict(0), Some(Verdict::Draw));
}

#[test]
fn inside_a_search_one_repetition_counts() {
    let once = play(START, SHUFFLE);
    assert_eq!(once.verdict(0), None);
    assert_eq!(once.verdict(4), Some(Verdict::Draw));
    assert_eq!(once.verdict(3), None, "the first occurrence was before the root");
}

#[test]
fn perpetual_check_loses() {
    // The dragon gives check with every move; the king steps back and forth.
    let start = "4k4/9/3+R5/9/9/9/9/9/8K b - 1";
    let chase = "6c5c 5a4a 5c4c 4a5a 4c5c 5a4a 5c4c 4a5a 4c5c 5a4a 5c4c 4a5a 4c5c";
    let pos = play(start, chase);
    assert_eq!(pos.side(), sanban::rules::Color::White);
    assert_eq!(pos.verdict(0), Some(Verdict::Win), "the side to move was in perpetual check: {pos}");
    let before = play(start, &chase[..chase.len() - 5]);
    assert_eq!(before.verdict(0), None, "the position before the first check has occurred only three times");
}

#[test]
fn a_cycle_with_one_quiet_move_is_an_ordinary_draw() {
    let start = "4k4/9/3+R5/9/9/9/9/9/8K b - 1";
    // Every second move of the dragon is quiet.
    let cycle = "6c5c 5a4a 5c6c 4a5a";
    assert_eq!(play(start, &[cycle; 3].join(" ")).verdict(0), Some(Verdict::Draw));
}

#[test]
fn superior_and_inferior_repetitions_inside_a_search() {
    // White drops a pawn, black captures it and moves back: the board is the same, black's hand is larger.
    let line = "5g4g P*4d 4g4d 9a9b 4d4g 9b8b 4g5g 8b9a";
    let start = "k8/9/9/9/9/9/4R4/9/K8 b 3p 1";
    let pos = play(start, line);
    assert_eq!(pos.verdict(8), Some(Verdict::Superior), "{pos}");
    assert_eq!(pos.verdict(0), None, "not a rule of the game");
    assert_eq!(play(start, &format!("{line} 9i9h")).verdict(9), None);
    let pos = play(start, "9i9h 9a9b 9h9i P*4d 5g4g 9b8b 4g4d 8b9a 4d5d 9a9b 5d5g");
    assert_eq!(pos.verdict(10), Some(Verdict::Inferior), "white gave a pawn for nothing: {pos}");
}

// Black has the king and eleven other pieces in the zone.
const ENTERED: &str = "LNSGKGSN1/+B+R7/PP7/9/9/9/9/9/4k4 b";

#[test]
fn declaration_with_27_points() {
    // In the zone: L N S G G S N (7) B R (10) P P (2) = 19.
    assert_eq!(pos(&format!("{ENTERED} 8P 1")).points(sanban::rules::Color::Black), 27);
    assert_eq!(pos(&format!("{ENTERED} 8P 1")).declaration(), None, "black needs 28");
    let enough = pos(&format!("{ENTERED} 9P 1"));
    assert_eq!(enough.declaration(), Some(Declaration::Win));
    assert!(enough.can_declare());
    assert_eq!(enough.verdict(0), Some(Verdict::Win));
    // White needs only 27 points.
    let white = "4K4/9/9/9/9/9/pp7/+b+r7/lnsgkgsn1 w";
    assert_eq!(pos(&format!("{white} 8p 1")).declaration(), Some(Declaration::Win));
    assert_eq!(pos(&format!("{white} 7p 1")).declaration(), None);
}

#[test]
fn declaration_needs_the_king_and_ten_pieces_in_the_zone_and_no_check() {
    let rules = [("EnteringKingRule", "CSARule27")];
    let king_outside = with_rules(pos("LNSG1GSN1/+B+R7/PP7/4K4/9/9/9/9/4k4 b 12P 1"), &rules);
    assert_eq!(king_outside.declaration(), None);
    let nine_others = with_rules(pos("LNSGKGSN1/+B+R7/9/9/9/9/9/9/4k4 b 16P 1"), &rules);
    assert_eq!(nine_others.points(sanban::rules::Color::Black), 33);
    assert_eq!(nine_others.declaration(), None);
    let ten_others = with_rules(pos("LNSGKGSN1/+B+R7/P8/9/9/9/9/9/4k4 b 10P 1"), &rules);
    assert_eq!(ten_others.points(sanban::rules::Color::Black), 28);
    assert_eq!(ten_others.declaration(), Some(Declaration::Win));
    let in_check = with_rules(pos("LNSGK1SN1/+B+R7/PP7/9/4r4/9/9/9/4k4 b G9P 1"), &rules);
    assert!(in_check.in_check());
    assert_eq!(in_check.declaration(), None);
}

#[test]
fn progress_towards_a_declaration_counts_in_the_evaluation() {
    let black = |hand: &str| pos(&format!("{ENTERED} {hand} 1"));
    assert_eq!(black("8P").tempered(100), 100 + 680 + 10 * 24 - 33, "one point is missing");
    assert_eq!(black("6P").tempered(100), 100 + 680 + 10 * 24 - 3 * 33, "three points are missing");
    // The same pieces of white, which needs one point less, seen from both sides.
    let white = pos("4K4/9/9/9/9/9/pp7/+b+r7/lnsgkgsn1 w 6p 1");
    assert_eq!(white.tempered(0), 680 + 10 * 24 - 2 * 33);
    let other = pos("4K4/9/9/9/9/9/pp7/+b+r7/lnsgkgsn1 b 6p 1");
    assert_eq!(other.tempered(0), -(680 + 10 * 24 - 2 * 33));
    // Neither a king outside the zone nor a rule without points counts, and few points are no disadvantage.
    assert_eq!(pos(START).tempered(-20), -20);
    for rule in ["NoEnteringKing", "TryRule"] {
        assert_eq!(with_rules(black("8P"), &[("EnteringKingRule", rule)]).tempered(7), 7);
    }
    assert_eq!(pos("4K4/9/9/9/9/9/9/9/4k4 b - 1").tempered(3), 3);
    assert!(black("8P").tempered(sanban::rules::score::MAX_EVAL) <= sanban::rules::score::MAX_EVAL);
}

#[test]
fn declaration_with_24_points_has_a_draw_between() {
    let rules = [("EnteringKingRule", "CSARule24")];
    let declare = |hand: &str| with_rules(pos(&format!("{ENTERED} {hand} 1")), &rules).declaration();
    assert_eq!(declare("4P"), None, "23 points");
    assert_eq!(declare("5P"), Some(Declaration::Draw), "24 points");
    assert_eq!(declare("11P"), Some(Declaration::Draw), "30 points");
    assert_eq!(declare("12P"), Some(Declaration::Win), "31 points");
    assert!(!with_rules(pos(&format!("{ENTERED} 11P 1")), &rules).can_declare());
}

#[test]
fn handicap_games_count_what_white_gave() {
    // All 16 other pieces are missing: they count for white under the handicap rules.
    let sfen = "4K4/9/9/9/9/9/pp7/+b+r7/lnsgkgsn1 w 4p 1";
    let declare = |rule| with_rules(pos(sfen), &[("EnteringKingRule", rule)]).declaration();
    assert_eq!(pos(sfen).points(sanban::rules::Color::White), 23);
    assert_eq!(declare("CSARule27"), None);
    assert_eq!(declare("CSARule27H"), Some(Declaration::Win));
    assert_eq!(declare("CSARule24"), None);
    assert_eq!(declare("CSARule24H"), Some(Declaration::Win));
}

#[test]
fn try_rule() {
    let rules = [("EnteringKingRule", "TryRule")];
    let mut tried = with_rules(pos("9/3K5/9/9/9/9/9/9/8k b - 1"), &rules);
    let mv = tried.parse_usi("6b5a").expect("a king move");
    tried.make(mv, &mut ());
    assert_eq!(tried.verdict(0), Some(Verdict::Loss), "the side to move has lost to the try");
    assert!(!tried.can_declare(), "a try is played, not declared");
    let mut other = with_rules(pos("9/3K5/9/9/9/9/9/9/8k b - 1"), &[]);
    other.make(mv, &mut ());
    assert_eq!(other.verdict(0), None, "no try without the rule");
}

/// The rule also applies if the previous moves are unknown: a position from a file, or a resumed game.
#[test]
fn a_king_on_the_goal_has_won_by_a_try() {
    let rules = [("EnteringKingRule", "TryRule")];
    let at = |sfen: &str| with_rules(pos(sfen), &rules).verdict(0);
    assert_eq!(at("4K4/9/9/9/9/9/9/9/8k w - 1"), Some(Verdict::Loss));
    assert_eq!(at("8K/9/9/9/9/9/9/9/4k4 b - 1"), Some(Verdict::Loss));
    assert_eq!(at("4K4/9/9/9/9/9/9/9/8k b - 1"), None, "the winner may play on");
    let mut later = with_rules(pos("9/3K5/9/9/9/9/9/9/8k b - 1"), &rules);
    for (text, verdict) in [("6b5a", Some(Verdict::Loss)), ("1i1h", None), ("5a4a", None)] {
        let mv = later.parse_usi(text).expect("a legal move");
        later.make(mv, &mut ());
        assert_eq!(later.verdict(0), verdict, "{text}");
    }
}

#[test]
fn no_entering_king_rule() {
    let rules = [("EnteringKingRule", "NoEnteringKing")];
    assert_eq!(with_rules(pos(&format!("{ENTERED} 16P 1")), &rules).declaration(), None);
}

#[test]
fn max_moves_to_draw() {
    let rules = [("MaxMovesToDraw", "4")];
    let at = |text: &str| with_rules(play(START, text), &rules).verdict(0);
    assert_eq!(at("7g7f 3c3d 2g2f"), None);
    assert_eq!(at("7g7f 3c3d 2g2f 8c8d"), Some(Verdict::Draw));
    // A mate on the last move counts.
    let mated = with_rules(play("8k/9/7SS/9/9/9/9/9/K8 b G 4", "G*1b"), &rules);
    assert_eq!(mated.verdict(0), None);
}

#[test]
fn handicap_starts_and_unusual_boards_parse_and_play() {
    for sfen in [
        "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
        // No king for the attacker, no kings at all, two pawns on a file, a pawn without a move.
        "4k4/9/4P4/9/9/9/9/9/9 b G 1",
        "9/9/9/9/4G4/9/9/9/9 b - 1",
        "6k2/4P4/4P4/9/9/9/9/9/4K4 b P 1",
        "P3k4/9/9/9/9/9/9/9/4K3p b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P",
    ] {
        let mut pos = pos(sfen);
        let list = pos.legal_moves();
        assert_eq!(list.len(), pos.count(), "{sfen}");
        for mv in list {
            pos.make(mv, &mut ());
            pos.count();
            pos.unmake();
        }
    }
}

#[test]
fn broken_sfen_is_refused_with_the_field_named() {
    for (sfen, word) in [
        ("", "board"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1 b - 1", "ranks"),
        ("lnsgkgsnl/1r5b1/pppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "rank c"),
        ("lnsgkgsnl/1r5b1/pppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "rank c"),
        ("lnsgkgsnl/1r5b1/ppppxpppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "rank c"),
        ("4k4/9/4+G4/9/9/9/9/9/4K4 b - 1", "promote"),
        ("4k4/9/4+5/9/9/9/9/9/4K4 b - 1", "rank c"),
        ("4k4/9/8+/9/9/9/9/9/4K4 b - 1", "plus"),
        ("4k4/9/9/9/9/9/9/9/3KK4 b - 1", "second king"),
        ("4k4/9/9/9/9/9/9/9/4K4", "side to move"),
        ("4k4/9/9/9/9/9/9/9/4K4 x - 1", "side to move"),
        ("4k4/9/9/9/9/9/9/9/4K4 b", "hands"),
        ("4k4/9/9/9/9/9/9/9/4K4 b K 1", "hands"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "hands"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 2 1", "hands"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 0P 1", "hands"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "hands"),
        ("4k4/9/4r4/4+r4/9/9/9/9/4K4 b R 1", "a set has 2"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - x", "move count"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1 x", "unexpected"),
        ("4k4/9/4R4/9/9/9/9/9/4K4 b - 1", "can be captured"),
    ] {
        let error = Position::from_sfen(sfen).err().unwrap_or_else(|| panic!("accepted: {sfen}"));
        assert!(error.to_string().contains(word), "{sfen}: {error}");
    }
}
