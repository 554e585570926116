//! `cosimo check`: checks a model and prints it with every default filled in.

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::{input, terminal};

/// Reads and builds the model, then prints it.
pub(crate) fn check(args: &CheckArgs) -> Result<(), Failure> {
    let model = input::read(&args.model)?;
    input::build(&args.model, &model)?;
    terminal::print(&model.to_toml());
    Ok(())
}
