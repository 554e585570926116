//! Values of all types, the numbers of choices, and their bytes in the description.

use cosimo_mechanics::{
    Activation, ContactLaw, Energy, ImpactLaw, ImpulseMoments, Restitution, StaticFriction, Stribeck,
};
use cosimo_subsystem::nalgebra::{DMatrix, UnitQuaternion, Vector3};
use cosimo_subsystem::scene::{
    Anchor, Appearance, Body, ContactForce, Geometry, Link, Mesh, Pose, Role, Shape, Sight,
};
use cosimo_subsystem::{
    Capabilities, ContactPool, ContactScale, ContactSpec, Description, Excitation, Hold, LoadResponse,
    MacroStep, PortAttachment, PortMotion, PortSpec, PortState, Quantity, RowBlock, RowBlocks, RowMatrix,
    RowState, SignalInput, SparseRows, StepLoads, SubsystemError, codec,
};
use cosimo_transport::{Answer, Present, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{DESCRIPTION, blocks, hex};

fn shapes() -> [Shape; 2] {
    let mesh = Mesh { vertices: vec![[1.0, 2.0, 3.0]], triangles: vec![[0, 0, 0]] };
    let cylinder = Shape::new(Geometry::Cylinder { radius: 0.5, length: 0.25 });
    let cylinder = cylinder.at([1.0, 2.0, 3.0]).colored([1.0, 0.5, 0.0]).standing_for(Role::Beam);
    [cylinder, Shape::new(Geometry::Mesh { mesh: mesh.into() })]
}

fn contact() -> ContactSpec {
    let attached = |weight| Some(PortAttachment { port: 0, direction: vec![weight] });
    let stribeck = Some(Stribeck { speed: 2.0, exponent: 1.0 });
    let law = ContactLaw {
        restitution: 0.5,
        friction: 0.25,
        static_friction: Some(StaticFriction { coefficient: 0.75, stribeck }),
        tangential_restitution: 0.125,
        impact: ImpactLaw::Newton,
        facets: Some(8),
        activation: Activation { gamma: Some(0.5), restitution: Restitution::Always },
    };
    ContactSpec { name: "stop".into(), law, attachment: attached(1.0), tangents: vec![None, attached(2.0)] }
}

/// Everything that a description can have; it is not valid.
fn description() -> Description {
    let anchor = |body| Anchor { body, point: Vector3::zeros() };
    let link = Link {
        name: "rod".into(),
        from: anchor(Some(0)),
        to: anchor(None),
        radius: 0.125,
        role: Role::Force,
    };
    let [cylinder, mesh] = shapes();
    let capabilities = Capabilities {
        can_roll_back: true,
        takes_jumps: true,
        takes_moves: true,
        captures_impacts: true,
        is_strain_free: true,
        ..Capabilities::default()
    };
    Description {
        ports: vec![PortSpec::frame("hub")],
        load_ports: vec![PortSpec::new("air", 3)],
        inputs: vec![SignalInput {
            name: "u".into(),
            unit: "N".into(),
            hold: Hold::Smooth,
            default: Some(0.5),
        }],
        contacts: vec![contact()],
        pools: vec![ContactPool {
            name: "pile".into(),
            contacts: 0..1,
            bodies: vec!["a".into(), "b".into()],
        }],
        quantities: vec![Quantity { name: "T".into(), unit: "K".into() }],
        capabilities,
        rule: "bdf".into(),
        excitations: vec![Excitation::new(vec![1.0], vec![3.0]).unwrap().sampled(2)],
        appearance: Appearance {
            bodies: vec![Body::new("disk").with_shape(cylinder).with_shape(mesh)],
            links: vec![link],
            contacts: vec!["floor".into()],
            up: Some(Vector3::z()),
        },
        ..Description::new("rig")
    }
}

fn motion() -> PortMotion {
    let state = |position, velocity| PortState {
        positions: vec![position],
        velocities: vec![velocity],
        orientations: vec![UnitQuaternion::identity()],
    };
    PortMotion { start: state(1.0, 2.0), end: state(2.0, 3.0) }
}

fn requests() -> [Request; 4] {
    let moments = ImpulseMoments {
        velocity: vec![4.0],
        velocity_damped: vec![5.0],
        position: vec![6.0],
        position_damped: vec![7.0],
    };
    [
        Request::BeginPredicted {
            step: MacroStep { time: 1.0, size: 0.25 },
            start_loads: vec![1.0],
            start: vec![2.0],
            end: vec![3.0],
            momenta: vec![4.0],
            needs_matrices: true,
        },
        Request::Respond { motion: motion() },
        Request::Commit {
            loads: StepLoads {
                impulses: vec![1.0],
                momenta: vec![2.0],
                moves: vec![3.0],
                has_moves: true,
                moments,
                has_moments: true,
                motion: motion(),
            },
        },
        Request::LimitResponse { needed: vec![true, false] },
    ]
}

fn answers() -> [Answer; 4] {
    let block = RowBlock { rows: vec![1], entries: DMatrix::from_element(1, 1, 0.5) };
    let mut sparse = SparseRows::with_pattern(2, |row| (row..2 * row).collect::<Vec<_>>()).unwrap();
    sparse.row_mut(1).fill(0.25);
    let rows = RowState {
        positions: vec![1.0],
        velocities: vec![2.0],
        surface_velocities: vec![3.0],
        orientations: vec![UnitQuaternion::identity()],
        absent: vec![true],
        holders: vec![[1, 2]],
        scales: vec![ContactScale { length: 4.0, speed: 5.0 }],
    };
    [
        Answer::Loads(LoadResponse {
            start: vec![1.0],
            end: vec![2.0],
            position_tangent: RowMatrix::Blocks(RowBlocks::new(2, vec![block]).unwrap()),
            velocity_tangent: RowMatrix::Sparse(sparse),
        }),
        Answer::Seen(Sight {
            poses: vec![Pose::at(Vector3::new(1.0, 2.0, 3.0))],
            forces: vec![ContactForce {
                contact: 0,
                point: Vector3::new(1.0, 2.0, 3.0),
                force: Vector3::new(4.0, 5.0, 6.0),
            }],
        }),
        Answer::Moved(Present {
            rows,
            energy: Energy { kinetic: 6.0, potential: 7.0 },
            jump_work: 8.0,
            observed: vec![9.0],
            outputs: vec![10.0],
        }),
        Answer::Prepared(RowMatrix::Dense(DMatrix::from_column_slice(2, 2, &[1.0, 2.0, 3.0, 4.0]))),
    ]
}

#[track_caller]
fn assert_is<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, described: &[u8]) {
    assert_eq!(hex(&codec::encode(value).unwrap()), hex(described));
    assert_eq!(codec::decode::<T>(described).unwrap(), *value);
}

#[test]
fn values_have_the_bytes_of_the_description() {
    let mut blocks = blocks("Other values").into_iter();
    assert_is(&description(), &blocks.next().unwrap());
    requests().iter().for_each(|request| assert_is(request, &blocks.next().unwrap()));
    answers().iter().for_each(|answer| assert_is(answer, &blocks.next().unwrap()));
    assert_eq!(blocks.next(), None);
}

/// Every error, in the order of the description.
fn errors() -> Vec<(&'static str, SubsystemError)> {
    use SubsystemError as E;
    let (subsystem, reason) = (String::new(), String::new());
    let (time, size) = (0.0, 0.0);
    vec![
        ("load length", E::LoadLength { subsystem: subsystem.clone(), expected: 0, found: 0 }),
        ("load not finite", E::LoadNotFinite { subsystem: subsystem.clone(), row: 0, place: reason.clone() }),
        ("motion shape", E::MotionShape { subsystem: subsystem.clone(), coordinates: 0, frames: 0 }),
        ("motion not finite", E::MotionNotFinite { subsystem: subsystem.clone() }),
        ("bad inputs", E::BadInputs { subsystem: subsystem.clone(), reason: reason.clone() }),
        ("bad step", E::BadStep { subsystem: subsystem.clone(), time, size, reason: "".into() }),
        ("not begun", E::NotBegun { subsystem: subsystem.clone(), call: "".into() }),
        ("commit prefetched", E::CommitPrefetched { subsystem: subsystem.clone(), call: "".into() }),
        ("step failed", E::StepFailed { subsystem: subsystem.clone(), time, size, reason: reason.clone() }),
        (
            "step holds an event",
            E::StepHoldsEvent { subsystem: subsystem.clone(), time, size, reason: reason.clone() },
        ),
        (
            "pool exhausted",
            E::PoolExhausted { subsystem: subsystem.clone(), pool: reason.clone(), capacity: 0, near: 0 },
        ),
        ("unsupported", E::Unsupported { subsystem: subsystem.clone(), action: "".into() }),
        ("bad snapshot", E::BadSnapshot { subsystem: subsystem.clone(), reason: reason.clone() }),
        ("not finite", E::NotFinite { subsystem: subsystem.clone(), what: reason.clone() }),
        ("panicked", E::Panicked { subsystem: subsystem.clone(), message: reason.clone() }),
        ("timed out", E::TimedOut { subsystem: subsystem.clone(), call: "".into(), seconds: 0.0 }),
        ("protocol", E::Protocol { subsystem: subsystem.clone(), reason: reason.clone() }),
        ("disconnected", E::Disconnected { subsystem: subsystem.clone(), reason: reason.clone() }),
        ("bad excitation", E::BadExcitation { times: 0, values: 0 }),
        ("bad description", E::BadDescription { subsystem, reason }),
    ]
}

/// Bytes of the fields of a row of the table of errors, where all texts are empty.
fn size_of(fields: &str) -> usize {
    8 * ["text", "`u64`", "`f64`"].iter().map(|field| fields.matches(field).count()).sum::<usize>()
}

#[test]
fn errors_have_the_numbers_and_fields_of_the_description() {
    let (_, section) = DESCRIPTION.split_once("\n### Errors\n").unwrap();
    for (number, (name, error)) in errors().iter().enumerate() {
        let bytes = codec::encode(error).unwrap();
        assert_eq!(bytes[..5], [1, number as u8, 0, 0, 0], "{name}");
        let row = format!("\n| {number} | {name} | ");
        let (_, rest) = section.split_once(&row).unwrap_or_else(|| panic!("{row}"));
        let fields = match rest.split(" |\n").next().unwrap() {
            fields if fields.starts_with("as of 8") => "text `f64` `f64` text",
            // What stands behind the fields in words has no field.
            fields => fields.split(", as in").next().unwrap(),
        };
        assert_eq!(bytes.len(), 5 + size_of(fields), "{name}: {fields}");
    }
}

/// Every request, by its number.
fn all_requests() -> [Request; 17] {
    let [begin_predicted, respond, commit, set_active_rows] = requests();
    let snapshot = cosimo_subsystem::Snapshot::from_bytes(Vec::new());
    let none = Vec::new;
    [
        set_active_rows,
        Request::ReportMoves { wanted: true },
        Request::Begin { step: MacroStep::default(), start_loads: none() },
        begin_predicted,
        Request::Evaluate { impulses: none() },
        respond,
        Request::EvaluateRows { impulses: none() },
        commit,
        Request::Discard,
        Request::PrepareJump { size: 0.0 },
        Request::Jump { impulses: none() },
        Request::Shift { weights: none() },
        Request::SetInputs { inputs: Vec::new() },
        Request::Outputs { inputs: none() },
        Request::Look { loads: none() },
        Request::Save,
        Request::Restore { snapshot },
    ]
}

#[test]
fn requests_have_the_numbers_of_the_description() {
    let (_, section) = DESCRIPTION.split_once("\n## Requests\n").unwrap();
    for (number, request) in all_requests().iter().enumerate() {
        assert_eq!(codec::encode(request).unwrap()[..5], [1, number as u8, 0, 0, 0], "{request:?}");
        let row = format!("\n| {number} | {} | ", request.name().replace('_', " "));
        assert!(section.contains(&row), "{row}");
    }
}
