//! Answers the questions that the page asks.

use crate::{Asked, BoardEngine, FoundLine, Question, Slices, answer_json, ask, line_json};
use sanban_engine::solved::SolvedTables;
use sanban_engine::solved::dobutsu::index::SLOTS;
use sanban_engine::solved::dobutsu::table::HEADER;
use serde_json::{Value as Json, json};

/// The engine of a page, which runs one search at a time.
#[derive(Default)]
pub struct Page {
    engine: BoardEngine,
    tables: SolvedTables,
    /// A table file that is being received in chunks.
    file: Vec<u8>,
    thought: Option<Thought>,
}

/// A running search, and the id of its question.
struct Thought {
    id: Json,
    slices: Slices,
}

/// Receives the messages for the page.
type Tell<'a> = &'a (dyn Fn(Json) + Sync);

impl Page {
    /// Handles a question, `{"id": N, "ask": WORD, ...}`; answers and intermediate results carry its id. A new search
    /// ends the previous one.
    pub fn ask(&mut self, question: &Json, tell: Tell) {
        let id = question["id"].clone();
        if question["ask"] == "stop" {
            self.stop(tell);
            return tell(json!({ "id": id }));
        }
        match Question::read(question).and_then(|question| ask(question, &self.tables)) {
            Ok(Asked::Answer(answer)) => tell(answer_json(&id, &Ok(answer))),
            Ok(Asked::Search(search)) => {
                self.stop(tell);
                self.thought = Some(Thought { id, slices: Slices::new(*search) });
            }
            Err(error) => tell(answer_json(&id, &Err::<(), _>(error))),
        }
    }

    /// Closes the loaded table and reserves memory for another table file; returns false if there is not enough memory.
    pub fn begin_table(&mut self) -> bool {
        self.tables = SolvedTables::default();
        self.file = Vec::new();
        // One byte more than the size of a valid file, to detect longer files.
        self.file.try_reserve_exact(HEADER + SLOTS + 1).is_ok()
    }

    /// Adds the next chunk of the file, truncated to the remaining capacity.
    pub fn add_to_table(&mut self, piece: &[u8]) {
        let room = self.file.capacity() - self.file.len();
        self.file.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// Opens the table of Dobutsu shogi in the file, for the game with mate or the original one; returns whether it is
    /// valid.
    pub fn open_table(&mut self, mate: bool) -> bool {
        self.tables.replace(std::mem::take(&mut self.file), mate).is_ok()
    }

    /// Runs one slice of the search; returns true while a search is running.
    pub fn poll(&mut self, tell: Tell) -> bool {
        let Some(Thought { id, slices }) = &mut self.thought else { return false };
        let on_line = |line: FoundLine| tell(line_json(id, &line));
        if let Some(answer) = slices.poll(&mut self.engine, &self.tables, &on_line).transpose() {
            tell(answer_json(id, &answer));
            self.thought = None;
        }
        self.thought.is_some()
    }

    /// Ends the running search and reports its answer.
    fn stop(&mut self, tell: Tell) {
        if let Some(Thought { id, mut slices }) = self.thought.take() {
            let on_line = |line: FoundLine| tell(line_json(&id, &line));
            tell(answer_json(&id, &slices.stop(&mut self.engine, &self.tables, &on_line)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_engine::solved::dobutsu::table::{self, DRAW};
    use std::sync::Mutex;

    #[test]
    fn questions_are_answered_with_their_number() {
        let told = Mutex::new(Vec::new());
        let tell = |message: Json| told.lock().expect("no panic").push(message);
        let mut page = Page::default();
        page.ask(&json!({ "id": 1, "ask": "view", "game": "dobutsu" }), &tell);
        page.ask(&json!({ "id": 2, "ask": "go", "game": "dobutsu", "infinite": true }), &tell);
        assert!(page.poll(&tell));
        page.ask(&json!({ "id": 3, "ask": "go", "game": "dobutsu", "movetime": 50 }), &tell);
        while page.poll(&tell) {}
        page.ask(&json!({ "id": 4, "ask": "stop" }), &tell);
        let told = told.into_inner().expect("no panic");
        let answers: Vec<u64> =
            told.iter().filter(|m| m["finding"].is_null()).filter_map(|m| m["id"].as_u64()).collect();
        assert_eq!(answers, [1, 2, 3, 4]);
        assert!(told.iter().any(|m| m["id"] == 2 && m["finding"]["pv"].is_array()));
    }

    #[test]
    fn a_table_that_comes_in_pieces_is_opened_if_it_is_valid() {
        let values = vec![DRAW; SLOTS];
        let header = table::header(false, &values);
        let mut page = Page::default();
        let mut open = |header: &[u8], values: &[u8], mate: bool| {
            assert!(page.begin_table());
            page.add_to_table(header);
            values.chunks(100_000_000).for_each(|piece| page.add_to_table(piece));
            let opened = page.open_table(mate);
            let told = Mutex::new(Json::Null);
            let question = json!({ "id": 1, "ask": "truth", "game": "dobutsu" });
            page.ask(&question, &|message| *told.lock().expect("no panic") = message);
            let truth = told.into_inner().expect("no panic")["truth"].clone();
            assert_eq!(
                truth.as_array().is_some_and(|moves| moves.iter().all(|mv| mv["value"] == "draw")),
                opened
            );
            opened
        };
        assert!(open(&header, &values, false));
        assert!(!open(&header, &values, true), "a different game");
        assert!(!open(&header, &values[1..], false), "too short");
        assert!(!open(&header, &[&values[..], &[DRAW]].concat(), false), "too long");
        let mut damaged = header;
        damaged[HEADER - 1] ^= 1;
        assert!(!open(&damaged, &values, false), "damaged");
    }
}
