//! Colours.

use cosimo_scene::{Role, Scene, Shape};

/// Okabe and Ito's palette, without yellow and black.
const COLORS: [[f32; 3]; 6] = [
    [0.0, 0.447, 0.698],
    [0.835, 0.369, 0.0],
    [0.0, 0.62, 0.451],
    [0.8, 0.475, 0.655],
    [0.337, 0.706, 0.914],
    [0.902, 0.624, 0.0],
];
const GREY: [f32; 3] = [0.62, 0.64, 0.67];

/// Of the forces of contacts.
pub(crate) const FORCE_COLOR: [f32; 3] = [0.8, 0.1, 0.15];

/// Colours of what has none of its own: one for each subsystem.
#[derive(Debug)]
pub(crate) struct Palette<'a> {
    subsystems: Vec<&'a str>,
}

impl<'a> Palette<'a> {
    pub(crate) fn of(scene: &'a Scene) -> Self {
        let mut subsystems: Vec<&str> = Vec::new();
        for body in &scene.bodies {
            if !subsystems.contains(&body.subsystem.as_str()) {
                subsystems.push(&body.subsystem);
            }
        }
        Self { subsystems }
    }

    /// Red, green and blue of a shape in \[0, 1\].
    pub(crate) fn shape(&self, subsystem: &str, shape: &Shape) -> [f32; 3] {
        shape.color.unwrap_or_else(|| self.role(subsystem, shape.role))
    }

    /// Those of what stands for this.
    pub(crate) fn role(&self, subsystem: &str, role: Role) -> [f32; 3] {
        let number = self.subsystems.iter().position(|own| *own == subsystem).unwrap_or_default();
        let color = COLORS[number % COLORS.len()];
        match role {
            Role::Ground => GREY,
            Role::Joint => [0, 1, 2].map(|k| 0.3 * color[k] + 0.7 * GREY[k]),
            _ => color,
        }
    }
}
