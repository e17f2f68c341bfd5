"""Compares a PyTorch module with its import, on the inputs that it is compiled for."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.two_processes import Ahead
from allo_air.errors import AlloAirError
from allo_air.importers.complex_numbers import as_real, in_float64
from allo_air.importers.torch_arrays import array_of
from allo_air.importers.torch_modules import Exported, from_torch
from allo_air.models.compared import EXACT, NEAR, altogether, distance, run_ahead, runs, runs_quickly, wrong_operation
from allo_air.models.model import Model, host_model

if TYPE_CHECKING:
    import numpy as np
    from torch.fx import Node as FxNode
    from torch.nn import Module as TorchModule


def imported_results(exported: Exported, args: Sequence[object], kwargs: dict[str, object]) -> Ahead[list[Any] | None]:
    """The results of the import for the arguments, to be computed while it is compiled."""
    return run_ahead(exported.model, lambda: [array_of(t) for t in exported.flat(args, kwargs)])


def check_import(
    exported: Exported,
    model: Model,
    module: TorchModule,
    args: Sequence[object],
    kwargs: dict[str, object],
    results: Ahead[list[Any] | None] | None = None,
) -> None:
    """Raises AlloAirError, naming the operation, if the results of the import differ from those of `module`. `results` are
    `imported_results`.

    f32 results within rounding are accepted; others are compared in float64 if both support it.
    """
    if not runs_quickly(model):
        return
    arrays = [array_of(t) for t in exported.flat(args, kwargs)]
    result = runs(model, arrays) if results is None else results.result()
    if result is None or _distance(result, _called(module, args, kwargs), arrays) <= NEAR:
        return
    exact = _distance_in_float64(model, module, arrays, args, kwargs)
    if exact is not None and exact <= EXACT:
        return
    named = _first_wrong(module, args, kwargs)
    if named is not None:
        raise wrong_operation(model.source.name, *named)
    if exact is not None and exact > altogether(model):
        raise wrong_operation(model.source.name, "", "", exact)


def _called(module: TorchModule, args: Sequence[object], kwargs: dict[str, object]) -> list[Any]:
    import torch
    from torch.utils import _pytree as pytree

    call = module.module() if isinstance(module, torch.export.ExportedProgram) else module
    with torch.no_grad(), _stable_sorts(torch), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        leaves = pytree.tree_leaves(call(*copy.deepcopy(args), **copy.deepcopy(kwargs)))
    return [array_of(as_real(leaf)) for leaf in leaves if isinstance(leaf, torch.Tensor)]


def _stable_sorts(torch: Any) -> Any:
    """A context in which equal elements keep their order in PyTorch's sorts, as in imported ones. By default their order is
    open.
    """
    from torch.utils._python_dispatch import TorchDispatchMode

    aten = torch.ops.aten

    def sort(x: Any, dim: int = -1, descending: bool = False, *, stable: bool | None = None) -> Any:
        return aten.sort.stable(x, stable=True, dim=dim, descending=descending)

    def kthvalue(x: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
        results = (r.narrow(dim, k - 1, 1) for r in sort(x, dim)) if x.dim() else aten.kthvalue.default(x, k, dim)
        return tuple(r if keepdim or not x.dim() else r.squeeze(dim) for r in results)

    def topk(x: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
        return tuple(r.narrow(dim, 0, k) for r in sort(x, dim, largest)) if x.dim() else aten.topk.default(x, k, dim)

    in_order = {aten.sort.default: sort, aten.sort.stable: sort, aten.topk.default: topk, aten.kthvalue.default: kthvalue}

    class StableSorts(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: object, args: Any = (), kwargs: Any = None) -> Any:
            return in_order.get(func, func)(*args, **(kwargs or {}))

    return StableSorts()


def _distance(arrays: Sequence[np.ndarray], expected: Sequence[np.ndarray], inputs: Sequence[np.ndarray]) -> float:
    return distance(arrays, expected, inputs) if len(arrays) == len(expected) else 0.0


def _distance_in_float64(
    model: Model, module: TorchModule, arrays: Sequence[np.ndarray], args: Sequence[object], kwargs: Mapping[str, object]
) -> float | None:
    """The distance of both in float64; None if one of them does not run in float64."""
    import torch
    from torch.utils import _pytree as pytree

    result = runs(model, arrays, wide=True)
    try:
        argument = module.module() if isinstance(module, torch.export.ExportedProgram) else module
        owner = copy.deepcopy(getattr(argument, "__self__", argument)).double()
        call = owner if owner.__class__ is argument.__class__ else getattr(owner, argument.__name__)
        expected = _called(call, *pytree.tree_map(in_float64, (tuple(args), dict(kwargs))))
    except Exception:  # errors of modules without float64 support have no common class
        return None
    return None if result is None else _distance(result, expected, arrays)


def _first_wrong(module: TorchModule, args: Sequence[object], kwargs: dict[str, object]) -> tuple[str, str, float] | None:
    """The first operation of the module that is imported incorrectly by itself, its line, and its distance from PyTorch's
    result.
    """
    import torch
    from torch.utils import _pytree as pytree

    program = module
    if not isinstance(module, torch.export.ExportedProgram):
        call = getattr(module, "__self__", None)
        forward = module if call is None else _module_of_method(module)
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            program = torch.export.export(forward, tuple(args), dict(kwargs), strict=False)
    interpreter = _checking_interpreter(torch, program.module())
    with torch.no_grad():
        interpreter.run(*pytree.tree_leaves((tuple(args), kwargs)))
    return interpreter.failure


def _module_of_method(method: Any) -> Any:
    import torch

    class Method(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.owner = method.__self__

        def forward(self, *args: object, **kwargs: object) -> Any:
            return method(*args, **kwargs)

    return Method().train(method.__self__.training)


def _checking_interpreter(torch: Any, graph: object) -> Any:
    """An interpreter of `graph` that imports each kind of operation by itself, until one is wrong; `failure` is that one."""

    class OperationChecker(torch.fx.Interpreter):  # type: ignore[misc]
        failure: tuple[str, str, float] | None = None
        seen = set[str]()

        def run_node(self, node: FxNode) -> Any:
            with _stable_sorts(torch):
                result = super().run_node(node)
            if node.op == "call_function" and self.failure is None and isinstance(node.target, torch._ops.OpOverload):
                args, kwargs = self.fetch_args_kwargs_from_env(node)
                error = _distance_alone(torch, node.target, args, kwargs, result, self.seen)
                if error > NEAR:
                    self.failure = str(node.target), _line(node), error
            return result

    return OperationChecker(graph)


def _distance_alone(torch: Any, target: Any, args: object, kwargs: Any, result: Any, seen: set[str]) -> float:
    """The distance of the operation, imported by itself, from its `result`; 0 if unknown, or if this kind was checked
    already.
    """
    from torch.utils import _pytree as pytree

    leaves, spec = pytree.tree_flatten((args, kwargs))
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    key = repr((str(target), [(leaf.shape, leaf.dtype) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]))
    tensors_out = [r for r in pytree.tree_leaves(result) if isinstance(r, torch.Tensor)]
    if key in seen or not tensors or not tensors_out or target._schema.is_mutable:
        return 0.0
    seen.add(key)

    class One(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *inputs: object) -> Any:
            rest = iter(inputs)
            filled = [next(rest) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
            own, named = pytree.tree_unflatten(filled, spec)
            return target(*own, **named)

    try:
        exported = from_torch(One(), [t.detach().clone() for t in tensors])
        inputs = [array_of(as_real(t.detach())) for t in tensors]
        host: Callable[..., list[Any]] = host_model(exported.model)
        imported = host(*inputs)
    except AlloAirError:
        return 0.0
    arrays = [array_of(as_real(t)) for t in tensors_out]
    pairs = [(f, w) for f, w in zip(imported, arrays, strict=False) if w.dtype.kind not in "iu" or len(arrays) == 1]
    return _distance([f for f, _ in pairs], [w for _, w in pairs], inputs)


def _line(node: FxNode) -> str:
    """The line of the user's model that `node` is from."""
    trace = node.meta.get("stack_trace") or ""
    lines = [line.strip() for line in trace.splitlines() if line.strip().startswith("File ")]
    if not lines:
        return ""
    file, line = lines[-1].split(",")[:2]
    return f"{file.removeprefix('File ').strip(chr(34))}:{line.removeprefix(' line ')}"
