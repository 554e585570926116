use cosimo_complementarity::*;
fn main(){
 let k=64usize; let mut l=LemkeWorkspace::with_capacity(64);
 let m:Vec<f64>=(0..k*k).map(|i|match (i%k).abs_diff(i/k){0=>2.0,1=>-0.9,_=>0.0}).collect(); let q=vec![-1.0;k]; let mut z=vec![0.0;k];
 let p=LcpProblem::new(&m,&q).unwrap();
 for _ in 0..4000 { let _ = std::hint::black_box(l.solve(p,&mut z)); }
}
