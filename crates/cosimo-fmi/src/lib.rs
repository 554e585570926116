//! FMUs as subsystems, and subsystems as FMUs (FMI 2.0 and 3.0).
//!
//! | where | what |
//! |---|---|
//! | [`archive`] | the zip file, unpacked with care into a folder that disappears again |
//! | [`description`] | `modelDescription.xml` and the terminals, of both versions in one form |
//! | [`binary`] | the shared library: functions of both versions behind one instance |
//! | [`convention`] | names of terminals and members that are mechanical ports and contacts |
//! | [`mod@unit`] | a unit as a subsystem of the master |
//! | [`ssp`] | systems of FMUs: SSP 1.0 and 2.0 |

pub mod archive;
pub mod binary;
pub mod convention;
pub mod description;
pub mod ssp;
pub mod unit;

pub use unit::Fmu;
#[cfg(feature = "test-units")]
pub mod test_units;
