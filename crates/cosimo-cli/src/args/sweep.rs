//! The arguments of `cosimo sweep`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use cosimo::model::Override;
use cosimo::sweep::Wanted;

use super::model_name::model_name;

/// Arguments of `cosimo sweep`.
#[derive(Debug, clap::Args)]
pub(crate) struct SweepArgs {
    /// The model file
    #[arg(value_name = "MODEL.toml", required_unless_present = "resume")]
    path: Option<PathBuf>,
    /// Sets an entry of the model to one value after the other: 1,2,5, a range start:end:step, linear(first,last,count),
    /// log(first,last,count), or at random, uniform(low,high), loguniform(low,high), normal(mean,deviation),
    /// lognormal(mean,deviation), triangular(low,mode,high); a single value for all runs; any number of times
    #[arg(long, value_name = "KEY.PATH=VALUES")]
    pub(crate) set: Vec<String>,
    /// Removes an entry of the model, before anything is set; any number of times
    #[arg(long, value_name = "KEY.PATH", value_parser = Override::parse_removal)]
    pub(crate) unset: Vec<Override>,
    /// Runs with the values of each row of a table, whose first line has the paths of the entries
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) cases: Option<PathBuf>,
    /// How often entries with distributions are drawn
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<usize>,
    /// What draws follow from; the same seed, the same values
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random")]
    pub(crate) seed: u64,
    /// What is kept of each run: a quantity, or a pattern as in record.quantities, with :last, :min, :max, :mean or :rms; of a contact
    /// :first-impact, :last-impact, :impacts and the same of closing, release, stick, slip; any number of times [default: the last values of
    /// what is plotted]
    #[arg(long = "output", value_name = "NAME[:NUMBER]", value_parser = Wanted::from_str)]
    pub(crate) outputs: Vec<Wanted>,
    /// The entry over which the figure shows outputs [default: what is drawn, or has most values]
    #[arg(long, value_name = "KEY.PATH")]
    pub(crate) over: Option<String>,
    /// Runs at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Goes on with the sweep in this directory
    #[arg(
        long, value_name = "DIR",
        conflicts_with_all = ["path", "set", "unset", "cases", "random", "seed", "outputs", "over", "out", "force"]
    )]
    pub(crate) resume: Option<PathBuf>,
    /// Directory for the files [default: out/ and the name of the model, with -sweep]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replaces an earlier sweep
    #[arg(long)]
    pub(crate) force: bool,
    /// No progress and no summary; errors are shown all the same
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl SweepArgs {
    /// The model file.
    pub(crate) fn path(&self) -> PathBuf {
        self.path.clone().unwrap_or_default()
    }

    /// The directory for the files.
    pub(crate) fn out(&self) -> PathBuf {
        let named = || {
            let mut name = model_name(&self.path()).into_os_string();
            name.push("-sweep");
            Path::new("out").join(name)
        };
        self.out.clone().unwrap_or_else(named)
    }
}
