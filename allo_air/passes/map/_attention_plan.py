"""The plan of attention: how queries, keys and cores are divided."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.plan.plan import Plan, Route


@dataclass(frozen=True)
class AttentionPlan:
    """Tiles of attention: `columns` x `rows` cores, `m` queries per core, `keys` keys per step. `padded` are the extents of
    queries and keys.

    A core's queries are divided into `parts` of equal size: part n of all cores comes before part n + 1 of any core. A step
    processes one part after another. Queries arrive at the cores of a column `chunk` rows at a time. `micro` is the size (M, K,
    N) of the MAC instructions, None for elementwise code.
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
    def queries_per_part(self) -> int:
        """The number of queries in one part of a core."""
        return self.m // self.parts

    @property
    def outer_dims(self) -> list[int]:
        """Outer dimensions of one launch iteration's queries: parts (if several), columns."""
        return [*([self.parts] if self.parts > 1 else []), self.columns]

    @property
    def queries_per_launch(self) -> int:
        """The number of queries of one launch iteration."""
        return self.columns * self.rows * self.m

    @property
    def launches(self) -> int:
        """Launch iterations of one batch."""
        return self.padded[0] // self.queries_per_launch

    def to_plan(self, why: str = "") -> Plan:
        """The plan as passes and tuner read it; `why` is for the user."""
        return Plan(
            "attention",
            why,
            self.padded,
            core=(self.m, self.keys),
            cores=(self.columns, self.rows),
            micro=self.micro or (),
            piece=self.keys,
            routes=(Route("q", self.parts, self.chunk),),
        )

    @staticmethod
    def of(plan: Plan) -> AttentionPlan | None:
        """The plan of attention; None if it is another kind of plan."""
        if plan.family != "attention" or not len(plan.padded) == len(plan.core) == len(plan.cores) == 2:
            return None
        (queries, padded), (m, keys), (columns, rows), q = plan.padded, plan.core, plan.cores, plan.route("q")
        micro = (plan.micro[0], plan.micro[1], plan.micro[2]) if plan.micro else None
        return AttentionPlan(columns, rows, m, keys, q.rows, (queries, padded), micro, q.parts)
