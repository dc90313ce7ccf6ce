//! Deadlines for a process. A process that misses its deadline is killed, so reading from it needs no timeout.

use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Kills a process that misses its deadline.
///
/// Setting a deadline takes a lock but usually wakes no thread: the guard's thread checks the current deadline when the
/// one it waited for has passed.
pub struct Guard {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    child: Child,
    deadline: Option<Instant>,
    wakes: Option<Instant>,
    killed: bool,
    over: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guard {
    pub fn new(child: Child) -> std::io::Result<Self> {
        let state = State { child, deadline: None, wakes: None, killed: false, over: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let watched = shared.clone();
        let thread = thread::Builder::new().name("guard".into()).spawn(move || watch(&watched))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    pub fn arm(&self, deadline: Instant) {
        let mut state = self.shared.lock();
        state.deadline = Some(deadline);
        if state.wakes.is_none_or(|wakes| deadline < wakes) {
            self.shared.changed.notify_one();
        }
    }

    /// Clears the deadline. Returns whether the process was in time.
    pub fn disarm(&self) -> bool {
        let mut state = self.shared.lock();
        state.deadline = None;
        !state.killed
    }
}

impl Drop for Guard {
    /// Kills the process, unless it has ended.
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.over = true;
        kill(&mut state.child);
        let _ = state.child.wait();
        drop(state);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(shared: &Shared) {
    let mut state = shared.lock();
    while !state.over {
        state.wakes = state.deadline;
        state = match state.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
            Some(left) if left.is_zero() => {
                state.killed = true;
                kill(&mut state.child);
                return;
            }
            Some(left) => shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            None => shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

/// Kills a process and, where process groups exist, every process it has started. The process has not been reaped yet,
/// so its ID is still valid.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    let _ = child.kill();
}
