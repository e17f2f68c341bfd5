"""The boxes of a movement have the elements that its operations compute, wherever these come from."""

from dataclasses import replace

import numpy as np
import pytest

from allo_air.access.layout import Layout
from allo_air.device import DEVICES
from allo_air.mlir import ir, new_context
from allo_air.passes.partition._element_map import boxes_of_movement
from allo_air.passes.partition._movement import Movement, Step
from allo_air.passes.partition._streams import _ordered, _tasks, _walkable_boxes, boxes_of, schedule

TURNED = Step("pack", (4, 6, 2, 8), layout=Layout.of([[0, 1, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]]))
SPLIT = Step("pack", (4, 6, 4, 2, 4), layout=Layout.of([[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]]))
PADDED = Step("pack", (6, 8, 16), layout=Layout.of([[-1, 1, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 1]]))
WINDOWS = Step("pack", (2, 2, 4, 8, 8), layout=Layout.of([[0, 2, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 8, 0, 0, 1]]))
ROWS = [Step("reshape", (4, 6, 16))]
MOVEMENTS = {
    "turned and padded": ((4, 2, 6, 8), [TURNED, *ROWS, PADDED]),
    "padded by two numbers": (
        (4, 2, 6, 8),
        [TURNED, *ROWS, replace(PADDED, layout=replace(PADDED.layout, outside=-7)), Step("grow", (7, 8, 16), zeros=True)],
    ),
    "windows of rows": ((4, 2, 6, 8), [TURNED, *ROWS, PADDED, WINDOWS]),
    "groups in groups": ((4, 4, 6, 4), [Step("pack", (4, 6, 4, 4), layout=TURNED.layout), *ROWS, PADDED, WINDOWS]),
    "cut and grown": (
        (4, 2, 6, 8),
        [Step("cut", (3, 2, 5, 8)), Step("grow", (5, 2, 6, 8), zeros=True), Step("reshape", (5, 96))],
    ),
    "undefined": ((4, 2, 6, 8), [Step("grow", (5, 2, 6, 8)), Step("reshape", (5, 96))]),
    "a column over the end of a row": (
        (12, 4),
        [Step("reshape", (48,)), Step("grow", (49,), zeros=True), Step("reshape", (7, 7))],
    ),
}


def moved(shape, steps):
    """What the steps make of the numbers of the elements, from 1 on; -1 where they make nothing."""
    elements = np.arange(1, np.prod(shape) + 1).reshape(shape)
    for step in steps:
        if step.kind == "reshape":
            elements = elements.reshape(step.shape)
        elif step.kind == "pack":
            elements = step.layout.pack(elements, step.shape)
        elif step.kind == "cut":
            elements = elements[tuple(map(slice, step.shape))]
        else:
            around = [(0, n - m) for n, m in zip(step.shape, elements.shape, strict=True)]
            elements = np.pad(elements, around, constant_values=0 if step.zeros else -1)
    return elements


@pytest.fixture(scope="module")
def source():
    with new_context(), ir.Location.unknown():

        def of(shape):
            kind = ir.RankedTensorType.get(shape, ir.F32Type.get())
            return ir.Operation.create("test.source", [kind]).results[0]

        yield of


@pytest.mark.parametrize("name", MOVEMENTS)
def test_boxes_have_the_elements_of_the_movement(name, source):
    shape, steps = MOVEMENTS[name]
    pieces, refined = boxes_of_movement(Movement(source(list(shape)), tuple(steps), ()))
    wanted = moved(shape, steps).reshape(refined)
    result = np.full(refined, -1)
    for piece in pieces:
        place = tuple(slice(low, low + n) for low, n in zip(piece.low, piece.sizes, strict=True))
        assert (result[place] == -1).all(), "two boxes have one element"
        grid = np.ogrid[tuple(map(slice, piece.sizes))]
        numbers = piece.first + 1 + sum(s * g for s, g in zip(piece.steps, grid, strict=True))
        result[place] = piece.number.value if piece.source is None else numbers
    assert (result == wanted).all()


@pytest.mark.parametrize("name", MOVEMENTS)
def test_transfers_move_each_element_once(name, source):
    shape, steps = MOVEMENTS[name]
    value = source(list(shape))
    pieces, refined = boxes_of_movement(Movement(value, tuple(steps), ()))
    numbers = list(dict.fromkeys(p.number for p in pieces if p.source is None))
    boxes = boxes_of(pieces, [value], numbers, refined, 32)
    streams = schedule(boxes, 1, len(numbers), 32, DEVICES["npu2"]).streams
    memory = [
        np.arange(1, np.prod(shape) + 1),
        *(np.full(1 << 14, int(n.value)) for n in numbers),
        np.full(np.prod(refined), -1),
    ]
    for transfer in (t for stream in streams for t in stream):
        near, far = (
            w.first
            + sum((s * g for (_, s), g in zip(w.dims, np.ogrid[tuple(slice(n) for n, _ in w.dims)], strict=True)), np.array(0))
            for w in (transfer.source, transfer.target)
        )
        memory[-1][np.ravel(far)] = memory[transfer.source.argument][
            np.ravel(np.broadcast_to(near, [n for n, _ in transfer.source.dims]))
        ]
    assert (memory[-1] == moved(shape, steps).ravel()).all()


def test_dimensions_are_in_the_order_of_the_fewest_tasks():
    from allo_air.passes.partition._streams import Box

    box = Box(0, None, 0, 0, ((27, 448, 1728), (3, 3584, 576), (56, 4, 8), (2, 224, 4), (4, 1, 1)))
    parts = [_ordered(part, 32) for part in _walkable_boxes(box)]
    assert [len(part.dims) for part in parts] == [4, 4, 4]
    assert sum(_tasks(part, 32) for part in parts) <= 6 < _tasks(box, 32)
