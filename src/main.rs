//! Hands over to the room `cli`.
fn main() -> std::process::ExitCode {
    houserule::cli::main()
}
