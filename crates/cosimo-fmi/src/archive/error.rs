//! Why an archive cannot be used.

use std::io;

use thiserror::Error;
use zip::result::ZipError;

use crate::description::DescriptionError;

/// Why an archive cannot be used, and which.
#[derive(Debug, Error)]
#[error("{archive}: {problem}")]
pub struct ArchiveError {
    /// Path of the archive, or of the folder.
    pub archive: String,
    /// What is wrong.
    #[source]
    pub problem: ArchiveProblem,
}

/// What is wrong with an archive.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveProblem {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file is empty.
    #[error("the file is empty; copy or export the FMU again")]
    Empty,
    /// The file is no zip archive, or a damaged one.
    #[error("not a zip archive, or a damaged one ({0}); copy or export the FMU again")]
    Zip(#[from] ZipError),
    /// A file of the FMU is missing.
    #[error("there is no `{file}`{hint}")]
    Missing {
        /// The file.
        file: &'static str,
        /// Where to look, or nothing.
        hint: String,
    },
    /// An entry that would be written outside of the folder.
    #[error(
        "the entry `{0}` would be unpacked outside of its folder, which no FMU needs; the archive may be an attack"
    )]
    Outside(String),
    /// An entry that is a symbolic link.
    #[error("the entry `{0}` is a symbolic link, which is refused; replace it by the file")]
    Link(String),
    /// Two entries with one name.
    #[error("two entries are named `{0}`; remove one")]
    Duplicate(String),
    /// An encrypted entry.
    #[error("the entry `{0}` is encrypted; zip the FMU without a password")]
    Encrypted(String),
    /// An entry compressed by a method that the standard does not allow.
    #[error(
        "the entry `{entry}` is compressed by `{method}`; the standard allows `Stored` and `Deflated`: zip the FMU again"
    )]
    Compression {
        /// The entry.
        entry: String,
        /// The method.
        method: String,
    },
    /// More than FMUs need: the archive may be made to fill the disk.
    #[error(
        "{what} exceed the limit of {limit}; if the archive is meant to be like that, unpack it and use the folder"
    )]
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// How much is accepted.
        limit: u64,
    },
    /// An entry with another size than it declares.
    #[error("the entry `{0}` has another size than the archive says; copy or export the FMU again")]
    Size(String),
    /// An entry cannot be unpacked.
    #[error("the entry `{entry}` cannot be unpacked: {error}")]
    Unpack {
        /// The entry.
        entry: String,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The description or the terminals cannot be read.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// The model identifier is no name of a file.
    #[error(
        "the model identifier `{0}` is not a plain name; correct `modelIdentifier` in modelDescription.xml"
    )]
    Identifier(String),
    /// There is no binary for this machine.
    #[error("there is no binary `{wanted}` for this machine; {found}")]
    NoBinary {
        /// Where it should be.
        wanted: String,
        /// What there is, and what to do.
        found: String,
    },
}
