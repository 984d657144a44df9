//! The `repertoire` binary: hands the process's arguments and environment to [`repertoire::app`].

use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    repertoire::app::main(std::env::args_os().collect(), Arc::new(|name: &str| std::env::var_os(name)))
}
