//! Systems with many constraints whose coordinates may turn.

mod angle_wrap;
mod coordinates;
pub mod rotation;
mod structure;

pub use angle_wrap::AngleWrap;
pub use coordinates::{CoordinateBlock, Coordinates, PlacedBlock};
pub use structure::{ConstraintBlock, Structure};

use cosimo_mechanics::Energy;

/// Where a system is at an instant, and how it moves.
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    /// Time (s).
    pub t: f64,
    /// Positions, see [`Coordinates`].
    pub q: &'a [f64],
    /// Velocities (m/s and rad/s).
    pub v: &'a [f64],
}

/// Where a system is at an instant.
#[derive(Debug, Clone, Copy)]
pub struct Configuration<'a> {
    /// Time (s).
    pub t: f64,
    /// Positions, see [`Coordinates`].
    pub q: &'a [f64],
}

/// Positions and velocities of a system.
#[derive(Debug, Clone, Copy)]
pub struct State<'a> {
    /// Positions, see [`Coordinates`].
    pub q: &'a [f64],
    /// Velocities (m/s and rad/s).
    pub v: &'a [f64],
}

/// A small change of a state.
#[derive(Debug, Clone, Copy)]
pub struct StateChange<'a> {
    /// Increment of the position, as long as the velocities (m and rad).
    pub dq: &'a [f64],
    /// Change of the velocity (m/s and rad/s).
    pub dv: &'a [f64],
}

impl<'a> Motion<'a> {
    /// Time and positions alone.
    #[must_use]
    pub fn configuration(self) -> Configuration<'a> {
        Configuration { t: self.t, q: self.q }
    }

    /// Positions and velocities alone.
    #[must_use]
    pub fn state(self) -> State<'a> {
        State { q: self.q, v: self.v }
    }
}

/// What takes up the matrices of a system, block by block.
///
/// Blocks are dense, by columns. `row` and `column` count the blocks of coordinates, `constraint` those of constraints.
/// Every call adds.
pub trait MatrixSink {
    /// `M` of a diagonal block.
    fn mass(&mut self, block: usize, values: &[f64]);
    /// `M` of a block outside the diagonal; [`Structure::with_coupling`] tells of its pair.
    fn mass_coupling(&mut self, row: usize, column: usize, values: &[f64]);
    /// `∂r/∂v` of the balance `r` of forces, see [`ConstrainedSystem::balance`].
    fn damping(&mut self, row: usize, column: usize, values: &[f64]);
    /// `∂r/∂q` of the balance of forces for increments of the position.
    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]);
    /// `Φ = ∂φ/∂q` of a constraint block for increments of a coordinate block.
    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]);
    /// `∂(Φ v + ∂φ/∂t)/∂q` at fixed velocities.
    fn rate_gradient(&mut self, constraint: usize, block: usize, values: &[f64]);
}

/// Which derivative of the constraints is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// `φ(t, q)`.
    Position,
    /// `φ̇ = Φ v + ∂φ/∂t`.
    Velocity,
    /// `φ̈ = Φ a + γ(t, q, v)`.
    Acceleration,
}

/// A mechanical system with constraints in [coordinates](Coordinates) that may turn:
///
/// ```text
///   r = M(q) a + g(q, v) − f(t, q, v) + Φᵀ μ = 0        φ(t, q) = 0        Φ = ∂φ/∂q
/// ```
///
/// with the inertial forces `g` and the applied ones `f`. Derivatives by positions are by increments `x` of
/// `q ∘ exp(x)` at `x = 0`. Shapes: `n` velocities, `m` constraint rows, as given by the [`Structure`]. The mass matrix is
/// symmetric and positive definite. Methods must not allocate and must be pure: the same
/// arguments give the same bits. SI units.
///
/// `cosimo_smooth::dae` solves its steps. Systems with constant matrices are [`LinearSystem`](crate::LinearSystem)s, which are
/// stepped without iterations.
pub trait ConstrainedSystem: Send {
    /// Blocks of coordinates and constraints, and which of them meet. It never changes.
    fn structure(&self) -> &Structure;

    /// Writes the balance of forces `r` at acceleration `a` and reactions `mu`, length `n`.
    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]);

    /// Writes `M(q) x`, length `n`.
    fn mass_product(&self, q: &[f64], x: &[f64], out: &mut [f64]);

    /// Adds `Φᵀ μ` to `out`, length `n`.
    fn add_reactions(&self, t: f64, q: &[f64], mu: &[f64], out: &mut [f64]);

    /// Writes the constraints at this level, length `m`; `a` matters at the level of accelerations only.
    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]);

    /// Gives `M`, `∂r/∂v` and `∂r/∂q` to `sink`.
    fn tangents(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink);

    /// Gives `M` alone to `sink`.
    fn masses(&self, q: &[f64], sink: &mut dyn MatrixSink);

    /// Gives `Φ` to `sink`.
    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn MatrixSink);

    /// Gives `∂φ̇/∂q` to `sink`.
    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink);

    /// Kinetic and potential energy (J).
    fn energy(&self, motion: Motion<'_>) -> Energy;

    /// Power that dampers take out (W); what they leave is in [`energy`](Self::energy). Default: nothing damps.
    fn dissipated_power(&self, _motion: Motion<'_>) -> f64 {
        0.0
    }

    /// Power of applied forces that have no potential (W). Default: there are none.
    fn external_power(&self, _motion: Motion<'_>) -> f64 {
        0.0
    }

    /// Power of constraints that prescribe a motion, `μᵀ ∂φ/∂t` (W). Default: there are none.
    fn driving_power(&self, _motion: Motion<'_>, _mu: &[f64]) -> f64 {
        0.0
    }

    /// Whether the system is linear: `M`, `∂r/∂v`, `∂r/∂q` and `Φ` are the same at all times and positions, nothing turns, and the
    /// energy depends on positions and velocities alone. Matrices and what was solved with them are then kept. Default: it is not.
    fn is_linear(&self) -> bool {
        false
    }

    /// Name of a constraint block, for messages.
    fn constraint_name(&self, constraint: usize) -> String {
        format!("constraint {constraint}")
    }

    /// Name of a block of coordinates, for messages.
    fn coordinate_name(&self, block: usize) -> String {
        format!("body {block}")
    }

    /// The constraint block that is turned farthest from what it means, and by which angle (rad). A product of directions is zero
    /// where they are parallel and where they are opposite: this distinguishes them. Default: constraints mean every
    /// position that satisfies them.
    fn deviation(&self, _t: f64, _q: &[f64]) -> Option<(usize, f64)> {
        None
    }

    /// Turns the constraints so that they ask for this share, below 1, of their [`deviation`](Self::deviation) at `q`, until they
    /// are turned again; 0 gives them back as they were. Default: nothing can be turned.
    fn ease(&mut self, _t: f64, _q: &[f64], _share: f64) {}

    /// The first turn between bodies that the laws do not follow on a step from `q` by the increment `x`, on which every body turns
    /// evenly. Default: laws follow all.
    fn angle_wrap(&self, _q: &[f64], _x: &[f64]) -> Option<AngleWrap> {
        None
    }

    /// Name of a law whose force jumps in about a step of size `h` (s) from here, so that there may be no end at which forces
    /// balance. Default: forces do not jump.
    fn jump(&self, _motion: Motion<'_>, _h: f64) -> Option<String> {
        None
    }

    /// Why a law has no forces here, which are then not finite. Default: all have.
    fn rejection(&self, _motion: Motion<'_>) -> Option<String> {
        None
    }

    /// Takes note of the start: laws that refer to it, such as springs that are free there. Called again where the start is moved
    /// before anything has run. Default: nothing refers to it.
    fn start(&mut self, _motion: Motion<'_>) {}

    /// Takes note of a step's end: laws that remember, such as the velocity at which a contact closed. Default: nothing
    /// remembers.
    fn accept(&mut self, _motion: Motion<'_>) {}

    /// Appends what the laws remember.
    fn save_memory(&self, _out: &mut Vec<f64>) {}

    /// Reads back what [`save_memory`](Self::save_memory) wrote and returns how many numbers it took; `None` when there
    /// are too few.
    fn restore_memory(&mut self, _saved: &[f64]) -> Option<usize> {
        Some(0)
    }
}
