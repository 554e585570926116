//! What was to be seen of a run: where its bodies were, and the forces of its contacts.
//!
//! | file | content |
//! |---|---|
//! | `scene.json` | the [`Scene`](cosimo_subsystem::scene::Scene): bodies with shapes, links, contacts |
//! | `frames.bin` | one record an instant, see `format.rs` |

mod energy;
mod format;
mod frame;
mod pace;
mod recorded_scene;
mod tape;

pub use energy::FrameEnergy;
pub(crate) use format::{decode, encode};
pub use frame::RecordedFrame;
pub(crate) use pace::FramePace;
pub use pace::FrameRate;
pub use recorded_scene::RecordedScene;
pub use tape::FrameTape;
