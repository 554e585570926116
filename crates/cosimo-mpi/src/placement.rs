//! Which subsystem is on which rank.

/// The rank of each subsystem, by what a step costs of each (s) and of the master on rank 0.
///
/// The longest first, each to the rank that has least to do (longest processing time first); among equals to the one of fewest subsystems,
/// the first of those. The longest rank has at most 4/3 − 1/(3m) times as much to do as in the best placement on `m` ranks, where the master
/// has nothing to do.
///
/// ```
/// assert_eq!(cosimo_mpi::place(&[1.0, 4.0, 2.0], 1.0, 2), [0, 1, 0]);
/// ```
#[must_use]
pub fn place(costs: &[f64], master: f64, ranks: usize) -> Vec<usize> {
    let cost = |i: usize| if costs[i] > 0.0 { costs[i] } else { 0.0 };
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&a, &b| cost(b).total_cmp(&cost(a)));
    let mut loads = vec![(0.0, 0_usize); ranks.max(1)];
    loads[0].0 = master;
    let mut placed = vec![0; costs.len()];
    for i in order {
        let least = (0..loads.len()).min_by(|&a, &b| {
            let ((a, few), (b, fewer)) = (loads[a], loads[b]);
            a.total_cmp(&b).then(few.cmp(&fewer))
        });
        placed[i] = least.unwrap_or(0);
        let load = &mut loads[placed[i]];
        *load = (load.0 + cost(i), load.1 + 1);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time of the rank that takes longest.
    fn longest(costs: &[f64], master: f64, ranks: usize, placed: &[usize]) -> f64 {
        let mut loads = vec![0.0; ranks];
        loads[0] = master;
        costs.iter().zip(placed).for_each(|(cost, &rank)| loads[rank] += cost);
        loads.into_iter().fold(0.0, f64::max)
    }

    /// The least of all placements.
    fn best(costs: &[f64], master: f64, ranks: usize) -> f64 {
        let all = ranks.pow(costs.len() as u32);
        let digits = |mut code: usize| {
            let digit = |_: &f64| {
                let rank = code % ranks;
                code /= ranks;
                rank
            };
            costs.iter().map(digit).collect::<Vec<_>>()
        };
        (0..all).map(|code| longest(costs, master, ranks, &digits(code))).fold(f64::INFINITY, f64::min)
    }

    /// Costs between 0 and 1 (xorshift).
    fn random(count: usize, seed: u64) -> Vec<f64> {
        let mut state = seed;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn no_rank_takes_longer_than_graham_allows() {
        for seed in 1..60 {
            for ranks in 2..=3 {
                let costs = random(3 + seed as usize % 6, seed);
                let found = longest(&costs, 0.0, ranks, &place(&costs, 0.0, ranks));
                let bound = 4.0 / 3.0 - 1.0 / (3.0 * ranks as f64);
                assert!(found <= bound * best(&costs, 0.0, ranks) * (1.0 + 1e-12), "{costs:?} on {ranks}");
            }
        }
        // The worst case of two ranks.
        let worst = [3.0, 3.0, 2.0, 2.0, 2.0];
        assert_eq!(longest(&worst, 0.0, 2, &place(&worst, 0.0, 2)), 7.0);
        assert_eq!(best(&worst, 0.0, 2), 6.0);
    }

    /// Whoever ends last began its last subsystem when all others were at work.
    #[test]
    fn the_work_of_the_master_counts() {
        for seed in 1..200 {
            let (costs, master) = (random(20, seed), 0.2 * seed as f64 / 10.0);
            let (found, ranks) = (longest(&costs, master, 4, &place(&costs, master, 4)), 4.0);
            let (total, most) =
                (costs.iter().sum::<f64>() + master, costs.iter().copied().fold(0.0, f64::max));
            assert!(found <= master.max(total / ranks + (1.0 - 1.0 / ranks) * most) + 1e-12, "{found}");
        }
        assert!(place(&[1.0; 6], 10.0, 3).iter().all(|&rank| rank > 0));
    }

    #[test]
    fn equal_costs_and_none_are_spread_in_the_order_of_the_model() {
        assert_eq!(place(&[1.0; 5], 0.0, 2), [0, 1, 0, 1, 0]);
        assert_eq!(place(&[0.0; 4], 0.0, 4), [0, 1, 2, 3]);
        assert_eq!(place(&[f64::NAN, -1.0], 0.0, 2), [0, 1]);
        assert_eq!(place(&[1.0, 2.0], 0.0, 1), [0, 0]);
        assert!(place(&[], 1.0, 4).is_empty());
    }
}
