"""Finds modules of the bindings' dialects that are not named in this package: `air.dialects.transform.loop`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, cast

from allo_air.mlir import find_module

_HERE = __package__ or ""
_OURS = {"_air_ops_gen": f"{_HERE}.air", "_air_enum_gen": f"{_HERE}.air"}
"""Modules that MLIR-AIR generates, and the modules of this package with the same names."""


_FOLDER = Path(__file__).parent


class Finder:
    """A finder for `sys.meta_path`, before Python's own, which would import a module of the bindings a second time."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """The module of the bindings for `name`, or None."""
        package, _, rest = name.partition(f"{_HERE}.")
        if package or not rest or (_FOLDER / f"{rest.partition('.')[0]}.py").exists():
            return None
        try:
            module = _module(rest)
        except ModuleNotFoundError:
            return None
        return ModuleSpec(name, cast(Any, _Loader(module)), is_package=hasattr(module, "__path__"))


def _module(rest: str) -> Any:
    if rest in _OURS:
        from importlib import import_module

        return import_module(_OURS[rest])
    return find_module(f"dialects.{rest}")


class _Loader:
    def __init__(self, module: Any):
        self.module = module
        self.spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> Any:
        return self.module

    def exec_module(self, module: Any) -> None:
        """Restores attributes that the import system has overwritten."""
        module.__spec__, module.__loader__, module.__package__ = self.spec, self.spec.loader, self.spec.parent
