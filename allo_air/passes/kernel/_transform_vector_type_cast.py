"""`transform.air.vector_type_cast`: changes the element type of vector operations."""

from __future__ import annotations

from typing import Any

from allo_air.errors import PassError
from allo_air.mlir import arith, ir
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Makes the operations work on vectors of `target_element_type`, with casts of operands before and of results after.

    `input_indices` and `output_indices` select operands and results; without both, all are cast. Vectors of one element and of
    i1 stay.
    Before: `%e = math.exp %x : vector<16xf32>`
    After:  `%a = arith.truncf %x; %b = math.exp %a : vector<16xbf16>; %e = arith.extf %b`
    """
    element = call.option("target_element_type", ir.F32Type.get())
    inputs, outputs = call.option("input_indices", []), call.option("output_indices", [])

    def rewrite(target: ir.Operation) -> ir.Operation:
        if not any(isinstance(v.type, ir.VectorType) for v in (*target.operands, *target.results)):
            raise PassError(f"expects an operation on vectors, found {target.name} on scalars", target.location, target.name)
        for role, value, values in (("input", inputs, target.operands), ("output", outputs, target.results)):
            if wrong := [n for n in value if not 0 <= n < len(values)]:
                raise PassError(f"has no {role} {wrong[0]}: there are {len(values)}", target.location, target.name)
        takes_all = not inputs and not outputs
        ins = range(len(target.operands)) if takes_all else inputs
        outs = range(len(target.results)) if takes_all else outputs
        return _cast(target, element, list(ins), list(outs))

    return call.each(rewrite)


def _cast(op: ir.Operation, element: ir.Type, inputs: list[int], outputs: list[int]) -> ir.Operation:
    vectors = [v.type for v in (*op.operands, *op.results) if isinstance(v.type, ir.VectorType)]
    if all(_count(kind) == 1 for kind in vectors):
        return op
    casts = {n: op.operands[n] for n in inputs if _differs(op, op.operands[n].type, element)}
    results = [n for n in outputs if _differs(op, op.results[n].type, element, scalars=True)]
    if op.name == "vector.reduction" and results and len(op.operands) > 1:
        casts[1] = op.operands[1]
    if op.name == "vector.reduction" and (0 in casts) != bool(results):
        raise PassError("reduces to the type of its elements: cast both, or none", op.location, op.name)
    if not casts and not results:
        return op
    new = op.clone()
    for n, value in casts.items():
        with ir.InsertionPoint(new):
            new.operands[n] = _converted(value, _with_element(value.type, element))
    for n in results:
        old, result = op.results[n], new.results[n]
        result.set_type(_with_element(old.type, element))
    if not _verifies(new):
        kinds = ", ".join(str(v.type) for v in (*new.operands, *new.results))
        new.erase()
        raise PassError(f"cannot be done on {kinds}: select other inputs and outputs", op.location, op.name)
    for n, old in enumerate(op.results):
        with ir.InsertionPoint.after(new):
            old.replace_all_uses_with(_converted(new.results[n], old.type) if n in results else new.results[n])
    op.erase()
    return new


def _verifies(op: ir.Operation) -> bool:
    try:
        with op.context.attach_diagnostic_handler(lambda _: True):
            return bool(op.verify())
    except ir.MLIRError:
        return False


def _count(kind: ir.VectorType) -> int:
    total = 1
    for size in kind.shape:
        total *= size
    return total


def _differs(op: ir.Operation, kind: ir.Type, element: ir.Type, *, scalars: bool = False) -> bool:
    """Whether a value of type `kind` needs a cast; refuses casts between integers and floats."""
    if not isinstance(kind, ir.VectorType) and not (scalars and isinstance(kind, (ir.FloatType, ir.IntegerType))):
        return False
    element_kind = kind.element_type if isinstance(kind, ir.VectorType) else kind
    if element_kind == element or (isinstance(element_kind, ir.IntegerType) and element_kind.width == 1):
        return False
    if isinstance(element_kind, ir.IntegerType) != isinstance(element, ir.IntegerType) or isinstance(
        element_kind, ir.IndexType
    ):
        raise PassError(f"is on {element_kind}, which cannot be extended or truncated to {element}", op.location, op.name)
    return True


def _with_element(kind: ir.Type, element: ir.Type) -> Any:
    return ir.VectorType.get(kind.shape, element) if isinstance(kind, ir.VectorType) else element


def _converted(value: ir.Value, target: Any) -> Any:
    if value.type == target:
        return value
    source_kind, target_kind = (k.element_type if isinstance(k, ir.VectorType) else k for k in (value.type, target))
    wider = target_kind.width > source_kind.width
    if isinstance(source_kind, ir.IntegerType):
        return (arith.extsi if wider else arith.trunci)(target, value)
    if target_kind.width == source_kind.width:
        raise PassError(f"is on {source_kind}, which cannot be cast to {target_kind}: both have the same width")
    return (arith.extf if wider else arith.truncf)(target, value)
