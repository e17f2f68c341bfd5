"""The run-time part of `canonicalize`: rewritten functions call it to build scf.if and logic on values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from allo_air.aie.building.errors import IronTypeError, IronValueError
from allo_air.aie.building.loops import yield_
from allo_air.aie.building.values import cast, constant, value_of, wrapped
from allo_air.mlir import arith, ir, scf


class Branch:
    """An `if` on `condition`: a value of the core, or a bool of Python."""

    def __init__(self, condition: object, has_else: bool):
        self.condition, self.has_else = condition, has_else
        self.is_value = _is_value(condition)
        self.yielded: list[list[Any]] = []
        if self.is_value:
            self.op = scf.IfOp(cast(value_of(condition), "i1"), [], has_else=has_else)
            self.results: list[Any] = []

    @contextmanager
    def _region(self, block: ir.Block) -> Iterator[None]:
        self.yielded.append([])
        with ir.InsertionPoint(block):
            yield

    def then(self) -> Any:
        """The region that runs if the condition holds."""
        return self._region(self.op.then_block)

    def otherwise(self) -> Any:
        """The region that runs if it does not."""
        return self._region(self.op.else_block)

    def give(self, *values: object) -> None:
        """Yields the values of this branch."""
        first = self.yielded[0]
        kinds = [str(v.type) for v in first] if len(self.yielded) > 1 else []
        for i, value in enumerate(values):
            operand = value_of(value)
            if not isinstance(operand, ir.Value):
                operand = constant(value, kinds[i] if i < len(kinds) else "f32" if isinstance(value, float) else "i32")
            self.yielded[-1].append(operand)

    def close(self) -> None:
        """Ends both branches, which give values of the same types."""
        types = [[str(v.type) for v in values] for values in self.yielded]
        if (types[0] and not self.has_else) or types[0] != types[-1]:
            type_text = (
                " and ".join(f"({', '.join(t)})" for t in types) if self.has_else else f"({', '.join(types[0])}) and no else"
            )
            raise IronTypeError(f"the branches of an if yield {type_text}; expected values of the same types")
        blocks = [self.op.then_block, *([self.op.else_block] if self.has_else else [])]
        for block, values in zip(blocks, self.yielded, strict=True):
            with ir.InsertionPoint(block):
                scf.YieldOp(values)
        if not types[0]:
            return
        kinds = [v.type for v in self.yielded[0]]
        condition = self.op.operation.operands[0]
        whole = ir.Operation.create("scf.if", results=kinds, operands=[condition], regions=2, ip=ir.InsertionPoint(self.op))
        for region, block in zip(whole.regions, blocks, strict=True):
            block.append_to(region)
        self.op.operation.erase()
        self.results = [wrapped(r) for r in whole.results]

    @property
    def result(self) -> Any:
        """The value that the taken branch yields, or a list of several."""
        return self.results[0] if len(self.results) == 1 else self.results


def _is_value(candidate: object) -> bool:
    return isinstance(value_of(candidate), ir.Value)


class Lost:
    """A variable that a branch of an `if` on a value of the core assigned; reading it is an error."""

    def __init__(self, name: str):
        self.__dict__["_name"] = name

    def _fail(self, *_: object) -> Any:
        name = self.__dict__["_name"]
        raise IronValueError(
            f"'{name}' is assigned in a branch of an if on a value of a core, which is not known after it; end both branches "
            f"by `{name} = yield ...`"
        )

    __getattr__ = __getitem__ = __setitem__ = __call__ = __iter__ = __len__ = __bool__ = __index__ = __int__ = __float__ = _fail
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __and__ = __or__ = __xor__ = __lshift__ = _fail
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rand__ = __ror__ = __rxor__ = _fail
    __rshift__ = __rlshift__ = __rrshift__ = __neg__ = __pos__ = __invert__ = __abs__ = _fail
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _fail
    __hash__ = None  # type: ignore[assignment]


class Helpers:
    """The helpers that rewritten functions call."""

    Branch, Lost, yield_ = Branch, Lost, staticmethod(yield_)

    @staticmethod
    def value_before(variable: Callable[[], Any], name: str) -> Any:
        """The value of a variable before an `if`."""
        try:
            return variable()
        except NameError:
            return Lost(name)

    @staticmethod
    def leave(word: str) -> None:
        """Raises an error for a statement that would leave an `if` on a value."""
        raise IronValueError(f"'{word}' leaves an if on a value of a core, both branches of which are built; use else")

    @staticmethod
    def both(left: object, right: Callable[[], Any]) -> Any:
        """`left and right`."""
        if not _is_value(left):
            return left and right()
        return wrapped(arith.andi(cast(value_of(left), "i1"), _bit(right())))

    @staticmethod
    def either(left: object, right: Callable[[], Any]) -> Any:
        """`left or right`."""
        if not _is_value(left):
            return left or right()
        return wrapped(arith.ori(cast(value_of(left), "i1"), _bit(right())))

    @staticmethod
    def negated(operand: object) -> Any:
        """`not operand`."""
        if not _is_value(operand):
            return not operand
        return wrapped(arith.xori(cast(value_of(operand), "i1"), constant(1, "i1")))

    @staticmethod
    def chosen(condition: object, left: Callable[[], Any], right: Callable[[], Any]) -> Any:
        """`left if condition else right`; if the condition is a value of the core, both are computed."""
        if not _is_value(condition):
            return left() if condition else right()
        a, b = value_of(left()), value_of(right())
        kind = next((str(v.type) for v in (a, b) if isinstance(v, ir.Value)), "f32" if isinstance(a, float) else "i32")
        return wrapped(arith.select(cast(value_of(condition), "i1"), cast(a, kind), cast(b, kind)))


def _bit(operand: object) -> Any:
    return cast(value_of(operand), "i1") if _is_value(operand) else constant(int(bool(operand)), "i1")
