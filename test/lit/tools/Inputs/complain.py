"""A pass and a pipeline for the tests of allo-opt; given with --load."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.core.pass_ import Pass
from allo_air.errors import PassError


@dataclass(frozen=True)
class Complain(Pass):
    """Refuses every function whose name does not start with a prefix."""

    name = "complain"
    anchor = "func.func"
    prefix: str = "good"

    def run(self, op: Any, /) -> None:
        name = op.attributes["sym_name"].value
        if not name.startswith(self.prefix):
            raise PassError(f"is called '{name}', expected a name that starts with '{self.prefix}'", op.location, op.name)


@dataclass(frozen=True)
class Options:
    prefix: str = "good"


CHECKED = NamedPipeline(
    "checked-cse",
    "Checks names, then removes common subexpressions",
    (
        Stage("check", "linalg", (Complain(prefix=option("prefix")),)),
        Stage("clean", "linalg", ("func.func(cse,canonicalize)",)),
    ),
    Options,
)
