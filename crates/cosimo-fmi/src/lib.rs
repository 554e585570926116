//! FMUs as subsystems, and subsystems as FMUs (FMI 2.0 and 3.0).
//!
//! | where | what |
//! |---|---|
//! | [`archive`] | the zip file, unpacked with care into a folder that disappears again |
//! | [`description`] | `modelDescription.xml` and the terminals, of both versions in one form |

pub mod archive;
pub mod description;
