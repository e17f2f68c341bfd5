"""Functions of several blocks: branches of the cf dialect."""

from __future__ import annotations

from typing import Any

from allo_air.interp._control import resolved
from allo_air.interp.errors import Unsupported
from allo_air.interp.program import Body, Translator
from allo_air.interp.scheduler import Agent, Task


class Graph(Body):
    """Blocks that branch to each other; the first is the entry."""

    __slots__ = ("blocks", "targets")

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Body] = []
        self.targets: list[list[int]] = []

    def run(self, agent: Agent, frame: dict[int, Any], given: Any = ()) -> Task:
        at = 0
        while True:
            body = self.blocks[at]
            made = yield from body.run(agent, frame, given)
            match body.end.name:
                case "cf.br":
                    given, at = made, self.targets[at][0]
                case "cf.cond_br":
                    [going] = yield from resolved(agent, made[:1])
                    then = len(self.blocks[self.targets[at][0]].arguments)
                    given = made[1 : 1 + then] if going else made[1 + then :]
                    at = self.targets[at][0 if going else 1]
                case _:
                    return made
            yield


def graph(translator: Translator, function: Any, blocks: list[Any]) -> Graph:
    """The blocks of a function's body."""
    made = Graph()
    for block in blocks:
        end = [o.operation for o in block.operations][-1]
        if end.name not in ("cf.br", "cf.cond_br", "func.return"):
            raise Unsupported(end, f"ends a block and the interpreter cannot execute it: it has no rule for {end.name}")
        made.targets.append([blocks.index(s) for s in end.successors])
    made.blocks = [translator.body(b) for b in blocks]
    made.arguments = made.blocks[0].arguments
    return made
