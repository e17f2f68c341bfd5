"""Describes what a linalg operation computes, so that equal operations share a library function, and names the function."""

from typing import Any

from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir

_NO_MEANING = ("operandSegmentSizes", "library_call", "doc")


def mangled(op: AnyOp) -> str:
    """The function name that MLIR derives for a linalg operation, for example `linalg_fill_f32_view4x4xf32as2`."""
    functions = [str(op.attributes[name]).split("<")[-1].rstrip(">") for name in ("fun", "kind") if name in op.attributes]
    return "_".join([op.name.replace(".", "_"), *functions, *(_mangled_type(op, v.type) for v in op.operands)])


def semantic_key(op: AnyOp) -> tuple[Any, ...]:
    """A key that is equal for two linalg operations if they compute the same from operands of the same types.

    Raises PassError if the body uses a value from outside that is not a constant.
    """
    numbers: dict[ir.Value, int] = {}
    return (_described(op), tuple(_body(op, op, numbers)))


def _body(op: AnyOp, top: AnyOp, numbers: dict[ir.Value, int]) -> list[Any]:
    ops: list[Any] = []
    for block in (block for region in op.regions for block in region.blocks):
        for argument in block.arguments:
            numbers[argument] = len(numbers)
        for inner in (o.operation for o in block.operations):
            ops.append((_described(inner), tuple(_number_values(value, top, numbers) for value in inner.operands)))
            for result in inner.results:
                numbers[result] = len(numbers)
            ops += _body(inner, top, numbers)
    return ops


def _described(op: AnyOp) -> tuple[Any, ...]:
    attributes = sorted((name, str(value)) for name, value in op.attributes.items() if name not in _NO_MEANING)
    return op.name, tuple(attributes), tuple(str(v.type) for v in [*op.results, *op.operands])


def _number_values(value: ir.Value, top: AnyOp, numbers: dict[ir.Value, int]) -> Any:
    if value in numbers:
        return numbers[value]
    if isinstance(value, ir.OpResult) and value.owner.name in ("arith.constant", "complex.constant", "ub.poison"):
        return _described(value.owner)
    raise PassError(
        f"has a body that uses {value.type} from outside of it, which a library function cannot see; make it an operand (ins)",
        top.location,
        top.name,
    )


def _mangled_type(op: AnyOp, kind: ir.Type) -> str:
    if isinstance(kind, ir.MemRefType):
        dynamic = ir.ShapedType.get_dynamic_size()
        dims = "".join(f"{'s' if n == dynamic else n}x" for n in kind.shape)
        space = kind.memory_space
        if space is None or isinstance(space, ir.IntegerAttr):
            return f"view{dims}{_mangled_type(op, kind.element_type)}" + (f"as{space.value}" if space is not None else "")
    elif isinstance(kind, ir.VectorType):
        return f"vector{'x'.join(map(str, kind.shape))}{_mangled_type(op, kind.element_type)}"
    elif isinstance(kind, (ir.IntegerType, ir.FloatType, ir.IndexType)):
        return str(kind)
    raise PassError(
        f"has an operand of type {kind}, which no function name is derived from; set library_call", op.location, op.name
    )
