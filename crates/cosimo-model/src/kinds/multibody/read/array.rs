//! Arrays of bodies: a row or a grid of bodies alike, which one table gives.

use crate::kinds::multibody::spec::SpatialBodySpec;
use crate::toml::{Names, Reader, Value, every};

/// Most bodies of an array.
const MOST: usize = 10_000;

/// How the bodies of an array stand.
#[derive(Debug, Clone, Copy)]
enum Grid {
    /// So many, each by the spacing from the one before.
    Row(usize),
    /// So many along each axis, each by that coordinate of the spacing from the one before; `x` runs fastest.
    Box([usize; 3]),
}

impl Grid {
    fn len(self) -> usize {
        match self {
            Self::Row(count) => count,
            Self::Box(counts) => counts.iter().product(),
        }
    }

    /// By how many spacings body `k` is away from the first, along each axis.
    fn place(self, k: usize) -> [usize; 3] {
        match self {
            Self::Row(_) => [k; 3],
            Self::Box([nx, ny, _]) => [k % nx, (k / nx) % ny, k / (nx * ny)],
        }
    }
}

/// The bodies of a table: `first` alone, or `count` of them called `NAME1`, `NAME2`, …, with `spacing` and `scatter`.
pub(super) fn read_array(
    body: &Reader<'_>,
    names: &mut Names,
    first: SpatialBodySpec,
) -> Vec<SpatialBodySpec> {
    if !body.has("count") {
        for key in ["spacing", "scatter", "seed"] {
            body.forbid(key, "has no effect on a single body; give a `count`");
        }
        return vec![first];
    }
    let grid = body
        .entry("count", "a number of bodies, or [along x, along y, along z]", read_count)
        .required_option();
    let spacing = body.vector::<3>("spacing").nonzero().required_option();
    let scatter = body.number("scatter").not_negative().or(0.0);
    let seed = body.count("seed").or(0);
    let (Some(grid), Some(spacing)) = (grid, spacing) else { return vec![first] };
    let member = |k: usize| {
        let name = if first.name.is_empty() { String::new() } else { format!("{}{}", first.name, k + 1) };
        names.claim(body.log(), &name, &body.span("name"));
        let place = grid.place(k);
        let scattered = |axis| scatter * (2.0 * uniform([u64::from(seed), k as u64, axis as u64]) - 1.0);
        let moved = [0, 1, 2].map(|axis| place[axis] as f64 * spacing[axis] + scattered(axis));
        let moved = body.placement().direction(moved);
        let position = [0, 1, 2].map(|axis| first.position[axis] + moved[axis]);
        SpatialBodySpec { name, position, ..first.clone() }
    };
    (0..grid.len()).map(member).collect()
}

fn read_count(value: &Value<'_>) -> Option<Grid> {
    let grid = match value.as_list() {
        None => Grid::Row(value.count()? as usize),
        Some(_) => Grid::Box(read_counts(value)?),
    };
    let counts = match grid {
        Grid::Row(count) => [count, 1, 1],
        Grid::Box(counts) => counts,
    };
    let total = counts.iter().try_fold(1_usize, |total, count| total.checked_mul(*count));
    match total {
        Some(1..=MOST) => Some(grid),
        _ => {
            value.error(format_args!("must be that of 1 to {MOST} bodies"));
            None
        }
    }
}

fn read_counts(value: &Value<'_>) -> Option<[usize; 3]> {
    let items = value.items("three numbers of bodies")?;
    if items.len() != 3 {
        value.wrong_length(items.len(), 3, ", the numbers along x, y and z");
        return None;
    }
    let counts = every(items.iter().map(Value::count))?;
    Some([counts[0] as usize, counts[1] as usize, counts[2] as usize])
}

/// A number in [0, 1) that these say, the same on every machine.
///
/// Reference: G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
fn uniform(key: [u64; 3]) -> f64 {
    let mixed = key.iter().fold(0_u64, |state, part| {
        let mut z = state.wrapping_add(*part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    });
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::uniform;

    /// Mean and variance of a uniform distribution, along each part of the key.
    #[test]
    fn numbers_are_uniform() {
        const COUNT: u64 = 20_000;
        for part in 0..3 {
            let numbers = (0..COUNT).map(|k| {
                let mut key = [7, 11, 2];
                key[part] = k;
                uniform(key)
            });
            let [sum, squares] = numbers.fold([0.0, 0.0], |[a, b], x| [a + x, b + x * x]);
            let (mean, square) = (sum / COUNT as f64, squares / COUNT as f64);
            // Four standard deviations.
            assert!((mean - 0.5).abs() < 4.0 * (1.0 / 12.0 / COUNT as f64).sqrt(), "{mean}");
            assert!((square - 1.0 / 3.0).abs() < 4.0 * (4.0 / 45.0 / COUNT as f64).sqrt(), "{square}");
        }
    }
}
