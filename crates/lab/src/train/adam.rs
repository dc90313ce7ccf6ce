//! The optimiser: AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).

/// AdamW's usual constants.
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;

/// The learning rate and the bias correction of an optimiser step.
#[derive(Clone, Copy)]
pub struct Step {
    rate: f32,
    /// Factor for the gradients: one over the number of positions.
    share: f32,
    /// Bias correction of the means.
    correction: [f32; 2],
}

impl Step {
    /// Creates the step with this number, from 1, for the mean gradient of `positions` positions.
    pub fn new(step: u64, rate: f32, positions: usize) -> Self {
        let [mean, square] = BETA.map(|beta| 1.0 - f64::from(beta).powi(step.min(1 << 20) as i32));
        Self {
            rate,
            share: 1.0 / positions as f32,
            correction: [1.0 / mean, 1.0 / square.sqrt()].map(|c| c as f32),
        }
    }
}

/// Updates parameters by one step against their gradients and clamps them to `±bound`.
#[inline]
pub fn follow(
    params: &mut [f32],
    mean: &mut [f32],
    square: &mut [f32],
    gradients: &[f32],
    step: Step,
    bound: f32,
) {
    for (((p, m), s), g) in params.iter_mut().zip(mean).zip(square).zip(gradients) {
        let g = g * step.share;
        *m = BETA[0] * *m + (1.0 - BETA[0]) * g;
        *s = BETA[1] * *s + (1.0 - BETA[1]) * g * g;
        let direction = *m * step.correction[0] / (s.sqrt() * step.correction[1] + EPSILON);
        *p = (*p - step.rate * (direction + DECAY * *p)).clamp(-bound, bound);
    }
}
