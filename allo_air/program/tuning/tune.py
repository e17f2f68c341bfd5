"""`allo_air.tune`: simulates the planners' best plans for a program, and stores the best for `compile`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Any

from allo_air.core.calls import COUNT, FUNCTION, NAME, PATH, SCHEDULE, SECONDS, checked
from allo_air.core.processes import usable_cores
from allo_air.errors import AlloAirError, ArgumentError
from allo_air.program.compile import cache_in, npu_name, refuse_misspelled, source_for
from allo_air.program.source import Source, default_pipeline
from allo_air.program.storage import digest, tuned
from allo_air.program.tuning.report import Tuned
from allo_air.program.tuning.search import Progress, Search
from allo_air.program.tuning.trial import Job

BUDGET = 60.0
"""Default time limit of a tuning, in seconds."""
CANDIDATES = 32
"""Default limit of the simulated plans of a kernel."""


@checked(
    pipeline=NAME | None,
    device=NAME,
    budget=SECONDS,
    candidates=COUNT,
    jobs=COUNT | None,
    code=SCHEDULE,
    cluster=NAME | None,
    cache_dir=PATH | None,
    progress=FUNCTION | None,
)
def tune(
    source: object = None,
    pipeline: str | None = None,
    device: str = "npu1",
    *,
    shape: Any = None,
    dtype: object = None,
    budget: float = BUDGET,
    candidates: int = CANDIDATES,
    jobs: int | None = None,
    code: str = "compiled",
    executor: Executor | None = None,
    cluster: str | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Tuned:
    """Simulates the planners' best plans for the kernels of a program, and stores the best for `compile`.

    `source`, `pipeline`, `device`, `shape`, `dtype`, `cache_dir` and `options` are those of `compile`. From then on, `compile`
    uses the plans for equal kernels on the same device, with the same version of allo_air. Tuning ends after `budget` seconds;
    another call continues where it stopped. `code` is how the cores' code is priced, as in a call of a program: scheduled, or
    compiled. At most `candidates` plans of a kernel are simulated, `jobs` at a time: each in a separate local process, on
    `executor` (of concurrent.futures), or by the Dask scheduler at address `cluster` (extra `cluster`).

    Returns the simulated plans. Raises AlloAirError if nothing in the program is planned, or if the budget is too small.
    """
    value = source_for(source, pipeline, shape, dtype)
    refuse_misspelled(tune, options)
    return tune_source(
        value,
        pipeline,
        device,
        options,
        budget=budget,
        candidates=candidates,
        jobs=jobs,
        code=code,
        executor=executor,
        cluster=cluster,
        cache_dir=cache_dir,
        progress=progress,
    )


def tune_source(
    source: Source,
    pipeline: str | None,
    device: str,
    options: dict[str, Any] | str,
    *,
    budget: float = BUDGET,
    candidates: int = CANDIDATES,
    jobs: int | None = None,
    code: str = "compiled",
    executor: Executor | None = None,
    cluster: str | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Like `tune`; `options` may be text."""
    from allo_air.program.recipe import options_text, recipe_of

    began = monotonic()
    device = npu_name(device)
    name = default_pipeline(source) if pipeline is None else pipeline
    with source.context:
        recipe = recipe_of(name, device, options)
        if not recipe.plans:
            raise AlloAirError(f"there is nothing to tune: pipeline '{name or 'of a device'}' chooses no tiles")
        program = digest.key(source, recipe, verify="verify") + ("" if code == "compiled" else f"-{code}")
    cache_folder = cache_in(cache_dir).folder
    text = options if isinstance(options, str) else options_text(options)
    job = Job(source.text, source.name, name, device, text, ranking=candidates, code=code, version=tuned.version())
    with _executor(executor, cluster, jobs) as (runs, count):
        search = Search(job, cache_folder, program, runs, count, began + budget, progress or (lambda *_: None))
        best = search.run()
    tuned.store_plans(tuned.folder(cache_folder), {kernel.key: kernel.taken for kernel in best.outcome.kernels})
    return Tuned(f"{name} on {recipe.device or device}", job, tuple(search.rows), best, search.left, monotonic() - began)


@contextmanager
def _executor(executor: Executor | None, cluster: str | None, jobs: int | None) -> Iterator[tuple[Executor, int]]:
    """The executor of the simulations, and how many it runs at a time."""
    if executor is not None and cluster is not None:
        raise ArgumentError("executor= and cluster= both say where to simulate; give one")
    if executor is not None:
        yield executor, jobs or int(getattr(executor, "_max_workers", 0)) or usable_cores()
        return
    if cluster is not None:
        with _client(cluster) as client:
            yield client.get_executor(), jobs or sum(client.nthreads().values()) or 1
        return
    with ThreadPoolExecutor(jobs or usable_cores()) as threads:  # each thread waits for a process
        yield threads, jobs or usable_cores()


def _client(address: str) -> Any:
    """Dask's client of the scheduler at `address`."""
    try:
        from distributed import Client
    except ImportError:
        raise AlloAirError("a cluster needs Dask: pip install 'allo-air[cluster]'") from None
    try:
        return Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise AlloAirError(f"no Dask scheduler at '{address}': {error}") from None
