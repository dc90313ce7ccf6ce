//! A minimal web server for one page: fixed files, and a WebSocket for each tab.
//!
//! Every request must have this server's address as its `Host`, which prevents DNS rebinding, and a socket is opened
//! only for this page's `Origin`: no other page can control the engine.

use super::files::file;
use super::house::House;
use super::tab;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Largest request head, in bytes.
const HEAD: usize = 8 * 1024;
/// Maximum number of header lines in a request.
const LINES: usize = 64;
/// Time limit for receiving the head of a request, and for sending a response.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of simultaneous connections.
const CONNECTIONS: usize = 256;
/// Stack of a connection's thread, in bytes.
const STACK: usize = 1 << 20;

/// One of a limited number of slots, released on drop.
pub(super) struct Seat<'a>(&'a AtomicUsize);

impl<'a> Seat<'a> {
    /// Takes a slot, if one is free.
    pub fn take(taken: &'a AtomicUsize, most: usize) -> Option<Self> {
        let free = |n| (n < most).then_some(n + 1);
        taken.fetch_update(Relaxed, Relaxed, free).ok().map(|_| Self(taken))
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Serves requests forever, with one thread per connection.
pub(super) fn serve(listener: &TcpListener, house: &Arc<House>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Most likely out of file descriptors; others will be closed soon.
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        let house = house.clone();
        let thread = thread::Builder::new().name("connection".into()).stack_size(STACK);
        // If no thread can be started, the stream is closed.
        let _ = thread.spawn(move || match Seat::take(&house.connections, CONNECTIONS) {
            Some(_seat) => connection(stream, &house),
            None => refuse(stream, Status::Busy),
        });
    }
}

/// Header lines of every response: other origins cannot load the page's files, and browsers do not guess their types.
const SECURITY: &str = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
                        Cross-Origin-Resource-Policy: same-origin\r\n";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    BadRequest,
    /// The socket request has the wrong protocol, or an unsupported version (RFC 6455, 4.4).
    Upgrade,
    Forbidden,
    NotFound,
    NotAllowed,
    TooLarge,
    Busy,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Self::BadRequest => "400 Bad Request",
            Self::Upgrade => "426 Upgrade Required",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::NotAllowed => "405 Method Not Allowed",
            Self::TooLarge => "431 Request Header Fields Too Large",
            Self::Busy => "503 Service Unavailable",
        }
    }

    /// Additional header lines required for this status.
    fn more(self) -> &'static str {
        match self {
            Self::Upgrade => "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
            Self::NotAllowed => "Allow: GET, HEAD\r\n",
            _ => "",
        }
    }
}

fn refuse(mut stream: TcpStream, status: Status) {
    let line = status.line();
    let _ = stream.set_write_timeout(Some(PATIENCE));
    // A failure cannot be reported to a closed connection.
    let _ = write!(
        stream,
        "HTTP/1.1 {line}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\n{}{SECURITY}\
         Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n\r\n{line}",
        line.len(),
        status.more()
    );
    drain(&mut stream);
}

/// Reads the remaining input: closing a connection with unread bytes would discard the response.
fn drain(stream: &mut TcpStream) {
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let mut bytes = [0; 4096];
    let end = Instant::now() + Duration::from_millis(500);
    while Instant::now() < end && stream.read(&mut bytes).is_ok_and(|n| n > 0) {}
}

fn connection(mut stream: TcpStream, house: &House) {
    let _ = stream.set_nodelay(true);
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let (bytes, length) = match read_head(&mut stream) {
        Ok(read) => read,
        Err(Some(status)) => return refuse(stream, status),
        // The connection was closed or too slow: no response is needed.
        Err(None) => return,
    };
    let (head, rest) = bytes.split_at(length);
    match route(head, house.port) {
        Err(status) => refuse(stream, status),
        Ok(Route::Socket(accepted)) => match Seat::take(&house.tabs, tab::TABS) {
            Some(_seat) => {
                if stream.write_all(accepted.as_bytes()).is_ok() {
                    tab::serve(stream, rest.to_vec(), house);
                }
            }
            None => refuse(stream, Status::Busy),
        },
        Ok(Route::File(name, with_content)) => {
            let Some(file) = file(&name) else { return refuse(stream, Status::NotFound) };
            // The other files are governed by the policy of the file that loads them.
            let policy = if file.root { policy(house.port) } else { String::new() };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
                 Cache-Control: no-cache\r\n{SECURITY}{policy}\r\n",
                file.kind,
                file.content.len()
            );
            let content = if with_content { &file.content[..] } else { &[] };
            let sent = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(content));
            if sent.is_ok() {
                let _ = stream.shutdown(std::net::Shutdown::Write);
            }
        }
    }
}

/// The header line that restricts what the page may load and forbids embedding it.
fn policy(port: u16) -> String {
    format!(
        "Content-Security-Policy: default-src 'self'; connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; \
         img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    )
}

/// Reads up to the empty line. Returns the bytes received and the length of the head. `Err(None)`: the connection was
/// closed or too slow.
fn read_head(stream: &mut TcpStream) -> Result<(Vec<u8>, usize), Option<Status>> {
    let deadline = Instant::now() + PATIENCE;
    let (mut head, mut bytes) = (Vec::new(), [0; 2048]);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return Err(None);
        }
        let n = match stream.read(&mut bytes) {
            Ok(0) => return Err(None),
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err(None),
        };
        head.extend_from_slice(&bytes[..n]);
        let length = length(&head)?;
        if length.unwrap_or(head.len()) > HEAD {
            return Err(Some(Status::TooLarge));
        }
        if let Some(length) = length {
            return Ok((head, length));
        }
    }
}

/// The length of a request's head; `None` if it is incomplete.
fn length(bytes: &[u8]) -> Result<Option<usize>, Status> {
    let mut lines = [httparse::EMPTY_HEADER; LINES];
    match httparse::Request::new(&mut lines).parse(bytes) {
        Ok(httparse::Status::Complete(length)) => Ok(Some(length)),
        Ok(httparse::Status::Partial) => Ok(None),
        Err(httparse::Error::TooManyHeaders) => Err(Status::TooLarge),
        Err(_) => Err(Status::BadRequest),
    }
}

#[derive(PartialEq, Eq, Debug)]
enum Route {
    /// A file of the page, with its content or without (HEAD).
    File(String, bool),
    /// The socket of a tab, with the response that accepts it.
    Socket(String),
}

fn route(head: &[u8], port: u16) -> Result<Route, Status> {
    let mut lines = [httparse::EMPTY_HEADER; LINES];
    let mut request = httparse::Request::new(&mut lines);
    if !request.parse(head).is_ok_and(|status| status.is_complete()) {
        return Err(Status::BadRequest);
    }
    // A duplicate header makes a request invalid.
    let header = |name: &str| {
        let mut values = request.headers.iter().filter(|line| line.name.eq_ignore_ascii_case(name));
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(line), None) => str::from_utf8(line.value).map(Some).map_err(|_| Status::BadRequest),
            _ => Err(Status::BadRequest),
        }
    };
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = header("host")?.ok_or(Status::BadRequest)?;
    if !hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) {
        return Err(Status::Forbidden);
    }
    let origin = header("origin")?;
    let foreign = |origin: &str| {
        let own = |own: &String| origin.eq_ignore_ascii_case(&format!("http://{own}"));
        !hosts.iter().any(own)
    };
    if origin.is_some_and(foreign) {
        return Err(Status::Forbidden);
    }
    let target = request.path.unwrap_or_default();
    // The target may also be in absolute form (RFC 9112, 3.2.2).
    let path = match target.strip_prefix("http://") {
        Some(address) => address.strip_prefix(host).ok_or(Status::BadRequest)?,
        None => target,
    };
    let path = path.split('?').next().unwrap_or_default();
    match (request.method.unwrap_or_default(), path) {
        ("GET", "/socket") => {
            let has = |name: &str, word: &str| {
                let words = header(name)?.unwrap_or_default().split(',');
                Ok::<_, Status>(words.map(str::trim).any(|found| found.eq_ignore_ascii_case(word)))
            };
            if !has("upgrade", "websocket")? {
                return Err(Status::Upgrade);
            }
            if origin.is_none() {
                return Err(Status::Forbidden);
            }
            if request.version != Some(1) || !has("connection", "upgrade")? {
                return Err(Status::BadRequest);
            }
            match header("sec-websocket-version")? {
                None => return Err(Status::BadRequest),
                Some(version) if version.trim() != "13" => return Err(Status::Upgrade),
                Some(_) => {}
            }
            // The bytes after the header belong to the socket, not to a body.
            let has_body = header("content-length")?.is_some_and(|length| length.trim() != "0")
                || header("transfer-encoding")?.is_some();
            let key = header("sec-websocket-key")?.map(str::trim).filter(|key| is_key(key));
            match key {
                Some(key) if !has_body => Ok(Route::Socket(accepted(key))),
                _ => Err(Status::BadRequest),
            }
        }
        (method @ ("GET" | "HEAD"), path) => Ok(Route::File(path.into(), method == "GET")),
        _ => Err(Status::NotAllowed),
    }
}

/// The response that accepts a socket with this key.
fn accepted(key: &str) -> String {
    // RFC 6455, 4.2.2.
    let hash = sha1_smol::Sha1::from(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    let accept = base64(&hash.digest().bytes());
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    )
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(group.get(at).copied().unwrap_or(0)));
        let digit =
            |at| if at > group.len() { '=' } else { DIGITS[(bits >> (18 - 6 * at) & 63) as usize].into() };
        [0, 1, 2, 3].map(digit)
    };
    bytes.chunks(3).flat_map(group).collect()
}

/// Whether the text encodes 16 bytes in Base64.
fn is_key(text: &str) -> bool {
    let Some(digits) = text.strip_suffix("==") else { return false };
    let digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/".contains(&byte);
    // The last of the 22 digits encodes only two bits of the key.
    digits.len() == 22 && digits.bytes().all(digit) && digits.ends_with(['A', 'Q', 'g', 'w'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(lines: &str) -> Result<Route, Status> {
        route(format!("{lines}\r\n\r\n").replace('\n', "\r\n").replace("\r\r", "\r").as_bytes(), 7378)
    }

    #[test]
    fn only_this_address_is_answered() {
        let page = || Ok(Route::File("/".into(), true));
        assert_eq!(asked("GET / HTTP/1.1\nHost: 127.0.0.1:7378"), page());
        assert_eq!(asked("GET /?x HTTP/1.1\nHost: localhost:7378"), page());
        assert_eq!(asked("GET / HTTP/1.1\nHost: LOCALHOST:7378"), page());
        assert_eq!(asked("GET http://localhost:7378/ HTTP/1.1\nHost: localhost:7378"), page());
        let foreign = "GET http://evil.example/ HTTP/1.1\nHost: localhost:7378";
        assert_eq!(asked(foreign), Err(Status::BadRequest));
        assert_eq!(asked("HEAD / HTTP/1.1\nHost: localhost:7378"), Ok(Route::File("/".into(), false)));
        for host in [
            "evil.example",
            "evil.example:7378",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost:7378.evil.example",
            "",
        ] {
            assert_eq!(asked(&format!("GET / HTTP/1.1\nHost: {host}")), Err(Status::Forbidden), "{host}");
        }
        assert_eq!(asked("GET / HTTP/1.1"), Err(Status::BadRequest));
        let twice = "GET / HTTP/1.1\nHost: 127.0.0.1:7378\nHost: evil.example";
        assert_eq!(asked(twice), Err(Status::BadRequest));
        assert_eq!(asked("POST / HTTP/1.1\nHost: 127.0.0.1:7378"), Err(Status::NotAllowed));
    }

    /// The examples of RFC 4648, 10.
    #[test]
    fn bytes_are_encoded() {
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(base64(text.as_bytes()), code);
        }
    }

    #[test]
    fn a_socket_is_for_this_page_alone() {
        let socket = |origin: &str| {
            asked(&format!(
                "GET /socket HTTP/1.1\nHost: 127.0.0.1:7378\nUpgrade: WebSocket\nConnection: keep-alive, Upgrade\n\
                 Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=={origin}"
            ))
        };
        // The example of RFC 6455, 1.3.
        let opened = || Ok(Route::Socket(accepted("dGhlIHNhbXBsZSBub25jZQ==")));
        assert!(accepted("dGhlIHNhbXBsZSBub25jZQ==").contains(": s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
        assert_eq!(socket("\nOrigin: http://127.0.0.1:7378"), opened());
        assert_eq!(socket("\nOrigin: http://localhost:7378"), opened());
        assert_eq!(socket("\nOrigin: http://LocalHost:7378\nContent-Length: 0"), opened());
        for body in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
            let origin = "\nOrigin: http://localhost:7378";
            assert_eq!(socket(&format!("{origin}\n{body}")), Err(Status::BadRequest), "{body}");
        }
        for origin in
            ["", "\nOrigin: null", "\nOrigin: http://evil.example", "\nOrigin: https://127.0.0.1:7378"]
        {
            assert_eq!(socket(origin), Err(Status::Forbidden), "{origin}");
        }
    }

    /// RFC 6455, 4.2.1 and 4.4.
    #[test]
    fn a_wrong_handshake_is_answered() {
        let good = [
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ];
        let with = |at: usize, line: &str| {
            let mut lines = good;
            lines[at] = line;
            let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
            let origin = "Host: 127.0.0.1:7378\nOrigin: http://127.0.0.1:7378";
            asked(&format!("GET /socket HTTP/1.1\n{origin}\n{}", lines.join("\n")))
        };
        for upgrade in [good[0], "Upgrade: WebSocket", "Upgrade: h2c, websocket"] {
            assert!(matches!(with(0, upgrade), Ok(Route::Socket(_))), "{upgrade}");
        }
        for (at, line, status) in [
            (0, "", Status::Upgrade),
            (0, "Upgrade: h2c", Status::Upgrade),
            (1, "", Status::BadRequest),
            (1, "Connection: close", Status::BadRequest),
            (2, "", Status::BadRequest),
            (2, "Sec-WebSocket-Version: 8", Status::Upgrade),
            (2, "Sec-WebSocket-Version: 14", Status::Upgrade),
            (3, "", Status::BadRequest),
            (3, "Sec-WebSocket-Key: short", Status::BadRequest),
            (3, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=", Status::BadRequest),
            (3, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZR==", Status::BadRequest),
        ] {
            assert_eq!(with(at, line), Err(status), "{line}");
        }
    }

    #[test]
    fn heads_are_recognised_as_they_arrive() {
        let request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nrest";
        let end = request.len() - 4;
        for cut in 0..request.len() {
            let expected = (cut >= end).then_some(end);
            assert_eq!(length(&request[..cut]), Ok(expected), "{cut}");
        }
        assert_eq!(length(b"GET / HTTP/1.1\nHost: x\n\n"), Ok(Some(24)));
        for other in [&b"\x16\x03\x01\x02\x00"[..], b"GET / HTTP/1.1\r\nX: \x01\r\n", b"\0"] {
            assert_eq!(length(other), Err(Status::BadRequest), "{other:?}");
        }
    }

    #[test]
    fn seats_are_counted() {
        let taken = AtomicUsize::new(0);
        let first = Seat::take(&taken, 2);
        let second = Seat::take(&taken, 2);
        assert!(first.is_some() && second.is_some() && Seat::take(&taken, 2).is_none());
        drop(first);
        assert!(Seat::take(&taken, 2).is_some());
    }
}
