"""Each rule of DMA programs and buffer descriptors, kept and broken."""

# ruff: noqa: E501 - a case is a line of the table

import pytest


def program(
    bd: str, kind: str = "mem", buffer: str = "memref<1024xi32>", *, tile: str = "", extra: str = "", start: str = "MM2S, 0"
) -> str:
    op, at = {"mem": ("mem", "1, 2"), "memtile": ("memtile_dma", "1, 1"), "shim": ("shim_dma", "1, 0")}[kind]
    made = f"aie.buffer(%o) : {buffer}" if kind != "shim" else f"aie.external_buffer : {buffer}"
    return f"""
aie.device(npu2) {{
  %t = aie.tile({at})
  %o = aie.tile({tile or at})
  %b = {made}
  {extra}
  aie.{op}(%t) {{
    %0 = aie.dma_start({start}, ^bb1, ^bb2)
  ^bb1:
    {bd}
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }}
}}"""


def bd(text: str, buffer: str = "memref<1024xi32>") -> str:
    return f"aie.dma_bd(%b : {buffer}{text}"


BYTES, HALVES, LONGS = "memref<1024xi8>", "memref<1024xi16>", "memref<1024xi64>"
HERE = " // HERE"
ERRORS = [
    (program(bd(", 0, 4)", BYTES), buffer=BYTES), program(bd(", 0, 6)", BYTES) + HERE, buffer=BYTES), "transfer length must be multiple of 4"),
    (program(bd(", 0, 16) {bd_id = 15 : i32}")), program(bd(", 0, 16) {bd_id = 16 : i32}") + HERE), "bdId attribute exceeds max: 15"),
    (program(bd(", 0, 16) {next_bd_id = 47 : i32}"), "memtile"), program(bd(", 0, 16) {next_bd_id = 48 : i32}") + HERE, "memtile"), "nextBdId attribute exceeds max: 47"),
    (program(bd(", 0, 16, [<size = 2, stride = 8>, <size = 2, stride = 4>, <size = 2, stride = 2>, <size = 2, stride = 1>])"), "memtile"),
     program(bd(", 0, 16, [<size = 2, stride = 8>, <size = 2, stride = 4>, <size = 2, stride = 2>, <size = 2, stride = 1>])") + HERE),
     "Cannot give more than 3 dimensions for step sizes and wraps"),
    (program(bd(", 0, 16, [<size = 4, stride = 4>, <size = 4, stride = 1>])")), program(bd(", 0, 16, [<size = 4, stride = 0>, <size = 4, stride = 1>])") + HERE), "Invalid step size"),
    (program(bd(", 0, 16, [<size = 1, stride = 1024>])")), program(bd(", 0, 16, [<size = 1, stride = 1025>])") + HERE), "Step size 1025 exceeds memref size 1024"),
    (program(bd(", 0, 512, [<size = 512, stride = 1>])")), program(bd(", 0, 513, [<size = 513, stride = 1>])") + HERE), "Size may not exceed 1023"),
    (program(bd(", 0, 1024, [<size = 1024, stride = 1>])"), "shim"), program(bd(", 0, 1024, [<size = 1024, stride = 1>])") + HERE, "memtile"), "Size may not exceed 1023"),
    (program(bd(", 0, 1023, [<size = 1023, stride = 1>])"), "memtile"), program(bd(", 0, 64) {iteration = #aie.bd_iteration<size = 65, stride = 1, current = 0>}") + HERE), "iteration size must be in [1:64], found 65"),
    (program(bd(", 0, 64) {iteration = #aie.bd_iteration<size = 64, stride = 1, current = 63>}")), program(bd(", 0, 64) {iteration = #aie.bd_iteration<size = 4, stride = 1, current = 4>}") + HERE), "iteration current must be below its size 4, found 4"),
    (program(bd(", 0, 64) {iteration = #aie.bd_iteration<size = 2, stride = 8192, current = 0>}")), program(bd(", 0, 64) {iteration = #aie.bd_iteration<size = 2, stride = 8193, current = 0>}") + HERE), "iteration stride must be at most 8192 words"),
    (program(bd(", 0, 64) {iteration = #aie.bd_iteration<size = 1, stride = 0, current = 0>}")), program(bd(", 0, 64) {iteration = #aie.bd_iteration<size = 2, stride = 0, current = 0>}") + HERE), "iteration stride must be a positive multiple of 4 bytes"),
    (program(bd(", 0, 16, [<size = 2, stride = 1016>, <size = 8, stride = 1>])")), program(bd(", 0, 16, [<size = 2, stride = 1017>, <size = 8, stride = 1>])") + HERE), "for index 1024 in memref of length 1024"),
    (program(bd(", 0, 16, [<size = 8, stride = 4>, <size = 2, stride = 1>])", HALVES), buffer=HALVES), program(bd(", 0, 16, [<size = 8, stride = 2>])", HALVES) + HERE, buffer=HALVES), "For <32b width datatypes, inner-most dim stride must be 1"),
    (program(bd(", 0, 8, [<size = 8, stride = 1>])", LONGS), buffer=LONGS), program(bd(", 0, 8, [<size = 8, stride = 2>])", LONGS) + HERE, buffer=LONGS), "For >32b width datatypes"),
    (program(bd(", 0, 10, [<size = 8, stride = 1>], [<const_pad_before = 1, const_pad_after = 1>])"), "memtile"), program(bd(", 0, 10, [<size = 8, stride = 1>], [<const_pad_before = 1, const_pad_after = 1>])") + HERE), "Padding is only supported by memtile dma bds"),
    (program(bd(", 0, 10, [<size = 8, stride = 1>], [<const_pad_before = 1, const_pad_after = 1>])"), "memtile"), program(bd(", 0, 10, [<size = 8, stride = 1>], [<const_pad_before = 2, const_pad_after = 1>])") + HERE, "memtile"), "Data exceeds len after padding"),
    (program(bd(", 0, 10, [<size = 8, stride = 1>], [<const_pad_before = 1, const_pad_after = 1>])"), "memtile"),
     program(bd(", 0, 16, [<size = 2, stride = 8>, <size = 4, stride = 1>], [<const_pad_before = 1, const_pad_after = 1>])") + HERE, "memtile"), "Mismatch number of dimensions between padding(s)"),
    (program(bd(", 0, 12, [<size = 8, stride = 1>], [<const_pad_before = 2, const_pad_after = 2>])", HALVES), "memtile", HALVES), program(bd(", 0, 12, [<size = 8, stride = 1>], [<const_pad_before = 1, const_pad_after = 2>])", HALVES) + HERE, "memtile", HALVES), "Inner-most padding-before count"),
    (program(bd(", 0, 12, [<size = 8, stride = 1>], [<const_pad_before = 2, const_pad_after = 2>])", HALVES), "memtile", HALVES), program(bd(", 0, 12, [<size = 8, stride = 1>], [<const_pad_before = 2, const_pad_after = 1>])", HALVES) + HERE, "memtile", HALVES), "Inner-most padding-after count"),
    (program(bd(", 0, 16) {packet = #aie.packet_info<pkt_type = 7, pkt_id = 31>}")), program(bd(", 0, 16) {packet = #aie.packet_info<pkt_type = 8, pkt_id = 0>}") + HERE), "Packet type field can only hold 3 bits."),
    (program(bd(", 0, 16)")), program(bd(", 0, 16) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 32>}") + HERE), "Packet ID field can only hold 5 bits."),
    (program(bd(", 0, 16) {burst_length = 64 : i32}"), "shim"), program(bd(", 0, 16) {burst_length = 64 : i32}") + HERE), "Burst length is only supported in Shim NOC tiles"),
    (program(bd(", 0, 16)")), program(f"{bd(', 0, 16)')}\n{bd(', 0, 16)')}{HERE}"), "second BD of its block"),
    (program(bd(", 2, 2)", HALVES), buffer=HALVES), program(bd(", 1, 2)", "memref<8xi16>") + HERE, buffer="memref<8xi16>").replace("aie.buffer(%o)", "aie.buffer(%o) {address = 4096 : i32}"), "bd address must be 4 byte (32b) aligned"),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad", "phrase"), ERRORS, ids=range(len(ERRORS)))
def test_bd(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (program(bd(", 0, 510, [<size = 2, stride = 512>, <size = 255, stride = 2>])")), program(bd(", 0, 512, [<size = 2, stride = 512>, <size = 256, stride = 2>])") + HERE),
         "8-bit wrap of a core tile's BD (at most 255)"),
        (program(bd(", 0, 2, [<size = 2, stride = 8192>, <size = 1, stride = 1>])", "memref<16384xi32>"), buffer="memref<16384xi32>"),
         program(bd(", 0, 2, [<size = 2, stride = 8193>, <size = 1, stride = 1>])", "memref<16384xi32>") + HERE, buffer="memref<16384xi32>"), "13-bit step"),
        (program(bd(", 0, 71, [<size = 8, stride = 1>], [<const_pad_before = 63, const_pad_after = 0>])"), "memtile"),
         program(bd(", 0, 72, [<size = 8, stride = 1>], [<const_pad_before = 64, const_pad_after = 0>])") + HERE, "memtile"), "does not fit: at most 63 words"),
    ],
)  # fmt: skip
def test_hardware_fields(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase, "warning")


def test_a_bd_needs_a_buffer_of_the_device(compare) -> None:  # type: ignore[no-untyped-def]
    good = program(bd(", 0, 16)"))
    bad = program(bd(", 0, 16)") + HERE).replace("aie.buffer(%o) : memref<1024xi32>", "memref.alloc() : memref<1024xi32>")
    compare(good, bad, "BDs only support BufferOp or ExternalBufferOp operands.")


def test_a_core_dma_reaches_its_own_tile(findings) -> None:  # type: ignore[no-untyped-def]
    found = findings(program(bd(", 0, 16)") + HERE, tile="1, 3"))
    assert [(d.line, "Core tile DMAs can only access a buffer in the same tile" in d.message) for d in found] == [(10, True)]
    lock = program(
        "aie.use_lock(%l, AcquireGreaterEqual, 1)\n" + bd(", 0, 16)"), extra="%x = aie.tile(1, 3)\n %l = aie.lock(%x, 0)"
    )
    assert ["can only access a lock in the same tile" in d.message for d in findings(lock)] == [True]


@pytest.mark.parametrize(("channel", "wanted"), [(3, []), (4, ["attempts to access a non-local buffer"])])
def test_memtile_channels_4_and_5_are_local(findings, channel: int, wanted: list[str]) -> None:  # type: ignore[no-untyped-def]
    found = findings(program(bd(", 0, 16)") + HERE, "memtile", tile="2, 1", start=f"MM2S, {channel}"))
    assert [d.line for d in found] == [10] * len(wanted)
    assert all(phrase in d.message for d, phrase in zip(found, wanted, strict=True))


def test_a_bd_outside_of_dma_programs_is_left_to_lowering(findings) -> None:  # type: ignore[no-untyped-def]
    text = """
    aie.device(npu2) {
      %t = aie.tile(0, 0)
      aie.runtime_sequence(%a: memref<32xi8>) {
        %0 = aiex.dma_configure_task(%t, MM2S, 0) {
          aie.dma_bd(%a : memref<32xi8>, 4, 16, [<size = 2, stride = 4>], [<const_pad_before = 2, const_pad_after = 2>, <const_pad_before = 1, const_pad_after = 1>])
          aie.end
        }
      }
    }"""
    assert findings(text) == []


def test_number_of_bds(findings) -> None:  # type: ignore[no-untyped-def]
    def text(count: int) -> str:
        blocks = "\n".join(
            f"^bb{i}:\n aie.dma_bd(%b : memref<64xi32>, 0, 4)\n aie.next_bd ^bb{i + 1}" for i in range(1, count + 1)
        )
        return f"""aie.device(npu1) {{
        %t = aie.tile(0, 2)
        %b = aie.buffer(%t) : memref<64xi32>
        %m = aie.mem(%t) {{
        %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb{count + 1})
        {blocks}
        ^bb{count + 1}:
          aie.end
        }} }}"""

    assert findings(text(16)) == []
    assert [(d.line, "has more than 16 blocks" in d.message) for d in findings(text(17))] == [(4, True)]


def test_terminators_and_channel_count(findings) -> None:  # type: ignore[no-untyped-def]
    foreign = program(bd(", 0, 16)")).replace("aie.next_bd ^bb2", "cf.br ^bb2")
    assert ["is not an allowed terminator" in d.message for d in findings(foreign)] == [True]
    many = "\n".join(
        f"^c{i}:\n %{i} = aie.dma_start(S2MM, {i}, ^bb, ^c{i + 1})" for i in range(1, 3)
    )  # fmt: skip
    text = f"""aie.device(npu1) {{
      %t = aie.tile(0, 2)
      %b = aie.buffer(%t) : memref<64xi32>
      %m = aie.mem(%t) {{
        %0 = aie.dma_start(S2MM, 0, ^bb, ^c1)
      {many}
      ^c3:
        aie.end
      ^bb:
        aie.dma_bd(%b : memref<64xi32>, 0, 4)
        aie.next_bd ^bb
      }} }}"""
    assert any("uses more input channels than available on this tile" in d.message and d.line == 4 for d in findings(text))


LOCKED = "aie.use_lock(%l, AcquireGreaterEqual, 1)\n" + bd(", 0, 16)") + "\naie.use_lock(%l, Release, 1)\naie.end"


@pytest.mark.parametrize(
    ("body", "phrase"),
    [
        (LOCKED, None),
        ("aie.end", "must have exactly one DMABDOp"),
        (bd(", 0, 16)") + "\naie.end", "must have exactly two UseLock ops"),
    ],
)
def test_dma_regions(findings, body: str, phrase: str | None) -> None:  # type: ignore[no-untyped-def]
    text = f"""aie.device(npu1) {{
      %t = aie.tile(1, 2)
      %b = aie.buffer(%t) : memref<1024xi32>
      %l = aie.lock(%t, 0)
      aie.mem(%t) {{
        %0 = aie.dma(MM2S, 0) [{{
          {body}
        }}]
        aie.end
      }}
    }}"""
    found = findings(text)
    assert [d.line for d in found] == ([] if phrase is None else [6]), [str(d) for d in found]
    assert all(phrase in d.message for d in found)


def test_one_state_a_block(compare) -> None:  # type: ignore[no-untyped-def]
    lock = "%l = aie.lock(%t, 0)"
    good = program("aie.use_lock(%l, AcquireGreaterEqual, 1)\n" + bd(", 0, 16)"), extra=lock)
    bad = program(
        "aie.use_lock(%l, AcquireGreaterEqual, 1)\naie.use_lock(%l, AcquireGreaterEqual, 2) // HERE\n" + bd(", 0, 16)"),
        extra=lock,
    )
    compare(good, bad, "acquires/releases the lock in a DMA block from/to multiple states.")


def test_only_aie2p_pads_with_other_words_than_zero(compare) -> None:  # type: ignore[no-untyped-def]
    def padded(device: str, value: int) -> str:
        start = f"%0 = aie.dma_start(MM2S, 0, ^bb1, ^bb1) {{pad_value = {value} : i32}} // HERE"
        return f"aie.device({device}) {{\n%t = aie.tile(1, 1)\naie.memtile_dma(%t) {{\n{start}\n^bb1:\naie.end\n}}\n}}"

    compare(padded("npu2", 7).replace(" // HERE", ""), padded("npu1", 7), "DMAs of npu1 pad with 0 only")
    compare(padded("npu1", 0).replace(" // HERE", ""), padded("npu1", 1), "`pad_value` is 1")
