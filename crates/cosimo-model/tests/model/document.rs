//! The description of the format is true: its examples are one model without mistakes.

use super::{BASE, mistakes, model, warnings};

const DESCRIPTION: &str = include_str!("../../../../docs/model-file.md");

/// All TOML examples of the description, one after the other.
fn examples() -> String {
    let blocks = DESCRIPTION.split("```toml\n").skip(1);
    blocks.filter_map(|block| block.split_once("```")).map(|(example, _)| format!("{example}\n")).collect()
}

#[test]
fn the_examples_of_the_description_are_a_model() {
    let found = model(&examples());
    assert_eq!((found.subsystems.len(), found.interfaces.len()), (8, 3));
    assert_eq!(warnings(&examples()), "");
}

#[test]
fn the_examples_of_the_description_run() {
    let model = model(&examples());
    let mut master = model.build().unwrap();
    master.run(0.01, model.time.step, &mut cosimo_master::NoObserver).unwrap();
    super::building::assert_labels_are_the_quantities(&model);
}

#[test]
fn the_defaults_of_the_description_are_the_defaults() {
    let text = examples();
    let (before, rest) = text.split_once("[master]").unwrap();
    let (_, after) = rest.split_once("[record]").unwrap();
    assert_eq!(model(&format!("{before}[record]{after}")).master, model(&text).master);
}

/// The entries of `[master]` of a complete model, `key = value`.
fn entries_of_master() -> Vec<(String, String)> {
    let text = model(BASE).to_toml();
    let (_, section) = text.split_once("[master]\n").unwrap();
    let entries = section.split("\n\n").next().unwrap().lines().filter_map(|line| line.split_once(" = "));
    entries.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// What is known in place of an unknown name or key `?` in this entry of `[master]`.
fn known_in(entry: &str) -> Vec<String> {
    let base = BASE.replace("scheme = \"condensed\"", "");
    let found = mistakes(&base.replace("[master]", &format!("[master]\n{entry}"))).to_string();
    let (_, known) = found.split_once("known: ").unwrap_or_else(|| panic!("{entry}: {found}"));
    known.lines().next().unwrap().split(", ").map(|name| name.replace('`', "")).collect()
}

#[test]
fn the_description_has_every_setting_of_the_master() {
    let entries = entries_of_master();
    assert!(entries.len() > 20, "{entries:?}");
    let (_, described) = DESCRIPTION.split_once("\n[master] ").unwrap();
    let described = described.split("\n[record]").next().unwrap();
    for (key, value) in &entries {
        let (_, line) = described.split_once(&format!("\n{key} ")).unwrap_or_else(|| panic!("{key}"));
        // As far as the next entry.
        let end = line.match_indices('\n').find(|(at, _)| !line[at + 1..].starts_with(' '));
        let line = &line[..end.map_or(line.len(), |(at, _)| at)];
        if value.starts_with('"') {
            for name in known_in(&format!("{key} = \"?\"")) {
                assert!(line.contains(&format!("\"{name}\"")), "{key}: {name}");
            }
        }
    }
}

#[test]
fn the_description_has_every_parameter_of_accelerations() {
    let (_, table) = DESCRIPTION.split_once("| acceleration | parameters |").unwrap();
    for name in known_in("acceleration = \"?\"") {
        let (_, row) = table.split_once(&format!("\n| `\"{name}\"` |")).unwrap_or_else(|| panic!("{name}"));
        let row = row.split('\n').next().unwrap();
        let keys = known_in(&format!("acceleration = {{ method = \"{name}\", \"?\" = 1 }}"));
        for key in keys.iter().filter(|key| *key != "method") {
            assert!(row.contains(&format!("`{key}`")), "{name}: {key}");
        }
    }
}
