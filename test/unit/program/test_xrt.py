"""The hardware path without hardware: command lines, missing pieces, and the calls of a stand-in for pyxrt."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from allo_air.asm.syntax import printing
from allo_air.errors import AlloAirError
from allo_air.program.program import Program
from allo_air.program.run import xrt

Compiled = Callable[..., Program]


def test_dry_run_shows_commands_and_what_is_missing(compiled: Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xrt, "find_tools", lambda: xrt.Tools(None, None, False))
    lowered = compiled(shape=(16, 32, 8), dtype="i32").lowered
    text = xrt.dry_run(lowered, Path("out"))
    command, call, *missing = text.splitlines()
    assert command.startswith("aiecc '--peano=$PEANO_INSTALL_DIR' --get-xclbin --xclbin-name=out/final.xclbin --get-npu-insts ")
    march = xrt.dry_run(lowered, Path("out"), "2026-03").splitlines()[0]
    assert march.startswith(
        "aiecc --no-compile-host --no-xchesscc --no-xbridge '--peano=$PEANO_INSTALL_DIR' --aie-generate-xclbin"
    )
    assert "--xclbin-name=out/final.xclbin" in march
    with printing("2026-03"):
        assert xrt.dry_run(lowered, Path("out")).splitlines()[0] == march
    assert "--npu-insts-name=out/insts.bin" in command
    assert "bo0=16x8xi32, bo1=8x32xi32, bo2=16x32xi32" in call
    assert [line.split()[2] for line in missing] == ["aiecc", "Peano", "pyxrt:"]


def test_running_without_the_tools_names_each(compiled: Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xrt, "find_tools", lambda: xrt.Tools("/bin/aiecc", None, False))
    program = compiled(shape=(16, 32, 8), dtype="i32", backend="xrt")
    with pytest.raises(xrt.MissingTools, match=r"Peano .*\n- pyxrt: install XRT") as caught:
        program(np.zeros((16, 8), np.int32), np.zeros((8, 32), np.int32))
    assert "aiecc (mlir-aie)" not in str(caught.value)


class Buffer:
    """A buffer object whose device side is an array."""

    cacheable, host_only = 1, 2

    def __init__(self, device: Any, size: int, flags: int, group: int):
        self.data, self.flags, self.group = bytearray(size), flags, group

    def write(self, data: bytes, offset: int) -> None:
        self.data[offset : offset + len(data)] = data

    def read(self, size: int, offset: int) -> bytes:
        return bytes(self.data[offset : offset + size])

    def sync(self, direction: int) -> None:
        pass


def stand_in(calls: list[Any], state: str) -> ModuleType:
    """A pyxrt whose kernel multiplies, and which keeps what it was called with."""

    def kernel(opcode: int, instructions: Buffer, words: int, *buffers: Buffer) -> Any:
        calls.append((opcode, words, len(instructions.data), [b.group for b in buffers], [b.flags for b in buffers]))
        a, b = (np.frombuffer(x.data, np.int32) for x in buffers[:2])
        buffers[2].write((a.reshape(16, 8) @ b.reshape(8, 32)).tobytes(), 0)
        return SimpleNamespace(wait=lambda: state)

    kernel.group_id = lambda number: number  # type: ignore[attr-defined]
    made = ModuleType("pyxrt")
    made.__dict__.update(
        device=lambda _: SimpleNamespace(register_xclbin=lambda _: None),
        xclbin=lambda path: SimpleNamespace(get_uuid=lambda: path),
        hw_context=lambda device, uuid: None,
        kernel=lambda context, name: kernel,
        bo=Buffer,
        xclBOSyncDirection=SimpleNamespace(XCL_BO_SYNC_BO_TO_DEVICE=0, XCL_BO_SYNC_BO_FROM_DEVICE=1),
        ert_cmd_state=SimpleNamespace(ERT_CMD_STATE_COMPLETED="completed"),
    )
    return made


HELP = {
    "2026-03": "  --aie-generate-xclbin - Generate xclbin\n  --aie-generate-npu-insts",
    "2026-08": "  --get-xclbin  - Produce xclbin\n  --get-npu-insts",
}
"""Lines of aiecc's help."""
KNOWN = {
    "2026-03": "--aie-generate-xclbin|--aie-generate-npu-insts|--no-compile-host|--no-xchesscc|--no-xbridge",
    "2026-08": "--get-xclbin|--get-npu-insts|--get-full-elf",
}
FORMS = {
    "2026-03": r"aie.use_lock(%[a-z0-9_]*, AcquireGreaterEqual, 1)",
    "2026-08": r"aie.use_lock(%[a-z0-9_]*, AcquireGreaterEqual, %",
}


@pytest.fixture(params=HELP)
def tools(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shell script in aiecc's place, of each state: it refuses what it does not know, and assembly that is not its own."""
    script, state = tmp_path / "aiecc", request.param
    script.write_text(
        f"""#!/bin/sh
asked=
for a in "$@"; do case "$a" in
  --help) echo '{HELP[state]}'; exit 0;;
  {KNOWN[state]}) asked="$asked $a";;
  --peano=*|--tmpdir=*) ;;
  --xclbin-name=*) : > "${{a#*=}}";;
  --npu-insts-name=*) printf 12345678 > "${{a#*=}}";;
  -*) echo "unknown flag $a" >&2; exit 2;;
  *) grep -q '{FORMS[state]}' "$a" || {{ echo "not my assembly" >&2; exit 4; }};;
esac; done
[ -n "$asked" ] || {{ echo "nothing is asked for" >&2; exit 5; }}
"""
    )
    script.chmod(0o755)
    monkeypatch.setattr(xrt, "find_tools", lambda: xrt.Tools(str(script), "/peano", True))
    return script


def test_the_kernel_is_called_as_mlir_aie_does(compiled: Compiled, tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    monkeypatch.setitem(sys.modules, "pyxrt", stand_in(calls, "completed"))
    program = compiled(shape=(16, 32, 8), dtype="i32", backend="xrt")
    a, b = np.arange(128, dtype=np.int32).reshape(16, 8), np.arange(256, dtype=np.int32).reshape(8, 32)
    np.testing.assert_array_equal(program(a, b), a @ b)
    assert calls == [(3, 2, 8, [3, 4, 5], [2, 2, 2])]
    with pytest.raises(AlloAirError, match="backend 'xrt' measures no cycles"):
        program.report()
    with pytest.raises(AlloAirError, match="backend 'xrt' keeps no trace"):
        program.trace("t.json")


def test_a_kernel_that_does_not_complete(compiled: Compiled, tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyxrt", stand_in([], "timeout"))
    program = compiled(shape=(16, 32, 8), dtype="i32", backend="xrt")
    with pytest.raises(AlloAirError, match="the NPU did not complete the kernel: timeout"):
        program(np.zeros((16, 8), np.int32), np.zeros((8, 32), np.int32))


def test_a_failing_aiecc_is_quoted(compiled: Compiled, tools: Path) -> None:
    tools.write_text("#!/bin/sh\necho 'no such pass' >&2\nexit 3\n")
    program = compiled(shape=(16, 32, 8), dtype="i32", backend="xrt")
    with pytest.raises(AlloAirError, match="names neither --get-xclbin nor --aie-generate-xclbin"):
        program(np.zeros((16, 8), np.int32), np.zeros((8, 32), np.int32))
    tools.write_text("#!/bin/sh\n[ $1 = --help ] && echo --get-xclbin && exit 0\necho 'no such pass' >&2\nexit 3\n")
    os.utime(tools, ns=(1, 1))
    with pytest.raises(AlloAirError, match=r"failed with code 3:\nno such pass"):
        program(np.zeros((16, 8), np.int32), np.zeros((8, 32), np.int32))


def test_an_aiecc_that_makes_nothing_and_says_nothing(compiled: Compiled, tools: Path) -> None:
    tools.write_text("#!/bin/sh\necho --aie-generate-xclbin; echo 'xclbinutil not found' >&2\n")
    os.utime(tools, ns=(2, 2))
    program = compiled(shape=(16, 32, 8), dtype="i32", backend="xrt")
    with pytest.raises(AlloAirError, match=r"made no final\.xclbin and no insts\.bin:\nxclbinutil not found"):
        program(np.zeros((16, 8), np.int32), np.zeros((8, 32), np.int32))
