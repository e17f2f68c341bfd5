"""Runs programs of MLIR-AIR, mlir-aie and Allo unchanged: an import hook redirects `import air` and the like to this project.

    import allo_air.compat
    allo_air.compat.install()
    from air.dialects.air import *          # allo_air.air.dialects.air

`allo-env COMMAND` installs the hook in each Python that the command starts. Packages that are installed are not redirected.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from types import TracebackType

_PACKAGE = str(Path(__file__).parents[1])
_LAYERS = tuple(f"{_PACKAGE}/{name}" for name in ("air/", "aie/", "compat/", "testing.py"))
"""The parts that programs call: their exceptions are about the program; those of other parts are bugs of this package."""

STANDS_FOR = {
    "air": "allo_air.air",
    "aie": "allo_air.aie",
    "filelock": "allo_air.compat.filelock",
    "pyxrt": "allo_air.compat.pyxrt",
}
"""For each package that programs import, its module here: `air.api` is `allo_air.air.api`."""


def install(names: Iterable[str] = tuple(STANDS_FOR), *, force: bool = False) -> None:
    """Redirects imports of `names` to this project: those that are not installed, or all with `force`.

    A second call adds to the first one.
    """
    for finder in sys.meta_path:
        if isinstance(finder, _Finder):
            finder.names |= set(names)
            finder.force |= force
            return
    sys.meta_path.insert(0, _Finder(set(names), force))


def uninstall() -> None:
    """Undoes `install`. Modules that were imported stay imported."""
    sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, _Finder)]


def tell_errors() -> None:
    """Prints uncaught errors of this project with the source line that they are about."""
    before = sys.excepthook

    def print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        errors = sys.modules.get("allo_air.errors")
        if kind.__name__ == "MLIRError" and errors is not None:
            from allo_air.core.diagnostics import translate

            error = translate(cast(Any, error))
        place, last = _users_place(trace)
        if errors is not None and isinstance(error, errors.AlloAirError):
            messages = error.diagnostics or [errors.placeless("error", str(error))]
            diagnostics = [d if d.file or not place else replace(d, file=place[0], line=place[1]) for d in messages]
            if place and all(d.file.startswith("<") for d in diagnostics):  # text that the program passes
                diagnostics.append(errors.Diagnostic("note", *place, 0, "the text is passed here"))
        elif place and _misses_a_name(error):
            errors = import_module("allo_air.errors")
            diagnostics = [cast(Any, errors).Diagnostic("error", *place, 0, f"{type(error).__name__}: {error}")]
        elif errors is not None and place and _is_wrong_call(error, trace):
            diagnostics = [errors.Diagnostic("error", *place, 0, f"{type(error).__name__}: {error}")]
        elif errors is not None and place and last.startswith((_bindings(), _PACKAGE)) and isinstance(error, Exception):
            diagnostics = [errors.Diagnostic("error", *place, 0, _message(error, last))]
        else:
            before(kind, error, trace)
            return
        for diagnostic in diagnostics:
            print(errors.render(diagnostic, _line), file=sys.stderr)

    sys.excepthook = print_error


def _misses_a_name(error: BaseException) -> bool:
    """Whether a module that this project provides does not have a name that the program imports or uses."""
    name = error.name if isinstance(error, ImportError) else getattr(getattr(error, "obj", None), "__name__", None)
    is_module = isinstance(error, ImportError) or isinstance(getattr(error, "obj", None), ModuleType)
    return is_module and isinstance(name, str) and name.partition(".")[0] in (*STANDS_FOR, "allo_air", "torch_mlir")


def _is_wrong_call(error: BaseException, trace: TracebackType | None) -> bool:
    """Whether the program calls a function of this package, or of MLIR's bindings, with arguments that do not fit."""
    call_error = re.match(r"([\w.]+)\(\) (got|missing|takes)", str(error)) if isinstance(error, TypeError) else None
    if call_error is None or trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    for value in list(trace.tb_frame.f_globals.values()):
        for item in vars(value).values() if isinstance(value, ModuleType) and _is_provided(value) else (value,):
            kind = item if isinstance(item, type) else type(item)
            names = (getattr(item, "__qualname__", ""), f"{kind.__qualname__}.{call_error[1].rpartition('.')[2]}")
            if call_error[1] in names and (_is_provided(item) or _is_provided(kind)):
                return True
    return False


def _is_provided(value: object) -> bool:
    """Whether a module, class or function is of this package or of MLIR's bindings."""
    name = getattr(value, "__module__", None) or getattr(value, "__name__", "")
    return isinstance(name, str) and name.partition(".")[0] in ("allo_air", "torch_mlir")


def _message(error: Exception, file: str) -> str:
    """The message for an exception that was raised in `file`, of this package or of MLIR's bindings."""
    if file.startswith(_LAYERS) or not file.startswith(_PACKAGE):
        return f"{type(error).__name__}: {error}"
    from allo_air.core.crash import internal_error

    return internal_error(error).removeprefix("error: ")


def _users_place(trace: TracebackType | None) -> tuple[tuple[str, int] | None, str]:
    """File and line of the innermost call in the user's program; and the file in which the error was raised."""
    place, file = None, ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith((_PACKAGE, _bindings(), sys.prefix, sys.base_prefix, "<")):
            place = (file, trace.tb_lineno)
        trace = trace.tb_next
    return place, file


def _bindings() -> str:
    """The folder of MLIR's bindings."""
    mlir = sys.modules.get("allo_air.mlir")
    return str(Path(mlir.ir.__file__).parent) if mlir is not None else "<none>"


def _line(file: str, number: int) -> str | None:
    try:
        with open(file, encoding="utf-8") as lines:
            return lines.read().split("\n")[number - 1]
    except (OSError, UnicodeDecodeError, IndexError, ValueError):
        return None


class _Finder:
    """The import hook: finds modules of redirected packages in this project."""

    def __init__(self, names: set[str], force: bool):
        self.names, self.force = names, force
        self._ours: dict[str, bool] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        package, dot, rest = name.partition(".")
        if package not in self.names or package not in STANDS_FOR:
            return None
        there = f"{STANDS_FOR[package]}{dot}{rest}"
        if not self._is_ours(package):
            return None
        if there.endswith(".__main__") and not _exists(there):  # `python -m` takes every module of ours for a package
            module = there.removesuffix(".__main__")
            return ModuleSpec(name, cast(Any, _Loader(name, module)), origin=module) if _exists(module) else None
        if not _exists(there):
            return None
        return ModuleSpec(name, cast(Any, _Loader(name, there)), origin=there, is_package=True)

    def _is_ours(self, package: str) -> bool:
        """Whether imports of this package are redirected. A folder with its name is not the real package."""
        if package not in self._ours:
            self._ours[package] = self.force or not any(
                spec.loader is not None and spec.origin is not None for spec in self._of_others(package)
            )
        return self._ours[package]

    def _of_others(self, package: str) -> Iterable[ModuleSpec]:
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(package, None)) is not None:
                yield spec


def _exists(name: str) -> bool:
    if name in sys.modules:
        return True
    try:
        return find_spec(name) is not None or name in sys.modules  # the parent may put it there
    except ModuleNotFoundError as missing:
        if missing.name is not None and (name == missing.name or name.startswith(f"{missing.name}.")):
            return False
        raise


class _Loader:
    """Loads a module of this project as one object under both names."""

    def __init__(self, name: str, there: str):
        self.name, self.there = name, there
        self._kept: dict[str, Any] = {}

    def create_module(self, spec: ModuleSpec) -> Any:
        module = import_module(self.there)
        self._kept = {n: getattr(module, n, None) for n in ("__spec__", "__loader__", "__package__")}
        return module

    def exec_module(self, module: object) -> None:
        """Restores the module's own attributes, which the import system has overwritten.

        Also registers the second name of each loaded submodule whose package has a function of the same name; otherwise the
        import system would replace the function by the module.
        """
        for name, value in self._kept.items():
            setattr(module, name, value)
        for name, loaded in tuple(sys.modules.items()):
            package, _, leaf = name.rpartition(".")
            if name.startswith(f"{self.there}.") and getattr(sys.modules.get(package), leaf, loaded) is not loaded:
                sys.modules.setdefault(f"{self.name}{name.removeprefix(self.there)}", loaded)

    def get_code(self, name: str) -> Any:
        """The code for `python -m`."""
        spec = find_spec(self.there)
        return spec.loader.get_code(self.there) if spec is not None and spec.loader is not None else None  # type: ignore[attr-defined]

    def is_package(self, name: str) -> bool:
        """Whether `python -m` runs a `__main__` module."""
        spec = find_spec(self.there)
        return spec is not None and spec.submodule_search_locations is not None
