"""CDO, TXN, PDI, xclbin and ELF files against what mlir-aie, bootgen, xclbinutil and aiebu wrote, and what is refused."""

import zlib
from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.device import DEVICES
from allo_air.errors import AlloAirError
from allo_air.mlir import new_context
from allo_air.target.configuration.parts import Configuration, configuration
from allo_air.target.formats.binary import FormatError, to_bytes, to_words
from allo_air.target.formats.cdo import cdo_files, commands, read_cdo, transaction
from allo_air.target.formats.describe import describe, differences
from allo_air.target.formats.instruction_elf import instruction_elf, read_instruction_elf
from allo_air.target.formats.linking import bcf, linker_script, memory_map, peano_commands
from allo_air.target.formats.packets import is_packets, read_packets, with_tiles
from allo_air.target.formats.pdi import pdi, read_pdi
from allo_air.target.formats.txn import instructions_of
from allo_air.target.formats.xclbin import Kernel, Partition, read_xclbin, sections, xclbin
from allo_air.target.npu_words import BlockWrite, Write, stream
from allo_air.target.sequences import devices
from helpers import TEST

ANSWERS = TEST / "data/known-answers"
PACKAGING = ANSWERS / "packaging"
PDIS = {
    "i01": 0x08574687, "i03": 0x9EBAC50C, "i05": 0x17F30E75, "i08": 0x71C35156, "i14": 0xEF2BF6BA,
    "add_npu2_1col": 0x645F2558,
}  # fmt: skip


def configured(text: str, directory: Path | None = None) -> Configuration:
    with new_context():
        module = asm.read(text, "input.mlir")
        [device] = devices(module)
        return configuration(device, directory)


@pytest.fixture(scope="module")
def kat() -> Configuration:
    return configured((PACKAGING / "kat.mlir").read_text())


@pytest.mark.parametrize("folder", sorted((ANSWERS / "cdo").iterdir()), ids=lambda p: p.name)
def test_cdo(folder: Path) -> None:
    found = configured((folder / "routed.mlir").read_text())
    files = cdo_files(found)
    assert files == {path.name: path.read_bytes() for path in folder.glob("*.bin")}
    for part, data in zip(found.parts.values(), files.values(), strict=True):
        assert tuple(read_cdo(data)) == part
    image = pdi(list(files.values()))
    assert zlib.crc32(image) == PDIS.get(folder.name, zlib.crc32(image))
    plain = [Write(o.address, *o.data) if isinstance(o, BlockWrite) and len(o.data) == 1 else o for o in found.operations]
    assert read_pdi(image).operations == plain


def test_every_format(kat: Configuration) -> None:
    files = cdo_files(kat)
    assert files == {name: (PACKAGING / name).read_bytes() for name in files}
    words = stream(kat.device, transaction(kat.device, kat.operations))
    assert to_bytes(words) == (PACKAGING / "t.bin").read_bytes()
    assert instructions_of(words) == transaction(kat.device, kat.operations)
    assert pdi(list(files.values())) == (PACKAGING / "k.pdi").read_bytes()


def test_xclbin_but_for_identity() -> None:
    known = read_xclbin((PACKAGING / "k.xclbin").read_bytes())
    identity = bytes.fromhex("123456789abc4def8123456789abcdef")
    image = (PACKAGING / "k.pdi").read_bytes()
    assert known.sections == sections([(image, Kernel(), identity)], Partition(1, tuple(range(8))))
    assert known.pdis == (image,)
    again = xclbin(image, known.partition, identity="12345678-9abc-4def-8123-456789abcdef")
    assert read_xclbin(again).sections == known.sections
    with pytest.raises(FormatError, match="says that it has"):
        read_xclbin(again[:-1])


def test_instruction_elf() -> None:
    words = to_words((PACKAGING / "tiny.bin").read_bytes())
    known = (PACKAGING / "tiny.elf").read_bytes()
    assert instruction_elf(words) == known
    assert read_instruction_elf(known).relocations == ((32, "4", 64),)
    words[22] += 0x1000
    with pytest.raises(FormatError, match="whose BD no block write before has"):
        instruction_elf(words)


def with_elf(path: str) -> str:
    return f"""aie.device(npu2) {{
  %t = aie.tile(0, 2)
  %c = aie.core(%t) {{ aie.end }} {{elf_file = "{path}"}}
}}"""


def test_core_elf() -> None:
    found = configured(with_elf("a.elf"), PACKAGING / "e")
    data = cdo_files(found)["main_aie_cdo_elfs.bin"]
    assert (len(data), zlib.crc32(data)) == (284, 0x5B993CBE)
    assert found.missing == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda b: b[:18] + b"\x3e\x00" + b[20:],
            r"of tile \(0, 2\): elf_file .* is for machine 62; AIE cores are machine 264",
        ),
        (lambda b: b[:4] + b"\x02" + b[5:], "is an ELF of class 2"),
        (lambda b: b[:64] + b"\x00\x00\x30\x00" + b[68:], "has a segment at"),
        (lambda b: b"text", "is not an ELF file"),
    ],
)
def test_wrong_core_elf(tmp_path: Path, change: Any, message: str) -> None:
    (tmp_path / "a.elf").write_bytes(change((PACKAGING / "e/a.elf").read_bytes()))
    with pytest.raises(AlloAirError, match=message) as error:
        configured(with_elf("a.elf"), tmp_path)
    assert error.value.diagnostics[0].line == 3


BUFFERS = """
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) {address = 1024 : i32} : memref<300xi32>
  %l = aie.lock(%t, 0) {init = 1 : i32}
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('%x = aie.buffer(%t) {address = 1028 : i32, sym_name = "x"} : memref<4xi32>', "lies at 1028 to 1044 .* over buffer"),
        ("%x = aie.buffer(%t) : memref<4xi32>", "has no address; run aie-assign-buffer-addresses"),
        ("%x = aie.lock(%t) {init = 1 : i32}", "has no number; run aie-assign-lock-ids"),
        ("%x = aie.lock(%t, 0) {init = 1 : i32}", "second lock with number 0"),
        ("aie.flow(%s, DMA : 0, %t, DMA : 0)", "run aie-create-pathfinder-flows first"),
        (
            "%x = aie.mem(%t) { %0 = aie.dma_start(S2MM, 0, ^a, ^e)\n ^a:\n aie.dma_bd(%b : memref<300xi32>)"
            "\n aie.next_bd ^e\n ^e:\n aie.end }",
            "has no number; run aie-assign-bd-ids",
        ),
        (
            "%x = aie.mem(%t) { %0 = aie.dma_start(S2MM, 0, ^a, ^e)\n ^a:\n aie.use_lock(%l, Acquire, 1)"
            "\n aie.dma_bd(%b : memref<300xi32>) {bd_id = 0 : i32}\n aie.next_bd ^e\n ^e:\n aie.end }",
            "without a release",
        ),
    ],
)
def test_refused(body: str, message: str) -> None:
    with pytest.raises(AlloAirError, match=message) as error:
        configured("aie.device(npu1) {" + BUFFERS + body + "\n}")
    assert error.value.diagnostics[0].line > 1


BD = """  %m0 = aie.buffer(%m) {address = 0 : i32} : memref<100000xi32>
  %x = aie.external_buffer {address = 4096 : i64} : memref<8388608xi32>
  %ml = aie.lock(%m, 0) {init = 1 : i32}
  %d = OP(TILE) { %0 = aie.dma_start(MM2S, 0, ^a, ^eREPEAT)
  ^a:
    ACQUIRE
    aie.dma_bd(BUFFER, ACCESS) {bd_id = 0 : i32MORE}
    RELEASE
    aie.next_bd ^e
  ^e:
    aie.end }
"""
PLACES = {
    "core": ("aie.mem", "%t", "%b : memref<300xi32>"),
    "mem": ("aie.memtile_dma", "%m", "%m0 : memref<100000xi32>"),
    "shim": ("aie.shim_dma", "%s", "%x : memref<8388608xi32>"),
}


@pytest.mark.parametrize(
    ("place", "access", "more", "message"),
    [
        ("core", "0, 256, [<size = 1, stride = 1>, <size = 256, stride = 1>]", "", "has d0_wrap 256; .* 0 to 255"),
        ("core", "0, 290, [<size = 290, stride = 1>, <size = 1, stride = 1>]", "", "has d1_wrap 290; .* 0 to 255"),
        ("mem", "0, 1024, [<size = 1, stride = 1>, <size = 1024, stride = 1>]", "", "Size may not exceed 1023. Found 1024"),
        ("mem", "0, 64, [<size = 4, stride = 8>, <size = 16, stride = 1>]", ", next_bd_id = 48 : i32", "next.*48|BD 48"),
        ("shim", "0, 1024, [<size = 1, stride = 1>, <size = 1024, stride = 1>]", "", "has d0_wrap 1024; .* 0 to 1023"),
        ("shim", "0, 4, [<size = 2, stride = 1048577>, <size = 2, stride = 1>]", "", "Stride may not exceed 1048576"),
        ("core", "0, 8", ", iteration = #aie.bd_iteration<size = 65, stride = 4>", "iteration.*6[45]"),
        ("core", "0, 8", ", iteration = #aie.bd_iteration<size = 2, stride = 8193>", "8192|8193"),
        ("core", "0, 8", ", packet = #aie.packet_info<pkt_type = 8, pkt_id = 1>", "Packet type field"),
        ("core", "0, 8", ", packet = #aie.packet_info<pkt_type = 1, pkt_id = 32>", "[Pp]acket"),
        ("shim", "0, 8", ", burst_length = 512 : i32", "burst length 512"),
    ],
)
def test_fields_that_do_not_fit(place: str, access: str, more: str, message: str) -> None:
    """The register library cuts them: each is an error at its BD, with its tile."""
    op, tile, buffer = PLACES[place]
    text = BD.replace("OP", op).replace("TILE", tile).replace("BUFFER", buffer).replace("ACCESS", access)
    text = text.replace("MORE", more).replace("REPEAT", "").replace("ACQUIRE\n", "\n").replace("RELEASE\n", "\n")
    with pytest.raises(AlloAirError, match=message) as error:
        configured("aie.device(npu1) {" + BUFFERS + text + "}")
    assert error.value.diagnostics[0].line == 13


@pytest.mark.parametrize(
    ("acquire", "release", "repeat", "line", "message"),
    [
        ("%ml, AcquireGreaterEqual, 65", "%ml, Release, 1", 0, 13, r"of tile \(0, 1\) has acq_value -65; .* holds -64 to 63"),
        ("%ml, AcquireGreaterEqual, 1", "%ml, Release, 64", 0, 13, r"of tile \(0, 1\) has rel_value 64; .* holds -64 to 63"),
        ("%l, AcquireGreaterEqual, 1", "%ml, Release, 1", 0, 6, "lock"),
        ("%ml, AcquireGreaterEqual, 1", "%ml, Release, 1", 256, 10, r"repeats MM2S 0 of tile \(0, 1\) 256 times"),
    ],
)
def test_locks_and_repeats_that_do_not_fit(acquire: str, release: str, repeat: int, line: int, message: str) -> None:
    text = BD.replace("OP", "aie.memtile_dma").replace("TILE", "%m").replace("BUFFER", PLACES["mem"][2])
    text = text.replace("ACCESS", "0, 8").replace("MORE", "").replace("REPEAT", f", repeat_count = {repeat}")
    text = text.replace("ACQUIRE", f"aie.use_lock({acquire})").replace("RELEASE", f"aie.use_lock({release})")
    with pytest.raises(AlloAirError, match=message) as error:
        configured("aie.device(npu1) {" + BUFFERS + text + "}")
    assert error.value.diagnostics[0].line == line


def test_strides_of_no_whole_words_are_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    """As the register library cuts them; what they say is in the words that are left."""
    text = BD.replace("OP", "aie.mem").replace("TILE", "%t").replace("BUFFER", "%q : memref<64xi8>").replace("MORE", "")
    text = text.replace("ACCESS", "0, 32, [<size = 2, stride = 18>, <size = 16, stride = 1>]").replace("REPEAT", "")
    text = text.replace("ACQUIRE\n", "\n").replace("RELEASE\n", "\n")
    buffer = "  %q = aie.buffer(%t) {address = 8192 : i32} : memref<64xi8>\n"
    found = configured("aie.device(npu1) {" + BUFFERS + buffer + text + "}")
    assert "of tile (0, 2) has a stride of 18 bytes, of which 16 are written: whole words" in capsys.readouterr().err
    [block] = [o for o in found.init if isinstance(o, BlockWrite)]
    assert block.data[2] >> 13 == 3


def test_described(kat: Configuration) -> None:
    lines = describe((PACKAGING / "k.xclbin").read_bytes())
    assert "kernel MLIR_AIE id 0x901, 8 arguments" in lines
    assert "(0, 2) core Slot 0 of DMA 1: 0x051f0112 arbiter=2 msel=1 enable=1 mask=31 id=5" in lines
    assert "(0, 2) core Master DMA 0: 0x80000006 source=South:1" in lines
    old, new = (PACKAGING / "main_aie_cdo_init.bin").read_bytes(), to_bytes(stream(kat.device, kat.init[:-1]))
    assert any("Accumulator_Control" in line for line in differences(old, new) if line.startswith("-"))
    with pytest.raises(FormatError, match="none of xclbin, PDI, CDO"):
        describe(b"some text")


def test_control_packets_are_read(kat: Configuration) -> None:
    """Without a mark, by their parities; the tile is that whose controller has the id."""
    data = (PACKAGING / "c.bin").read_bytes()
    lines = describe(data)
    assert lines[0].startswith("control packets: 572 bytes")
    assert lines[1] == "packet type 0 id 27: register 0x32000: 0x00000002"
    assert not is_packets(data[:-4]) and not is_packets(data[4:])
    tiles = {(0, 0): (0, 15), (0, 1): (0, 26), (0, 2): (0, 27)}
    writes = list(with_tiles(read_packets(data), kat.device, tiles))
    assert writes[0] == BlockWrite(0x232000, (2,))
    with pytest.raises(FormatError, match="id 27 for a controller_id, and no tile of the design has it"):
        list(with_tiles(read_packets(data), kat.device, {}))
    with pytest.raises(FormatError, match=r"and tiles \(0, 2\), \(1, 2\) have it"):
        list(with_tiles(read_packets(data), kat.device, {**tiles, (1, 2): (0, 27)}))


def test_broken_cdo() -> None:
    words = to_words((PACKAGING / "main_aie_cdo_init.bin").read_bytes())
    with pytest.raises(FormatError, match="checksum"):
        list(commands([*words[:4], 0, *words[5:]]))
    with pytest.raises(FormatError, match="words follow"):
        list(commands(words[:-1]))


LINKED = """aie.device(npu1) {
  %t = aie.tile(1, 3)
  %n = aie.tile(1, 4)
  %a = aie.buffer(%t) {address = 1024 : i32, sym_name = "a"} : memref<256xi32>
  %b = aie.buffer(%t) {address = 32768 : i32, sym_name = "b"} : memref<256xi32>
  %c = aie.buffer(%n) {address = 2048 : i32, sym_name = "c"} : memref<8xi32>
  %k = aie.core(%t) { aie.end } {link_with = "kernel.o"}
}"""


def test_linker_script() -> None:
    """Buffers are symbols where the core sees them; its own data go into the largest gap."""
    with new_context():
        module = asm.read(LINKED, "input.mlir")
        [device] = devices(module)
        script, xbridge = linker_script(device, (1, 3)), bcf(device, (1, 3))
        with pytest.raises(AlloAirError, match=r"has no aie.core on tile \(1, 4\)"):
            linker_script(device, (1, 4))
    assert "data (!RX) : ORIGIN = 0x78400, LENGTH = 0x7C00" in script
    assert ". = 0x70400;\na = .;\n. += 0x400;" in script
    assert ". = 0x60800;\nc = .;\n. += 0x20;" in script
    assert "INPUT(kernel.o)\nPROVIDE(main = core_1_3);" in script
    assert "_symbol b 0x78000 0x400\n_extern b\n_reserved DMb 0x78000 0x400" in xbridge
    assert "_reserved DMb 0x40000 0x10000" in xbridge
    assert "_include _file kernel.o\n_resolve _main core_1_3" in xbridge


def test_memory_map_and_architecture_of_aie1() -> None:
    """A core of AIE1 has its own memory to the west in even rows, to the east in odd ones."""
    with new_context():
        module = asm.read(LINKED.replace("npu1", "xcvc1902").replace("32768", "16384"), "input.mlir")
        [device] = devices(module)
        assert memory_map(device).splitlines() == [
            "// Tile(1, 3)",
            "// Memory map: name base_address num_bytes",
            "_symbol c 0x30800 32",
            "_symbol a 0x38400 1024",
            "_symbol b 0x3C000 1024",
            "// Tile(1, 4)",
            "// Memory map: name base_address num_bytes",
            "_symbol a 0x20400 1024",
            "_symbol b 0x24000 1024",
            "_symbol c 0x28800 32",
        ]
        assert "_stack    DM_stack 0x38000  0x400" in bcf(device, (1, 3))
        assert ". = 0x38000;\n_sp_start_value_DM_stack = .;" in linker_script(device, (1, 3))


def test_peano_commands() -> None:
    opt, llc, clang = peano_commands(DEVICES["npu2"], (0, 2), "/peano", Path("w"))
    assert opt[:3] == ["/peano/bin/opt", "--passes=default<O1>", "-inline-threshold=10"]
    assert "--march=aie2p" in llc and "--target=aie2p-none-unknown-elf" in clang


def test_buffer_in_the_stack_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    text = "aie.device(npu1) {\n %t = aie.tile(0, 2)\n %b = aie.buffer(%t) {address = 512 : i32} : memref<4xi32>\n"
    configured(text + " %c = aie.core(%t) { aie.end }\n}")
    assert "warning: 'aie.buffer' op lies at 512 to 528 of tile (0, 2), in the stack" in capsys.readouterr().err
