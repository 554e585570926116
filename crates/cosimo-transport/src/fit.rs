//! Answers that crossed a stream are checked against the description: who uses them relies on their lengths.

use cosimo_subsystem::{Description, LoadResponse, RowMatrix, RowState, StepResponse};

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
