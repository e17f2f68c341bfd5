"""Second names of modules: importing one gives the module itself, not a copy of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from typing import Any, cast


def add(package: str, target: str, names: Iterable[str]) -> None:
    """Makes `PACKAGE.NAME` importable as a second name of `TARGET.NAME`, for each of `names` and its submodules."""
    finder = _Finder(f"{package}.", f"{target}.", frozenset(names))
    if finder not in sys.meta_path:
        sys.meta_path.insert(0, cast(Any, finder))


class _Finder:
    """Finds the modules under their second names."""

    def __init__(self, package: str, target: str, names: frozenset[str]) -> None:
        self._package, self._target, self._names = package, target, names

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((self._package, self._target))

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        if not name.startswith(self._package):
            return None
        rest = name.removeprefix(self._package)
        if rest.partition(".")[0] not in self._names:
            return None
        from importlib.util import find_spec

        original = find_spec(f"{self._target}{rest}")
        if original is None:
            return None
        is_package = original.submodule_search_locations is not None
        return ModuleSpec(name, cast(Any, _Loader(original.name)), origin=original.origin, is_package=is_package)


class _Loader:
    """Imports a module under its first name."""

    def __init__(self, original: str) -> None:
        self._original = original
        self._attributes: dict[str, Any] = {}

    def create_module(self, spec: ModuleSpec) -> Any:
        from importlib import import_module

        module = import_module(self._original)
        self._attributes = {n: getattr(module, n, None) for n in ("__spec__", "__loader__", "__package__")}
        return module

    def exec_module(self, module: object) -> None:
        """Restores the attributes that the import system has overwritten; the module has run already."""
        for name, value in self._attributes.items():
            setattr(module, name, value)
