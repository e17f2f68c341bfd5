"""Imports PyTorch modules by torch.export and torch-mlir's importer."""

from __future__ import annotations

import logging
import types
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.gc_pause import collect_less_often
from allo_air.errors import AlloAirError, ArgumentError
from allo_air.importers.batch_norms import fold_torch, with_own_tables
from allo_air.importers.branches import without_branches
from allo_air.importers.complex_numbers import as_real, complex_values, has_complex, in_pairs
from allo_air.importers.constants import fold_constant_operations
from allo_air.importers.decompositions import decompositions
from allo_air.importers.imported import Imported, imported
from allo_air.importers.lowering import lower, start
from allo_air.importers.torch_refusals import (
    algorithm_not_taken,
    check_dense,
    check_deterministic,
    check_leaves,
    check_real,
    check_sizes,
    export_error,
    type_not_taken,
)
from allo_air.importers.unsigned import on_unsigned_bytes

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor
    from torch.export import ExportedProgram
    from torch.nn import Module as TorchModule

    from allo_air.mlir import ir

_TO_LINALG = (
    "builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=})",
    "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline{allow-non-finites=true})",
)
_FAKE = logging.getLogger("torch._subclasses.fake_tensor")
"""The logger that prints a traceback if tensors do not fit an operation; the error already says so."""
_STATELESS = (
    "in place, and a program on the array has no state; return the new value instead (torch.nn.BatchNorm: call eval() first)"
)


@dataclass(frozen=True)
class Exported:
    """A PyTorch module as MLIR, and the nesting of the arguments and results of its `forward`.

    `example` are the inputs for which it was exported, if known; numbers, texts and None among them are constants. `fixed` are
    the results that are not tensors, by position.
    """

    model: Imported
    input_tree: Any
    result_tree: Any
    example: tuple[Any, ...] | None
    fixed: dict[int, Any]
    are_complex: tuple[frozenset[int], frozenset[int]] = frozenset(), frozenset()
    """The positions of tensors and of results of complex numbers, which the function takes and returns as real and imaginary
    parts.
    """

    def flat(self, args: Sequence[object], kwargs: Mapping[str, object]) -> list[Any]:
        """The tensors of a call, in the order of the function's arguments; of complex numbers the parts.

        Raises AlloAirError as `tensors`, and for complex numbers instead of real ones, or vice versa.
        """
        tensors = self.tensors(args, kwargs)
        for number, tensor in enumerate(tensors):
            if tensor.is_complex() != (number in self.are_complex[0]):
                expected = "complex" if number in self.are_complex[0] else "real"
                raise ArgumentError(
                    f"{self.model.name}: input {number} is a tensor of {tensor.dtype}, expected {expected} numbers, as in the"
                    " example it was compiled for"
                )
        return [as_real(t) for t in tensors]

    def tensors(self, args: Sequence[object], kwargs: Mapping[str, object]) -> list[Any]:
        """The tensors of a call, in the order of the function's arguments.

        Raises AlloAirError for another nesting, and for other numbers than those of the example.
        """
        import torch
        from torch.utils import _pytree as pytree

        leaves, result = pytree.tree_flatten((tuple(args), dict(kwargs)))
        if result != self.input_tree:
            raise ArgumentError(
                f"{self.model.name} was compiled for inputs as in {_call(self.input_tree)}, called with {_call(result)}"
            )
        for number, (leaf, fixed) in enumerate(zip(leaves, self.example or leaves, strict=True)):
            tensors = [isinstance(value, torch.Tensor) for value in (leaf, fixed)]
            if tensors == [False, True]:
                raise ArgumentError(f"{self.model.name}: input {number} is {_kind(leaf)}, expected a torch.Tensor")
            if not tensors[1] and (tensors[0] or type(leaf) is not type(fixed) or leaf != fixed):
                raise ArgumentError(
                    f"{self.model.name}: input {number} is fixed to {fixed!r}, as in the example it was compiled for; called"
                    f" with {_kind(leaf) if tensors[0] else repr(leaf)}: compile again, or make it a tensor"
                )
        return [value for value in leaves if isinstance(value, torch.Tensor)]

    def results(self, flat: Sequence[object]) -> Any:
        """The results `flat`, nested as `forward` returns them."""
        import torch
        from torch.utils import _pytree as pytree

        tensors = iter(flat)
        count = len(flat) + len(self.fixed)
        values = [self.fixed[n] if n in self.fixed else next(tensors) for n in range(count)]
        values = [torch.view_as_complex(v) if n in self.are_complex[1] else v for n, v in enumerate(values)]
        return pytree.tree_unflatten(values, self.result_tree)


def torch_package() -> Any:
    """The package torch; raises an AlloAirError that says how to install it."""
    try:
        import torch
    except ImportError:
        raise AlloAirError("models of PyTorch need the package torch: pip install 'allo-air[torch]'") from None
    return torch


@collect_less_often()
def from_torch(module: object, args: Sequence[object], kwargs: Mapping[str, object] | None = None) -> Exported:
    """Imports `module`, a torch.nn.Module in its current mode or a method of one, for inputs like `args` and `kwargs`.

    Raises AlloAirError if torch cannot export it, if the module changes its buffers, or if an operation has no lowering.
    """
    start()  # in parallel with torch's export, which takes equally long
    torch = torch_package()
    if isinstance(module, torch.export.ExportedProgram):
        program, name = with_own_tables(module), "the exported program"
    else:
        module, name = _with_forward(torch, module)
        check_leaves(args, kwargs or {}, name)
        program = _exported(torch, module, tuple(args), dict(kwargs or {}), name)
    without_branches(torch, program, name)
    fold_torch(torch, program)
    program = _functional(program, name)
    result_tree, are_complex = program.call_spec.out_spec, complex_values(program)
    reason = ""
    if has_complex(program):
        try:
            program = _functional(in_pairs(torch, program), name)
        except NotImplementedError as error:
            reason = str(error).partition("\n")[0]
    check_sizes(program, name)
    check_deterministic(program, name)
    check_real(program, name, reason)
    check_dense(program, name)
    fold_constant_operations(torch, program)
    fixed = _without_constants(program)
    _without_constant_inputs(program)
    signature = program.graph_signature
    if changed := [*signature.buffers_to_mutate.values(), *signature.user_inputs_to_mutate.values()]:
        raise AlloAirError(f"{name} changes {', '.join(changed)} {_STATELESS}")
    names = tuple(i for i in signature.user_inputs if isinstance(i, str))
    kinds = {n.name: n.meta.get("val") for n in program.graph.nodes}
    input_dtypes, result_dtypes = ([_dtype(kinds.get(str(i))) for i in listed] for listed in (names, signature.user_outputs))
    _keep_buffers(program)
    _lists_of_values(program)
    model = imported(_linalg(program, name), name, names, input_dtypes, result_dtypes)
    return Exported(model, program.call_spec.in_spec, result_tree, _example_inputs(program), fixed, are_complex)


def _without_constants(program: ExportedProgram) -> dict[int, Any]:
    """Removes results that are numbers or None, which the importer rejects. Returns them by position."""
    output = program.graph.output_node()
    specs = program.graph_signature.output_specs
    places = [n for n, spec in enumerate(specs) if spec.kind.name == "USER_OUTPUT"]
    fixed = {n: specs[place].arg.value for n, place in enumerate(places) if hasattr(specs[place].arg, "value")}
    constant_outputs = {places[n] for n in fixed}
    output.args = (tuple(a for n, a in enumerate(output.args[0]) if n not in constant_outputs),)
    specs[:] = [spec for n, spec in enumerate(specs) if n not in constant_outputs]
    return fixed


def _without_constant_inputs(program: ExportedProgram) -> None:
    """Removes inputs that are numbers, texts or None, which the importer makes arguments. torch.export fixed their values."""
    specs = program.graph_signature.input_specs
    constants = {spec.arg.name: spec.arg.value for spec in specs if hasattr(spec.arg, "value")}
    for node in program.graph.find_nodes(op="placeholder"):
        if node.name in constants:
            node.replace_all_uses_with(constants[node.name])
            program.graph.erase_node(node)
    specs[:] = [spec for spec in specs if spec.arg.name not in constants]


def _keep_buffers(program: ExportedProgram) -> None:
    """Makes the importer find buffers that were registered with persistent=False; it looks only in the state."""
    for spec in program.graph_signature.input_specs:
        if spec.kind.name == "BUFFER" and spec.target not in program.state_dict:
            program.state_dict[spec.target] = program.constants[spec.target]
            spec.persistent = True


def _lists_of_values(program: ExportedProgram) -> None:
    """Makes weights in lists, as in torch.cat, values of the program, since the importer accepts only values there."""
    import torch

    user_inputs = set(program.graph_signature.user_inputs)
    constants = {n for n in program.graph.nodes if n.op == "placeholder" and n.name not in user_inputs}
    for node in list(program.graph.nodes):
        for number, argument in enumerate(node.args):
            if node.op != "call_function" or not isinstance(argument, (list, tuple)) or not constants.intersection(argument):
                continue
            with program.graph.inserting_before(node):
                node.update_arg(number, [_clone(torch, a, node) if a in constants else a for a in argument])


def _clone(torch: ModuleType, weight: Tensor, user: ir.OpView) -> Any:
    clone = weight.graph.call_function(torch.ops.aten.clone.default, (weight,))
    clone.meta = weight.meta | {name: user.meta[name] for name in ("stack_trace", "nn_module_stack") if name in user.meta}
    return clone


def _example_inputs(program: ExportedProgram) -> tuple[Any, ...] | None:
    """The flat inputs for which the program was exported; None if it has none."""
    from torch.utils import _pytree as pytree

    leaves, result = pytree.tree_flatten(program.example_inputs)
    return tuple(leaves) if result == program.call_spec.in_spec else None


def _call(spec: Any) -> str:
    """A text of arguments with the nesting `spec`, written like a call: `(_, [_, _], scale=_)`."""
    from torch.utils import _pytree as pytree

    class Blank:
        def __repr__(self) -> str:
            return "_"

    args, kwargs = pytree.tree_unflatten([Blank()] * spec.num_leaves, spec)
    return f"({', '.join([*map(repr, args), *(f'{name}={value!r}' for name, value in kwargs.items())])})"


def _kind(value: object) -> str:
    kind = type(value)
    named = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return "None" if value is None else f"a {named}"


def _dtype(value: object) -> Any:
    """numpy's type of a tensor if it is unsigned, else None."""
    import numpy as np

    kind = str(getattr(value, "dtype", "")).removeprefix("torch.")
    return np.dtype(kind) if kind.startswith("uint") else None


def _with_forward(torch: Any, module: TorchModule) -> tuple[Any, str]:
    """A module whose `forward` is the function to compile, and its name in messages."""
    owner = getattr(module, "__self__", None)
    if isinstance(module, torch.nn.Module):
        return module, type(module).__name__
    if not isinstance(owner, torch.nn.Module):
        raise AlloAirError(f"expected a torch.nn.Module, a method of one, or an ExportedProgram; found {type(module).__name__}")

    called = _named_forward(module)

    class Method(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.owner = owner

        def forward(self, *args: object, **kwargs: object) -> Any:
            return called(self.owner, *args, **kwargs)

    return Method().train(owner.training), f"{type(owner).__name__}.{module.__name__}"


def _named_forward(method: Any) -> Any:
    """The function of a method under the name `forward`, since torch keeps source lines only of such frames."""
    result = getattr(method.__func__, "__wrapped__", method.__func__)
    code = result.__code__.replace(co_name="forward")
    named = types.FunctionType(code, result.__globals__, "forward", result.__defaults__, result.__closure__)
    named.__kwdefaults__ = result.__kwdefaults__
    return named


def _without_shared_tensors(torch: ModuleType, module: TorchModule, argument: object) -> Any:
    """`argument` with copies of tensors that occur twice, or that belong to the module; torch.export would merge such
    arguments.
    """
    from torch.utils import _pytree as pytree

    visited = {id(t) for t in (*module.parameters(), *module.buffers())}

    def own(value: object) -> Any:
        if isinstance(value, torch.Tensor):
            if id(value) in visited:
                return value.detach().clone()
            visited.add(id(value))
        return value

    return pytree.tree_map(own, argument)


def _exported(torch: ModuleType, module: object, args: tuple[object, ...], kwargs: Mapping[str, object], name: str) -> Any:
    args, kwargs = _without_shared_tensors(torch, module, (args, kwargs))
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            _FAKE.disabled = True
            return torch.export.export(module, args, kwargs, strict=False)
        except Exception as error:  # errors of torch.export have no common class
            raise export_error(error, name) from error
        finally:
            _FAKE.disabled = False


def _functional(program: ExportedProgram, name: str) -> Any:
    """The program in operations that the importer accepts. Its signature says which tensors were changed in place."""
    import torch

    from allo_air.mlir import fx_decompositions

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _FAKE.disabled = True
            table = decompositions(torch, fx_decompositions.get_decomposition_table())
            return program.run_decompositions(on_unsigned_bytes(torch, program, table))
        except Exception as error:  # errors of torch.export have no common class
            message = str(error).strip().splitlines()[0]
            if "is mutated" in message:
                raise AlloAirError(f"{name} changes a buffer {_STATELESS}") from error
            raise AlloAirError(f"torch.export cannot decompose {name}: {message}") from error
        finally:
            _FAKE.disabled = False


def _linalg(program: object, name: str) -> Any:
    from allo_air.importers.torch_places import importer
    from allo_air.mlir import fx

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = fx.export_and_import(program, decomposition_table={}, fx_importer=importer(), func_name="main")
        except KeyError as error:
            raise type_not_taken(program, error.args[0], name) or error from None
        except (NotImplementedError, RuntimeError, ValueError, TypeError) as error:
            if named := algorithm_not_taken(program, name):
                raise named from None
            text = " ".join(str(error).split()) or type(error).__name__
            raise AlloAirError(f"{name}: torch-mlir cannot import it: {text[:400]}") from error
    return lower(module, *_TO_LINALG, model=name)
