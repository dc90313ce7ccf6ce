//! Measures the ladder of levels by games between neighbours, each at a fixed number of nodes.
//!
//! ```text
//! cargo run --release --example ladder -- shogi 100 0-20     steps 0-1, 1-2 ... 19-20, 100 games each
//! cargo run --release --example ladder -- janggi 100 bots 0  level 0 against the bots of the tests
//! cargo run --release --example ladder -- shogi 40 try attentive:80:50:50:40:10:200 searching:200:400
//! ```
//!
//! Every two games begin with the same random plies, with colours swapped. Full strength has 100,000 nodes per move.

#[path = "../tests/common/bots.rs"]
mod bots;

use bots::{Bot, Level, Random, Taker};
use sanban::engine::each_game;
use sanban::engine::ladder::{Attention, Player};
use sanban::rules::Rng;
use sanban::study::teach::{Language, level_name};
use sanban::{Game, VariantId};

/// Nodes per move of full strength.
const NODES: u64 = 100_000;
/// Random plies at the start of a game: on twelve squares, more than one often decides it.
fn random_plies(game: VariantId) -> usize {
    if matches!(game, VariantId::Dobutsu | VariantId::DobutsuMate) { 1 } else { 4 }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [game, games, what @ ..] = &words[..] else { usage() };
    let games: usize = games.parse().unwrap_or_else(|_| usage());
    let game: VariantId = game.parse().unwrap_or_else(|_| usage());
    each_game!(game, G => measure::<G>(games, what));
}

fn usage() -> ! {
    eprintln!("ladder GAME GAMES (FROM-TO | bots LEVEL | try PLAYER PLAYER)");
    std::process::exit(2)
}

fn measure<G: Game>(games: usize, what: &[&str]) {
    match what {
        ["bots", level] => {
            let player = player(level);
            for (bot, name) in [(0, "random mover"), (1, "taker")] {
                let score = series::<G>(games, player, |seed| match bot {
                    0 => Box::new(Random(Rng::new(seed))) as Box<dyn Bot<G::Position>>,
                    _ => Box::new(Taker(Rng::new(seed))),
                });
                println!("{} {level} against the {name}: {}", G::ID, told(score));
            }
        }
        ["try", weak, strong] => {
            let (weak, strong) = (player(weak), player(strong));
            println!("{}", told(pair::<G>(games, strong, weak)));
        }
        [range] => {
            let Some((from, to)) = range.split_once('-') else { usage() };
            let (Ok(from), Ok(to)) = (from.parse::<u32>(), to.parse::<u32>()) else { usage() };
            for level in from..to {
                let score = pair::<G>(games, (level + 1, None), (level, None));
                let names = [level + 1, level].map(|level| level_name(level as usize, Language::English));
                println!(
                    "{} {:>2} over {level:>2}: {}   ({} over {})",
                    G::ID,
                    level + 1,
                    told(score),
                    names[0],
                    names[1]
                );
            }
        }
        _ => usage(),
    }
}

/// Parses a level or a description of a player.
fn player(text: &str) -> (u32, Option<Player>) {
    if let Ok(level) = text.parse() {
        return (level, None);
    }
    let mut parts = text.split(':');
    let kind = parts.next();
    let numbers: Vec<u64> = parts.map(|part| part.parse().unwrap_or_else(|_| usage())).collect();
    let player = match (kind, &numbers[..]) {
        (Some("attentive"), &[moves, drops, threats, mates, sense, error]) => {
            let [moves, drops, threats, mates, sense] =
                [moves, drops, threats, mates, sense].map(|number| number as u32);
            Player::Attentive(Attention { moves, drops, threats, mates, sense, error: error as i32 })
        }
        (Some("searching"), &[nodes, error]) => Player::Searching { nodes, error: error as i32 },
        _ => usage(),
    };
    (0, Some(player))
}

fn pair<G: Game>(games: usize, strong: (u32, Option<Player>), weak: (u32, Option<Player>)) -> Score {
    series::<G>(games, strong, |seed| {
        Box::new(Level::<G>::new(weak.0, weak.1, seed, NODES)) as Box<dyn Bot<G::Position>>
    })
}

/// The numbers of wins, draws and losses of the first player.
type Score = [usize; 3];

fn series<G: Game>(
    games: usize,
    (level, player): (u32, Option<Player>),
    mut opponent: impl FnMut(u64) -> Box<dyn Bot<G::Position>>,
) -> Score {
    let mut out = [0; 3];
    let mut us = Level::<G>::new(level, player, 0, NODES);
    for n in 0..games {
        let seed = 1 + n as u64;
        us.new_game(seed << 20);
        let mut them = opponent(seed << 40);
        let mut rng = Rng::new(1 + n as u64 / 2);
        let points = if n % 2 == 0 {
            bots::game::<G>(&mut us, them.as_mut(), random_plies(G::ID), &mut rng)
        } else {
            2 - bots::game::<G>(them.as_mut(), &mut us, random_plies(G::ID), &mut rng)
        };
        out[2 - points as usize] += 1;
    }
    out
}

/// The score in percent and the Elo difference with its 95 % error.
fn told([wins, draws, losses]: Score) -> String {
    let games = (wins + draws + losses) as f64;
    let score = (wins as f64 + draws as f64 / 2.0) / games;
    let variance = (wins as f64 * (1.0 - score).powi(2)
        + draws as f64 * (0.5 - score).powi(2)
        + losses as f64 * score.powi(2))
        / games;
    let half = 1.96 * (variance / games).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    format!(
        "{:.1} % (+{wins} ={draws} -{losses}), Elo {:+.0} [{:+.0}, {:+.0}]",
        100.0 * score,
        elo(score),
        elo(score - half),
        elo(score + half)
    )
}
