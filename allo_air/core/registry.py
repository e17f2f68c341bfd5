"""Passes and pipelines by name: ours, transform scripts, those of other packages (entry points), and files given by the user.

Passes are imported lazily: the file of a pass, a script or an entry point has its name. Passes are in rooms, folders named
after phases of compilation; the name of a pass does not include its room.
"""

from __future__ import annotations

import importlib
import importlib.util
import traceback
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from allo_air.core import renamed, schedule
from allo_air.core.diagnostics import emit
from allo_air.core.named import NamedPipeline
from allo_air.core.pass_ import Pass
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError, UnknownNameError, placeless, unknown_name

PASSES, PIPELINES, SCRIPTS = "allo_air.passes", "allo_air.pipelines", "allo_air.transform_scripts"


class Registry:
    """Looks names up in this order: files in `load`, our passes and scripts, (upstream's,) entry points."""

    def __init__(self, load: Iterable[str] = ()):
        self.files = tuple(load)
        passes: dict[str, type[Pass]] = {}
        pipelines: dict[str, NamedPipeline] = {}
        for path in self.files:
            values = [schedule.script_pass(Path(path))] if path.endswith(".mlir") else vars(_load(path)).values()
            loaded = _passes(values)
            replaced = [n for n, module in self._pass_files.items() if n in loaded and loaded[n].__module__ != module]
            for name in replaced:
                emit(placeless("warning", f"{path} replaces the pass '{name}' of allo_air, also in its named pipelines"))
            passes |= loaded
            pipelines |= _pipelines(values)
        self._loaded_passes: Mapping[str, type[Pass]] = MappingProxyType(passes)
        self._loaded_pipelines: Mapping[str, NamedPipeline] = MappingProxyType(pipelines)

    def find_pass(self, name: str) -> type[Pass] | None:
        """Our pass called `name`: from a loaded file, `allo_air.passes` or `allo_air.transform_scripts`."""
        name = name if name in self._loaded_passes else renamed.current("pass", name)
        if name in self._loaded_passes:
            return self._loaded_passes[name]
        stem = name.replace("-", "_")
        if name in self._pass_files:
            module = importlib.import_module(self._pass_files[name])
            return _passes(vars(module).values())[name]
        if name in self._scripts:
            return schedule.script_pass(_folder(SCRIPTS) / f"{stem}.mlir")
        return None

    def find_late(self, name: str) -> type[Pass] | None:
        """The pass called `name` of another package; asked after upstream's, since scanning packages takes time."""
        return _from_entry_point(self._pass_entries.get(name), Pass) if name in self._pass_entries else None

    def why_absent(self, name: str) -> str:
        """Returns why there is no pass `name` that users know from another project, and what to use instead; empty for any
        other name.
        """
        return self.absent_passes().get(name, "")

    def absent_passes(self) -> Mapping[str, str]:
        """Returns why passes that users know from another project are not here, and what to use instead, by their names."""
        result: Mapping[str, str] = importlib.import_module(f"{PASSES}._absent_passes").ABSENT
        return result

    def pass_names(self) -> tuple[str, ...]:
        """Names of all passes except upstream's, sorted."""
        return tuple(sorted({*self._loaded_passes, *self._pass_files, *self._scripts, *self._pass_entries}))

    def pass_class(self, name: str) -> type[Pass]:
        """The pass called `name`, not upstream's; raises UnknownNameError."""
        type_ = self.find_pass(name) or self.find_late(name)
        if type_ is None:
            raise unknown_name("pass", name, self.pass_names(), self.why_absent(name))
        return type_

    def pipeline(self, name: str) -> NamedPipeline:
        """The pipeline called `name`; raises UnknownNameError."""
        name = name if name in self._loaded_pipelines else renamed.current("pipeline", name)
        if name in self._loaded_pipelines:
            return self._loaded_pipelines[name]
        if (own := self._own_pipeline(name)) is not None:
            return own
        if name in self._pipeline_entries:
            named_pipeline: NamedPipeline = _from_entry_point(self._pipeline_entries[name], NamedPipeline)
            return named_pipeline
        raise UnknownNameError("pipeline", name, self.pipeline_names(), "allo-opt --list-pipelines lists all")

    def owns_pipeline(self, name: str) -> bool:
        """Whether the pipeline called `name` is of `allo_air.pipelines`."""
        return name not in self._loaded_pipelines and self._own_pipeline(name) is not None

    def pipeline_names(self) -> tuple[str, ...]:
        """Names of all pipelines, sorted."""
        own = (n for file in self._pipeline_files for n in _pipelines_in(file))
        return tuple(sorted({*self._loaded_pipelines, *own, *self._pipeline_entries}))

    def _own_pipeline(self, name: str) -> NamedPipeline | None:
        """Returns our pipeline `name`. Files whose name is a prefix of it are tried first, since each import takes time."""
        files = sorted(self._pipeline_files, key=lambda file: not name.startswith(file))
        return next((result for file in files if (result := _pipelines_in(file).get(name)) is not None), None)

    @property
    def _pass_files(self) -> Mapping[str, str]:
        return _pass_modules()

    @cached_property
    def _scripts(self) -> tuple[str, ...]:
        return _modules(SCRIPTS, ".mlir")

    @cached_property
    def _pipeline_files(self) -> tuple[str, ...]:
        return _modules(PIPELINES)

    @cached_property
    def _pass_entries(self) -> Mapping[str, Any]:
        return _entry_points(PASSES)

    @cached_property
    def _pipeline_entries(self) -> Mapping[str, Any]:
        return _entry_points(PIPELINES)


@cache
def standard() -> Registry:
    """The registry without the user's files, which all programs share: it reads folders and packages only once."""
    return Registry()


@cache
def _pass_modules() -> Mapping[str, str]:
    """The module of each of our passes, by name."""
    rooms = (f.name for f in _folder(PASSES).iterdir() if f.is_dir() and not f.name.startswith(("_", ".")))
    packages = [f"{PASSES}.{room}" for room in rooms]
    return {name: f"{package}.{name.replace('-', '_')}" for package in packages for name in _modules(package)}


def _passes(values: Iterable[object]) -> dict[str, type[Pass]]:
    classes = (v for v in values if isinstance(v, type) and issubclass(v, Pass) and isinstance(getattr(v, "name", None), str))
    return {c.name: c for c in classes}


def _pipelines(values: Iterable[object]) -> dict[str, NamedPipeline]:
    return {v.name: v for v in values if isinstance(v, NamedPipeline)}


def _pipelines_in(file: str) -> dict[str, NamedPipeline]:
    """The pipelines in our file whose kebab-case name is `file`."""
    return _pipelines(vars(importlib.import_module(f"{PIPELINES}.{file.replace('-', '_')}")).values())


def _folder(package: str) -> Path:
    result = importlib.util.find_spec(package)
    assert result is not None and result.submodule_search_locations
    return Path(next(iter(result.submodule_search_locations)))


@cache
def _modules(package: str, suffix: str = ".py") -> tuple[str, ...]:
    """Kebab-case names of the files in `package` whose name does not start with an underscore."""
    files = (f for f in _folder(package).iterdir() if f.suffix == suffix and not f.name.startswith(("_", ".")))
    return tuple(sorted(f.stem.replace("_", "-") for f in files))


def _entry_points(group: str) -> Mapping[str, Any]:
    from importlib.metadata import entry_points

    return {e.name: e for e in entry_points(group=group)}


def _from_entry_point(entry: Any, kind: type) -> Any:
    try:
        result = entry.load()
    except Exception as error:
        raise AlloAirError(f"cannot load '{entry.name}' from {entry.value}: {type(error).__name__}: {error}") from error
    fits = issubclass(result, kind) if isinstance(result, type) else isinstance(result, kind)
    if not fits or result.name != entry.name:
        raise AlloAirError(
            f"entry point '{entry.name}' is {entry.value}, expected a {kind.__name__} whose name is '{entry.name}'"
        )
    return result


def _load(path: str) -> ModuleType:
    """Runs Python file `path` as a module of its own; an error in it is reported at its line, without a traceback."""
    file = Path(path)
    if not file.is_file():
        raise AlloAirError(f"cannot load '{path}': {'it is a directory' if file.is_dir() else 'no such file'}")
    result = importlib.util.spec_from_file_location(f"allo_air_loaded_{file.stem}", file)
    if result is None or result.loader is None:
        raise AlloAirError(f"cannot load '{path}': expected a Python file (.py) or a transform script (.mlir)")
    module = importlib.util.module_from_spec(result)
    import sys

    sys.modules[module.__name__] = module
    try:
        result.loader.exec_module(module)
    except SyntaxError as error:
        raise DiagnosticError([Diagnostic("error", path, error.lineno or 0, error.offset or 0, f"{error.msg}")]) from error
    except (Exception, SystemExit) as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
        line = lines[-1] or 0 if lines else 0
        raise DiagnosticError([Diagnostic("error", path, line, 0, f"{type(error).__name__}: {error}")]) from error
    return module
