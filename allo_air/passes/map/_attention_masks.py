"""Recognizes masks of attention: the score is factor * (product + biases), or hidden by a condition."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from allo_air.mlir import ir
from allo_air.passes.map._elements import Element, dims_of, subexpressions
from allo_air.passes.map._linear_index import Linear, add, scaled
from allo_air.passes.map._softmax_form import is_scalar, number_of, without_casts

HIDES = -1e30
"""A score of at most this has no weight in a softmax with a visible score, whatever is added to it."""
FAR, SHIFT = -(2.0**80), 4
"""Products are negligible relative to scores below `FAR`, of which only the order matters. Such scores are divided by 2^`SHIFT`
instead of their divisor, so that neither a division nor a difference overflows, and -inf stays distinguishable.
"""
HIDDEN = -(2.0 ** (128 - SHIFT))
"""The number that represents a hidden score of -inf. Sums that reach it were -inf before `SHIFT`, too."""
LEAST_DIVISOR = 2.0**-18
"""Smallest supported divisor. With a smaller one, scores of `FAR` would have a weight in a softmax with scores that are divided
by 2^`SHIFT`.
"""

_INF = float("-inf")
_BITS = ("arith.extui", "arith.trunci", "arith.extsi")
_INDICES = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.trunci")
_EQ, _NE, _SLT, _SLE, _SGT, _SGE, _ULT, _ULE, _UGT, _UGE = range(10)
_NOT = {_EQ: _NE, _NE: _EQ, _SLT: _SGE, _SGE: _SLT, _SLE: _SGT, _SGT: _SLE, _ULT: _UGE, _UGE: _ULT, _ULE: _UGT, _UGT: _ULE}
_MIRRORED = {_EQ: _EQ, _NE: _NE, _SLT: _SGT, _SGT: _SLT, _SLE: _SGE, _SGE: _SLE, _ULT: _UGT, _UGT: _ULT, _ULE: _UGE, _UGE: _ULE}


@dataclass(frozen=True)
class Condition:
    """The condition under which a query sees a key: `query` * (query number) + `key` * (key number) + `plus` >= 0.

    A causal mask is query - key >= 0.
    """

    query: int
    key: int
    plus: int

    def most(self, queries: tuple[int, int], keys: tuple[int, int]) -> int:
        """The largest value of the sum over ranges of query and key numbers."""
        return max(self.query * q for q in queries) + max(self.key * k for k in keys) + self.plus

    def least(self, queries: tuple[int, int], keys: tuple[int, int]) -> int:
        """The smallest value of the sum."""
        return min(self.query * q for q in queries) + min(self.key * k for k in keys) + self.plus


@dataclass(frozen=True)
class Term:
    """A number for each query, each key, or both: `element` / `divisor`. If `element` is a bit, the number is 0 where the bit
    is `truth`, and `low` elsewhere.
    """

    element: Element
    divisor: float = 1.0
    truth: bool | None = None
    low: float = 0.0


@dataclass(frozen=True)
class Step:
    """One change to the score: `terms` are added, or the score becomes `low` (or `low` is `added`) if a part of a selection
    applies.

    These parts are conditions that are false, and terms of bits that give `low`.
    """

    low: float | None = None
    added: bool = True
    conditions: list[Condition] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)

    @property
    def is_final(self) -> bool:
        """Whether scores that this step hides stay hidden, whatever later steps add."""
        return self.low == _INF


@dataclass(frozen=True)
class Masks:
    """The masks of a score: factor * s, changed by `steps` in order, where s is the sum over d of query * key, plus
    `number`.
    """

    factor: float
    number: float = 0.0
    steps: list[Step] = field(default_factory=list)

    def padded(self, keys: int) -> Masks:
        """The same masks, with all keys from number `keys` on hidden."""
        return replace(self, steps=[*self.steps, Step(_INF, False, [Condition(0, -1, keys - 1)])])

    def settled(self, queries: int, keys: int) -> Masks:
        """The same masks for numbers of queries and keys. If conditions alone hide keys, and each query sees a key, then hidden
        scores get no weight whatever their number is, and it becomes -inf.
        """
        lows = [step.low for step in self.steps if step.low is not None]
        if self.terms or all(low in (None, _INF) for low in lows) or any(low > HIDES for low in lows):
            return self
        if not all(_sees_a_key(self.conditions, query, keys) for query in range(queries)):
            return self
        return replace(self, steps=[replace(step, low=_INF) if step.low is not None else step for step in self.steps])

    @cached_property
    def terms(self) -> list[Term]:
        """The terms of all steps."""
        return [t for step in self.steps for t in step.terms]

    @property
    def conditions(self) -> list[Condition]:
        """The conditions of all steps."""
        return [c for step in self.steps for c in step.conditions]

    @cached_property
    def only_hides(self) -> bool:
        """Whether all that the masks do is to hide keys from queries by conditions."""
        return not self.terms and len(self.skips) == len(self.conditions)

    @cached_property
    def skips(self) -> list[Condition]:
        """The conditions that exclude a key from the result, whatever the other keys are."""
        shown = max((n for n, step in enumerate(self.steps, 1) if not (step.added or step.is_final)), default=0)
        return [c for step in self.steps[shown:] if step.is_final for c in step.conditions]


def _sees_a_key(conditions: list[Condition], query: int, keys: int) -> bool:
    """Whether all `conditions` are true for one of the keys."""
    first, last = 0, keys - 1
    for c in conditions:
        rest = c.query * query + c.plus
        if c.key < 0:
            last = min(last, rest // -c.key)
        elif c.key > 0:
            first = max(first, -(rest // c.key))
        elif rest < 0:
            return False
    return first <= last


def find_masks(score: Element, dot: Element, scale: float, q: int | None, k: int) -> Masks | None:
    """Finds how `score` is computed from `scale` * `dot`; q and k are the dimensions of queries and keys. None for unsupported
    forms.
    """
    finder = _Finder(dot, scale, q, k)
    factor = finder.score(score)
    return None if factor is None or factor <= 0 else Masks(factor, finder.number, finder.steps)


class _Finder:
    def __init__(self, dot: Element, scale: float, q: int | None, k: int):
        self.dot, self.scale, self.q, self.k = dot, scale, q, k
        self.number = 0.0
        self.steps: list[Step] = []

    def score(self, element: Element) -> float | None:
        """The factor of the dot product in `element`. Records the other operands of the expression. None for unsupported
        forms.
        """
        element = without_casts(element)
        if element is self.dot:
            return self.scale
        if element.kind != "scalar":
            return None
        name, operands = element.data[0], element.operands
        if name in ("arith.mulf", "arith.addf") and self._holds(operands[1]):
            operands = operands[::-1]
        match name:
            case "arith.mulf" | "arith.divf":
                number = number_of(operands[1])
                inner = self.score(operands[0]) if number else None
                if inner is None or number is None or number <= 0:
                    return None
                result = inner * number if name == "arith.mulf" else inner / number
                return result if result >= LEAST_DIVISOR else None
            case "arith.addf" if not self._holds(operands[1]):
                inner = self.score(operands[0])
                if inner is None or inner <= 0:
                    return None
                self._bias(operands[1], inner)
                return inner
            case "arith.select":
                return self._choice(*operands)
        return None

    def _holds(self, element: Element) -> bool:
        """Whether `element` contains the dot product."""
        return any(part is self.dot for part in subexpressions(element))

    def _choice(self, bit: Element, yes: Element, no: Element) -> float | None:
        for negated, masked, unmasked in ((True, yes, no), (False, no, yes)):
            low = number_of(unmasked)
            if low is not None and self._holds(masked) and not self._holds(bit):
                inner = self.score(masked)
                if inner is None or inner <= 0 or not self._chooses(bit, negated, counted(low, inner), added=False):
                    return None
                return inner
        return None

    def _bias(self, element: Element, divisor: float) -> None:
        element = without_casts(element)
        number = number_of(element)
        if number is not None and (number == 0.0 or all(step.is_final for step in self.steps)):
            self.number += counted(number, divisor)
        elif is_scalar(element, "arith.addf"):
            for part in element.operands:
                self._bias(part, divisor)
        elif is_scalar(element, "arith.select") and self._is_choice(element, divisor):
            return
        else:
            self._add(Term(element, divisor))

    def _add(self, term: Term) -> None:
        """Records that `term` is added. Adjacent additions become one step, also across selections that are final."""
        for step in reversed(self.steps):
            if step.low is None:
                step.terms.append(term)
                return
            if not step.is_final:
                break
        self.steps.append(Step(terms=[term]))

    def _chooses(self, bit: Element, truth: bool, low: float, added: bool) -> bool:
        """Records a selection: where `bit` is not `truth`, scores are `low`, or `low` is `added`. Returns False for unsupported
        forms.
        """
        step = Step(low, added)
        if not self._wants(step, bit, truth, low):
            return False
        if step.is_final or (added and len(step.terms) == 1 and not step.conditions):
            for term in step.terms:
                self._add(term)
            step.terms.clear()
        if step.terms or step.conditions:
            self.steps.append(step)
        return True

    def _is_choice(self, element: Element, divisor: float) -> bool:
        bit, yes, no = element.operands
        for truth, masked, unmasked in ((True, yes, no), (False, no, yes)):
            low, number = number_of(unmasked), number_of(masked)
            if low is None or low > HIDES or not (low == _INF or (number is not None and number > HIDES)):
                continue  # the unmasked terms would not be negligible relative to `low`
            if self._chooses(bit, truth, counted(low, divisor), added=True):
                self._bias(masked, divisor)
                return True
        return False

    def _wants(self, step: Step, bit: Element, truth: bool, low: float) -> bool:
        """Adds to `step` that scores are hidden where `bit` is not `truth`. Returns False for unsupported forms."""
        while bit.kind == "scalar" and bit.data[0] in _BITS:
            [wider] = bit.operands
            chosen = _lowest_bits(wider) if _is_bit(bit) else None
            if chosen is not None and chosen[0] != chosen[1]:
                bit, truth = wider.operands[0], truth == chosen[0]
            elif _is_bit(wider):
                bit = wider
            else:
                break
        name = bit.data[0] if bit.kind == "scalar" else ""
        if name == ("arith.andi" if truth else "arith.ori") and _is_bit(bit):
            return all(self._wants(step, part, truth, low) for part in bit.operands)
        if name == "arith.xori" and _is_bit(bit):
            for side, constant_side in (bit.operands, bit.operands[::-1]):
                if constant_side.kind == "constant" and int(constant_side.data[0].value):
                    return self._wants(step, side, not truth, low)
        linear_conditions = self._linear_conditions(bit, truth) if name == "arith.cmpi" else None
        if linear_conditions is not None:
            step.conditions.extend(Condition(*numbers) for numbers in linear_conditions)
        elif low > HIDES:
            return False
        else:
            step.terms.append(Term(bit, 1.0, truth, low))
        return True

    def _linear_conditions(self, bit: Element, truth: bool) -> list[tuple[int, int, int]] | None:
        """The linear sums of query and key that are non-negative where comparison `bit` is `truth`; None for other forms."""
        predicate = int(bit.op.attributes["predicate"].value)
        predicate = predicate if truth else _NOT[predicate]
        distance, limit = bit.operands
        if is_scalar(limit, "math.absi"):
            distance, limit, predicate = limit, distance, _MIRRORED[predicate]
        is_window = is_scalar(distance, "math.absi")
        lhs, rhs = _linear(distance.operands[0] if is_window else distance), _linear(limit)
        if lhs is None or rhs is None:
            return None
        if is_window and predicate not in (_SLT, _SLE):
            return None
        if predicate >= _ULT:
            if any(c < 0 for terms, plus in (lhs, rhs) for c in (plus, *(c for _, c in terms))):
                return None
            predicate -= 4
        over, under = add(lhs, scaled(rhs, -1)), add(rhs, scaled(lhs, -1))
        less = ((), -1)
        within = [under, add(lhs, rhs)] if is_window else [under]
        wants = {
            _EQ: [over, under],
            _SLT: [add(sum_, less) for sum_ in within],
            _SLE: within,
            _SGT: [add(over, less)],
            _SGE: [over],
        }.get(predicate)
        if wants is None:
            return None
        q, k = self.q, self.k
        if any(not terms or any(d not in (q, k) for d, _ in terms) for terms, _ in wants):
            return None
        return [(dict(terms).get(q, 0) if q is not None else 0, dict(terms).get(k, 0), plus) for terms, plus in wants]


def counted(score: float, divisor: float) -> float:
    """`score` / `divisor`, scaled so that all scores keep their order and finite ones stay in the range of f32."""
    return score / divisor if score >= FAR or score == float("-inf") else FAR / divisor + score * 2.0**-SHIFT


def _linear(element: Element) -> Linear | None:
    """The linear sum of dimensions that an integer is; None for others."""
    if element.kind == "index":
        linear: Linear = element.data[0]
        return linear
    if element.kind == "constant" and isinstance(element.data[0], ir.IntegerAttr):
        return (), int(element.data[0].value)
    if element.kind != "scalar" or _is_bit(element):
        return None
    parts = [_linear(o) for o in element.operands]
    if any(p is None for p in parts):
        return None
    terms = [p for p in parts if p is not None]
    match element.data[0], terms:
        case name, [one] if name in _INDICES:
            return one
        case "arith.addi", [one, other]:
            return add(one, other)
        case "arith.subi", [one, other]:
            return add(one, scaled(other, -1))
        case "arith.muli", [one, ((), factor)]:
            return scaled(one, factor)
        case "arith.muli", [((), factor), one]:
            return scaled(one, factor)
    return None


def _lowest_bits(element: Element) -> tuple[bool, bool] | None:
    """The lowest bits of the two constant integers between which `element` chooses; None if it is no such choice."""
    numbers = element.operands[1:] if is_scalar(element, "arith.select") else ()
    if not numbers or any(n.kind != "constant" or not isinstance(n.data[0], ir.IntegerAttr) for n in numbers):
        return None
    yes, no = (bool(int(n.data[0].value) & 1) for n in numbers)
    return yes, no


def _is_bit(element: Element) -> bool:
    return isinstance(element.type, ir.IntegerType) and element.type.width == 1


def follows(element: Element, q: int | None, k: int) -> tuple[bool, bool]:
    """Whether `element` depends on the query, and on the key."""
    dims = dims_of(element)
    return q is not None and q in dims, k in dims
