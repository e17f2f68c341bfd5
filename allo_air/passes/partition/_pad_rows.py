"""Builds a kernel that changes the row length of a tensor, in a form that can be tiled like any computation."""

from __future__ import annotations

from allo_air.mlir import ir
from allo_air.passes.partition._movement import Movement

_FUNCTION = """func.func private @{name}(%source: {source}) -> {target} {{
  %zero = arith.constant {zero} : {element}
  {lines}
  %init = tensor.empty() : {target}
  %copy = linalg.copy ins({value} : {target}) outs(%init : {target}) -> {target}
  return %copy : {target}
}}"""


def pad_rows(movement: Movement, name: str) -> ir.Operation:
    """The function `name` that performs `movement`, which has no reshapes. It is not in a module yet.

    Trailing rows that no user reads are left out, so the result may be shorter than that of `movement`. Padding that need not
    be zero keeps the source's elements.

    Before (7 x 5 elements of 8 x 8, in 9 x 12 with zeros after the 5):

        %s = tensor.extract_slice %a[0, 0] [7, 5] [1, 1] : tensor<8x8xf32> to tensor<7x5xf32>
        %p = tensor.pad %s low[0, 0] high[0, 7] { yield %zero } : tensor<7x5xf32> to tensor<7x12xf32>
        %r = tensor.insert_slice %p into (tensor.empty() : tensor<9x12xf32>)[0, 0] [7, 12] [1, 1]

    After:

        %s = tensor.extract_slice %a[0, 0] [8, 5] [1, 1] : tensor<8x8xf32> to tensor<8x5xf32>
        %p = tensor.pad %s low[0, 0] high[0, 7] { yield %zero } : tensor<8x5xf32> to tensor<8x12xf32>
        %r = linalg.copy ins(%p) outs(%e) -> tensor<8x12xf32>
    """
    kind, zeros = movement.source.type, movement.zero_dims()
    source_shape, result_shape, element = list(kind.shape), list(movement.steps[-1].shape), kind.element_type
    common = [min(shape[d] for shape in movement.shapes()) for d in range(len(source_shape))]
    part = [k if d in zeros else min(b, a) for d, (k, b, a) in enumerate(zip(common, source_shape, result_shape, strict=True))]
    target = [part[0] if 0 not in zeros else result_shape[0], *result_shape[1:]]

    def text(shape: list[int]) -> str:
        return f"tensor<{'x'.join([*map(str, shape), str(element)])}>"

    lines, value = list[str](), "%source"
    if part != source_shape:
        lines.append(f"%part = tensor.extract_slice {value}{[0] * len(source_shape)} {part} {[1] * len(source_shape)}")
        lines[-1] += f" : {text(source_shape)} to {text(part)}"
        value = "%part"
    if target != part:
        high = [a - s for a, s in zip(target, part, strict=True)]
        indices = ", ".join(f"%p{d}: index" for d in range(len(source_shape)))
        lines.append(
            f"%padded = tensor.pad {value} low{[0] * len(source_shape)} high{high} {{\n  ^bb0({indices}):\n"
            f"    tensor.yield %zero : {element}\n  }} : {text(part)} to {text(target)}"
        )
        value = "%padded"
    body = _FUNCTION.format(
        name=name,
        source=text(source_shape),
        target=text(target),
        element=element,
        zero="0.0" if isinstance(element, ir.FloatType) else "0",
        lines="\n  ".join(lines),
        value=value,
    )
    return ir.Operation.parse(body, source_name=name).operation
