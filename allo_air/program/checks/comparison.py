"""A result held against the array that is expected: exact for integers, within a stated bound for floats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError
from allo_air.program.checks.blocks import STEP
from allo_air.program.checks.error_pattern import instead, pattern

if TYPE_CHECKING:
    import numpy as np

_PART = {1: 2.0**-3, 2: 2.0**-7, 4: 2.0**-14, 8: 2.0**-14}
"""By bytes of a float: the part of the largest wanted value that an element may be off by, where no tolerance is given."""


_BLOCKS = 2 * STEP
"""The same for sums of products in block floating point. Rounding to a step s M, where M is the largest of a block's 8
numbers (of size 2 on average, where 1 is their root mean square), is off by s M / sqrt 12; two factors, and sums over many
terms whose errors are independent, leave a result off by 2 s sqrt(2 / 12) = 0.8 s of its size. This is 2.4 times as much."""


@dataclass(frozen=True)
class Tolerance:
    """|found - wanted| <= atol + rtol |wanted|; without, integers are equal, floats within a part of max|wanted|."""

    rtol: float | None = None
    atol: float | None = None
    roundings: int = 0
    """How often sums were rounded on the way; their errors are independent, so that they grow with the root of that."""
    bfp16: bool = False
    """Whether factors were rounded to blocks of 8 that share an exponent, of which what is expected knows nothing."""
    own: float = 0.0
    """How far the source itself is from what is expected, by its own roundings; more than 0 for integers that were floats."""

    def __post_init__(self) -> None:
        for name, value in (("rtol", self.rtol), ("atol", self.atol)):
            if value is not None and not (isinstance(value, int | float) and value >= 0):
                raise AlloAirError(f"{name} is {value!r}, wanted a number that is not negative")

    @property
    def is_set(self) -> bool:
        """Whether the user has set a bound."""
        return self.rtol is not None or self.atol is not None


@dataclass(frozen=True)
class Comparison:
    """One result against what is expected. `first` is the index of the first wrong element, None where all are right.

    `way` are the steps from who wrote that element back to where it came from, `inputs` tell of the other buffers of the core
    that stored it, `writers` who wrote how many of the wrong ones.
    """

    name: str
    number: int
    total: int
    rule: str
    wrong: int = 0
    first: tuple[int, ...] | None = None
    value: Any = None
    wanted: Any = None
    pattern: str = ""
    instead: str = ""
    way: tuple[Any, ...] = ()
    inputs: tuple[Any, ...] = ()
    writers: tuple[tuple[str, int], ...] = ()
    offsets: Any = field(default=None, repr=False, compare=False)
    """Byte offsets of the wrong elements in the result's array."""

    @property
    def ok(self) -> bool:
        """Whether all elements are right."""
        return self.first is None

    @property
    def message(self) -> str:
        """The verdict in a sentence."""
        if self.first is None:
            return f"{self.name} is as expected, all {self.total:,} elements ({self.rule})"
        at = f"[{', '.join(map(str, self.first))}]"
        count = f"{self.wrong:,} of {self.total:,} elements {'is' if self.wrong == 1 else 'are'} wrong"
        return f"{self.name}{at} is {self.value}, wanted {self.wanted}; {count} ({self.rule}): {self.pattern}"

    @property
    def notes(self) -> list[str]:
        """What is known of the wrong elements: what they hold, who wrote the first one from where, and who the others."""
        notes = [self.instead] if self.instead else []
        for number, step in enumerate(self.way):
            notes.append(("that is " if number else "the first wrong element is ") + step.text)
        notes += [step.text for step in self.inputs]
        if len(self.writers) > 1:
            notes += [f"{count:,} of the wrong elements are {who}" for who, count in self.writers]
        return notes

    def as_dict(self) -> dict[str, Any]:
        """Everything as numbers and text, for JSON."""
        results: dict[str, Any] = {
            "name": self.name, "argument": self.number, "ok": self.ok, "message": self.message, "rule": self.rule,
            "elements": self.total, "wrong": self.wrong,
        }  # fmt: skip
        if self.first is None:
            return results
        return results | {
            "first": {"index": list(self.first), "value": self.value, "wanted": self.wanted},
            "pattern": self.pattern,
            "instead": self.instead,
            "way": [step.as_dict() for step in self.way],
            "inputs": [step.as_dict() for step in self.inputs],
            "writers": [{"writer": who, "elements": count} for who, count in self.writers],
        }


def compare(name: str, number: int, item: Any, expected: np.ndarray, tolerance: Tolerance) -> Comparison:
    """Result `item`, argument `number` called `name`, against `expected`; AlloAirError where the two cannot be compared."""
    import numpy as np

    item, expected = fitted(name, item, expected)
    wrong, rule = _rule(name, item, expected, tolerance)
    count = int(wrong.sum())
    if not count:
        return Comparison(name, number, item.size, rule)
    first = tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), wrong.shape)) if wrong.ndim else ()
    return Comparison(
        name, number, item.size, rule, count, first, item[first].item(), expected[first].item(), pattern(wrong),
        instead(wrong, item, expected), offsets=np.flatnonzero(wrong) * item.dtype.itemsize,
    )  # fmt: skip


def _rule(name: str, array: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> tuple[Any, str]:
    """Which elements are wrong, and by what rule."""
    import numpy as np

    integer = array.dtype.kind in "iub"
    if integer and not tolerance.is_set and not tolerance.own:
        if expected.dtype.kind not in "iub" and not (expected == np.rint(expected.astype(np.float64))).all():
            raise AlloAirError(f"{name} holds integers, and the expected array fractions; give rtol or atol to compare the two")
        return array != expected, "integers, exact"
    exact, value = expected.astype(np.float64), array.astype(np.float64)
    if tolerance.is_set:
        rtol, atol = tolerance.rtol or 0.0, tolerance.atol or 0.0
        bound, rule = atol + rtol * np.abs(exact), f"|error| <= {atol:g} + {rtol:g} |wanted|"
    else:
        part = _PART[4 if integer else array.dtype.itemsize] * max(1.0, tolerance.roundings**0.5)
        part = max(part, _BLOCKS) if tolerance.bfp16 else part
        largest = float(np.max(np.abs(exact), initial=0.0, where=np.isfinite(exact)))
        bound, rule = part * largest + tolerance.own, f"|error| <= {part:g} max|wanted|"
        rule += f" + {tolerance.own:g}, what the source's own roundings come to" if tolerance.own else ""
    with np.errstate(invalid="ignore"):
        same = (value == exact) | (np.isnan(value) & np.isnan(exact)) | (np.abs(value - exact) <= bound)
    return ~same, rule


def fitted(name: str, array: np.ndarray, expected: Any) -> tuple[Any, Any]:
    """`array` and `expected` in one shape; bytes packed into words become what is expected. AlloAirError if they do not fit."""
    import numpy as np

    if not isinstance(expected, np.ndarray):
        expected = np.asarray(expected)
    if expected.dtype.type is np.void and expected.dtype.itemsize == array.dtype.itemsize:
        expected = expected.view(array.dtype)  # numpy's files know bf16 as two bytes
    if expected.dtype.kind in "OSUMm":
        raise AlloAirError(f"the array expected for {name} has dtype {expected.dtype}; wanted numbers")
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
