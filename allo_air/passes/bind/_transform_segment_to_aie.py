"""`transform.air.segment_to_aie`, which targets AIE1; it is not supported."""

from allo_air.mlir import ir
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Raises an error."""
    raise call.refuse(
        "makes designs for AIE1 (xcvc1902), which are legacy; for npu1 and npu2 run the pass air-to-aie after the script,"
        " or the pipeline air-npu",
        *call.targets[0][:1],
    )
