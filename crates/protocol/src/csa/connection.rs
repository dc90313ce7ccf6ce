//! A connection to a server, over which lines are sent and received.

use super::event::Event;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for establishing a connection, and for sending a line.
const PATIENCE: Duration = Duration::from_secs(20);
/// Maximum length of a line from the server, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

pub struct Connection {
    stream: TcpStream,
    /// The number of the connection, by which lines of earlier connections are ignored.
    pub number: u64,
    /// When the last line was sent.
    pub sent: Instant,
    /// When the last data were received.
    pub heard: Instant,
}

/// Why a connection cannot be made.
pub enum OpenError {
    Name(io::Error),
    Connect(io::Error),
}

impl Connection {
    /// Connects to the server and sends its lines as events.
    pub fn open(host: &str, port: u16, number: u64, events: &Sender<Event>) -> Result<Self, OpenError> {
        let unknown = io::Error::new(io::ErrorKind::NotFound, "no address for this name");
        let mut last = OpenError::Name(unknown);
        for address in (host, port).to_socket_addrs().map_err(OpenError::Name)? {
            let opened = TcpStream::connect_timeout(&address, PATIENCE)
                .and_then(|stream| Self::with(stream, number, events.clone()));
            match opened {
                Ok(connection) => return Ok(connection),
                Err(error) => last = OpenError::Connect(error),
            }
        }
        Err(last)
    }

    fn with(stream: TcpStream, number: u64, events: Sender<Event>) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut reader = BufReader::new(stream.try_clone()?);
        let read = move || {
            let mut line = Vec::new();
            loop {
                line.clear();
                let event = match (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(0) => Event::Closed(number, "the server closed the connection".into()),
                    // An incomplete line is discarded.
                    Ok(_) if line.last() != Some(&b'\n') => {
                        let reason = match line.len() as u64 {
                            LONGEST_LINE => "the server sent a line that is too long",
                            _ => "the connection ended in the middle of a line",
                        };
                        Event::Closed(number, reason.into())
                    }
                    Ok(_) => Event::Line(number, String::from_utf8_lossy(&line).trim().into()),
                    Err(error) => Event::Closed(number, error.to_string()),
                };
                let is_last = matches!(event, Event::Closed(..));
                if events.send(event).is_err() || is_last {
                    return;
                }
            }
        };
        thread::Builder::new().name("server".into()).spawn(read)?;
        let now = Instant::now();
        Ok(Self { stream, number, sent: now, heard: now })
    }

    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.sent = Instant::now();
        self.stream.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}
