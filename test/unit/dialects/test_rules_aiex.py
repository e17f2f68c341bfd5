"""Each rule of the AIEX dialect, kept and broken."""

# ruff: noqa: E501 - a case is a line of the table

import pytest

HERE = " // HERE"


def sequence(body: str, *, args: str = "%x: memref<1024xi32>", name: str = "npu1", outside: str = "") -> str:
    return f"""aie.device({name}) {{
%t = aie.tile(0, 0)
%m = aie.tile(0, 1)
%c = aie.tile(0, 2)
aie.shim_dma_allocation @of(%t, MM2S, 0)
{outside}
aie.runtime_sequence({args}) {{
{body}
}}
}}"""


def copy(lists: str, attrs: str = "", memref: str = "memref<1024xi32>", packet: str = "", name: str = "npu1") -> str:
    return sequence(
        f"aiex.npu.dma_memcpy_nd(%x{lists}{packet}) {{id = 0 : i64, metadata = @of{attrs}}} : {memref}" + HERE,
        args=f"%x: {memref}",
        name=name,
    )


WIDE, BYTES, HALVES = "memref<*xi32>", "memref<64x64xi8>", "memref<1024xi16>"
OK = copy("[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]")


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (OK, copy("[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]", memref="memref<64xi64>"), "Maximum element bit width allowed is 32bits."),
        (OK, copy("[0, 0, 0, 0][1, 1, 1, 2][0, 0, 0, 1]", memref="memref<2xi8>"), "Minimum data transfer size required is 32bits."),
        (OK, copy("[0, 0, 0, 0][1, 1, 0, 64][0, 0, 0, 1]"), "Size 1 must be a positive integer."),
        (copy("[0, 0, 0, 0][1, 1, 4, 4][0, 0, 64, 1]", memref=BYTES), copy("[0, 0, 0, 0][1, 1, 4, 6][0, 0, 64, 1]", memref=BYTES), "Transfer sizes must be multiples of 4 bytes. 6 elements at 1 bytes"),
        (OK, copy("[0, 0, 0, 0][1, 1, 4, 4][0, 0, 0, 1]"), "Stride 1 must be a positive integer."),
        (copy("[0, 0, 0, 0][4, 1, 1, 4][0, 0, 0, 1]"), copy("[0, 0, 0, 0][4, 1, 1, 4][-4, 0, 0, 1]"), "Stride 3 must be a non-negative integer."),
        (copy("[0, 0, 0, 0][1, 1, 4, 4][0, 0, 4, 1]", memref=HALVES), copy("[0, 0, 0, 0][1, 1, 4, 4][0, 0, 5, 1]", memref=HALVES), "Stride 1 is 5 elements * 2 bytes = 10 bytes, which is not divisible by 4."),
        (copy("[0, 0, 0, 0][1, 1, 1, 65536][0, 0, 0, 1]", memref=WIDE), copy("[0, 0, 0, 0][1, 1, 1, 8388593][0, 0, 0, 2]", memref=WIDE), "Size 0 exceeds the [0:1023] range."),
        (copy("[0, 0, 0, 0][1, 1, 1023, 2][0, 0, 4, 1]", memref=WIDE), copy("[0, 0, 0, 0][1, 1, 8388593, 2][0, 0, 4, 1]", memref=WIDE), "Size 1 exceeds the [0:1023] range."),
        (copy("[0, 0, 0, 0][1, 1, 1024, 2][0, 0, 2, 1]", memref=WIDE), copy("[0, 0, 0, 0][66, 1, 1, 2][2, 0, 0, 1]", memref=WIDE), "Size 3 exceeds the [1:64] range."),
        (copy("[0, 0, 0, 0][1, 1, 2, 2][0, 0, 1048576, 1]", memref=WIDE), copy("[0, 0, 0, 0][1, 1, 2, 2][0, 0, 1048578, 1]", memref=WIDE), "Stride 1 exceeds the [1:1048576] range."),
        (copy("[0, 0, 0, 2][1, 1, 1, 4][0, 0, 0, 1]", memref=HALVES), copy("[0, 0, 0, 1][1, 1, 1, 4][0, 0, 0, 1]", memref=HALVES), "Offset must be 4-byte-aligned."),
        (copy("[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]", ", burst_length = 512 : i64", name="npu2"), copy("[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]", ", burst_length = 512 : i64"), "Supported burst lengths: 64 128 256"),
        (copy("[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]", packet=", packet = <pkt_type = 7, pkt_id = 31>"), copy("[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]", packet=", packet = <pkt_type = 8, pkt_id = 0>"), "Packet type field can only hold 3 bits."),
        (OK, copy("[0, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]", packet=", packet = <pkt_type = 0, pkt_id = 32>"), "Packet ID field can only hold 5 bits."),
        (OK, sequence("aiex.npu.dma_memcpy_nd(%x[%i, 0, 0, 0][1, 1, 1, 4][0, 0, 0, 1]) {id = 0 : i64, metadata = @of} : memref<1024xi32>" + HERE, outside="func.func private @n() -> i64").replace("aiex.npu.dma_memcpy", "%i = func.call @n() : () -> i64\naiex.npu.dma_memcpy"), "Only constant offsets currently supported."),
        (sequence("aiex.npu.dma_memcpy_nd(%x[0, 0, 0, %i][1, %i, 8, 4][64, 64, 4, 1]) {id = 0 : i64, metadata = @of} : memref<1024xi32>", args="%x: memref<1024xi32>, %i: i64"), sequence("aiex.npu.dma_memcpy_nd(%x[0, 0, 0, %i][1, 1, 1, 1024][0, 0, 0, 1]) {id = 0 : i64, metadata = @of} : memref<1024xi32>" + HERE, args="%x: memref<1024xi32>, %i: i64"), "Size 0 exceeds the [0:1023] range."),
        (OK, sequence("aiex.npu.dma_memcpy_nd(%x[0, 0, 1, 0][1, 1, 2, 4][0, 0, %i, 1]) {id = 0 : i64, metadata = @of} : memref<1024xi32>" + HERE, args="%x: memref<1024xi32>, %i: i64"), "Offset 1 is 1, and its stride is known only at run time"),
        (OK, sequence("aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, %i, 4][0, 0, 4, 1]) {id = 0 : i64, metadata = @far} : memref<1024xi32>" + HERE, args="%x: memref<1024xi32>, %i: i64", outside="aie.shim_dma_allocation @far(%m, MM2S, 0)"), "which only a shim NOC tile takes, found a mem tile"),
        (sequence("aiex.dma_channel_reset(%m, MM2S, 5)"), sequence("aiex.dma_channel_reset(%m, MM2S, 6)" + HERE), "channel 6 does not exist"),
        (sequence("aiex.dma_channel_reset(%c, S2MM, 1)"), sequence("aiex.dma_channel_reset(%t, S2MM, 1)" + HERE), "only channels of core tiles and memtiles are reset"),
        (sequence("aiex.core_reset(%c)"), sequence("aiex.core_reset(%m)" + HERE), "resets the core of a mem tile, which has none"),
        (sequence("aiex.npu.create_scratchpad {size = 128 : ui32}"), sequence("aiex.npu.create_scratchpad {size = 132 : ui32}" + HERE), "size must be a multiple of 4, at most 128, found 132"),
        (OK, sequence("aiex.npu.create_scratchpad {size = 4 : ui32}\naiex.npu.create_scratchpad {size = 4 : ui32}" + HERE), "is the second of its runtime sequence"),
        (sequence("%v = arith.constant 1023 : i32\naiex.npu.assert_bd_field(%v) {max = 1023 : i32} : i32"), sequence("%v = arith.constant 1024 : i32\naiex.npu.assert_bd_field(%v) {max = 1023 : i32} : i32" + HERE), "value 1024 does not fit the field of a BD, [0:1023]"),
        (sequence("%v = arith.constant 1 : i32\naiex.npu.assert_bd_divisible(%v) {allow_unit, divisor = 4 : i32} : i32"), sequence("%v = arith.constant 1 : i32\naiex.npu.assert_bd_divisible(%v) {divisor = 4 : i32} : i32" + HERE), "value 1 is not a multiple of 4"),
        (sequence("", outside="aie.objectfifo_rearm_binding @r channels() locks() {channel_dirs = array<i32>, channel_indices = array<i32>, lock_inits = array<i32>}"), sequence("", outside="aie.objectfifo_rearm_binding @r channels(%c : index) locks() {channel_dirs = array<i32: 0, 1>, channel_indices = array<i32: 0>, lock_inits = array<i32>}" + HERE), "has 1 channels and 2 channel_dirs; expected one for each"),
        (sequence("aiex.dma_channel_reset_for(@r)", outside="aie.objectfifo_rearm_binding @r channels() locks() {channel_dirs = array<i32>, channel_indices = array<i32>, lock_inits = array<i32>}"), sequence("aiex.dma_channel_reset_for(@q)" + HERE), "names @q, which is not an aie.objectfifo"),
        (sequence("aiex.npu.dma_wait {symbol = @of}"), sequence("aiex.npu.dma_wait {symbol = @no}" + HERE), "couldn't find symbol in parent device"),
        (sequence("aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 15 : i32, issue_token = true, repeat_count = 255 : i32}"), sequence("aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 16 : i32, issue_token = true, repeat_count = 0 : i32}" + HERE), "BD ID exceeds the maximum ID."),
        (OK, sequence("aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 0 : i32, issue_token = true, repeat_count = 256 : i32}" + HERE), "Repeat count exceeds the [0:255] range"),
        (sequence("aiex.control_packet {address = 1 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}"), sequence("aiex.control_packet {address = 1 : ui32, opcode = 0 : i32, stream_id = 0 : i32}" + HERE), "expects data (to write) or length (to read)"),
        (sequence("aiex.control_packet {address = 1 : ui32, length = 3 : i32, opcode = 1 : i32, stream_id = 4 : i32}"), sequence("aiex.control_packet {address = 1 : ui32, length = 3 : i32, data = array<i32: 1>, opcode = 1 : i32, stream_id = 4 : i32}" + HERE), "length 3 does not match the 1 words of data"),
        (sequence("aiex.npu.write32 {address = 1 : ui32, value = 1 : ui32, column = 0 : i32, row = 2 : i32}"), sequence("aiex.npu.write32 {address = 1 : ui32, value = 1 : ui32, column = -1 : i32, row = 2 : i32}" + HERE), "names tile (-1, 2), but npu1 has 4 columns"),
        (sequence("aiex.npu.write32 {address = 1 : ui32, value = 1 : ui32, column = 0 : i32, row = 2 : i32}"), sequence("aiex.npu.write32 {address = 1 : ui32, value = 1 : ui32, column = 0 : i32, row = 32 : i32}" + HERE), "names tile (0, 32), but npu1 has 4 columns"),
        (sequence("aiex.set_lock(%l, 63)", outside="%l = aie.lock(%c, 0)"), sequence("aiex.set_lock(%l, 64)" + HERE, outside="%l = aie.lock(%c, 0)"), "Lock value exceeds the maximum value of 63"),
    ],
)  # fmt: skip
def test_errors(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


TASK = "%0 = aiex.dma_configure_task(%t, MM2S, {}) {{\naie.dma_bd(%x : memref<1024xi32>, 0, 16)\naie.end\n}} {}"


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (copy("[0, 0, 0, 0][64, 1, 1, 2][2, 0, 0, 1]", memref=WIDE), copy("[0, 0, 0, 0][65, 1, 1, 2][2, 0, 0, 1]", memref=WIDE), "6-bit iteration field holds at most 64"),
        (copy("[0, 0, 0, 0][1, 1, 2, 4][0, 0, 8, 1]", memref=HALVES), copy("[0, 0, 0, 0][1, 1, 2, 4][0, 0, 8, 2]", memref=HALVES), "elements of 16 bits are moved in runs of words"),
        (sequence("aiex.npu.write32 {address = 1 : ui32, value = 1 : ui32, column = 0 : i32, row = 2 : i32}"), sequence("aiex.npu.write32 {address = 1 : ui32, value = 1 : ui32, column = 0 : i32}" + HERE), "gives column without row"),
        (sequence("aiex.npu.maskwrite32 {address = 1 : ui32, value = 1 : ui32, mask = 1 : ui32}"), sequence("aiex.npu.maskwrite32 {address = 1 : ui32, value = 1 : ui32, mask = 1 : ui32, column = 4 : i32, row = 0 : i32}" + HERE), "names tile (4, 0), but npu1 has 4 columns"),
        (sequence("aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 4 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}"), sequence("aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 2 : i32, row = 0 : i32, row_num = 1 : i32}" + HERE), "direction must be 0 (S2MM) or 1 (MM2S)"),
        (sequence(TASK.format(0, "{repeat_count = 255 : i32}")), sequence(TASK.format(0, "{repeat_count = 256 : i32}").replace("{\naie", "{ // HERE\naie")), "repeat_count 256 does not fit"),
        (sequence(TASK.format(0, "{issue_token = true}") + "\naiex.dma_await_task(%0)"), sequence(TASK.format(0, "") + "\naiex.dma_await_task(%0)" + HERE), "waits for a task that issues no token"),
        (sequence("aiex.npu.load_pdi {id = 1 : i32}"), sequence("aiex.npu.load_pdi {}" + HERE), "names neither a device"),
        (sequence("aiex.npu.preempt {level = 3 : ui8}"), sequence("aiex.npu.preempt {level = 4 : ui8}" + HERE), "level must be in [0, 3]"),
    ],
)  # fmt: skip
def test_warnings(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase, "warning")


FIELDS = {
    "column": 0, "row": 0, "bd_id": 0, "buffer_length": 64, "buffer_offset": 0, "enable_packet": 0, "out_of_order_id": 0, "packet_id": 0,
    "packet_type": 0, "d0_size": 8, "d0_stride": 0, "d1_size": 8, "d1_stride": 7, "d2_size": 0, "d2_stride": 63, "iteration_current": 0,
    "iteration_size": 0, "iteration_stride": 0, "next_bd": 0, "use_next_bd": 0, "valid_bd": 1, "lock_rel_val": 0, "lock_rel_id": 0,
    "lock_acq_enable": 0, "lock_acq_val": 0, "lock_acq_id": 0, "d0_zero_before": 0, "d1_zero_before": 0, "d2_zero_before": 0,
    "d0_zero_after": 0, "d1_zero_after": 0, "d2_zero_after": 0, "burst_length": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "phrase"),
    [
        ({}, None),
        ({"d0_size": 2048, "d1_size": 1}, None),
        ({"bd_id": 16}, "BD ID exceeds the maximum ID."),
        ({"packet_id": 32}, "Packet ID exceeds the maximum supported by 5 bits."),
        ({"packet_type": 8}, "Packet Type exceeds the maximum supported by 3 bits."),
        ({"d0_size": 1024}, "D0 Size exceeds the [0:1023] range."),
        ({"d1_size": 1024}, "D1 Size exceeds the [0:1023] range."),
        ({"d0_stride": 1 << 20}, "D0 Stride exceeds the [0:1M-1] range."),
        ({"d1_stride": 1 << 20}, "D1 Stride exceeds the [0:1M-1] range."),
        ({"d2_stride": 1 << 20}, "D2 Stride exceeds the [0:1M-1] range."),
        ({"iteration_size": 64}, "Iteration Size exceeds the [0:63] range."),
        ({"iteration_stride": 1 << 20}, "Iteration Stride exceeds the [0:1M-1] range."),
        ({"d2_size": 2}, "ShimTile only supports 3 dimensions of sizes."),
        ({"d0_zero_before": 1}, "ShimTile doesn't support zero padding."),
        ({"row": 1, "d0_zero_before": 1}, None),
        ({"row": 1, "burst_length": 64}, "Only ShimTiles support burst length."),
        ({"burst_length": 512}, "Supported burst lengths: 64 128 256"),
    ],
)
def test_write_bd(findings, changes: dict[str, int], phrase: str | None) -> None:  # type: ignore[no-untyped-def]
    fields = ", ".join(f"{name} = {value} : i32" for name, value in (FIELDS | changes).items())
    found = findings(sequence(f"aiex.npu.writebd {{{fields}}}"))
    assert [d.line for d in found] == ([] if phrase is None else [8]), [str(d) for d in found]
    assert all(phrase in d.message for d in found)


CHAIN = "aie.bd_chain @chain(%b: memref<8xi32>) {\naie.dma_bd(%b : memref<8xi32>, 0, 8)\naie.end\n}"
START = "%0 = aiex.dma_start_bd_chain @{}(%x) : ({}) on (%t, MM2S, 0)"


@pytest.mark.parametrize(
    ("name", "argument", "phrase"),
    [
        ("chain", "memref<8xi32>", None),
        ("nowhere", "memref<8xi32>", "symbol does not reference valid BD chain"),
        ("chain", "memref<9xi32>", "Argument 1 types mismatch: expected memref<8xi32> but got memref<9xi32>"),
    ],
)
def test_bd_chain(findings, name: str, argument: str, phrase: str | None) -> None:  # type: ignore[no-untyped-def]
    found = findings(sequence(START.format(name, argument), args=f"%x: {argument}", outside=CHAIN))
    assert [d.line for d in found] == ([] if phrase is None else [11]), [str(d) for d in found]
    assert all(phrase in d.message for d in found)


@pytest.mark.parametrize(
    ("body", "phrase"),
    [
        (
            "aie.dma_bd(%x : memref<1024xi32>, 0, 8)\naie.next_bd ^a\n^a:\naie.dma_bd(%x : memref<1024xi32>, 0, 8)\naie.end",
            None,
        ),
        ("aie.dma_bd(%x : memref<1024xi32>, 0, 8)\naie.end\n^a:\naie.end", "does not form a chain with entry block"),
        ("aie.dma_bd(%x : memref<1024xi32>, 0, 8)\naie.dma_bd(%x : memref<1024xi32>, 0, 8)\naie.end", "second BD of its block"),
        ("cf.br ^a\n^a:\naie.end", "is not an allowed terminator"),
    ],
)
def test_task_blocks(findings, body: str, phrase: str | None) -> None:  # type: ignore[no-untyped-def]
    found = findings(sequence(f"%0 = aiex.dma_configure_task(%t, MM2S, 0) {{\n{body}\n}}"))
    assert [phrase in d.message for d in found] == ([] if phrase is None else [True]), [str(d) for d in found]


CALLEE = "aie.device(npu1) @callee {\naie.runtime_sequence @seq(%x: memref<8xi32>) {\n}\n}\n"


@pytest.mark.parametrize(
    ("configure", "run", "phrase"),
    [
        ("@callee", "@seq(%x) : (memref<8xi32>)", None),
        ("@nobody", "@seq(%x) : (memref<8xi32>)", "No such device: '@nobody'"),
        ("@callee", "@other(%x) : (memref<8xi32>)", "No such runtime sequence for device 'callee': 'other'"),
        ("@callee", "@seq() : ()", "Number of arguments mismatches. Expected 1, found 0"),
    ],
)
def test_configure_and_run(findings, configure: str, run: str, phrase: str | None) -> None:  # type: ignore[no-untyped-def]
    body = f"aiex.configure {configure} {{\naiex.run {run}\n}}"
    found = findings(CALLEE + sequence(body, args="%x: memref<8xi32>"))
    assert [phrase in d.message for d in found] == ([] if phrase is None else [True]), [str(d) for d in found]


def test_configure_wants_the_same_kind_of_device(findings) -> None:  # type: ignore[no-untyped-def]
    found = findings(CALLEE + sequence("aiex.configure @callee {\n}", name="npu2"))
    assert ["Device types do not match: 'npu2' and 'npu1'" in d.message for d in found] == [True]


def test_multicast_and_tokens(findings) -> None:  # type: ignore[no-untyped-def]
    good = "aiex.multicast(%t, DMA : 0) {\naiex.multi_dest<%c, DMA : 0>\n}"
    bad = "aiex.multicast(%t, DMA : 0) {\n%k = arith.constant 1 : i32\n}"
    assert findings(sequence("", outside=good)) == []
    assert ["cannot be contained in a Multicast op" in d.message for d in findings(sequence("", outside=bad))] == [True]
    assert findings('aiex.token(0) {sym_name = "k"}\nfunc.func @f() {\naiex.useToken @k(Acquire, 0)\nreturn\n}') == []


def test_cert_chain(findings) -> None:  # type: ignore[no-untyped-def]
    def chain(first: str, last: str) -> str:
        return f"aiex.cert.uc_dma_chain @c {{\naiex.cert.uc_dma_bd @d, 1, 1, {first}\naiex.cert.uc_dma_bd @d, 2, 1, {last}\n}}"

    assert findings(chain("true", "false")) == []
    assert [(d.line, d.severity) for d in findings(chain("false", "true"))] == [(2, "warning"), (3, "warning")]
