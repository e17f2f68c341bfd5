"""Packages without AMD's tools: the words of the runtime sequence, and the configuration as CDO and xclbin."""

import tempfile
from pathlib import Path

import allo_air

program = allo_air.compile(shape=(64, 64, 64), dtype="i8")
with tempfile.TemporaryDirectory() as folder:
    program.package(folder, format="xclbin")
    for file in sorted(Path(folder).rglob("*")):
        if file.is_file():
            print(f"{file.stat().st_size:>8} {file.name}")
    assert list(Path(folder).rglob("*.xclbin"))
print("PASS")
