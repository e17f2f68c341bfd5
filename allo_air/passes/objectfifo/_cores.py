"""Lowers the cores of a design: objects are selected statically if loops can be unrolled, otherwise by run-time counters."""

from __future__ import annotations

from contextlib import suppress

from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design
from allo_air.passes.objectfifo._bounds import Bounds
from allo_air.passes.objectfifo._counters import Counters
from allo_air.passes.objectfifo._rotation import Rotation
from allo_air.passes.objectfifo._trace import ACQUIRE, RELEASE, NotStatic, Trace, entries
from allo_air.passes.objectfifo._unroll import CoreRewriter, Objects


def lower(design: Design, *, dynamic: bool, carried: bool = False) -> None:
    """Lowers every core that uses objectFifos; `dynamic` is the default for cores without an attribute. With `carried`, all
    cores select objects by loop-carried values.
    """
    for core in walk_named(design.op, "aie.core"):
        if not walk_named(core, ACQUIRE, RELEASE):
            continue
        if carried:
            with suppress(NotStatic):
                entries(Trace(design, core), core)  # reports releases of objects that are known not to be held
            bounds = Bounds(design, core)
            entries(bounds, core)
            CoreRewriter(design, core, bounds, Rotation(bounds, core)).run()
            continue
        own = core.opview.dynamic_objfifo_lowering
        CoreRewriter(design, core, *_objects(design, core, dynamic if own is None else own)).run()


def _objects(design: Design, core: ir.Operation, dynamic: bool) -> tuple[Trace, Objects]:
    if not dynamic:
        trace = Trace(design, core)
        try:
            entries(trace, core)
            return trace, Objects(trace)
        except NotStatic:
            pass
    bounds = Bounds(design, core)
    entries(bounds, core)
    return bounds, Counters(bounds, core)
