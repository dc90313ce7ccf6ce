//! The training curve as a table (CSV) and a plot (SVG).

use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// Learning rate at the end of the epoch.
    pub rate: f32,
    /// Weight of the game's result in the target.
    pub wdl: f32,
    /// Mean squared error on the training data.
    pub training: f64,
    /// Mean squared error on the validation games.
    pub validation: f64,
    /// Positions per second.
    pub speed: f64,
}

pub(super) const NAMES: &str = "epoch,rate,wdl,training,validation,positions_per_second\n";
/// The first bytes of the plot.
pub(super) const DRAWING: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 360' \
    font-family='sans-serif' font-size='13'>\n<rect width='100%' height='100%' fill='white'/>\n";

/// The table: a header line and one line per epoch.
pub fn csv(points: &[Point]) -> String {
    let mut out = String::from(NAMES);
    for p in points {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{},{:.3e},{:.3},{:.6},{:.6},{:.0}",
            p.epoch, p.rate, p.wdl, p.training, p.validation, p.speed
        );
    }
    out
}

/// A plot of both errors over the epochs.
pub fn svg(points: &[Point]) -> String {
    // The size of the view box in `DRAWING`.
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 360.0;
    const MARGIN: f64 = 50.0;
    let errors = || points.iter().flat_map(|p| [p.training, p.validation]);
    let (low, high) = (errors().fold(f64::MAX, f64::min), errors().fold(0.0, f64::max));
    let last = points.len().saturating_sub(1).max(1) as f64;
    let x = |at: usize| MARGIN + at as f64 / last * (WIDTH - 2.0 * MARGIN);
    let y = |error: f64| HEIGHT - MARGIN - (error - low) / (high - low).max(1e-9) * (HEIGHT - 2.0 * MARGIN);
    let line = |name: &str, colour: &str, dy: f64, value: &dyn Fn(&Point) -> f64| {
        let dots: Vec<String> =
            points.iter().enumerate().map(|(at, p)| format!("{:.1},{:.1}", x(at), y(value(p)))).collect();
        let label = points.last().map_or(0.0, value);
        format!(
            "<polyline fill='none' stroke='{colour}' stroke-width='2' points='{}'/>\n\
             <text x='{}' y='{}' fill='{colour}' text-anchor='end'>{name} {label:.5}</text>\n",
            dots.join(" "),
            WIDTH - MARGIN,
            MARGIN + dy
        )
    };
    let mut out = String::from(DRAWING);
    out += &line("training", "#3465a4", 0.0, &|p| p.training);
    out += &line("validation", "#cc0000", 18.0, &|p| p.validation);
    for (error, at) in [(high, y(high)), (low, y(low))] {
        out += &format!("<text x='4' y='{at:.1}'>{error:.4}</text>\n");
    }
    out += &format!("<text x='{}' y='{}'>epochs: {}</text>\n</svg>\n", MARGIN, HEIGHT - 15.0, points.len());
    out
}
