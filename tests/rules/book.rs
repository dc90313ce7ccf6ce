//! Opening books: every format, the choice of moves, and damaged files.

use crate::scratch::ScratchFile;
use sanban::engine::Engine;
use sanban::engine::search::Signals;
use sanban::formats::book::choose::Policy;
use sanban::formats::book::games::Filter;
use sanban::formats::book::{
    Book, BookError, BookMove, Collection, Format, Memory, Opened, Pruning, SortedDb, apery, db, embedded,
    games, open, sbk, ybb,
};
use sanban::formats::record;
use sanban::lab::book::minimax::{Edge, Graph, farther, minimax};
use sanban::lab::book::think::{Plan, think};
use sanban::rules::shogi::START;
use sanban::rules::{AnyPosition, Color, Move, Rng, Score, Shogi, VariantId, shogi};
use sanban::system::Part;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

fn read(text: &str) -> Result<Memory, BookError> {
    db::read(text.as_bytes(), &AnyPosition::default()).map(|(book, _)| book)
}

/// The message about the first skipped line of a book.
fn fault(text: &str) -> String {
    match db::read(text.as_bytes(), &AnyPosition::default()) {
        Ok((_, faults)) => faults.lines.first().expect("a skipped line").to_string(),
        Err(error) => error.to_string(),
    }
}

fn board(sfen: &str) -> AnyPosition {
    AnyPosition::parse(VariantId::Shogi, sfen).expect("a valid SFEN")
}

/// A move of shogi in USI notation.
fn usi(mv: Move) -> String {
    AnyPosition::default().display(mv)
}

fn page<'a>(pos: &AnyPosition, ply: Option<usize>, moves: &'a [BookMove]) -> ybb::Page<'a> {
    ybb::Page { pos: pos.get::<shogi::Position>().expect("a position of shogi").clone(), ply, moves }
}

fn collection(file: &ScratchFile) -> Collection {
    Collection::read(Path::new(file.path()), VariantId::Shogi).expect("a valid book")
}

fn find(book: &mut dyn Book, pos: &AnyPosition) -> Vec<BookMove> {
    book.find(pos, None).expect("a valid book")
}

fn first(book: &mut dyn Book, pos: &AnyPosition) -> Option<(String, BookMove)> {
    find(book, pos).first().map(|&known| (usi(known.mv), known))
}

fn opened(file: &ScratchFile, game: VariantId, on_the_fly: bool) -> Result<Opened, BookError> {
    open(Path::new(file.path()), &AnyPosition::new(game), on_the_fly)
}

/// Distinct positions of random games with some of their moves, keyed by the SFEN without the move count.
fn random_positions(count: usize) -> BTreeMap<String, (AnyPosition, Vec<BookMove>)> {
    let (mut out, mut rng) = (BTreeMap::new(), Rng::new(7));
    while out.len() < count {
        let mut pos = board(START);
        for _ in 0..40 {
            let list = pos.legal_moves();
            if list.is_empty() {
                break;
            }
            let moves = list.iter().take(1 + rng.below(4)).zip(0..).map(|(&mv, n)| BookMove {
                score: rng.below(400) as i32 - 200 - n,
                depth: 10 + rng.below(20) as u32,
                count: 1 + rng.below(1000) as u32,
                ..BookMove::new(mv)
            });
            let moves = moves.collect();
            let sfen = pos.sfen();
            let (key, _) = sfen.rsplit_once(' ').expect("a move count");
            out.entry(key.to_string()).or_insert((pos.clone(), moves));
            pos.play(list[rng.below(list.len())]);
        }
    }
    out
}

#[test]
fn the_moves_of_a_position_are_found_whatever_its_move_count() {
    let mut book = read(&format!(
        "#YANEURAOU-DB2016 1.00\r\nsfen {START}\n2g2f none 38 30\n7g7f 3c3d 40 32 5 more\n6g6f 3c3d\n"
    ))
    .expect("a valid book");
    assert_eq!(book.len(), Some(1));
    let pos = board(&START.replace(" 1", " 77"));
    let moves = find(&mut book, &pos);
    let known = moves[1];
    assert_eq!((usi(known.mv), known.score, known.depth, known.count), ("7g7f".into(), 40, 32, 5));
    assert_eq!(known.reply.map(usi), Some("3c3d".into()));
    assert_eq!((moves.len(), moves[2].score, moves[2].count), (3, 0, 0));
    assert_eq!(book.find(&pos, Some(77)).expect("a valid book"), [], "the book contains it at ply 1");
    assert_eq!(find(&mut book, &board("4k4/9/9/9/9/9/9/9/4K4 b - 1")), []);
}

#[test]
fn what_other_programs_leave_out_is_understood() {
    let bare = START.trim_end_matches(" 1");
    let mut text = b"\xEF\xBB\xBF# \x83e\x83X\x83g\n".to_vec();
    text.extend(format!("sfen {bare}\nnone none 0 0\n7g7f none none none \n2g2f none 99999 5 7\n").bytes());
    let (mut book, _) = db::read(&text[..], &AnyPosition::default()).expect("a valid book");
    let moves = book.find(&board(START), Some(9)).expect("a valid book");
    assert_eq!((usi(moves[1].mv), moves[1].score, moves[1].depth), ("2g2f".into(), 30_000, 5));
    // ShogiHome leaves fields empty; other programs align columns with spaces.
    let text = format!("sfen {START}\n7g7f none   8\n2g2f  3c3d   40   12    3\n");
    let moves = find(&mut read(&text).expect("a valid book"), &board(START));
    let told: Vec<_> = moves.iter().map(|known| (known.score, known.depth, known.count)).collect();
    assert_eq!(told, [(0, 0, 8), (40, 12, 3)]);
}

#[test]
fn damaged_books_are_refused_with_the_line() {
    let start = format!("sfen {START}\n");
    for (text, line) in [
        ("7g7f none 0 0\n".to_string(), "line 1: "),
        (format!("{start}7g7e none 0 0\n"), "line 2: "),
        (format!("{start}7g7f none x 0\n"), "line 2: "),
        (format!("{start}\n\nsfen rubbish\n"), "line 4: "),
        (format!("{start}7g7f none 0 0\n{}", "x".repeat(9_000_000)), "line 3: "),
        (format!("{start}7g7f none 0 0\n#{}\nsfen -\n", "x".repeat(9_000_000)), "line 3: "),
    ] {
        let error = fault(&text);
        assert!(error.starts_with(line), "{error}");
    }
    let error = db::read(&b"sfen \xff\xfe\n"[..], &AnyPosition::default()).expect_err("invalid UTF-8");
    assert!(error.to_string().starts_with("line 1"), "{error}");
    // The result does not depend on the number of threads and blocks.
    let mut text = String::new();
    while text.len() < 10_000_000 {
        text += &format!("{start}7g7f none 0 0\n");
    }
    let lines = text.lines().count();
    let error = fault(&format!("{text}{start}7g7g\n{text}"));
    assert!(error.starts_with(&format!("line {}: illegal move 7g7g", lines + 2)), "{error}");
}

/// An illegal entry does not disable a book, and a position that a format cannot represent is skipped.
#[test]
fn what_is_wrong_is_left_out_and_reported() {
    let text =
        format!("{}\nsfen {START}\n7g7f 3c3d 20 25 6\n7g7e none 15 21 7\nsfen none\n7g7f\n", db::HEADER);
    let (mut book, faults) = db::read(text.as_bytes(), &AnyPosition::default()).expect("a valid book");
    assert_eq!(find(&mut book, &board(START)).len(), 1);
    assert_eq!((faults.count, faults.lines.len()), (3, 2));
    assert!(faults.sentences()[0].starts_with("skipped: line 4: illegal move 7g7e"), "{:?}", faults.lines);

    let problem = format!("{text}sfen 3sks3/4+B4/4+P4/9/9/9/9/9/9 w S2rb4gs4n4l17p 2\n6a5b none 0 0 2\n");
    let file = ScratchFile::with("problem.db", problem.as_bytes());
    let book = collection(&file);
    assert_eq!((book.len(), book.left_out().len()), (2, 3));
    let to = ScratchFile::with("problem.ybb", b"");
    assert_eq!(book.write(Path::new(to.path()), Format::Ybb).expect("enough disk space"), 1);
    assert_eq!(collection(&to).len(), 1);
}

#[test]
fn a_book_is_read_by_the_rules_in_force() {
    // The general has a step, so a pass is legal only under the free rule.
    let text = format!("sfen {}\n5i5i none 0 10\n", VariantId::Janggi.info().start);
    let read = |pass| {
        let mut pos = AnyPosition::new(VariantId::Janggi);
        pos.set_rule("Janggi_Pass", pass).expect("a rule setting of Janggi");
        db::read(text.as_bytes(), &pos).map(|(book, _)| book)
    };
    assert_eq!(read("literal").expect_err("an illegal pass").to_string(), "line 2: illegal move 5i5i");
    assert!(read("free").is_ok());
}

/// Writes positions in every format and reads them back: all data that a format can represent is preserved.
#[test]
fn every_format_reads_what_it_writes() {
    let pages = random_positions(3000);
    let text = |pages: &BTreeMap<String, (AnyPosition, Vec<BookMove>)>| {
        let mut out = format!("{}\n", db::HEADER).into_bytes();
        for (key, (pos, moves)) in pages {
            db::write(&mut out, &board(START), key, Some(pos.game_ply() + 1), moves)
                .expect("a write to memory");
        }
        out
    };
    let of = |pos: &AnyPosition, ply: Option<usize>, moves: &[BookMove]| {
        let sfen = pos.sfen();
        let key = sfen.rsplit_once(' ').expect("a move count").0.to_string();
        (key, (ply, moves.to_vec()))
    };
    // The text format, without a file.
    let mut again = BTreeMap::new();
    db::each(&text(&pages)[..], &board(START), |pos, ply, moves| {
        again.extend([of(pos, ply, moves)]);
        Ok(())
    })
    .expect("a valid book");
    let expected: BTreeMap<_, _> = pages
        .iter()
        .map(|(key, (pos, moves))| (key.clone(), (Some(pos.game_ply() + 1), moves.clone())))
        .collect();
    assert_eq!(again, expected);
    // All formats, as files.
    let owned: Vec<_> = pages.values().cloned().collect();
    let list = || owned.iter().map(|(pos, moves)| page(pos, Some(pos.game_ply() + 1), moves));
    let (mut ybb_bytes, mut sbk_bytes, mut apery_bytes) = (vec![], vec![], vec![]);
    ybb::write(&mut ybb_bytes, list()).expect("a write to memory");
    sbk::write(&mut sbk_bytes, list()).expect("a write to memory");
    apery::write(&mut apery_bytes, list()).expect("a write to memory");
    type Kept = fn(BookMove) -> BookMove;
    let cases: [(&str, Vec<u8>, Format, Kept); 4] = [
        ("book.db", text(&pages), Format::Db, |known| known),
        ("book.ybb", ybb_bytes, Format::Ybb, |known| BookMove { count: 0, ..known }),
        ("book.sbk", sbk_bytes, Format::Sbk, |known| BookMove { score: 0, depth: 0, ..known }),
        ("book.bin", apery_bytes, Format::Apery, |known| BookMove { depth: 0, ..known }),
    ];
    for (name, bytes, expected, kept) in cases {
        let file = ScratchFile::with(name, &bytes);
        for on_the_fly in [false, true] {
            let Opened { mut book, format, .. } =
                opened(&file, VariantId::Shogi, on_the_fly).expect("a valid book");
            assert_eq!(format, expected);
            for (pos, moves) in &owned {
                let kept: Vec<BookMove> = moves.iter().copied().map(kept).collect();
                assert_eq!(find(book.as_mut(), pos), kept, "{name} {}", pos.sfen());
            }
            assert_eq!(find(book.as_mut(), &board("4k4/9/9/9/9/9/9/9/4K4 b - 1")), []);
        }
        assert!(name == "book.db" || opened(&file, VariantId::Janggi, false).is_err(), "{name} is for shogi");
    }
}

#[test]
fn a_sorted_book_on_disk_says_what_it_says_in_memory() {
    // Plies of one and two digits, and the same position at two plies.
    let text = format!(
        "{}\nsfen {START}\n7g7f 3c3d 40 32 1\nsfen {}\n2g2f none 38 32\n",
        db::HEADER,
        START.replace(" 1", " 11")
    );
    let file = ScratchFile::with("plies.db", text.as_bytes());
    for on_the_fly in [false, true] {
        let Opened { mut book, .. } = opened(&file, VariantId::Shogi, on_the_fly).expect("a valid book");
        let texts = |moves: Vec<BookMove>| moves.iter().map(|known| usi(known.mv)).collect::<Vec<_>>();
        let pos = board(START);
        let mut at = |ply| texts(book.find(&pos, ply).expect("a valid book"));
        assert_eq!(at(Some(1)), ["7g7f"]);
        assert_eq!(at(Some(11)), ["2g2f"]);
        assert_eq!(at(None), ["7g7f", "2g2f"]);
        assert!(at(Some(3)).is_empty());
    }
}

#[test]
fn damaged_files_are_refused_with_the_offset() {
    let pages = random_positions(200);
    let mut text = Vec::new();
    for (key, (pos, moves)) in pages.iter().rev() {
        db::write(&mut text, &board(START), key, Some(pos.game_ply() + 1), moves).expect("a write to memory");
    }
    let unsorted = ScratchFile::with("unsorted.db", &text);
    assert!(opened(&unsorted, VariantId::Shogi, false).is_ok());
    let error = opened(&unsorted, VariantId::Shogi, true).err().expect("not sorted").to_string();
    assert!(error.starts_with("offset ") && error.contains("not sorted"), "{error}");

    let owned: Vec<_> = pages.values().cloned().collect();
    let list = || owned.iter().map(|(pos, moves)| page(pos, None, moves));
    let (mut good, mut keys) = (Vec::new(), Vec::new());
    ybb::write(&mut good, list()).expect("a write to memory");
    apery::write(&mut keys, list()).expect("a write to memory");
    let fault = |name: &str, bytes: &[u8]| {
        let file = ScratchFile::with(name, bytes);
        opened(&file, VariantId::Shogi, false).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(fault("cut.ybb", &good[..good.len() - 1]).starts_with("offset "));
    assert!(fault("records.ybb", &good[..900]).starts_with("offset 16: "));
    assert!(fault("header.ybb", &good[..20]).starts_with("offset 0: "));
    let mut swapped = good.clone();
    swapped.copy_within(32..64, 76);
    assert!(fault("order.ybb", &swapped).starts_with("offset 76: "));
    let mut flags = good.clone();
    flags[24] = 0x80;
    assert!(fault("flags.ybb", &flags).starts_with("offset 24: "));
    let count = keys.len() / 16 * 16;
    let mut swapped = keys.clone();
    let last = swapped.split_off(count - 16);
    let mut order = swapped[..5000 / 16 * 16].to_vec();
    order.extend(last);
    order.extend(&keys[..16]);
    assert!(fault("order.bin", &order).starts_with("offset "), "{}", fault("order.bin", &order));
    assert!(fault("cut.bin", &keys[..keys.len() - 3]).starts_with("offset "));
    for rubbish in [&b"\x00\x01\x02"[..], b"Hello, world\n", b"\x1A\xFF\xFF\xFF\xFF\x0F", &[0xFF; 333]] {
        assert!(!fault("rubbish", rubbish).is_empty(), "{rubbish:?}");
    }

    // An illegal move is reported with its offset in the file.
    let mut illegal = good.clone();
    let moves = 32 + 44 * owned.len();
    for at in (moves..illegal.len()).step_by(6) {
        illegal[at..at + 2].copy_from_slice(&0x0101u16.to_le_bytes());
    }
    let file = ScratchFile::with("illegal.ybb", &illegal);
    let Opened { mut book, .. } = opened(&file, VariantId::Shogi, false).expect("intact records");
    let error = book.find(&owned[0].0, None).expect_err("an illegal move").to_string();
    assert!(error.starts_with("offset ") && error.contains("illegal"), "{error}");
}

/// Whatever its content, a book is either read or rejected, and yields only legal moves.
#[test]
fn mutations_do_no_harm() {
    let pages = random_positions(60);
    let owned: Vec<_> = pages.values().cloned().collect();
    let list = || owned.iter().map(|(pos, moves)| page(pos, None, moves));
    let mut text = Vec::new();
    for (key, (pos, moves)) in &pages {
        db::write(&mut text, &board(START), key, Some(pos.game_ply() + 1), moves).expect("a write to memory");
    }
    let mut books = vec![text];
    let mut bytes = [vec![], vec![], vec![]];
    ybb::write(&mut bytes[0], list()).expect("a write to memory");
    sbk::write(&mut bytes[1], list()).expect("a write to memory");
    apery::write(&mut bytes[2], list()).expect("a write to memory");
    books.extend(bytes);
    let mut rng = Rng::new(11);
    let (mut read, mut refused) = (0, 0);
    for round in 0..400 {
        let mut bytes = books[round % books.len()].clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes[at] ^= 1 << rng.below(8),
                1 => bytes.truncate(at.max(1)),
                2 => bytes[at] = rng.next() as u8,
                _ => {
                    let part = bytes[at..(at + 40).min(bytes.len())].to_vec();
                    let to = rng.below(bytes.len());
                    bytes.splice(to..to, part);
                }
            }
        }
        let file = ScratchFile::with("mutated", &bytes);
        for on_the_fly in [false, true] {
            let Ok(Opened { mut book, .. }) = opened(&file, VariantId::Shogi, on_the_fly) else {
                refused += 1;
                continue;
            };
            read += 1;
            for (pos, _) in &owned {
                for known in book.find(pos, None).unwrap_or_default() {
                    assert!(pos.is_legal(known.mv));
                    let mut after = pos.clone();
                    after.play(known.mv);
                    assert!(known.reply.is_none_or(|reply| after.is_legal(reply)));
                }
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
}

/// The policy with the default options.
fn policy() -> Policy {
    sanban::protocol::usi::Config::new().book
}

fn advised(policy: &Policy, text: &str, sfen: &str, seed: u64) -> Option<Vec<String>> {
    let mut book = read(text).expect("a valid book");
    let advice = policy.advise(&mut book, &board(sfen), &mut Rng::new(seed)).expect("a valid book")?;
    let line = advice.candidates.first()?.line.iter().map(|&mv| usi(mv)).collect();
    advice.plays.then_some(line)
}

/// The moves chosen for different seeds.
fn choices(policy: &Policy, text: &str, sfen: &str) -> Vec<String> {
    let mut out: Vec<String> =
        (0..60).filter_map(|seed| advised(policy, text, sfen, seed)).map(|line| line[0].clone()).collect();
    out.sort();
    out.dedup();
    out
}

#[test]
fn the_options_mean_what_they_mean_in_yaneuraou() {
    let text = format!(
        "sfen {START}\n7g7f 3c3d 50 20 100\n2g2f none 40 20 50\n5g5f none 19 20 9\n9g9f none -10 20 1\n"
    );
    let base = Policy { eval_limit: [-9999; 2], ..policy() };
    assert_eq!(choices(&base, &text, START), ["2g2f", "7g7f"], "BookEvalDiff 30");
    let all = Policy { eval_diff: 1000, ..base.clone() };
    assert_eq!(choices(&all, &text, START), ["2g2f", "5g5f", "7g7f", "9g9f"]);
    let limited = Policy { eval_limit: [0, -9999], ..all.clone() };
    assert_eq!(choices(&limited, &text, START), ["2g2f", "5g5f", "7g7f"], "BookEvalBlackLimit");
    let narrow = Policy { narrow: true, ..all.clone() };
    assert_eq!(choices(&narrow, &text, START), ["2g2f", "7g7f"], "NarrowBook: 9 of 160 is too few");
    // The value for one side overrides the value for both.
    let black = Policy { eval_diff_of: [Some(1000), None], ..base.clone() };
    assert_eq!(choices(&black, &text, START), choices(&all, &text, START), "BookEvalBlackDiff");
    let white = Policy { eval_diff_of: [None, Some(1000)], ..base.clone() };
    assert_eq!(choices(&white, &text, START), choices(&base, &text, START), "BookEvalWhiteDiff");
    let shallow = Policy { depth_limit: 21, depth_limit_of: [Some(0), None], ..all.clone() };
    assert_eq!(choices(&shallow, &text, START), choices(&all, &text, START), "BookDepthBlackLimit");
    let deep = Policy { depth_limit: 21, ..all.clone() };
    assert!(choices(&deep, &text, START).is_empty(), "BookDepthLimit");
    let never = Policy { ignore_rate: 100, ..all.clone() };
    assert!(choices(&never, &text, START).is_empty(), "BookIgnoreRate");
    let most = |by_count| {
        let policy = Policy { by_count, ..all.clone() };
        let lines = (0..1000).filter_map(|seed| advised(&policy, &text, START, seed));
        lines.filter(|line| line[0] == "7g7f").count()
    };
    assert!((180..320).contains(&most(false)), "one of four moves: {}", most(false));
    assert!((560..690).contains(&most(true)), "100 of 160: {}", most(true));
    assert_eq!(advised(&all, &text, START, 5), advised(&all, &text, START, 5), "reproducible");
    let late = START.replace(" 1", " 17");
    let anywhere = Policy { ignore_ply: true, ..all.clone() };
    assert!(choices(&anywhere, &text, &late).is_empty(), "BookMoves 16");
    let longer = Policy { moves: 17, ..anywhere };
    assert_eq!(choices(&longer, &text, &late).len(), 4, "IgnoreBookPly");
    assert!(choices(&Policy { ignore_ply: false, ..longer }, &text, &late).is_empty());
}

#[test]
fn lines_and_replies_come_from_the_book() {
    let second = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let third = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    let text = format!(
        "sfen {START}\n7g7f\nsfen {second}\n8c8d none 90\n3c3d none 90 0 7\nsfen {third}\n2g2f 8c8d\n"
    );
    assert_eq!(advised(&policy(), &text, START, 1).expect("a move"), ["7g7f", "3c3d", "2g2f", "8c8d"]);
    let short = Policy { pv_moves: 2, ..policy() };
    assert_eq!(advised(&short, &text, START, 1).expect("a move"), ["7g7f", "3c3d"]);
    let mut book = read(&text).expect("a valid book");
    let advice = policy().advise(&mut book, &board(START), &mut Rng::new(1));
    let advice = advice.expect("a valid book").expect("a book position");
    assert_eq!(advice.candidates[0].known.reply.map(usi), Some("3c3d".into()));
}

#[test]
fn the_board_is_turned_round() {
    // The book contains the position with colours exchanged, with black to move.
    let text = format!("sfen {START}\n7g7f 3c3d 40 32 1\n");
    let turned = sanban::formats::book::flip_sfen(START);
    assert_eq!(advised(&policy(), &text, &turned, 1).expect("a move"), ["3c3d", "7g7f"]);
    assert_eq!(advised(&Policy { flipped: false, ..policy() }, &text, &turned, 1), None);
}

#[test]
fn other_games_have_books_too() {
    let text = format!("sfen {}\nC*2b none 0\n", "g1e/1l1/1L1/E1G b Cc 7");
    let start = AnyPosition::new(VariantId::Dobutsu);
    assert!(db::read(text.as_bytes(), &start).is_err(), "the square is occupied");
    let text = format!("sfen {}\n2c2b none 12 40 3\n", VariantId::Dobutsu.info().start);
    let file = ScratchFile::with("dobutsu.db", text.as_bytes());
    for on_the_fly in [false, true] {
        let Opened { mut book, .. } = opened(&file, VariantId::Dobutsu, on_the_fly).expect("a valid book");
        let moves = book.find(&start, Some(1)).expect("a valid book");
        assert_eq!(moves.iter().map(|known| known.score).collect::<Vec<_>>(), [12]);
    }
}

#[test]
fn a_book_of_another_game_is_refused() {
    let text = format!("sfen {}\n2c2b none 12 40 3\n", VariantId::Dobutsu.info().start);
    let file = ScratchFile::with("other.db", text.as_bytes());
    for on_the_fly in [false, true] {
        assert!(opened(&file, VariantId::Shogi, on_the_fly).is_err());
    }
    let file = File::open(file.path()).expect("an existing file");
    let sorted = SortedDb::new(file, &board(START));
    assert!(sorted.is_err());
}

#[test]
fn the_first_of_equal_moves_is_the_books_own() {
    let mut book =
        read(&format!("sfen {START}\n2g2f none 1\n7g7f none 1\n2g2f none 5\n")).expect("a valid book");
    let (usi, known) = first(&mut book, &board(START)).expect("a book position");
    assert_eq!((usi.as_str(), known.score, find(&mut book, &board(START)).len()), ("2g2f", 1, 2));
}

/// The value of a position if the first repetition is a draw, computed by trying every line without a table.
fn brute(graph: &Graph, node: usize, path: &mut Vec<usize>, draw: Score) -> Score {
    if path.contains(&node) {
        return draw;
    }
    path.push(node);
    let value = |edge: &Edge| match edge.to {
        Some(to) => farther(brute(graph, to as usize, path, draw)),
        None => edge.value,
    };
    let values: Vec<Score> = graph.moves(node).iter().map(value).collect();
    path.pop();
    let best = match graph.sides()[node] {
        Color::Black => values.iter().max(),
        Color::White => values.iter().min(),
    };
    *best.expect("a move")
}

fn random_graph(rng: &mut Rng, scale: usize) -> Graph {
    let nodes = 1 + rng.below(7);
    let mut graph = Graph::default();
    for _ in 0..nodes {
        let side = Color::from_index(rng.below(2));
        let edges: Vec<Edge> = (0..1 + rng.below(3))
            .map(|_| Edge {
                to: (rng.below(3) > 0).then(|| rng.below(nodes) as u32),
                value: rng.below(2 * scale + 1) as Score - scale as Score,
                depth: 10,
            })
            .collect();
        graph.push(side, edges);
    }
    graph
}

#[test]
fn values_carried_back_are_those_of_brute_force() {
    let mut rng = Rng::new(3);
    let mut circles = 0;
    for round in 0..20_000 {
        // A small range gives many equal values; large values are mates.
        let mut graph = random_graph(&mut rng, [3, 300, 32_000][round % 3]);
        let draw = rng.below(5) as Score - 2;
        let nodes = 0..graph.sides().len();
        let plain: Vec<Score> = nodes.map(|node| brute(&graph, node, &mut Vec::new(), draw)).collect();
        let before = graph.clone();
        assert_eq!(graph.solve(draw), plain, "draw {draw}: {before:?}");
        circles += usize::from(plain.contains(&draw));
        for (edge, old) in graph.edges().iter().zip(before.edges()) {
            let expected = old.to.map_or(old.value, |to| farther(plain[to as usize]));
            assert_eq!(edge.value, expected, "{before:?}");
        }
    }
    assert!(circles > 1000);
}

#[test]
fn depths_grow_on_the_way_back() {
    let mut graph = Graph::default();
    let edge = |to, value, depth| Edge { to, value, depth };
    graph.push(Color::Black, [edge(Some(1), 0, 0), edge(None, 5, 20)]);
    graph.push(Color::White, [edge(Some(2), 0, 0), edge(None, 70, 18)]);
    graph.push(Color::Black, [edge(None, 40, 22), edge(Some(0), 0, 0)]);
    assert_eq!(graph.solve(0), [40, 40, 40]);
    let depths: Vec<u32> = graph.edges().iter().map(|edge| edge.depth).collect();
    assert_eq!(depths, [24, 20, 23, 18, 22, 25]);
}

/// The values do not depend on the number of threads or on interruptions.
#[test]
fn thinking_can_be_interrupted_and_repeated() {
    let plan = Plan {
        nodes: 300,
        budget: u64::MAX,
        positions: 40,
        lines: 3,
        loss: 300,
        ply: 8,
        threads: 1,
        hash: 1,
        part: Part::WHOLE,
        draw: 0,
    };
    let game = VariantId::Dobutsu;
    let engine = <dyn Engine>::new(game);
    let grow = |book: &mut Collection, plan: &Plan| {
        think(book, plan, &*engine, &Signals::default(), |_, _| true).expect("the same game");
    };
    let mut whole = Collection::new(game);
    grow(&mut whole, &plan);
    assert!(whole.len() >= 40, "{}", whole.len());
    let mut halves = Collection::new(game);
    grow(&mut halves, &Plan { positions: 10, ..plan.clone() });
    let left = (whole.len() - halves.len()) as u64;
    assert!(left > 0);
    grow(&mut halves, &Plan { positions: left, threads: 2, ..plan.clone() });
    assert!(whole.pages().eq(halves.pages()));
    let start = AnyPosition::new(game);
    let page = whole.page(&start).expect("the first position searched");
    assert!(page.moves.len() == 3 && page.moves.is_sorted_by(|a, b| a.score >= b.score), "{page:?}");
    // Several machines take different positions, and earlier move counts are added only once.
    whole.page_mut(&start).moves[0].count = 7;
    let added = |part| {
        let mut book = whole.clone();
        grow(
            &mut book,
            &Plan { positions: 1, part: Part::new(part, 2).expect("a valid shard"), ..plan.clone() },
        );
        book.beyond(&whole)
    };
    let (first, second) = (added(0), added(1));
    assert!(!first.is_empty() && !second.is_empty());
    assert!(first.pages().all(|(sfen, _)| second.pages().all(|(other, _)| sfen != other)));
    let mut both = whole.clone();
    let sizes = whole.len() + first.len() + second.len();
    both.merge(first);
    both.merge(second);
    assert_eq!(both.len(), sizes);
    assert_eq!(both.page(&start).expect("the first position searched").moves[0].count, 7);
    assert!(both.beyond(&both).is_empty());
}

#[test]
fn books_are_merged_and_pruned() {
    let collect = |text: &str| collection(&ScratchFile::with("part.db", text.as_bytes()));
    let mut book = collect(&format!("sfen {START}\n7g7f 3c3d 10 20 3\n2g2f none 5 20 1\n"));
    let other = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    book.merge(collect(&format!(
        "sfen {START}\n7g7f none 30 25 4\n2g2f 8c8d 50 10 2\nsfen {other}\n3c3d none 0 9\nsfen 4k4/9/9/9/9/9/9/9/4K4 b P 40\nP*5b none 1\n"
    )));
    let page = |book: &Collection| -> Vec<(String, Score, u32, u32)> {
        let page = book.page(&board(START)).expect("the start position");
        page.moves.iter().map(|known| (usi(known.mv), known.score, known.depth, known.count)).collect()
    };
    assert_eq!(page(&book), [("7g7f".into(), 30, 25, 7), ("2g2f".into(), 5, 20, 3)]);
    let pruned = |pruning: Pruning| {
        let mut book = book.clone();
        book.prune(&pruning);
        book
    };
    assert_eq!(pruned(Pruning::default()).len(), 3);
    assert_eq!(pruned(Pruning { reachable: true, ..Pruning::default() }).len(), 2);
    assert_eq!(pruned(Pruning { ply: Some(1), ..Pruning::default() }).len(), 1);
    assert_eq!(page(&pruned(Pruning { loss: Some(24), ..Pruning::default() })).len(), 1);
    assert_eq!(page(&pruned(Pruning { count: Some(4), ..Pruning::default() })).len(), 1);
    assert_eq!(page(&pruned(Pruning { moves: Some(1), ..Pruning::default() }))[0].0, "7g7f");
}

#[test]
fn games_make_the_same_book_in_any_order() {
    let played = ["7g7f 3c3d 2g2f", "7g7f 8c8d", "2g2f 8c8d 2f2e", "7g7f 3c3d 6g6f"];
    let filter = Filter { plies: 3, outcome: None, winner: false, rating: None, time: None };
    let make = |games: &[&str], filter: &Filter| {
        let mut book = Collection::new(VariantId::Shogi);
        for moves in games {
            let text = format!("startpos moves {}\n", moves);
            for record in record::read(text.as_bytes()).expect("a record") {
                games::add(&mut book, &record, filter).expect("the start position");
            }
        }
        games::order(&mut book);
        book
    };
    let book = make(&played, &filter);
    let turned: Vec<&str> = played.iter().rev().copied().collect();
    assert!(book.pages().eq(make(&turned, &filter).pages()));
    let page = book.page(&board(START)).expect("the start position");
    let counts: Vec<(String, u32)> = page.moves.iter().map(|k| (usi(k.mv), k.count)).collect();
    assert_eq!(counts, [("7g7f".into(), 3), ("2g2f".into(), 1)]);
    assert_eq!(make(&played, &Filter { plies: 1, ..filter }).len(), 1);
    assert!(make(&played, &Filter { winner: true, ..filter }).is_empty(), "no winner");
    assert!(make(&played, &Filter { rating: Some(1500), ..filter }).is_empty(), "no ratings");
}

/// Korean game records yield a book for each Janggi variant, up to the first move that its rules forbid.
#[test]
fn games_of_janggi_make_books() {
    let gib = "[초차림 \"상마상마\"]\n[한차림 \"마상상마\"]\n1. 79卒78 2. 41兵42 3. 한수쉼 4. 한수쉼\n";
    let records = record::read(gib.as_bytes()).expect("a record");
    let filter = Filter { plies: 30, outcome: None, winner: false, rating: None, time: None };
    let made = |game| {
        let mut book = Collection::new(game);
        let taken = games::add(&mut book, &records[0], &filter).expect("a start position");
        (taken, book)
    };
    let (taken, book) = made(VariantId::JanggiCasual);
    assert_eq!((taken, book.len()), (true, 4));
    // The passes in the book are legal when it is read again.
    let file = ScratchFile::with("passes.db", b"");
    book.write(Path::new(file.path()), Format::Db).expect("enough disk space");
    let read = Collection::read(Path::new(file.path()), book.game()).expect("a valid book");
    assert_eq!(read.left_out(), [""; 0]);
    assert!(read.pages().eq(book.pages()));
    // By the written rules, passing is not allowed at that point.
    let lengths = |(taken, book): (bool, Collection)| (taken, book.len());
    assert_eq!(lengths(made(VariantId::Janggi)), (true, 2));
    assert_eq!(lengths(made(VariantId::Shogi)), (false, 0));
}

#[test]
fn the_book_in_the_binary_is_whole() {
    // A packaged crate does not include the other crates.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    if !crates.exists() {
        return;
    }
    let bytes: &'static [u8] =
        std::fs::read(crates.join("formats/books/standard.ybb")).expect("the book").leak();
    assert!(bytes.len() <= 1 << 20, "{} bytes", bytes.len());
    let mut book = embedded(VariantId::Shogi).expect("a book for shogi");
    assert!(embedded(VariantId::Janggi).is_none());
    let mut positions = 0;
    ybb::Ybb::embedded(bytes)
        .expect("a valid book")
        .each(|pos, ply, moves| {
            positions += 1;
            assert!(!moves.is_empty() && ply.is_some());
            assert_eq!(book.find(&AnyPosition::of::<Shogi>(pos.clone()), ply)?, moves);
            Ok(())
        })
        .expect("only legal moves");
    assert_eq!(book.len(), Some(positions));
    // Games vary from the first move on.
    let firsts = book.find(&board(START), Some(1)).expect("a valid book");
    assert!(firsts.len() > 1, "{firsts:?}");
}

/// Positions of random games with three moves each, including the one that was played.
fn many(count: usize) -> BTreeMap<Box<str>, (usize, Vec<BookMove>)> {
    let (mut out, mut rng) = (BTreeMap::new(), Rng::new(5));
    while out.len() < count {
        let mut pos = board(START);
        for ply in 1..=60 {
            let list = pos.legal_moves();
            if list.is_empty() || out.len() == count {
                break;
            }
            let mv = list[rng.below(list.len())];
            let known = |(n, mv): (u32, Move)| BookMove {
                score: rng.below(400) as i32 - 200,
                depth: 20 + n,
                count: n,
                ..BookMove::new(mv)
            };
            let mut moves: Vec<Move> = list.iter().copied().filter(|&other| other != mv).take(2).collect();
            moves.push(mv);
            let moves = (0..).zip(moves).map(known).collect();
            let mut sfen = pos.sfen();
            sfen.truncate(sfen.rfind(' ').expect("a move count"));
            out.entry(sfen.into_boxed_str()).or_insert((ply, moves));
            pos.play(mv);
        }
    }
    out
}

/// Resident memory of this process in kilobytes.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Measures a book of two million positions: `cargo test --release --test rules figures -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes and a gigabyte of memory"]
fn figures() {
    const POSITIONS: usize = 2_000_000;
    const SAMPLES: usize = 2000;
    let file = ScratchFile::new("figures.db");
    let mut samples = Vec::new();
    {
        let mut out = std::io::BufWriter::new(File::create(file.path()).expect("a file"));
        for (n, (sfen, (ply, moves))) in many(POSITIONS).iter().enumerate() {
            db::write(&mut out, &board(START), sfen, Some(*ply), moves).expect("enough disk space");
            if n % (POSITIONS / SAMPLES) == 0 {
                samples.push((sfen.clone(), moves.clone()));
            }
        }
    }
    println!("{} bytes", std::fs::metadata(file.path()).expect("the file").len());
    let positions: Vec<AnyPosition> = samples.iter().map(|(sfen, _)| board(sfen)).collect();
    let before = resident();
    let mut book = opened(&file, VariantId::Shogi, true).expect("a valid book").book;
    let begin = Instant::now();
    let mut longest = Duration::ZERO;
    for (pos, (_, moves)) in positions.iter().zip(&samples) {
        let one = Instant::now();
        assert_eq!(&find(book.as_mut(), pos), moves);
        longest = longest.max(one.elapsed());
    }
    let mean = begin.elapsed() / SAMPLES as u32;
    println!("on the fly: {mean:?} per lookup, {longest:?} at most, {} kB of memory", resident() - before);
    let begin = Instant::now();
    let mut whole = opened(&file, VariantId::Shogi, false).expect("a valid book").book;
    let time = begin.elapsed();
    println!("whole: {time:?}, {:.0} positions/s", POSITIONS as f64 / time.as_secs_f64());
    assert_eq!(whole.len(), Some(POSITIONS as u64));
    assert_eq!(find(whole.as_mut(), &positions[7]), samples[7].1);
    drop(whole);
    let begin = Instant::now();
    let mut book = collection(&file);
    let read = begin.elapsed();
    minimax(&mut book, 0);
    let carried = begin.elapsed() - read;
    book.write(Path::new(file.path()), Format::Db).expect("enough disk space");
    println!("minimax: {:?} in total, {read:?} reading, {carried:?} propagating", begin.elapsed());
}
