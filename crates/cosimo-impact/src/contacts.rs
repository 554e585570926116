//! Unilateral contacts of a system: gaps, slips and how they depend on the coordinates.

use cosimo_dynamics::Motion;
use cosimo_mechanics::ContactLaw;

/// One contact: the blocks of coordinates that it depends on, and its law.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactBlock {
    /// Blocks of coordinates, ascending.
    pub touches: Vec<usize>,
    /// Restitution and friction; how it enters a step is told by the scheme.
    pub law: ContactLaw,
}

/// The contacts of a system. It never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactLayout {
    dimension: usize,
    contacts: Vec<ContactBlock>,
}

impl ContactLayout {
    /// Contacts with this many rows each: 1 without friction, 2 in the plane, 3 in space; normal first.
    #[must_use]
    pub fn new(dimension: usize, contacts: Vec<ContactBlock>) -> Self {
        Self { dimension, contacts }
    }

    /// Rows of a contact.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The contacts in order.
    #[must_use]
    pub fn contacts(&self) -> &[ContactBlock] {
        &self.contacts
    }

    /// Rows of all contacts.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.dimension * self.contacts.len()
    }
}

/// What takes up the Jacobian of contacts, block by block.
pub trait ContactSink {
    /// `G` of a contact for increments of a block of coordinates: dense, by columns, as many rows as a contact has. Adds.
    fn jacobian(&mut self, contact: usize, block: usize, values: &[f64]);
}

/// Unilateral contacts of a system:
///
/// ```text
///   g(t, q) ≥ 0        U = G v + ∂g/∂t        U̇ = G a + γ(t, q, v)
/// ```
///
/// `g` is a gap a contact. Rows of `U` and `G` are normal and then tangential, as many a contact as the
/// [layout](ContactLayout) gives; a normal row is the rate of the gap, opening positive, the tangential ones are slips along
/// perpendicular directions of unit length. Forces `λ` act on the system by `Gᵀ λ`. SI units. Methods must not allocate and must be
/// pure.
pub trait Contacts: Send {
    /// The contacts and their laws.
    fn layout(&self) -> &ContactLayout;

    /// Name of a contact in messages. Default: its number.
    fn name(&self, contact: usize) -> String {
        contact.to_string()
    }

    /// Writes the gaps `g` (m), one per contact.
    fn gaps(&self, t: f64, q: &[f64], out: &mut [f64]);

    /// Writes the rates `U` (m/s), all rows.
    fn rates(&self, motion: Motion<'_>, out: &mut [f64]);

    /// Gives `G` to `sink`.
    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn ContactSink);

    /// Whether the gaps are linear: `G` is the same at all times and positions. Default: they are not.
    fn is_linear(&self) -> bool {
        false
    }

    /// Writes `γ` (m/s²), all rows. Default: `G` is constant and obstacles do not accelerate.
    fn curvature(&self, _motion: Motion<'_>, out: &mut [f64]) {
        out.fill(0.0);
    }
}
