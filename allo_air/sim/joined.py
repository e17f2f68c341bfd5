"""One report of runs that follow each other, each on a configuration of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from allo_air.sim.report_types import Place, Report

Counters = TypeVar("Counters")

_LAST = ("finished", "regions", "first_cycle", "last_cycle", "done_cycle")


def joined(reports: list[Report]) -> Report:
    """Combines `reports` to one: counters of tiles and channels are added, and `parts` has the reports. Fields with positions
    in time or code (`events`, `regions`) are those of the last report.
    """
    last = reports[-1]
    return replace(
        last,
        status=next((r.status for r in reports if r.status != "done"), "done"),
        findings=list(dict.fromkeys(f for r in reports for f in r.findings)),
        orders=" and ".join(dict.fromkeys(r.orders for r in reports if r.orders)),
        written=[part for r in reports for part in r.written],
        cores=_summed((c for r in reports for c in r.cores), lambda c: c.tile),
        channels=_summed((c for r in reports for c in r.channels), lambda c: (c.tile, c.direction, c.channel)),
        controller=next(iter(_summed((r.controller for r in reports if r.controller is not None), lambda _: 0)), None),
        cycles=sum(r.cycles for r in reports),
        words_moved=sum(r.words_moved for r in reports),
        steps=sum(r.steps for r in reports),
        engine_seconds=sum(r.engine_seconds for r in reports),
        ddr_bytes=sum(r.ddr_bytes for r in reports),
        origins=[origin for r in reports for origin in r.origins],
        seconds=sum(r.seconds for r in reports),
        assumed=sum(r.assumed for r in reports),
        code_bytes=_largest(r.code_bytes for r in reports),
        built_in_kernels=tuple(dict.fromkeys(name for r in reports for name in r.built_in_kernels)),
        parts=reports,
    )


def _largest(sizes: Iterable[Mapping[Place, int]]) -> dict[Place, int]:
    """For each tile, the largest of its sizes."""
    results: dict[Place, int] = {}
    for size in sizes:
        results |= {tile: max(number, results.get(tile, 0)) for tile, number in size.items()}
    return results


def _summed(counters: Iterable[Counters], key: Callable[[Counters], object]) -> list[Counters]:
    """Counters of one key as one; identities and times are the last one's."""
    results: dict[Any, Any] = {}
    for each in counters:
        before = results.get(key(each))
        if before is not None:
            names = [f.name for f in fields(each) if f.name not in _LAST and type(getattr(each, f.name)) is int]  # type: ignore[arg-type]
            sums = {n: getattr(before, n) + getattr(each, n) for n in names if n != "channel"}
            each = replace(each, **sums)  # type: ignore[type-var]
        results[key(each)] = each
    return [results[k] for k in sorted(results)]
