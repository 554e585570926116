//! What is combined: one enumeration an axis, with its keys in a model file.

use std::fmt;

/// A step rule of a side.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Rule {
    /// θ rule, of Moreau and Jean where there are contacts.
    Theta(f64),
    /// Two-step rule with this spectral radius.
    Multistep(f64),
    /// Generalized-α with this spectral radius.
    GeneralizedAlpha(f64),
    /// Hilber, Hughes and Taylor with this `alpha`.
    Hht(f64),
    /// Newmark with this `gamma`.
    Newmark(f64),
    /// Backward differences of order 1.
    Bdf,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Theta(0.5),
        Self::Theta(0.75),
        Self::Theta(1.0),
        Self::Multistep(0.0),
        Self::Multistep(0.6),
        Self::Multistep(1.0),
        Self::GeneralizedAlpha(0.0),
        Self::GeneralizedAlpha(0.8),
        Self::GeneralizedAlpha(1.0),
        Self::Hht(-0.1),
        Self::Newmark(0.5),
        Self::Bdf,
    ];

    /// Order of the rule by itself.
    #[must_use]
    pub fn order(self) -> f64 {
        match self {
            Self::Theta(theta) if theta > 0.5 => 1.0,
            Self::Bdf => 1.0,
            _ => 2.0,
        }
    }

    /// The value of the key `solver` of a subsystem of this kind.
    #[must_use]
    pub fn solver(self, kind: Kind, has_contacts: bool) -> String {
        let mean = if has_contacts && kind != Kind::Multibody { "moreau-jean" } else { "theta" };
        match self {
            Self::Theta(theta) => format!("{{ method = \"{mean}\", theta = {theta:?} }}"),
            Self::Multistep(radius) => format!("{{ method = \"multistep\", spectral_radius = {radius:?} }}"),
            Self::GeneralizedAlpha(radius) => {
                format!("{{ method = \"generalized-alpha\", spectral_radius = {radius:?} }}")
            }
            Self::Hht(alpha) => format!("{{ method = \"hht\", alpha = {alpha:?} }}"),
            Self::Newmark(gamma) => format!("{{ method = \"newmark\", gamma = {gamma:?} }}"),
            Self::Bdf => "{ method = \"bdf\", order = 1 }".to_owned(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Theta(theta) => write!(f, "θ {theta}"),
            Self::Multistep(radius) => write!(f, "multistep {radius}"),
            Self::GeneralizedAlpha(radius) => write!(f, "generalized-α {radius}"),
            Self::Hht(alpha) => write!(f, "HHT {alpha}"),
            Self::Newmark(gamma) => write!(f, "Newmark {gamma}"),
            Self::Bdf => write!(f, "BDF 1"),
        }
    }
}

/// The kind of a subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A point mass in space.
    Node,
    /// Constant matrices.
    Linear,
    /// Rigid bodies in a plane.
    Planar,
    /// Rigid bodies in space with joints.
    Multibody,
    /// One rigid body in space.
    RigidBody,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Node, Self::Linear, Self::Planar, Self::Multibody, Self::RigidBody];

    /// The value of the key `kind`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Linear => "linear",
            Self::Planar => "planar",
            Self::Multibody => "multibody",
            Self::RigidBody => "rigid-body",
        }
    }

    /// Whether the reference of the model file offers this rule to this kind.
    #[must_use]
    pub fn takes(self, rule: Rule) -> bool {
        match (self, rule) {
            (Self::Multibody, Rule::Theta(_)) | (Self::RigidBody, _) => rule == Rule::Theta(0.5),
            (Self::Multibody, _) => true,
            (_, Rule::Hht(_) | Rule::Newmark(_) | Rule::Bdf) => false,
            _ => true,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What a joint says of the gap `g` and the load `λ`. The numbers belong to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// `g = 0`.
    Rigid,
    /// `g = c λ` with a `c` so small that the motion is that of a rigid joint.
    Tikhonov,
    /// `g = c λ` with a `c` whose oscillation the steps resolve: a spring for loads, rigid at impacts.
    SoftTikhonov,
    /// `λ = k g`.
    Compliant,
}

impl Law {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rigid, Self::Tikhonov, Self::SoftTikhonov, Self::Compliant];
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rigid => "rigid",
            Self::Tikhonov => "tikhonov",
            Self::SoftTikhonov => "tikhonov, soft",
            Self::Compliant => "compliant",
        })
    }
}

/// How the interface equations are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// At once.
    Condensed,
    /// By turns, with the quasi-Newton acceleration.
    GaussSeidelIqn,
    /// By turns, with Aitken's.
    GaussSeidelAitken,
    /// By turns, as it is.
    GaussSeidel,
    /// Side by side, with the quasi-Newton acceleration.
    JacobiIqn,
    /// Side by side, with Aitken's.
    JacobiAitken,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Condensed,
        Self::GaussSeidelIqn,
        Self::GaussSeidelAitken,
        Self::GaussSeidel,
        Self::JacobiIqn,
        Self::JacobiAitken,
    ];

    /// The keys `scheme` and `acceleration` of `[master]`.
    #[must_use]
    pub fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Condensed => ["condensed", "none"],
            Self::GaussSeidelIqn => ["gauss-seidel", "iqn-ils"],
            Self::GaussSeidelAitken => ["gauss-seidel", "aitken"],
            Self::GaussSeidel => ["gauss-seidel", "none"],
            Self::JacobiIqn => ["jacobi", "iqn-ils"],
            Self::JacobiAitken => ["jacobi", "aitken"],
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.keys() {
            [scheme, "none"] => f.write_str(scheme),
            [scheme, acceleration] => write!(f, "{scheme}, {acceleration}"),
        }
    }
}

/// How impacts are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Impacts {
    /// The model has none.
    None,
    /// In the equations of a step.
    Plain,
    /// At their instants inside steps.
    SubStep,
}

impl Impacts {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Plain, Self::SubStep];
}

impl fmt::Display for Impacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Plain => "plain",
            Self::SubStep => "sub-step",
        })
    }
}

/// Coordinates of the joined ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ports {
    /// One.
    Scalar,
    /// Three, a point.
    Point,
    /// Six, a frame.
    Frame,
}

impl Ports {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Point, Self::Frame];

    /// How many coordinates.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Point => 3,
            Self::Frame => 6,
        }
    }

    /// Whether a side of each of these kinds has such a port, and both can be joined by it.
    #[must_use]
    pub fn join(self, kinds: [Kind; 2]) -> bool {
        let has_frames = |kind| matches!(kind, Kind::Multibody | Kind::RigidBody);
        match self {
            Self::Scalar => true,
            // Neither of two planar points can move across the plane.
            Self::Point => kinds != [Kind::Planar; 2],
            Self::Frame => kinds.into_iter().all(has_frames),
        }
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count())
    }
}

/// One combination; the model that it is tried on is an index into `models()`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combination {
    /// Which model.
    pub model: usize,
    /// Kinds of both sides.
    pub kinds: [Kind; 2],
    /// Rules of both sides.
    pub rules: [Rule; 2],
    /// Law of the joint.
    pub law: Law,
    /// Coordinates of the joint.
    pub ports: Ports,
    /// Scheme of the master.
    pub scheme: Scheme,
    /// Treatment of impacts.
    pub impacts: Impacts,
    /// Steps of the second side in a macro step.
    pub micro_steps: u32,
}

impl Combination {
    /// Number of motions that a model may have by law and treatment of impacts.
    pub(super) const MOTIONS: usize = Law::ALL.len();

    /// Whether the ends of a joint that part because it gives way meet where an impact passes it.
    #[must_use]
    pub fn meets(&self) -> bool {
        self.law == Law::SoftTikhonov
    }

    /// Which motion is right.
    pub(super) fn motion(&self) -> usize {
        self.law as usize
    }

    /// How impacts are taken: by the plain problem where a joint passes them to a side that takes micro steps.
    #[must_use]
    pub fn impacts_taken(&self) -> Impacts {
        let is_passed = self.micro_steps > 1 && self.law != Law::Compliant;
        if is_passed && self.impacts == Impacts::SubStep { Impacts::Plain } else { self.impacts }
    }

    /// Order that the motion must have: 2 where both rules have it, 1 through impacts of the plain problem and where steps resolve a
    /// Tikhonov joint, whose vibration they damp.
    #[must_use]
    pub fn order(&self) -> f64 {
        let of_rules = self.rules[0].order().min(self.rules[1].order());
        let is_first = self.impacts_taken() == Impacts::Plain || self.law == Law::SoftTikhonov;
        if is_first { 1.0 } else { of_rules }
    }
}
