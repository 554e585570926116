use cosimo::prelude::*;

fn main() -> Result<(), ModelError> {
    let mut model = Model::open("examples/oscillator/model.toml")?;
    for stiffness in [1e3, 2e3, 4e3] {
        model.set("interface.spring.stiffness", stiffness)?;
        let end = model.run()?.last("upper.z")?;
        println!("{stiffness} N/m: {end} m");
    }
    Ok(())
}
