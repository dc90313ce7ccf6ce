"""The package on an unsupported processor."""

import platform
import shutil
import subprocess
import sys

import pytest

QEMU = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")


@pytest.mark.skipif(QEMU is None or platform.machine() != "x86_64", reason="needs qemu-user on x86-64")
def test_an_old_processor_is_told_what_it_lacks() -> None:
    assert QEMU is not None
    run = subprocess.run([QEMU, "-cpu", "Nehalem", sys.executable, "-c", "import sanban"], capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert run.stderr.startswith("sanban: this program is built for x86-64-v3, and this processor lacks")
    assert " AVX2 " in run.stderr and run.stderr.count("\n") == 1
