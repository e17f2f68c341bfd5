"""Functions that return in branches, written with one end."""

import ast
from types import SimpleNamespace
from typing import Any

import pytest

from allo_air.errors import AlloAirError
from allo_air.frontend.exits import single_exit


def _error(node: ast.AST, message: str) -> AlloAirError:
    return AlloAirError(f"{node.lineno}: {message}")  # type: ignore[attr-defined]


SOURCE: Any = SimpleNamespace(error=_error)


def _function(count: int) -> str:
    """A function of n that returns in some branches of `count` conditions."""
    conditions = "".join(f"if n > {k}:\n    if n == {2 * k + 3}:\n        return {k}\n    n += 1\n" for k in range(count))
    return conditions + "return n"


def _called(body: list[ast.stmt], n: int) -> Any:
    function = ast.FunctionDef("f", ast.arguments([], [ast.arg("n")], None, [], [], None, []), body, [])
    names: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(ast.Module([function], [])), "f", "exec"), names)
    return names["f"](n)


def test_what_is_returned_stays() -> None:
    text = _function(4)
    for n in range(14):
        assert _called(single_exit(SOURCE, ast.parse(text).body), n) == _called(ast.parse(text).body, n)


def test_more_conditions_than_can_be_written_out_are_refused() -> None:
    with pytest.raises(AlloAirError, match="too many conditions return in some of their branches"):
        single_exit(SOURCE, ast.parse(_function(40)).body)
