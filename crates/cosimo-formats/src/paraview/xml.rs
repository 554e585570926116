//! Arrays in VTK XML.

use std::fmt::Write as _;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Numbers of an array.
#[derive(Debug, Clone)]
pub(super) enum Numbers {
    Float64(Vec<f64>),
    Float32(Vec<f32>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    UInt8(Vec<u8>),
}

/// A named array.
#[derive(Debug, Clone)]
pub(super) struct Array {
    pub(super) name: &'static str,
    pub(super) components: usize,
    pub(super) numbers: Numbers,
}

impl Array {
    pub(super) fn write(&self, out: &mut String) {
        let (kind, bytes) = self.numbers.bytes();
        let Self { name, components, .. } = self;
        // A string takes whatever is written.
        let _ = writeln!(
            out,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">{}</DataArray>",
            encoded(&bytes)
        );
    }
}

impl Numbers {
    fn bytes(&self) -> (&'static str, Vec<u8>) {
        match self {
            Self::Float64(own) => ("Float64", own.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Self::Float32(own) => ("Float32", own.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Self::Int32(own) => ("Int32", own.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Self::Int64(own) => ("Int64", own.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Self::UInt8(own) => ("UInt8", own.clone()),
        }
    }
}

/// An array of texts.
pub(super) fn texts<'a>(name: &str, texts: impl Iterator<Item = &'a str>, out: &mut String) {
    let texts: Vec<&str> = texts.collect();
    let _ = write!(
        out,
        "<Array type=\"String\" Name=\"{name}\" NumberOfTuples=\"{}\" format=\"ascii\">",
        texts.len()
    );
    for text in texts {
        text.bytes().chain([0]).for_each(|byte| {
            let _ = write!(out, "{byte} ");
        });
    }
    out.push_str("</Array>\n");
}

/// One compressed block behind its header: number of blocks, their size, that of a last smaller one, compressed sizes.
fn encoded(bytes: &[u8]) -> String {
    let compressed = match compressed(bytes) {
        Ok(compressed) if !bytes.is_empty() => compressed,
        _ => return BASE64_STANDARD.encode([0; 24]),
    };
    let header = [1, bytes.len() as u64, 0, compressed.len() as u64].map(u64::to_le_bytes);
    BASE64_STANDARD.encode(header.as_flattened()) + &BASE64_STANDARD.encode(compressed)
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}
