//! Variables (FMI 2.0.5, 2.2.7; FMI 3.0.2, 2.4.7).

use super::reader::words;
use super::start::Start;
use super::version::FmiVersion;

/// Type of the values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableKind {
    /// Floating point number of 32 bits.
    Float32,
    /// Floating point number of 64 bits; `Real` in FMI 2.
    Float64,
    /// Whole number of 8 bits.
    Int8,
    /// Whole number of 16 bits.
    Int16,
    /// Whole number of 32 bits; `Integer` in FMI 2.
    Int32,
    /// Whole number of 64 bits.
    Int64,
    /// Whole number of 8 bits, not negative.
    UInt8,
    /// Whole number of 16 bits, not negative.
    UInt16,
    /// Whole number of 32 bits, not negative.
    UInt32,
    /// Whole number of 64 bits, not negative.
    UInt64,
    /// True or false.
    Boolean,
    /// Text.
    String,
    /// Bytes.
    Binary,
    /// Value of an enumeration, by its index into [`ModelDescription::enumerations`]; a whole number of 32 bits in FMI 2, of
    /// 64 bits in FMI 3.
    ///
    /// [`ModelDescription::enumerations`]: super::ModelDescription::enumerations
    Enumeration(usize),
    /// Clock (FMI 3).
    Clock,
}

impl VariableKind {
    /// The kind of variables with this tag; an enumeration gets its index later.
    pub(crate) fn of(tag: &str, version: FmiVersion) -> Option<Self> {
        let v2 = version == FmiVersion::V2;
        Some(match tag {
            "Real" if v2 => Self::Float64,
            "Integer" if v2 => Self::Int32,
            "Boolean" => Self::Boolean,
            "String" => Self::String,
            "Enumeration" => Self::Enumeration(0),
            _ if v2 => return None,
            "Float32" => Self::Float32,
            "Float64" => Self::Float64,
            "Int8" => Self::Int8,
            "Int16" => Self::Int16,
            "Int32" => Self::Int32,
            "Int64" => Self::Int64,
            "UInt8" => Self::UInt8,
            "UInt16" => Self::UInt16,
            "UInt32" => Self::UInt32,
            "UInt64" => Self::UInt64,
            "Binary" => Self::Binary,
            "Clock" => Self::Clock,
            _ => return None,
        })
    }

    /// Whether values are floating point numbers.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float32 | Self::Float64)
    }
}

/// Who gives the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// Given before the simulation.
    Parameter,
    /// Calculated of parameters.
    CalculatedParameter,
    /// Given by others.
    Input,
    /// Calculated for others.
    Output,
    /// Calculated, of no concern to others.
    Local,
    /// The time.
    Independent,
    /// Given before the simulation, sizes arrays (FMI 3).
    StructuralParameter,
}

words!(Causality, "a causality (`parameter`, `calculatedParameter`, `structuralParameter`, `input`, `output`, `local`, `independent`)",
    "parameter" => Parameter, "calculatedParameter" => CalculatedParameter, "input" => Input, "output" => Output,
    "local" => Local, "independent" => Independent, "structuralParameter" => StructuralParameter);

/// When the value may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Never.
    Constant,
    /// Not after initialization.
    Fixed,
    /// When the importer changes parameters.
    Tunable,
    /// At events.
    Discrete,
    /// At any time.
    Continuous,
}

words!(Variability, "a variability (`constant`, `fixed`, `tunable`, `discrete`, `continuous`)",
    "constant" => Constant, "fixed" => Fixed, "tunable" => Tunable, "discrete" => Discrete, "continuous" => Continuous);

/// What the start value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// The variable has it at the start.
    Exact,
    /// It is where an iteration starts.
    Approx,
    /// None; the initial value is calculated.
    Calculated,
}

words!(Initial, "`exact`, `approx` or `calculated`", "exact" => Exact, "approx" => Approx, "calculated" => Calculated);

/// Size of an array in one direction (FMI 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// This many elements.
    Fixed(u64),
    /// As many elements as the variable with this value reference says.
    Variable(u32),
}

/// Another name of a variable (FMI 3).
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// Description under this name.
    pub description: Option<String>,
    /// Unit for display under this name.
    pub display_unit: Option<String>,
}

/// How the interval of a clock comes about (FMI 3.0.2, 2.4.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalVariability {
    /// Periodic, given in the description.
    Constant,
    /// Periodic, set at initialization.
    Fixed,
    /// Periodic, changes with tunable parameters.
    Tunable,
    /// Changes at each tick.
    Changing,
    /// Told by the FMU when it is known.
    Countdown,
    /// Ticks when it is activated.
    Triggered,
}

words!(IntervalVariability, "one of `constant`, `fixed`, `tunable`, `changing`, `countdown` and `triggered`",
    "constant" => Constant, "fixed" => Fixed, "tunable" => Tunable, "changing" => Changing,
    "countdown" => Countdown, "triggered" => Triggered);

/// What variables have that are clocks (FMI 3.0.2, 2.4.7.5).
#[derive(Clone, Debug, PartialEq)]
pub struct ClockDetails {
    /// How the interval comes about.
    pub interval_variability: IntervalVariability,
    /// The importer may leave ticks out.
    pub can_be_deactivated: bool,
    /// Priority of the clock in scheduled execution; smaller is more urgent.
    pub priority: Option<u32>,
    /// Interval in seconds.
    pub interval: Option<f64>,
    /// Time of the first tick in seconds.
    pub shift: f64,
    /// Intervals may be given as fractions.
    pub supports_fraction: bool,
    /// Denominator of intervals and shifts as fractions of a second.
    pub resolution: Option<u64>,
    /// Numerator of the interval.
    pub interval_counter: Option<u64>,
    /// Numerator of the shift.
    pub shift_counter: u64,
}

/// A variable. What it does not give is taken from its declared type, then from the defaults of the standard.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name, unique.
    pub name: String,
    /// Value reference, the handle in calls. In FMI 2 unique neither among variables nor among kinds.
    pub reference: u32,
    /// Type of the values.
    pub kind: VariableKind,
    /// Who gives the value.
    pub causality: Causality,
    /// When the value may change.
    pub variability: Variability,
    /// What the start value means; `None` for the time. Inputs are exact, in FMI 2 too, which does not say so in the file.
    pub initial: Option<Initial>,
    /// Start values.
    pub start: Option<Start>,
    /// Unit, by name.
    pub unit: Option<String>,
    /// Unit for display, by name, one of those of the unit.
    pub display_unit: Option<String>,
    /// Physical quantity.
    pub quantity: Option<String>,
    /// The value is a difference: offsets of units do not apply.
    pub relative_quantity: bool,
    /// Least value, in the unit; rounded if it is a whole number beyond 2^53.
    pub min: Option<f64>,
    /// Greatest value, in the unit; rounded if it is a whole number beyond 2^53.
    pub max: Option<f64>,
    /// Size the value usually has, in the unit; for tolerances.
    pub nominal: Option<f64>,
    /// The value may grow without bound, as an angle of rotation.
    pub unbounded: bool,
    /// Index of the variable of which this is the derivative by time.
    pub derivative_of: Option<usize>,
    /// The FMU may set the state at events (model exchange).
    pub reinit: bool,
    /// Sizes of an array, none for a scalar (FMI 3).
    pub dimensions: Vec<Dimension>,
    /// What it is, in words.
    pub description: Option<String>,
    /// Other names (FMI 3). Aliases of FMI 2 are variables: see [`ModelDescription::alias_groups`].
    ///
    /// [`ModelDescription::alias_groups`]: super::ModelDescription::alias_groups
    pub aliases: Vec<Alias>,
    /// Value references of the clocks at which it changes (FMI 3).
    pub clocks: Vec<u32>,
    /// Index of the variable that holds the value of the last tick (FMI 3).
    pub previous: Option<usize>,
    /// May be accessed within steps (FMI 3).
    pub intermediate_update: bool,
    /// An input that may be set several times at one time. True unless the file says otherwise.
    pub can_handle_multiple_set_per_time_instant: bool,
    /// What the variable has as a clock.
    pub clock: Option<ClockDetails>,
    /// Media type of a binary; `application/octet-stream` if it is not given.
    pub mime_type: Option<String>,
    /// Most bytes of a binary.
    pub max_size: Option<u64>,
}
