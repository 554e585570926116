//! Reads the scene of a run and its frames.

use std::fs;
use std::io::ErrorKind;

use cosimo_subsystem::scene::Scene;

use super::error::ReadError;
use crate::ResultDirectory;
use crate::frames::{RecordedScene, decode};

impl RecordedScene {
    /// Reads the scene of a run; `None` of one that recorded none.
    ///
    /// # Errors
    /// [`ReadError`]: a file cannot be read, or the scene is none.
    pub fn read(directory: &ResultDirectory) -> Result<Option<Self>, ReadError> {
        let path = directory.scene();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|source| ReadError::unreadable(&path, source))?,
        };
        let scene: Scene = serde_json::from_str(&text)
            .map_err(|error| ReadError::wrong(&path, error.line() as u64, error))?;
        let path = directory.frames();
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|source| ReadError::unreadable(&path, source))?,
        };
        let (mut rest, mut frames) = (bytes.as_slice(), Vec::new());
        while let Some(frame) = decode(&mut rest, scene.bodies.len()) {
            frames.push(frame);
        }
        Ok(Some(Self { scene, frames }))
    }
}
