//! The protocol and the server, without a process.

use std::io::ErrorKind;

use cosimo_fmi_export::protocol::*;
use cosimo_fmi_export::{ExportedUnit, serve};

/// A unit of one number.
#[derive(Default)]
struct Counter(i32);

impl ExportedUnit for Counter {
    type State = i32;

    fn set(&mut self, changes: &[Change]) -> Result<(), String> {
        for change in changes {
            let Value::Integer(number) = change.value else {
                return Err("a counter has integers".to_owned());
            };
            self.0 = number;
        }
        Ok(())
    }

    fn values(&mut self) -> Result<Vec<Value>, String> {
        Ok(vec![Value::Integer(self.0)])
    }

    fn enter_initialisation(&mut self, _: &Experiment) -> Result<(), String> {
        Ok(())
    }

    fn exit_initialisation(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<StepOutcome, String> {
        self.0 += 1;
        Ok(StepOutcome { reached: step.time + step.size, event: false, terminate: false })
    }

    fn save(&mut self) -> Result<i32, String> {
        Ok(self.0)
    }

    fn restore(&mut self, state: &i32) -> Result<(), String> {
        self.0 = *state;
        Ok(())
    }
}

fn request(call: Call) -> Request {
    Request { released: Vec::new(), changes: Vec::new(), call }
}

/// What a counter answers.
fn answers(requests: &[Request]) -> Vec<Result<Reply, Failure>> {
    let (mut input, mut output, mut buffer) = (Vec::new(), Vec::new(), Vec::new());
    for request in requests {
        send(&mut input, request, &mut buffer).unwrap();
    }
    serve(&mut Counter::default(), &input[..], &mut output).unwrap();
    let mut output = &output[..];
    std::iter::from_fn(|| receive::<Answer>(&mut output, &mut buffer).unwrap())
        .map(|answer| answer.result)
        .collect()
}

fn values(number: i32) -> Reply {
    Reply::Values(vec![Value::Integer(number)])
}

#[test]
fn a_server_does_what_it_is_asked() {
    let step = || Step { time: 1.0, size: 0.5, may_end_early: false };
    let changes = vec![Change { scalar: 0, value: Value::Integer(7) }];
    let outcome = StepOutcome { reached: 1.5, event: false, terminate: false };
    let answers = answers(&[
        request(Call::Hello(VERSION)),
        Request { changes, ..request(Call::Save) },
        request(Call::Step(step())),
        request(Call::Restore(1)),
        Request { released: vec![1], ..request(Call::Read) },
        request(Call::Restore(1)),
        request(Call::Reset),
        request(Call::Serialise(1)),
    ]);
    let lost = |text: &str, broken| Err(Failure { text: text.to_owned(), broken });
    let expected = [
        Ok(values(0)),
        Ok(Reply::State(1)),
        Ok(Reply::Stepped(outcome, vec![Value::Integer(8)])),
        Ok(values(7)),
        Ok(values(7)),
        lost("there is no such state", true),
        lost("the unit cannot do this", true),
        lost("there is no such state", false),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn another_version_and_other_types_are_refused() {
    let changes = vec![Change { scalar: 0, value: Value::Real(7.0) }];
    let answers = answers(&[request(Call::Hello(VERSION + 1)), Request { changes, ..request(Call::Save) }]);
    assert!(matches!(&answers[0], Err(failure) if failure.text.contains("version")), "{answers:?}");
    assert!(matches!(&answers[1], Err(failure) if failure.text.contains("integers") && failure.broken));
}

/// One message of every form.
fn messages() -> Vec<Answer> {
    let texts = [(Severity::Information, "eins"), (Severity::Warning, "zwölf"), (Severity::Error, "")];
    let messages = texts.map(|(severity, text)| Message { severity, text: text.to_owned() }).to_vec();
    let all = vec![Value::Real(0.1), Value::Integer(-3), Value::Boolean(true), Value::Text("ü".to_owned())];
    let results = [
        Ok(Reply::Values(all.clone())),
        Ok(Reply::Stepped(StepOutcome { reached: 1.0, event: true, terminate: false }, all.clone())),
        Ok(Reply::Updated(EventOutcome { again: true, terminate: false, next_event: Some(2.0) }, all)),
        Ok(Reply::State(u64::MAX)),
        Ok(Reply::Bytes(vec![1, 2, 3])),
        Ok(Reply::Numbers(vec![f64::INFINITY, -0.0])),
        Err(Failure { text: "why".to_owned(), broken: true }),
    ];
    results.into_iter().map(|result| Answer { messages: messages.clone(), result }).collect()
}

#[test]
fn messages_are_read_as_they_were_written() {
    let mut buffer = Vec::new();
    for message in messages() {
        let mut bytes = Vec::new();
        send(&mut bytes, &message, &mut buffer).unwrap();
        assert_eq!(receive::<Answer>(&mut &bytes[..], &mut buffer).unwrap(), Some(message));
    }
    assert!(receive::<Answer>(&mut &[][..], &mut buffer).unwrap().is_none());
}

#[test]
fn damaged_messages_are_errors() {
    let mut buffer = Vec::new();
    for message in messages() {
        let mut bytes = Vec::new();
        send(&mut bytes, &message, &mut buffer).unwrap();
        for length in 1..bytes.len() {
            // The stream ends within the message.
            let error = receive::<Answer>(&mut &bytes[..length], &mut buffer).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            // The message says that it is shorter than it is.
            let mut short = bytes.clone();
            short[..4].copy_from_slice(&u32::try_from(length.saturating_sub(4)).unwrap().to_le_bytes());
            assert_eq!(
                receive::<Answer>(&mut &short[..], &mut buffer).unwrap_err().kind(),
                ErrorKind::InvalidData
            );
        }
        // Whatever the bytes are, reading ends and takes little memory.
        for at in 4..bytes.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut other = bytes.clone();
                other[at] = byte;
                let _ = receive::<Answer>(&mut &other[..], &mut buffer);
            }
        }
        let mut long = bytes.clone();
        long[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(
            receive::<Answer>(&mut &long[..], &mut buffer).unwrap_err().kind(),
            ErrorKind::InvalidData
        );
        let mut surplus = bytes.clone();
        surplus.push(0);
        surplus[..4].copy_from_slice(&u32::try_from(bytes.len() - 3).unwrap().to_le_bytes());
        assert_eq!(
            receive::<Answer>(&mut &surplus[..], &mut buffer).unwrap_err().kind(),
            ErrorKind::InvalidData
        );
    }
}

#[test]
fn sheets_are_read_as_they_were_written() {
    let mut sheet = Sheet {
        token: "{a token}".to_owned(),
        server: "a server".to_owned(),
        arguments: vec!["{resources}/a b".to_owned(), String::new()],
        scalars: Vec::new(),
    };
    sheet.push(Kind::Real, Role::Input, 3);
    sheet.push(Kind::Text, Role::Tunable, 1);
    assert_eq!(Sheet::parse(&sheet.write()), Ok(sheet.clone()));
    let arguments: Vec<String> = sheet.arguments_in("/x y").collect();
    assert_eq!(arguments, ["/x y/a b", ""]);
    let wrong = ["", "cosimo-fmu 2", "cosimo-fmu 1\nnonsense", "cosimo-fmu 1\nvariable real input 0"];
    for text in
        wrong.into_iter().chain(["cosimo-fmu 1\nvariable real 1", "cosimo-fmu 1\nvariable real input 1 1"])
    {
        assert!(Sheet::parse(text).is_err(), "{text}");
    }
}
