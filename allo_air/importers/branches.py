"""Writes torch.cond, scan and map in a program of torch.export as operations without branches and loops."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from allo_air.importers.torch_refusals import error_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from torch.export import ExportedProgram
    from torch.fx import Graph, GraphModule, Node

MOST = 256
"""Largest number of iterations that are unrolled, as of recurrent layers."""
_WHERE_FROM = ("stack_trace", "nn_module_stack")
"""The metadata that say which line and module of the model a node is from."""


def without_branches(torch: ModuleType, program: ExportedProgram, name: str) -> None:
    """Changes `program`: both branches of a `cond` are computed, and `scan` and `map` are unrolled.

    `name` is the model's, for messages. Raises AlloAirError for more than MOST iterations.
    """
    rules: dict[str, Callable[[_Inliner, Node], list[Any]]] = {"cond": _cond, "scan": _scan, "map_impl": _map}
    inliner = _Inliner(torch, program.graph_module, name)
    while nodes := [n for n in program.graph.nodes if _operator(torch, n) in rules]:
        for node in nodes:
            with program.graph.inserting_before(node):
                results = rules[_operator(torch, node)](inliner, node)
            for user in list(node.users):
                assert user.target is operator.getitem
                user.replace_all_uses_with(results[user.args[1]])
                program.graph.erase_node(user)
            program.graph.erase_node(node)
        program.graph.eliminate_dead_code()
        outputs = program.graph.output_node().args[0]
        for spec, output in zip(program.graph_signature.output_specs, outputs, strict=True):
            if hasattr(output, "name"):
                spec.arg.name = output.name
        program.graph_module.recompile()


def _operator(torch: ModuleType, node: Node) -> str:
    """The name of a higher-order operation; "" for other nodes."""
    is_one = node.op == "call_function" and isinstance(node.target, torch._ops.HigherOrderOperator)
    return node.target.name() if is_one else ""


class _Inliner:
    """Copies bodies of higher-order operations into the graph of `module`."""

    def __init__(self, torch: ModuleType, module: GraphModule, name: str) -> None:
        self.torch, self.module, self.name = torch, module, name

    @property
    def _graph(self) -> Graph:
        return self.module.graph

    def copy(self, body: Node, operands: Sequence[Any]) -> list[Any]:
        """The results of a copy of the graph that `body` names, for `operands`."""
        inner = getattr(self.module, body.target)
        places = inner.graph.find_nodes(op="placeholder")
        values: dict[Any, Any] = dict(zip(places, operands, strict=True))
        for node in inner.graph.nodes:
            if node.op == "get_attr":
                called = f"{body.target}_{node.target}".replace(".", "_")
                setattr(self.module, called, getattr(inner, node.target))
                values[node] = self._graph.get_attr(called)
            elif node.op == "call_function":
                values[node] = self._graph.node_copy(node, values.__getitem__)
        results = inner.graph.output_node().args[0]
        return [values.get(r, r) for r in (results if isinstance(results, (list, tuple)) else [results])]

    def add(self, target: Any, args: tuple[Any, ...], value: Any, source: Node) -> Any:
        """A node that calls `target`; its result is like `value`, and it is from the line of `source`."""
        node = self._graph.call_function(target, args)
        node.meta = {name: source.meta[name] for name in _WHERE_FROM if name in source.meta} | {"val": value}
        return node

    def part(self, x: Node, number: int, source: Node) -> Any:
        """Element `number` of the first dimension of `x`."""
        return self.add(self.torch.ops.aten.select.int, (x, 0, number), x.meta["val"].select(0, number), source)

    def stack(self, parts: Sequence[Node], source: Node) -> Any:
        """`parts` along a new first dimension."""
        value = self.torch.stack([p.meta["val"] for p in parts])
        return self.add(self.torch.ops.aten.stack.default, (list(parts),), value, source)

    def count(self, tables: Sequence[Node], source: Node) -> int:
        """The number of iterations over `tables`."""
        size = int(tables[0].meta["val"].shape[0])
        if not 0 < size <= MOST:
            raise error_at(
                source,
                f"{self.name}: {source.target} has {size} iterations; between 1 and {MOST} are unrolled",
            )
        return size


def _cond(inliner: _Inliner, node: Node) -> list[Any]:
    predicate, yes, no, *rest = node.args
    operands = rest[0] if rest else ()
    if isinstance(predicate, bool):
        return inliner.copy(yes if predicate else no, operands)
    if not isinstance(predicate.meta.get("val"), inliner.torch.Tensor):
        raise error_at(node, f"{inliner.name}: the condition of torch.cond depends on a size; compile for a fixed size")
    if predicate.meta["val"].dim():  # one element, whose dimensions the results do not have
        shape = predicate.meta["val"].reshape(())
        predicate = inliner.add(inliner.torch.ops.aten.reshape.default, (predicate, []), shape, node)
    pairs = zip(inliner.copy(yes, operands), inliner.copy(no, operands), strict=True)
    where = inliner.torch.ops.aten.where.self
    return [a if a is b else inliner.add(where, (predicate, a, b), a.meta["val"], node) for a, b in pairs]


def _scan(inliner: _Inliner, node: Node) -> list[Any]:
    body, carried, tables, more = node.args
    carried, rows = list(carried), list[list[Any]]()
    for number in range(inliner.count(tables, node)):
        parts = [inliner.part(x, number, node) for x in tables]
        results = inliner.copy(body, [*carried, *parts, *more])
        rows.append(results[len(carried) :])
        carried = results[: len(carried)]
    return [*carried, *(inliner.stack(parts, node) for parts in zip(*rows, strict=True))]


def _map(inliner: _Inliner, node: Node) -> list[Any]:
    body, tables, more = node.args
    count = inliner.count(tables, node)
    rows = [inliner.copy(body, [*(inliner.part(x, n, node) for x in tables), *more]) for n in range(count)]
    return [inliner.stack(parts, node) for parts in zip(*rows, strict=True)]
