"""The assumed time of the host for a token."""

from __future__ import annotations

from allo_air.llm.form import Form

ASSUMED = "assumed: a step of a loop in a nanosecond"
_STEPS = {"hidden": 12, "heads": 8, "inner": 6, "planes": 5, "sums": 3}
"""Steps of the host per element of a token's row: two norms and residuals, rotation, and the activation. For weights of 8 bits
or less also splitting a row (its maximum, a factor, rounding, digits, their order), and scaling a sum.
"""


def host_time(form: Form, kind: str, stitched: bool) -> float:
    """Microseconds for a token. In one dispatch (`stitched`), only for its embedding and the selection from the logits."""
    logits = form.vocab * (1 if kind == "dense" else 1 + _STEPS["sums"])
    if stitched:
        return (form.hidden + logits) / 1e3
    wide, used = (form.heads + 2 * form.kv_heads) * form.head, form.chosen + form.shared or 1
    steps = _STEPS["hidden"] * form.hidden + _STEPS["heads"] * wide + _STEPS["inner"] * form.inner * used
    if kind != "dense":
        logits += _STEPS["planes"] * form.hidden
        for name, (rows, columns) in form.linears.items():
            times = used if name in ("gate_up", "down") else 1
            steps += times * (_STEPS["sums"] * rows + _STEPS["planes"] * columns)
    return (form.layers * steps + logits) / 1e3
