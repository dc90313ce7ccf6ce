//! Clocks, including for targets where the standard library has none (WebAssembly without an operating system).

#[cfg(feature = "process")]
use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use page::Instant;

/// The CPU time that all threads of this process have used, where the system reports it.
#[cfg(feature = "process")]
pub fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
        nix::time::clock_gettime(clock).ok().map(Duration::from)
    }
    #[cfg(not(unix))]
    None
}

/// A seed for random choices, different for every call.
pub fn seed() -> u64 {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    {
        let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
        now.map_or(0, |now| now.as_nanos() as u64)
    }
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    page::milliseconds().to_bits()
}

/// The clock of the web page that runs the module.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod page {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since an arbitrary moment, as returned by `performance.now()`.
        fn now() -> f64;
    }

    /// Milliseconds since an arbitrary moment.
    pub fn milliseconds() -> f64 {
        // SAFETY: the function is provided by the page, takes no arguments and returns a number.
        unsafe { now() }
    }

    /// A replacement for `std::time::Instant`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Self {
            Self(Duration::from_secs_f64(milliseconds().max(0.0) / 1000.0))
        }

        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }

        /// Time since an earlier moment; zero if it is later.
        pub fn duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// Same as [`Instant::duration_since`].
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.duration_since(earlier)
        }

        /// A later moment; `None` on overflow.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        /// An earlier moment; `None` on overflow.
        pub fn checked_sub(&self, time: Duration) -> Option<Self> {
            self.0.checked_sub(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Self;

        fn sub(self, time: Duration) -> Self {
            Self(self.0 - time)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.duration_since(earlier)
        }
    }
}
