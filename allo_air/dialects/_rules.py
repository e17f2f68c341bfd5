"""The rules of the dialects beyond IRDL's number and types of values: the table of rules, and the walk that applies them.

    @rule("aie.lock")
    def lock_id(op: LockOp, report: Report) -> None:
        if op.lockID is not None and op.lockID >= ...:
            report.error(op, "lock assigned invalid id (maximum is 15)")

A rule gets the operation's class (an upstream operation comes as `ir.Operation`) after its declaration was checked:
attributes, parents and blocks are checked first, by `_op.Decl`. Rules examine their own operation and report; they change
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from allo_air.core.diagnostics import position
from allo_air.core.walking import names_in, walk_named
from allo_air.dialects._kinds import ANY_ATTR, Kind, Structured, TypeKind
from allo_air.dialects._op import OPS, Decl
from allo_air.errors import Diagnostic, Severity
from allo_air.mlir import AnyOp, ir

Rule = Callable[[Any, "Report"], None]

_MODULES = {
    "air": ("_rules_air", "_rules_air_data", "_rules_air_memory"),
    "airrt": (),
    "aie": (
        "_rules_values",
        "_rules_aie_order",
        "_rules_aie_tiles",
        "_rules_aie_dma",
        "_rules_aie_streams",
        "_rules_aie_objectfifo",
        "_rules_aie_objectfifo_uses",
        "_rules_aie_trace",
    ),
    "aiex": ("_rules_aiex_npu", "_rules_aiex_memcpy", "_rules_aiex_tasks", "_rules_aiex_cert", "_rules_aiex_runs"),
    "aievec": ("_rules_aievec",),
    "aievec_aie1": (),
    "xllvm": (),
}
_RARE = {
    "_rules_aie_objectfifo": ("aie.objectfifo",),
    "_rules_aie_objectfifo_uses": ("aie.objectfifo",),
    "_rules_aie_trace": ("aie.trace", "aie.event"),
    "_rules_aiex_cert": ("aiex.cert.",),
}
"""Modules with rules for operations whose names begin with the key; imported if there are such operations."""
_RULES: dict[str, list[Rule]] = {}
_SINGLE_BLOCK = ("aie.device", "aie.runtime_sequence", "aiex.configure")
_MAY_BE_EMPTY = ("air.affine_if", "aiex.configure")


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Registers a function as a rule of the operations `names`."""

    def register(function: Rule) -> Rule:
        for name in names:
            _RULES.setdefault(name, []).append(function)
        return function

    return register


class Report:
    """Collects diagnostics; `memo` caches lookups of rules during one check."""

    def __init__(self, root: ir.Operation | None = None) -> None:
        self.root = root
        self.diagnostics: list[Diagnostic] = []
        self.memo: dict[Any, Any] = {}
        self.unterminated: dict[Any, Decl] = {}

    def once(self, what: object, op: AnyOp, compute: Callable[[], Any]) -> Any:
        """The result of `compute`, which is the same for all operations in the block of `op`."""
        if self.root is not None and op.operation == self.root:  # it may be in no block
            return compute()
        memo, block = self.memo.setdefault(what, {}), op.operation.block
        if block not in memo:
            memo[block] = compute()
        return memo[block]

    def error(self, op: AnyOp, message: str, *notes: tuple[AnyOp, str]) -> None:
        """Reports `'name' op message` at `op`; each note is an operation and a text."""
        self._add("error", op, f"'{op.operation.name}' op {message}", notes)

    def warning(self, op: AnyOp, message: str, *notes: tuple[AnyOp, str]) -> None:
        """Like `error`, for a form that the real tools accept although the hardware does something else."""
        self._add("warning", op, f"'{op.operation.name}' op {message}", notes)

    def _add(self, severity: Severity, op: AnyOp, text: str, notes: tuple[tuple[AnyOp, str], ...]) -> None:
        attached = tuple(Diagnostic("note", *position(o.operation.location), note) for o, note in notes)
        self.diagnostics.append(Diagnostic(severity, *position(op.operation.location), text, attached))


def parent_of(operation: AnyOp) -> ir.Operation | Any:
    """The parent of `operation` in the text, which omits the hidden operations in `aie.device` and `aie.dma`."""
    parent = operation.operation.parent
    if parent is not None and parent.name in ("builtin.module", "aie.dma_region"):
        outer = parent.parent
        if outer is not None and outer.name in ("aie.device", "aie.dma"):
            return outer
    return parent


def ancestors(operation: AnyOp) -> Iterator[ir.Operation]:
    """The operations around `operation`, innermost first."""
    parent = parent_of(operation)
    while parent is not None:
        yield parent
        parent = parent_of(parent)


def enclosing(operation: AnyOp, *names: str) -> Any:
    """The nearest operation around `operation` with one of `names`, or None."""
    return next((a for a in ancestors(operation) if a.name in names), None)


def operations(block: ir.Block) -> list[Any]:
    """The operations of `block`, as `ir.Operation`."""
    return [op.operation for op in block.operations]


def check(root: AnyOp, *, devices: bool = True) -> list[Diagnostic]:
    """Applies every rule to the operations in `root` (`root` included); `root` has passed MLIR's own verifier.

    Without `devices`, the contents of `aie.device` operations are skipped.
    """
    root = root.operation
    names = tuple(names_in(root))
    for dialect in _MODULES:
        if root.context.is_dialect_loaded(dialect):
            _import_rules(dialect, names)
    declared, rules = OPS, _RULES
    apart = (root,) if devices else tuple(outside_devices(root))
    results = [op for part in apart for op in walk_named(part, *{*declared, *rules})]
    report = Report(root)
    generic: dict[str, Callable[[Any, Report], bool]] = {}
    for op in results:
        name = op.name
        if name in declared:
            holds = generic.get(name)
            if holds is None:
                holds = generic[name] = _declared(declared[name].DECL)
            if not holds(op, report) or name not in rules:
                continue
        view: Any = declared[name](op) if name in declared else op
        for apply in rules[name]:
            apply(view, report)
    for op, decl in report.unterminated.items():
        _report_terminator(op, decl, report)
    return report.diagnostics


def _import_rules(dialect: str, names: tuple[str, ...]) -> None:
    """Imports the declarations of `dialect`, and the rules for operations called `names`."""
    for module in (dialect, *_MODULES[dialect]):
        if module not in _RARE or any(name.startswith(_RARE[module]) for name in names):
            _import(module)


@cache
def _import(module: str) -> None:
    import_module(f"allo_air.dialects.{module}")


def outside_devices(root: ir.Operation) -> Iterator[ir.Operation]:
    """The operations of a module that are not devices, which only modules hold."""
    for inner in (o for region in root.regions for block in region for o in operations(block)):
        if inner.name == "builtin.module":
            yield from outside_devices(inner)
        elif inner.name != "aie.device":
            yield inner


def _declared(decl: Decl) -> Callable[[Any, Report], bool]:
    """The check that an operation is as `decl` says; built again for each run, since it remembers attributes that fit."""
    attrs: list[tuple[str, bool, Kind, set[Any]]] = [
        (a.name, a.optional, a.kind, set()) for a in decl.attrs.values() if not a.optional or a.kind is not ANY_ATTR
    ]
    single = (decl.terminator is not None or decl.name in _SINGLE_BLOCK) and decl.regions
    ends_region = "terminator" in decl.traits

    def holds(op: ir.Operation, report: Report) -> bool:
        attributes = op.attributes
        for name, optional, kind, fitting in attrs:
            attribute = attributes.get(name)
            if attribute is None:
                if not optional:
                    report.error(op, f"requires attribute '{name}'")
                    return False
            elif attribute not in fitting:
                if not _has_kind(kind, attribute):
                    report.error(
                        op, f"attribute '{name}' failed to satisfy constraint: {_allowed_text(kind)}, found {attribute}"
                    )
                    return False
                fitting.add(attribute)
        if ends_region and report.unterminated:
            parent = parent_of(op)
            if parent in report.unterminated and report.unterminated[parent].terminator == decl.name:
                del report.unterminated[parent]
        if decl.parents and not _in_place(op, decl, report):
            return False
        return not single or _single_block(op, decl, report)

    return holds


def _in_place(op: ir.Operation, decl: Decl, report: Report) -> bool:
    parent = parent_of(op)
    if parent is not None and parent.name in decl.parents:
        return True
    expectation = f"expects parent op '{decl.parents[0]}'"
    if len(decl.parents) > 1:
        expectation = f"expects parent op to be one of '{', '.join(decl.parents)}'"
    report.error(op, f"{expectation}, found {repr(parent.name) if parent is not None else 'none'}")
    return False


def _single_block(op: ir.Operation, decl: Decl, report: Report) -> bool:
    blocks = op.regions[0].blocks
    count = len(blocks)
    if count > 1:
        report.error(op, f"expects region #0 to have 0 or 1 blocks, found {count}")
        return False
    if count == 0:
        if decl.name in _MAY_BE_EMPTY:
            return True
        report.error(op, "should have non-empty body")
        return False
    if decl.terminator is not None:
        report.unterminated[op] = decl
    return True


def _report_terminator(op: ir.Operation, decl: Decl, report: Report) -> None:
    body = operations(op.regions[0].blocks[0])
    text = f"found '{body[-1].name}'" if body else "the block is empty"
    report.error(op, f"expects regions to end with '{decl.terminator}', {text}")


def _has_kind(kind: Kind, attribute: ir.Attribute) -> bool:
    if isinstance(kind, Structured):
        return str(attribute).startswith((f"#aie.{kind.name}<", f"#aie<{kind.name}"))
    if isinstance(kind, TypeKind):
        return isinstance(attribute, ir.TypeAttr)
    return kind.fits(attribute)


def _allowed_text(kind: Kind) -> str:
    cases = getattr(kind, "cases", None)
    label = getattr(kind, "label", kind.name)
    return f"{label} ({', '.join(f'{word} = {number}' for word, number in cases.items())})" if cases else kind.name
