//! `sanban board` as its clients see it: which requests are answered, and that no input crashes it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// A running board, which is stopped at the end of the test.
struct Board {
    child: Child,
    port: u16,
}

impl Board {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sanban"))
            .args(["board", "--no-open", "--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("the address");
        let port = line
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.trim_end_matches('/').parse().ok());
        Self { port: port.unwrap_or_else(|| panic!("not an address: {line}")), child }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    /// Sends a request and returns everything received in response. `PORT` is replaced by the port.
    fn send(&self, request: &str) -> String {
        let mut stream = self.connect();
        // The response may come before everything is sent.
        let _ = stream.write_all(request.replace("PORT", &self.port.to_string()).as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request and returns the status code of the response.
    fn status(&self, request: &str) -> String {
        self.send(request).split(' ').nth(1).unwrap_or("nothing").to_string()
    }

    fn tab(&self) -> Option<Tab> {
        let port = self.port;
        let mut stream = self.connect();
        // The example of RFC 6455, 1.3.
        let request = format!(
            "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).ok()?;
            head.extend(byte);
        }
        let head = String::from_utf8_lossy(&head);
        let opened = head.starts_with("HTTP/1.1 101 ") && head.contains(": s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
        opened.then(|| Tab(WebSocket::from_raw_socket(stream, Role::Client, None)))
    }

    /// Processor time used by the program, in seconds.
    #[cfg(target_os = "linux")]
    fn work(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("a process");
        let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
        let ticks = |n: usize| fields[n].parse::<f64>().expect("a number");
        (ticks(11) + ticks(12)) / 100.0
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Tab(WebSocket<TcpStream>);

impl Tab {
    fn ask(&mut self, question: &Value) {
        self.0.send(Message::text(question.to_string())).expect("sent");
    }

    /// Waits until the board closes the socket and returns the close code.
    fn closed(&mut self) -> Option<u16> {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

    /// Waits for the answer with this id; intermediate results are skipped.
    fn answer(&mut self, id: u64) -> Value {
        self.message(|message| message["id"] == id && message["finding"].is_null())
    }

    /// The next intermediate result with this number.
    fn finding(&mut self, id: u64) -> Value {
        self.message(|message| message["id"] == id && !message["finding"].is_null())
    }

    fn message(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.0.read().expect("a message");
            let Message::Text(text) = message else { continue };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if wanted(&message) {
                return message;
            }
        }
    }
}

#[test]
fn the_page_is_there_and_nothing_else() {
    let begin = Instant::now();
    let board = Board::start();
    let page = board.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n");
    let time = begin.elapsed();
    println!("from the start of the program to the page: {time:?}");
    assert!(time < Duration::from_secs(3), "{time:?}");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<select id=\"game\">"));
    assert!(page.contains("Content-Security-Policy: default-src 'self'"));
    // The policy governs the files that a browser opens by themselves; no other file repeats it.
    for (path, governed) in [("/worker-cache.js", true), ("/main.js", false), ("/style.css", false)] {
        let answer = board.send(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"));
        assert!(answer.contains("X-Content-Type-Options: nosniff"), "{path}");
        assert_eq!(answer.contains("Content-Security-Policy: default-src 'self'"), governed, "{path}");
    }
    for path in
        ["/../Cargo.toml", "/etc/passwd", "/%2e%2e/Cargo.toml", "//", "/web/index.html", "/..", "/\\..\\x"]
    {
        let status = board.status(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"));
        assert!(["404", "400"].contains(&status.as_str()), "{path}: {status}");
    }
}

#[test]
fn only_this_machine_is_listened_to() {
    let board = Board::start();
    // The board is not reachable at other addresses of this machine.
    let Ok(socket) = std::net::UdpSocket::bind("0.0.0.0:0") else { return };
    let Ok(()) = socket.connect("192.0.2.1:9") else { return };
    let own = socket.local_addr().expect("an address").ip();
    if !own.is_loopback() {
        let address = SocketAddr::new(own, board.port);
        assert!(TcpStream::connect_timeout(&address, Duration::from_secs(2)).is_err(), "{address} answers");
    }
}

#[test]
fn foreign_names_and_pages_are_refused() {
    let board = Board::start();
    for host in
        ["evil.example", "evil.example:PORT", "127.0.0.1", "192.168.0.1:PORT", "127.0.0.1:PORT.evil.example"]
    {
        assert_eq!(board.status(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")), "403", "{host}");
    }
    assert_eq!(board.status("GET / HTTP/1.1\r\nHost: LOCALHOST:PORT\r\n\r\n"), "200");
    let upgrade = "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for origin in
        ["", "Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: https://127.0.0.1:PORT\r\n"]
    {
        assert_eq!(board.status(&format!("{upgrade}{origin}\r\n")), "403", "{origin}");
    }
    assert!(board.tab().is_some());
}

/// Error responses have security headers as well.
#[test]
fn refusals_have_the_headers_of_pages() {
    let board = Board::start();
    for (request, status) in [
        ("GET /none HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "404"),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403"),
        ("POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "405"),
        ("nonsense\r\n\r\n", "400"),
        ("GET /socket HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "426"),
    ] {
        let answer = board.send(request);
        assert_eq!(answer.split(' ').nth(1), Some(status), "{answer}");
        for line in [
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin",
            "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        ] {
            assert!(answer.contains(&format!("{line}\r\n")), "{status}: no {line}");
        }
    }
}

/// As RFC 6455 requires, a handshake with an unsupported version is answered with the supported version.
#[test]
fn wrong_handshakes_are_answered() {
    let board = Board::start();
    let request = |version: &str, key: &str| {
        board.send(&format!(
            "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nUpgrade: websocket\r\n\
             Connection: Upgrade\r\nSec-WebSocket-Version: {version}\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        ))
    };
    let old = request("8", "dGhlIHNhbXBsZSBub25jZQ==");
    assert!(old.starts_with("HTTP/1.1 426 ") && old.contains("\r\nSec-WebSocket-Version: 13\r\n"), "{old}");
    assert!(request("13", "short").starts_with("HTTP/1.1 400 "));
}

#[test]
fn pings_are_answered_and_closes_have_codes() {
    let board = Board::start();
    let mut tab = board.tab().expect("a tab");
    for _ in 0..3 {
        tab.0.send(Message::Ping(b"are you there".to_vec().into())).expect("sent");
        assert_eq!(tab.0.read().ok(), Some(Message::Pong(b"are you there".to_vec().into())));
    }
    tab.ask(&json!({ "id": 2, "ask": "view", "game": "shogi" }));
    assert_eq!(tab.answer(2)["side"], "b");
    // A message of 8 MB is accepted.
    tab.ask(&json!({ "id": 3, "ask": "view", "game": "shogi", "padding": "x".repeat(8 << 20) }));
    assert_eq!(tab.answer(3)["side"], "b");
    tab.0.close(None).expect("sent");
    assert_eq!(tab.closed(), Some(1000));
    for (message, code) in [(Message::Binary(vec![1, 2].into()), 1003), (Message::text("not JSON"), 1008)] {
        let mut tab = board.tab().expect("a tab");
        tab.0.send(message).expect("sent");
        assert_eq!(tab.closed(), Some(code));
    }
    // An unmasked frame, which a client may not send, and text that is not valid UTF-8.
    for (frame, code) in [(&[0x81, 0x02, b'{', b'}'][..], 1002), (&[0x81, 0x81, 0, 0, 0, 0, 0xff], 1007)] {
        let mut tab = board.tab().expect("a tab");
        tab.0.get_mut().write_all(frame).expect("sent");
        assert_eq!(tab.closed(), Some(code));
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let board = Board::start();
    let long = "x".repeat(20_000);
    assert_eq!(board.status(&format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX: {long}\r\n\r\n")), "431");
    let many = "X: y\r\n".repeat(200);
    assert_eq!(board.status(&format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n{many}\r\n")), "431");
    assert_eq!(board.status("nonsense\r\n\r\n"), "400");
    assert_eq!(board.status("POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 9\r\n\r\n"), "405");
    // A question that is too long closes only its own connection.
    let mut tab = board.tab().expect("a tab");
    let _ = tab.0.send(Message::text(format!("{{\"ask\": \"{}\"}}", "x".repeat(17 << 20))));
    assert_eq!(tab.closed(), Some(1009));
    let mut tab = board.tab().expect("a tab");
    for nonsense in
        [json!(null), json!({ "id": 1 }), json!({ "id": 1, "ask": "view", "game": "shogi", "sfen": "x" })]
    {
        tab.ask(&nonsense);
    }
    tab.ask(&json!({ "id": 2, "ask": "view", "game": "shogi" }));
    assert_eq!(tab.answer(2)["side"], "b");
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_tab_frees_its_search() {
    let board = Board::start();
    let mut tab = board.tab().expect("a tab");
    tab.ask(&json!({ "id": 1, "ask": "go", "game": "shogi", "infinite": true }));
    std::thread::sleep(Duration::from_millis(1500));
    assert!(board.work() > 0.05, "the engine has not searched");
    drop(tab);
    std::thread::sleep(Duration::from_millis(1500));
    let before = board.work();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(board.work() - before < 0.2, "the engine is still searching");
}

#[test]
fn a_hundred_tabs_are_served() {
    let board = Board::start();
    let mut tabs: Vec<Tab> = (0..100).map(|n| board.tab().unwrap_or_else(|| panic!("tab {n}"))).collect();
    for (n, tab) in tabs.iter_mut().enumerate() {
        let game = sanban::VariantId::NAMES[n % sanban::VariantId::NAMES.len()];
        tab.ask(&json!({ "id": 1, "ask": "view", "game": game }));
        // Few tabs can search at the same time. The others wait or are told that all engines are busy.
        tab.ask(&json!({ "id": 2, "ask": "go", "game": game, "nodes": 2000 }));
    }
    let mut thought = 0;
    for tab in &mut tabs {
        assert_eq!(tab.answer(1)["side"], "b");
        let answer = tab.answer(2);
        thought += usize::from(answer["best"].is_string());
        assert!(answer["best"].is_string() || answer["error"] == "busy", "{answer}");
    }
    assert!(thought > 10, "{thought} of 100 tabs were answered");
    // Beyond the limit, no connections are accepted, and the existing ones continue.
    let mut more: Vec<Tab> = (0..60).map_while(|_| board.tab()).collect();
    assert!(more.len() < 60, "the number of connections is not limited");
    drop(tabs);
    std::thread::sleep(Duration::from_millis(500));
    let last = more.last_mut().expect("some connections were accepted");
    last.ask(&json!({ "id": 3, "ask": "go", "game": "dobutsu", "nodes": 1000 }));
    assert!(last.answer(3)["best"].is_string());
}

#[test]
fn a_new_thought_ends_the_last_one() {
    let board = Board::start();
    let mut tab = board.tab().expect("a tab");
    tab.ask(&json!({ "id": 1, "ask": "go", "game": "shogi", "infinite": true }));
    tab.ask(&json!({ "id": 2, "ask": "go", "game": "shogi", "infinite": true }));
    assert!(tab.answer(1)["id"] == 1);
    // A search that is stopped before it begins has no best move.
    tab.finding(2);
    tab.ask(&json!({ "id": 3, "ask": "stop" }));
    assert!(tab.answer(2)["best"].is_string());
    assert_eq!(tab.answer(3)["id"], 3);
}

#[test]
fn a_taken_port_is_told() {
    let board = Board::start();
    let port = board.port.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_sanban"))
        .args(["board", "--no-open", "--port", &port])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains(&format!("cannot listen on port {port}")), "{message}");
}

/// By this version, a page detects that the program has been replaced since the page was opened.
#[test]
fn the_page_and_its_server_name_the_same_version() {
    let board = Board::start();
    let mut tab = board.tab().expect("a tab");
    tab.ask(&json!({ "id": 1, "ask": "hello" }));
    let version = tab.answer(1)["version"].as_str().map(str::to_string).expect("a version");
    assert!(version.starts_with(env!("CARGO_PKG_VERSION")), "{version}");
    let get = |path: &str| board.send(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"));
    assert!(get("/").contains(&format!("data-version=\"{version}\"")));
    let worker = get("/worker-cache.js");
    assert!(
        worker.contains(&format!("const VERSION = \"{version}\";"))
            && worker.contains("index.html style.css")
    );
}

/// The values and distances of all moves are shown for the rules for which the tables were made.
#[test]
fn solved_janggi_endings_are_shown() {
    let folder = std::env::temp_dir().join(format!("sanban-endings-{}", std::process::id()));
    let name = folder.to_str().expect("UTF-8");
    let solve = ["solve", "--game", "janggi", "--pieces", "KRCvK", "--out", name];
    let solved = Command::new(env!("CARGO_BIN_EXE_sanban")).args(solve).output().expect("the program runs");
    assert!(solved.status.success(), "{solved:?}");
    let board = Board::start_with(&["--janggi-tables", name]);
    let mut tab = board.tab().expect("a tab");
    let mut ask = |question: Value| {
        tab.ask(&question);
        tab.answer(1)
    };
    let hello = ask(json!({ "id": 1, "ask": "hello" }));
    assert_eq!(hello["truth"], json!(["janggi", "janggicasual"]));
    let truth = |game: &str, sfen: &str| json!({ "id": 1, "ask": "truth", "game": game, "sfen": sfen });
    let longest = "5k3/7CR/9/9/9/9/9/5K3/9/9 b - 1";
    let answer = ask(truth("janggi", longest));
    let moves = answer["truth"].as_array().expect("moves");
    let won = || moves.iter().filter(|mv| mv["value"] == "win").filter_map(|mv| mv["plies"].as_u64());
    assert_eq!(won().min(), Some(13), "{answer}");
    assert!(won().all(|plies| plies % 2 == 1));
    // Every move but the capture of the chariot loses.
    let answer = ask(truth("janggi", "4k4/4R4/9/9/9/9/9/C3K4/9/9 w - 1"));
    let drawn = |mv: &Value| mv["value"] == "draw" && mv["plies"].is_null();
    let moves = answer["truth"].as_array().expect("moves");
    let drawing: Vec<&Value> = moves.iter().filter(|mv| drawn(mv)).map(|mv| &mv["usi"]).collect();
    assert_eq!(drawing, [&json!("5a5b")], "{answer}");
    assert!(moves.iter().all(|mv| drawn(mv) || mv["value"] == "loss"), "{answer}");
    // There are no tables for these pieces, for passing at any time, or for the traditional rules.
    assert_eq!(ask(truth("janggi", "5k3/7CR/9/9/9/9/8R/5K3/9/9 b - 1"))["truth"], json!([]));
    assert_eq!(ask(truth("janggicasual", longest))["truth"], json!([]));
    assert_eq!(ask(truth("janggitraditional", longest))["truth"], Value::Null);
    // The engine uses the same tables.
    let go = json!({ "id": 1, "ask": "go", "game": "janggi", "sfen": longest, "nodes": 1 });
    assert_eq!(ask(go)["score"]["mate"], 13);
    std::fs::remove_dir_all(&folder).expect("the folder");
}

#[test]
fn a_missing_folder_of_endings_is_refused() {
    let run = ["board", "--no-open", "--port", "0", "--janggi-tables", "/nowhere/tables"];
    let out = Command::new(env!("CARGO_BIN_EXE_sanban")).args(run).output().expect("the program runs");
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(2) && text.contains("expected a directory of tables"), "{text}");
}
