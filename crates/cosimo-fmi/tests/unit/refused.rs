//! Units that need what is not supported are refused by name; of their descriptions alone, since nothing is loaded.

use cosimo_fmi::Fmu;
use cosimo_fmi::unit::UnitOptions;

/// Why a unit of FMI 3 with these faces and variables is refused; empty where it is not.
fn refusal(faces: &str, variables: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\" modelName=\"odd\" instantiationToken=\"t\">\n\
         {faces}\n<ModelVariables>\n<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"/>\n\
         {variables}\n</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>\n"
    );
    std::fs::write(folder.path().join("modelDescription.xml"), text).unwrap();
    let fmu = Fmu::open(folder.path()).unwrap();
    fmu.face(&UnitOptions::default()).err().map(|error| error.to_string()).unwrap_or_default()
}

const STEPS: &str = "<CoSimulation modelIdentifier=\"odd\"/>";

#[test]
fn scheduled_execution_clocks_and_binary_streams_are_refused_by_name() {
    let scheduled = refusal("<ScheduledExecution modelIdentifier=\"odd\"/>", "");
    assert!(scheduled.contains("`odd`") && scheduled.contains("has scheduled execution only"), "{scheduled}");
    let clock = |causality: &str| {
        refusal(
            STEPS,
            &format!(
                "<Clock name=\"tick\" valueReference=\"1\" causality=\"{causality}\" intervalVariability=\"triggered\"/>"
            ),
        )
    };
    for causality in ["input", "output"] {
        let refused = clock(causality);
        assert!(refused.contains("`odd`") && refused.contains("has the clock `tick`"), "{refused}");
    }
    assert_eq!(clock("local"), "");
    let stream = |kind: &str| {
        refusal(
            STEPS,
            &format!("<Binary name=\"bus\" valueReference=\"1\" causality=\"output\" mimeType=\"{kind}\"/>"),
        )
    };
    let bus = "application/org.fmi-standard.fmi-ls-bus.can; version=&quot;1.0.0&quot;";
    let refused = stream(bus);
    for part in ["`odd`", "has the binary stream `bus` of the layered standard", "fmi-ls-bus.can"] {
        assert!(refused.contains(part), "{refused}");
    }
    assert_eq!(stream("image/png"), "");
    assert_eq!(refusal(STEPS, ""), "");
}
