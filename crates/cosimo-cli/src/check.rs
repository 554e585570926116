//! `cosimo check`: checks a model and prints it with every default filled in.

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::{input, terminal};

/// Reads and builds the model, then prints it.
pub(crate) fn check(args: &CheckArgs) -> Result<(), Failure> {
    let model = input::read(&args.model)?;
    let master = input::build(&args.model, &model)?;
    master.warnings().iter().for_each(|warning| terminal::line(&format!("warning: {warning}")));
    terminal::print_result(&model.to_toml())
}
