//! The example of the documentation is the example that is compiled. That it passes, a doctest shows.

const DOCUMENT: &str = include_str!("../../../../docs/subsystem.md");
const EXAMPLE: &str = include_str!("../../examples/own_subsystem.rs");

#[test]
fn the_document_quotes_the_example_word_for_word() {
    let quote = format!("```rust\n{EXAMPLE}```\n");
    assert!(DOCUMENT.ends_with(&quote), "docs/subsystem.md must end with examples/own_subsystem.rs");
}
