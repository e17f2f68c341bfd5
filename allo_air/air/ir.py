"""MLIR's core bindings as `air.ir` has them; contexts know the AIR dialect, and modules read and print its assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.mlir import ir as _ir

if TYPE_CHECKING:
    from allo_air.mlir import ir

__all__ = [n for n in vars(_ir) if not n.startswith("_")]


def __getattr__(name: str) -> Any:
    return getattr(_ir, name)


def Context() -> Any:
    """A context with the AIR dialect."""
    from allo_air.dialects import load
    from allo_air.mlir import new_context

    context = new_context()
    load(context, ("air", "airrt"))
    return context


def current() -> Any:
    """The context that is entered, else a new one."""
    try:
        result = _ir.Context.current
    except ValueError:
        result = None
    return result if result is not None else Context()


class _TypeMeta(type):
    """Makes `Type` behave like the class of the bindings, which cannot be extended in place."""

    def __getattr__(cls, name: str) -> Any:
        return getattr(_ir.Type, name)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _ir.Type(*args, **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _ir.Type)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _ir.Type)


class Type(metaclass=_TypeMeta):
    """The bindings' class of types, whose `parse` also reads blocks of block floating point."""

    @staticmethod
    def parse(asm: str, context: ir.Context | None = None) -> ir.Type:
        """The type of `asm`; `!aiex.bfp<"v8bfp16ebs8">` is a vector of its bytes, which modules print as a block."""
        from allo_air.asm.blocks import as_vectors, check_names
        from allo_air.asm.text import Failure
        from allo_air.user_errors import UserError

        try:
            check_names(asm)
        except Failure as failure:
            raise UserError(failure.message) from None
        return _ir.Type.parse(as_vectors(asm).strip(), context)


class Module:
    """A module that prints in AIR's custom assembly; all else is that of `ir.Module`."""

    def __init__(self, module: ir.Module):
        self._module = module

    @staticmethod
    def create(loc: ir.Location | None = None) -> Module:
        """An empty module."""
        return Module(_ir.Module.create(loc or _ir.Location.unknown()))

    @staticmethod
    def parse(text: str | bytes, context: ir.Context | None = None) -> Module:
        """The module of `text`, in custom or generic assembly; DiagnosticError if it cannot be read."""
        from allo_air import asm
        from allo_air.transform import read_script

        text = text if isinstance(text, str) else text.decode()
        with context or current(), _ir.Location.unknown():
            read = read_script if "transform." in text else asm.read
            return Module(read(text, "<module>").operation.opview)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def __str__(self) -> str:
        from allo_air import asm

        return asm.write(self._module.operation)
