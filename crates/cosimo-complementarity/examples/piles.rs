#[path = "../tests/models/piles.rs"]
mod piles;
use cosimo_complementarity::friction::*;
use std::io::Read;
fn main() {
    let show = |name: String, problem: &FrictionProblem<3>| {
        for (tol, window) in [(1e-6, 0), (1e-4, 10), (1e-6, 10), (1e-8, 10)] {
            let mut gs =
                GaussSeidel::new(GaussSeidelConfig { tolerance: tol, window, max_sweeps: 2000 }).unwrap();
            let mut r = vec![0.0; 3 * problem.contacts()];
            let t = std::time::Instant::now();
            let o = gs.solve(problem, &mut r).unwrap();
            println!(
                "{name} {} contacts {tol:e} w{window}: {:?} {} it {:.2e} {:.1} ms",
                problem.contacts(),
                o.status,
                o.iterations,
                o.residual,
                1e3 * t.elapsed().as_secs_f64()
            );
        }
    };
    for name in ["cubic_99", "packing_100", "bricks_92", "cubic_1000"] {
        let path =
            format!("/work/wt/friction/crates/cosimo-complementarity/tests/reference/friction/{name}.txt.gz");
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let text = FrictionText::parse(&text).unwrap();
        let matrix = BlockMatrix::<3>::from_triplets(text.friction.len(), text.entries).unwrap();
        let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
        show(name.to_owned(), &problem);
    }
    let go = |name: String, p: &piles::Pile| {
        show(name, &FrictionProblem::new(&p.delassus, &p.offset, &p.friction).unwrap())
    };
    for s in [4, 6, 11] {
        go(format!("pyramid {s}"), &piles::pyramid(s, s));
    }
    for (c, b) in [(5, 4), (10, 10)] {
        for push in [0.0, 0.3, 0.9] {
            go(format!("wall {c}x{b} push {push}"), &piles::wall(c, b, push));
        }
    }
    if std::env::args().count() > 1 {
        go("pyramid 16".into(), &piles::pyramid(16, 16));
        go("slab 25 x3".to_owned(), &piles::pyramid(25, 3));
        go("wall 10x60".into(), &piles::wall(10, 60, 0.0));
    }
}
