"""PyTorch models on the array: `torch.compile(model, backend="allo_air")`, or `allo_air.torch.compile(model, inputs)`."""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allo_air.core.calls import COUNT, FLAG, FUNCTION, NAME, checked
from allo_air.core.names import sym_name_of
from allo_air.device import default_npu
from allo_air.errors import AlloAirError, ArgumentError, UnknownNameError
from allo_air.importers.complex_numbers import as_real, in_float64
from allo_air.importers.torch_arrays import array_of, tensor_of
from allo_air.importers.torch_modules import Exported, from_torch, torch_package
from allo_air.models.against_torch import check_import, imported_results
from allo_air.models.model import Model, build, host_model
from allo_air.models.report import ModelReport
from allo_air.models.weights import Weights
from allo_air.program.hls import build_tensors
from allo_air.program.lowering import Progress
from allo_air.target.hls.flavors import FLAVORS

if TYPE_CHECKING:
    from types import ModuleType

    from torch.fx import GraphModule
    from torch.nn import Module as TorchModule

__all__ = ["Compiled", "Together", "backend", "compile", "compile_together", "from_pytorch"]


@dataclass(frozen=True, eq=False)
class Compiled:
    """A module of PyTorch with its weights, compiled: call it as the module, with tensors of the example's shapes."""

    exported: Exported
    model: Model
    module: Any

    def __repr__(self) -> str:
        return repr(self.model)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """The module's results for tensors nested as in the example; inference only, so results carry no gradient."""
        result = self.model(*[array_of(t) for t in self.exported.flat(args, kwargs)])
        return self.exported.results([tensor_of(array) for array in result])

    def error(self, *args: object, **kwargs: object) -> float:
        """How far the results for these inputs are from the module's in float64, relative to the largest of each result."""
        torch = torch_package()
        from torch.utils import _pytree as pytree

        exact_args, exact_kwargs = pytree.tree_map(in_float64, (args, kwargs))
        module = self.module.module() if isinstance(self.module, torch.export.ExportedProgram) else self.module
        owner = copy.deepcopy(getattr(module, "__self__", module)).double()
        call = owner if owner.__class__ is module.__class__ else getattr(owner, module.__name__)
        with torch.no_grad():
            exact = [as_real(t) for t in pytree.tree_leaves(call(*exact_args, **exact_kwargs))]
        tree_leaves = [as_real(t) for t in pytree.tree_leaves(self(*args, **kwargs))]
        scales = [max(float(e.double().abs().max()), 1e-300) for e in exact]
        return max(float((f.double() - e.double()).abs().max()) / s for f, e, s in zip(tree_leaves, exact, scales, strict=True))

    def report(self) -> ModelReport:
        """Where each operation ran and why, and how long the array is predicted to take."""
        return self.model.report()

    def estimate(self, *, mhz: float | None = None, code: str = "compiled") -> ModelReport:
        """The same as `report` without a call: nothing is computed. `mhz` is the clock, `code` how cores' code is priced."""
        return self.model.estimate(mhz=mhz, code=code)

    def explain(self) -> str:
        """The kernels with their plans."""
        return self.model.explain()

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws the placement as `model.svg` or `model.dot`: host parts, kernels with predicted times and bounds."""
        self.model.plot(path)

    def report_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as one HTML file that needs no other: graph, operations, kernels, timelines, rooflines."""
        self.model.report_html(path)


@checked(
    device=NAME, dtype=NAME | None, strict=FLAG, cache=FLAG, cache_limit=COUNT | None, check=FLAG, progress=FUNCTION | None
)
def compile(
    module: object,
    example_inputs: Sequence[object],
    example_keywords: Mapping[str, Any] | None = None,
    *,
    device: str = "npu1",
    dtype: str | None = None,
    strict: bool = False,
    cache: bool = True,
    cache_limit: int | None = None,
    check: bool = True,
    progress: Progress | None = None,
) -> Compiled:
    """Compiles `module` (a torch.nn.Module in its current mode, a method of one, or an ExportedProgram) to a program that
    contains its weights.

    Shapes and types are those of `example_inputs` (a sequence of arguments, or one tensor) and `example_keywords`. Operations
    that the array does not support run on the host, as `report()` shows; with `strict`, they are an error. With `dtype="bf16"`,
    operands of f32 products are rounded to bf16 (sums stay in f32); `error()` returns the resulting error. The cache of
    programs holds at most `cache_limit` bytes.

    A model that is not in the cache runs once on the host for the example. An operation whose results differ from PyTorch's is
    an error that names it; `check=False` skips this. Raises AlloAirError if torch.export or torch-mlir fails, with the line of
    the model if it is known.
    """
    args, kwargs = _inputs(example_inputs), _keywords(example_keywords)
    exported = from_torch(module, args, kwargs)
    arguments = args, dict(kwargs or {})
    results = imported_results(exported, *arguments) if check and dtype is None else None

    def tell(step: str, done: int, total: int) -> None:
        if results is not None:
            results.start()  # a program in the cache needs no check
        if progress is not None:
            progress(step, done, total)

    try:
        result = build(exported.model, device, dtype=dtype, strict=strict, cache=cache, cache_limit=cache_limit, progress=tell)
        if check and not result.is_cached:
            check_import(exported, result, module, *arguments, results)
    finally:
        if results is not None:
            results.end()
    return Compiled(exported, result, module)


def _keywords(keywords: object) -> Mapping[str, Any] | None:
    if keywords is not None and not isinstance(keywords, Mapping):
        name = type(keywords).__name__
        raise ArgumentError(
            f"example_keywords is {name}, expected a mapping of names; several inputs are one sequence, as (x, y)"
        )
    return keywords


def _inputs(inputs: object) -> tuple[Any, ...]:
    if isinstance(inputs, torch_package().Tensor):
        return (inputs,)
    if not isinstance(inputs, Sequence) or isinstance(inputs, str):
        raise ArgumentError(f"example_inputs is {type(inputs).__name__}, expected a tensor or a sequence of arguments")
    return tuple(inputs)


@dataclass(frozen=True)
class Together:
    """Programs that share their weights, by name: `programs["step"](token, position, cache)`."""

    programs: dict[str, Compiled]
    weights: Weights = field(repr=False)

    def __getitem__(self, name: str) -> Compiled:
        if name not in self.programs:
            raise ArgumentError(f"there is no program {name!r}; there are {', '.join(self.programs)}")
        return self.programs[name]


@checked(device=NAME, dtype=NAME | None, strict=FLAG, cache=FLAG, cache_limit=COUNT | None, progress=FUNCTION | None)
def compile_together(
    entries: Mapping[str, tuple[TorchModule, Sequence[object]]],
    *,
    device: str = "npu1",
    dtype: str | None = None,
    strict: bool = False,
    cache: bool = True,
    cache_limit: int | None = None,
    progress: Progress | None = None,
) -> Together:
    """Several entries of a model, as a prompt pass and a token step, with their weights packed and kept once.

    `entries` has a module or a method of one, and its example inputs, for each name:
    `compile_together({"prompt": (model.prompt, tokens), "step": (model.step, (token, position, keys, values))})`. Other
    arguments are those of `compile`. `weights.stored` of the result is what is kept in bytes, `weights.used` what it would be
    if each program had its own. State, such as a cache, is an argument and a result.
    """
    weights, programs = Weights(), {}
    for name, (module, inputs) in entries.items():
        exported = from_torch(module, _inputs(inputs))
        result = build(
            exported.model,
            device,
            dtype=dtype,
            strict=strict,
            cache=cache,
            cache_limit=cache_limit,
            progress=progress,
            weights=weights,
        )
        programs[name] = Compiled(exported, result, module)
    return Together(programs, weights)


def backend(
    graph: GraphModule,
    example_inputs: Sequence[object],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Callable[..., Any]:
    """The backend `allo_air` of torch.compile; `options` are those of `compile`, and `report`, a function.

    Each graph is compiled for the shapes of a call, with its parameters inside, again when a parameter has changed since.
    `report` is called with the report after each run of a graph. Inference only. ArgumentError for a `mode` of torch.compile.
    """
    if mode is not None:
        raise ArgumentError(f"backend allo_air has no mode '{mode}'; leave out mode, and give options")
    values = dict(options or {})
    report = values.pop("report", None)
    option_names = ("device", "dtype", "strict", "cache", "cache_limit", "check", "progress")
    for name in values:
        if name not in option_names:
            raise ArgumentError(f"backend allo_air has no option '{name}'; it has {', '.join((*option_names, 'report'))}")
    return _Frozen(graph, values, report)


class _Frozen:
    """A graph of dynamo, compiled for the arguments of a call; parameters become constants."""

    def __init__(self, graph: GraphModule, options: dict[str, Any], report: Callable[[ModelReport], None] | None) -> None:
        self.graph, self.options, self.report = graph, options, report
        self.compiled: dict[Any, Compiled] = {}
        self.weights: list[tuple[int, int]] = []
        """The parameters that all of `compiled` hold, and which version of each."""

    def __call__(self, *args: Any) -> Any:
        torch = torch_package()
        inside = {n: a for n, a in enumerate(args) if _is_inside(torch, a)}
        outside = [a for n, a in enumerate(args) if n not in inside]
        weights = [(id(a), a._version) for a in inside.values() if isinstance(a, torch.Tensor)]
        if weights != self.weights:
            self.compiled, self.weights = {}, weights
        numbers = tuple(a for a in inside.values() if not isinstance(a, torch.Tensor))
        key = numbers, tuple((tuple(a.shape), a.dtype) for a in outside)
        if key not in self.compiled:
            self._warn_of_gradients(torch, args)
            self.compiled[key] = compile(_bound(torch, self.graph, inside, len(args)), outside, **self.options)
        new = self.compiled[key]
        result = new(*outside)
        if self.report is not None:
            self.report(new.report())
        return result

    def _warn_of_gradients(self, torch: ModuleType, args: Sequence[object]) -> None:
        if torch.is_grad_enabled() and any(isinstance(a, torch.Tensor) and a.requires_grad for a in args):
            warnings.warn(
                "backend allo_air is for inference: results carry no gradient; call the model under torch.no_grad()",
                stacklevel=2,
            )


def _is_inside(torch: ModuleType, argument: object) -> bool:
    """Whether `argument` is a constant of the graph: a parameter, a buffer that dynamo marks, or not a tensor."""
    fixed = getattr(argument, "_dynamo_static_input_type", None) is not None
    return fixed or isinstance(argument, torch.nn.Parameter) or not isinstance(argument, torch.Tensor)


def _bound(torch: Any, graph: GraphModule, inside: dict[int, object], count: int) -> Any:
    """A module of the tensors that are not `inside`, which it holds; operations keep the lines of the user's model."""
    run = torch.fx.Interpreter(graph).run if isinstance(graph, torch.fx.GraphModule) else graph

    class Graph(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *outside: object) -> Any:
            rest = iter(outside)
            with torch.fx.traceback.preserve_node_meta():
                return run(*[inside[n] if n in inside else next(rest) for n in range(count)])

    return Graph()


def from_pytorch(
    model: object,
    example_inputs: Sequence[object],
    leaf_modules: object = None,
    verbose: bool = False,
    enable_tensor: bool = False,
    target: str = "llvm",
    mode: str = "csim",
    project: str = "top.prj",
    op_dtypes: object = None,
    weights_as_args: bool = False,
) -> Callable[..., Any]:
    """Compiles `model` for the examples' shapes, with the interface that Allo's programs use: for the CPU, or with target="aie"
    for the array.

    The result takes and returns numpy arrays; tensors are accepted, too. Targets of high-level synthesis return C++, with
    `mode` and `project` as in schedules. With `weights_as_args`, the model's parameters are arguments after the inputs, in the
    order of `model.parameters()`. `enable_tensor` and `leaf_modules` have no effect, since modules are traced as a whole.
    Raises AlloAirError for `op_dtypes` and unknown targets.
    """
    del enable_tensor, leaf_modules
    if op_dtypes:
        raise AlloAirError("from_pytorch has no op_dtypes: modules have the types of their weights and of the examples")
    if weights_as_args:
        model, example_inputs = with_weights(model, example_inputs)
    if target not in ("llvm", "aie", *FLAVORS):
        raise UnknownNameError("target", target, ("llvm", "aie", *FLAVORS))
    exported = from_torch(model, tuple(example_inputs))
    if verbose:
        print(exported.model.module)
    if target in FLAVORS:
        name = sym_name_of(exported.model.function)
        return build_tensors(exported.model.text, name, target, mode, project)
    result = build(exported.model, default_npu()) if target == "aie" else host_model(exported.model)
    return _OnArrays(Compiled(exported, result, model))


def with_weights(model: TorchModule, inputs: Sequence[object]) -> tuple[Any, list[Any]]:
    """A module whose inputs are those of `model` and, after them, its parameters; and examples of these."""
    torch = torch_package()
    names, values = zip(*model.named_parameters(), strict=True) if list(model.parameters()) else ((), ())
    count = len(inputs)

    class WithWeights(torch.nn.Module):  # type: ignore[misc, name-defined]
        """Calls the model with the weights that it is given."""

        def forward(self, *inputs: object) -> Any:
            return torch.func.functional_call(model, dict(zip(names, inputs[count:], strict=True)), inputs[:count])

    return WithWeights().eval(), [*inputs, *(v.detach() for v in values)]


@dataclass(frozen=True, eq=False)
class _OnArrays:
    """A module that is called with numpy arrays, nested as in the example."""

    compiled: Compiled

    def __call__(self, *args: object) -> Any:
        from torch.utils import _pytree as pytree

        torch = torch_package()
        tensors = [torch.as_tensor(a) if not isinstance(a, torch.Tensor) else a for a in args]
        results = self.compiled(*tensors)
        return pytree.tree_map(lambda r: array_of(r) if isinstance(r, torch.Tensor) else r, results)
