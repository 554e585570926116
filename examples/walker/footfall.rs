//! The foot-fall diagram of a walk: when each foot presses on the floor, and for what share of the time.
//!
//! ```text
//! cargo run --release -- run examples/walker/cone.toml --out out/walk --set record.every=1
//! cargo run --release -p cosimo --example footfall -- out/walk/results.csv out/footfall.svg
//! ```
//!
//! It reads the columns `t` and `NAME.floor.impulse` and prints the duty cycle of each foot, the share of the recorded steps
//! in which the floor pushes it.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints what it does")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

/// Of the picture, in pixels: a line, the place of its name, and the bars.
const LINE: f64 = 26.0;
const MARGIN: f64 = 70.0;
const WIDTH: f64 = 800.0;

/// When a foot presses.
struct Foot {
    name: String,
    /// One a recorded step.
    presses: Vec<bool>,
}

impl Foot {
    /// Share of the steps in which the foot presses.
    fn duty(&self) -> f64 {
        self.presses.iter().filter(|presses| **presses).count() as f64 / self.presses.len().max(1) as f64
    }

    /// First step and end of each time on the floor.
    fn times_down(&self) -> Vec<[usize; 2]> {
        let mut times: Vec<[usize; 2]> = Vec::new();
        for k in (0..self.presses.len()).filter(|k| self.presses[*k]) {
            match times.last_mut() {
                Some([_, end]) if *end == k => *end = k + 1,
                _ => times.push([k, k + 1]),
            }
        }
        times
    }
}

/// A recorded walk: the end of each step (s) and the feet.
struct Walk {
    times: Vec<f64>,
    feet: Vec<Foot>,
}

impl Walk {
    /// Reads `results.csv`.
    fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        let mut lines = text.lines();
        let names = lines.next().ok_or("no line of names")?.split(',');
        let feet = names.enumerate().filter_map(|(k, name)| Some((k, name.strip_suffix(".floor.impulse")?)));
        let columns: Vec<(usize, &str)> = feet.collect();
        let rows: Vec<Vec<f64>> = lines
            .map(|line| line.split(',').map(str::parse).collect::<Result<_, _>>())
            .collect::<Result<_, _>>()?;
        let foot = |(column, name): &(usize, &str)| Foot {
            name: (*name).to_owned(),
            presses: rows.iter().map(|row| row.get(*column).is_some_and(|impulse| *impulse > 0.0)).collect(),
        };
        let times = rows.iter().filter_map(|row| row.first().copied()).collect();
        Ok(Self { times, feet: columns.iter().map(foot).collect() })
    }

    /// Where the step that ends at recorded point `k` begins in the picture.
    fn place(&self, k: usize) -> f64 {
        let end = self.times.last().copied().unwrap_or(1.0);
        MARGIN + WIDTH * self.times[k.min(self.times.len() - 1)] / end
    }

    fn picture(&self) -> Result<String, Box<dyn Error>> {
        // The first line is the title.
        let (height, end) = (LINE * (self.feet.len() + 1) as f64, self.times.last().copied().unwrap_or(1.0));
        let (all, low) = (WIDTH + 2.0 * MARGIN, height + 3.0 * LINE);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all} {low}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"{all}\" height=\"{low}\" fill=\"white\"/>\n"
        );
        let middle = MARGIN + 0.5 * WIDTH;
        let title = "When each foot presses on the floor; right: share of the time";
        writeln!(out, "<text x=\"{middle}\" y=\"{LINE:.1}\" text-anchor=\"middle\">{title}</text>")?;
        for (line, foot) in self.feet.iter().enumerate() {
            self.draw(&mut out, LINE * (line as f64 + 1.5), foot)?;
        }
        for tick in 0_u8..=8 {
            let (share, y) = (f64::from(tick) / 8.0, height + 1.3 * LINE);
            let x = MARGIN + WIDTH * share;
            writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{:.1}</text>",
                share * end
            )?;
        }
        let y = height + 2.3 * LINE;
        writeln!(out, "<text x=\"{middle}\" y=\"{y:.1}\" text-anchor=\"middle\">t [s]</text>")?;
        Ok(out + "</svg>\n")
    }

    /// A foot's line: its name, its times on the floor, and its duty cycle.
    fn draw(&self, out: &mut String, y: f64, foot: &Foot) -> Result<(), std::fmt::Error> {
        let (bar, text) = (0.7 * LINE, y + 0.5 * LINE);
        writeln!(out, "<text x=\"10\" y=\"{text:.1}\">{}</text>", foot.name)?;
        writeln!(
            out,
            "<rect x=\"{MARGIN}\" y=\"{y:.1}\" width=\"{WIDTH}\" height=\"{bar:.1}\" fill=\"#eeeeee\"/>"
        )?;
        for [first, end] in foot.times_down() {
            let x = self.place(first.saturating_sub(1));
            let width = (self.place(end - 1) - x).max(0.5);
            writeln!(
                out,
                "<rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{bar:.1}\" fill=\"#1f5f8b\"/>"
            )?;
        }
        let right = MARGIN + WIDTH + 10.0;
        writeln!(out, "<text x=\"{right}\" y=\"{text:.1}\">{:.1} %</text>", 100.0 * foot.duty())
    }
}

fn draw(results: &str, picture: &str) -> Result<(), Box<dyn Error>> {
    let walk = Walk::read(&fs::read_to_string(results)?)?;
    for foot in &walk.feet {
        println!("{}: on the floor {:.1} % of the time", foot.name, 100.0 * foot.duty());
    }
    Ok(fs::write(picture, walk.picture()?)?)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [results, picture] = &arguments[..] else {
        eprintln!("usage: footfall RESULTS.csv PICTURE.svg");
        return ExitCode::FAILURE;
    };
    match draw(results, picture) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
