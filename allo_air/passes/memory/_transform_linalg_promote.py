"""`transform.air.linalg_promote`."""

from allo_air.core.walking import is_result_of
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import first_output, is_structured
from allo_air.passes.memory._promotion import Promotion
from allo_air.transform.operations import Application

_SPACES = {"L1": 2, "L2": 1}


def apply(call: Application) -> list[list[ir.Operation]]:
    """The same operations, on buffers in L1 (or L2) to which their operands are copied, and from which results are copied
    back.

    Operand numbers count over `group_size` consecutive operations of the handle. Operands that are the same view share a
    buffer while nothing else touches it. Listed operands that are not memrefs are skipped.
    """
    space = call.option("memory_space", "L1")
    if space not in _SPACES:
        raise call.refuse(f'expects memory_space "L1" or "L2", found "{space}"')
    group, chosen = call.option("group_size", 1), call.option("operands_to_promote", None)
    if group < 1:
        raise call.refuse(f"expects group_size to be at least 1, found {group}")
    targets = [t for t in call.targets[0] if is_structured(t) and not len(t.results)]
    promotion = Promotion(_SPACES[space], call.flag("use_alloca"), call.option("alignment", 0))
    done = False
    for start in range(0, len(targets), group):
        first = 0
        for op in targets[start : start + group]:
            for number in _order(op):
                if chosen is None or first + number in chosen:
                    try:
                        done |= promotion.operand(op, number, first_output(op))
                    except AlloAirError as error:
                        raise call.failure(error, op) from None
            first += len(op.operands)
    if not done:
        raise call.refuse("found nothing to promote", *call.targets[0][:1])
    return [call.targets[0]]


def _order(op: ir.Operation) -> list[int]:
    """The operands, views first."""
    views = [n for n, v in enumerate(op.operands) if is_result_of(v, "memref.subview")]
    return [*views, *(n for n in range(len(op.operands)) if n not in views)]
