"""Lowers declared traces (`aie.trace`) before a run, to register writes, packet flows and a host buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.program.run.control_packets import run_passes

if TYPE_CHECKING:
    import numpy as np

    from allo_air.mlir import AnyOp, ir

LOWER = "aie-insert-trace-flows,aie-trace-to-config,aie-trace-pack-reg-writes,aie-inline-trace-config"
BUFFER = 65536
"""Default size of the trace buffer in bytes."""


def lower_traces(module: AnyOp, arrays: Sequence[np.ndarray | None], device: str | None, sequence: str | None) -> list[Any]:
    """`arrays`, followed by a buffer for the trace if the sequence starts one and the caller passed none.

    The caller may pass a buffer after the arguments. A module without declared traces is unchanged.
    """
    import numpy as np

    from allo_air.core.walking import walk_named
    from allo_air.target.sequences import choose_sequence

    if not walk_named(module, "aie.trace", "aie.trace.config"):
        return list(arrays)
    _, op = choose_sequence(module, device, sequence)
    if hosts := walk_named(op, "aie.trace.host_config"):
        return _configured(module, op, hosts[0].opview, arrays)
    patched = [o.opview.arg_idx for o in walk_named(op, "aiex.npu.address_patch")]
    number = max([len(op.body.blocks[0].arguments), *(n + 1 for n in patched)])
    results = list(arrays)
    if walk_named(op, "aie.trace.start_config") and len(results) == number:
        results.append(np.zeros(BUFFER // 4, np.int32))
    value = getattr(results[number], "nbytes", 0) if len(results) > number else 0
    run_passes(
        f"builtin.module(aie.device(aie-insert-trace-flows{{arg-idx={number} buffer-size={value or BUFFER}}},"
        "aie-trace-to-config,aie-trace-pack-reg-writes,aie-inline-trace-config))",
        module,
    )
    return results


def _configured(module: AnyOp, sequence: ir.OpView, host: Any, arrays: Sequence[object]) -> list[Any]:
    """`arrays` with the buffer that a host_config adds to the arguments, if the caller passed none."""
    import numpy as np

    result, count = list(arrays), len(sequence.body.blocks[0].arguments)
    size, reuses = host.buffer_size or BUFFER, bool(host.reuse_output_buffer)
    run_passes(f"builtin.module(aie.device({LOWER}))", module)
    if len(result) == count and not reuses and len(sequence.body.blocks[0].arguments) > count:
        result.append(np.zeros(size, np.int8))
    return result
