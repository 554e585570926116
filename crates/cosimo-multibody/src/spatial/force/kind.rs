//! The kinds of forces.

use cosimo_mechanics::TimeFunction;
use nalgebra::Matrix6;

use super::super::element::{Element, PairElement};
use super::super::geometry::Geometry;
use super::super::joint::{Frame, Marker};
use super::bushing::BushingForce;
use super::load::LoadForce;
use super::scalar::{ScalarForce, ScalarLaw};
use super::user::UserForce;
use super::{Bearing, BodyFunction, BodyLoad, PenaltyLaw, ScalarFunction};

/// What a force depends on and how. The first frame belongs to the first body; a sphere sits at the second frame's origin.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ForceKind {
    /// Spring and damper along the line between the two points: `F = k (l − l₀) + c l̇ + F₀`, pulling positive.
    Spring {
        /// `k` (N/m).
        stiffness: f64,
        /// `c` (N s/m).
        damping: f64,
        /// `l₀` (m).
        free_length: f64,
        /// `F₀` (N).
        preload: f64,
    },
    /// Spring and damper about the first frame's `z`: moment `k (θ − θ₀) + c θ̇` against the angle `θ` from the first frame's
    /// `x` to the second's. It starts as [`Force::turns`] says and counts turns; a step must change it by less than half a turn.
    TorsionSpring {
        /// `k` (N m/rad).
        stiffness: f64,
        /// `c` (N m s/rad).
        damping: f64,
        /// `θ₀` (rad).
        free_angle: f64,
    },
    /// Six displacements of the second frame in the first one's axes times symmetric matrices: three of the point (m), and
    /// the rotation vector of its turn (rad), which starts below half a turn and must stay below a whole one.
    Bushing {
        /// Stiffness (N/m, N, N m/rad).
        stiffness: Box<Matrix6<f64>>,
        /// Damping (N s/m, N s, N m s/rad).
        damping: Box<Matrix6<f64>>,
    },
    /// The same with matrices of any symmetry, as those of seals and of gyroscopic and circulatory couplings. The part of the stiffness
    /// that is not symmetric has no potential: what it does is work from outside, as is what damping puts in.
    NonSymmetricBushing {
        /// Stiffness (N/m, N, N m/rad).
        stiffness: Box<Matrix6<f64>>,
        /// Damping (N s/m, N s, N m s/rad).
        damping: Box<Matrix6<f64>>,
    },
    /// The film of a journal bearing or a seal, whose matrices may change with the speed of the shaft.
    Bearing(Bearing),
    /// Contact of a sphere of the second body with the plane of `x` and `y` of the first frame, whose `z` points to the
    /// sphere.
    SpherePlane {
        /// Radius (m).
        radius: f64,
        /// Law of the contact force.
        law: PenaltyLaw,
    },
    /// Contact of two spheres around the frames' origins.
    SphereSphere {
        /// Radii (m).
        radii: [f64; 2],
        /// Law of the contact force.
        law: PenaltyLaw,
    },
    /// A stop of the angle about the first frame's `z`: moments beyond the limit. The angle starts as [`Force::turns`] says and
    /// counts turns; a step must change it by less than half a turn.
    Stop {
        /// Limit (rad), of any size.
        limit: f64,
        /// Whether angles above the limit are resisted, or those below.
        is_upper: bool,
        /// Law of the contact moment (N m, rad).
        law: PenaltyLaw,
    },
    /// A force that a user defines along the line between the points, pulling positive.
    AlongLine(ScalarFunction),
    /// A moment that a user defines about the first frame's `z`, against the angle, which starts as [`Force::turns`] says and
    /// counts turns.
    AboutAxis(ScalarFunction),
    /// A force of this size over time (N) along the line between the points, pushing positive.
    LinearActuator(TimeFunction),
    /// A moment of this size over time (N m) about the first frame's `z`, with the angle, which starts as [`Force::turns`] says and counts
    /// turns.
    RotaryActuator(TimeFunction),
    /// A force or a moment over time on the second body.
    Load(BodyLoad),
    /// Force and moment that a user defines on the second body, at the second frame's origin.
    OnBody(BodyFunction),
}

/// A force between two frames.
#[derive(Debug, Clone)]
pub struct Force {
    /// Name.
    pub name: String,
    /// What it depends on and how.
    pub kind: ForceKind,
    /// Frame on the first body.
    pub first: Frame,
    /// Frame on the second body.
    pub second: Frame,
    /// Whole turns by which an angle is ahead of (−π, π] at the start.
    pub turns: i32,
    /// Whether a spring is free where it starts, once the start is consistent, in place of its free length or angle.
    pub is_free_at_start: bool,
}

impl Force {
    /// A force between two frames.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: ForceKind, first: Frame, second: Frame) -> Self {
        Self { name: name.into(), kind, first, second, turns: 0, is_free_at_start: false }
    }

    /// Lets a spring be free where it starts, once the start is consistent: its free length or angle is that of the guess.
    #[must_use]
    pub fn free_at_start(mut self) -> Self {
        self.is_free_at_start = true;
        self
    }

    /// Lets an angle start by so many whole turns ahead of (−π, π], default 0.
    #[must_use]
    pub fn with_turns(mut self, turns: i32) -> Self {
        self.turns = turns;
        self
    }

    /// The element between two markers.
    pub(crate) fn element(&self, first: &Marker, second: &Marker) -> Box<dyn Element> {
        let arms = [first.arm, second.arm];
        let line = Geometry::Distance { arms };
        let angle = Geometry::Angle { x: first.axes[0], y: first.axes[1], b: second.axes[0] };
        let scalar = |geometry, law| -> Box<dyn Element> {
            let law = ScalarForce::new(geometry, law, (self.turns, self.is_free_at_start));
            Box::new(PairElement { law, arm: second.arm })
        };
        let contact = |geometry, factor, offset, law: &PenaltyLaw| {
            scalar(geometry, ScalarLaw::contact(factor, offset, *law))
        };
        match &self.kind {
            ForceKind::Spring { stiffness, damping, free_length, preload } => {
                let [k, c, free, preload] = [*stiffness, *damping, *free_length, *preload];
                scalar(line, ScalarLaw::Spring { k, c, free, preload })
            }
            ForceKind::TorsionSpring { stiffness, damping, free_angle } => {
                let [k, c, free] = [*stiffness, *damping, *free_angle];
                scalar(angle, ScalarLaw::Spring { k, c, free, preload: 0.0 })
            }
            ForceKind::Bushing { stiffness, damping }
            | ForceKind::NonSymmetricBushing { stiffness, damping } => {
                let law = BushingForce::new(first, second, **stiffness, **damping);
                Box::new(PairElement { law, arm: second.arm })
            }
            ForceKind::Bearing(bearing) => {
                Box::new(PairElement { law: bearing.placed(first, second), arm: second.arm })
            }
            ForceKind::SpherePlane { radius, law } => {
                contact(Geometry::Dot2 { a: first.axes[2], arms }, 1.0, *radius, law)
            }
            ForceKind::SphereSphere { radii, law } => contact(line, 1.0, radii[0] + radii[1], law),
            ForceKind::Stop { limit, is_upper, law } => {
                let factor = if *is_upper { -1.0 } else { 1.0 };
                contact(angle, factor, factor * limit, law)
            }
            ForceKind::AlongLine(function) => scalar(line, ScalarLaw::Function(function.clone())),
            ForceKind::AboutAxis(function) => scalar(angle, ScalarLaw::Function(function.clone())),
            ForceKind::LinearActuator(force) => scalar(line, ScalarLaw::Actuator(force.clone())),
            ForceKind::RotaryActuator(moment) => scalar(angle, ScalarLaw::Actuator(moment.clone())),
            ForceKind::Load(load) => {
                let law = LoadForce { arm: second.arm, load: load.clone() };
                Box::new(PairElement { law, arm: second.arm })
            }
            ForceKind::OnBody(function) => {
                let law = UserForce { arm: second.arm, function: function.clone() };
                Box::new(PairElement { law, arm: second.arm })
            }
        }
    }
}

impl ForceKind {
    /// The first number that is not what the kind asks for: its name, value, and the rule.
    pub(crate) fn check(&self) -> Result<(), (&'static str, f64, &'static str)> {
        let finite = |name, x: f64| if x.is_finite() { Ok(()) } else { Err((name, x, "finite")) };
        let not_negative = |name, x: f64| {
            if x >= 0.0 && x.is_finite() { Ok(()) } else { Err((name, x, "finite and not negative")) }
        };
        match self {
            Self::Spring { stiffness, damping, free_length, preload } => {
                finite("stiffness", *stiffness)?;
                finite("damping", *damping)?;
                not_negative("free length", *free_length)?;
                finite("preload", *preload)
            }
            Self::TorsionSpring { stiffness, damping, free_angle } => {
                finite("stiffness", *stiffness)?;
                finite("damping", *damping)?;
                finite("free angle", *free_angle)
            }
            Self::Bushing { stiffness, damping } => {
                for (name, matrix) in [("stiffness", stiffness), ("damping", damping)] {
                    let asymmetry = (**matrix - matrix.transpose()).amax();
                    if !(asymmetry <= 1e-12 * matrix.amax()) {
                        return Err((name, asymmetry, "a symmetric matrix: the asymmetry must be zero"));
                    }
                }
                Ok(())
            }
            Self::NonSymmetricBushing { stiffness, damping } => {
                stiffness.iter().try_for_each(|x| finite("stiffness", *x))?;
                damping.iter().try_for_each(|x| finite("damping", *x))
            }
            Self::Bearing(bearing) => bearing.check(),
            Self::SpherePlane { radius, law } => {
                not_negative("radius", *radius)?;
                law.check()
            }
            Self::SphereSphere { radii, law } => {
                radii.iter().try_for_each(|radius| not_negative("radius", *radius))?;
                law.check()
            }
            Self::Stop { limit, law, .. } => {
                finite("limit", *limit)?;
                law.check()
            }
            Self::Load(load) => {
                let length = load.direction.norm();
                let is_one = (length - 1.0).abs() <= 1e-9;
                if is_one { Ok(()) } else { Err(("length of the direction", length, "one")) }
            }
            Self::LinearActuator(_) | Self::RotaryActuator(_) => Ok(()),
            Self::AlongLine(_) | Self::AboutAxis(_) | Self::OnBody(_) => Ok(()),
        }
    }
}

/// Whether points may not coincide because the line between them has no direction then.
pub(crate) fn needs_a_line(kind: &ForceKind) -> bool {
    matches!(
        kind,
        ForceKind::Spring { .. }
            | ForceKind::AlongLine(_)
            | ForceKind::LinearActuator(_)
            | ForceKind::SphereSphere { .. }
    )
}

/// Whether a force acts on the second body alone, which may not be the ground then.
pub(crate) fn is_on_one_body(kind: &ForceKind) -> bool {
    matches!(kind, ForceKind::OnBody(_) | ForceKind::Load(_))
}
