//! A file on the disk that grows, and goes on where it was at a checkpoint.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ResultsError;
use crate::checksum::Checksum;

/// What a file had at a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// Its bytes.
    pub(crate) length: u64,
    /// Their checksum (XXH3, 64 bits).
    checksum: u64,
}

/// A file that stands as it did at a checkpoint, with the checksum to go on with.
#[derive(Debug)]
pub(crate) struct Verified {
    path: PathBuf,
    length: u64,
    checksum: Checksum,
}

impl Extent {
    /// Compares the beginning of a file with this; what is behind it does not matter.
    pub(crate) fn verify(self, path: PathBuf) -> Result<Verified, ResultsError> {
        match checksum_of(&path, self.length) {
            Err(source) => Err(ResultsError::Read { path, source }),
            Ok((found, _)) if found < self.length => {
                Err(ResultsError::Shortened { path, found, expected: self.length })
            }
            Ok((_, checksum)) if checksum.value() != self.checksum => Err(ResultsError::Altered { path }),
            Ok((length, checksum)) => Ok(Verified { path, length, checksum }),
        }
    }
}

/// Checksum of the first `length` bytes of a file, and how many of them there are.
fn checksum_of(path: &Path, length: u64) -> io::Result<(u64, Checksum)> {
    let mut beginning = File::open(path)?.take(length);
    let (mut buffer, mut checksum, mut found) = (vec![0; BUFFER], Checksum::default(), 0);
    loop {
        match beginning.read(&mut buffer)? {
            0 => return Ok((found, checksum)),
            count => {
                checksum.add(&buffer[..count]);
                found += count as u64;
            }
        }
    }
}

/// Bytes that are written or read at once.
const BUFFER: usize = 1 << 16;

/// A file that grows. What is written is buffered; dropping the file writes what is left.
#[derive(Debug)]
pub(crate) struct AppendFile {
    path: PathBuf,
    file: BufWriter<File>,
    /// Bytes written, on the disk or not.
    length: u64,
    /// Their checksum so far.
    checksum: Checksum,
}

impl AppendFile {
    /// Creates the file, which must not exist.
    pub(crate) fn create(path: PathBuf) -> Result<Self, ResultsError> {
        match File::create_new(&path) {
            Ok(file) => Ok(Self { path, file: buffered(file), length: 0, checksum: Checksum::default() }),
            Err(source) => Err(ResultsError::Create { path, source }),
        }
    }

    /// Opens the file of a run that goes on, and cuts off what is behind the bytes that were verified.
    pub(crate) fn resume(verified: Verified) -> Result<Self, ResultsError> {
        let Verified { path, length, checksum } = verified;
        let opened = OpenOptions::new().write(true).open(&path).and_then(|mut file| {
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        });
        match opened {
            Ok(file) => Ok(Self { path, file: buffered(file), length, checksum }),
            Err(source) => Err(ResultsError::Write { path, source }),
        }
    }

    /// A file on which every write fails: it is open for reading.
    #[cfg(test)]
    pub(crate) fn unwritable(path: PathBuf) -> Self {
        let file = BufWriter::new(File::open(&path).unwrap());
        Self { path, file, length: 0, checksum: Checksum::default() }
    }

    /// Appends these bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), ResultsError> {
        let written = self.file.write_all(bytes);
        self.length += bytes.len() as u64;
        self.checksum.add(bytes);
        written.map_err(|source| self.error(source))
    }

    /// Hands everything to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), ResultsError> {
        self.file.flush().map_err(|source| self.error(source))
    }

    /// Brings everything to the disk; returns what it is.
    pub(crate) fn sync(&mut self) -> Result<Extent, ResultsError> {
        self.flush()?;
        self.file.get_ref().sync_data().map_err(|source| self.error(source))?;
        Ok(Extent { length: self.length, checksum: self.checksum.value() })
    }

    fn error(&self, source: io::Error) -> ResultsError {
        ResultsError::Write { path: self.path.clone(), source }
    }
}

fn buffered(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(BUFFER, file)
}
