"""`allo_air.compile` and `allo_air.matmul`: compile a source to a program, with a cache on disk."""

from __future__ import annotations

import difflib
import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.asm.syntax import checked_state
from allo_air.core.calls import COUNT, FLAG, FUNCTION, KERNELS, NAME, PATH, checked
from allo_air.core.gc_pause import collect_less_often
from allo_air.errors import ArgumentError, OptionError, counted, nearest, suggestion, with_article
from allo_air.pipelines.tile_options import npu_name
from allo_air.program.lowering import Progress
from allo_air.program.matmul import RESULTS, Matmul
from allo_air.program.program import Backend, Program
from allo_air.program.saved import from_manifest
from allo_air.program.scalar_program import scalar_program
from allo_air.program.source import Source, default_pipeline, source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from allo_air.aie_api.kernel import CppKernel


@checked(
    pipeline=NAME | None,
    device=NAME,
    backend=NAME,
    cache=FLAG,
    cache_dir=PATH | None,
    cache_limit=COUNT | None,
    progress=FUNCTION | None,
    kernels=KERNELS | None,
    packaging=NAME,
    syntax=NAME | None,
)
def compile(
    source: Matmul | Source | str | Path | None = None,
    pipeline: str | None = None,
    device: str = "npu1",
    backend: Backend = "sim",
    *,
    shape: Sequence[int] | None = None,
    dtype: str | None = None,
    verify_each: bool | str | None = None,
    cache: bool = True,
    cache_dir: str | os.PathLike[str] | None = None,
    cache_limit: int | None = None,
    progress: Progress | None = None,
    kernels: Mapping[str, CppKernel] | None = None,
    schedule: object = None,
    packaging: str = "auto",
    syntax: str | None = None,
    **options: int | str | Sequence[int],
) -> Program:
    """Compiles `source` for `device` and returns the Program.

    `source` is the path of an MLIR file, MLIR text, a module, or a `Matmul`; for a matmul, `shape=(M, N, K)` and `dtype` can be
    passed instead.

    `pipeline` is the name of a pipeline (with options in braces, or as keywords: `herd_m=64`) or pipeline text. The default
    depends on the operations: none for an `aie.device` with a runtime sequence, air-npu for AIR, tiled-npu for tiled loops, the
    gemm pipeline of its type for a matmul, and npu for other linalg on tensors. `schedule` is a transform script (path, text or
    module) that replaces the pipeline's tiling.

    By default, the IR is verified by MLIR's rules after each pass, and by the rules of the dialects and levels at the end of
    each stage. If that fails, the passes run again to find the first wrong one. Other values of `verify_each` are False (verify
    at the end only), True (verify by all rules after each pass), "level" (also check the level's rules after each pass) and
    "execute" (execute the module before and after each pass).

    `kernels` implements external functions that cores call, on the simulator: each is a Python function on numpy views, or MLIR
    (path, text or module). `packaging` is how to package for `backend="xrt"`: with our "own" writers (docs/packaging.md), with
    "aiecc", or "auto": with aiecc if it is installed. `syntax` is the version of mlir-aie's and mlir-air's assembly in which
    the program prints its texts: "2026-08" or "2026-03".

    Programs and lowered kernels are cached in `cache_dir` (by default the user's cache folder), at most `cache_limit` bytes,
    unless `cache` is off. Plans that `tune` stored there are used for their kernels.

    A source of AIR or AIE that takes numbers as well as arrays gives a ScalarProgram, whose calls take them, too.

    Raises AlloAirError; errors of passes have the place in the source.
    """
    value = source_for(source, pipeline, shape, dtype)
    refuse_misspelled(compile, options)
    syntax = None if syntax is None else checked_state(syntax)

    def compiled(item: Source) -> Program:
        program = compile_source(
            item,
            pipeline,
            device,
            backend,
            options,
            verify_each=verify_each,
            cache=cache,
            cache_dir=cache_dir,
            cache_limit=cache_limit,
            progress=progress,
            kernels=kernels,
            schedule=schedule,
        )
        return replace(program, packaging=packaging, syntax=syntax)

    return scalar_program(value, compiled) or compiled(value)


def source_for(source: object, pipeline: str | None, shape: Sequence[int] | None = None, dtype: object = None) -> Source:
    """The Source for the arguments of `compile`. A matmul without a type gets that of the gemm pipeline."""
    if isinstance(source, Source):
        return source
    if dtype is None and isinstance(pipeline, str) and (source is None or isinstance(source, tuple | list)):
        dtype = element_of_pipeline(pipeline)
        if dtype is None:
            shapes = ", ".join(f"gemm-{e}" for e in RESULTS)
            raise OptionError(f"pipeline '{pipeline}' needs a file to compile; shapes go with {shapes}")
    return source_of(source, shape, dtype)


@collect_less_often()
def compile_source(
    source: Source,
    pipeline: str | None,
    device: str,
    backend: Backend,
    options: dict[str, Any] | str,
    *,
    verify_each: bool | str | None = None,
    cache: bool = True,
    cache_dir: str | os.PathLike[str] | None = None,
    cache_limit: int | None = None,
    progress: Progress | None = None,
    kernels: Mapping[str, CppKernel] | None = None,
    schedule: object = None,
) -> Program:
    """Like `compile`, for a Source; `options` may be text, as in `herd-m=64 cols=2`."""
    from allo_air.core import options as core_options
    from allo_air.program import lowering
    from allo_air.program.recipe import recipe_of
    from allo_air.program.separate_kernels import span
    from allo_air.program.storage import digest, tuned

    device = npu_name(device)
    verify = _verify(verify_each)
    program_cache = cache_in(cache_dir, cache_limit) if cache else None
    plans = str(tuned.folder(program_cache.folder)) if program_cache else ""
    ask = digest.request_key(source, pipeline, device, options, verify=verify) if program_cache and schedule is None else ""
    if program_cache and ask and (result := program_cache.lookup(ask, partial(_is_current, plans))):
        lowered, manifest = result
        return from_manifest(lowered, _renamed(manifest, source), backend, cached=True, kernels=kernels)
    name = default_pipeline(source) if pipeline is None else pipeline
    if source.described is not None and (element := element_of_pipeline(name)) not in (None, source.described.dtype):
        raise OptionError(f"pipeline '{name}' multiplies {element}, the matmul is of {source.described.dtype}")
    with source.context:
        chosen = recipe_of(name, device, options, schedule=_script(schedule))
        info = dict(core_options.split(name, options)) if isinstance(options, str) else _plain_values(options)

        def make() -> tuple[lowering.Lowered, dict[str, Any]]:
            steps = chosen.with_plans(plans) if program_cache else chosen
            stored = (
                program_cache.kernels(digest.passes_key(chosen, span(chosen.steps), verify=verify)) if program_cache else None
            )
            result = lowering.lower(source, steps, verify=verify, progress=progress, kernels=stored)
            manifest = {"pipeline": name, "options": info, "macs": source.macs, "bfp16": chosen.bfp16, "device": result.device}
            manifest["source"] = source.name
            return result, manifest | {"plans": tuned.plan_texts(result.planned)}

        if not program_cache:
            return from_manifest(*make(), backend, kernels=kernels)
        key = digest.key(source, chosen, verify=verify)
        lowered, manifest, hit = program_cache.get_or_make(key, make, partial(_is_current, plans))
    own = {"pipeline": name, "options": info}
    if ask and digest.is_ours(chosen):
        program_cache.note(ask, key, own)
    return from_manifest(lowered, _renamed({**manifest, **own}, source), backend, cached=hit, kernels=kernels)


def _is_current(plans: str, manifest: dict[str, Any]) -> bool:
    """Whether a program's planners would find the same plans in the folder `plans` again."""
    from allo_air.program.storage import tuned

    return tuned.are_current(Path(plans), manifest.get("plans", {}))


def _renamed(manifest: dict[str, object], source: Source) -> dict[str, Any]:
    """The manifest with the caller's name of the source, which may differ."""
    return {**manifest, "renamed": (manifest.get("source", ""), source.name)}


def _script(value: object) -> str:
    """The text of a transform script. A file must be readable. A path stays a path, so that diagnostics name it."""
    from allo_air.core.texts import text_of

    if value is None:
        return ""
    if hasattr(value, "operation"):
        return str(value.operation)
    text, name = text_of(value, "schedule with")
    return text if name == "<text>" else name


def _verify(value: bool | str | None) -> str:
    """The checks after each pass, as one of lowering.VERIFY."""
    from allo_air.program.lowering import VERIFY

    result = {None: "stage", True: "verify", False: "none"}.get(value, value) if isinstance(value, bool | None) else value
    if result not in VERIFY:
        raise OptionError(f"verify_each is {value!r}, expected True, False, {', '.join(map(repr, VERIFY))}")
    return result


def refuse_misspelled(function: Callable[..., object], options: Mapping[str, int | str | Sequence[int]]) -> None:
    """Raises ArgumentError for an option that is a misspelled argument of `function`. The pipeline checks other options."""
    own = [n for n in inspect.signature(function).parameters if n != "options"]
    for name in options:
        if difflib.get_close_matches(name, own, 1, cutoff=0.8):
            raise ArgumentError(f"{function.__name__}() has no argument '{name}'{suggestion(nearest(name, own, 1))}")


def cache_in(folder: str | os.PathLike[str] | None, limit: int | None = None) -> Any:
    """The cache in `folder`, which must be writable; by default, the user's cache."""
    from allo_air.program.storage.cache import LIMIT, Cache, default_folder

    if folder is None:
        return Cache(default_folder(), LIMIT if limit is None else limit)
    cache = Cache(Path(os.fsdecode(folder)), LIMIT if limit is None else limit)
    cache.check_writable()
    return cache


def element_of_pipeline(name: str) -> str | None:
    """The operand type that a named pipeline multiplies, from its passes; None for other pipelines and for text."""
    from allo_air.core import named
    from allo_air.core.registry import Registry

    if not name or "(" in name.partition("{")[0]:
        return None
    pipeline = Registry().pipeline(named.parse_reference(name)[0])
    elements = [getattr(p, "element", None) for stage in pipeline.stages for p in stage.passes]
    return next((e for e in elements if e in RESULTS), None)


def _plain_values(options: Mapping[str, int | str | Sequence[int]]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}


@checked(device=NAME, backend=NAME)
def matmul(a: Any, b: Any, *, device: str = "npu1", backend: Backend = "sim", **options: Any) -> Any:
    """`a @ b` on the NPU: matrices (M, K) and (K, N) of one type (bfloat16, float32, int8, int16, int32).

    The result has the type that the pipeline accumulates in: float32 for floats, int32 (wrapping) for integers. `options` are
    those of `compile`. Raises AlloAirError for other shapes and types.
    """
    import numpy as np

    from allo_air.dtypes import element_of

    for name, array in (("a", a), ("b", b)):
        if not isinstance(array, np.ndarray):
            text = "None" if array is None else with_article(type(array).__name__)
            raise ArgumentError(f"matmul: {name} is {text}, expected a numpy array")
        if array.ndim != 2:
            raise ArgumentError(f"matmul: {name} has {counted(array.ndim, 'dimension')}, expected a matrix")
    if a.shape[1] != b.shape[0]:
        raise ArgumentError(
            f"matmul: a is {a.shape[0]}x{a.shape[1]}, so b must have {counted(a.shape[1], 'row')}; it has {b.shape[0]}"
        )
    if a.dtype != b.dtype:
        raise ArgumentError(f"matmul: a is of {a.dtype}, b of {b.dtype}; expected one type")
    described = Matmul(a.shape[0], b.shape[1], a.shape[1], element_of(a.dtype))
    return compile(described, device=device, backend=backend, **options)(a, b)
