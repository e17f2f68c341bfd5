"""The kernels' results, in numpy."""

from __future__ import annotations

from typing import Any


def _f32(x: object) -> Any:
    import numpy as np

    return np.asarray(x).astype(np.float32)


def relu_ref(x: object) -> Any:
    """max(x, 0)."""
    import numpy as np

    return np.maximum(_f32(x), 0).astype(np.asarray(x).dtype)


def bf16_exp_ref(x: object) -> Any:
    """e to the power of x."""
    import numpy as np

    return np.exp(_f32(x)).astype(np.asarray(x).dtype)


def silu_ref(x: object) -> Any:
    """x / (1 + exp(-x))."""
    import numpy as np

    v = _f32(x)
    return (v * 0.5 * (np.tanh(0.5 * v) + 1)).astype(np.asarray(x).dtype)


def gelu_ref(x: object) -> Any:
    """The tanh approximation of GELU."""
    import numpy as np

    v = _f32(x)
    return (0.5 * v * (np.tanh(0.7978845608 * (v + 0.044715 * v**3)) + 1)).astype(np.asarray(x).dtype)


def softmax_ref(x: object) -> Any:
    """The softmax along the last axis."""
    import numpy as np

    v = _f32(x)
    powers = np.exp(v - v.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(np.asarray(x).dtype)
