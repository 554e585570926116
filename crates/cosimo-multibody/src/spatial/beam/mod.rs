//! Beams: chains of elements between nodes, which are bodies of the system.
//!
//! A [`Beam`] has node frames along a curve, `x` along it, and [sections](SectionLaw). [`SpatialModel::with_beam`] makes of it
//! one body a node, with the inertia of half an element on each side, and one [`BeamElement`] between two nodes. Joints, ports,
//! sensors and loads attach to the nodes as to any body; stress resultants are quantities of the elements.
//!
//! | file | subject |
//! |---|---|
//! | `curve.rs` | curve, nodes and motion at the start |
//! | `mesh.rs` | bodies and elements of a beam; compliances and inertias by quadrature |
//! | `element.rs` | forces of an element and their derivatives |
//! | `screw.rs` | logarithm of rigid motions, and its derivatives |
//! | `section.rs` | section law and inertia |
//! | `table_sections.rs`, `span_table.rs` | sections from tables over the span |
//!
//! [`SpatialModel::with_beam`]: super::SpatialModel::with_beam

mod curve;
mod element;
mod error;
mod mesh;
mod screw;
mod section;
mod span_table;
mod table_sections;

pub use curve::{Beam, BeamStation};
pub use element::BeamElement;
pub use error::{BeamError, SectionTableError};
pub use section::{Section, SectionInertia, SectionLaw, SectionStiffness};
pub use span_table::{ColumnUnit, SpanTable};
pub use table_sections::{SectionQuantity, TableSections};
