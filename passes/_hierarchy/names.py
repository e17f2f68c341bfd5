"""Symbol names of hierarchies."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from allo_air.core.rewrite import walk, walk_named
from allo_air.dialects.air import L1, HerdOp
from allo_air.passes._analysis.memory import buffer, is_in


def fresh_names(root: Any, stem: str) -> Iterator[str]:
    """`stem`_0, `stem`_1, ... without those that name something in `root` already."""
    taken = symbols(root)
    return (name for n in count() if (name := f"{stem}_{n}") not in taken)


def symbols(root: Any) -> set[str]:
    """The symbols that operations in `root` define."""
    return {op.attributes["sym_name"].value for op in walk(root) if "sym_name" in op.attributes}


def name_herds(root: Any) -> None:
    """Gives every unnamed herd a symbol: the one of a herd that shares an L1 buffer with it, else herd_0, herd_1, ...

    Herds that share an L1 buffer are phases in time of one group of cores, which is what the same symbol says.
    """
    herds = [HerdOp(op) for op in walk_named(root, HerdOp.OPERATION_NAME)]
    names = fresh_names(root, "herd")
    for group in _groups(herds):
        unnamed = [herd for herd in group if herd.sym_name is None]
        if not unnamed:
            continue
        name = next((herd.sym_name for herd in group if herd.sym_name is not None), None) or next(names)
        for herd in unnamed:
            herd.sym_name = name


def _groups(herds: list[Any]) -> list[list[Any]]:
    """The herds, those together that share an L1 buffer, directly or through others."""
    groups: list[tuple[set[Any], list[Any]]] = []
    for herd in herds:
        buffers = {buffer(v) for v in herd.args if is_in(v.type, L1)}
        meeting = [g for g in groups if g[0] & buffers]
        if not meeting:
            groups.append((buffers, [herd]))
            continue
        first, *others = meeting
        first[0].update(buffers, *(g[0] for g in others))
        first[1].extend([h for g in others for h in g[1]] + [herd])
        groups = [g for g in groups if not any(g is other for other in others)]
    return [group for _, group in groups]
