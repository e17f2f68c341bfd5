"""Computes what depends on no input when a model is imported: sums, products, gathers and functions of constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch.export import ExportedProgram
    from torch.fx import Node

_SUMS = "cumsum cumprod sum mean prod amax amin var std linalg_vector_norm norm logsumexp any all"
_PRODUCTS = "mm bmm addmm baddbmm matmul convolution"
_GATHERS = "index index_select gather embedding"
_FUNCTIONS = "cos sin tan acos asin atan atan2 cosh sinh tanh exp exp2 expm1 log log2 log10 log1p pow sqrt rsqrt sigmoid erf"
_FOLDED = frozenset(f"{_SUMS} {_PRODUCTS} {_GATHERS} {_FUNCTIONS}".split())
"""Operations whose results are computed. Other elementwise ones stay: masks and tables of indices are cheaper as formulas."""
_ELEMENTS = 1 << 20
"""Largest number of elements of a tensor that is computed when a model is imported."""


def fold_constant_operations(torch: ModuleType, program: ExportedProgram) -> None:
    """Replaces reductions, scans, products, gathers and functions of constants in `program` by tensors.

    Angles of rotary positions, position embeddings of a mask of ones, biases by relative position and norms of weights are not
    computed in each run, and no kernel is without an input. Results of more than 2^20 elements stay, and what needs such
    tensors.
    """
    values = _tensors(program)
    known_nodes = set(values)
    candidates = set[Any]()
    for node in program.graph.nodes:
        if node.op != "call_function" or not known_nodes.issuperset(node.all_input_nodes) or not _is_small(node):
            continue
        if hasattr(node.target, "_schema") and not node.target._schema.is_mutable and not _is_random(node):
            known_nodes.add(node)
            if node.all_input_nodes and node.target._schema.name.removeprefix("aten::") in _FOLDED:
                candidates.add(node)
    computed_nodes = set[Any]()  # in each run
    folded = list[Any]()
    for node in reversed(program.graph.nodes):
        if node not in known_nodes or not computed_nodes.isdisjoint(node.users):
            (folded.append if node in candidates else computed_nodes.add)(node)
    with torch.no_grad():
        arrays = [_value(torch, node, values) for node in folded]
    for number, (node, array) in enumerate(zip(folded, arrays, strict=True)):
        _replace(program, node, f"folded_{number}", array)
    program.graph.eliminate_dead_code()


def _tensors(program: ExportedProgram) -> dict[Any, Any]:
    """The parameters, buffers and constants of `program`, by their nodes."""
    signature = program.graph_signature
    keys = {**signature.inputs_to_parameters, **signature.inputs_to_buffers, **signature.inputs_to_lifted_tensor_constants}
    tensors = {**program.constants, **program.state_dict}
    return {n: tensors[keys[n.name]] for n in program.graph.find_nodes(op="placeholder") if keys.get(n.name) in tensors}


def _is_small(node: Node) -> bool:
    """Whether the result is one tensor of known size with few real numbers."""
    value = node.meta.get("val")
    sizes = getattr(value, "shape", None)
    if value is None or sizes is None or value.is_complex() or not all(isinstance(n, int) for n in sizes):
        return False
    return bool(0 < value.numel() <= _ELEMENTS)


def _is_random(node: Node) -> bool:
    return any(tag.name == "nondeterministic_seeded" for tag in getattr(node.target, "tags", ()))


def _value(torch: ModuleType, node: Node, values: dict[Any, Any]) -> Any:
    """The result of `node`, after those of what it reads; `values` gets all of them."""
    waiting = [node]
    while waiting:
        last: Any = waiting[-1]
        if missing := [n for n in last.all_input_nodes if n not in values]:
            waiting += missing
            continue
        if last not in values:
            args, kwargs = torch.fx.node.map_arg((last.args, dict(last.kwargs)), values.__getitem__)
            values[last] = last.target(*args, **kwargs)
        waiting.pop()
    return values[node]


def _replace(program: ExportedProgram, node: Node, name: str, value: Any) -> None:
    """Makes `node` the constant `name` of `program`."""
    from torch.export.graph_signature import InputKind, InputSpec, TensorArgument

    with program.graph.inserting_before(next(iter(program.graph.nodes))):
        placeholder = program.graph.placeholder(name)
    placeholder.meta = dict(node.meta)
    node.replace_all_uses_with(placeholder)
    key = f"<{placeholder.name}>"  # no name of a tensor of the module
    program.constants[key] = value.detach().clone().contiguous()
    spec = InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(placeholder.name), key, None)
    program.graph_signature.input_specs.insert(0, spec)
