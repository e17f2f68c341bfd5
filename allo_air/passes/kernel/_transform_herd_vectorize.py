"""`transform.air.herd_vectorize`: applies air-herd-vectorize to single herds."""

from allo_air.mlir import ir
from allo_air.transform.operations import Application
from allo_air.transform.segments import run_snippet

_FLAGS = {
    "vectorize_nd_extract": "vectorize_nd_extract",
    "flatten_1d_depthwise_conv": "flatten_1d_depthwise_conv",
    "disable_transfer_permutation_map_lowering_patterns": "disable_transfer_permutation_map_lowering_patterns",
    "disable_multi_reduction_to_contract_patterns": "disable_multi_reduction_to_contract_patterns",
    "vectorize_padding": "vectorize_padding",
}


def apply(call: Application) -> list[list[ir.Operation]]:
    """Vectorizes the linalg operations and copies in the herds; returns the herds."""
    flags = ", ".join(flag for option_name, flag in _FLAGS.items() if call.flag(option_name))
    text = (
        f"%r = transform.structured.vectorize_children_and_apply_patterns %t {{{flags}}}"
        " : (!transform.any_op) -> !transform.any_op"
    )

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "air.herd")
        [[op]] = run_snippet(call.root, text, {"t": [target]}, ("r",))
        return op

    return call.each(rewrite)
