//! Answers the questions of the page.

use crate::board::{Asked, Engine, Slices, Truth, ask};
use serde_json::{Value as Json, json};

/// Answers the page's questions, one search at a time.
#[derive(Default)]
pub struct Page {
    engine: Engine,
    truth: Truth,
    thought: Option<(Json, Slices)>,
}

impl Page {
    /// Handles a question, `{"id": N, "ask": WORD, ...}`; answers and intermediate results carry its number. A new
    /// search ends the previous one.
    pub fn ask(&mut self, question: Json, tell: &(dyn Fn(Json) + Sync)) {
        let id = question["id"].clone();
        if question["ask"] == "stop" {
            self.stop(tell);
            return tell(json!({ "id": id }));
        }
        match ask(&question, &self.truth) {
            Asked::Answer(answer) => tell(with_id(answer, &id)),
            Asked::Thought => {
                self.stop(tell);
                self.thought = Some((id, Slices::new(question)));
            }
        }
    }

    /// Searches for one slice; returns true while a search is running.
    pub fn poll(&mut self, tell: &(dyn Fn(Json) + Sync)) -> bool {
        let Some((id, slices)) = &mut self.thought else { return false };
        let found = |finding: Json| tell(json!({ "id": id, "finding": finding }));
        if let Some(answer) = slices.poll(&mut self.engine, &self.truth, &found) {
            tell(with_id(answer, id));
            self.thought = None;
        }
        self.thought.is_some()
    }

    /// Ends the running search and reports its answer.
    fn stop(&mut self, tell: &(dyn Fn(Json) + Sync)) {
        if let Some((id, mut slices)) = self.thought.take() {
            let found = |finding: Json| tell(json!({ "id": id, "finding": finding }));
            tell(with_id(slices.stop(&mut self.engine, &self.truth, &found), &id));
        }
    }
}

fn with_id(mut answer: Json, id: &Json) -> Json {
    answer["id"] = id.clone();
    answer
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
        page.ask(json!({ "id": 1, "ask": "view", "game": "dobutsu" }), &tell);
        page.ask(json!({ "id": 2, "ask": "go", "game": "dobutsu", "infinite": true }), &tell);
        assert!(page.poll(&tell));
        page.ask(json!({ "id": 3, "ask": "go", "game": "dobutsu", "movetime": 50 }), &tell);
        while page.poll(&tell) {}
        page.ask(json!({ "id": 4, "ask": "stop" }), &tell);
        let told = told.into_inner().expect("nobody panics");
        let answers: Vec<u64> =
            told.iter().filter(|m| m["finding"].is_null()).filter_map(|m| m["id"].as_u64()).collect();
        assert_eq!(answers, [1, 2, 3, 4]);
        assert!(told.iter().any(|m| m["id"] == 2 && m["finding"]["pv"].is_array()));
    }
}
