//! Bodies are where the run had them.

use cosimo_formats::{Format, FormatError, convert};

use crate::tools::{node, python};
use crate::{filmed, recorded};

#[test]
fn gltf_is_valid_and_has_every_pose() {
    for frames in [1, 2, 40] {
        let (folder, results) = filmed::run(frames);
        convert(&results, Format::Gltf, folder.path()).unwrap();
        node("validate.js", "gltf-validator", &folder.path().join("scene.glb"));
        python("read_gltf.py", &["numpy"], folder.path());
    }
}

#[test]
fn vtk_reads_every_pose_and_force() {
    for frames in [1, 12] {
        let (folder, results) = filmed::run(frames);
        convert(&results, Format::ParaView, folder.path()).unwrap();
        // Again: the folder is replaced.
        convert(&results, Format::ParaView, folder.path()).unwrap();
        python("read_paraview.py", &["numpy", "vtkmodules.vtkIOXML"], folder.path());
    }
}

#[test]
fn mcap_has_frames_shapes_and_forces() {
    for frames in [1, 12] {
        let (folder, results) = filmed::run(frames);
        convert(&results, Format::Mcap, folder.path()).unwrap();
        let modules = ["numpy", "mcap.reader", "mcap_protobuf.decoder"];
        python("read_scene_mcap.py", &modules, folder.path());
    }
}

#[test]
fn nothing_to_be_seen_is_no_scene() {
    let (folder, results) = recorded::run(2);
    for format in [Format::Gltf, Format::ParaView] {
        let error = convert(&results, format, folder.path()).unwrap_err();
        assert!(matches!(error, FormatError::NoBodies { .. }), "{error}");
    }
}
