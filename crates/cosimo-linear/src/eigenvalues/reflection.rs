//! Householder's reflection of three entries.

/// `1 − τ v vᵀ` with `v = (1, v₁, v₂)`, which takes `x` to `(β, 0, 0)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reflection {
    vector: [f64; 3],
    pub(super) factor: f64,
    /// `β`, of size `‖x‖`.
    pub(super) image: f64,
}

impl Reflection {
    pub(super) fn of(x: [f64; 3]) -> Self {
        let [first, second, third] = x;
        let rest = second.hypot(third);
        if rest == 0.0 {
            return Self { vector: [1.0, 0.0, 0.0], factor: 0.0, image: first };
        }
        let image = -first.hypot(rest).copysign(first);
        let head = first - image;
        Self { vector: [1.0, second / head, third / head], factor: -head / image, image }
    }

    pub(super) fn apply(&self, y: [f64; 3]) -> [f64; 3] {
        let v = &self.vector;
        let share = self.factor * (y[0] + v[1] * y[1] + v[2] * y[2]);
        [y[0] - share, y[1] - share * v[1], y[2] - share * v[2]]
    }
}
