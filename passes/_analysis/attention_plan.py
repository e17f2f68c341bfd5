"""How attention is spread over the cores: the tiles, and their attribute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir

MARK = "keys"
"""The entry that tells a plan of attention from others."""


@dataclass(frozen=True)
class AttentionPlan:
    """Cores in `columns` x `rows`, `m` queries a core, `keys` keys a step; `padded` queries and keys.

    A core's queries are `parts` of as many: part n of all cores' comes before part n + 1 of any. A step takes one part after
    the other. The queries come to the cores of a column `chunk` rows at a time. `micro` are M, K and N of the MAC instructions
    that multiply, None for elementwise ones.
    """

    columns: int
    rows: int
    m: int
    keys: int
    chunk: int
    padded: tuple[int, int]
    micro: tuple[int, int, int] | None = None
    parts: int = 1

    @property
    def h(self) -> int:
        """Queries of a part."""
        return self.m // self.parts

    @property
    def front(self) -> list[int]:
        """What the queries of a launch iteration are divided into before those of a column in a part: (parts,) columns."""
        return [*([self.parts] if self.parts > 1 else []), self.columns]

    @property
    def array(self) -> int:
        """Queries that one launch iteration computes for."""
        return self.columns * self.rows * self.m

    @property
    def launches(self) -> int:
        """Launch iterations of one batch."""
        return self.padded[0] // self.array

    def attribute(self, why: str) -> ir.DictAttr:
        """The plan as a dictionary attribute; `why` is for people."""
        i64 = ir.IntegerType.get_signless(64)
        numbers = {"columns": self.columns, "rows": self.rows, "m": self.m, MARK: self.keys, "chunk": self.chunk}
        return ir.DictAttr.get({
            **{name: ir.IntegerAttr.get(i64, number) for name, number in numbers.items()},
            "padded": ir.DenseI64ArrayAttr.get(list(self.padded)),
            **({"instruction": ir.DenseI64ArrayAttr.get(list(self.micro))} if self.micro else {}),
            **({"parts": ir.IntegerAttr.get(i64, self.parts)} if self.parts > 1 else {}),
            "piece": ir.IntegerAttr.get(i64, self.keys),
            "chosen": ir.StringAttr.get(why),
        })  # fmt: skip


def plan_of(attribute: Any) -> AttentionPlan | None:
    """The plan that `attribute` holds; None where that is another one."""
    if not isinstance(attribute, ir.DictAttr) or MARK not in attribute:
        return None
    columns, rows, m, keys, chunk = (attribute[name].value for name in ("columns", "rows", "m", MARK, "chunk"))
    queries, padded = attribute["padded"]
    micro = tuple(attribute["instruction"]) if "instruction" in attribute else None
    parts = attribute["parts"].value if "parts" in attribute else 1
    return AttentionPlan(columns, rows, m, keys, chunk, (queries, padded), micro, parts)
