"""Applies `transform.pdl_match`: MLIR's interpreter finds the matches by the surrounding patterns."""

from __future__ import annotations

from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.schedule import parse_text, run_patterns
from allo_air.core.walking import enclosing
from allo_air.dialects._transform import EXCHANGES
from allo_air.mlir import ir
from allo_air.transform.handles import Handle

_ANY = "!transform.any_op"


def pdl_match(interpreter: Any, op: ir.Operation) -> list[Handle]:
    """`%0 = transform.pdl_match @p in %x`: the operations inside those of `%x` that pattern `@p` matches."""
    name = op.attributes["pattern_name"].value
    scope = enclosing(op, "transform.with_pdl_patterns")
    patterns = [o for o in nested(scope, "pdl.pattern") if sym_name_of(o) == name] if scope is not None else []
    if not patterns:
        raise interpreter.error(op, f"names @{name}; no pdl.pattern of this name is in a transform.with_pdl_patterns around it")
    script = parse_text(_script(name), "<transform>")
    [outer] = [o.operation for o in script.body]
    patterns[0].clone(ip=ir.InsertionPoint.at_block_begin(outer.regions[0].blocks[0]))
    exchange: dict[int, Any] = {0: ("ops", list(interpreter.use(op.operands[0], op).items))}
    EXCHANGES.append(exchange)
    try:
        run_patterns(script, interpreter.root)
    finally:
        EXCHANGES.pop()
    return [Handle("ops", exchange[1][1])]


def nested(scope: ir.Operation, name: str) -> list[ir.Operation]:
    """The operations called `name` in a `transform.with_pdl_patterns`, not those inside of them."""
    return [o.operation for o in scope.regions[0].blocks[0].operations if o.operation.name == name]


def _script(name: str) -> str:
    return f"""transform.with_pdl_patterns {{
    ^bb0(%root: {_ANY}):
      transform.sequence %root : {_ANY} failures(propagate) {{
      ^bb1(%0: {_ANY}):
        %1 = "transform.air.hand_in"() {{slot = 0}} : () -> {_ANY}
        %2 = transform.pdl_match @{name} in %1 : ({_ANY}) -> {_ANY}
        "transform.air.hand_out"(%2) {{slot = 1}} : ({_ANY}) -> ()
      }}
    }}"""
