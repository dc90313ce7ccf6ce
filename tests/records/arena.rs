//! Matches and self-play games of this program as input of the commands that read records.

use crate::command::sanban;
use crate::scratch::Scratch;
use sanban::rules::VariantId;

#[test]
fn matches_and_shards_are_analysed_and_make_books() {
    let dir = Scratch::new();
    let (played, games) = (dir.file("match.jsonl"), dir.file("games"));
    let limits = ["--go", "nodes 20", "--max-moves", "60"];
    let arguments = [&["match", "--games", "2", "--out", &played], &limits[..]].concat();
    assert!(sanban(&arguments, "").status.success());
    assert!(sanban(&["selfplay", "--games", "2", "--nodes", "20", "--out", &games], "").status.success());
    let shard = format!("{games}/shogi-1-000000.games");
    for file in [&played, &shard] {
        let out = dir.file("analysis");
        let done = sanban(&["analyze", "--nodes", "20", "--format", "json", "--out", &out, file], "");
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success() && told.contains("2 games analysed"), "{told}");
        let book = dir.file("book.db");
        let done = sanban(&["book", "from-games", "--out", &book, file], "");
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success() && told.contains("2 games used, 0 skipped"), "{told}");
        std::fs::remove_file(&book).expect("the book");
    }
}

/// The PGN of a match contains the same games as its own file.
#[test]
fn the_pgn_of_a_match_can_be_read_back() {
    let dir = Scratch::new();
    for game in VariantId::NAMES {
        let (played, pgn) = (dir.file(&format!("{game}.jsonl")), dir.file(&format!("{game}.pgn")));
        let limits = ["--games", "4", "--plies", "4", "--max-moves", "30", "--go", "nodes 20"];
        let args = [&["match", "--game", game, "--out", &played, "--pgn", &pgn], &limits[..]].concat();
        let done = sanban(&args, "");
        assert!(done.status.success(), "{game}: {}", String::from_utf8_lossy(&done.stderr));
        let [lines, back] = [&played, &pgn].map(|file| {
            let done = sanban(&["convert", "--to", "usi", file], "");
            let noted = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{game}: {noted}");
            let text = String::from_utf8(done.stdout).expect("text");
            let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
            lines.sort();
            lines
        });
        assert_eq!((lines.len(), &lines), (4, &back), "{game}");
    }
}
