//! Matrices as data, for `#[serde(with = "cosimo_subsystem::codec::matrix")]`: rows, columns, and the entries column by column.
//!
//! Reading compares the number of entries with the shape without overflow, whatever the bytes are.

use nalgebra::{DMatrix, Dyn, VecStorage};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a matrix.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(matrix: &DMatrix<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    (matrix.nrows(), matrix.ncols(), matrix.as_slice()).serialize(serializer)
}

/// Reads a matrix.
///
/// # Errors
/// Those of the deserializer, and a shape that does not fit the number of entries.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DMatrix<f64>, D::Error> {
    let (rows, columns, entries): (usize, usize, Vec<f64>) = Deserialize::deserialize(deserializer)?;
    if rows.checked_mul(columns) != Some(entries.len()) {
        let count = entries.len();
        return Err(D::Error::custom(format!("a matrix of {rows} by {columns} with {count} entries")));
    }
    Ok(DMatrix::from_data(VecStorage::new(Dyn(rows), Dyn(columns), entries)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder(#[serde(with = "super")] DMatrix<f64>);

    #[test]
    fn matrices_keep_their_bits_and_shapes_are_checked() {
        let matrix = DMatrix::from_row_slice(2, 3, &[1.0, -0.0, 1e-310, f64::MAX, 0.1, 3.0]);
        let bytes = codec::encode(&Holder(matrix.clone())).unwrap();
        let read: Holder = codec::decode(&bytes).unwrap();
        assert_eq!(read.0.shape(), (2, 3));
        assert!(read.0.iter().zip(&matrix).all(|(a, b)| a.to_bits() == b.to_bits()));
        for (rows, columns) in [(3_usize, 3_usize), (1 << 32, 1 << 32), (usize::MAX, 2)] {
            let bytes = codec::encode(&(rows, columns, Vec::<f64>::new())).unwrap();
            assert!(codec::decode::<Holder>(&bytes).is_err());
        }
    }
}
