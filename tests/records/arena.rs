//! Matches and self-play games of this program as input of the commands that read records.

use crate::command::sanban;
use crate::scratch::Scratch;

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
