"""What holds for every operation by its declaration: attributes, parents, blocks, terminators."""

# ruff: noqa: E501 - a case is a line of the table

import pytest

from allo_air import dialects
from allo_air.mlir import ir

DEVICE = "aie.device(npu1) {{\n %t = aie.tile(0, 2)\n{}\n}}"


@pytest.mark.parametrize(
    ("text", "line", "phrase"),
    [
        ('"air.channel"() {size = [1]} : () -> ()', 1, "'air.channel' op requires attribute 'sym_name'"),
        ('"air.channel"() {size = [1], sym_name = 3 : i32} : () -> ()', 1, "attribute 'sym_name' failed to satisfy constraint: symbol name"),
        ('"aie.device"() ({ \n "aie.tile"() {col = 0 : i64, row = 2 : i32} : () -> index\n }) {device = 4 : i32} : () -> ()', 2,
         "attribute 'col' failed to satisfy constraint: i32, found 0 : i64"),
        ('"aie.device"() ({ \n }) {device = 99 : i32} : () -> ()', 1, "attribute 'device' failed to satisfy constraint: device (xcvc1902 = 1"),
        ("%t = aie.logical_tile<CoreTile>(?, ?)", 1, "'aie.logical_tile' op expects parent op 'aie.device', found 'builtin.module'"),
        (DEVICE.format('"aie.packet_source"(%t) {bundle = 1 : i32, channel = 0 : i32} : (index) -> ()'), 3, "expects parent op 'aie.packet_flow'"),
        (DEVICE.format('aie.core(%t) {\n "aie.connect"() {source_bundle = 1 : i32, source_channel = 0 : i32, dest_bundle = 3 : i32, dest_channel = 0 : i32} : () -> ()\n aie.end\n}'), 4,
         "expects parent op to be one of 'aie.switchbox, aie.shim_mux', found 'aie.core'"),
        (DEVICE.format('"aie.switchbox"(%t) ({\n "aie.end"() : () -> ()\n ^bb1:\n "aie.end"() : () -> () }) : (index) -> index'), 3,
         "expects region #0 to have 0 or 1 blocks, found 2"),
    ],
)  # fmt: skip
def test_declared(findings, text: str, line: int | None, phrase: str) -> None:  # type: ignore[no-untyped-def]
    found = findings(text)
    assert found, "no finding"
    assert any(phrase in d.message for d in found), [str(d) for d in found]
    if line is not None:
        assert [d.line for d in found] == [line]


def test_attributes_are_checked_once_a_value_not_once_a_run(findings) -> None:  # type: ignore[no-untyped-def]
    bad = '"air.channel"() {{size = [1], sym_name = {} : i32}} : () -> ()'
    assert len(findings("\n".join(bad.format(n) for n in (1, 1, 2)))) == 3


@pytest.mark.parametrize(
    ("body", "phrase"),
    [
        ("", "should have non-empty body"),
        ('"air.launch_terminator"() : () -> ()', "expects regions to end with 'aie.end', found 'air.launch_terminator'"),
    ],
)
def test_bodies_that_the_reader_does_not_complete(body: str, phrase: str) -> None:
    text = f'%t = "aie.tile"() {{col = 0 : i32, row = 2 : i32}} : () -> index\n"aie.switchbox"(%t) ({{ {body} }}) : (index) -> index'
    with ir.Context() as context, ir.Location.unknown():
        dialects.load(context)
        device = ir.Module.parse(
            f'"aie.device"() ({{ "builtin.module"() ({{ {text} }}) : () -> () }}) {{device = 4 : i32}} : () -> ()'
        )
        found = dialects.check(device.operation)
    assert any(phrase in d.message and d.line == 2 for d in found), [str(d) for d in found]
