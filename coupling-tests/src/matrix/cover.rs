//! Which combinations are tried: all of them, on a model each that is drawn, or a sample in which every two levels of any two axes
//! that can go together do so at least once.

use std::collections::BTreeSet;

use super::axes::{Combination, Impacts, Kind, Law, Ports, Rule, Scheme};
use super::model::Model;

/// Steps that the second side takes in a macro step.
pub const MICRO_STEPS: [u32; 3] = [1, 2, 3];

/// Whether the combination can be written down.
#[must_use]
pub fn is_possible(models: &[Box<dyn Model>], combination: &Combination) -> bool {
    let takes = |side: usize| combination.kinds[side].takes(combination.rules[side]);
    takes(0) && takes(1) && models[combination.model].fits(combination)
}

/// All kinds × rules of both sides × laws × schemes × impacts; of the models, sizes of ports and micro steps that go with one of
/// these one is drawn.
#[must_use]
pub fn whole(models: &[Box<dyn Model>]) -> Vec<Combination> {
    let sides: Vec<(Kind, Rule)> = Kind::ALL
        .into_iter()
        .flat_map(|kind| {
            Rule::ALL.into_iter().filter(move |rule| kind.takes(*rule)).map(move |rule| (kind, rule))
        })
        .collect();
    let mut found = Vec::new();
    let mut draw = Draw::new(1);
    for (kind_a, rule_a) in &sides {
        for (kind_b, rule_b) in &sides {
            for law in Law::ALL {
                for impacts in Impacts::ALL {
                    for scheme in Scheme::ALL {
                        let template = Combination {
                            model: 0,
                            kinds: [*kind_a, *kind_b],
                            rules: [*rule_a, *rule_b],
                            law,
                            ports: Ports::Scalar,
                            scheme,
                            impacts,
                            micro_steps: 1,
                        };
                        found.extend(one_of_many(models, template, &mut draw));
                    }
                }
            }
        }
    }
    found
}

/// The combination with a model, ports and micro steps that fit, drawn from all that do.
fn one_of_many(models: &[Box<dyn Model>], template: Combination, draw: &mut Draw) -> Option<Combination> {
    let mut fitting = Vec::new();
    for model in 0..models.len() {
        for ports in Ports::ALL {
            for micro_steps in MICRO_STEPS {
                let combination = Combination { model, ports, micro_steps, ..template };
                if is_possible(models, &combination) {
                    fitting.push(combination);
                }
            }
        }
    }
    (!fitting.is_empty()).then(|| fitting[draw.below(fitting.len())])
}

/// Levels of the axes of a combination, by their place.
type Levels = [usize; 10];

fn levels_of(models: &[Box<dyn Model>]) -> Levels {
    let (rules, kinds) = (Rule::ALL.len(), Kind::ALL.len());
    let rest = [Law::ALL.len(), Ports::ALL.len(), Scheme::ALL.len(), Impacts::ALL.len(), MICRO_STEPS.len()];
    let [law, ports, scheme, impacts, micro] = rest;
    [models.len(), kinds, kinds, rules, rules, law, ports, scheme, impacts, micro]
}

fn combination_of(levels: &Levels) -> Combination {
    let [model, kind_a, kind_b, rule_a, rule_b, law, ports, scheme, impacts, micro] = *levels;
    Combination {
        model,
        kinds: [Kind::ALL[kind_a], Kind::ALL[kind_b]],
        rules: [Rule::ALL[rule_a], Rule::ALL[rule_b]],
        law: Law::ALL[law],
        ports: Ports::ALL[ports],
        scheme: Scheme::ALL[scheme],
        impacts: Impacts::ALL[impacts],
        micro_steps: MICRO_STEPS[micro],
    }
}

/// Numbers that look random and are always the same (Knuth's multiplier).
#[derive(Debug)]
pub struct Draw(u64);

impl Draw {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// In [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.uniform() * count as f64) as usize
    }
}

/// Pairs of levels of two axes.
type Pairs = BTreeSet<(usize, usize, usize, usize)>;

fn pairs_of(levels: &Levels) -> impl Iterator<Item = (usize, usize, usize, usize)> + '_ {
    (0..levels.len()).flat_map(move |i| (i + 1..levels.len()).map(move |j| (i, levels[i], j, levels[j])))
}

/// A sample in which every pair of levels that can be had is there.
#[must_use]
pub fn pairwise(models: &[Box<dyn Model>]) -> Vec<Combination> {
    // Few combinations drawn at random can be written down: what can is drawn first, and what is needed chosen from it.
    let counts = levels_of(models);
    let mut draw = Draw::new(33);
    let (mut pool, mut missing) = (Vec::new(), Pairs::new());
    for _ in 0..400_000 {
        let levels = counts.map(|count| draw.below(count));
        if is_possible(models, &combination_of(&levels)) {
            missing.extend(pairs_of(&levels));
            pool.push(levels);
        }
    }
    let mut chosen = Vec::new();
    while let Some(wanted) = missing.first().copied() {
        let (i, a, j, b) = wanted;
        let new = |levels: &Levels| pairs_of(levels).filter(|pair| missing.contains(pair)).count();
        let candidates = pool.iter().filter(|levels| levels[i] == a && levels[j] == b).take(200);
        let Some(best) = candidates.max_by_key(|levels| new(levels)) else { break };
        for pair in pairs_of(best) {
            missing.remove(&pair);
        }
        chosen.push(combination_of(best));
    }
    chosen
}
