//! The `cosimo` command.

fn main() {}
