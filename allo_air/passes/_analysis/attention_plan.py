"""The distribution of attention over the cores: the tiles, and their attribute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir

MARK = "keys"
"""The entry that tells a plan of attention from others."""


@dataclass(frozen=True)
class AttentionPlan:
    """Cores in `columns` x `rows`, `m` queries per core, `keys` keys per step; `padded` queries and keys.

    A core's queries form `parts` of equal size: part n of all cores comes before part n + 1 of any. A step processes one part
    after another. The queries come to the cores of a column `chunk` rows at a time. `micro` are M, K and N of the MAC
    instructions, None for elementwise code.
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
        """The dimensions of the queries of a launch iteration before those of a column in a part: (parts,) columns."""
        return [*([self.parts] if self.parts > 1 else []), self.columns]

    @property
    def array(self) -> int:
        """The number of queries of one launch iteration."""
        return self.columns * self.rows * self.m

    @property
    def launches(self) -> int:
        """Launch iterations of one batch."""
        return self.padded[0] // self.array

    def attribute(self, why: str) -> ir.DictAttr:
        """The plan as a dictionary attribute; `why` is for the user."""
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


def plan_of(attribute: ir.Attribute) -> AttentionPlan | None:
    """The plan in `attribute`; None if it is another kind of plan."""
    if not isinstance(attribute, ir.DictAttr) or MARK not in attribute:
        return None
    columns, rows, m, keys, chunk = (attribute[name].value for name in ("columns", "rows", "m", MARK, "chunk"))
    queries, padded = attribute["padded"]
    micro = tuple(attribute["instruction"]) if "instruction" in attribute else None
    parts = attribute["parts"].value if "parts" in attribute else 1
    return AttentionPlan(columns, rows, m, keys, chunk, (queries, padded), micro, parts)
