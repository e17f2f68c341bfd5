"""Removes copies between buffers of a program of kernels, by computing the source directly in the target."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from allo_air.core.diagnostics import error_at
from allo_air.passes.partition._flow import Buffer, Copy, Flow, Place, Run


def remove_copies(flow: Flow) -> None:
    """Removes all copies of `flow`. Raises DiagnosticError at a copy that cannot be removed."""
    _part_lives(flow)
    while copies := [(n, s) for n, s in enumerate(flow.steps) if isinstance(s, Copy)]:
        for number, copy in copies:
            if copy.source == copy.target or any(
                remove(flow, number, copy) for remove in (_redirect_to_argument, _compute_in_target, _read_source)
            ):
                del flow.steps[number]
                break
        else:
            raise error_at(
                copies[0][1].op,
                "copies a buffer that is used again, is the caller's, or goes in front of numbers that its own maker would "
                "overwrite; the copy would be a kernel of its own: let a kernel compute it (linalg.copy in a function that is "
                "called)",
            )


def _part_lives(flow: Flow) -> None:
    """Splits an intermediate buffer that copies rewrite completely into several buffers, one for each such copy."""
    for number, copy in enumerate(flow.steps):
        if not isinstance(copy, Copy) or not copy.target.buffer.is_own or copy.source.buffer is copy.target.buffer:
            continue
        old = copy.target.buffer
        earlier = [(s, p) for s in flow.steps[:number] for p in _written_values(s) if p.buffer is old]
        is_rewritten = all(
            isinstance(s, Copy) and (p.offset, p.count) == (copy.target.offset, copy.target.count) for s, p in earlier
        )
        if not earlier or not is_rewritten:
            continue
        new = replace(old)
        flow.buffers.append(new)
        room = Place(new, 0, new.size)
        copy.target = _relocated(copy.target, old, room)
        for step in flow.steps[number + 1 :]:
            if isinstance(step, Run):
                step.places = [_relocated(p, old, room) for p in step.places]
            else:
                step.source, step.target = _relocated(step.source, old, room), _relocated(step.target, old, room)


def _redirect_to_argument(flow: Flow, number: int, copy: Copy) -> bool:
    """Removes a copy between two arrays of the caller, by describing where the caller finds the data."""
    source, target = copy.source, copy.target
    whole = source.count == source.buffer.size and target.count == target.buffer.size
    if not whole or target.buffer.type.shape != source.buffer.type.shape:
        return False
    if source.buffer.is_own or not target.buffer.is_own or target.buffer.like is not None:
        return False
    earlier = [p for s in flow.steps[:number] for p in _written_values(s)]
    if any(p.buffer in (source.buffer, target.buffer) for p in earlier):
        return False
    target.buffer.like = source.buffer
    return True


def _compute_in_target(flow: Flow, number: int, copy: Copy) -> bool:
    """Removes a copy by computing the source in the target's buffer, if no other use distinguishes the two."""
    old, target = copy.source.buffer, copy.target
    start = target.offset - copy.source.offset
    if not old.is_own or old.like is not None or old is target.buffer or start < 0 or target.buffer.constant is not None:
        return False
    grows = start + old.size > target.buffer.size
    if grows and not (target.buffer.may_grow and _has_rows(target.buffer, start + old.size)):
        return False
    if target.buffer.like is not None and old.size > copy.source.count:
        return False  # the elements after the copy would be overwritten
    room = Place(target.buffer, start, old.size)
    before, after = flow.steps[:number], flow.steps[number + 1 :]
    born = next((n for n, s in enumerate(before) if any(p.buffer is old for p in _touched(s))), number)
    if any(p.meets(room) for s in before[born:] for p in _touched(s)):
        return False
    if any(p.meets(room) for s in before[:born] for p in _written_values(s) if old.size > copy.source.count):
        return False
    if any(p.buffer is old for s in after for p in _written_values(s)):
        return False
    last = max((n for n, s in enumerate(after) if any(p.buffer is old for p in _touched(s))), default=-1)
    if any(p.meets(room) for s in after[: max(last, 0)] for p in _written_values(s)):
        return False
    target.buffer.size = max(target.buffer.size, start + old.size)
    flow.buffers.remove(old)
    _relocate(flow, old, room)
    return True


def _read_source(flow: Flow, number: int, copy: Copy) -> bool:
    """Removes a copy by reading the source instead of the target, an intermediate that is only read, before the source
    changes. If the target is longer, what follows the source is read, too: these elements have no defined contents.
    """
    old, source = copy.target.buffer, copy.source
    if not old.is_own or old.like is not None or old is source.buffer or copy.target.offset:
        return False
    size = source.offset + old.size
    grows = size > source.buffer.size
    if grows and not (source.buffer.may_grow and _has_rows(source.buffer, size)):
        return False
    before, after = flow.steps[:number], flow.steps[number + 1 :]
    if any(p.buffer is old for s in before for p in _touched(s)) or any(
        p.buffer is old for s in after for p in _written_values(s)
    ):
        return False
    last = max((n for n, s in enumerate(after) if any(p.buffer is old for p in _touched(s))), default=-1)
    if any(p.meets(source) for s in after[: last + 1] for p in _written_values(s)):
        return False
    source.buffer.size = max(source.buffer.size, size)
    flow.buffers.remove(old)
    _relocate(flow, old, source)
    return True


def _relocate(flow: Flow, old: Buffer, room: Place) -> None:
    """Makes all steps use `room` instead of `old`."""
    for step in flow.steps:
        if isinstance(step, Run):
            step.places = [_relocated(p, old, room) for p in step.places]
        else:
            step.source, step.target = _relocated(step.source, old, room), _relocated(step.target, old, room)


def _has_rows(buffer: Buffer, size: int) -> bool:
    """Whether `size` elements of a caller's buffer are whole rows, so that the array stays in the buffer's leading corner."""
    shape = list(buffer.type.shape)
    return buffer.is_own or bool(shape and size % prod(shape[1:]) == 0)


def _relocated(place: Place, old: Buffer, room: Place) -> Place:
    return Place(room.buffer, room.offset + place.offset, place.count) if place.buffer is old else place


def _touched(step: Copy | Run) -> list[Place]:
    return step.touched() if isinstance(step, Run) else [step.source, step.target]


def _written_values(step: Copy | Run) -> list[Place]:
    return step.touched(writes=True) if isinstance(step, Run) else [step.target]
