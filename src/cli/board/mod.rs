//! `sanban board`: a graphical board in the browser, served to this machine only.

mod engines;
mod files;
mod house;
mod http;
mod tab;

use super::Failure;
use super::args::SolvedArgs;
use super::text::print;
use crate::cli::interrupt;
use engines::Engines;
use house::House;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

/// The default port. It is fixed, since browsers store a page's settings by port.
const PORT: u16 = 7378;

/// Open a board in the browser to play, analyse and learn. Press Ctrl-C to quit.
///
/// The page is served to this machine only. Its address is the first line on standard output.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Port to listen on [default: 7378, or any free port if it is in use]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    solved: SolvedArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let tables = args.solved.read()?;
    let listener = listen(args.port)
        .map_err(|(port, error)| Failure::Work(format!("cannot listen on port {port}: {error}")))?;
    let port = listener.local_addr().map_err(|error| Failure::Work(error.to_string()))?.port();
    let address = format!("http://127.0.0.1:{port}/");
    print(&address)?;
    // No cleanup is needed on exit.
    interrupt::instead(|| std::process::exit(0));
    if !args.no_open
        && let Err(error) = open::that_detached(&address)
    {
        super::text::note(&format!("cannot open a browser ({error}): please open {address}"));
    }
    let house = House {
        port,
        usual: (args.port.is_none() && port != PORT).then_some(PORT),
        engines: Engines::default(),
        tables: Mutex::new(tables),
        solving: Mutex::new(()),
        connections: AtomicUsize::new(0),
        tabs: AtomicUsize::new(0),
    };
    http::serve(&listener, &Arc::new(house));
    Ok(())
}

/// Listens on a loopback port, which other machines cannot reach.
fn listen(port: Option<u16>) -> Result<TcpListener, (u16, io::Error)> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        Some(port) => bind(port).map_err(|error| (port, error)),
        None => bind(PORT).or_else(|_| bind(0)).map_err(|error| (0, error)),
    }
}
