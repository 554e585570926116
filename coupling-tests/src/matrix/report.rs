//! Counts of the verdicts by axis, and what is wrong, as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::axes::{Combination, Scheme};
use super::judge::Verdict;
use super::model::Model;

/// Counts of right, refused, ended (an iteration that names its factor), and wrong combinations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts(pub [usize; 4]);

impl Counts {
    fn add(&mut self, verdict: &Verdict, combination: &Combination) {
        let index = match verdict {
            Verdict::Right(_) => 0,
            Verdict::Refused(_) => 1,
            Verdict::Ended { .. } if verdict.is_good(combination) => 2,
            Verdict::Ended { .. } | Verdict::Wrong { .. } => 3,
        };
        self.0[index] += 1;
    }

    /// All.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }
}

/// What became of one combination.
pub type Result = (Combination, Verdict);

/// One line on a combination.
#[must_use]
pub fn describe(models: &[Box<dyn Model>], combination: &Combination) -> String {
    let Combination { kinds: [a, b], rules: [p, q], law, ports, scheme, impacts, micro_steps, .. } =
        combination;
    let name = models[combination.model].name();
    format!(
        "{name}: {a} {p} and {b} {q}, {law}, {ports} coordinates, {scheme}, {impacts}, micro steps {micro_steps}"
    )
}

/// Why a combination is wrong, or what it said.
#[must_use]
pub fn reason(verdict: &Verdict) -> String {
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    match verdict {
        Verdict::Right(_) => "right".to_owned(),
        Verdict::Refused(text) => first(text),
        Verdict::Ended { text, .. } => format!("ended: {}", first(text)),
        Verdict::Wrong { reason, .. } => reason.clone(),
    }
}

/// Counts of all.
#[must_use]
pub fn counts(results: &[Result]) -> Counts {
    let mut counts = Counts::default();
    results.iter().for_each(|(combination, verdict)| counts.add(verdict, combination));
    counts
}

/// The share of the combinations of the condensed scheme that are refused.
#[must_use]
pub fn refused_share(results: &[Result], scheme: Scheme) -> f64 {
    let own: Vec<_> = results.iter().filter(|(combination, _)| combination.scheme == scheme).collect();
    let refused = own.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Refused(_))).count();
    refused as f64 / own.len().max(1) as f64
}

/// The tables.
#[must_use]
pub fn tables(models: &[Box<dyn Model>], results: &[Result]) -> String {
    let mut text = String::new();
    type Level<'a> = dyn Fn(&Combination) -> Vec<String> + 'a;
    let axes: [(&str, &Level<'_>); 7] = [
        ("model", &|c| vec![models[c.model].name().to_owned()]),
        ("rule, of either side", &|c| c.rules.map(|rule| rule.to_string()).to_vec()),
        ("kind, of either side", &|c| c.kinds.map(|kind| kind.to_string()).to_vec()),
        ("law, coordinates of the ports", &|c| vec![format!("{}, {}", c.law, c.ports)]),
        ("scheme", &|c| vec![c.scheme.to_string()]),
        ("impacts", &|c| vec![c.impacts.to_string()]),
        ("micro steps", &|c| vec![c.micro_steps.to_string()]),
    ];
    let all = counts(results);
    let _ = writeln!(
        text,
        "| | tried | right | refused | ended, factor named | wrong |\n|---|---|---|---|---|---|"
    );
    row(&mut text, "all", &all);
    for (title, level) in axes {
        let mut of_levels: BTreeMap<String, Counts> = BTreeMap::new();
        for (combination, verdict) in results {
            let mut levels = level(combination);
            levels.dedup();
            for name in levels {
                of_levels.entry(name).or_default().add(verdict, combination);
            }
        }
        let _ = writeln!(
            text,
            "\n| {title} | tried | right | refused | ended, factor named | wrong |\n|---|---|---|---|---|---|"
        );
        of_levels.iter().for_each(|(name, counts)| row(&mut text, name, counts));
    }
    text += "\n";
    text += &grid(results);
    text
}

fn row(text: &mut String, name: &str, counts: &Counts) {
    let [right, refused, ended, wrong] = counts.0;
    let _ = writeln!(text, "| {name} | {} | {right} | {refused} | {ended} | {wrong} |", counts.total());
}

/// Wrong and refused combinations of each pair of rules.
fn grid(results: &[Result]) -> String {
    let mut cells: BTreeMap<[String; 2], Counts> = BTreeMap::new();
    for (combination, verdict) in results {
        let key = combination.rules.map(|rule| rule.to_string());
        cells.entry(key).or_default().add(verdict, combination);
    }
    let names: Vec<String> = super::axes::Rule::ALL.iter().map(ToString::to_string).collect();
    let mut text =
        format!("| right of tried | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for a in &names {
        let cell = |b: &String| {
            let counts = cells.get(&[a.clone(), b.clone()]).copied().unwrap_or_default();
            format!("{} of {}", counts.0[0], counts.total())
        };
        let row: Vec<String> = names.iter().map(cell).collect();
        let _ = writeln!(text, "| {a} | {} |", row.join(" | "));
    }
    text
}

/// What is wrong, and the reasons of rejections by how often they are given.
#[must_use]
pub fn lists(models: &[Box<dyn Model>], results: &[Result], most: usize) -> String {
    let mut text = String::new();
    let wrong: Vec<_> =
        results.iter().filter(|(combination, verdict)| !verdict.is_good(combination)).collect();
    let _ = writeln!(text, "## Wrong: {}\n", wrong.len());
    for (combination, verdict) in wrong.iter().take(most) {
        let _ = writeln!(text, "- {}: {}", describe(models, combination), reason(verdict));
    }
    if wrong.len() > most {
        let _ = writeln!(text, "- and {} more", wrong.len() - most);
    }
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (_, verdict) in results {
        if let Verdict::Refused(reason) = verdict {
            *reasons.entry(without_numbers(reason)).or_default() += 1;
        }
    }
    let _ = writeln!(text, "\n## Reasons of rejections\n\n| combinations | reason |\n|---|---|");
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (reason, count) in reasons.iter().take(30) {
        let _ = writeln!(text, "| {count} | {reason} |");
    }
    text
}

/// The first line of a reason without its place and names.
fn without_numbers(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let line = line.strip_prefix("model.toml:").unwrap_or(line);
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == ' ');
    // The same reason for other rules, joints and sides.
    let mut words = Vec::new();
    for word in line.split(' ') {
        let is_name = word.contains('`');
        words.push(if is_name { "`…`" } else { word });
    }
    let line = words.join(" ");
    line.split(": `…`").next().unwrap_or_default().replace('|', "/")
}
