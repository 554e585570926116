//! Whatever is damaged in a model, reading it ends, with mistakes that are where the damage is or refer to it.

use cosimo_model::read_model;

use super::{BASE, expand, images, multibody};

/// A text with the value of one line replaced, for every line with a value.
fn with_values(text: &'static str, value: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().collect();
    let entries =
        (0..lines.len()).filter(|index| text.lines().nth(*index).is_some_and(|line| line.contains(" = ")));
    entries.collect::<Vec<_>>().into_iter().map(move |damaged| {
        let line = |(index, line): (usize, &&str)| match line.split_once(" = ") {
            Some((key, _)) if index == damaged => format!("{key} = {value}\n"),
            _ => format!("{line}\n"),
        };
        lines.iter().enumerate().map(line).collect()
    })
}

#[test]
fn damaged_values_are_found_without_many_others() {
    for value in
        ["[]", "{}", "true", "nan", "-1", "\"\"", "\"é.x\"", "[[]]", "[{}]", "1979-05-27", "[1, [2], \"a\"]"]
    {
        for text in with_values(BASE, value).chain(with_values(multibody::TEXT, value)) {
            if let Err(found) = read_model("model.toml", &text, &[]) {
                assert!(found.error_count() <= 4, "{found}");
            }
        }
    }
}

#[test]
fn removed_lines_and_ends_do_not_stop_reading() {
    for text in [BASE, multibody::TEXT] {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for removed in 0..lines.len() {
            let (before, after) = (&lines[..removed], &lines[removed + 1..]);
            let text = before.concat() + &after.concat();
            if let Err(found) = read_model("model.toml", &text, &[]) {
                assert!(found.error_count() > 0 && !found.to_string().is_empty());
            }
        }
        for end in (0..text.len()).step_by(7) {
            let found = read_model("model.toml", &text[..end], &[]);
            assert!(found.is_ok() || found.is_err_and(|found| found.error_count() > 0));
        }
    }
}

/// What mutants take the place of a word by: names and signs of formulas, templates and tables.
const WORDS: [&str; 24] = [
    "=",
    "= ",
    "= 1/0",
    "= t",
    "= arm",
    "{name}",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "template",
    "subsystem",
    "arm",
    "rod",
    "count",
    "1e9",
    "-1",
    "mirror",
    "\"x\"",
    "parameters",
    "{ csv = \"no.csv\" }",
    "length",
    "é",
];

/// Numbers that look like any, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Mutants of files with templates and formulas are read or refused, without a flood of mistakes.
#[test]
fn mutants_of_templates_end_with_few_mistakes() {
    let part = images::PART.replace("PLACE", "mirror = \"y\"\nposition = [1, 2, 3]");
    let mut dice = Dice(7);
    for text in [expand::ARMS, &part] {
        let words: Vec<&str> =
            text.split_inclusive(|c: char| c.is_whitespace() || "[]{},\"=".contains(c)).collect();
        for _ in 0..5_000 {
            let mut mutant: Vec<&str> = words.clone();
            for _ in 0..=dice.below(2) {
                let at = dice.below(mutant.len());
                match dice.below(4) {
                    0 => drop(mutant.remove(at)),
                    1 => mutant.insert(at, words[dice.below(words.len())]),
                    2 => {
                        let next = (at + 1) % mutant.len();
                        mutant.swap(at, next);
                    }
                    _ => mutant[at] = WORDS[dice.below(WORDS.len())],
                }
            }
            let mutant = mutant.concat();
            if let Err(found) = read_model("model.toml", &mutant, &[]) {
                assert!(found.error_count() > 0);
                assert!(found.to_string().lines().count() < 200, "{mutant}\n{found}");
            }
        }
    }
}
