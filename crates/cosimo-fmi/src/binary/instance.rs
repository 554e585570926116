//! One unit, from its instantiation to its end.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::environment::{Change, Guard};
use super::error::BinaryError;
use super::host::Host;
use super::instantiate::{c_text, c_texts, instantiate, require, resources};
use super::library::{Library, Own, Version};
use super::options::{Kind, Options};
use super::phase::Phase;
use super::pool::Pool;
use super::schedule::Schedule;
use super::shared::Component;
use super::symbols::Call;
use std::ffi::{c_char, c_int};
use std::sync::Arc;

/// A unit of an FMU: one interface over the functions of both versions.
///
/// The order of the calls is the caller's duty, as the standard has it; only what memory depends on is checked. The end is
/// safe in any case: dropped, the unit is terminated if that is allowed, and freed unless it failed for good.
#[derive(Debug)]
pub struct Instance {
    pub(super) component: Component,
    pub(super) library: Arc<Library>,
    pub(super) host: Arc<Host>,
    pub(super) phase: Phase,
    kind: Kind,
    /// The lengths of the lists of model exchange, where known.
    pub(super) states: Option<usize>,
    pub(super) event_indicators: Option<usize>,
    /// Memory for values of other types.
    pub(super) scratch: Vec<u64>,
    pub(super) pool: Pool,
    changes: Vec<Change>,
    told: Vec<Change>,
    /// How it failed for good, where it has.
    end: String,
    pub(super) schedule: Schedule,
    /// Whether reading values may compute: between the steps of other rules it does.
    pub(super) reads_compute: bool,
    warned: bool,
}

// SAFETY: the standard allows calls from any thread as long as they come one after the other; all take `&mut self`.
unsafe impl Send for Instance {}

/// Calls a function with the unit as first argument, and turns its status into a result.
macro_rules! call {
    ($self:ident, $call:expr $(, $argument:expr)*) => {{
        let call = $call;
        let function = $self.ready(&call)?;
        // SAFETY: the library is loaded and the unit alive (`ready`); lists go with their lengths, and outlive the call.
        let status = unsafe { function($self.component $(, $argument)*) };
        $self.settle(call.name, status)
    }};
}
pub(super) use call;

impl Library {
    /// Makes an instance.
    ///
    /// # Errors
    /// The library lacks the interface type asked for, or makes no instance (its messages say why).
    pub fn instantiate(self: &Arc<Self>, options: &Options<'_>) -> Result<Instance, BinaryError> {
        Instance::new(self, options)
    }
}

impl Instance {
    pub(super) fn new(library: &Arc<Library>, options: &Options<'_>) -> Result<Self, BinaryError> {
        let version = library.version();
        let resources = resources(options.resources, version)?;
        let host = Arc::new(Host::new(
            c_text(options.name, "the name")?,
            c_text(options.token, "the token")?,
            resources,
        ));
        require(library, options.kind)?;
        let guard = Guard::begin();
        let mut options = *options;
        let mut made = instantiate(library, &host, &options);
        if let (Ok((_, component)), Some(plain)) = (&made, options.kind.without_event_mode())
            && component.is_null()
        {
            // Units exist that say they have an event mode, and make no instance with it.
            options.kind = plain;
            made = instantiate(library, &host, &options);
        }
        let changes = guard.finish();
        library.keep_if_needed(&changes);
        let (name, component) = made?;
        if component.is_null() {
            return Err(BinaryError::NotInstantiated { call: name, message: host.take_messages() });
        }
        let (states, event_indicators) = match options.kind {
            Kind::ModelExchange { states, event_indicators } if version == Version::Two => {
                (Some(states), Some(event_indicators))
            }
            _ => (None, None),
        };
        Ok(Self {
            component,
            library: Arc::clone(library),
            pool: Pool::new(host.number()),
            host,
            phase: Phase::Before,
            kind: options.kind,
            states,
            event_indicators,
            scratch: Vec::new(),
            changes,
            told: Vec::new(),
            end: String::new(),
            schedule: Schedule::START,
            reads_compute: matches!(options.kind, Kind::ModelExchange { .. }),
            warned: false,
        })
    }

    /// The name of the instance.
    pub fn name(&self) -> &str {
        self.host.name()
    }

    /// The interface type. An event mode that the library makes no instance with is left out of it.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether it co-simulates with the event mode of FMI 3.
    pub fn has_event_mode(&self) -> bool {
        matches!(self.kind, Kind::CoSimulation { event_mode: true, .. })
    }

    /// The library.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Whether the unit failed for good: every call is refused.
    pub fn is_dead(&self) -> bool {
        self.phase == Phase::Dead
    }

    /// What the unit has changed in this process, each change once: what was told before is not told again.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.told.extend_from_slice(&self.changes);
        std::mem::take(&mut self.changes)
    }

    /// Before initialisation (FMI 3): structural parameters may be set until [`exit_configuration`](Self::exit_configuration).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn enter_configuration(&mut self) -> Result<(), BinaryError> {
        call!(self, self.library.three("configuration modes")?.enter_configuration)
    }

    /// Back from the configuration (FMI 3). The numbers of states and event indicators are asked again when needed.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn exit_configuration(&mut self) -> Result<(), BinaryError> {
        let exit = self.library.three("configuration modes")?.exit_configuration;
        (self.states, self.event_indicators) = (None, None);
        call!(self, exit)
    }

    /// Starts the initialisation, for a simulation from `start` on (FMI 2: with the set-up of the experiment).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn enter_initialization(
        &mut self,
        start: f64,
        stop: Option<f64>,
        tolerance: Option<f64>,
    ) -> Result<(), BinaryError> {
        let (has_stop, stop) = (stop.is_some(), stop.unwrap_or(0.0));
        let (has_tolerance, tolerance) = (tolerance.is_some(), tolerance.unwrap_or(0.0));
        self.guarded(|unit| match &unit.library.own {
            Own::Two(own) => {
                let enter = own.enter_initialization;
                let (has_stop, has_tolerance) = (c_int::from(has_stop), c_int::from(has_tolerance));
                call!(unit, own.setup_experiment, has_tolerance, tolerance, start, has_stop, stop)?;
                call!(unit, enter)
            }
            Own::Three(own) => {
                let (has_stop, has_tolerance) = (u8::from(has_stop), u8::from(has_tolerance));
                call!(unit, own.enter_initialization, has_tolerance, tolerance, start, has_stop, stop)
            }
        })
    }

    /// Ends the initialisation. Then follow steps, or events: in model exchange, and in the event mode of FMI 3.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn exit_initialization(&mut self) -> Result<(), BinaryError> {
        self.guarded(|unit| call!(unit, unit.library.shared.exit_initialization))?;
        self.phase = Phase::Running;
        Ok(())
    }

    /// Ends the simulation. Does nothing where the unit is not initialised, has ended, or has failed.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn terminate(&mut self) -> Result<(), BinaryError> {
        if self.phase != Phase::Running {
            return Ok(());
        }
        self.phase = Phase::Ended;
        self.guarded(|unit| call!(unit, unit.library.shared.terminate))
    }

    /// Puts the unit back into the state after its instantiation, after errors too.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn reset(&mut self) -> Result<(), BinaryError> {
        self.guarded(|unit| call!(unit, unit.library.shared.reset))?;
        self.phase = Phase::Before;
        Ok(())
    }

    /// Switches messages on or off; without categories for all of them.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> Result<(), BinaryError> {
        let texts = c_texts(categories, "a category")?;
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        match &self.library.own {
            Own::Two(own) => {
                call!(self, own.set_debug_logging, c_int::from(on), pointers.len(), pointers.as_ptr())
            }
            Own::Three(own) => {
                call!(self, own.set_debug_logging, u8::from(on), pointers.len(), pointers.as_ptr())
            }
        }
    }

    /// The function, if it is there and the unit alive.
    #[inline]
    pub(super) fn ready<F: Copy>(&self, call: &Call<F>) -> Result<F, BinaryError> {
        if self.phase == Phase::Dead {
            return Err(BinaryError::Dead { call: call.name, before: self.end.clone() });
        }
        call.get()
    }

    /// The result that a status means.
    #[inline]
    pub(super) fn settle(&mut self, call: &'static str, status: c_int) -> Result<(), BinaryError> {
        if status == 0 { Ok(()) } else { self.settle_other(call, status) }
    }

    #[cold]
    fn settle_other(&mut self, call: &'static str, status: c_int) -> Result<(), BinaryError> {
        match status {
            1 => {
                if !std::mem::replace(&mut self.warned, true) {
                    let instance = self.name();
                    tracing::warn!(target: "fmu", instance, "`{call}` warns; further warnings are not repeated here");
                }
                return Ok(());
            }
            2 => return Err(BinaryError::Discarded { call, message: self.host.take_messages() }),
            4 | 5 => self.phase = Phase::Dead,
            _ => self.phase = Phase::Ended,
        }
        let error = match status {
            3 => BinaryError::Refused { call, message: self.host.take_messages() },
            4 => BinaryError::Fatal { call, message: self.host.take_messages() },
            5 => BinaryError::Asynchronous { call },
            _ => BinaryError::UnknownStatus { call, status },
        };
        if self.phase == Phase::Dead {
            self.end = error.to_string();
        }
        Err(error)
    }

    /// Keeps a change, unless one like it is kept or told.
    #[cold]
    pub(super) fn note(&mut self, change: Change) {
        if !self.changes.contains(&change) && !self.told.contains(&change) {
            self.changes.push(change);
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Err(error) = self.terminate() {
            tracing::warn!("{}: {error}", self.name());
        }
        if self.phase == Phase::Dead {
            // The unit may still run: its library stays loaded, and what it was given stays valid.
            std::mem::forget((Arc::clone(&self.library), Arc::clone(&self.host)));
            return;
        }
        self.guarded(|unit| {
            unit.free_states();
            if let Ok(free) = unit.ready(&unit.library.shared.free) {
                // SAFETY: the unit is alive and nothing of it is used after this; its states are freed.
                unsafe { free(unit.component) };
            }
        });
        for change in &self.changes {
            tracing::warn!("FMU `{}` changed {change}", self.name());
        }
    }
}
