//! The amount of available memory.

use super::memory::{self, Memory};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

/// Bytes of memory that this process can use without swapping, where the system reports it (Linux): the memory
/// available on the machine, or less if a control group (a container) has a limit.
pub fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let machine = field(&text, "MemAvailable:")? * 1024;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    Some(groups.lines().filter_map(group_room).fold(machine, u64::min))
}

/// Bytes of address space that a table leaves for stacks, histories and networks if the address space is limited.
const RESERVE: usize = 128 << 20;

/// The largest size up to `bytes` that leaves enough memory for the rest of the program and of the machine. Linux
/// overcommits memory, so a successful allocation proves nothing.
pub fn affordable(bytes: usize) -> usize {
    let machine = available_memory().map_or(bytes, |available| bytes.min((available / 10 * 9) as usize));
    address_room().map_or(machine, |room| machine.min(leaving_reserve(room)))
}

/// The part of the remaining address space that a table may take.
fn leaving_reserve(room: usize) -> usize {
    room - RESERVE.min(room / 4 * 3)
}

/// Makes all threads share one heap if the address space is limited (`ulimit -v`): otherwise each thread's heap
/// reserves 64 MB of addresses, even if it is nearly empty. Must be called before the first thread is started.
pub fn save_addresses() {
    if address_room().is_some() {
        memory::share_heap();
    }
}

/// Bytes of address space that this process may still reserve, if it is limited (`ulimit -v`).
fn address_room() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        // Without a limit, the file contains a word instead of a number.
        let limit = field(&fs::read_to_string("/proc/self/limits").ok()?, "Max address space")?;
        let taken = field(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")? * 1024;
        Some(limit.saturating_sub(taken) as usize)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns how many of `wanted` objects fit into memory, if each uses `memory` bytes and reserves `addresses` bytes of
/// address space. Leaves `reserve` bytes free, but at most half of the available memory.
pub fn how_many_fit(wanted: usize, memory: usize, addresses: usize, reserve: usize) -> usize {
    let available = affordable(usize::MAX);
    let reserve = reserve.min(available / 2);
    let most = wanted.min((available - reserve) / memory.max(1));
    // Test a limit on the address space by allocating the reserve and the objects; untouched memory is cheap.
    let reserved = Memory::<AtomicU64>::lazy(reserve / 8);
    let blocks: Vec<_> = (0..most).map_while(|_| Memory::<AtomicU64>::lazy(addresses / 8)).collect();
    if reserved.is_none() { 0 } else { blocks.len() }
}

/// The number after `name` at the beginning of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The memory left in the control group of a line of `/proc/self/cgroup` (`number:controllers:path`): the minimum over
/// the group and its ancestors.
fn group_room(line: &str) -> Option<u64> {
    let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
    // Version 2 has a single hierarchy and names no controllers; version 1 has a separate hierarchy for memory.
    let (root, limit, usage, cache) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "),
        "memory" => (
            "/sys/fs/cgroup/memory",
            "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_inactive_file ",
        ),
        _ => return None,
    };
    let group = Path::new(root).join(path.trim_start_matches('/'));
    let number = |file: PathBuf| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let room = |group: &Path| {
        // Without a limit, the file contains a word instead of a number.
        let limit = number(group.join(limit))?;
        let used = number(group.join(usage))?;
        // Cached files are evicted when memory is needed.
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let cached = field(&stat, cache).unwrap_or(0);
        Some(limit.saturating_sub(used.saturating_sub(cached)))
    };
    group.ancestors().take_while(|dir| dir.starts_with(root)).filter_map(room).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_name() {
        let text = "MemTotal:       24684096 kB\nMemAvailable:   23794560 kB\nOdd:\n";
        assert_eq!(field(text, "MemAvailable:"), Some(23_794_560));
        assert_eq!((field(text, "Odd:"), field(text, "None:")), (None, None));
    }

    #[test]
    fn a_line_without_memory_says_nothing() {
        for line in ["", "3:cpuset:/", "1:cpu", "nonsense"] {
            assert_eq!(group_room(line), None, "{line}");
        }
    }

    #[test]
    fn a_table_leaves_a_reserve() {
        assert_eq!(leaving_reserve(1 << 30), (1 << 30) - RESERVE);
        for room in [0, 1, 1 << 20, 50 << 20, 160 << 20, 200 << 20] {
            assert!(room - leaving_reserve(room) >= RESERVE.min(room / 4 * 3), "{room}");
        }
    }

    #[test]
    fn what_fits_is_counted() {
        assert_eq!(how_many_fit(3, 1 << 20, 2 << 20, 1 << 20), 3);
        assert_eq!(how_many_fit(3, 1 << 60, 1 << 20, 0), 0);
        assert_eq!(how_many_fit(3, 1 << 20, 1 << 60, 0), 0);
    }
}
