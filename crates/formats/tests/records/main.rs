//! Game records: every format is written and read back, and difficult input is read correctly.

mod cases;
mod detection;
mod doubts;
mod ends;
mod headers;
mod mutations;
mod oddities;
mod pairs;
mod random;
mod scans;
mod starts;

use sanban_formats::record::{Format, Reader, Record, read, write};
use sanban_rules::VariantId;

#[test]
fn diagrams_come_back() {
    for sfen in [
        "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 62",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7",
    ] {
        let record = Record::new(VariantId::Shogi, Some(sfen.into()));
        let text = write(&record, Format::Bod).expect("a diagram");
        let back = read(text.as_bytes()).expect("the written record");
        assert_eq!(back[0].start.as_deref(), Some(sfen), "{text}");
    }
}

/// Malicious files are read quickly and yield a record or an error with its location.
#[test]
fn hostile_files_end_soon() {
    let head = "手合割：平手\n手数----指手---------消費時間--\n";
    let king = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    let line: String = (0..5000).map(|n| format!("{} {}\n", n + 1, king[n % 4])).collect();
    let side = |n: usize| if n % 2 == 1 { "９六歩(97)" } else { "９四歩(93)" };
    let branches: String = (2..5000).rev().map(|n| format!("変化：{n}手\n{n} {}\n", side(n))).collect();
    let deep = read(format!("{head}{line}{branches}").as_bytes()).expect("a deep tree");
    for format in [Format::Kif, Format::Ki2, Format::Jkf, Format::Western] {
        assert!(write(&deep[0], format).is_ok_and(|text| text.len() > 50_000), "{format:?}");
    }
    let board = format!("{}{}", "後手の持駒：なし\n", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n".repeat(9));
    for (text, line) in [
        (format!("手合割：平手\n   1 {}\n", "７".repeat(300_000)), 2),
        (format!("startpos moves {}\n", "7g7f ".repeat(200_000)), 1),
        (format!("sfen {} b - 1\n", "9/".repeat(200_000)), 1),
        (format!("{board}{}", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n".repeat(1000)), 3),
        (format!("PI\n+\n+{}\n", "7".repeat(500_000)), 3),
        (format!("{{\"moves\":{}", "[".repeat(100_000)), 1),
        ("1.P7f P3d ".to_string() + &"( ".repeat(100_000), 1),
        ("手合割：平手\n   1 ７六歩(77)\n   3 ２六歩(27)\n".into(), 3),
        ("▲７六歩".to_string() + &"あ投了、".repeat(50_000), 1),
        ("▲７六歩".to_string() + &"（".repeat(200_000) + "あ", 1),
        ("▲７六歩".to_string() + &"（あ".repeat(100_000), 1),
        ("▲７六歩\n投了\n".to_string() + &"▲（あ".repeat(50_000), 3),
        ("▲７六歩 まで".to_string() + &"1手で".repeat(50_000), 1),
        ("▲７六歩 ".to_string() + &"+1 ".repeat(50_000), 1),
    ] {
        let strict = Reader { strict: true, ..Reader::default() };
        let error = strict.read_text(&text).expect_err("a rejected text");
        assert_eq!(error.line, line, "{error}");
    }
    let noise: Vec<u8> =
        (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8 | 0x80).collect();
    assert!(read(&noise).is_err());
}
