//! Tests whether a pipe accepts a write without blocking.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt as _;

/// The write end of a pipe.
pub struct Pipe(File);

impl Pipe {
    /// Number of bytes that a writable pipe accepts without blocking (`PIPE_BUF`).
    pub const AT_ONCE: usize = libc::PIPE_BUF;

    /// The pipe of this descriptor; `None` if it is a file, a terminal or a socket, where the number of bytes that can
    /// be written without blocking is not known.
    pub fn of(fd: BorrowedFd<'_>) -> io::Result<Option<Self>> {
        let file = File::from(fd.try_clone_to_owned()?);
        let is_pipe = file.metadata()?.file_type().is_fifo();
        Ok(is_pipe.then_some(Self(file)))
    }

    /// Returns whether a write of [`Pipe::AT_ONCE`] bytes would return without blocking.
    pub fn is_ready(&self) -> bool {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        let mut asked = [PollFd::new(self.0.as_fd(), PollFlags::POLLOUT)];
        poll(&mut asked, PollTimeout::ZERO).is_ok()
            && asked[0].revents().is_some_and(|is| is.contains(PollFlags::POLLOUT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::ScratchFile;
    use std::io::{Read as _, Write as _};

    #[test]
    fn a_full_pipe_is_not_ready() -> io::Result<()> {
        let (mut reader, mut writer) = io::pipe()?;
        let pipe = Pipe::of(writer.as_fd())?.expect("a pipe");
        let chunk = [b'x'; Pipe::AT_ONCE];
        let mut written = 0;
        while pipe.is_ready() {
            writer.write_all(&chunk)?;
            written += chunk.len();
        }
        assert!(written >= 1 << 12);
        reader.read_exact(&mut vec![0; written])?;
        assert!(pipe.is_ready());
        Ok(())
    }

    #[test]
    fn other_descriptors_are_no_pipes() -> io::Result<()> {
        let place = ScratchFile::new("file");
        let file = File::create(place.path())?;
        assert!(Pipe::of(file.as_fd())?.is_none());
        Ok(())
    }
}
