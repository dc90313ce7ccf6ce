//! Statistics of a match: Elo, and the sequential test.
//!
//! Games are counted in pairs: two games from one opening with colours swapped are one sample with five outcomes. The
//! advantage from the opening cancels, so fewer games are needed than if each were counted separately.

use std::fmt;

/// Number of standard deviations around the mean that contain 95 % of a normal distribution.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
/// Pseudo-count of an outcome that has not occurred, without which the likelihood ratio would be infinite.
const UNSEEN: f64 = 1e-3;

/// The expected score of a player who is stronger by this many Elo (logistic).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference for an expected score; infinite at 0 and 1.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Pairs of games, counted by the points of the first player: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// A difference in Elo with its 95 % bounds. The bounds are never equal; one is infinite if the games are consistent
/// with any superiority of a side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
    /// Whether all pairs had the same outcome and therefore no variance. The bounds are then based on the probability
    /// of outcomes that have not occurred.
    pub alike: bool,
}

impl fmt::Display for Elo {
    /// `Elo +12.3 [-4.5, +29.1]`, with words for infinite values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |elo: f64| if elo.is_finite() { format!("{elo:+.1}") } else { "unbounded".into() };
        let [mean, low, high] = [self.mean, self.low, self.high].map(number);
        write!(f, "Elo {mean} [{low}, {high}]")?;
        if self.mean.is_infinite() {
            f.write_str(if self.mean > 0.0 { " (all points scored)" } else { " (no points scored)" })
        } else if self.alike {
            f.write_str(" (all pairs had the same result)")
        } else if self.low.is_infinite() || self.high.is_infinite() {
            f.write_str(" (too few pairs)")
        } else {
            Ok(())
        }
    }
}

impl Pentanomial {
    /// Adds a pair with this many half points (0 to 4; more count as 4).
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The first player's share of the points, and the variance of a pair's share.
    fn moments(&self) -> (f64, f64) {
        let pairs = self.pairs() as f64;
        let mean = (0..5).map(|i| share(i) * self.0[i] as f64).sum::<f64>() / pairs;
        let variance = (0..5).map(|i| (share(i) - mean).powi(2) * self.0[i] as f64).sum::<f64>() / pairs;
        (mean, variance)
    }

    /// The difference in Elo; `None` before the first pair. Infinite if a side scored all points.
    pub fn elo(&self) -> Option<Elo> {
        if self.pairs() == 0 {
            return None;
        }
        let (mean, variance) = self.moments();
        let pairs = self.pairs() as f64;
        let alike = self.0.iter().filter(|&&n| n > 0).count() == 1;
        let (low, high) = if alike {
            // An outcome that is more likely than this would have occurred with a probability of 97.5 %.
            let unseen = 1.0 - 0.025f64.powf(1.0 / pairs);
            (mean * (1.0 - unseen), mean + (1.0 - mean) * unseen)
        } else {
            let off = TWO_SIDED_95 * (variance / pairs).sqrt();
            (mean - off, mean + off)
        };
        Some(Elo { mean: elo_of(mean), low: elo_of(low), high: elo_of(high), alike })
    }

    /// The probability that the first player is stronger (LOS), by the normal approximation. `None` if all pairs had
    /// the same outcome.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, variance) = self.moments();
        let deviation = (variance / self.pairs() as f64).sqrt();
        (deviation > 0.0).then(|| normal((mean - 0.5) / deviation))
    }

    /// The normalised Elo difference (the difference in points in standard deviations of a game, on the scale of Elo)
    /// and half the width of its 95 % interval. `None` if all pairs had the same outcome.
    pub fn normalized(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.moments();
        // The deviation of a single game: a pair is the mean of two games, so its variance is half as large.
        let deviation = (2.0 * variance).sqrt();
        let scale = 800.0 / 10f64.ln();
        let error = TWO_SIDED_95 / (2.0 * self.pairs() as f64).sqrt();
        (deviation > 0.0).then(|| ((mean - 0.5) / deviation * scale, error * scale))
    }

    /// The outcomes as probabilities, none of them 0, and the resulting number of pairs.
    fn distribution(&self) -> ([f64; 5], f64) {
        let weights = self.0.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let sum: f64 = weights.iter().sum();
        (weights.map(|w| w / sum), sum)
    }
}

/// The distribution function of the standard normal distribution, by the approximation of Abramowitz and Stegun
/// (7.1.26) to the error function, accurate to 1e-7.
fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let coefficients = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let sum = coefficients.iter().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let tail = sum * (-z * z).exp() / 2.0;
    if x > 0.0 { 1.0 - tail } else { tail }
}

fn share(i: usize) -> f64 {
    i as f64 / 4.0
}

/// A generalised sequential probability ratio test of `elo0` against `elo1` on pairs, with both error probabilities at
/// 5 % and the most likely distribution for each mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, larger.
    pub elo1: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

impl Sprt {
    /// The log-likelihood ratio at which the test ends, on either side: ln(0.95 / 0.05).
    pub const BOUND: f64 = 2.944_438_979_166_440_5;

    /// The log-likelihood ratio of `elo1` against `elo0`.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        let (probabilities, count) = pairs.distribution();
        let [s0, s1] = [self.elo0, self.elo1].map(expected_score);
        let [t0, t1] = [s0, s1].map(|score| tilt(&probabilities, score));
        let term = |i: usize| {
            let [d0, d1] = [1.0 + t0 * (share(i) - s0), 1.0 + t1 * (share(i) - s1)];
            probabilities[i] * (d0 / d1).ln()
        };
        count * (0..5).map(term).sum::<f64>()
    }

    /// The decision, if the pairs suffice for one.
    pub fn decision(&self, pairs: &Pentanomial) -> Option<Decision> {
        match self.llr(pairs) {
            llr if llr >= Self::BOUND => Some(Decision::H1),
            llr if llr <= -Self::BOUND => Some(Decision::H0),
            _ => None,
        }
    }
}

/// The parameter `t` of the most likely distribution whose mean is `score`: its probabilities are `p / (1 + t (share -
/// score))`. It is the root of a decreasing function between two poles.
fn tilt(probabilities: &[f64; 5], score: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..100 {
        let t = (low + high) / 2.0;
        let term = |i: usize| probabilities[i] * (share(i) - score) / (1.0 + t * (share(i) - score));
        if (0..5).map(term).sum::<f64>() > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, off: f64) -> bool {
        (a - b).abs() <= off
    }

    /// Pentanomial results and log-likelihood ratios of published tests, rounded to two digits there.
    #[test]
    fn ratios_are_those_of_published_tests() {
        let ratio = |pairs, elo0, elo1| Sprt { elo0, elo1 }.llr(&Pentanomial(pairs));
        assert!(near(ratio([223, 9863, 21279, 10037, 246], 0.5, 2.5), -3.07, 0.005));
        assert!(near(ratio([871, 26175, 55983, 26678, 821], 0.0, 2.0), -4.98, 0.005));
    }

    /// The distribution of a given mean that maximises the likelihood of the counts cannot be improved: any step that
    /// preserves sum and mean decreases the likelihood.
    #[test]
    fn the_tilted_distribution_is_the_most_likely_one() {
        let pairs = Pentanomial([10, 20, 40, 30, 20]);
        let (p, _) = pairs.distribution();
        for score in [0.4, 0.5, 0.6] {
            let t = tilt(&p, score);
            let q: [f64; 5] = std::array::from_fn(|i| p[i] / (1.0 + t * (share(i) - score)));
            assert!(near(q.iter().sum(), 1.0, 1e-12));
            assert!(near((0..5).map(|i| q[i] * share(i)).sum(), score, 1e-12));
            let likelihood = |q: [f64; 5]| (0..5).map(|i| p[i] * q[i].ln()).sum::<f64>();
            for i in 0..3 {
                for step in [-1e-3, 1e-3] {
                    let mut other = q;
                    other[i] += step;
                    other[i + 1] -= 2.0 * step;
                    other[i + 2] += step;
                    assert!(likelihood(other) < likelihood(q), "{score} {i} {step}");
                }
            }
        }
    }

    #[test]
    fn elo_and_its_bounds() {
        // Mean 0.5625 and a variance of 0.10546875 per pair, computed by hand.
        let elo = Pentanomial([1, 1, 3, 1, 2]).elo().expect("there are pairs");
        let off = 1.959_963_984_540_054 * (0.105_468_75f64 / 8.0).sqrt();
        assert!(near(elo.mean, elo_of(0.5625), 1e-9) && near(elo.mean, 43.657_787, 1e-5));
        assert!(near(elo.low, elo_of(0.5625 - off), 1e-9) && near(elo.high, elo_of(0.5625 + off), 1e-9));
        assert_eq!(Pentanomial::default().elo(), None);
        assert_eq!(elo.to_string(), "Elo +43.7 [-117.2, +227.6]");
        assert!(near(expected_score(elo_of(0.7)), 0.7, 1e-12));
    }

    #[test]
    fn superiority_and_normalised_elo() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1)] {
            assert!(near(normal(x), expected, 2e-7), "{x}");
        }
        let pairs = Pentanomial([1, 1, 3, 1, 2]);
        // Mean 0.5625, variance 0.10546875 per pair.
        let z = 0.0625 / (0.105_468_75f64 / 8.0).sqrt();
        assert!(near(pairs.superiority().expect("there is variance"), normal(z), 1e-12));
        let (elo, error) = pairs.normalized().expect("there is variance");
        assert!(near(elo, 0.0625 / 0.210_937_5f64.sqrt() * 347.435_586, 1e-5), "{elo}");
        assert!(near(error, 1.959_964 / 4.0 * 347.435_586, 1e-3), "{error}");
        assert_eq!(Pentanomial([0, 0, 7, 0, 0]).superiority(), None);
        assert_eq!(Pentanomial::default().normalized(), None);
    }

    /// Even without variance, the bounds have a width, since other outcomes are possible.
    #[test]
    fn bounds_have_a_width_and_words() {
        let text = |pairs| Pentanomial(pairs).elo().expect("there are pairs").to_string();
        // In seven pairs, an outcome with a probability of 41.0 % fails to occur in 2.5 % of cases.
        assert_eq!(text([0, 0, 7, 0, 0]), "Elo +0.0 [-151.2, +151.2] (all pairs had the same result)");
        assert_eq!(text([0, 0, 0, 0, 2]), "Elo unbounded [-290.5, unbounded] (all points scored)");
        assert_eq!(text([7, 0, 0, 0, 0]), "Elo unbounded [unbounded, -63.5] (no points scored)");
        assert_eq!(text([0, 0, 1, 0, 1]), "Elo +190.8 [-67.9, unbounded] (too few pairs)");
        for n in 0..5 {
            for count in [1, 2, 10, 1_000_000] {
                let mut pairs = [0; 5];
                pairs[n] = count;
                let elo = Pentanomial(pairs).elo().expect("there are pairs");
                assert!(elo.low < elo.high && elo.low <= elo.mean && elo.mean <= elo.high, "{elo:?}");
            }
        }
    }

    #[test]
    fn tests_end_on_either_side() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
        assert_eq!(sprt.decision(&Pentanomial::default()), None);
        let (mut good, mut bad) = (Pentanomial::default(), Pentanomial::default());
        for i in 0..4000 {
            // Scores of 53 % and 48 %.
            good.add([1, 2, 3, 2, 3, 2, 2, 3, 1, 2][i % 10] + usize::from(i % 25 == 0));
            bad.add([1, 2, 3, 2, 1, 2, 2, 3, 1, 2][i % 10]);
        }
        assert_eq!(sprt.decision(&good), Some(Decision::H1));
        assert_eq!(sprt.decision(&bad), Some(Decision::H0));
        let mirrored = Sprt { elo0: -10.0, elo1: 0.0 };
        let mut turned = good;
        turned.0.reverse();
        assert!(near(mirrored.llr(&turned), -sprt.llr(&good), 1e-9));
    }
}
