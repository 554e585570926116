//! Many runs of a model file.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use cosimo_sweep::{Cases, Row, Runner, Server, Source, Study, StudyError, SweepTable, Wanted};

use super::ModelError;
use super::model::Model;

impl Model {
    /// Runs the model of a file with all these values of its entries, several runs at a time, and keeps numbers of each in one table. What was
    /// [set](Self::set) counts in all runs. Without `outputs` the last values of what the file plots are kept. A run that fails is a row with
    /// its reason. Each run is in one thread; the table does not depend on how many there are. `stop` is asked again and again; rows that are
    /// done then are in the table.
    ///
    /// ```
    /// use cosimo::sweep::{Axis, Cases, Values};
    /// # let text = "schema = 1\ntime = { end = 1.0, step = 1e-2 }\n[[subsystem]]\nname = \"stone\"\nkind = \"node\"\nmass = 2.0\ngravity = [0, 0, -10]\n";
    /// let model = cosimo::Model::parse(text)?;
    /// let Values::List(ends) = Values::parse("1:3:1")? else { unreachable!() };
    /// let cases = Cases::new(vec![Axis::list("time.end", ends)])?;
    /// let threads = cosimo::sweep::Runner::all_threads();
    /// let table = model.sweep(cases, &["stone.z:min".parse()?], threads, &|| false)?;
    /// assert_eq!((table.rows(), table.failures().len()), (3, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ModelError::NoFile`], [`ModelError::HasParts`], [`ModelError::Study`]; all mistakes of the model where no case is without.
    pub fn sweep(
        &self,
        cases: Cases,
        outputs: &[Wanted],
        threads: NonZeroUsize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<SweepTable, ModelError> {
        let key = || cases.keys().next().unwrap_or_default().to_owned();
        let document = self.document.as_ref().ok_or_else(|| ModelError::NoFile { path: key() })?;
        if let Some(part) = self.added() {
            return Err(ModelError::HasParts { part });
        }
        let source = Source::new(&document.name, document.text(), document.overrides());
        let server: Option<Server<'_>> = match &self.server {
            Some(server) => Some(&**server),
            None => None,
        };
        let study = Study::new(source, cases, outputs, server).map_err(|error| match error {
            StudyError::Mistakes(diagnostics) => ModelError::Mistakes { diagnostics },
            other => ModelError::Study(Box::new(other)),
        })?;
        let mut rows: Vec<Row> = Vec::new();
        let runner = Runner { threads, server, stop };
        let kept = study.run(&runner, &BTreeSet::new(), |row| {
            rows.push(row);
            Ok::<(), std::convert::Infallible>(())
        });
        match kept {
            Ok(()) => Ok(SweepTable::new(&study, &rows)),
        }
    }
    /// What the program has added to the file, if anything.
    fn added(&self) -> Option<String> {
        let part = self.parts.first().map(|own| own.description().name.clone());
        let interface = || self.interfaces.first().map(|own| own.name.clone());
        let connection = || self.connections.first().map(|own| format!("{}.{}", own.from.0, own.from.1));
        part.or_else(interface).or_else(connection)
    }
}
