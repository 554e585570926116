use cosimo_complementarity::*;
use std::hint::black_box;
use std::time::Instant;
fn main(){
 let mut l=LemkeWorkspace::with_capacity(64);
 let m=[2.0]; let q=[-1.0]; let mut z=[0.0];
 let n=20_000_000;
 let t=Instant::now();
 let mut acc=0.0;
 for _ in 0..n { let p=LcpProblem::new(black_box(&m[..]),black_box(&q[..])).unwrap(); let o=l.solve(p,&mut z).unwrap(); if o.is_solved(){acc+=z[0];} }
 println!("n=1 {:.2} ns {acc}", t.elapsed().as_secs_f64()/n as f64*1e9);
 let t=Instant::now();
 let mut x=0.5; for _ in 0..n { x = black_box(1.0)/(x+1.0); } println!("div chain {:.2} {x}", t.elapsed().as_secs_f64()/n as f64*1e9);
 let m=[1.0,0.995,0.995,1.0]; let q=[-1.0;2]; let mut z=[0.0;2]; let n=5_000_000;
 let t=Instant::now();
 for _ in 0..n { let p=LcpProblem::new(black_box(&m[..]),black_box(&q[..])).unwrap(); let o=l.solve(p,&mut z).unwrap(); if o.is_solved(){acc+=z[0];} }
 println!("n=2 {:.2} ns {acc}", t.elapsed().as_secs_f64()/n as f64*1e9);
 for k in [4usize,16,64]{
  let m:Vec<f64>=(0..k*k).map(|i|match (i%k).abs_diff(i/k){0=>2.0,1=>-0.9,_=>0.0}).collect(); let q=vec![-1.0;k]; let mut z=vec![0.0;k];
  let p=LcpProblem::new(&m,&q).unwrap(); println!("{k} {:?}",l.solve(p,&mut z));
 }
}
