"""Each rule of tiles, cores, buffers and locks, kept and broken."""

# ruff: noqa: E501 - a case is a line of the table

import pytest

CORE, MEM, SHIM = "%t = aie.tile(1, 2)", "%t = aie.tile(1, 1)", "%t = aie.tile(1, 0)"


def device(body: str, name: str = "npu1") -> str:
    return f"aie.device({name}) {{\n{body}\n}}"


def core(body: str) -> str:
    return f"aie.core(%t) {{\n{body}\naie.end\n}}"


CASES = [
    ("%t = aie.tile(3, 0)", "%t = aie.tile(4, 0) // HERE", "column index (4) must be less than the number of columns in the device (4)"),
    ("%t = aie.tile(0, 5)", "%t = aie.tile(0, 6) // HERE", "row index (6) must be less than the number of rows in the device (6)"),
    ('%t = aie.tile(0, 1) {allocation_scheme = "basic-sequential"}', '%t = aie.tile(0, 0) {allocation_scheme = "bank-aware"} // HERE', "Shim tiles cannot have an allocation scheme"),
    (f"{CORE}\n{core('')}", f"{CORE} // HERE\n{core('')}\n{core('')}", "can only have one core"),
    (f"{CORE}\naie.switchbox(%t) {{\n}}", f"{CORE} // HERE\naie.switchbox(%t) {{\n}}\naie.switchbox(%t) {{\n}}", "can only have one switchbox"),
    ("%t = aie.logical_tile<MemTile>(?, 1)", "%t = aie.logical_tile<MemTile>(0, 2) // HERE", "declared as a mem tile, but tile (0, 2) of npu1 is a core tile"),
    ("%t = aie.logical_tile<CoreTile>(?, 5)", "%t = aie.logical_tile<CoreTile>(?, 6) // HERE", "row index (6) must be less"),
    (f"{CORE}\n{core('')}", f"{SHIM}\naie.core(%t) {{ // HERE\naie.end\n}}", "CoreOp cannot be created on shim tile"),
    (f"{CORE}\n{core('')}", f"{MEM}\naie.core(%t) {{ // HERE\naie.end\n}}", "CoreOp cannot be created on mem tile"),
    (f"{CORE}\naie.core(%t) {{\naie.end\n}} {{elf_file = \"x.elf\"}}",
     f"{CORE}\naie.core(%t) {{ // HERE\n%c = arith.constant 0 : i32\naie.end\n}} {{elf_file = \"x.elf\"}}", "core body must be empty"),
    (f"{CORE}\naie.mem(%t) {{\naie.end\n}}", f"{MEM}\naie.mem(%t) {{ // HERE\naie.end\n}}", "must be in a core tile, found a mem tile; use aie.memtile_dma"),
    (f"{MEM}\naie.memtile_dma(%t) {{\naie.end\n}}", f"{CORE}\naie.memtile_dma(%t) {{ // HERE\naie.end\n}}", "must be in a mem tile"),
    (f"{CORE}\naie.lock(%t, 15)", f"{CORE}\naie.lock(%t, 16) // HERE", "lock assigned invalid id (maximum is 15)"),
    (f"{MEM}\naie.lock(%t, 63)", f"{MEM}\naie.lock(%t, 64) // HERE", "lock assigned invalid id (maximum is 63)"),
    (f"{CORE}\n%l = aie.lock(%t, 0)\n{core('aie.use_lock(%l, Acquire, 1)')}", f"{CORE}\n%l = aie.lock(%t, 0)\naie.use_lock(%l, Acquire, 1) // HERE", "must be used in a core or memory operation."),
    (f"{CORE}\naie.core(%t) {{\naie.end\n}} {{stack_size = 1 : i32}}", f"{CORE}\naie.core(%t) {{ // HERE\naie.end\n}} {{stack_size = 0 : i32}}", "stack_size must be at least 1 byte, found 0"),
    (f"{CORE}\naie.core(%t) {{\naie.end\n}} {{stack_size = 65535 : i32}}", f"{CORE}\naie.core(%t) {{ // HERE\naie.end\n}} {{stack_size = 65536 : i32}}", "stack_size must be less than the 65536 bytes of tile (1, 2)"),
    (f"{CORE}\naie.core(%t) {{\naie.end\n}} {{link_files = [\"a.o\"], link_merge_files = [\"b.ll\"]}}",
     f"{CORE}\naie.core(%t) {{ // HERE\naie.end\n}} {{link_files = [\"a.o\"], link_merge_files = [\"a.o\"]}}", "names 'a.o' in link_files and in link_merge_files"),
    (f"{CORE}\naie.core(%t) {{\naie.end\n}} {{link_with = \"a.o\"}}",
     f"{CORE}\naie.core(%t) {{ // HERE\naie.end\n}} {{link_files = [\"a.o\"], link_with = \"a.o\"}}", "has link_with, which is deprecated, beside link_files"),
    ('func.func private @f() attributes {link_with = "f.ll", link_with_mode = "merge"}', 'func.func private @f() attributes {link_with_mode = "merge"} // HERE', "has link_with_mode"),
    ('func.func private @f() attributes {link_with = "f.ll"}', 'func.func private @f() attributes {link_with = "f.ll", link_with_mode = "copy"} // HERE', 'link_with_mode must be "merge"'),
    (f"{CORE}\n%u = aie.tile(1, 3)\n{core('')}\naie.core(%u) {{\naie.end\n}}", f"{CORE}\n%u = aie.tile(1, 2)\n{core('')}\naie.core(%u) {{ // HERE\naie.end\n}}", "is a second core at tile (1, 2)"),
    (f"{CORE}\naie.lock(%t, 0) {{init = 63 : i32}}", f"{CORE}\naie.lock(%t, 0) {{init = 64 : i32}} // HERE", "starts at 64; a lock holds 0 to 63"),
    (f"{CORE}\naie.lock(%t, 0) {{init = 0 : i32}}", f"{CORE}\naie.lock(%t, 0) {{init = -1 : i32}} // HERE", "starts at -1; a lock holds 0 to 63"),
    (f"{CORE}\naie.buffer(%t) {{address = 65532 : i32}} : memref<1xi32>", f"{CORE}\naie.buffer(%t) {{address = 65532 : i32}} : memref<2xi32> // HERE", "lies at 65532 to 65540; tile (1, 2) has 65536 bytes"),
    (f"{CORE}\naie.buffer(%t) {{address = 65532 : i32}} : memref<1xindex>", f"{CORE}\naie.buffer(%t) {{address = 65532 : i32}} : memref<2xindex> // HERE", "lies at 65532 to 65540"),
    (f"{CORE}\naie.buffer(%t) {{address = 0 : i32}} : memref<1xi32>", f"{CORE}\naie.buffer(%t) {{address = -4 : i32}} : memref<1xi32> // HERE", "lies at -4 to 0"),
    (f"{CORE}\naie.buffer(%t) {{mem_bank = 3 : i32}} : memref<1xi32>", f"{CORE}\naie.buffer(%t) {{mem_bank = 4 : i32}} : memref<1xi32> // HERE", "bank 4 does not exist"),
    (f"{MEM}\naie.buffer(%t) {{mem_bank = 7 : i32}} : memref<1xi32>", f"{MEM}\naie.buffer(%t) {{mem_bank = 8 : i32}} : memref<1xi32> // HERE", "bank 8 does not exist"),
    (CORE + "\n%l = aie.lock(%t, 0)\naie.core(%t) {\n%c = arith.constant 1 : i32\n%x = arith.addi %c, %c : i32\naie.use_lock(%l, AcquireGreaterEqual, %x)\naie.end\n}",
     f"{CORE}\n%l = aie.lock(%t, 0)\naie.mem(%t) {{\n%c = arith.constant 1 : i32\n%x = arith.addi %c, %c : i32\naie.use_lock(%l, AcquireGreaterEqual, %x) // HERE\naie.end\n}}", "takes a value that is not a constant in aie.mem"),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad", "phrase"), CASES)
def test_errors(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(device(good), device(bad), phrase)


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (f"{CORE}\n%l = aie.lock(%t, 0)\n{core('aie.use_lock(%l, Release, 63)')}", f"{CORE}\n%l = aie.lock(%t, 0)\n{core('aie.use_lock(%l, Release, 64) // HERE')}", "value 64 does not fit"),
    ],
)  # fmt: skip
def test_warnings(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(device(good), device(bad), phrase, "warning")


@pytest.mark.parametrize(
    ("owner", "seen"),
    [("1, 2", True), ("1, 3", True), ("0, 2", True), ("2, 2", False), ("1, 4", False), ("1, 1", False)],
)
@pytest.mark.parametrize(
    ("declare", "use"),
    [("aie.lock(%o, 0)", "aie.use_lock(%x, Acquire, 1)"),
     ("aie.buffer(%o) : memref<4xi32>", "%c = arith.constant 0 : index\n%v = memref.load %x[%c] : memref<4xi32>")],
)  # fmt: skip
def test_reach(findings, owner: str, seen: bool, declare: str, use: str) -> None:  # type: ignore[no-untyped-def]
    tile = "%o = aie.tile({})".format(owner)  # noqa: UP032
    text = device(f"%t = aie.tile(1, 2)\n{tile}\n%x = {declare}\n{core(use)}")
    found = findings(text)
    assert [d.line for d in found] == ([] if seen else [4])
    if not seen:
        column, row = owner.split(", ")
        wanted = f"in Column {column} and Row {row} is accessed from an unreachable tile in Column 1 and Row 2"
        assert wanted in found[0].message
        assert found[0].notes[0].line > 4


def test_sequence_reaches_every_lock(findings) -> None:  # type: ignore[no-untyped-def]
    assert findings(device(f"{MEM}\n%l = aie.lock(%t, 0)\naie.runtime_sequence() {{\naiex.set_lock(%l, 63)\n}}")) == []


def test_semaphores_are_not_for_aie1(compare) -> None:  # type: ignore[no-untyped-def]
    lock = "%t = aie.tile(1, 2)\n%l = aie.lock(%t, 0)\n"
    good, bad = (
        device(lock + core(f"aie.use_lock(%l, {what}"), "xcvc1902")
        for what in ("Acquire, 1)", "AcquireGreaterEqual, 1) // HERE")
    )
    compare(good, bad, "AcquireGreaterEqual is not supported in AIE1.")
