//! Tables of a TOML text: keys and values with their positions, what is wrong with them, and how tables are written.
//!
//! | file | subject |
//! |---|---|
//! | `reader.rs`, `heading.rs`, `entry.rs` | the keys of one table, each with its checks |
//! | `value.rs` | one value as what it should be |
//! | `deserializer.rs`, `named.rs` | values as serde reads them, and the names that serde gives |
//! | `syntax.rs` | what is not TOML |
//! | `names.rs`, `suggestion.rs` | names that must differ, names that are looked for |
//! | `log.rs`, `diagnostic.rs` | mistakes and warnings, with their positions |
//! | `sources.rs`, `placement.rs` | the texts that are read, and instances of templates in them |
//! | `overrides.rs`, `edit.rs` | single entries that are changed before a text is read |
//! | `text_file.rs` | texts of a bounded size |
//! | `layout.rs`, `fields.rs`, `references.rs` | how tables, fields and indices are written |

mod deserializer;
mod diagnostic;
mod edit;
mod entry;
mod fields;
mod heading;
mod layout;
mod log;
mod named;
mod names;
mod overrides;
mod placement;
mod reader;
mod references;
mod sources;
mod suggestion;
mod syntax;
mod text_file;
mod value;

pub(crate) use deserializer::{LeftOut, METHOD, SCHEME, in_words, read_value};
pub use diagnostic::{Diagnostic, Diagnostics, Place, Severity};
pub(crate) use edit::{apply, moved, moved_table};
pub(crate) use entry::Entry;
pub(crate) use fields::{rows, scheme, setting, uniform, with_tag};
pub(crate) use layout::{document_text, literal};
pub(crate) use log::Log;
pub(crate) use named::Choice;
pub(crate) use names::{Names, find};
pub use overrides::{Override, OverrideError};
pub(crate) use placement::{Mirror, Placement};
pub(crate) use reader::{Reader, is_name};
pub(crate) use references::References;
pub(crate) use sources::{Instance, Sources, Span};
pub use suggestion::hint;
pub use text_file::read_text;
pub(crate) use value::{Value, every};
