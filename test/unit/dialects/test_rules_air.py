"""Each rule of the AIR dialect, kept and broken."""

# ruff: noqa: E501 - a case is a line of the table

import pytest

from allo_air.asm.syntax import printing


def function(body: str, args: str = "%a: memref<64x64xbf16>, %l1: memref<32x32xbf16, 2>") -> str:
    return f"""
func.func @f({args}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
{body}
  return
}}"""


def herd(body: str) -> str:
    return function(f"  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%a, %n=%l1) : memref<64x64xbf16>, memref<32x32xbf16, 2> {{\n"
                    f"    %i = arith.constant 0 : index\n{body}\n  }}")  # fmt: skip


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (
            function("air.dma_memcpy_nd (%l1[] [] [], %a[%c0] [%c32, %c32] [%c32, %c1]) : (memref<32x32xbf16, 2>, memref<64x64xbf16>)"),
            function("air.dma_memcpy_nd (%l1[] [] [], %a[%c0] [%c32, %c32] [%c1]) : (memref<32x32xbf16, 2>, memref<64x64xbf16>) // HERE"),
            "src sizes and src strides of the same length, found 2 and 1",
        ),
        (
            function("air.dma_memcpy_nd (%l1[%c0] [%c32] [%c1], %a[] [] []) : (memref<32x32xbf16, 2>, memref<64x64xbf16>)"),
            function("air.dma_memcpy_nd (%l1[%c0, %c0] [%c32] [%c1], %a[] [] []) : (memref<32x32xbf16, 2>, memref<64x64xbf16>) // HERE"),
            "at most as many dst offsets",
        ),
        (
            function("air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) {pad_before = array<i32: 0, 1>, pad_after = array<i32: 0, 0>} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)"),
            function("air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) {pad_before = array<i32: 0>, pad_after = array<i32: 0, 0>} : (memref<32x32xbf16, 2>, memref<64x64xbf16>) // HERE"),
            "pad_before has 1 entry",
        ),
        (
            function("air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) {pad_before = array<i32: 0, 0>, pad_after = array<i32: 0, 65535>} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)"),
            function("air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) {pad_before = array<i32: 0, 0>, pad_after = array<i32: 0, 65536>} : (memref<32x32xbf16, 2>, memref<64x64xbf16>) // HERE"),
            "pad_after values must be in [0, 65535]",
        ),
        (
            function("air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) {pad_before = array<i32: 0, 0>, pad_after = array<i32: 0, 0>} : (memref<32x32xbf16, 2>, memref<64x64xbf16>)"),
            function("air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) {pad_after = array<i32: 0, 0>} : (memref<32x32xbf16, 2>, memref<64x64xbf16>) // HERE"),
            "expects pad_before and pad_after together, found pad_after only",
        ),
    ],
)  # fmt: skip
def test_access(compare, good, bad, phrase) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        ('air.channel @c [1] {channel_type = "npu_cascade"}', 'air.channel @c [1] {channel_type = "pigeon"} // HERE', "unsupported channel_type"),
        ("air.channel @c [1, 2]", "air.channel @c [1, 0] // HERE", "positive bundle sizes"),
        ("air.channel @c [1, 4] {broadcast_shape = [4, 4]}", "air.channel @c [1, 4] {broadcast_shape = [4]} // HERE", "bundle rank should match broadcast_shape rank"),
        ("air.channel @c [2, 1] {broadcast_shape = [2 : index, 4 : index]}", "air.channel @c [2, 1] {broadcast_shape = [4, 4]} // HERE", "dimension 0 of size 2 cannot be broadcast to 4"),
        ('air.channel @c [1] {channel_type = "dma_packet", packet_ids = [0, 31]}', 'air.channel @c [1] {channel_type = "dma_packet", packet_ids = [32]} // HERE', "[0, 31]"),
        ('air.channel @c [1] {channel_type = "npu_dma_packet", packet_ids = [1, 2]}', 'air.channel @c [1] {channel_type = "dma_packet", packet_ids = [1, 1]} // HERE', "unique"),
        ('air.channel @c [1] {channel_type = "dma_packet", packet_ids = [1]}', 'air.channel @c [1] {channel_type = "dma_packet", packet_ids = [true, "a"]} // HERE', "array of integers"),
        ('air.channel @c [1] {channel_type = "dma_packet", packet_ids = [1]}', "air.channel @c [1] {packet_ids = [1]} // HERE", "for channel_type \"dma_packet\" only"),
        ("air.channel @c [1] {air.refeed_count = 2 : i64}", "air.channel @c [1] {air.refeed_count = 0 : i64} // HERE", "air.refeed_count must be in [1, "),
    ],
)  # fmt: skip
def test_channel(compare, good, bad, phrase) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


RANKED = (
    "air.rank (%r) in (%n = %c2) {{\n%s = memref.alloc() {{{0}}} : memref<8xi32>\n%t = memref.alloc() : memref<8xi32>\n{1}\n}}"
)
REMOTE = "air.dma_memcpy_nd (%t[] [] [], %s[] [] []) {{src_rank = {} : i64}} : (memref<8xi32>, memref<8xi32>) // HERE"
HEAP = 'air.channel @c [1] {channel_type = "gpu_symmetric_heap"}\n'
GET = "air.channel.get @c[] (%t[] [] []) : (memref<8xi32>) // HERE"
BARE = function(
    f"%s = memref.alloc() {{air.symmetric}} : memref<8xi32>\n%t = memref.alloc() : memref<8xi32>\n{REMOTE.format(0)}"
)


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (function(RANKED.format("air.symmetric", REMOTE.format(1))), BARE, "src_rank is only allowed inside air.rank"),
        (function(RANKED.format("air.symmetric", REMOTE.format(0))), function(RANKED.format("air.symmetric", REMOTE.format(-1))), "src_rank must be non-negative"),
        (function(RANKED.format("air.symmetric", REMOTE.format(0))), function(RANKED.format("", REMOTE.format(0))), "'air.symmetric' attribute"),
        (HEAP + function(RANKED.format("", GET)), HEAP + function(f"%t = memref.alloc() : memref<8xi32>\n{GET}"), "must be inside air.rank"),
        (function("air.launch () in () {\nair.rank () in () {\n}\n}"), function("air.rank () in () {\nair.rank () in () { // HERE\n}\n}"), "cannot be nested inside air.rank"),
    ],
)  # fmt: skip
def test_ranks(compare, good, bad, phrase) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


PICKED = "air.channel @c [2]\n"
PUT = "air.channel.put @c[%i] (%a[] [] []) {} : (memref<64x64xbf16>) // HERE"


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (
            PICKED + function("scf.parallel (%i) = (%c0) to (%c2) step (%c1) {\n" + PUT.format("") + "\nscf.reduce\n}"),
            PICKED + function("scf.for %i = %c0 to %c2 step %c1 {\n" + PUT.format("") + "\n}"),
            "channel index 0 is an scf.for induction variable",
        ),
        (
            PICKED + function("%i = arith.constant 1 : index\n" + PUT.format("{air.refeed_count = 2147483647 : i64}")),
            PICKED + function("%i = arith.constant 1 : index\n" + PUT.format("{air.refeed_count = 2147483648 : i64}")),
            "air.refeed_count must be in [1, 2147483647]",
        ),
    ],
)
def test_channel_index_and_refeed(compare, good, bad, phrase) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


def test_march_picks_channels_by_loops(findings) -> None:  # type: ignore[no-untyped-def]
    loop = "scf.for %i = %c0 to %c2 step %c1 { air.channel.put @c[%i] (%l1[] [] []) : (memref<32x32xbf16, 2>) }"
    body = "air.channel @c [4]" + function(loop)
    assert findings(body)
    with printing("2026-03"):
        assert not findings(body)


MMIO = 'air.channel @c [1] {channel_type = "mmio"}\n'


@pytest.mark.parametrize(
    ("good", "bad", "phrase", "severity"),
    [
        (
            MMIO + function("air.channel.put @c[] (%a[] [] []) : (memref<64x64xbf16>)"),
            MMIO + function("air.channel.put @c[] (%l1[] [] []) : (memref<32x32xbf16, 2>) // HERE"),
            "must put from L3", "error",
        ),
        (
            MMIO + function("air.channel.get @c[] (%l1[] [] []) : (memref<32x32xbf16, 2>)"),
            MMIO + function("air.channel.get @c[] (%a[] [] []) : (memref<64x64xbf16>) // HERE"),
            "must get into L1", "error",
        ),
        (
            "air.channel @c [1, 2]" + function("air.channel.put @c[%c0, %c1] (%a[] [] []) : (memref<64x64xbf16>)"),
            "air.channel @c [1, 2]" + function("air.channel.put @c[%c1, %c1] (%a[] [] []) : (memref<64x64xbf16>) // HERE"),
            "index #0 is 1, but @c has 1 there", "warning",
        ),
        (
            "air.channel @c [1, 1] {broadcast_shape = [1, 4]}" + function("air.channel.get @c[%c0, %c2] (%a[] [] []) : (memref<64x64xbf16>)"),
            "air.channel @c [1, 1] {broadcast_shape = [1, 4]}" + function("air.channel.get @c[%c0] (%a[] [] []) : (memref<64x64xbf16>) // HERE"),
            "has 1 index, but @c has rank 2", "warning",
        ),
    ],
)  # fmt: skip
def test_put_and_get(compare, good, bad, phrase, severity) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase, severity)


def test_put_to_an_unknown_channel_is_accepted(findings) -> None:  # type: ignore[no-untyped-def]
    assert findings(function("air.channel.put @nowhere[] (%a[] [] []) : (memref<64x64xbf16>)")) == []


@pytest.mark.parametrize(
    ("good", "bad", "phrase", "severity"),
    [
        (
            herd("    %0 = memref.alloc() : memref<8xbf16, 2>"),
            herd("    %0 = memref.alloc() : memref<8xbf16, 1> // HERE"),
            "in 'air.herd' must allocate in L1", "error",
        ),
        (
            function("air.segment { \n %0 = memref.alloc() : memref<8xbf16, 1 : i32> \n }"),
            function("air.segment { \n %0 = memref.alloc() : memref<8xbf16> // HERE \n }"),
            "in 'air.segment' must allocate in L2 or L1", "error",
        ),
        (
            herd("    %v = memref.load %n[%i, %i] : memref<32x32xbf16, 2>"),
            herd("    %v = memref.load %m[%i, %i] : memref<64x64xbf16> // HERE"),
            "AIE core tiles can only access L1", "error",
        ),
        (
            function("air.rank (%i) in (%s = %c1) {\n air.launch (%x) in (%y = %c1) {\n } \n }").replace("%c1) {\n air.launch (%x) in (%y = %c1)", "%c1) {\n air.launch () in ()"),
            function("air.segment {\n air.rank () in () { // HERE \n } \n }"),
            "cannot be nested inside air.segment", "error",
        ),
        (
            function("air.launch () in () {\n air.segment {\n }\n }"),
            function("air.segment {\n air.launch () in () { // HERE\n }\n }"),
            "is nested inside 'air.segment'", "warning",
        ),
        (
            function("air.herd tile (%x) in (%s=%c2) {\n }"),
            function("air.herd tile (%x) in (%s=%c0) { // HERE\n }"),
            "size #0 is 0, so the body never runs", "warning",
        ),
        (
            function("air.herd tile (%x, %y) in (%s=%c2, %t=%c2) {\n }"),
            function("air.herd tile (%x, %y, %z) in (%s=%c2, %t=%c2, %u=%c2) { // HERE\n }"),
            "has 3 dimensions", "warning",
        ),
        (
            function("%n = arith.constant 1024 : index\n air.launch (%x, %y) in (%s=%n, %t=%n) {\n }"),
            function("%n = arith.constant 1025 : index\n air.launch (%x, %y) in (%s=%n, %t=%n) { // HERE\n }"),
            "has 1,050,625 instances; expected at most 1,048,576", "error",
        ),
        (
            function("%r = affine.if affine_set<()[s] : (s >= 0)>()[%c1] -> index {\n affine.yield %c1 : index\n } else {\n affine.yield %c0 : index\n }"),
            function("%w = air.wait_all async\n air.herd tile (%x) in (%s=%c2) {\n %t = air.wait_all async\n %r = affine.if affine_set<()[s] : (s >= 0)>()[%x] -> !air.async.token { // HERE\n affine.yield %t : !air.async.token\n } else {\n }\n }"),
            "returns (!air.async.token), but its 'else' yields ()", "error",
        ),
        (
            function("%t, %r = air.execute -> (index) {\n air.execute_terminator %c1 : index\n }"),
            function("%t, %r = air.execute -> (i32) { // HERE\n air.execute_terminator %c1 : index\n }"),
            "returns (i32), but its terminator yields (index)", "error",
        ),
    ],
)  # fmt: skip
def test_hierarchies(compare, good, bad, phrase, severity) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase, severity)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("%x: index, %s: index, %m: memref<4xf32>", None),
        ("%x: index, %s: index", "expects 3 body arguments (1 id, 1 size, 1 captured value), found 2"),
        ("%x: index, %s: i32, %m: memref<4xf32>", "expects body argument #1 (size) to be index, found i32"),
        ("%x: index, %s: index, %m: memref<8xf32>", "captured value #0 is memref<4xf32>"),
    ],
)
def test_body_arguments(findings, arguments: str, message: str | None) -> None:  # type: ignore[no-untyped-def]
    text = f"""
    %c = arith.constant 1 : index
    %m = memref.alloc() : memref<4xf32>
    "air.herd"(%c, %m) ({{ ^bb0({arguments.replace("%m", "%mm")}):
      "air.herd_terminator"() : () -> ()
    }}) {{operandSegmentSizes = array<i32: 0, 1, 1>}} : (index, memref<4xf32>) -> ()"""
    found = findings(text)
    assert [d.line for d in found] == ([] if message is None else [4])
    assert all(message in d.message for d in found)
