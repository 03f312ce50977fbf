//! The shipped games are built into the binary: a new file among them must build it anew.
fn main() {
    println!("cargo:rerun-if-changed=../../rules");
    println!("cargo:rerun-if-changed=../../scenarios");
}
