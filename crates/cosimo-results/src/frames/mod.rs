//! What was to be seen of a run: where its bodies were, and the forces of its contacts.
//!
//! | file | content |
//! |---|---|
//! | `scene.json` | the [`Scene`](cosimo_subsystem::scene::Scene): bodies with shapes, links, contacts |
//! | `frames.bin` | one record an instant, see [`encode`](format) |

mod energy;
mod format;
mod pace;
mod reading;

pub use energy::FrameEnergy;
pub(crate) use format::encode;
pub(crate) use pace::FrameGrid;
pub use pace::FrameRate;
pub use reading::{RecordedFrame, RecordedScene};
