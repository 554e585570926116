//! The arguments of the command.

mod fmu;
mod model;
mod model_name;
mod serve;
mod solve;
mod sweep;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgAction, Parser, Subcommand};
use cosimo::model::Override;
use cosimo_formats::Format;
pub(crate) use fmu::FmuArgs;
pub(crate) use model::{ModelArgs, OverrideArgs};
pub(crate) use model_name::model_name;

use crate::numbers::{finite, positive};
pub(crate) use serve::ServeArgs;
pub(crate) use solve::{Law, SolveArgs, Solver};
pub(crate) use sweep::SweepArgs;

/// Co-simulation of smooth and nonsmooth mechanical systems.
#[derive(Debug, Parser)]
#[command(name = "cosimo", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs a model and writes results.csv, events.csv, summary.json and plot.svg
    Run(RunArgs),
    /// Writes one page of everything that a run has left: figures, statistics, and the machine in motion
    Report(ReportArgs),
    /// Writes the results of a run as Parquet, MATLAB, MCAP, glTF, for ParaView, as PDF or PNG
    Convert(ConvertArgs),
    /// Checks a model completely and prints it with every default filled in
    Check(CheckArgs),
    /// Frequencies, damping ratios and shapes of a multibody subsystem, at rest or turning steadily
    Modes(ModesArgs),
    /// Runs a model with steps h, h/2, … and reports errors and observed orders, as table, CSV and figure
    Converge(ConvergeArgs),
    /// Runs a model with many values of its entries and writes one table: sweep.csv, sweep.parquet and sweep.svg
    Sweep(SweepArgs),
    /// Runs the reference cases of the project and reports which errors are within their tolerances
    Verify(VerifyArgs),
    /// Solves a complementarity problem from a file: an LCP (JSON) or a friction-contact problem (text)
    Solve(SolveArgs),
    /// Tells what is in an FMU and what it will be as a subsystem, and tries it out
    Fmu(FmuArgs),
    /// Writes a model as an FMU for other tools: open ports and signals, chosen quantities and parameters are its variables
    Export(ExportArgs),
    /// Gives a model to the FMU that has started this process
    #[command(hide = true)]
    ServeUnit(ServeUnitArgs),
    /// Serves a subsystem of a model to masters in other processes and on other machines
    Serve(ServeArgs),
}

/// Arguments of `cosimo export`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The FMU to write
    #[arg(long, value_name = "OUT.fmu", required_unless_present = "ssp")]
    pub(crate) fmu: Option<PathBuf>,
    /// The system to write, in which every subsystem is an FMU, in place of an FMU
    #[arg(long, value_name = "OUT.ssp", conflicts_with = "fmu")]
    pub(crate) ssp: Option<PathBuf>,
    /// Version of FMI: 2 (2.0) or 3 (3.0)
    #[arg(long, value_name = "2|3", value_parser = clap::value_parser!(u8).range(2..=3), default_value_t = 3)]
    pub(crate) version: u8,
    /// Name of the unit [default: that of the model file]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Replaces the file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Arguments of `cosimo serve-unit`.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeUnitArgs {
    /// The model file
    pub(crate) path: PathBuf,
    /// Name of the unit
    #[arg(long)]
    pub(crate) name: String,
}

/// Arguments of `cosimo check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

/// Arguments of `cosimo run`.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The model file
    #[arg(value_name = "MODEL.toml", required_unless_present = "resume")]
    path: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
    /// Goes on with the run in this directory of results, from its last checkpoint
    #[arg(long, value_name = "DIR", conflicts_with_all = ["path", "set", "unset", "out", "force"])]
    pub(crate) resume: Option<PathBuf>,
    /// Directory for the results [default: out/ and the name of the model]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replaces the results of an earlier run
    #[arg(long)]
    pub(crate) force: bool,
    /// Writes report.html as well, see `cosimo report`
    #[arg(long)]
    pub(crate) report: bool,
    /// No progress and no table; warnings and errors are shown all the same
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Logs what happens instead of showing progress; -vv and -vvv report more
    #[arg(short, long, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// Arguments of `cosimo report`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// The directory of a run's results
    #[arg(value_name = "DIR")]
    pub(crate) path: PathBuf,
    /// The page to write [default: report.html in the directory]
    #[arg(long, value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
}

/// Arguments of `cosimo convert`.
#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// The directory of a run's results
    #[arg(value_name = "DIR")]
    pub(crate) path: PathBuf,
    /// The formats: parquet, matlab, mcap, gltf, paraview, pdf, png
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', value_parser = Format::from_str, required = true)]
    pub(crate) to: Vec<Format>,
    /// Directory for the files [default: that of the results]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replaces earlier ones
    #[arg(long)]
    pub(crate) force: bool,
}

/// Arguments of `cosimo modes`.
#[derive(Debug, clap::Args)]
pub(crate) struct ModesArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The multibody subsystem; may be left out where there is one only
    #[arg(long, value_name = "NAME")]
    pub(crate) subsystem: Option<String>,
    /// Speeds of the turn (rad/s), in the order in which the modes are followed; 0 is at rest
    #[arg(
        long, value_name = "SPEED,…", value_delimiter = ',', value_parser = finite, default_value = "0",
        allow_hyphen_values = true
    )]
    pub(crate) at: Vec<f64>,
    /// Axis of the turn, through the origin of the world; of any length
    #[arg(
        long, value_name = "X,Y,Z", value_parser = Direction::parse, default_value = "0,0,1",
        allow_hyphen_values = true
    )]
    pub(crate) axis: Direction,
    /// How many modes, by frequency
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), default_value_t = 10)]
    pub(crate) count: u16,
    /// Directory for modes.csv, shapes.csv, shapes.svg and, over several speeds, fan.svg
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replaces these files
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

/// A direction in space, of length one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Direction(pub(crate) [f64; 3]);

impl Direction {
    fn parse(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
        let wrong = || "must be three numbers X,Y,Z that are not all zero".to_owned();
        let [x, y, z] = numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)?;
        let length = f64::hypot(f64::hypot(x, y), z);
        if length > 0.0 && length.is_finite() {
            Ok(Self([x, y, z].map(|x| x / length)))
        } else {
            Err(wrong())
        }
    }
}

/// Arguments of `cosimo converge`.
#[derive(Debug, clap::Args)]
pub(crate) struct ConvergeArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// How many steps, each half of the one before, from time.step on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=20), default_value_t = 5)]
    pub(crate) count: u16,
    /// Macro steps (s), in place of halvings of time.step
    #[arg(long, value_name = "H,…", value_delimiter = ',', value_parser = positive, conflicts_with = "count")]
    pub(crate) steps: Vec<f64>,
    /// A quantity to compare, or a pattern as in record.quantities; NAME=COLUMN where the reference calls it otherwise; any
    /// number of times [default: what is recorded]
    #[arg(long = "quantity", value_name = "NAME[=COLUMN]")]
    pub(crate) quantities: Vec<String>,
    /// A table with a column t and one for each quantity, with two rows of one time where it jumps [default: a run of its own]
    #[arg(long, value_name = "FILE.csv", conflicts_with = "finer")]
    pub(crate) reference: Option<PathBuf>,
    /// The run that is the reference takes the smallest step divided by this
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(2..=1000), default_value_t = 8)]
    pub(crate) finer: u16,
    /// Errors are means over this many runs with steps between h and h/1.2: where an impact falls within its step decides over the
    /// error of a single run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100), default_value_t = 1)]
    pub(crate) phases: u16,
    /// Compares up to this time (s) [default: the end of the runs]
    #[arg(long, value_name = "TIME", value_parser = finite)]
    pub(crate) until: Option<f64>,
    /// Sets an entry to one value after the other, each a study of its own in one figure
    #[arg(long, value_name = "KEY.PATH=VALUE,…", value_parser = Variants::parse)]
    pub(crate) compare: Option<Variants>,
    /// Directory for convergence.csv and convergence.svg
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Replaces these files
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// No progress; the table, warnings and errors are shown all the same
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Values of one entry of a model.
#[derive(Debug, Clone)]
pub(crate) struct Variants {
    /// The values with the overrides that set them.
    pub(crate) values: Vec<(String, Override)>,
}

impl Variants {
    fn parse(text: &str) -> Result<Self, String> {
        let (key, values) = text.split_once('=').ok_or("must be KEY.PATH=VALUE,VALUE,…")?;
        let with = |value: &str| match Override::parse(&format!("{key}={value}")) {
            Ok(change) => Ok((value.trim().to_owned(), change)),
            Err(error) => Err(error.to_string()),
        };
        Ok(Self { values: list(values).into_iter().map(with).collect::<Result<_, _>>()? })
    }
}

/// The parts between the commas that stand outside of brackets and quotation marks.
fn list(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(mark), _) => quote = Some(mark).filter(|mark| *mark != character),
            (None, '"' | '\'') => quote = Some(character),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Arguments of `cosimo verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Only checks whose case or quantity contains one of these; without them all
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// Tells the checks and runs nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Checks of your own in place of those of the project: a list in the same format, with paths from its folder
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) cases: Option<PathBuf>,
    /// Writes the table as CSV too
    #[arg(long, value_name = "FILE.csv", conflicts_with = "list")]
    pub(crate) out: Option<PathBuf>,
    /// Replaces an earlier table
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// No progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl RunArgs {
    /// The model file with its changes.
    pub(crate) fn model(&self) -> ModelArgs {
        ModelArgs { path: self.path.clone().unwrap_or_default(), overrides: self.overrides.clone() }
    }

    /// The directory for the results.
    pub(crate) fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| Path::new("out").join(model_name(&self.model().path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn values_to_compare_may_be_tables() {
        let values =
            |text| Variants::parse(text).map(|v| v.values.into_iter().map(|v| v.0).collect::<Vec<_>>());
        assert_eq!(values("a.b=1e-3, plain").unwrap(), ["1e-3", "plain"]);
        let tables = values("a.solver={ method = \"theta\", theta = 1 },\"x,y\"").unwrap();
        assert_eq!(tables, ["{ method = \"theta\", theta = 1 }", "\"x,y\""]);
        assert!(values("a.b").is_err() && values("=1,2").is_err());
    }

    #[test]
    fn results_are_named_after_the_file_or_its_folder() {
        assert_eq!(model_name(Path::new("studies/heavy.toml")), Path::new("heavy"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.toml");
        std::fs::write(&file, "").unwrap();
        assert_eq!(Some(model_name(&file).as_os_str()), folder.path().file_name());
        assert_eq!(model_name(Path::new("nowhere/model.toml")), Path::new("model"));
    }
}
