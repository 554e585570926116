//! Sizes of vectors.

/// Numbers looked at side by side.
const LANES: usize = 4;

/// Largest magnitude; what is no number counts as infinite.
pub(crate) fn largest(x: &[f64]) -> f64 {
    let (chunks, rest) = x.as_chunks::<LANES>();
    // `x − x` is zero, but no number where `x` is none or infinite.
    let (mut sizes, mut odd) = ([0.0_f64; LANES], [0.0_f64; LANES]);
    for chunk in chunks {
        for k in 0..LANES {
            let size = chunk[k].abs();
            sizes[k] = if size > sizes[k] { size } else { sizes[k] };
            odd[k] += chunk[k] - chunk[k];
        }
    }
    let odd: f64 = odd.iter().sum::<f64>() + rest.iter().map(|x| x - x).sum::<f64>();
    if odd != 0.0 { f64::INFINITY } else { sizes.iter().chain(rest).fold(0.0, |m, x| m.max(x.abs())) }
}

#[cfg(test)]
mod tests {
    use super::largest;

    #[test]
    fn the_largest_counts_wherever_it_stands() {
        for n in 0..11 {
            let mut x: Vec<f64> = (0..n).map(|i| 0.1 * (i as f64).sin()).collect();
            let before = x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert_eq!(largest(&x), before);
            for i in 0..n {
                for (put, expected) in
                    [(-3.0, 3.0), (f64::NAN, f64::INFINITY), (f64::NEG_INFINITY, f64::INFINITY)]
                {
                    let own = std::mem::replace(&mut x[i], put);
                    assert_eq!(largest(&x), expected);
                    x[i] = own;
                }
            }
        }
    }
}
