"""Recomputes the dependences of deallocations, which become wrong when transfers move out of hierarchies."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import ir
from allo_air.passes._analysis.dependence import Dependence, Summary
from allo_air.passes._ir.tokens import deps_of, with_deps


def retrace_deallocations(function: ir.Operation) -> None:
    """Makes each `air.execute` with a memref.dealloc wait for all earlier operations of its block that access the buffer.

    It does not wait for hierarchies that do not access the buffer. If an operation without a token accesses the buffer, the
    dependences stay.

    Before:

        %h = air.herd async [%g] ... { ... }
        %p = air.channel.put async [%g] @c[] (%m[] [] []) : (memref<64xi32, 1>)
        %d = air.execute [%h] {
          memref.dealloc %m : memref<64xi32, 1>
        }

    After:

        %d = air.execute [%p] {
          memref.dealloc %m : memref<64xi32, 1>
        }
    """
    if not walk_named(function, "memref.dealloc"):
        return
    dependence = Dependence(parts=False)
    token = ir.Type.parse("!air.async.token")
    results = [r for _, inside in _blocks(dependence.summary(function)) for r in _retraced(inside, dependence, token)]
    for freeing, touching, apart in results:
        op = freeing.op
        without = [t for toucher in apart for t in _tokens(toucher, token)]
        deps_kept = [t for t in deps_of(op) if t not in without]
        deps = list(dict.fromkeys([*deps_kept, *(t for toucher in touching for t in _tokens(toucher, token))]))
        freeing.op = with_deps(op, deps)


def _retraced(
    inside: list[Summary], dependence: Dependence, token: ir.Type
) -> list[tuple[Summary, list[Summary], list[Summary]]]:
    """(deallocation, its new dependences, hierarchies to drop) for each deallocation of one block."""
    touched: dict[Any, list[Summary]] = {}
    hierarchies: list[Summary] = []
    results = []
    for summary in inside:
        root = _freed(summary)
        if root is not None:
            same = [r for r in touched if dependence.may_alias(r, root)]
            touching = list({id(s): s for r in same for s in touched[r]}.values())
            if all(_tokens(s, token) or not s.is_coarse for s in touching):
                apart = [h for h in hierarchies if not any(h is s for s in touching)]
                results.append((summary, touching, apart))
        for effect_root in dict.fromkeys(e.root for e in summary.effects):
            touched.setdefault(effect_root, []).append(summary)
        if summary.name in HIERARCHIES:
            hierarchies.append(summary)
    return results


def _freed(summary: Summary) -> ir.OpResult | None:
    """The root of the buffer that `summary` frees, if it is an `air.execute` that does nothing else; else None."""
    if summary.name != "air.execute":
        return None
    inside = [s for _, block in summary.blocks for s in block]
    return inside[0].effects[0].root if len(inside) == 2 and inside[0].name == "memref.dealloc" else None


def _tokens(summary: Summary, token: ir.Type) -> list[ir.OpResult]:
    return [v for v in summary.op.results if v.type == token]


def _blocks(summary: Summary) -> list[tuple[ir.Block, list[Summary]]]:
    return [*summary.blocks, *(b for _, inside in summary.blocks for s in inside for b in _blocks(s))]
