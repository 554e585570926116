//! Formulas in values, `"= k / m"`: replaced by what they are.

use std::borrow::Cow;

use cosimo_formula::{Formula, FormulaError, Mistake, Value, functions};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::context::Context;
use super::known::{Known, Scope};
use crate::toml::{Log, Span, moved};

/// What a formula begins with.
const SIGN: char = '=';

/// A key whose text is no formula, whatever it begins with.
const TITLE: &str = "title";

/// Whole numbers up to here are written without a point.
const WHOLE: f64 = 1e15;

/// Whether a text is a formula.
pub(super) fn is_formula(text: &str) -> bool {
    text.trim_start().starts_with(SIGN)
}

/// Replaces the formulas in all entries of a table.
pub(super) fn evaluate_table<'a>(table: &mut DeTable<'a>, scope: &Scope<'_>, context: Context<'_, 'a>) {
    for (key, value) in table.iter_mut() {
        if key.get_ref() != TITLE {
            evaluate(value, scope, context);
        }
    }
}

/// Replaces a formula, and those in a list or table.
pub(super) fn evaluate<'a>(value: &mut Spanned<DeValue<'a>>, scope: &Scope<'_>, context: Context<'_, 'a>) {
    let span = value.span();
    match value.get_mut() {
        DeValue::Array(items) => items.iter_mut().for_each(|item| evaluate(item, scope, context)),
        DeValue::Table(table) => evaluate_table(table, scope, context),
        // What has no value in an instance has been reported there.
        DeValue::String(text) if is_formula(text) && !context.log.is_lost(&span) => {
            match replaced(text, &span, scope, context) {
                Some(found) => *value = found,
                None => context.log.lose(&span),
            }
        }
        _ => {}
    }
}

fn replaced<'a>(
    text: &str,
    span: &Span,
    scope: &Scope<'_>,
    context: Context<'_, 'a>,
) -> Option<Spanned<DeValue<'a>>> {
    let log = context.log;
    let formula = parse(text, span, log)?;
    if let Some(Known::Truth(truth)) = scope.find(formula.0.text().trim()) {
        return Some(Spanned::new(span.clone(), DeValue::Boolean(*truth)));
    }
    if !formula.0.is_over_time() {
        let found = value(&formula, span, scope, log)?;
        log.note_value(span, literal(&found));
        return written(literal(&found), span, context);
    }
    let bound = formula
        .0
        .with_values(&|name| known(scope, name))
        .map_err(|error| report(&error, &formula, span, scope, log))
        .ok()?;
    Some(Spanned::new(span.clone(), DeValue::String(Cow::Owned(format!("{SIGN} {}", bound.trim())))))
}

/// A literal as a value of the document.
pub(super) fn written<'a>(
    literal: String,
    span: &Span,
    context: Context<'_, 'a>,
) -> Option<Spanned<DeValue<'a>>> {
    let found = DeValue::parse(context.texts.alloc(literal)).ok()?;
    Some(moved(found, &mut |_| span.clone()))
}

/// A formula, and where its text begins in its value.
pub(super) type Placed = (Formula, usize);

/// The formula of a text; records what is wrong with it.
pub(super) fn parse(text: &str, span: &Span, log: &Log<'_>) -> Option<Placed> {
    let at = text.find(SIGN)? + SIGN.len_utf8();
    match Formula::parse(&text[at..]) {
        Ok(formula) => Some((formula, at)),
        Err(error) => {
            record(&error, (text, at), span, log, None);
            None
        }
    }
}

/// The value of a formula; records what is wrong with it.
pub(super) fn value((formula, at): &Placed, span: &Span, scope: &Scope<'_>, log: &Log<'_>) -> Option<Value> {
    let found = formula.value(&|name| known(scope, name));
    found.map_err(|error| report(&error, &(formula.clone(), *at), span, scope, log)).ok()
}

fn known(scope: &Scope<'_>, name: &str) -> Option<Value> {
    match scope.find(name)? {
        Known::Value(value) => Some(value.clone()),
        Known::Truth(truth) => Some(Value::Number(f64::from(u8::from(*truth)))),
        Known::Text(_) | Known::Lost => None,
    }
}

fn report(error: &FormulaError, (formula, at): &Placed, span: &Span, scope: &Scope<'_>, log: &Log<'_>) {
    if let Mistake::UnknownName { name } = &error.mistake {
        let whole = name.rsplit_once('.').map_or(name.as_str(), |(vector, _)| vector);
        match scope.find(name).or_else(|| scope.find(whole)) {
            // A mistake was recorded there.
            Some(Known::Lost) => return,
            Some(Known::Text(_)) => {
                log.error(span, format!("parameter `{name}` is a text, which formulas cannot use"));
                return;
            }
            _ => {}
        }
    }
    record(error, (formula.text(), *at), span, log, Some(scope));
}

/// Records a mistake at its place, if that can be told in the value, which may be written with escapes.
fn record(
    error: &FormulaError,
    (text, at): (&str, usize),
    span: &Span,
    log: &Log<'_>,
    scope: Option<&Scope<'_>>,
) {
    // The value begins with a quotation mark.
    let start = span.start + 1 + at;
    let body = if scope.is_some() { text } else { &text[at.min(text.len())..] };
    let is_plain = log.text(&(start..start + body.len())) == body;
    let place = match is_plain {
        true if error.span.is_empty() => start + error.span.start - 1..start + error.span.end,
        true => start + error.span.start..start + error.span.end,
        false => span.clone(),
    };
    match &error.mistake {
        Mistake::UnknownName { name } => {
            let names = scope.map(Scope::names).unwrap_or_default();
            log.unknown(&place, "parameter", name, names);
        }
        Mistake::UnknownFunction { name } => log.unknown(&place, "function", name, functions()),
        mistake => log.error(&place, format!("{mistake}: `{}`", body.trim())),
    }
}

/// A value as it stands in files.
pub(super) fn literal(value: &Value) -> String {
    let number = |x: &f64| {
        let is_whole = x.fract() == 0.0 && x.abs() < WHOLE && !(*x == 0.0 && x.is_sign_negative());
        if is_whole { format!("{x}") } else { format!("{x:?}") }
    };
    match value {
        Value::Number(x) => number(x),
        Value::Vector(numbers) => format!("[{}]", numbers.iter().map(number).collect::<Vec<_>>().join(", ")),
    }
}
