"""The levels that a pipeline goes down: which operations are legal at each, as data, and the check that a module contains
only these.

Rules name operations (`air.dma_memcpy_nd`) or whole dialects (`air.*`); a rule for one operation is stronger than one for its
dialect. A name that a level does not list is illegal there. `inside` restricts a legal operation to certain parents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from allo_air.core.diagnostics import position
from allo_air.core.walking import names_in, walk_named
from allo_air.errors import Diagnostic, DiagnosticError, UnknownNameError, counted, placeless
from allo_air.mlir import ir

_VALUES = ("arith.*", "math.*", "index.*", "complex.*", "ub.*", "builtin.*", "func.*")
_LEAVES = (*_VALUES, "affine.*", "cf.*", "linalg.*", "memref.*", "scf.*", "vector.*", "llvm.*", "xllvm.*", "aievec.*")
_TENSORS = ("tensor.*", "bufferization.*")
_DEVICE = ("aie.device",)
_LOWER = {
    "tensor.*": "tensors are gone from here on: bufferize before (one-shot-bufferize)",
    "bufferization.*": "tensors are gone from here on: bufferize before (one-shot-bufferize)",
    "air.dma_memcpy_nd": "run air-dma-to-channel",
    "air.*": "lower hierarchies and channels with air-to-aie and air-to-std",
    "airrt.*": "lower the control program with airrt-to-npu",
    "aie.*": "the device is made by air-to-aie, which ends the level before",
    "aiex.*": "the runtime sequence is made by airrt-to-npu, which ends the level before",
}


@dataclass(frozen=True)
class Level:
    """A level: `holds` describes it in a phrase; `legal` and `illegal` are names of operations and dialects."""

    name: str
    holds: str
    legal: tuple[str, ...]
    illegal: tuple[str, ...] = ()
    inside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def allows(self, name: str) -> bool:
        """Whether operation `name` is legal somewhere at this level."""
        dialect = f"{name.split('.', 1)[0]}.*"
        for rule in (name, dialect):
            if rule in self.illegal:
                return False
            if rule in self.legal:
                return True
        return False

    def holders(self, name: str) -> tuple[str, ...]:
        """The only allowed parent operations of `name`; empty: it may be anywhere."""
        return self.inside.get(name) or self.inside.get(f"{name.split('.', 1)[0]}.*", ())


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("linalg", "linalg on tensors or buffers, with scf and arith around it", (*_LEAVES, *_TENSORS, "ml_program.*")),
        Level(
            "tiled",
            "loops over tiles, memrefs in L3, L2 and L1, linalg or vector leaves",
            (*_LEAVES, "air.channel", "air.channel.put", "air.channel.get", "air.dma_memcpy_nd"),
        ),
        Level("air", "launch, segment and herd on memrefs, DMA copies, channels, tokens", (*_LEAVES, "air.*")),
        Level("channel", "launch, segment and herd that talk over channels", (*_LEAVES, "air.*"), ("air.dma_memcpy_nd",)),
        Level(
            "aie",
            "aie.device, and the control program as air or airrt operations",
            (*_LEAVES, "air.*", "airrt.*", "aie.*", "aiex.*"),
            ("air.dma_memcpy_nd",),
        ),
        Level(
            "npu",
            "aie.device with its runtime sequence",
            (*_LEAVES, "aie.*", "aiex.*"),
            inside=dict.fromkeys(("linalg.*", "scf.parallel", "scf.forall", "memref.alloc", "memref.copy"), _DEVICE),
        ),
    )
}  # fmt: skip
"""All levels, highest first. Within a stage, a pass may leave operations of the level before the stage or of the level after
it.
"""

_SHOWN = 8
"""Largest number of illegal operations that an error lists; it gives the number of the others."""


def hold_devices(level: str) -> bool:
    """Whether devices are legal at `level`; False for a name that is no level."""
    return level in LEVELS and all(map(LEVELS[level].allows, _DEVICE))


def check(op: ir.Operation, level: str, *, above: str | None = None, left_by: str = "") -> None:
    """Raises DiagnosticError for the operations in `op` that are not legal at `level`.

    With `above`, an earlier level, every operation that is legal at one of the levels from `above` to `level` is accepted,
    for checks within a stage. `left_by` is the pass or stage that messages name. Operations of unregistered dialects are
    ignored.
    """
    result = violations(op, level, above=above)
    if not result:
        return
    required_level = find(level)
    shown = [_diagnostic(o, required_level, left_by) for o in result[:_SHOWN]]
    rest = len(result) - len(shown)
    if rest:
        last = shown.pop()
        note = placeless("note", f"and {counted(rest, 'more operation')} that are not legal at level '{level}'")
        shown.append(Diagnostic(last.severity, last.file, last.line, last.column, last.message, (*last.notes, note)))
    raise DiagnosticError(shown)


def violations(op: ir.Operation, level: str, *, above: str | None = None) -> list[ir.Operation]:
    """Returns the operations in `op` that are not legal at `level` (see `check`), without the operations inside them."""
    span = _levels_between(find(above), find(level)) if above else (find(level),)
    names = sorted(n for n in names_in(op) if not any(level.allows(n) and not level.holders(n) for level in span))
    suspects = walk_named(op, *names)
    results = {o: None for o in suspects if not any(_is_legal(o, level) for level in span) and _is_known(o)}
    return [o for o in results if not any(around in results for around in _holders(o))]


def find(name: str) -> Level:
    """The level called `name`, else UnknownNameError."""
    if name not in LEVELS:
        raise UnknownNameError("level", name, LEVELS, f"the levels are {', '.join(LEVELS)}")
    return LEVELS[name]


def _levels_between(first: Level, last: Level) -> tuple[Level, ...]:
    order = list(LEVELS.values())
    return tuple(order[min(order.index(first), order.index(last)) : order.index(last) + 1])


def _is_legal(op: ir.Operation, level: Level) -> bool:
    if not level.allows(op.name):
        return False
    holders = level.holders(op.name)
    return not holders or any(around.name in holders for around in _holders(op))


def _holders(op: ir.Operation) -> list[ir.Operation]:
    """The operations around `op`, innermost first."""
    holders = []
    parent = op.parent
    while parent is not None:
        holders.append(parent.operation)
        parent = parent.operation.parent
    return holders


def _is_known(op: ir.Operation) -> bool:
    """Whether the dialect of `op` is registered; a user's other operations pass with --allow-unregistered-dialect."""
    return not op.context.allow_unregistered_dialects or bool(op.context.is_registered_operation(op.name))


def _diagnostic(op: ir.Operation, level: Level, left_by: str) -> Diagnostic:
    holders = level.holders(op.name) if level.allows(op.name) else ()
    place = f" outside of {' or '.join(holders)}" if holders else ""
    who = f", where {left_by} left it" if left_by else ""
    hint = next((_LOWER[rule] for rule in (op.name, f"{op.name.split('.', 1)[0]}.*") if rule in _LOWER), "")
    legal = ", ".join(level.legal) + (f", without {', '.join(level.illegal)}" if level.illegal else "")
    notes = [placeless("note", f"legal there ({level.holds}): {legal}")]
    notes += [placeless("note", hint)] if hint else []
    text = f"'{op.name}' op is not legal at level '{level.name}'{place}{who}"
    return Diagnostic("error", *position(op.location), text, tuple(notes))
