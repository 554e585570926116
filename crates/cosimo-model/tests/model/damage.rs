//! Whatever is damaged in a model, reading it ends, with mistakes that are where the damage is or refer to it.

use cosimo_model::read_model;

use super::{BASE, multibody};

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
