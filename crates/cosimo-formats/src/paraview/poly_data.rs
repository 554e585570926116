//! Points with vertices, lines and polygons.

use std::fmt::Write;

use super::xml::{Array, Numbers, texts};

/// The content of a file.
#[derive(Debug)]
pub(super) struct PolyData {
    /// Coordinates (m), three a point.
    pub(super) points: Numbers,
    pub(super) count: usize,
    pub(super) vertices: Cells,
    pub(super) lines: Cells,
    pub(super) polygons: Cells,
    /// Arrays with an entry a point.
    pub(super) arrays: Vec<Array>,
    /// What the numbers of one of them stand for.
    pub(super) names: (&'static str, Vec<String>),
}

/// Cells by the numbers of their points.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells {
    connectivity: Vec<i64>,
    offsets: Vec<i64>,
}

impl Cells {
    /// A vertex on each point.
    pub(super) fn vertices(count: usize) -> Self {
        Self { connectivity: (0..count as i64).collect(), offsets: (1..=count as i64).collect() }
    }

    pub(super) fn push(&mut self, corners: impl IntoIterator<Item = usize>) {
        self.connectivity.extend(corners.into_iter().map(|corner| corner as i64));
        self.offsets.push(self.connectivity.len() as i64);
    }

    fn count(&self) -> usize {
        self.offsets.len()
    }

    fn write(&self, tag: &str, out: &mut String) {
        let _ = writeln!(out, "<{tag}>");
        for (name, numbers) in [("connectivity", &self.connectivity), ("offsets", &self.offsets)] {
            Array { name, components: 1, numbers: Numbers::Int64(numbers.clone()) }.write(out);
        }
        let _ = writeln!(out, "</{tag}>");
    }
}

impl PolyData {
    /// The file, at a time (s).
    pub(super) fn to_xml(&self, time: f64) -> String {
        let mut out = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n<FieldData>\n",
        );
        let _ = writeln!(
            out,
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:e}</DataArray>"
        );
        texts("units", ["points [m]", "TimeValue [s]"].into_iter(), &mut out);
        texts(self.names.0, self.names.1.iter().map(String::as_str), &mut out);
        let _ = writeln!(
            out,
            "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n<PointData>",
            self.count,
            self.vertices.count(),
            self.lines.count(),
            self.polygons.count(),
        );
        self.arrays.iter().for_each(|array| array.write(&mut out));
        out.push_str("</PointData>\n<Points>\n");
        Array { name: "points", components: 3, numbers: self.points.clone() }.write(&mut out);
        out.push_str("</Points>\n");
        self.vertices.write("Verts", &mut out);
        self.lines.write("Lines", &mut out);
        self.polygons.write("Polys", &mut out);
        out.push_str("</Piece>\n</PolyData>\n</VTKFile>\n");
        out
    }
}
