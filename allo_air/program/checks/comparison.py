"""Compares a result with the expected array: exactly for integers, within a stated bound for floats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError
from allo_air.program.checks.blocks import STEP
from allo_air.program.checks.error_pattern import pattern, wrong_contents

if TYPE_CHECKING:
    import numpy as np

_PART = {1: 2.0**-3, 2: 2.0**-7, 4: 2.0**-14, 8: 2.0**-14}
"""By bytes of a float: the default tolerance, relative to the largest expected value."""


_BLOCKS = 2 * STEP
"""The same for block floating point. Rounding to a step s M, where M is the largest of a block's 8 numbers (2 on average, if
their root mean square is 1), has an error of s M / sqrt 12. Two factors, and sums of many terms with independent errors, give a
relative error of 2 s sqrt(2 / 12) = 0.8 s. This constant is 2.4 times that.
"""


@dataclass(frozen=True)
class Tolerance:
    """How much a result may differ: |found - expected| <= atol + rtol |expected|. By default, integers must be equal, and
    floats differ by at most a part of max|expected|.
    """

    rtol: float | None = None
    atol: float | None = None
    roundings: int = 0
    """How often sums were rounded on the way. The errors are independent, so the bound grows with the square root."""
    bfp16: bool = False
    """Whether factors were rounded to block floating point, which the expected array does not reflect."""
    own: float = 0.0
    """The distance of the source's own results from the expected ones, by its roundings; above 0 for integers that were rounded
    from floats.
    """

    def __post_init__(self) -> None:
        for name, value in (("rtol", self.rtol), ("atol", self.atol)):
            if value is not None and not (isinstance(value, int | float) and value >= 0):
                raise AlloAirError(f"{name} is {value!r}, expected a number that is not negative")

    @property
    def is_set(self) -> bool:
        """Whether the user has set a bound."""
        return self.rtol is not None or self.atol is not None


@dataclass(frozen=True)
class Comparison:
    """A result compared with the expected array. `first` is the index of the first wrong element, None if all are right.

    `path` is the path of that element from its writer back to its source. `inputs` describes the other buffers of the core that
    stored it; `writers` gives for each writer the number of wrong elements.
    """

    name: str
    number: int
    total: int
    rule: str
    wrong: int = 0
    first: tuple[int, ...] | None = None
    value: Any = None
    expected: Any = None
    pattern: str = ""
    instead: str = ""
    path: tuple[Any, ...] = ()
    inputs: tuple[Any, ...] = ()
    writers: tuple[tuple[str, int], ...] = ()
    offsets: Any = field(default=None, repr=False, compare=False)
    """Byte offsets of the wrong elements in the array."""

    @property
    def ok(self) -> bool:
        """Whether all elements are right."""
        return self.first is None

    @property
    def message(self) -> str:
        """The verdict in a sentence."""
        if self.first is None:
            return f"{self.name} is as expected, all {self.total:,} elements ({self.rule})"
        subscript = f"[{', '.join(map(str, self.first))}]"
        count = f"{self.wrong:,} of {self.total:,} elements {'is' if self.wrong == 1 else 'are'} wrong"
        return f"{self.name}{subscript} is {self.value}, expected {self.expected}; {count} ({self.rule}): {self.pattern}"

    @property
    def notes(self) -> list[str]:
        """Notes on the wrong elements: their contents, the path of the first one, and the producers of the others."""
        notes = [self.instead] if self.instead else []
        for number, step in enumerate(self.path):
            notes.append(("that is " if number else "the first wrong element is ") + step.text)
        notes += [step.text for step in self.inputs]
        if len(self.writers) > 1:
            notes += [f"{count:,} of the wrong elements are {who}" for who, count in self.writers]
        return notes

    def as_dict(self) -> dict[str, Any]:
        """The comparison as numbers and text, for JSON."""
        results: dict[str, Any] = {
            "name": self.name, "argument": self.number, "ok": self.ok, "message": self.message, "rule": self.rule,
            "elements": self.total, "wrong": self.wrong,
        }  # fmt: skip
        if self.first is None:
            return results
        path = [step.as_dict() for step in self.path]
        return results | {  # until 0.4.0, "wanted" and "way" of 0.2.0, too (docs/stability.md)
            "first": {"index": list(self.first), "value": self.value, "expected": self.expected, "wanted": self.expected},
            "pattern": self.pattern,
            "instead": self.instead,
            "path": path,
            "way": path,
            "inputs": [step.as_dict() for step in self.inputs],
            "writers": [{"writer": who, "elements": count} for who, count in self.writers],
        }


def compare(name: str, number: int, item: Any, expected: np.ndarray, tolerance: Tolerance) -> Comparison:
    """Compares result `item`, argument `number` called `name`, with `expected`. Raises AlloAirError if they cannot be
    compared.
    """
    import numpy as np

    item, expected = fitted(name, item, expected)
    wrong, rule = _rule(name, item, expected, tolerance)
    count = int(wrong.sum())
    if not count:
        return Comparison(name, number, item.size, rule)
    first = tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), wrong.shape)) if wrong.ndim else ()
    return Comparison(
        name, number, item.size, rule, count, first, item[first].item(), expected[first].item(), pattern(wrong),
        wrong_contents(wrong, item, expected), offsets=np.flatnonzero(wrong) * item.dtype.itemsize,
    )  # fmt: skip


def _rule(name: str, array: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> tuple[Any, str]:
    """The wrong elements, and the rule that was applied."""
    import numpy as np

    integer = array.dtype.kind in "iub"
    if integer and not tolerance.is_set and not tolerance.own:
        if expected.dtype.kind not in "iub" and not (expected == np.rint(expected.astype(np.float64))).all():
            raise AlloAirError(f"{name} holds integers, and the expected array fractions; give rtol or atol to compare the two")
        return array != expected, "integers, exact"
    exact, value = expected.astype(np.float64), array.astype(np.float64)
    if tolerance.is_set:
        rtol, atol = tolerance.rtol or 0.0, tolerance.atol or 0.0
        bound, rule = atol + rtol * np.abs(exact), f"|error| <= {atol:g} + {rtol:g} |expected|"
    else:
        part = _PART[4 if integer else array.dtype.itemsize] * max(1.0, tolerance.roundings**0.5)
        part = max(part, _BLOCKS) if tolerance.bfp16 else part
        largest = float(np.max(np.abs(exact), initial=0.0, where=np.isfinite(exact)))
        bound, rule = part * largest + tolerance.own, f"|error| <= {part:g} max|expected|"
        rule += f" + {tolerance.own:g} for the source's own roundings" if tolerance.own else ""
    with np.errstate(invalid="ignore"):
        same = (value == exact) | (np.isnan(value) & np.isnan(exact)) | (np.abs(value - exact) <= bound)
    return ~same, rule


def fitted(name: str, array: np.ndarray, expected: Any) -> tuple[Any, Any]:
    """`array` and `expected` in the same shape; bytes in packed words are unpacked. Raises AlloAirError if they do not fit."""
    import numpy as np

    if not isinstance(expected, np.ndarray):
        expected = np.asarray(expected)
    if expected.dtype.type is np.void and expected.dtype.itemsize == array.dtype.itemsize:
        expected = expected.view(array.dtype)  # numpy's files know bf16 as two bytes
    if expected.dtype.kind in "OSUMm":
        raise AlloAirError(f"the array expected for {name} has dtype {expected.dtype}; give an array of numbers")
    if expected.size == array.size and _squeezed(expected.shape) == _squeezed(array.shape):
        return array, expected.reshape(array.shape)
    if expected.size == array.size and 1 in (expected.ndim, array.ndim):
        shape = max(expected.shape, array.shape, key=len)
        return array.reshape(shape), expected.reshape(shape)
    if expected.nbytes == array.nbytes and expected.dtype != array.dtype and array.dtype.kind in "iu":
        return np.ascontiguousarray(array).view(np.uint8).reshape(-1).view(expected.dtype).reshape(expected.shape), expected
    raise AlloAirError(
        f"{name} is {_text(array)}; the array expected is {_text(expected)}: give one of the same shape, or a flat one"
    )


def _squeezed(shape: tuple[int, ...]) -> list[int]:
    return [size for size in shape if size != 1]


def _text(array: np.ndarray) -> str:
    return f"{'x'.join(map(str, array.shape)) or 'a scalar'} of {array.dtype}"
