//! `sanban csa` with a small server that drops connections, sends slowly, and rejects a login.

use sanban::formats::record::{Board, Outcome, Reader, csa_text};
use sanban::rules::{Color, Rng, shogi};
use sanban::{Move, Position};
use sanban_system::scratch::Scratch;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

const SECRET: &str = "opensesame";

/// The server's end of a connection.
struct Peer {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
}

impl Peer {
    fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().expect("a client");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a socket");
        Self { reader: BufReader::new(stream.try_clone().expect("a socket")), stream }
    }

    /// Reads the next line that is not a keep-alive; `None` at the end of the connection.
    fn line(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(0) | Err(_) => return None,
                Ok(_) if line.trim().is_empty() => self.send(""),
                Ok(_) => return Some(line.trim_end().to_string()),
            }
        }
    }

    /// Sends in two pieces, as a slow network does.
    fn send(&mut self, text: &str) {
        let bytes = format!("{text}\n").into_bytes();
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let _ = self.stream.write_all(first);
        std::thread::sleep(Duration::from_millis(5));
        let _ = self.stream.write_all(second);
    }

    fn log_in(&mut self) {
        assert_eq!(self.line().as_deref(), Some(&*format!("LOGIN me test-60-10F,{SECRET}")));
        self.send("LOGIN:me OK");
    }

    /// Proposes a game and begins it.
    fn begin(&mut self, id: &str, position: &str) {
        self.send(&format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:{id}\nName+:me\nName-:you\nYour_Turn:+\n\
             To_Move:+\nMax_Moves:256\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:60\nByoyomi:0\nIncrement:10\nEND Time\n\
             BEGIN Position\n{position}\nEND Position\nEND Game_Summary"
        ));
        assert_eq!(self.line(), Some(format!("AGREE {id}")));
        self.send(&format!("START:{id}"));
    }
}

fn text(pos: &shogi::Position, mv: Move) -> String {
    csa_text(&Board::from_sfen(&pos.sfen()).expect("a position"), mv).expect("a move")
}

/// Plays this many plies against the client, with random moves. Every move of the client must be legal.
fn play(peer: &mut Peer, plies: usize) {
    let (mut pos, mut rng) = (shogi::Position::default(), Rng::new(7));
    for ply in 0..plies {
        let mv = if ply % 2 == 0 {
            let line = peer.line().expect("a move");
            let (said, comment) = line.split_once(",'").expect("a comment");
            assert!(comment.starts_with("* "), "{line}");
            let legal = pos.legal_moves();
            *legal.iter().find(|&&mv| text(&pos, mv) == said).unwrap_or_else(|| panic!("illegal: {line}"))
        } else {
            *rng.pick(&pos.legal_moves()).expect("a move")
        };
        peer.send(&format!("{},T1", text(&pos, mv)));
        pos.play(mv);
    }
}

const START: &str = "PI\n+";
const MATE: &str = "P-51OU\nP+53FU\nP+59OU\nP+00KI\n+";

#[test]
fn games_are_played_through_cuts_and_refusals() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let server = std::thread::spawn(move || {
        // The connection is lost during a game.
        let mut peer = Peer::accept(&listener);
        peer.log_in();
        peer.begin("first", START);
        play(&mut peer, 8);
        drop(peer);
        // The server still has the old connection and rejects the login.
        let mut peer = Peer::accept(&listener);
        peer.line();
        peer.send("LOGIN:incorrect");
        drop(peer);
        // The connection is lost within a game summary.
        let mut peer = Peer::accept(&listener);
        peer.log_in();
        peer.send("BEGIN Game_Summary\nGame_ID:half");
        drop(peer);
        // A game that cannot be read is rejected, and the next one is won.
        let mut peer = Peer::accept(&listener);
        peer.log_in();
        peer.send("BEGIN Game_Summary\nGame_ID:wrong\nEND Game_Summary");
        assert_eq!(peer.line().as_deref(), Some("REJECT"));
        peer.send("REJECT:wrong by me");
        peer.begin("second", MATE);
        let mv = peer.line().expect("a move");
        assert!(mv.starts_with("+0052KI,'* 3"), "{mv}");
        peer.send("+0052KI,T2\n%TORYO,T1\n#RESIGN\n#WIN");
        assert_eq!(peer.line().as_deref(), Some("LOGOUT"));
    });
    let folder = Scratch::new();
    let records = folder.file("records");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
    command.args([
        "csa",
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--user",
        "me",
        "--game-name",
        "test-60-10F",
    ]);
    command.args([
        "--games",
        "1",
        "--records",
        &records,
        "--option",
        "NodesLimit=300",
        "--option",
        "USI_Hash=1",
    ]);
    command.args(["--option", "BookFile=no_book", "--keep-alive", "10"]);
    command.env("CSA_PASSWORD", SECRET).env("RUST_LOG", "debug").stdin(Stdio::null());
    let out = command.output().expect("the program runs");
    let [said, noted] = [&out.stdout, &out.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(out.status.success(), "{said}{noted}");
    server.join().expect("the server thread succeeds");
    assert_eq!(said, "1 games, 1-0-0 (wins, draws, losses), interrupted and not counted: 1\n");
    assert!(!said.contains(SECRET) && !noted.contains(SECRET) && noted.contains("LOGIN me *****"), "{noted}");
    let record = |name: &str| std::fs::read_to_string(format!("{records}/{name}.csa")).expect("a record");
    let first = record("first");
    assert_eq!(
        first.lines().filter(|line| line.starts_with(['+', '-']) && line.len() > 1).count(),
        8,
        "{first}"
    );
    assert!(first.contains("\n%CHUDAN\n") && first.matches("\n'** ").count() == 4, "{first}");
    let second = record("second");
    assert!(
        second.contains("+0052KI\nT2\n'** 3")
            && second.ends_with("%TORYO\n'summary:toryo:me win:you lose\n'WIN\n"),
        "{second}"
    );
    // The records can be read.
    for name in ["first", "second"] {
        let path = format!("{records}/{name}.csa");
        let converted =
            Command::new(env!("CARGO_BIN_EXE_sanban")).args(["convert", "--to", "usi", &path]).output();
        assert!(converted.is_ok_and(|out| out.status.success()), "{name}");
    }
}

#[test]
fn what_is_wrong_is_said_without_the_password() {
    let run = |args: &[&str], password: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
        command.args(["csa", "--user", "me"]).env_remove("CSA_PASSWORD");
        if !args.contains(&"--host") {
            command.args(["--host", "127.0.0.1"]);
        }
        command.args(args);
        password.into_iter().for_each(|password| {
            command.env("CSA_PASSWORD", password);
        });
        let out = command.stdin(Stdio::null()).output().expect("the program runs");
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    for (args, password, expected) in [
        (&[][..], None, "no password: neither --password-file nor CSA_PASSWORD is set"),
        (&["--password-file", "/no/such/file"], None, "/no/such/file: "),
        (&[], Some("two words"), "password: expected one word"),
        (&["--option", "Nonsense=1"], Some(SECRET), "unknown option: Nonsense"),
        (&["--option", "Threads=x"], Some(SECRET), "Threads: not a whole number"),
        (&["--game-name", ""], Some(SECRET), "--game-name: expected one word"),
    ] {
        let (code, noted) = run(args, password);
        assert_eq!(code, Some(2), "{args:?}: {noted}");
        assert!(noted.contains(expected) && !noted.contains(SECRET), "{args:?}: {noted}");
    }
    // A server that does not answer is tried again, up to the limit; a host without an address is a mistake.
    let (code, noted) = run(&["--port", "1", "--attempts", "2"], Some(SECRET));
    assert_eq!(code, Some(1), "{noted}");
    assert!(noted.contains("trying again in 1 s") && noted.matches("127.0.0.1:1: ").count() == 2, "{noted}");
    let (code, noted) = run(&["--host", "no-such-host.invalid"], Some(SECRET));
    assert!(code != Some(0) && !noted.contains("trying again"), "{noted}");
    // A rejected first login is an error.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let server = std::thread::spawn(move || {
        let mut peer = Peer::accept(&listener);
        peer.line();
        peer.send("LOGIN:incorrect");
    });
    let (code, noted) = run(&["--port", &port], Some(SECRET));
    server.join().expect("the server thread succeeds");
    assert_eq!(code, Some(1), "{noted}");
    assert!(noted.contains("rejected the login: LOGIN:incorrect"), "{noted}");
}

/// How a game ends: whether the server has confirmed the client's move, what the server sends, the CSA word and the
/// summary of the record, and the outcome for readers. The client plays black.
const ENDS: &[(bool, &str, &str, &str, Outcome)] = &[
    (true, "%TORYO,T3\n%TORYO\n#RESIGN\n#WIN", "%TORYO", "toryo:me win:you lose", Outcome::Win(Color::Black)),
    (false, "#TIME_UP\n#LOSE", "%TIME_UP", "time up:me lose:you win", Outcome::Win(Color::White)),
    (true, "#TIME_UP\n#WIN", "%TIME_UP", "time up:me win:you lose", Outcome::Win(Color::Black)),
    (
        true,
        "%KACHI,T1\n%KACHI\n#JISHOGI\n#LOSE",
        "%KACHI",
        "kachi:me lose:you win",
        Outcome::Win(Color::White),
    ),
    (
        true,
        "%KACHI,T1\n%KACHI\n#ILLEGAL_MOVE\n#WIN",
        "%ILLEGAL_MOVE",
        "illegal kachi:me win:you lose",
        Outcome::Win(Color::Black),
    ),
    (
        true,
        "#ILLEGAL_MOVE\n#WIN",
        "%ILLEGAL_MOVE",
        "illegal move:me win:you lose",
        Outcome::Win(Color::Black),
    ),
    (
        false,
        "#ILLEGAL_MOVE\n#LOSE",
        "%ILLEGAL_MOVE",
        "illegal move:me lose:you win",
        Outcome::Win(Color::White),
    ),
    (
        true,
        "#OUTE_SENNICHITE\n#WIN",
        "%ILLEGAL_MOVE",
        "oute_sennichite:me win:you lose",
        Outcome::Win(Color::Black),
    ),
    (
        true,
        "#OUTE_SENNICHITE\n#LOSE",
        "%+ILLEGAL_ACTION",
        "oute_sennichite:me lose:you win",
        Outcome::Win(Color::White),
    ),
    (true, "#SENNICHITE\n#DRAW", "%SENNICHITE", "sennichite:me draw:you draw", Outcome::Draw),
    (true, "#MAX_MOVES\n#CENSORED", "%MAX_MOVES", "max_moves:me draw:you draw", Outcome::Draw),
    (true, "#CHUDAN", "%CHUDAN", "", Outcome::Unknown),
];

#[test]
fn every_end_is_recorded_with_its_winner_and_a_new_login_follows() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    // The server is not up yet when the client starts.
    drop(listener);
    let server = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1500));
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("the same port");
        for (number, (confirmed, end, ..)) in ENDS.iter().enumerate() {
            let mut peer = Peer::accept(&listener);
            peer.log_in();
            peer.begin(&format!("game{number}\u{1b}[31m"), START);
            let line = peer.line().expect("a move");
            if *confirmed {
                peer.send(&format!("{},T1", line.split(',').next().unwrap_or_default()));
            }
            peer.send(end);
            assert_eq!(peer.line().as_deref(), Some("LOGOUT"), "{end}");
        }
    });
    let folder = Scratch::new();
    let records = folder.file("records");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanban"));
    command.args([
        "csa",
        "--host",
        "127.0.0.1",
        "--user",
        "me",
        "--game-name",
        "test-60-10F",
        "--records",
        &records,
    ]);
    command.args(["--port", &port.to_string(), "--games", &ENDS.len().to_string(), "--no-ponder"]);
    command.args(["--option", "NodesLimit=100", "--option", "USI_Hash=1", "--option", "BookFile=no_book"]);
    let out = command.env("CSA_PASSWORD", SECRET).stdin(Stdio::null()).output().expect("the program runs");
    let noted = String::from_utf8_lossy(&out.stderr);
    server.join().unwrap_or_else(|_| panic!("the server thread succeeds: {noted}"));
    assert!(out.status.success() && noted.contains("trying again in 1 s"), "{noted}");
    // The identifiers cannot steer the terminal.
    assert!(!noted.contains('\u{1b}') && noted.contains("game0?[31m begins"), "{noted}");
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "12 games, 5-2-4 (wins, draws, losses), stopped by the server: 1\n"
    );
    for (number, (_, end, word, summary, outcome)) in ENDS.iter().enumerate() {
        let text = std::fs::read(format!("{records}/game{number}__31m.csa")).expect("a record");
        let shown = String::from_utf8_lossy(&text);
        let words: Vec<&str> = shown.lines().filter(|line| line.starts_with('%')).collect();
        assert_eq!(words, [*word], "{end}: {shown}");
        assert!(summary.is_empty() || shown.contains(&format!("\n'summary:{summary}\n")), "{end}: {shown}");
        let reading = Reader::default().read(&text).expect("a record");
        assert_eq!(reading.records[0].outcome(), *outcome, "{end}: {shown}");
    }
}
