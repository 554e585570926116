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
mod reading;
mod tape;

pub use energy::FrameEnergy;
pub(crate) use format::encode;
pub use frame::RecordedFrame;
pub(crate) use pace::FramePace;
pub use pace::FrameRate;
pub use reading::RecordedScene;
pub use tape::FrameTape;
