"""keep-arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.names import function_type_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir

_WRITABLE = "bufferization.writable"


@dataclass(frozen=True)
class KeepArguments(Pass):
    """Prevents bufferization from writing to argument tensors: a computation that starts from an argument uses a copy.

    Arguments with an explicit `bufferization.writable` stay unchanged.

    Before:

        func.func @f(%a: tensor<8xf32>) -> tensor<8xf32>

    After:

        func.func @f(%a: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32>
    """

    name = "keep-arguments"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            kinds = function_type_of(function).inputs
            value = list(function.attributes["arg_attrs"]) if "arg_attrs" in function.attributes else [{}] * len(kinds)
            argument_attributes = [
                _argument_attributes(kind, attributes) for kind, attributes in zip(kinds, value, strict=True)
            ]
            if any(len(t) for t in argument_attributes):
                function.attributes["arg_attrs"] = ir.ArrayAttr.get(argument_attributes)


def _argument_attributes(kind: ir.Type, attributes: Any) -> ir.DictAttr:
    result = {named.name: named.attr for named in attributes} if attributes else {}
    if isinstance(kind, ir.RankedTensorType):
        result.setdefault(_WRITABLE, ir.BoolAttr.get(False))
    return ir.DictAttr.get(result)
