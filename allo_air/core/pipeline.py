"""A pipeline: our own passes and those of MLIR, nested in the operations they run on; parses from and prints as MLIR text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from allo_air.core import syntax, upstream
from allo_air.core.pass_ import Pass
from allo_air.errors import AlloAirError, OptionError, PipelineSyntaxError, unknown_name

MODULE = "builtin.module"


@dataclass(frozen=True)
class Upstream:
    """One of MLIR's own passes with its option text."""

    name: str
    options: str = ""

    def __str__(self) -> str:
        return f"{self.name}{{{self.options}}}" if self.options else self.name


@dataclass(frozen=True)
class Nest:
    """Runs `items` on each operation called `anchor` directly inside the operation the pipeline is at."""

    anchor: str
    items: tuple["Pass | Upstream | Nest", ...]

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(str, self.items))})"


Item = Pass | Upstream | Nest


@dataclass(frozen=True)
class Step:
    """One pass of a pipeline; `path` lists the anchors below the top operation.

    A step of a named pipeline also has its stage, the level at the end of the stage and the level before it. `ends_stage`
    marks the last step of the stage.
    """

    path: tuple[str, ...]
    action: Pass | Upstream
    stage: str = ""
    level: str = ""
    above: str = ""
    ends_stage: bool = False

    @property
    def name(self) -> str:
        return self.action.name


@dataclass(frozen=True)
class Pipeline:
    """A flat sequence of steps on operations called `anchor` ("any": on any operation)."""

    steps: tuple[Step, ...]
    anchor: str = MODULE

    def __str__(self) -> str:
        return str(nest(self.anchor, self.steps))

    def __add__(self, other: "Pipeline") -> "Pipeline":
        return Pipeline((*self.steps, *other.steps), self.anchor)


def nest(anchor: str, steps: tuple[Step, ...], depth: int = 0) -> Nest:
    """The nested form of flat `steps`: neighbours on the same path share their anchors."""
    items: list[Item] = []
    index = 0
    while index < len(steps):
        if len(steps[index].path) == depth:
            items.append(steps[index].action)
            index += 1
            continue
        inner, start = steps[index].path[depth], index
        while index < len(steps) and steps[index].path[depth : depth + 1] == (inner,):
            index += 1
        items.append(nest(inner, steps[start:index], depth + 1))
    return Nest(anchor, tuple(items))


class Passes(Protocol):
    """The parser's interface to our passes: the registry."""

    def find_pass(self, name: str) -> type[Pass] | None: ...

    def find_late(self, name: str) -> type[Pass] | None: ...

    def pass_names(self) -> tuple[str, ...]: ...

    def why_absent(self, name: str) -> str: ...

    def __hash__(self) -> int: ...


def parse(text: str, passes: Passes) -> Pipeline:
    """Parses pipeline text: `builtin.module(...)`, `any(...)`, or a list of passes that run on the module.

    Every name and option is checked before any pass runs. Needs an active context for upstream's passes; our passes have
    priority over upstream's of the same name.
    """
    nodes = syntax.parse(text)
    if len(nodes) == 1 and nodes[0].children is not None and nodes[0].name in (MODULE, "any"):
        return Pipeline(tuple(_steps(text, nodes[0].children, (), passes)), nodes[0].name)
    return Pipeline(tuple(_steps(text, nodes, (), passes)))


def _steps(text: str, nodes: tuple[syntax.Node, ...], path: tuple[str, ...], passes: Passes) -> Iterator[Step]:
    for node in nodes:
        if node.children is not None:
            if not upstream.may_hold_passes(node.name):
                raise PipelineSyntaxError(f"'{node.name}' is not an operation that passes can be nested in", text, node.column)
            yield from _steps(text, node.children, (*path, node.name), passes)
            continue
        try:
            yield step(node.name, node.options, path, passes)
        except AlloAirError as wrong:
            raise PipelineSyntaxError(str(wrong), text, node.column) from None


def step(name: str, options: str, path: tuple[str, ...], passes: Passes) -> Step:
    """The step that runs pass `name` at `path`, nested further when the pass is restricted to an operation."""
    own_pass = passes.find_pass(name)
    if own_pass is None and upstream.exists(name):
        here = (path or (MODULE,))[-1]
        needed = upstream.anchor(name, options, here)
        return Step(path if needed == here else (*path, needed), Upstream(name, options))
    own_pass = own_pass or passes.find_late(name)
    if own_pass is None:
        pass_names = (*passes.pass_names(), *upstream.names())
        raise unknown_name("pass", name, pass_names, passes.why_absent(name), "allo-opt --list-passes lists all")
    if path and own_pass.anchor == MODULE and path[-1] != MODULE:
        raise OptionError(f"pass '{name}' runs on {MODULE}, not on {path[-1]}")
    return Step(path, own_pass.parse(options))
