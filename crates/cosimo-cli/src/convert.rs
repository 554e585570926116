//! `cosimo convert`: results in the formats of other tools.

use std::error::Error;
use std::path::Path;

use cosimo::model::ModelSpec;
use cosimo::results::{Overwrite, ResultDirectory, Results};
use cosimo_formats::Format;

use crate::args::ConvertArgs;
use crate::failure::Failure;
use crate::terminal;

/// Converts the results in a directory.
pub(crate) fn convert(args: &ConvertArgs) -> Result<(), Failure> {
    let results = Results::open(&args.path).map_err(Failure::bad_input)?;
    let folder = args.out.as_deref().unwrap_or(&args.path);
    let overwrite = if args.force { Overwrite::Force } else { Overwrite::Refuse };
    ResultDirectory::claim(folder, &files(&args.to), overwrite).map_err(Failure::refused)?;
    let written = write(&results, &args.to, folder)?;
    terminal::line(&format!("{} in {}", written.join(", "), folder.display()));
    Ok(())
}

/// Writes what the model of a run asks for into its directory.
pub(crate) fn convert_run(model: &ModelSpec, directory: &ResultDirectory) -> Result<(), Failure> {
    let formats = formats(model);
    if formats.is_empty() {
        return Ok(());
    }
    let path = directory.path();
    ResultDirectory::claim(path, &files(&formats), Overwrite::Force).map_err(Failure::failed)?;
    let results = Results::open(path).map_err(Failure::failed)?;
    write(&results, &formats, path).map(drop)
}

/// The formats that a model asks for, which are known since it was read.
pub(crate) fn formats(model: &ModelSpec) -> Vec<Format> {
    model.record.formats.iter().filter_map(|name| name.parse().ok()).collect()
}

/// Names of the files of these formats.
pub(crate) fn files(formats: &[Format]) -> Vec<&'static str> {
    formats.iter().flat_map(|format| format.files()).copied().collect()
}

/// Writes one format after the other, also where one of them fails; returns the names of the files.
fn write(results: &Results, formats: &[Format], folder: &Path) -> Result<Vec<&'static str>, Failure> {
    let mut failures = Vec::new();
    for format in formats {
        if let Err(error) = cosimo_formats::convert(results, *format, folder) {
            failures.push(with_causes(&error));
        }
    }
    match failures.is_empty() {
        true => Ok(files(formats)),
        false => Err(Failure::failed(failures.join("\n  and "))),
    }
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a model file may ask for can be written, and what can be written may be asked for.
    #[test]
    fn model_files_know_the_formats() {
        assert_eq!(Format::ALL.map(Format::name), cosimo::model::RESULT_FORMATS);
    }
}
