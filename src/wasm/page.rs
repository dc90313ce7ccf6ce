//! Answers the questions of the page.

use crate::any::SolvedTables;
use crate::board::{Asked, Engine, FoundLine, Question, Slices, answer_json, ask, line_json};
use serde_json::{Value as Json, json};

/// Answers the page's questions, one search at a time.
#[derive(Default)]
pub struct Page {
    engine: Engine,
    tables: SolvedTables,
    thought: Option<Thought>,
}

/// A running search, and the number of its question.
struct Thought {
    id: Json,
    slices: Slices,
}

/// Receives the messages for the page.
type Tell<'a> = &'a (dyn Fn(Json) + Sync);

impl Page {
    /// Handles a question, `{"id": N, "ask": WORD, ...}`; answers and intermediate results carry its number. A new
    /// search ends the previous one.
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

    /// Searches for one slice; returns true while a search is running.
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
    use std::sync::Mutex;

    #[test]
    fn questions_are_answered_with_their_number() {
        let told = Mutex::new(Vec::new());
        let tell = |message: Json| told.lock().expect("nobody panics").push(message);
        let mut page = Page::default();
        page.ask(&json!({ "id": 1, "ask": "view", "game": "dobutsu" }), &tell);
        page.ask(&json!({ "id": 2, "ask": "go", "game": "dobutsu", "infinite": true }), &tell);
        assert!(page.poll(&tell));
        page.ask(&json!({ "id": 3, "ask": "go", "game": "dobutsu", "movetime": 50 }), &tell);
        while page.poll(&tell) {}
        page.ask(&json!({ "id": 4, "ask": "stop" }), &tell);
        let told = told.into_inner().expect("nobody panics");
        let answers: Vec<u64> =
            told.iter().filter(|m| m["finding"].is_null()).filter_map(|m| m["id"].as_u64()).collect();
        assert_eq!(answers, [1, 2, 3, 4]);
        assert!(told.iter().any(|m| m["id"] == 2 && m["finding"]["pv"].is_array()));
    }
}
