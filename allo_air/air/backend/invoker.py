"""The result of a backend's `load`: the functions of a module by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, nearest, suggestion

if TYPE_CHECKING:
    import numpy as np


class Invoker:
    """Calls the functions of a module by their names: `invoker.forward(a, b)`.

    Arrays that the function writes to are changed in place; lists and numbers are only read. A call returns the result, or a
    tuple of several results. If PyTorch tensors are passed, the results are PyTorch tensors.
    """

    def __init__(self, names: list[str], run: Callable[[str, list[np.ndarray]], list[np.ndarray]]):
        self._names, self._run = names, run

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._names:
            defined, near = ", ".join(f"@{n}" for n in self._names) or "none", nearest(name, self._names)
            raise AlloAirError(f"the module defines no function @{name}; it defines {defined}{suggestion(near)}")
        return lambda *arrays: self._call(name, arrays)

    def _call(self, name: str, arguments: tuple[object, ...]) -> Any:
        import numpy as np

        tensors = any(hasattr(a, "detach") for a in arguments)
        arrays = [a.detach().cpu().numpy() if hasattr(a, "detach") else np.asarray(a) for a in arguments]
        for array, argument in zip(arrays, arguments, strict=True):
            if isinstance(argument, (list, tuple)):
                array.setflags(write=False)  # writes to this copy would be lost
        results = self._run(name, arrays)
        if tensors:
            import torch

            results = [torch.from_numpy(np.ascontiguousarray(a)) for a in results]
        return results[0] if len(results) == 1 else tuple(results) if results else None
