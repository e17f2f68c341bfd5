"""Builds the cores of registered processes: acquire, call and release by the given pattern."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.functions import call_function
from allo_air.dialects import aie
from allo_air.dialects._enums import PORT
from allo_air.dialects.declarations import declarations
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.objectfifos import CONSUME, PRODUCE, element_of


def write(device_op: ir.Operation) -> None:
    """Appends every process of a device to the core of its tile; consumers get processes in order."""
    fifos = {f.sym_name: f for f in declarations(device_op, "aie.objectfifo")}
    next_turn: dict[str, int] = {}
    for op in declarations(device_op, "aie.objectfifo.register_process"):
        fifo = fifos.get(op.objFifo_name)
        if fifo is None:
            raise error_at(op, f"names '@{op.objFifo_name}', which is not an aie.objectfifo of the device")
        tile = fifo.producerTile
        if op.port == CONSUME:
            number = next_turn.get(fifo.sym_name, 0)
            next_turn[fifo.sym_name] = number + 1
            if number >= len(fifo.consumerTiles):
                raise error_at(op, f"is consumer {number + 1} of '@{fifo.sym_name}', which has {len(fifo.consumerTiles)}")
            tile = fifo.consumerTiles[number]
        core = _core(device_op, op, tile)
        end = core.body.blocks[0].operations
        _process(op, fifo, ir.InsertionPoint(end[len(end) - 1]))
        op.operation.erase()


def _core(device_op: ir.Operation, op: ir.Operation, tile: ir.Value) -> Any:
    for core in declarations(device_op, "aie.core"):
        if core.tile == tile:
            return core
    core = aie.CoreOp(tile=tile, loc=op.location, ip=ir.InsertionPoint(op))
    aie.EndOp(loc=op.location, ip=ir.InsertionPoint(core.body.blocks.append()))
    return core


def _process(op: Any, fifo: AnyOp, ip: ir.InsertionPoint) -> None:
    length = constant_of(op.length)
    if length is None:
        raise error_at(op, "has a length that is not a constant")
    acquires, releases = (_pattern(op, v, length) for v in (op.acquirePattern, op.releasePattern))
    steps = list(zip(acquires, releases, strict=True))
    for (takes, gives), run in groupby(steps):
        _steps(op, fifo, takes, gives, len(list(run)), ip)


def _pattern(op: ir.Operation, value: ir.Value, length: int) -> list[int]:
    """The numbers of a pattern, one for each step; a single number applies to all steps."""
    if isinstance(value, ir.BlockArgument) or value.owner.name != "arith.constant":
        raise error_at(op, "has a pattern that is not an arith.constant")
    numbers = [int(n) for n in value.owner.attributes["value"]]
    if len(numbers) == 1:
        return numbers * length
    if len(numbers) != length:
        raise error_at(
            op, f"has a pattern of {counted(len(numbers), 'number')} for {counted(length, 'step')}; expected one, or as many"
        )
    return numbers


def _steps(op: ir.OpView, fifo: Any, takes: int, gives: int, count: int, ip: Any) -> None:
    location = op.location
    if count > 1:
        with location:
            loop = scf.ForOp(*[index_constant(n, location, ip) for n in (0, count, 1)], ip=ip)
            ip = ir.InsertionPoint(scf.YieldOp([], ip=ir.InsertionPoint(loop.body)))
    port = next(name for name, number in PORT.cases.items() if number == op.port)
    assert op.port in (PRODUCE, CONSUME)
    if takes:
        element = element_of(fifo.elemType)
        subview = ir.Type.parse(f"!aie.objectfifosubview<{element}>")
        acquired = aie.ObjectFifoAcquireOp(
            subview=subview, objFifo_name=fifo.sym_name, port=port, size=takes, loc=location, ip=ip
        )
        for i in range(takes):
            access = aie.ObjectFifoSubviewAccessOp(subview=acquired.subview, index=i, output=element, loc=location, ip=ip)
            with location:
                call_function(op.callee, [], [access.output], ip)
    if gives:
        aie.ObjectFifoReleaseOp(objFifo_name=fifo.sym_name, port=port, size=gives, loc=location, ip=ip)
