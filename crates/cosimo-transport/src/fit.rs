//! Answers that crossed a stream are checked against the description: who uses them relies on their lengths.

use cosimo_subsystem::{Description, LoadResponse, RowMatrix, RowState, StepResponse, Subsystem};

use crate::message::{Answer, Present};

/// Whether the lengths of an answer are those of the description.
pub(crate) fn fits(answer: &Answer, description: &Description) -> bool {
    let rows = description.rows();
    match answer {
        Answer::Response(response) | Answer::ResponseUnderLoads(response) => response_fits(response, rows),
        Answer::Loads(loads) => loads_fit(loads, description.load_coordinates()),
        Answer::Outputs(values) => values.len() == description.outputs.len(),
        Answer::Committed(_, present) | Answer::Moved(present) => present_fits(present, description),
        Answer::Prepared(matrix) => matrix.shape() == (rows, rows),
        Answer::Seen(sight) => sight.fits(&description.appearance),
        Answer::Saved(_) | Answer::Limited | Answer::Discarded | Answer::InputsSet => true,
    }
}

/// Whether what shows has the lengths of the description.
pub(crate) fn present_fits(present: &Present, description: &Description) -> bool {
    let RowState { positions, velocities, surface_velocities, orientations, absent, holders, scales } =
        &present.rows;
    let rows = description.rows();
    positions.len() == rows
        && velocities.len() == rows
        && (surface_velocities.is_empty() || surface_velocities.len() == rows)
        && (absent.is_empty() || absent.len() == description.contacts.len())
        && (holders.is_empty() || holders.len() == description.contacts.len())
        && (scales.is_empty() || scales.len() == description.contacts.len())
        && orientations.len() == description.frames().count()
        && present.observed.len() == description.quantities.len()
        && (present.outputs.is_empty() || outputs_fit(&present.outputs, description))
}

/// Whether these can be the outputs whatever the inputs are.
fn outputs_fit(outputs: &[f64], description: &Description) -> bool {
    outputs.len() == description.outputs.len()
        && description.outputs.iter().all(|output| output.feed_through.is_empty())
}

fn response_fits(response: &StepResponse, rows: usize) -> bool {
    response.positions.len() == rows
        && response.velocities.len() == rows
        && response.inverse_mass.shape() == (rows, rows)
        && is_square_or_empty(&response.damped_inverse_mass, rows)
        && is_square_or_empty(&response.move_mass, rows)
}

fn loads_fit(loads: &LoadResponse, coordinates: usize) -> bool {
    loads.start.len() == coordinates
        && loads.end.len() == coordinates
        && is_square_or_empty(&loads.position_tangent, coordinates)
        && is_square_or_empty(&loads.velocity_tangent, coordinates)
}

fn is_square_or_empty(matrix: &RowMatrix, size: usize) -> bool {
    matrix.is_empty() || matrix.shape() == (size, size)
}

/// Bytes of a message whatever the subsystem: the statistics, and the text of an error.
const ANY: usize = 1 << 20;

/// Bytes at most of what is said of a row, port, contact, signal, body or quantity.
const EACH: usize = 512;

/// Bytes at most of an entry of a matrix, whatever form it has, of all three that a response has.
const ENTRY: usize = 64;

/// Longest message (bytes) about a subsystem of this description, snapshots excepted.
pub(crate) fn longest_reply(description: &Description) -> usize {
    let rows = description.rows();
    let loads = description.load_coordinates();
    let counts = [
        rows,
        loads,
        description.ports.len(),
        description.load_ports.len(),
        description.contacts.len(),
        description.inputs.len(),
        description.outputs.len(),
        description.quantities.len(),
        description.appearance.bodies.len(),
        description.appearance.contacts.len(),
    ];
    let entries = rows.saturating_mul(rows).saturating_add(loads.saturating_mul(loads));
    let each = counts.into_iter().fold(0, usize::saturating_add).saturating_mul(EACH);
    entries.saturating_mul(ENTRY).saturating_add(each).saturating_add(ANY)
}

/// Longest greeting and longest answer to one (bytes).
pub(crate) const GREETING: usize = 1 << 27;

/// A snapshot grows with the past that a rule keeps, by less than so many times, and so many bytes.
const GROWTH: [usize; 2] = [16, 1 << 24];

/// Longest message (bytes) to a subsystem, one that restores a state included.
pub(crate) fn longest_request(subsystem: &dyn Subsystem) -> usize {
    let own = longest_reply(subsystem.description());
    if !subsystem.description().capabilities.can_roll_back {
        return own;
    }
    let saved = subsystem.save().map_or(0, |snapshot| snapshot.as_bytes().len());
    own.saturating_add(saved.saturating_mul(GROWTH[0])).saturating_add(GROWTH[1])
}
