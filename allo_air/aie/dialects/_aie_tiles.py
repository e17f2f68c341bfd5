"""Devices, tiles, locks and cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.regions import body, fill_with
from allo_air.aie.building.scope import require_any
from allo_air.aie.building.values import Scalar, cast, converted, value_of
from allo_air.aie.dialects._aie_enum_gen import LockAction
from allo_air.dialects import aie as _aie
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.aie.dialects._aie_enum_gen import AIEDevice
    from allo_air.mlir import AnyOp


def Device(
    device: AIEDevice | str, sym_name: str = "main", *, loc: object = None, ip: object = None, **keywords: object
) -> Any:
    """An empty device; `device` is a member of AIEDevice, or its name or number."""
    refuse(keywords, "Device")
    number = device if isinstance(device, str) else int(getattr(device, "value", device))
    op = _aie.DeviceOp(device=number, sym_name=sym_name, loc=loc, ip=ip)
    with ir.InsertionPoint(op.regions[0].blocks.append()), ir.Location.unknown():
        ir.Operation.create("builtin.module", regions=1)
    return op


def device(device: object, sym_name: str = "main", **keywords: object) -> Callable[[Callable[..., Any]], Any]:
    """`@device(AIEDevice.npu1)`: the decorated function builds the device."""

    def fill(function: Callable[..., object]) -> Any:
        result = Device(device, sym_name, **keywords)
        fill_with(result, function, None)
        return result

    return fill


def tile(
    col: int,
    row: int,
    *,
    allocation_scheme: str | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
    **keywords: object,
) -> Any:
    """The tile at a column and row."""
    refuse(keywords, "tile", ignored=("tile_type",))
    require_any("tile")
    return _aie.TileOp(col=int(col), row=int(row), allocation_scheme=allocation_scheme, loc=loc, ip=ip)


def logical_tile(
    tile_type: str,
    col: object = None,
    row: object = None,
    *,
    allocation_scheme: str | None = None,
    loc: object = None,
    ip: object = None,
) -> Any:
    """A tile of a kind; a coordinate that is not given is left to placement."""
    kind = tile_type if isinstance(tile_type, str) else int(tile_type)
    return _aie.LogicalTileOp(tile_type=kind, col=col, row=row, allocation_scheme=allocation_scheme, loc=loc, ip=ip)


def lock(
    tile: object, lock_id: int | None = None, init: int | None = None, sym_name: str | None = None, annot: str | None = None,
    *, lockID: int | None = None, loc: object = None, ip: object = None, **keywords: object,
) -> Any:  # fmt: skip
    """A lock of a tile."""
    refuse(keywords, "lock")
    number = lock_id if lock_id is not None else lockID
    return _aie.LockOp(tile=value_of(tile), lockID=number, init=init, sym_name=sym_name, loc=loc, ip=ip)


def use_lock(
    lock: AnyOp,
    action: Any,
    value: Any = None,
    acq_en: Any = None,
    blocking: Any = None,
    loc: object = None,
    ip: object = None,
    **keywords: object,
) -> Any:
    """Acquires or releases a lock by a constant (default 1) or by a value of a core."""
    refuse(keywords, "use_lock")
    fields: dict[str, Any] = {"lock": value_of(lock), "action": action if isinstance(action, str) else int(action)}
    if isinstance(value, ir.Value):
        fields["amount"] = converted(cast(value, "i32") if "index" in str(value.type) else Scalar(value), "i32")
    else:
        fields["value"] = 1 if value is None else int(value)
    if acq_en is not None:
        fields["acq_en"] = bool(acq_en)
    if blocking is not None:
        fields["blocking"] = int(blocking)
    return _aie.UseLockOp(loc=loc, ip=ip, **fields)


@contextmanager
def hold_lock(
    acq_lock: AnyOp,
    rel_lock: AnyOp,
    *,
    acq_action: object = LockAction.AcquireGreaterEqual,
    acq_val: object = None,
    rel_action: object = LockAction.Release,
    rel_val: object = None,
    acq_en: object = None,
) -> Iterator[None]:
    """Acquires `acq_lock` before the operations inside, and releases `rel_lock` after them."""
    use_lock(acq_lock, acq_action, acq_val, acq_en)
    yield
    use_lock(rel_lock, rel_action, rel_val)


def EndOp(*_: object, loc: object = None, ip: ir.InsertionPoint | None = None) -> Any:
    """Ends a body; does nothing in a device, whose terminator is implicit."""
    if (ip or ir.InsertionPoint.current).block.owner.name in ("aie.device", "builtin.module"):
        return None
    return _aie.EndOp(loc=loc, ip=ip)


end = EndOp


def Core(
    tile: object, link_with: str | None = None, dynamic_objfifo_lowering: bool | None = None, stack_size: int | None = None,
    elf_file: str | None = None, *, loc: object = None, ip: object = None, **keywords: Any,
) -> Any:  # fmt: skip
    """A core with an empty body."""
    fields: dict[str, Any] = {
        "link_with": link_with,
        "dynamic_objfifo_lowering": dynamic_objfifo_lowering,
        "elf_file": elf_file,
    }
    if stack_size is not None:
        fields["stack_size"] = stack_size
    if (files := keywords.pop("link_files", None)) is not None:
        fields["link_files"] = ir.ArrayAttr.get([ir.StringAttr.get(f) for f in files])
    return _aie.CoreOp(tile=value_of(tile), loc=loc, ip=ip, **{n: v for n, v in fields.items() if v is not None})


core = body(Core, EndOp, '`@core(tile, "kernel.o")`: the function below builds the core\'s program.')


def bd_dim_layout(size: int, stride: int) -> tuple[int, int]:
    """A dimension of a BD."""
    return int(size), int(stride)
