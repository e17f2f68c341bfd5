"""The limits of queues, descriptors and waits, for each way in which a runtime sequence can be written."""

import re

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import AlloAirError
from allo_air.target.npu_sequence import find

DIMS = ", ".join(f"d{d}_{f} = 0 : i32" for d in range(3) for f in ("size", "stride", "zero_after", "zero_before"))
REST = (
    "buffer_offset = 0 : i32, column = 0 : i32, row = 0 : i32, enable_packet = 0 : i32, packet_id = 0 : i32, "
    "packet_type = 0 : i32, out_of_order_id = 0 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, "
    "iteration_stride = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, "
    "lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32"
)
QUEUE = {"S2MM": 0x1D204, "MM2S": 0x1D214}


def memcpy(name: str, bd: int, direction: str, token: bool) -> str:
    return (
        f"aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {{id = {bd} : i64, metadata = @{direction}"
        f"{', issue_token = true' if token else ''}}} : memref<4096xi32>\n"
    )


def writebd(name: str, bd: int, direction: str, token: bool) -> str:
    return (
        f"aiex.npu.writebd {{bd_id = {bd} : i32, buffer_length = 64 : i32, {DIMS}, {REST}}}\n"
        f"aiex.npu.address_patch {{addr = {0x1D004 + 32 * bd} : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}}\n"
        f"aiex.npu.push_queue(0, 0, {direction} : 0) "
        f"{{bd_id = {bd} : i32, issue_token = {str(token).lower()}, repeat_count = 0 : i32}}\n"
    )


def registers(name: str, bd: int, direction: str, token: bool) -> str:
    return (
        f"%{name} = memref.get_global @words : memref<8xi32>\n"
        f"aiex.npu.blockwrite(%{name}) {{address = {0x1D000 + 32 * bd} : ui32, column = 0 : i32, row = 0 : i32}}"
        " : memref<8xi32>\n"
        f"aiex.npu.address_patch {{addr = {0x1D004 + 32 * bd} : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}}\n"
        f"aiex.npu.write32 {{address = {QUEUE[direction]} : ui32, column = 0 : i32, row = 0 : i32, "
        f"value = {bd | token << 31} : ui32}}\n"
    )


def task(name: str, bd: int, direction: str, token: bool) -> str:
    return (
        f"%{name} = aiex.dma_configure_task_for @{direction} {{\n"
        f"  aie.dma_bd(%a : memref<4096xi32>, 0, 64) {{bd_id = {bd} : i32}}\n  aie.end\n"
        f"}}{' {issue_token = true}' if token else ''}\naiex.dma_start_task(%{name})\n"
    )


STYLES = {"memcpy": memcpy, "writebd": writebd, "registers": registers, "task": task}


def wait(style: str, name: str, direction: str) -> str:
    if style == "memcpy":
        return f"aiex.npu.dma_wait {{symbol = @{direction}}}\n"
    if style == "task":
        return f"aiex.dma_await_task(%{name})\n"
    fields = {"channel": 0, "column": 0, "column_num": 1, "direction": int(direction == "MM2S"), "row": 0, "row_num": 1}
    return f"aiex.npu.sync {{{', '.join(f'{n} = {v} : i32' for n, v in fields.items())}}}\n"


def emitted(body: str) -> list[str]:
    """The warnings of a sequence that can be written."""
    text = f"""aie.device(npu1) {{
  %t = aie.tile(0, 0)
  memref.global "private" constant @words : memref<8xi32> = dense<[64, 0, 0, 0, 0, 0, 0, 33554432]>
  aie.shim_dma_allocation @MM2S(%t, MM2S, 0)
  aie.shim_dma_allocation @S2MM(%t, S2MM, 0)
  aie.runtime_sequence(%a: memref<4096xi32>) {{
{body}  }}
}}"""
    with reused_context():
        module = asm.read(text, "input.mlir")
        sequence = find(module)
        assert sequence.instructions()
        return [str(d) for d in sequence.unwaited()]


@pytest.fixture(params=STYLES)
def style(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def put(style: str, number: int, bd: int, direction: str = "S2MM", token: bool = True) -> str:
    return STYLES[style](f"x{number}", bd, direction, token)


def test_the_sixth_task_without_a_wait_may_be_dropped(style: str, capfd: pytest.CaptureFixture[str]) -> None:
    body = "".join(put(style, i, i, "MM2S", token=False) for i in range(5))
    assert emitted(body) == [] and not capfd.readouterr().err
    emitted(body + put(style, 5, 5, "MM2S", token=False))
    assert re.search(r"input.mlir:\d+:.*warning: .*is task 6 on MM2S channel 0 of tile \(0, 0\)", capfd.readouterr().err)


def test_a_wait_makes_room_for_one_task_of_its_own_channel(style: str, capfd: pytest.CaptureFixture[str]) -> None:
    body = "".join(put(style, i, i) for i in range(5)) + wait(style, "x0", "S2MM") + put(style, 5, 5)
    assert len(emitted(body)) == 1
    assert "is task" not in capfd.readouterr().err
    emitted(body + put(style, 6, 6))
    assert "is task 6 on S2MM" in capfd.readouterr().err


def test_a_descriptor_that_is_rewritten_while_its_task_may_run_is_told(style: str, capfd: pytest.CaptureFixture[str]) -> None:
    body = put(style, 0, 3) + put(style, 1, 3, "MM2S", token=False)
    if style == "task":
        with pytest.raises(AlloAirError, match=r"input.mlir:\d+:.*ID 3 is already in use.* tile \(0, 0\)"):
            emitted(body)
    else:
        emitted(body)
        assert re.search(r"input.mlir:\d+:.*warning: .*BD 3 of shim tile \(0, 0\)", capfd.readouterr().err)
    capfd.readouterr()
    assert emitted(put(style, 0, 3) + wait(style, "x0", "S2MM") + put(style, 1, 3, "MM2S", token=False)) == []
    assert not capfd.readouterr().err


def test_a_wait_needs_a_task_that_issues_a_token(style: str) -> None:
    with pytest.raises(AlloAirError, match=r"input.mlir:\d+:.*(no task queued there issues one|not configured to issue)"):
        emitted(put(style, 0, 0, "MM2S", token=False) + wait(style, "x0", "MM2S"))


def test_results_that_nobody_waits_for_are_a_warning(style: str) -> None:
    [warning] = emitted(put(style, 0, 0))
    assert "S2MM channel 0 of tile (0, 0) that nothing waits for (1 in all)" in warning
    assert emitted(put(style, 0, 0) + wait(style, "x0", "S2MM")) == []


def test_a_channel_that_the_device_starts_may_be_waited_for() -> None:
    assert emitted(wait("writebd", "", "S2MM")) == []
