//! Arithmetic expressions of named numbers, as `block.x * cos(0.2) + block.z * sin(0.2)`.

use serde::Deserialize;

/// An expression of numbers and names with `+ - * /`, brackets, `sin`, `cos`, `sqrt` and `abs`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Text")]
pub(super) struct Expression {
    text: String,
    root: Term,
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
enum Term {
    Number(f64),
    Name(String),
    Of(Function, Box<Term>),
    Two(Box<Term>, char, Box<Term>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Minus,
    Sin,
    Cos,
    Sqrt,
    Abs,
}

/// An expression as it stands in a file: text, or a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Number(f64),
    Text(String),
}

impl TryFrom<Text> for Expression {
    type Error = String;

    fn try_from(text: Text) -> Result<Self, String> {
        match text {
            Text::Number(x) => Ok(Self { text: format!("{x:?}"), root: Term::Number(x) }),
            Text::Text(text) => Self::parse(&text),
        }
    }
}

impl Expression {
    /// Reads an expression.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text.trim_start() };
        let root = parser.sum()?;
        match parser.rest {
            "" => Ok(Self { text: text.to_owned(), root }),
            rest => Err(format!("`{text}`: `{rest}` is not understood")),
        }
    }

    /// As written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The names in it, each once.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect(&self.root, &mut names);
        names
    }

    /// Its value, with the value of every name.
    pub(super) fn value(&self, of: &impl Fn(&str) -> f64) -> f64 {
        value(&self.root, of)
    }
}

fn collect(term: &Term, names: &mut Vec<String>) {
    match term {
        Term::Number(_) => {}
        Term::Name(name) if names.contains(name) => {}
        Term::Name(name) => names.push(name.clone()),
        Term::Of(_, inner) => collect(inner, names),
        Term::Two(a, _, b) => {
            collect(a, names);
            collect(b, names);
        }
    }
}

fn value(term: &Term, of: &impl Fn(&str) -> f64) -> f64 {
    match term {
        Term::Number(x) => *x,
        Term::Name(name) => of(name),
        Term::Of(function, inner) => {
            let x = value(inner, of);
            match function {
                Function::Minus => -x,
                Function::Sin => x.sin(),
                Function::Cos => x.cos(),
                Function::Sqrt => x.sqrt(),
                Function::Abs => x.abs(),
            }
        }
        Term::Two(a, operator, b) => {
            let (a, b) = (value(a, of), value(b, of));
            match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ => a / b,
            }
        }
    }
}

/// Recursive descent over the text that is left.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Term, String> {
        let mut left = self.product()?;
        while let Some(operator) = self.one_of("+-") {
            left = Term::Two(Box::new(left), operator, Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Term, String> {
        let mut left = self.factor()?;
        while let Some(operator) = self.one_of("*/") {
            left = Term::Two(Box::new(left), operator, Box::new(self.factor()?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Term, String> {
        match self.one_of("-(") {
            Some('-') => Ok(Term::Of(Function::Minus, Box::new(self.factor()?))),
            Some(_) => self.bracket(),
            None if self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') => self.number(),
            None => self.name(),
        }
    }

    /// What stands in a bracket that is open.
    fn bracket(&mut self) -> Result<Term, String> {
        let inner = self.sum()?;
        self.one_of(")").map(|_| inner).ok_or_else(|| "a bracket is not closed".to_owned())
    }

    fn number(&mut self) -> Result<Term, String> {
        let mut before = ' ';
        let is_part = |c: char, before: char| {
            c.is_ascii_digit() || ".eE".contains(c) || ("+-".contains(c) && "eE".contains(before))
        };
        let end = self.rest.find(|c| {
            let ends = !is_part(c, before);
            before = c;
            ends
        });
        let text = self.take(end);
        text.parse().map(Term::Number).map_err(|_| format!("`{text}` is no number"))
    }

    fn name(&mut self) -> Result<Term, String> {
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || "._".contains(c)));
        let name = self.take(end);
        if name.is_empty() {
            return Err(format!("a number or a name is missing before `{}`", self.rest));
        }
        let function = match name.as_str() {
            "pi" => return Ok(Term::Number(std::f64::consts::PI)),
            "sin" => Function::Sin,
            "cos" => Function::Cos,
            "sqrt" => Function::Sqrt,
            "abs" => Function::Abs,
            _ => return Ok(Term::Name(name)),
        };
        match self.one_of("(") {
            Some(_) => Ok(Term::Of(function, Box::new(self.bracket()?))),
            None => Err(format!("`{name}` needs a bracket")),
        }
    }

    fn one_of(&mut self, characters: &str) -> Option<char> {
        let found = self.rest.chars().next().filter(|c| characters.contains(*c))?;
        self.take(Some(1));
        Some(found)
    }

    /// Takes the text up to `end`, and the spaces behind it.
    fn take(&mut self, end: Option<usize>) -> String {
        let (taken, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        taken.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;

    #[test]
    fn values_are_those_of_arithmetic() {
        let of = |name: &str| if name == "ball.z" { 2.0 } else { 3.0 };
        for (text, expected) in [
            ("ball.z - 0.2", 1.8),
            ("2 - 3 - x", -4.0),
            ("-x * (ball.z + 1) / 3", -3.0),
            ("1e-3 + 1.5E+1", 15.001),
            ("sin(pi / 2) + cos(0) - sqrt(abs(-4))", 0.0),
        ] {
            let found = Expression::parse(text).unwrap().value(&of);
            assert!((found - expected).abs() < 1e-15 * 100.0, "{text}: {found}");
        }
        assert_eq!(Expression::parse("a + b*a").unwrap().names(), ["a", "b"]);
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in ["", "1 +", "(1", "1)", "sin x", "2 x", "1e", "a $ b"] {
            assert!(Expression::parse(text).is_err(), "{text}");
        }
    }
}
