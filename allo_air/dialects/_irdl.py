"""Loads a dialect into a context: its operations as IRDL text, whose names are restored before MLIR loads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from allo_air.core.walking import walk_named
from allo_air.dialects._fields import MEMREF
from allo_air.dialects._op import OPS, Decl, Op
from allo_air.mlir import cext, ir, irdl

_REGISTERED: dict[str, tuple[type[Op], ...]] = {}
"""The operation classes of the bindings, by dialect."""


@dataclass(frozen=True)
class Dialect:
    """A dialect: its operations, and the types and attributes it defines, by their number of parameters."""

    name: str
    types: dict[str, int]
    attributes: dict[str, int]

    def ops(self) -> list[type[Op]]:
        return [op for name, op in OPS.items() if name.removeprefix(f"{self.name}.") != name]

    def load(self, context: ir.Context) -> None:
        """Defines the dialect in `context`, unless it is loaded already."""
        if context.is_dialect_loaded(self.name):
            return
        ops = tuple(self.ops())
        with context, ir.Location.unknown(context):
            module = ir.Module.parse(self.irdl_text(ops))
            _restore_names(self, module, ops)
            irdl.load_dialects(module)
            for op in ops:
                for trait in op.DECL.traits:
                    _TRAITS[trait](op.OPERATION_NAME)
        self._register(ops)

    def _register(self, ops: tuple[type[Op], ...]) -> None:
        """Registers the operation classes in the bindings, for all contexts of the process."""
        if _REGISTERED.get(self.name) == ops:
            return
        holder = type(self.name, (ir.Dialect,), {"DIALECT_NAMESPACE": self.name})
        cext.globals._register_dialect_impl(self.name, holder, replace=True)
        for op in ops:
            cext.register_operation(holder, replace=True)(op)
        _REGISTERED[self.name] = ops

    def irdl_text(self, ops: tuple[type[Op], ...]) -> str:
        """The dialect with `ops` as IRDL, names as `_plain` spells them (IRDL's own verifier refuses dots and capitals)."""
        if ops not in self._texts:
            self._texts[ops] = self._text(ops)
        return self._texts[ops]

    @cached_property
    def _texts(self) -> dict[tuple[type[Op], ...], str]:
        """Cached texts, by the operations declared at that time: files may declare more later."""
        return {}

    def _text(self, ops: tuple[type[Op], ...]) -> str:
        lines = [f"irdl.dialect @{_plain(self.name)} {{"]
        for kind, table in (("type", self.types), ("attribute", self.attributes)):
            for name, params in table.items():
                body = "".join(f"%p{i} = irdl.any\n" for i in range(params))
                names = ", ".join(f"p{i}: %p{i}" for i in range(params))
                params_text = f"irdl.parameters({names})" if params else ""
                lines.append(f"irdl.{kind} @{_plain(name)} {{ {body}{params_text} }}")
        lines += [_irdl_operation(op.DECL, op.DECL.name.removeprefix(f"{self.name}.")) for op in ops]
        return "\n".join([*lines, "}"])


def _plain(name: str) -> str:
    return re.sub(r"[.A-Z]+", lambda m: f"_x{m[0].encode().hex()}_", name)


def _irdl_operation(decl: Decl, name: str) -> str:
    body = []
    for kind, fields in (("operands", decl.operands), ("results", decl.results)):
        parts = []
        slots = [(item, number) for item in fields for number in range(item.slots)]
        for i, (item, number) in enumerate(slots):
            value = f"%{kind}{i}"
            if item.rule is MEMREF:
                body.append(f'%r{kind}{i} = irdl.base "!builtin.memref"')
                body.append(f'%u{kind}{i} = irdl.base "!builtin.unranked_memref"')
                body.append(f"{value} = irdl.any_of(%r{kind}{i}, %u{kind}{i})")
            else:
                body.append(f"{value} = {item.rule.constraint.replace('async.token', _plain('async.token'))}")
            parts.append(f"{item.name.lower()}{number or ''}: {item.arity} {value}")
        if parts:
            body.append(f"irdl.{kind}({', '.join(parts)})")
    if decl.regions:
        body += [f"%region{i} = irdl.region" for i in range(len(decl.regions))]
        body.append("irdl.regions(" + ", ".join(f"{r.name.lower()}: %region{i}" for i, r in enumerate(decl.regions)) + ")")
    inner = "\n".join(body)
    return f"irdl.operation @op_{_plain(name)} {{ {inner} }}"


def _restore_names(dialect: Dialect, module: ir.Module, ops: tuple[type[Op], ...]) -> None:
    """Undoes `_plain` on the names that the IRDL of `dialect` with `ops` defines and refers to."""
    names = [op.OPERATION_NAME.removeprefix(f"{dialect.name}.") for op in ops]
    for kind, original_names in (
        ("irdl.dialect", [dialect.name]),
        ("irdl.type", list(dialect.types)),
        ("irdl.attribute", list(dialect.attributes)),
        ("irdl.operation", names),
    ):
        for op, name in zip(walk_named(module, kind), original_names, strict=True):
            if kind == "irdl.operation" or _plain(name) != name:
                op.attributes["sym_name"] = ir.StringAttr.get(name)
    for op in walk_named(module, "irdl.base"):
        if (base := op.attributes.get("base_ref")) is not None and "_x2e_" in str(base):
            op.attributes["base_ref"] = ir.Attribute.parse('@air::@"async.token"')


class _NoMemoryEffect(ir.MemoryEffectsOpInterface):
    @staticmethod
    def get_effects(op: ir.Operation, effects: ir.MemoryEffectInstancesList) -> None:
        return None


class _AlwaysSpeculatable(ir.ConditionallySpeculatable):
    @staticmethod
    def get_speculatability(op: ir.Operation) -> ir.Speculatability:
        return ir.Speculatability.Speculatable


def _attach_pure(name: str) -> None:
    """Like the bindings' `ext.Pure`, whose module takes longer to import than a dialect to load."""
    _NoMemoryEffect.attach(name)
    _AlwaysSpeculatable.attach(name)


def _attach_transform(name: str) -> None:
    from allo_air.dialects._transform import attach

    attach(name)


_TRAITS = {
    "transform": _attach_transform,
    "isolated": lambda name: ir.IsIsolatedFromAboveTrait.attach(name),
    "terminator": lambda name: ir.IsTerminatorTrait.attach(name),
    "no_terminator": lambda name: ir.NoTerminatorTrait.attach(name),
    "pure": _attach_pure,
}
