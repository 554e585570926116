//! From the tree of a formula to its value.

use crate::error::{FormulaError, Mistake};
use crate::function::{Function, Two};
use crate::number::Number;
use crate::term::{Kind, Operator, Term};
use crate::value::Value;

type Found<N> = Result<Value<N>, FormulaError>;

impl Term {
    /// The value, with the values of the names. Of numbers nothing is allocated.
    ///
    /// What is not a number is a mistake where it arises: functions that choose between numbers would hide it.
    pub(crate) fn value<N: Number>(&self, of: &impl Fn(&str) -> Option<Value<N>>) -> Found<N> {
        let found = self.computed(of)?;
        match found.numbers().iter().any(|number| number.value().is_nan()) {
            true => Err(self.error(Mistake::NotFinite)),
            false => Ok(found),
        }
    }

    fn computed<N: Number>(&self, of: &impl Fn(&str) -> Option<Value<N>>) -> Found<N> {
        match &self.kind {
            Kind::Number(number) => Ok(Value::Number(N::constant(*number))),
            Kind::Name(name) => {
                named(name, of).ok_or_else(|| self.error(Mistake::UnknownName { name: name.clone() }))
            }
            Kind::List(parts) => {
                let numbers = parts.iter().map(|part| part.number(of, "a list"));
                Ok(Value::Vector(numbers.collect::<Result<_, _>>()?))
            }
            Kind::Negative(inner) => Ok(inner.value(of)?.map(N::negative)),
            Kind::Two(operator, both) => {
                let [a, b] = [both[0].value(of)?, both[1].value(of)?];
                if *operator == Operator::Divide && b.numbers().iter().any(|b| b.value() == 0.0) {
                    return Err(self.error(Mistake::DivisionByZero));
                }
                self.zipped(a, b, |a, b| operator.apply(a, b))
            }
            Kind::Element(both) => self.element(both, of),
            Kind::Call(function, parts) => self.call(*function, parts, of),
        }
    }

    /// The same with the parts that have no names as numbers. A part without value stays: it may be one that a condition keeps out.
    pub(crate) fn folded(self) -> Self {
        let Self { span, kind } = self;
        let number = |x: f64| Self { span: span.clone(), kind: Kind::Number(x) };
        let each = |parts: Vec<Self>| parts.into_iter().map(Self::folded).collect();
        let both = |both: Box<[Self; 2]>| Box::new(both.map(Self::folded));
        let kind = match kind {
            Kind::Number(_) | Kind::Name(_) => kind,
            Kind::List(parts) => Kind::List(each(parts)),
            Kind::Negative(inner) => Kind::Negative(Box::new(inner.folded())),
            Kind::Two(operator, parts) => Kind::Two(operator, both(parts)),
            Kind::Element(parts) => Kind::Element(both(parts)),
            Kind::Call(function, parts) => Kind::Call(function, each(parts)),
        };
        let folded = Self { span: span.clone(), kind };
        match folded.value::<f64>(&|_| None) {
            Ok(Value::Number(x)) => number(x),
            Ok(Value::Vector(numbers)) => {
                Self { span: span.clone(), kind: Kind::List(numbers.into_iter().map(number).collect()) }
            }
            Err(_) => folded,
        }
    }

    fn error(&self, mistake: Mistake) -> FormulaError {
        FormulaError::new(&self.span, mistake)
    }

    fn zipped<N: Number>(&self, a: Value<N>, b: Value<N>, function: impl Fn(N, N) -> N) -> Found<N> {
        a.zip(b, function).map_err(|(a, b)| self.error(Mistake::Lengths(a, b)))
    }

    fn number<N: Number>(
        &self,
        of: &impl Fn(&str) -> Option<Value<N>>,
        taker: &'static str,
    ) -> Result<N, FormulaError> {
        match self.value(of)? {
            Value::Number(number) => Ok(number),
            Value::Vector(_) => Err(self.error(Mistake::NotANumber(taker))),
        }
    }

    fn element<N: Number>(
        &self,
        [vector, index]: &[Self; 2],
        of: &impl Fn(&str) -> Option<Value<N>>,
    ) -> Found<N> {
        let found = vector.value(of)?;
        let index = index.number(of, "an index")?.value();
        let numbers = found.numbers();
        // Indices that are no whole numbers from 0 on have no element.
        let position = (0..numbers.len()).find(|position| *position as f64 == index);
        let is_vector = matches!(found, Value::Vector(_));
        position
            .filter(|_| is_vector)
            .map(|position| Value::Number(numbers[position]))
            .ok_or_else(|| self.error(Mistake::Element { index: format!("{index}"), length: numbers.len() }))
    }

    fn call<N: Number>(
        &self,
        function: Function,
        parts: &[Self],
        of: &impl Fn(&str) -> Option<Value<N>>,
    ) -> Found<N> {
        let argument = |index: usize| parts[index].value(of);
        match function {
            Function::One(one) => Ok(argument(0)?.map(|x| x.apply(|x| one.at(x)))),
            Function::Two(two) => self.zipped(argument(0)?, argument(1)?, |a, b| two.apply(a, b)),
            Function::Clamp => {
                let least = self.zipped(argument(1)?, argument(2)?, |least, _| least)?;
                let greatest = self.zipped(argument(1)?, argument(2)?, |_, greatest| greatest)?;
                let mut pairs = least.numbers().iter().zip(greatest.numbers());
                if pairs.any(|(least, greatest)| least.value() > greatest.value()) {
                    return Err(self.error(Mistake::Bounds));
                }
                let at_least = self.zipped(argument(0)?, argument(1)?, greater)?;
                self.zipped(at_least, argument(2)?, lesser)
            }
            Function::If => {
                let condition = parts[0].number(of, "a condition")?.value();
                let (taken, left) = if condition == 0.0 { (2, 1) } else { (1, 2) };
                let found = argument(taken)?;
                // What is not taken may have no value there, as a division by zero that the condition keeps out.
                if let Ok(other) = argument(left)
                    && let Some((a, b)) = found.unlike(&other)
                {
                    return Err(self.error(Mistake::Lengths(a, b)));
                }
                Ok(found)
            }
            Function::Sum => Ok(Value::Number(sum(argument(0)?.numbers().iter().copied()))),
            Function::Norm => Ok(Value::Number(norm(self.vector(function, argument(0)?)?.iter().copied()))),
            Function::Unit => {
                let vector = self.vector(function, argument(0)?)?;
                let length = norm(vector.iter().copied());
                Ok(Value::Vector(vector.into_iter().map(|x| x.divide(length)).collect()))
            }
            Function::Dot => {
                let [a, b] = [self.vector(function, argument(0)?)?, self.vector(function, argument(1)?)?];
                let products = self.zipped(Value::Vector(a), Value::Vector(b), N::multiply)?;
                Ok(Value::Number(sum(products.numbers().iter().copied())))
            }
            Function::Cross => {
                let [a, b] = [self.vector(function, argument(0)?)?, self.vector(function, argument(1)?)?];
                let (Ok(a), Ok(b)) = (<[N; 3]>::try_from(a), <[N; 3]>::try_from(b)) else {
                    return Err(self.not_a_vector(function, "three numbers"));
                };
                let minor = |i: usize, j: usize| a[i].multiply(b[j]).subtract(a[j].multiply(b[i]));
                Ok(Value::Vector(vec![minor(1, 2), minor(2, 0), minor(0, 1)]))
            }
        }
    }

    fn vector<N: Number>(&self, function: Function, value: Value<N>) -> Result<Vec<N>, FormulaError> {
        match value {
            Value::Vector(numbers) => Ok(numbers),
            Value::Number(_) => Err(self.not_a_vector(function, "numbers")),
        }
    }

    fn not_a_vector(&self, function: Function, expected: &'static str) -> FormulaError {
        self.error(Mistake::NotAVector { name: function.name(), expected })
    }
}

/// The value of a name, or of the element that its last letter stands for, as in `tip.x`.
pub(crate) fn named<N: Number>(name: &str, of: &impl Fn(&str) -> Option<Value<N>>) -> Option<Value<N>> {
    of(name).or_else(|| {
        let (vector, letter) = name.rsplit_once('.')?;
        let index = ["x", "y", "z", "w"].iter().position(|own| *own == letter)?;
        match of(vector)? {
            Value::Vector(numbers) => numbers.get(index).copied().map(Value::Number),
            Value::Number(_) => None,
        }
    })
}

impl Operator {
    fn apply<N: Number>(self, a: N, b: N) -> N {
        let truth = |holds: bool| N::constant(f64::from(u8::from(holds)));
        match self {
            Self::Add => a.add(b),
            Self::Subtract => a.subtract(b),
            Self::Multiply => a.multiply(b),
            Self::Divide => a.divide(b),
            Self::Power => a.power(b),
            Self::Less => truth(a.value() < b.value()),
            Self::NotMore => truth(a.value() <= b.value()),
            Self::More => truth(a.value() > b.value()),
            Self::NotLess => truth(a.value() >= b.value()),
        }
    }
}

impl Two {
    fn apply<N: Number>(self, a: N, b: N) -> N {
        match self {
            Self::Min => lesser(a, b),
            Self::Max => greater(a, b),
            // The remainder of the sign of the divisor, as the angle within a turn.
            Self::Mod => a.subtract(b.multiply(N::constant((a.value() / b.value()).floor()))),
            Self::Hypot => norm([a, b].into_iter()),
            Self::Atan2 => {
                // The angle of both at once is that of the slope, up to a constant.
                let angle = a.value().atan2(b.value());
                let slope =
                    if a.value().abs() < b.value().abs() { a.divide(b) } else { b.divide(a).negative() };
                let turned =
                    slope.apply(|x| [x.atan(), 1.0 / (1.0 + x * x), -2.0 * x / (1.0 + x * x).powi(2)]);
                if a.value() == 0.0 && b.value() == 0.0 {
                    return N::constant(angle);
                }
                turned.apply(|_| [angle, 1.0, 0.0])
            }
        }
    }
}

fn lesser<N: Number>(a: N, b: N) -> N {
    if b.value() < a.value() { b } else { a }
}

fn greater<N: Number>(a: N, b: N) -> N {
    if b.value() > a.value() { b } else { a }
}

fn sum<N: Number>(numbers: impl Iterator<Item = N>) -> N {
    numbers.fold(N::constant(0.0), N::add)
}

/// Squares that are neither too large nor too small to be exact.
const SQUARES: std::ops::Range<f64> = 1e-280..1e280;

/// Euclidean length; of a zero vector without derivatives.
fn norm<N: Number>(numbers: impl Iterator<Item = N> + Clone) -> N {
    let root = |square: N| square.apply(|x| crate::function::One::Sqrt.at(x));
    let square = sum(numbers.clone().map(|x| x.multiply(x)));
    if SQUARES.contains(&square.value()) {
        return root(square);
    }
    let largest = numbers.clone().map(|x| x.value().abs()).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return N::constant(largest);
    }
    let scale = N::constant(largest);
    let scaled = numbers.map(|x| x.divide(scale));
    root(sum(scaled.map(|x| x.multiply(x)))).multiply(scale)
}
