//! The entries of the matrix, as a system gives them.

use cosimo_dynamics::MatrixSink;

use super::{Kkt, Side, Storage};

impl Kkt {
    pub(super) fn add(&mut self, row: usize, column: usize, factor: f64, values: &[f64]) {
        let ((i, rows), (j, columns)) = (self.blocks[row], self.blocks[column]);
        let (of_rows, of_columns) = (&self.scales[i..i + rows], &self.scales[j..j + columns]);
        match &mut self.storage {
            Storage::Dense { matrix, .. } => {
                for (c, entries) in values.chunks_exact(rows.max(1)).enumerate() {
                    let factor = factor * of_columns[c];
                    for (r, x) in entries.iter().enumerate() {
                        matrix[(i + r, j + c)] += factor * of_rows[r] * x;
                    }
                }
            }
            Storage::Sparse(lu) => {
                if let Some(position) = lu.pattern().position(row, column) {
                    lu.add_scaled_block(position, factor, values, [of_rows, of_columns]);
                }
            }
        }
    }

    /// Notes what forces add to the mass.
    fn note_stiffness(&mut self, (row, column): (usize, usize), weight: f64, values: &[f64]) {
        let ((i, rows), (j, _)) = (self.blocks[row], self.blocks[column]);
        for (scale, entries) in self.scales[j..].iter().zip(values.chunks_exact(rows.max(1))) {
            let largest =
                entries.iter().zip(&self.scales[i..]).fold(0.0, |m: f64, (x, own)| m.max((x * own).abs()));
            self.stiffness = self.stiffness.max(weight * scale * largest);
        }
    }

    /// Adds `factor` times a block whose column is multiplied by `G`.
    fn add_turned(&mut self, row: usize, column: usize, factor: f64, values: &[f64]) {
        let Some(turn) = self.turns[column] else { return self.add(row, column, factor, values) };
        let rows = self.blocks[row].1;
        let mut buffer = std::mem::take(&mut self.buffer);
        let (flat, turned) = buffer[..values.len()].split_at_mut(3 * rows);
        flat.copy_from_slice(&values[..3 * rows]);
        for (c, target) in turned.chunks_exact_mut(rows.max(1)).enumerate() {
            for (r, x) in target.iter_mut().enumerate() {
                *x = (0..3).map(|k| values[(3 + k) * rows + r] * turn[(k, c)]).sum();
            }
        }
        self.add(row, column, factor, &buffer[..values.len()]);
        self.buffer = buffer;
    }
}

impl MatrixSink for Kkt {
    fn mass(&mut self, block: usize, values: &[f64]) {
        self.add_turned(block, block, 1.0, values);
    }

    fn mass_coupling(&mut self, row: usize, column: usize, values: &[f64]) {
        self.add_turned(row, column, 1.0, values);
    }

    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        self.note_stiffness((row, column), self.weights.damping, values);
        self.add_turned(row, column, self.weights.damping, values);
    }

    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        self.note_stiffness((row, column), self.weights.stiffness, values);
        self.add(row, column, self.weights.stiffness, values);
    }

    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let at = self.bodies + constraint;
        let ((first, rows), (_, columns)) = (self.blocks[at], self.blocks[block]);
        let row = first - self.dimension_of_bodies();
        let (mut kept, mut transposed) =
            (std::mem::take(&mut self.kept), std::mem::take(&mut self.transposed));
        for k in 0..rows {
            let factor = if self.is_left_out[row + k] { 0.0 } else { 1.0 };
            for c in 0..columns {
                kept[c * rows + k] = factor * values[c * rows + k];
                transposed[k * columns + c] = kept[c * rows + k];
            }
        }
        let (own, across) = (&kept[..values.len()], &transposed[..values.len()]);
        if self.side != Side::Rows {
            self.add(block, at, 1.0, across);
        }
        if self.side == Side::Reactions {
            // The rows come from elsewhere.
        } else if self.weights.rate_rows {
            self.add_turned(at, block, 1.0, own);
        } else {
            self.add(at, block, 1.0, own);
        }
        (self.kept, self.transposed) = (kept, transposed);
    }

    fn rate_gradient(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let at = self.bodies + constraint;
        let (first, rows) = self.blocks[at];
        let row = first - self.dimension_of_bodies();
        let mut kept = std::mem::take(&mut self.kept);
        for (k, x) in values.iter().enumerate() {
            kept[k] = if self.is_left_out[row + k % rows] { 0.0 } else { *x };
        }
        self.add(at, block, self.weights.gradient, &kept[..values.len()]);
        self.kept = kept;
    }
}
