//! What the arguments say.

use std::path::PathBuf;

use cosimo::model::{Override, read_text};
use cosimo::sweep::{Axis, Cases, CasesError, Distribution, Source, Study, StudyError, Values};

use crate::args::SweepArgs;
use crate::failure::Failure;
use crate::{server, system};

/// The study, and the files that it is read from.
pub(super) fn study(args: &SweepArgs) -> Result<(Study, Vec<PathBuf>), Failure> {
    let mut path = args.path();
    if system::is_system(&path) {
        path = system::unpack(&path)?;
    }
    let text = read(&path)?;
    let Settings { fixed, lists, drawn } = Settings::of(&args.set)?;
    let mut axes = Vec::new();
    if let Some(file) = &args.cases {
        axes.push(Axis::table(&file.display().to_string(), &read(file)?).map_err(Failure::bad_input)?);
    }
    axes.extend(lists);
    if args.random.is_some() || !drawn.is_empty() {
        axes.push(Axis::random(args.seed, args.random.unwrap_or(0), drawn).map_err(Failure::bad_input)?);
    }
    let cases = Cases::new(axes).map_err(Failure::bad_input)?;
    let changes: Vec<Override> = args.unset.iter().cloned().chain(fixed).collect();
    let source = Source::new(path.display().to_string(), text, &changes);
    let study = Study::new(source, cases, &args.outputs, Some(&server::command)).map_err(refused)?;
    let study = match &args.over {
        Some(key) => study.with_figure_over(key).map_err(refused)?,
        None => study,
    };
    let place = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
    let inputs = [Some(path), args.cases.clone()].into_iter().flatten().collect();
    Ok((study.with_model_at(place.display().to_string()), inputs))
}

fn read(path: &std::path::Path) -> Result<String, Failure> {
    read_text(path).map_err(|error| Failure::bad_input(format!("cannot read `{}`: {error}", path.display())))
}

fn refused(error: StudyError) -> Failure {
    match error {
        StudyError::Mistakes(mistakes) => Failure::bad_input(mistakes),
        other => Failure::bad_input(other),
    }
}

/// What `--set` says.
struct Settings {
    /// Of all runs.
    fixed: Vec<Override>,
    lists: Vec<Axis>,
    drawn: Vec<(String, Distribution)>,
}

impl Settings {
    fn of(arguments: &[String]) -> Result<Self, Failure> {
        let mut settings = Self { fixed: Vec::new(), lists: Vec::new(), drawn: Vec::new() };
        let mut keys: Vec<String> = Vec::new();
        for argument in arguments {
            // An override in any case: its path is checked by the rules of these.
            let checked = match argument.split_once('=') {
                Some((path, _)) => Override::parse(&format!("{path}=0")),
                None => Override::parse(argument),
            };
            checked.map_err(Failure::bad_input)?;
            let (path, values) = argument.split_once('=').unwrap_or((argument, ""));
            let key = path.split('.').map(str::trim).collect::<Vec<_>>().join(".");
            if keys.contains(&key) {
                return Err(Failure::bad_input(CasesError::Twice(key)));
            }
            let wrong = |error| Failure::bad_input(format!("--set {argument}: {error}"));
            match Values::parse(values).map_err(wrong)? {
                Values::List(list) if list.len() == 1 => {
                    let one = list.into_iter().next().unwrap_or_default();
                    let fixed = Override::parse(&format!("{key}={one}")).map_err(Failure::bad_input)?;
                    settings.fixed.push(fixed);
                }
                Values::List(list) => settings.lists.push(Axis::list(&key, list)),
                Values::Random(distribution) => settings.drawn.push((key.clone(), distribution)),
            }
            keys.push(key);
        }
        Ok(settings)
    }
}
