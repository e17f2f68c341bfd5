"""Host buffers that a runtime sequence reads and writes, told from its instructions."""

import pytest

from allo_air import asm
from allo_air.mlir import new_context
from allo_air.program.host.signature import signature
from allo_air.program.host.transfers import roles
from allo_air.target import npu_sequence

DEVICE = """aie.device(npu1) {{
  %shim = aie.tile(1, 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 1)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @s(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {{
    {body}
  }}
}}"""


def memcpy(argument: str, bd: int, channel: str) -> str:
    shape = "[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]"
    return f"aiex.npu.dma_memcpy_nd (%{argument}{shape}) {{id = {bd} : i64, metadata = @{channel}}} : memref<64xi32>"


def told(body: str) -> dict[int, str]:
    with new_context():
        module = asm.read(DEVICE.format(body=body))
        return dict(roles(npu_sequence.find(module).instructions()))


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (memcpy("a", 0, "in") + "\n" + memcpy("c", 1, "out"), {0: "in", 2: "out"}),
        (memcpy("b", 0, "in") + "\n" + memcpy("b", 1, "out"), {1: "inout"}),
        ("", {}),
        (
            """%t = aiex.dma_configure_task_for @in {
                 aie.dma_bd(%a : memref<64xi32>, 0, 64)
                 aie.next_bd ^next
               ^next:
                 aie.dma_bd(%c : memref<64xi32>, 0, 64)
                 aie.end
               }
               aiex.dma_start_task(%t)""",
            {0: "in", 2: "in"},
        ),
    ],
)
def test_roles(body: str, wanted: dict[int, str]) -> None:
    assert told(body) == wanted


def test_a_device_is_its_own_signature() -> None:
    with new_context():
        module = asm.read(DEVICE.format(body=memcpy("a", 0, "in") + "\n" + memcpy("c", 1, "out")))
        found = signature(module, module, npu_sequence.find(module))
    assert [(a.name, a.shape, a.element, a.role) for a in found] == [
        ("argument 0", (64,), "i32", "in"),
        ("argument 1", (64,), "i32", "in"),
        ("argument 2", (64,), "i32", "out"),
    ]
