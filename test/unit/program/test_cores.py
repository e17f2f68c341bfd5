"""The ELFs of cores: Peano's tools called as they should be, what they make looked at, and what is refused."""

import json
import struct
import sys
from pathlib import Path

import pytest

from allo_air.errors import AlloAirError, OptionError
from allo_air.program.run import cores
from allo_air.program.run.package import package

DESIGN = """aie.device(npu2_1col) {
  %t = aie.tile(0, 2)
  %n = aie.tile(0, 3)
  %b = aie.buffer(%t) {address = 1024 : i32, sym_name = "b"} : memref<256xi32>
  %o = aie.buffer(%n) {address = 4096 : i32, sym_name = "o"} : memref<256xi32>
  %c = aie.core(%t) { aie.end } {ATTRIBUTES}
  aie.runtime_sequence(%a: memref<64xi32>) {
  }
}"""
STAND_IN = """#!{python}
import sys
from pathlib import Path
with open("{log}", "a") as log:
    print(Path(sys.argv[0]).name, *sys.argv[1:], file=log)
out = Path(sys.argv[sys.argv.index("-o") + 1])
if "{fails}" == Path(sys.argv[0]).name:
    sys.exit("error: undefined register r99")
out.write_bytes(Path("{elf}").read_bytes() if out.suffix == ".elf" else b"")
"""


def elf(
    text: int = 64, data: tuple[int, int] | None = None, symbols: tuple[tuple[str, int], ...] = (), frames: tuple[int, ...] = ()
) -> bytes:
    """An ELF for cores: `text` bytes of program, data (address, size), symbols (name, section) and frames in .stack_sizes."""
    segments = [(0, bytes(text))] + ([(data[0], bytes(data[1]))] if data else [])
    names = b"\0.symtab\0.strtab\0.shstrtab\0.stack_sizes\0"
    strings, table = b"\0", bytes(16)
    for name, section in symbols:
        table += struct.pack("<IIIBBH", len(strings), 0, 0, 0x12, 0, section)
        strings += name.encode() + b"\0"
    sizes = b"".join(bytes(4) + bytes([frame & 0x7F | 0x80, frame >> 7]) for frame in frames)
    at = 52 + 32 * len(segments)
    heads, body = b"", b""
    for address, content in segments:
        heads += struct.pack("<8I", 1, at + len(body), address, address, len(content), len(content), 5, 4)
        body += content
    sections = struct.pack("<10I", *[0] * 10)
    for name, kind, content, link in ((1, 2, table, 2), (9, 3, strings, 0), (17, 3, names, 0), (27, 1, sizes, 0)):
        sections += struct.pack("<10I", name, kind, 0, 0, at + len(body), len(content), link, 1, 1, 0)
        body += content
    head = struct.pack("<HHIIIIIHHHHHH", 2, 264, 1, 0, 52, at + len(body), 0, 52, 32, len(segments), 40, 5, 3)
    return b"\x7fELF\x01\x01\x01" + bytes(9) + head + heads + body + sections


def peano(folder: Path, content: bytes, fails: str = "") -> Path:
    """A stand-in that records its arguments and copies `content` where an ELF is asked for."""
    (folder / "stand-in.elf").write_bytes(content)
    (folder / "bin").mkdir()
    for tool in ("opt", "llc", "clang", "ld.lld"):
        text = STAND_IN.format(python=sys.executable, log=folder / "log", elf=folder / "stand-in.elf", fails=fails)
        (folder / "bin" / tool).write_text(text)
        (folder / "bin" / tool).chmod(0o755)
    return folder


@pytest.fixture
def core_ir(tmp_path: Path) -> Path:
    (tmp_path / "ir").mkdir()
    text = "  %1 = getelementptr inbounds nuw i8, ptr %0, i64 4\n  %2 = load i32, ptr %1, align 4\n"
    (tmp_path / "ir/core_0_2.ll").write_text(text)
    return tmp_path / "ir"


def test_peano_makes_the_elfs(tmp_path: Path, core_ir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tools get mlir-aie's arguments, our script, and LLVM IR that it reads; the ELF is loaded by the package."""
    (tmp_path / "peano").mkdir()
    tools = peano(tmp_path / "peano", elf(96, (0x70000 + 2048, 8), (("main", 1), ("maybe", 1)), (64, 200)))
    (tmp_path / "kernel.o").write_bytes(b"object")
    monkeypatch.chdir(tmp_path)
    text = DESIGN.replace("ATTRIBUTES", 'link_with = "kernel.o"')
    made = package(text, tmp_path / "out", core_ir=core_ir, peano=str(tools))
    assert made.complete
    opt, llc, clang = (tools / "log").read_text().splitlines()
    out = tmp_path / "out"
    assert opt == f"opt --passes=default<O1> -inline-threshold=10 -S {out}/core_0_2.ll -o {out}/core_0_2.opt.ll"
    assert "--march=aie2p --function-sections" in llc and llc.endswith(f"-o {out}/core_0_2.o")
    assert f"-Wl,-T,{out}/core_0_2.ld.script -o {out}/core_0_2.elf" in clang
    assert (out / "core_0_2.ll").read_text() == "  %1 = getelementptr inbounds i8, ptr %0, i64 4\n  %2 = load i32, ptr %1\n"
    assert "b = .;" in (out / "core_0_2.ld.script").read_text() and (out / "kernel.o").exists()
    assert "_symbol o 0x61000 0x400" in (out / "core_0_2.bcf").read_text()
    assert made.figures["configured"]["(0, 2)"]["program_bytes"] == 96
    assert "bytes of program: (0, 2) 96" in str(made)
    assert json.loads((out / "package.json").read_text())["bytes"]["cdo elfs"] == (out / "main_aie_cdo_elfs.bin").stat().st_size
    assert (out / "main_aie_cdo_elfs.bin").stat().st_size > 96


def test_errors_of_a_tool_are_shown(tmp_path: Path, core_ir: Path) -> None:
    (tmp_path / "peano").mkdir()
    tools = peano(tmp_path / "peano", b"", fails="llc")
    with pytest.raises(
        AlloAirError, match=r"of tile \(0, 2\): '.*bin/llc .*' failed with code 1:\nerror: undefined register"
    ) as e:
        package(DESIGN.replace("ATTRIBUTES", ""), tmp_path / "out", core_ir=core_ir, peano=str(tools))
    assert e.value.diagnostics[0].line == 6


def test_what_is_lacking_is_named(tmp_path: Path, core_ir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="which has no bin/opt, no bin/llc"):
        package(DESIGN.replace("ATTRIBUTES", ""), tmp_path / "out", core_ir=core_ir, peano=str(tmp_path))
    monkeypatch.setattr(cores, "find_peano", lambda given: None)
    with pytest.raises(AlloAirError, match="there is no Peano: name its folder"):
        package(DESIGN.replace("ATTRIBUTES", ""), tmp_path / "out", core_ir=core_ir)
    with pytest.raises(AlloAirError, match=r"is linked with '.*kernel\.o', which does not exist"):
        (tmp_path / "peano").mkdir()
        monkeypatch.setattr(cores, "find_peano", lambda given: peano(tmp_path / "peano", elf()))
        package(DESIGN.replace("ATTRIBUTES", 'link_with = "no-kernel.o"'), tmp_path / "out", core_ir=core_ir)


def test_peano_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEANO_INSTALL_DIR", str(tmp_path))
    assert cores.find_peano() is None
    peano(tmp_path, elf())
    assert cores.find_peano() == tmp_path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (elf(16388), "has a program of 16388 bytes; a core has 16384 bytes of program memory"),
        (elf(symbols=(("main", 1), ("mm", 0))), "does not define mm; name the object files that do by link_with"),
        (elf(frames=(2000,)), "has a function with 2000 bytes of stack; the core has 1024, by stack_size"),
        (elf(data=(0x70404, 4)), r"has data at 0x70404 to 0x70408, over buffer 'b' of tile \(0, 2\)"),
        (elf(data=(0x61000, 4)), r"over buffer 'o' of tile \(0, 3\)"),
        (elf(data=(0x70000, 4)), "over the stack of tile"),
        (elf(data=(0x50000, 4)), r"the memory of tile \(-1, 2\), which is not a core"),
        (elf().replace(struct.pack("<H", 264), struct.pack("<H", 258), 1), "is for machine 258; AIE cores are machine 264"),
        (elf()[:60], "has a segment at|ends before"),
    ],
)
def test_elfs_that_cannot_run_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    """At the core, with its tile."""
    (tmp_path / "a.elf").write_bytes(content)
    with pytest.raises(AlloAirError, match=message) as error:
        package(DESIGN.replace("ATTRIBUTES", 'elf_file = "a.elf"'), tmp_path / "out", elfs=tmp_path)
    assert error.value.diagnostics[0].line == 6 and "of tile (0, 2)" in str(error.value)


def test_frames_that_add_up_are_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.elf").write_bytes(elf(frames=(600, 600)))
    package(DESIGN.replace("ATTRIBUTES", 'elf_file = "a.elf"'), tmp_path / "out", elfs=tmp_path)
    assert "has functions with 1200 bytes of stack in all, and the core has 1024" in capsys.readouterr().err
