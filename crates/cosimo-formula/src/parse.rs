//! From the text of a formula to its tree.

use std::ops::Range;

use winnow::ascii::{digit0, digit1, multispace0};
use winnow::combinator::{
    Infix, Postfix, Prefix, alt, cut_err, delimited, dispatch, expression, fail, not, opt, peek, preceded,
    repeat, separated, terminated,
};
use winnow::error::{ErrMode, ParserError};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location, Stream};
use winnow::token::{any, one_of, take_while};

use crate::error::{FormulaError, Mistake};
use crate::function::{Function, constant};
use crate::term::{Kind, Operator, Term};

/// Characters of a formula, and brackets within brackets: enough for any, and bounds the depth of the tree.
const CHARACTERS: usize = 2000;
const DEPTH: usize = 50;

type Input<'a> = LocatingSlice<&'a str>;
type Parsed<T> = Result<T, ErrMode<FormulaError>>;

/// The tree of a text.
pub(crate) fn parse(text: &str) -> Result<Term, FormulaError> {
    check_size(text)?;
    let mut input = LocatingSlice::new(text);
    let root = preceded(multispace0, formula).parse_next(&mut input).map_err(reason)?;
    match input.eof_offset() {
        0 => Ok(root),
        _ => Err(missing(&input, "an operator, or the end of the formula,")),
    }
}

fn check_size(text: &str) -> Result<(), FormulaError> {
    let too_many =
        |at: usize, what, most| Err(FormulaError { span: at..at + 1, mistake: Mistake::Size { what, most } });
    if text.len() > CHARACTERS {
        return too_many(0, "characters", CHARACTERS);
    }
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return too_many(at, "brackets within brackets", DEPTH);
        }
    }
    Ok(())
}

fn reason(error: ErrMode<FormulaError>) -> FormulaError {
    match error {
        ErrMode::Backtrack(error) | ErrMode::Cut(error) => error,
        // Texts are whole.
        ErrMode::Incomplete(_) => FormulaError { span: 0..0, mistake: Mistake::Syntax { expected: "more" } },
    }
}

/// What is missing where the input stands.
fn missing(input: &Input<'_>, expected: &'static str) -> FormulaError {
    let at = input.current_token_start();
    let next = input.as_ref().chars().next().map_or(0, char::len_utf8);
    FormulaError { span: at..at + next, mistake: Mistake::Syntax { expected } }
}

impl ParserError<Input<'_>> for FormulaError {
    type Inner = Self;

    fn from_input(input: &Input<'_>) -> Self {
        missing(input, "a number, a name or a bracket")
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}

fn formula(input: &mut Input<'_>) -> Parsed<Term> {
    expression(operand).prefix(sign).postfix(element).infix(operator).parse_next(input)
}

/// A character, and the spaces behind it.
fn symbol(expected: char) -> impl FnMut(&mut Input<'_>) -> Parsed<char> {
    move |input| terminated(expected, multispace0).parse_next(input)
}

/// The same, which has to stand here.
fn closing(expected: char, name: &'static str) -> impl FnMut(&mut Input<'_>) -> Parsed<char> {
    move |input| {
        symbol(expected)
            .parse_next(input)
            .map_err(|_: ErrMode<FormulaError>| ErrMode::Cut(missing(input, name)))
    }
}

/// A sign: one alone, as nobody means two.
fn sign<'a>(input: &mut Input<'a>) -> Parsed<Prefix<Input<'a>, Term, ErrMode<FormulaError>>> {
    let sign = terminated(one_of(['-', '+']), (multispace0, not(one_of(['-', '+'])))).parse_next(input)?;
    Ok(match sign {
        '-' => Prefix(9, |_, term: Term| {
            Ok(Term { span: term.span.clone(), kind: Kind::Negative(Box::new(term)) })
        }),
        _ => Prefix(9, |_, term| Ok(term)),
    })
}

fn operator<'a>(input: &mut Input<'a>) -> Parsed<Infix<Input<'a>, Term, ErrMode<FormulaError>>> {
    macro_rules! two {
        ($operator:ident) => {
            |_, a, b| Ok(two(Operator::$operator, a, b))
        };
    }
    let found = dispatch! {any;
        '^' => multispace0.value(Infix::Neither(11, two!(Power))),
        '*' => multispace0.value(Infix::Left(7, two!(Multiply))),
        '/' => multispace0.value(Infix::Left(7, two!(Divide))),
        '+' => multispace0.value(Infix::Left(5, two!(Add))),
        '-' => multispace0.value(Infix::Left(5, two!(Subtract))),
        '<' => alt((
            ('=', multispace0).value(Infix::Neither(3, two!(NotMore))),
            multispace0.value(Infix::Neither(3, two!(Less))),
        )),
        '>' => alt((
            ('=', multispace0).value(Infix::Neither(3, two!(NotLess))),
            multispace0.value(Infix::Neither(3, two!(More))),
        )),
        _ => fail,
    };
    { found }.parse_next(input)
}

fn two(operator: Operator, a: Term, b: Term) -> Term {
    Term { span: a.span.start..b.span.end, kind: Kind::Two(operator, Box::new([a, b])) }
}

/// `[index]`, or `.x` behind a bracket.
fn element<'a>(input: &mut Input<'a>) -> Parsed<Postfix<Input<'a>, Term, ErrMode<FormulaError>>> {
    // What stands in the brackets is read where the vector is known: here only whether there are any.
    peek(one_of(['[', '.'])).parse_next(input)?;
    Ok(Postfix(13, |input: &mut Input<'a>, vector: Term| {
        let start = vector.span.start;
        let index = if opt(symbol('[')).parse_next(input)?.is_some() {
            let index = cut_err(formula).parse_next(input)?;
            closing(']', "`]`").parse_next(input)?;
            index
        } else {
            let at = input.current_token_start();
            let letter = preceded('.', one_of(['x', 'y', 'z', 'w'])).parse_next(input);
            let letter =
                letter.map_err(|_: ErrMode<FormulaError>| ErrMode::Cut(missing(input, "x, y, z or w")))?;
            multispace0.parse_next(input)?;
            Term { span: at..at + 2, kind: Kind::Number(position(letter)) }
        };
        let span = start..index.span.end;
        Ok(Term { span, kind: Kind::Element(Box::new([vector, index])) })
    }))
}

/// Which element of a vector a letter stands for.
pub(crate) fn position(letter: char) -> f64 {
    match letter {
        'x' => 0.0,
        'y' => 1.0,
        'z' => 2.0,
        _ => 3.0,
    }
}

fn operand(input: &mut Input<'_>) -> Parsed<Term> {
    let term = alt((number, list, bracket, name)).parse_next(input)?;
    Ok(term)
}

fn number(input: &mut Input<'_>) -> Parsed<Term> {
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1);
    let digits = alt(((digit1, opt(('.', digit0))).void(), ('.', digit1).void()));
    let (text, span) = (digits, opt(exponent)).take().with_span().parse_next(input)?;
    let value: f64 = text.parse().map_err(|_| ErrMode::Cut(missing(input, "a number")))?;
    if !value.is_finite() {
        return Err(ErrMode::Cut(FormulaError { span, mistake: Mistake::NotFinite }));
    }
    multispace0.parse_next(input)?;
    Ok(Term { span, kind: Kind::Number(value) })
}

fn bracket(input: &mut Input<'_>) -> Parsed<Term> {
    delimited(symbol('('), cut_err(formula), closing(')', "`)`")).parse_next(input)
}

fn list(input: &mut Input<'_>) -> Parsed<Term> {
    let start = input.current_token_start();
    let parts =
        delimited(symbol('['), separated(1.., cut_err(formula), symbol(',')), closing(']', "`,` or `]`"));
    let parts = { parts }.parse_next(input)?;
    Ok(Term { span: start..input.previous_token_end(), kind: Kind::List(parts) })
}

/// A function with its arguments, a constant, or the name of a number, which may have dots.
fn name(input: &mut Input<'_>) -> Parsed<Term> {
    let part = || {
        (
            one_of(|c: char| c.is_ascii_alphabetic() || c == '_'),
            take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_'),
        )
            .void()
    };
    let rest = repeat::<_, _, (), _, _>(0.., ('.', part()).void());
    let (name, span) = (part(), rest).take().with_span().parse_next(input)?;
    multispace0.parse_next(input)?;
    if opt(symbol('(')).parse_next(input)?.is_some() {
        let parts: Vec<Term> = cut_err(separated(0.., formula, symbol(','))).parse_next(input)?;
        closing(')', "`,` or `)`").parse_next(input)?;
        return call(name, &span, parts).map_err(ErrMode::Cut);
    }
    if Function::named(name).is_some() {
        return Err(ErrMode::Cut(missing(input, "`(`")));
    }
    let kind = constant(name).map_or_else(|| Kind::Name(name.to_owned()), Kind::Number);
    Ok(Term { span, kind })
}

fn call(name: &str, span: &Range<usize>, parts: Vec<Term>) -> Result<Term, FormulaError> {
    let Some(function) = Function::named(name) else {
        return Err(FormulaError::new(span, Mistake::UnknownFunction { name: name.to_owned() }));
    };
    let (count, expected) = function.arguments();
    if parts.len() != count {
        let mistake = Mistake::Arguments { name: function.name(), expected, found: parts.len() };
        return Err(FormulaError::new(span, mistake));
    }
    let end = parts.last().map_or(span.end, |last| last.span.end);
    Ok(Term { span: span.start..end, kind: Kind::Call(function, parts) })
}
