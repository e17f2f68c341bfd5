"""air-split-launch-for-padding."""

from dataclasses import dataclass
from typing import Any, Literal

from allo_air.core.affine import compiled
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import LaunchOp
from allo_air.dialects.air_values import handed_on
from allo_air.mlir import AnyOp, ir

ACTUAL_SIZES = "air.actual_sizes"


@dataclass(frozen=True)
class AirSplitLaunchForPadding(Pass):
    """Takes `air.actual_sizes` off launches whose blocks divide the sizes; refuses others, whose arrays are to be padded first.

    A launch over blocks carries the real sizes of the problem in `air.actual_sizes`, when its grid may overhang them. The block
    of a dimension is the smallest constant that the launch's id is multiplied with, in the launch or the segment. Where it
    divides the size there is nothing to pad. Else launches of their own for the rows and columns at the edges would be needed,
    which is not done: pad the arrays to multiples of the block on the host, or before tiling (`pad-gemm`), and drop the
    attribute. The options say how edges are handled, and change nothing here.

    Before:

        air.launch (%i, %j) in (%m=%c2, %n=%c2) attributes {air.actual_sizes = array<i64: 64, 64>} {
          %r = arith.muli %i, %c32 : index
          %c = arith.muli %j, %c32 : index
          ...
        }

    After:

        air.launch (%i, %j) in (%m=%c2, %n=%c2) { ... }
    """

    name = "air-split-launch-for-padding"
    split_mode: Literal["multi-launch", "single-launch"] = "multi-launch"
    """How launches at the edges would be made; it changes nothing."""
    pad_location: Literal["memtile", "source"] = "memtile"
    """Where the edges would be padded; it changes nothing."""
    use_dma_memcpy: bool = False
    """Which operation would move the edges; it changes nothing."""

    def run(self, op: AnyOp, /) -> None:
        for launch in walk_named(op, "air.launch"):
            if ACTUAL_SIZES in launch.attributes and len(LaunchOp(launch).sizes) > 1:
                _check(LaunchOp(launch), list(launch.attributes[ACTUAL_SIZES]))
                del launch.attributes[ACTUAL_SIZES]


def _check(launch: Any, actual: list[int]) -> None:
    for dim, (id_, size) in enumerate(zip(launch.ids[:2], actual, strict=False)):
        blocks = _factors(id_)
        if not blocks:
            raise error_at(launch, f"has {ACTUAL_SIZES}, but its id {dim} is multiplied with no constant, the size of a block")
        if size % min(blocks):
            raise error_at(
                launch,
                f"covers {size} elements of dimension {dim} in blocks of {min(blocks)}, and the last block overhangs, which is"
                f" not implemented; pad the arrays to {-(-size // min(blocks)) * min(blocks)} and drop {ACTUAL_SIZES}",
            )


def _factors(value: ir.Value) -> list[int]:
    """The constants that `value` is multiplied with, also through casts, affine.apply and arguments of segments."""
    found: list[int] = []
    todo = [value]
    while todo:
        for use in todo.pop().uses:
            user = use.owner.operation
            if user.name in ("arith.index_cast", "arith.extsi", "arith.trunci"):
                todo.append(user.results[0])
            elif user.name == "arith.muli":
                found += [n for v in user.operands if (n := constant_of(v)) is not None and n > 0]
            elif user.name == "affine.apply":
                found += _scale(user, use.operand_number)
            elif (other := handed_on(use)) is not None:
                todo.append(other)
    return found


def _scale(apply: Any, at: int) -> list[int]:
    """By how much the one result of `apply` grows with its operand `at`."""
    map_ = apply.attributes["map"].value
    points = [[int(n == at and step) for n in range(len(apply.operands))] for step in (0, 1)]
    (zero, *_), (one, *_) = map(compiled(map_), points)
    return [one - zero] if one > zero else []
