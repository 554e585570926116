//! The description of the format is true: its examples are one model without mistakes.

use super::{model, warnings};

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
