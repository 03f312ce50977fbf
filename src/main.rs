//! Hands over to the room `cli`.

/// Memory for the whole program: checking and compiling make many small things, and the system's allocator takes a fifth of their time.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    houserule::cli::main()
}
