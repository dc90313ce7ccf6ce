//! How long a GUI waits for the engine. The test prints its measurements (`cargo test --test latency -- --nocapture`).
//! The bounds are generous, to allow for busy machines.

#[path = "common/gui.rs"]
#[allow(dead_code)]
mod gui;

use gui::Gui;
use std::time::{Duration, Instant};

/// Measures something three times, prints the times, and checks the median against the bound.
fn measure(what: &str, bound: Duration, mut once: impl FnMut() -> Duration) {
    let mut times: Vec<Duration> = (0..3).map(|_| once()).collect();
    times.sort();
    let ms = |t: Duration| t.as_secs_f64() * 1000.0;
    println!("{what:<46} median {:8.2} ms, longest {:8.2} ms", ms(times[1]), ms(times[2]));
    assert!(times[1] < bound, "{what}: {times:?}");
}

/// Starts a search and measures the time from `stop` to `bestmove`.
fn stopped(gui: &mut Gui) -> Duration {
    gui.send("go infinite");
    gui.find("info");
    std::thread::sleep(Duration::from_millis(200));
    let begin = Instant::now();
    gui.send("stop");
    gui.find("bestmove");
    begin.elapsed()
}

#[test]
fn waiting_times() {
    measure("from the start of the process to usiok", Duration::from_secs(2), || {
        let begin = Instant::now();
        let mut gui = Gui::start();
        gui.send("usi");
        gui.until("usiok");
        begin.elapsed()
    });
    measure("isready with USI_Hash 1024", Duration::from_secs(10), || {
        let mut gui = Gui::start();
        gui.send("usi");
        gui.until("usiok");
        gui.send("setoption name USI_Hash value 1024");
        let begin = Instant::now();
        gui.send("isready");
        gui.until("readyok");
        begin.elapsed()
    });
    // GUIs give up after ten seconds.
    measure("isready with Threads 1024", Duration::from_secs(2), || {
        let mut gui = Gui::start();
        gui.send("setoption name Threads value 1024");
        let begin = Instant::now();
        gui.send("isready");
        gui.until("readyok");
        begin.elapsed()
    });
    measure("byoyomi 1000 with Threads 64", Duration::from_secs(1), || {
        let mut gui = Gui::ready();
        gui.send("setoption name Threads value 64");
        gui.send("position startpos");
        gui.settle();
        let begin = Instant::now();
        gui.send("go byoyomi 1000");
        gui.until("bestmove");
        begin.elapsed()
    });
    let mut gui = Gui::ready();
    gui.send("position startpos");
    measure("stop to bestmove", Duration::from_secs(2), || stopped(&mut gui));
    gui.send("position sfen gns1p1+NG1/l3ks3/pp5+R1/9/1P+b2P3/8S/1KLPP2PP/2LBS3+p/1+l3GPN1 b RN5Pg2p 127");
    measure("stop to checkmate timeout", Duration::from_secs(2), || {
        gui.send("go mate infinite");
        std::thread::sleep(Duration::from_millis(200));
        let begin = Instant::now();
        gui.send("stop");
        assert_eq!(gui.find("checkmate"), "checkmate timeout");
        begin.elapsed()
    });
    gui.send("position startpos");
    gui.send("setoption name Threads value 4");
    measure("stop to bestmove with 4 threads", Duration::from_secs(2), || stopped(&mut gui));
    measure("quit while searching", Duration::from_secs(2), || {
        let mut gui = Gui::ready();
        gui.send("position startpos");
        gui.send("go infinite");
        gui.find("info");
        let begin = Instant::now();
        gui.send("quit");
        let (_, status) = gui.end();
        assert_eq!(status.code(), Some(0));
        begin.elapsed()
    });
}
