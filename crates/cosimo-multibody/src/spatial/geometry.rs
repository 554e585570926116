//! Numbers that two bodies define, with their first and second derivatives.

use nalgebra::{Matrix3, Vector3};

use super::pose::{Gradient, Hessian, Pair, Pose, Twist};

/// A number that the poses of two bodies define. Vectors are in the axes of their body, arms from its centre of mass; `i`
/// is the first body, `j` the second, `p` their points and `r = p_j − p_i`.
///
/// Reference: E. J. Haug, *Computer Aided RowMap and Dynamics of Mechanical Systems*, Allyn and Bacon 1989, ch. 9 (the
/// first four are its basic constraints DP1, DP2, distance and coordinate difference).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Geometry {
    /// `a_i · b_j` of two directions (–).
    Dot1 {
        /// Direction on the first body.
        a: Vector3<f64>,
        /// Direction on the second.
        b: Vector3<f64>,
    },
    /// `a_i · r` (m).
    Dot2 {
        /// Direction on the first body.
        a: Vector3<f64>,
        /// Arms of the points.
        arms: [Vector3<f64>; 2],
    },
    /// `|r|` (m).
    Distance {
        /// Arms of the points.
        arms: [Vector3<f64>; 2],
    },
    /// `c · r` with a direction `c` fixed in space (m).
    Coordinate {
        /// The direction in world axes.
        c: Vector3<f64>,
        /// Arms of the points.
        arms: [Vector3<f64>; 2],
    },
    /// Angle from `x_i` to `b_j` in the plane of `x_i` and `y_i` (rad), in (−π, π].
    Angle {
        /// First axis on the first body.
        x: Vector3<f64>,
        /// Second axis on the first body, perpendicular.
        y: Vector3<f64>,
        /// Direction on the second body.
        b: Vector3<f64>,
    },
}

/// World vector of a body direction, with its rates at constant angular velocity.
fn direction(pose: &Pose, twist: &Twist, a: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let first = twist.spin.cross(a);
    [pose.rotation * a, pose.rotation * first, pose.rotation * twist.spin.cross(&first)]
}

/// `r` with its rates at constant velocities.
fn displacement(pair: &Pair, arms: &[Vector3<f64>; 2]) -> [Vector3<f64>; 3] {
    let [i, j] = [0, 1].map(|k| direction(&pair.poses[k], &pair.twists[k], &arms[k]));
    [
        pair.poses[1].position + j[0] - pair.poses[0].position - i[0],
        pair.twists[1].velocity + j[1] - pair.twists[0].velocity - i[1],
        j[2] - i[2],
    ]
}

/// Derivative of `c · r` for a fixed world vector `c`.
fn along(pair: &Pair, c: &Vector3<f64>, arms: &[Vector3<f64>; 2]) -> Gradient {
    let [i, j] = [0, 1].map(|k| arms[k].cross(&pair.poses[k].rotation.tr_mul(c)));
    Gradient([-c, -i, *c, j])
}

impl Geometry {
    /// The two directions of a product, `Angle` as sine and cosine.
    fn sine_and_cosine(x: &Vector3<f64>, y: &Vector3<f64>, b: &Vector3<f64>) -> [Self; 2] {
        [Self::Dot1 { a: *y, b: *b }, Self::Dot1 { a: *x, b: *b }]
    }

    /// The number.
    #[must_use]
    pub fn value(&self, pair: &Pair) -> f64 {
        let [i, j] = &pair.poses;
        match self {
            Self::Dot1 { a, b } => (i.rotation * a).dot(&(j.rotation * b)),
            Self::Dot2 { a, arms } => (i.rotation * a).dot(&(j.point(&arms[1]) - i.point(&arms[0]))),
            Self::Distance { arms } => (j.point(&arms[1]) - i.point(&arms[0])).norm(),
            Self::Coordinate { c, arms } => c.dot(&(j.point(&arms[1]) - i.point(&arms[0]))),
            Self::Angle { x, y, b } => {
                let [sine, cosine] = Self::sine_and_cosine(x, y, b).map(|part| part.value(pair));
                sine.atan2(cosine)
            }
        }
    }

    /// Its derivative by the increments of both bodies.
    #[must_use]
    pub fn gradient(&self, pair: &Pair) -> Gradient {
        let [i, j] = &pair.poses;
        match self {
            Self::Dot1 { a, b } => {
                let (alpha, beta) = (i.rotation * a, j.rotation * b);
                let zero = Vector3::zeros();
                Gradient([
                    zero,
                    a.cross(&i.rotation.tr_mul(&beta)),
                    zero,
                    b.cross(&j.rotation.tr_mul(&alpha)),
                ])
            }
            Self::Dot2 { a, arms } => {
                let alpha = i.rotation * a;
                let to_second = i.rotation.tr_mul(&(j.point(&arms[1]) - i.position));
                Gradient([-alpha, a.cross(&to_second), alpha, arms[1].cross(&j.rotation.tr_mul(&alpha))])
            }
            Self::Distance { arms } => {
                let r = j.point(&arms[1]) - i.point(&arms[0]);
                along(pair, &(r / r.norm()), arms)
            }
            Self::Coordinate { c, arms } => along(pair, c, arms),
            Self::Angle { x, y, b } => {
                let parts = Self::sine_and_cosine(x, y, b);
                let [sine, cosine] = parts.map(|part| part.value(pair));
                let [of_sine, of_cosine] = parts.map(|part| part.gradient(pair));
                let square = sine * sine + cosine * cosine;
                let mut out = Gradient::default();
                out.add(cosine / square, &of_sine);
                out.add(-sine / square, &of_cosine);
                out
            }
        }
    }

    /// `vᵀ H v`: its second rate at velocities that do not change.
    #[must_use]
    pub fn curvature(&self, pair: &Pair) -> f64 {
        let of = |body: usize, a: &Vector3<f64>| direction(&pair.poses[body], &pair.twists[body], a);
        let product = |x: [Vector3<f64>; 3], y: [Vector3<f64>; 3]| {
            x[2].dot(&y[0]) + 2.0 * x[1].dot(&y[1]) + x[0].dot(&y[2])
        };
        match self {
            Self::Dot1 { a, b } => product(of(0, a), of(1, b)),
            Self::Dot2 { a, arms } => product(of(0, a), displacement(pair, arms)),
            Self::Coordinate { c, arms } => c.dot(&displacement(pair, arms)[2]),
            Self::Distance { arms } => {
                let [r, rate, second] = displacement(pair, arms);
                let length = r.norm();
                let along = r.dot(&rate) / length;
                r.dot(&second) / length + (rate.norm_squared() - along * along) / length
            }
            Self::Angle { .. } => self.hessian(pair).rate_gradient(&pair.twists).rate(&pair.twists),
        }
    }

    /// Its second derivative: that of the gradient by the increments.
    #[must_use]
    pub fn hessian(&self, pair: &Pair) -> Hessian {
        let mut out = Hessian::default();
        self.add_hessian(1.0, pair, &mut out);
        out
    }

    /// Adds `factor` times the second derivative.
    pub(crate) fn add_hessian(&self, factor: f64, pair: &Pair, out: &mut Hessian) {
        let [i, j] = &pair.poses;
        let h = &mut out.0;
        match self {
            Self::Dot1 { a, b } => {
                let relative = i.rotation.tr_mul(&j.rotation);
                let (beta, alpha) = (relative * b, relative.tr_mul(a));
                let (left, right) = (a.cross_matrix() * factor, b.cross_matrix());
                let across = left * relative * right;
                h[1][1] += left * beta.cross_matrix();
                h[1][3] -= across;
                h[3][3] += right * alpha.cross_matrix() * factor;
                h[3][1] -= across.transpose();
            }
            Self::Dot2 { a, arms } => {
                let relative = i.rotation.tr_mul(&j.rotation);
                let to_second = i.rotation.tr_mul(&(j.point(&arms[1]) - i.position));
                let (left, arm) = (a.cross_matrix() * factor, arms[1].cross_matrix());
                let turned = i.rotation * left;
                h[0][1] += turned;
                h[2][1] -= turned;
                h[1][0] += turned.transpose();
                h[1][2] -= turned.transpose();
                h[1][1] += left * to_second.cross_matrix();
                let across = left * relative * arm;
                h[1][3] -= across;
                h[3][1] -= across.transpose();
                h[3][3] += arm * relative.tr_mul(a).cross_matrix() * factor;
            }
            Self::Coordinate { c, arms } => add_arm_terms(out, pair, &(c * factor), arms),
            Self::Distance { arms } => {
                let r = j.point(&arms[1]) - i.point(&arms[0]);
                let length = r.norm();
                let unit = r / length;
                add_arm_terms(out, pair, &(unit * factor), arms);
                let projector = Matrix3::identity() - unit * unit.transpose();
                add_stretch_terms(out, pair, arms, &(projector * (factor / length)));
            }
            Self::Angle { x, y, b } => {
                Self::add_angle_hessian(factor, pair, Self::sine_and_cosine(x, y, b), out)
            }
        }
    }

    /// With `∇θ = (c ∇s − s ∇c)/(s² + c²)`.
    fn add_angle_hessian(factor: f64, pair: &Pair, parts: [Self; 2], out: &mut Hessian) {
        let [sine, cosine] = parts.map(|part| part.value(pair));
        let [of_sine, of_cosine] = parts.map(|part| part.gradient(pair));
        let square = sine * sine + cosine * cosine;
        let scale = factor / square;
        parts[0].add_hessian(cosine * scale, pair, out);
        parts[1].add_hessian(-sine * scale, pair, out);
        out.add_product(scale, &of_sine, &of_cosine);
        out.add_product(-scale, &of_cosine, &of_sine);
        let (mut own, mut of_square) = (Gradient::default(), Gradient::default());
        own.add(cosine / square, &of_sine);
        own.add(-sine / square, &of_cosine);
        of_square.add(2.0 * sine * scale, &of_sine);
        of_square.add(2.0 * cosine * scale, &of_cosine);
        out.add_product(-1.0, &own, &of_square);
    }
}

/// Second derivative of `c · r` for a fixed world vector `c`: the arms turn.
fn add_arm_terms(out: &mut Hessian, pair: &Pair, c: &Vector3<f64>, arms: &[Vector3<f64>; 2]) {
    for (body, sign) in [(0, -1.0), (1, 1.0)] {
        let own = pair.poses[body].rotation.tr_mul(c);
        out.0[2 * body + 1][2 * body + 1] += arms[body].cross_matrix() * own.cross_matrix() * sign;
    }
}

/// What the turn of `r` itself adds: `Jᵀ P J` with the derivative `J` of `r` and a multiple `P` of the
/// projector across it.
fn add_stretch_terms(out: &mut Hessian, pair: &Pair, arms: &[Vector3<f64>; 2], projector: &Matrix3<f64>) {
    let turned = |body: usize| pair.poses[body].rotation * arms[body].cross_matrix();
    let derivative = [-Matrix3::identity(), turned(0), Matrix3::identity(), -turned(1)];
    for (row, left) in derivative.iter().enumerate() {
        for (column, right) in derivative.iter().enumerate() {
            out.0[row][column] += left.tr_mul(projector) * right;
        }
    }
}
