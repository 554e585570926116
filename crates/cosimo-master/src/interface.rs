//! Interfaces: which ports are joined, and by what law.

use nalgebra::DMatrix;

/// Coordinates of a port at most, those of a frame.
const MOST_COORDINATES: usize = 6;

/// The law of a joint between two ports, per coordinate of the gap `g = q_a − q_b − offset`; the force on port `a`
/// is `−λ`, on port `b` `+λ`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum InterfaceLaw {
    /// `λ = k g + d ġ`: a spring and a dashpot. Physics; no impulse passes.
    Compliant {
        /// `k` (N/m), `d × d`, symmetric, positive semidefinite.
        stiffness: DMatrix<f64>,
        /// `d` (N s/m), `d × d`, symmetric, positive semidefinite.
        damping: DMatrix<f64>,
    },
    /// `g = 0`: impulses pass, and the whole rigid cluster jumps at once.
    Rigid,
    /// A rigid joint that gives way to loads by `g = c λ`, with `c/h²` on the diagonal of the interface matrix. Impacts pass it
    /// rigidly.
    Tikhonov {
        /// `c` (m/N), positive.
        constant: f64,
    },
    /// One of the ports is a load port, which takes the motion of the other and answers with loads on it.
    Load,
}

impl InterfaceLaw {
    /// A spring and dashpot of the same stiffness (N/m) and damping (N s/m) in each of `size` coordinates, those of the ports.
    #[must_use]
    pub fn spring(stiffness: f64, damping: f64, size: usize) -> Self {
        // More than a port can have is refused where it is joined; until then it takes no memory.
        let size = size.min(MOST_COORDINATES + 1);
        Self::Compliant {
            stiffness: DMatrix::from_diagonal_element(size, size, stiffness),
            damping: DMatrix::from_diagonal_element(size, size, damping),
        }
    }

    /// Whether impulses pass.
    #[must_use]
    pub fn passes_impulses(&self) -> bool {
        matches!(self, Self::Rigid | Self::Tikhonov { .. })
    }
}

/// Joins a port of one subsystem to a port of another.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    /// Name, unique in the model.
    pub name: String,
    /// Subsystem and port of side `a`.
    pub a: (String, String),
    /// Subsystem and port of side `b`.
    pub b: (String, String),
    /// The law.
    pub law: InterfaceLaw,
    /// `q_a − q_b` at rest (m), one per coordinate; empty for zero.
    pub offset: Vec<f64>,
}

impl Interface {
    /// An interface without offset; ports are given as `subsystem.port`, split at the first dot.
    #[must_use]
    pub fn new(name: impl Into<String>, a: impl AsRef<str>, b: impl AsRef<str>, law: InterfaceLaw) -> Self {
        let split = |text: &str| {
            let (subsystem, port) = text.split_once('.').unwrap_or((text, ""));
            (subsystem.to_owned(), port.to_owned())
        };
        Self { name: name.into(), a: split(a.as_ref()), b: split(b.as_ref()), law, offset: Vec::new() }
    }

    /// Sets `q_a − q_b` at rest (m), one per coordinate.
    #[must_use]
    pub fn with_offset(mut self, offset: impl Into<Vec<f64>>) -> Self {
        self.offset = offset.into();
        self
    }
}
