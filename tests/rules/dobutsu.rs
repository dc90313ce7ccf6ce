//! The rules of both Dobutsu games: one test per rule, random games compared with an independent generator, and invalid
//! input.

use sanban::rules::dobutsu::piece::{RANKS, SQUARES};
use sanban::rules::dobutsu::{Kind, Original, Position, START, WithMate};
use sanban::rules::{Color, Move, Position as _, Rng, Rules as _, Verdict};

/// The position after these moves.
fn after<const MATE: bool>(sfen: &str, moves: &str) -> Position<MATE> {
    let mut pos = Position::<MATE>::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
    for text in moves.split_whitespace() {
        let mv = pos.parse_usi(text).unwrap_or_else(|| panic!("{text} in {pos}"));
        pos.make(mv, &mut ());
    }
    pos
}

fn legal<const MATE: bool>(pos: &Position<MATE>) -> Vec<String> {
    let moves = pos.legal_moves();
    let mut texts: Vec<String> = moves.into_iter().map(Position::<MATE>::usi).collect();
    texts.sort();
    texts
}

#[test]
fn a_lion_may_stay_en_prise_in_the_original_only() {
    // White's chick on 2c attacks the lion on 2d.
    let sfen = "gle/3/1c1/ELG b C 1";
    assert!(legal(&after::<false>(sfen, "")).contains(&"C*3c".into()));
    assert!(!legal(&after::<true>(sfen, "")).contains(&"C*3c".into()));
    let pos = after::<false>(sfen, "C*3c 2c2d+");
    assert_eq!(pos.verdict(0), Some(Verdict::Loss));
    assert_eq!((pos.count(), pos.lion(Color::Black)), (0, None));
}

#[test]
fn a_safe_entry_of_the_last_row_wins_at_once() {
    let sfen = "3/L1l/2g/3 b 2CEeg 1";
    assert_eq!(after::<false>(sfen, "3b3a").verdict(0), Some(Verdict::Loss));
    assert_eq!(after::<true>(sfen, "3b3a").verdict(0), Some(Verdict::Loss));
    let best = after::<false>(sfen, "").mate_in_one().map(Original::usi);
    assert!(best.is_some_and(|mv| mv == "3b3a" || mv == "3b2a"));
}

#[test]
fn an_attacked_square_of_the_last_row_is_closed_to_the_lion() {
    // 3a is attacked by the giraffe, 2a by the lion.
    let sfen = "2l/L2/g2/3 b 2CEeg 1";
    let moves = legal(&after::<false>("g1l/L2/3/3 b 2CEeg 1", ""));
    assert!(moves.contains(&"3b3a".into()), "a piece does not guard its own square: {moves:?}");
    let moves = legal(&after::<false>(sfen, ""));
    assert!(!moves.contains(&"3b2a".into()), "{moves:?}");
    // Another program may play it; the answer is to capture the lion.
    let pos = after::<false>(sfen, "3b2a");
    assert_eq!(pos.verdict(0), None);
    assert_eq!(pos.mate_in_one().map(Original::usi).as_deref(), Some("1a2a"));
    assert!(after::<true>(sfen, "").parse_usi("3b2a").is_none());
    // If the lion is not captured, it has won.
    assert_eq!(after::<false>(sfen, "3b2a 3c3d").verdict(0), Some(Verdict::Win));
}

#[test]
fn entering_by_taking_the_lion_is_always_allowed() {
    let pos = after::<false>("el1/1L1/3/3 b 2CEgg 1", "");
    assert!(legal(&pos).contains(&"2b2a".into()));
    assert_eq!(after::<false>("el1/1L1/3/3 b 2CEgg 1", "2b2a").verdict(0), Some(Verdict::Loss));
}

#[test]
fn a_chick_is_dropped_on_the_last_row_in_the_original_only() {
    let sfen = "3/lc1/Eg1/GEL b C 1";
    let drops =
        |moves: Vec<String>| moves.iter().filter(|mv| mv.starts_with("C*") && mv.ends_with('a')).count();
    assert_eq!(drops(legal(&after::<false>(sfen, ""))), 3);
    assert_eq!(drops(legal(&after::<true>(sfen, ""))), 0);
    // The chick can never move again, and attacks nothing.
    let pos = after::<false>(sfen, "C*1a 3b3a");
    assert!(!legal(&pos).iter().any(|mv| mv.starts_with("1a")));
}

#[test]
fn a_chick_becomes_a_hen_on_the_last_row_and_a_chick_again_in_the_hand() {
    let sfen = "1l1/C2/3/1L1 b Cegge 1";
    assert!(legal(&after::<false>(sfen, "")).contains(&"3b3a+".into()));
    assert!(!legal(&after::<false>(sfen, "")).contains(&"3b3a".into()));
    let pos = after::<false>(sfen, "3b3a");
    assert!(pos.sfen().starts_with("+Cl1/"), "a missing plus sign is accepted: {pos}");
    let pos = after::<false>(sfen, "3b3a+ 2a3a");
    assert_eq!(pos.sfen(), "l2/3/3/1L1 b C2g2ec 3");
}

#[test]
fn mate_and_stalemate_lose() {
    let stalemate = after::<true>("3/gc1/1gl/Lee b c 1", "");
    assert!(!stalemate.in_check() && stalemate.count() == 0);
    assert_eq!(stalemate.verdict_without_moves(), Verdict::Loss);
    let mate = after::<true>("3/g2/gcl/Lee b c 1", "");
    assert!(mate.in_check() && mate.count() == 0);
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let cycle = "1d1c 3a3b 1c1d 3b3a ";
    let sfen = START;
    assert_eq!(after::<false>(sfen, cycle).verdict(0), None);
    assert_eq!(after::<false>(sfen, cycle).verdict(4), Some(Verdict::Draw));
    assert_eq!(after::<false>(sfen, &cycle.repeat(2)).verdict(0), Some(Verdict::Draw));
    assert_eq!(after::<true>(sfen, &cycle.repeat(2)).verdict(0), Some(Verdict::Draw));
}

#[test]
fn a_longest_game_can_be_set() {
    let mut rules = sanban::rules::dobutsu::Rules::default();
    assert_eq!(rules.set("MaxMovesToDraw", "2"), Ok(()));
    assert!(rules.set("NoSuchSetting", "1").is_err());
    let mut pos = after::<false>(START, "1d1c");
    pos.set_rules(&rules);
    assert_eq!(pos.verdict(0), None);
    pos.make(pos.parse_usi("3a3b").expect("a legal move"), &mut ());
    assert_eq!(pos.verdict(0), Some(Verdict::Draw));
}

#[test]
fn texts_of_positions_that_cannot_be_are_refused_with_the_reason() {
    let cases = [
        ("", "board is missing"),
        ("gle/1c1/1C1 b - 1", "3 ranks instead of 4"),
        ("gle/1c1/1C1/ELG/3 b - 1", "5 ranks instead of 4"),
        ("gle/1c2/1C1/ELG b - 1", "rank b of the board: more than 3"),
        ("gle/1c/1C1/ELG b - 1", "rank b of the board: 2 squares instead of 3"),
        ("gle/1c1/1C1/ELGG b - 1", "more than 3"),
        ("gle/1x1/1C1/ELG b - 1", "unknown piece x"),
        ("gle/1c1/1C1/E+LG b - 1", "L does not promote"),
        ("gle/1++c1/1C1/ELG b - 1", "two plus signs"),
        ("gle/1c1+/1C1/ELG b - 1", "without a piece"),
        ("gle/1c1/1C1/ELG", "side to move is missing"),
        ("gle/1c1/1C1/ELG x - 1", "expected b or w, found x"),
        ("gle/1c1/1C1/ELG b", "hands are missing"),
        ("gle/1c1/1C1/ELG b L 1", "unknown piece in hand: L"),
        ("gle/1c1/3/ELG b 3C 1", "a count must be from 1 to 2"),
        ("gle/1c1/3/ELG b C2 1", "without a piece"),
        ("gle/1c1/1C1/ELG b - x", "not a move count: x"),
        ("gle/1c1/1C1/ELG b - 1 2", "unexpected text"),
        ("g1e/1c1/1C1/ELG b - 1", "white has no lion"),
        ("gle/1cl/1C1/ELG b - 1", "white has more than one lion"),
        ("gle/1c1/3/ELG b 2C 1", "3 chicks instead of 2"),
        ("gle/1c1/3/ELG b - 1", "1 chick instead of 2: all eight animals must be on the board or in hand"),
        ("gl1/1c1/1C1/ELG b GE 1", "3 giraffes instead of 2"),
        ("gLe/1c1/1C1/E1G b l 1", "unknown piece in hand: l"),
        ("Lge/1cl/1C1/E1G b - 1", "already on its last row"),
    ];
    for (sfen, reason) in cases {
        let error = Original::from_sfen(sfen).err().unwrap_or_else(|| panic!("{sfen} was accepted"));
        assert!(error.to_string().contains(reason), "{sfen}: {error}");
    }
    let takeable = "2e/g1l/2G/E1L b 2c 1";
    assert!(Original::from_sfen(takeable).is_ok());
    assert!(WithMate::from_sfen(takeable).is_err_and(|e| e.to_string().contains("can be captured")));
}

#[test]
fn bad_move_texts_are_refused() {
    let pos = after::<false>(START, "");
    for text in [
        "", "2c", "2c2b2", "4c2b", "2e2b", "2c2b+", "C*2c", "L*1c", "2c2c", "1d1d", "C*1b+", "resign",
        "２c2b",
    ] {
        assert_eq!(pos.parse_usi(text), None, "{text}");
    }
}

/// A second generator, written from the rules alone.
mod naive {
    use super::*;

    type Board = [Option<(Color, Kind)>; SQUARES];

    fn reaches(board: &Board, from: usize, to: usize) -> bool {
        let Some((color, kind)) = board[from] else { return false };
        let ahead = if color == Color::Black { -1 } else { 1 };
        let df = (to / RANKS) as i32 - (from / RANKS) as i32;
        let dr = ((to % RANKS) as i32 - (from % RANKS) as i32) * ahead;
        let straight = df.abs() + dr.abs() == 1;
        let diagonal = df.abs() == 1 && dr.abs() == 1;
        match kind {
            Kind::Chick => (df, dr) == (0, 1),
            Kind::Elephant => diagonal,
            Kind::Giraffe => straight,
            Kind::Lion => straight || diagonal,
            Kind::Hen => straight || diagonal && dr == 1,
        }
    }

    fn attacked(board: &Board, sq: usize, by: Color) -> bool {
        (0..SQUARES).any(|from| board[from].is_some_and(|(color, _)| color == by) && reaches(board, from, sq))
    }

    fn find_lion(board: &Board, color: Color) -> Option<usize> {
        board.iter().position(|&piece| piece == Some((color, Kind::Lion)))
    }

    fn is_last(color: Color, sq: usize) -> bool {
        sq % RANKS == if color == Color::Black { 0 } else { RANKS - 1 }
    }

    /// Every legal move in USI notation.
    pub fn moves<const MATE: bool>(pos: &Position<MATE>) -> Vec<String> {
        let board: Board = std::array::from_fn(|sq| pos.piece_on(sq).map(|p| (p.color, p.kind)));
        let (us, them) = (pos.side(), !pos.side());
        let mut out = Vec::new();
        let over = Color::ALL.iter().any(|&c| find_lion(&board, c).is_none_or(|sq| is_last(c, sq)));
        if over {
            return out;
        }
        let mut keep = |after: &Board, mv: Move| {
            let lion = find_lion(after, us).expect("the mover's lion");
            let takes = find_lion(after, them).is_none();
            let exposed = attacked(after, lion, them);
            let entered = is_last(us, lion);
            if takes || !exposed || !MATE && !entered {
                out.push(Position::<MATE>::usi(mv));
            }
        };
        for from in 0..SQUARES {
            let Some((color, kind)) = board[from] else { continue };
            for to in 0..SQUARES {
                let blocked = board[to].is_some_and(|(color, _)| color == us);
                if color != us || blocked || !reaches(&board, from, to) {
                    continue;
                }
                let mut after = board;
                after[from] = None;
                let hen = kind == Kind::Chick && is_last(us, to);
                after[to] = Some((us, if hen { Kind::Hen } else { kind }));
                keep(&after, if hen { Move::promotion(from, to) } else { Move::board(from, to) });
            }
        }
        for kind in [Kind::Chick, Kind::Elephant, Kind::Giraffe] {
            for to in (0..SQUARES).filter(|&to| pos.hand_count(us, kind) > 0 && board[to].is_none()) {
                if !(MATE && kind == Kind::Chick && is_last(us, to)) {
                    let mut after = board;
                    after[to] = Some((us, kind));
                    keep(&after, Move::drop(kind.index(), to));
                }
            }
        }
        out.sort();
        out
    }
}

fn walk<const MATE: bool>(seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..40 {
        let mut pos = after::<MATE>(START, "");
        for _ in 0..60 {
            assert_eq!(legal(&pos), naive::moves(&pos), "{pos}");
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos.make(moves[rng.below(moves.len())], &mut ());
        }
        while pos.game_ply() > 0 {
            pos.unmake();
        }
        assert_eq!(pos.sfen(), START);
    }
}

#[test]
fn random_games_agree_with_the_naive_generator() {
    walk::<false>(1);
    walk::<true>(2);
}
