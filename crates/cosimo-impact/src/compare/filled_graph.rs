//! The distance of graphs whose jumps are filled in.

/// The graph of a scalar function of time that may jump: points joined by straight lines. A jump is two points of one time.
///
/// ```
/// use cosimo_impact::compare::{FilledGraph, filled_graph_distance};
/// let step = |at: f64| FilledGraph::new(vec![(0.0, 0.0), (at, 0.0), (at, 1.0), (1.0, 1.0)]);
/// // In the maximum norm these are 1 apart.
/// assert!((filled_graph_distance(&step(0.5), &step(0.51), 1.0) - 0.01).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FilledGraph {
    points: Vec<(f64, f64)>,
}

/// Parts in which a line is looked at.
const PARTS: usize = 8;

impl FilledGraph {
    /// The graph through these points `(t, x)`, times ascending.
    #[must_use]
    pub fn new(points: Vec<(f64, f64)>) -> Self {
        Self { points }
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Value at a time (s), after a jump there; the first or the last beyond the ends, 0 without points.
    #[must_use]
    pub fn value_after(&self, t: f64) -> f64 {
        let next = self.points.partition_point(|point| point.0 <= t);
        match (next.checked_sub(1).map(|k| self.points[k]), self.points.get(next)) {
            (Some(a), Some(b)) => a.1 + (t - a.0) / (b.0 - a.0) * (b.1 - a.1),
            (Some((_, x)), None) => x,
            (None, first) => first.map_or(0.0, |first| first.1),
        }
    }

    /// Distance of a point from the graph, `max(|t − s|, |x − y|)` to the nearest point `(s, y)`.
    #[must_use]
    pub fn distance_to(&self, point: (f64, f64)) -> f64 {
        self.distance_above(point, 0.0)
    }

    /// As [`distance_to`](Self::distance_to) where that is more than `enough`; else some distance up to `enough`, which is found
    /// without looking further.
    fn distance_above(&self, point: (f64, f64), enough: f64) -> f64 {
        let near = self.points.partition_point(|p| p.0 < point.0);
        let mut best = f64::INFINITY;
        for k in near..self.points.len() {
            if best <= enough || self.points[k.saturating_sub(1)].0 - point.0 > best {
                break;
            }
            best = best.min(self.to_line(k, point));
        }
        for k in (0..near).rev() {
            if best <= enough || point.0 - self.points[k].0 > best {
                break;
            }
            best = best.min(self.to_line(k, point));
        }
        best
    }

    /// Distance from the line that ends at point `k`.
    fn to_line(&self, k: usize, (t, x): (f64, f64)) -> f64 {
        let (a, b) = (self.points[k.saturating_sub(1)], self.points[k]);
        let (dt, dx) = (b.0 - a.0, b.1 - a.1);
        let (r, s) = (t - a.0, x - a.1);
        // The larger of two magnitudes that are linear on the line is least at an end, where one is zero, or where both are equal.
        let places = [0.0, 1.0, r / dt, s / dx, (r - s) / (dt - dx), (r + s) / (dt + dx)];
        let inside = places.into_iter().filter(|place| (0.0..=1.0).contains(place));
        inside.map(|place| (r - place * dt).abs().max((s - place * dx).abs())).fold(f64::INFINITY, f64::min)
    }

    /// Largest distance of the points up to the time `until` (s) from another graph.
    fn excess(&self, other: &Self, until: f64) -> f64 {
        let mut worst = 0.0_f64;
        for pair in self.points.windows(2).filter(|pair| pair[1].0 <= until) {
            for part in 0..=PARTS {
                let share = part as f64 / PARTS as f64;
                let between = |a: f64, b: f64| a + share * (b - a);
                let point = (between(pair[0].0, pair[1].0), between(pair[0].1, pair[1].1));
                worst = worst.max(other.distance_above(point, worst));
            }
        }
        worst
    }
}

/// Hausdorff distance of two filled-in graphs in the metric `max(|t − s|, |x − y|)`, of their points up to the time `until` (s),
/// each against the whole of the other: at the end of a run a shift in time has nothing to be matched with.
#[must_use]
pub fn filled_graph_distance(a: &FilledGraph, b: &FilledGraph, until: f64) -> f64 {
    a.excess(b, until).max(b.excess(a, until))
}
