//! An entry of a table on its way to a checked value.

use cosimo_mechanics::contact::NumberRule;

use super::heading::Heading;
use super::placement::Placement;
use super::sources::Span;

/// The value of a key, if it is there and readable, with the checks that follow.
///
/// Ends in [`required`](Entry::required), [`or`](Entry::or) or [`optional`](Entry::optional). Where a mistake was
/// recorded a placeholder is returned so that reading goes on; it never leaves the crate, because no model is returned then.
pub(crate) struct Entry<'r, 'a, T> {
    table: &'r Heading<'a>,
    key: &'static str,
    expected: String,
    state: State<T>,
}

enum State<T> {
    Absent,
    Bad,
    Good(T, Span),
}

impl<'r, 'a, T> Entry<'r, 'a, T> {
    /// A key that the table does not have; `expected` says what it should be.
    pub(crate) fn absent(table: &'r Heading<'a>, key: &'static str, expected: &str) -> Self {
        Self { table, key, expected: expected.to_owned(), state: State::Absent }
    }

    /// A key with its value, which is `None` if a mistake was recorded.
    pub(crate) fn found(
        table: &'r Heading<'a>,
        key: &'static str,
        expected: &str,
        value: Option<T>,
        span: Span,
    ) -> Self {
        let state = value.map_or(State::Bad, |value| State::Good(value, span));
        Self { table, key, expected: expected.to_owned(), state }
    }

    /// Records a mistake unless the value is as `expected`, which completes the sentence "must be …".
    pub(crate) fn check(mut self, expected: &str, is_right: impl FnOnce(&T) -> bool) -> Self {
        expected.clone_into(&mut self.expected);
        if let State::Good(value, span) = &self.state
            && !is_right(value)
        {
            let log = self.table.log;
            let found = log.quote(span).map(|text| format!("is {text}, ")).unwrap_or_default();
            log.error(span, format!("{} {found}must be {expected}", self.key));
            self.state = State::Bad;
        }
        self
    }

    /// The value where the instance of a template stands that it belongs to.
    pub(crate) fn placed<U>(self, place: impl FnOnce(Placement, T) -> U) -> Entry<'r, 'a, U> {
        let Self { table, key, expected, state } = self;
        let state = match state {
            State::Absent => State::Absent,
            State::Bad => State::Bad,
            State::Good(value, span) => State::Good(place(table.log.placement(&span), value), span),
        };
        Entry { table, key, expected, state }
    }

    /// The value, or a placeholder after recording that it is missing.
    pub(crate) fn required(self) -> T
    where
        T: Default,
    {
        self.required_option().unwrap_or_default()
    }

    /// The value; `None` after a mistake was recorded, also that it is missing.
    pub(crate) fn required_option(self) -> Option<T> {
        match self.state {
            State::Good(value, _) => Some(value),
            State::Bad => None,
            State::Absent => {
                let message = format!("missing key `{}` in {}", self.key, self.table.what);
                let help = format!("add `{} = …`: {}", self.key, self.expected);
                self.table.log.error_with_help(&self.table.span, message, help);
                None
            }
        }
    }

    /// The value, or the default if there is none.
    pub(crate) fn or(self, default: T) -> T {
        self.optional().unwrap_or(default)
    }

    /// The value, or the default if there is none; after a mistake a placeholder that causes no others.
    pub(crate) fn or_after_mistake(self, default: T, placeholder: T) -> T {
        match self.state {
            State::Good(value, _) => value,
            State::Bad => placeholder,
            State::Absent => default,
        }
    }

    /// The value if there is one.
    pub(crate) fn optional(self) -> Option<T> {
        match self.state {
            State::Good(value, _) => Some(value),
            State::Absent | State::Bad => None,
        }
    }
}

impl Entry<'_, '_, f64> {
    /// Must be greater than zero.
    pub(crate) fn positive(self) -> Self {
        self.check("positive", |value| *value > 0.0)
    }

    /// Must be greater than zero and keep all digits: what lies below is not distinguished from zero by products.
    pub(crate) fn positive_normal(self) -> Self {
        self.positive().check("2.3e-308 or more", |value| value.is_normal())
    }

    /// Must be zero or greater.
    pub(crate) fn not_negative(self) -> Self {
        self.check("zero or positive", |value| *value >= 0.0)
    }

    /// Must obey the rule of a number.
    pub(crate) fn obeying(self, rule: &NumberRule) -> Self {
        self.check(rule.expected, |value| rule.holds(*value))
    }

    /// Must be in a closed interval.
    pub(crate) fn within(self, low: f64, high: f64) -> Self {
        self.check(&format!("in [{low}, {high}]"), |value| (low..=high).contains(value))
    }
}

impl Entry<'_, '_, u32> {
    /// Must be at least one.
    pub(crate) fn at_least_one(self) -> Self {
        self.check("at least 1", |value| *value >= 1)
    }
}

impl<const N: usize> Entry<'_, '_, [f64; N]> {
    /// Must have a direction: not all zero.
    pub(crate) fn nonzero(self) -> Self {
        self.check("a direction: not all zero", |vector| vector.iter().any(|part| *part != 0.0))
    }
}
