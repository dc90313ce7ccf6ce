//! Opening books: the shared text format, and files that are damaged.

use sanban::book::Book;
use sanban::game::{Game, Position, Rules};
use sanban::games::{Janggi, Shogi};
use sanban::shogi::START;

type Board = <Shogi as Game>::Position;

fn read(text: &str) -> Result<Book, String> {
    Book::read::<Shogi>(text.as_bytes(), &Default::default())
}

#[test]
fn the_best_move_of_a_position_is_found_whatever_its_move_count() {
    let book = read(&format!(
        "#YANEURAOU-DB2016 1.00\r\nsfen {START}\n2g2f none 38 30\n7g7f 3c3d 40 32 1\n6g6f 3c3d 40 31\n5g5f 5c5d\n"
    ))
    .expect("a good book");
    assert_eq!(book.len(), 1);
    let pos = Shogi::parse(&START.replace(" 1", " 77")).expect("a valid SFEN");
    let best = book.best(&pos).expect("a book position");
    assert_eq!((Board::usi(best.mv), best.score, best.depth), ("7g7f".into(), 40, 32));
    assert_eq!(best.reply.map(Board::usi), Some("3c3d".into()));
    let other = Shogi::parse("4k4/9/9/9/9/9/9/9/4K4 b - 1").expect("a valid SFEN");
    assert_eq!(book.best(&other), None);
}

#[test]
fn what_other_programs_leave_out_is_understood() {
    let mut text = b"# \x83e\x83X\x83g\n".to_vec();
    text.extend(format!("sfen {START}\nnone none 0 0\n7g7f none none none \n2g2f none 99999 5 7\n").bytes());
    let book = Book::read::<Shogi>(&text[..], &Default::default()).expect("a good book");
    let best = book.best(&Shogi::parse(START).expect("a valid SFEN")).expect("a book position");
    assert_eq!((Board::usi(best.mv), best.score, best.depth), ("2g2f".into(), 30_000, 5));
}

#[test]
fn damaged_books_are_refused_with_the_line() {
    let start = format!("sfen {START}\n");
    for (text, line) in [
        ("7g7f none 0 0\n".to_string(), "line 1"),
        (format!("{start}7g7e none 0 0\n"), "line 2"),
        (format!("{start}7g7f none x 0\n"), "line 2"),
        (format!("{start}\n\nsfen rubbish\n"), "line 4"),
    ] {
        let error = read(&text).expect_err("a damaged book");
        assert!(error.starts_with(line), "{error}");
    }
    let error = Book::read::<Shogi>(&b"sfen \xff\xfe\n"[..], &Default::default()).expect_err("not text");
    assert!(error.starts_with("line 1"), "{error}");
}

#[test]
fn a_book_is_read_by_the_rules_in_force() {
    // The general has a step, so a pass is legal only where it is free.
    let text = format!("sfen {}\n5i5i none 0 10\n", Janggi::START);
    let read = |pass| {
        let mut rules = <<Janggi as Game>::Position as Position>::Rules::default();
        rules.set("Janggi_Pass", pass).expect("a rule of janggi");
        Book::read::<Janggi>(text.as_bytes(), &rules)
    };
    assert_eq!(read("literal").expect_err("no pass"), "line 2: illegal move 5i5i");
    assert_eq!(read("free").expect("a good book").len(), 1);
}
