"""Replaces ONNX operators by the functions that define them, and evaluates constants."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from allo_air.importers.onnx_shapes import opset_of, sizes, types

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import GraphProto, ModelProto

_ROUNDS = 6
"""Largest number of passes over the model: functions contain functions, and known sizes make other sizes known."""
_ELEMENTS = 1 << 16
"""Largest number of elements of a value that is evaluated: sizes, positions and masks, but no weights."""


def expanded(onnx: ModuleType, model: ModelProto, kinds: Iterable[str]) -> Any:
    """`model` with the operators `kinds` replaced by the nodes that define them, and with known values evaluated.

    None if there are no such operators.
    """
    kinds, model_proto = set(kinds), None
    for _ in range(_ROUNDS):
        value = model_proto or model
        kinds_of = types(onnx, value)
        nodes, changed = list[Any](), False
        for node in value.graph.node:
            body = _function(onnx, value, node, kinds_of) if node.op_type in kinds and not node.domain else None
            nodes += [node] if body is None else _inlined(onnx, node, body)
            changed |= body is not None
        if not changed:
            break
        model_proto = onnx.ModelProto()
        model_proto.CopyFrom(value)
        del model_proto.graph.node[:]
        model_proto.graph.node.extend(nodes)
    return None if model_proto is None else without_constants(onnx, model_proto)


def _function(onnx: ModuleType, model: ModelProto, node: Any, known_types: dict[str, Any]) -> Any:
    """The ONNX function that defines `node`; None if there is none."""
    opset = opset_of(model, 1)
    try:
        schema = onnx.defs.get_schema(node.op_type, opset)
        if schema.has_context_dependent_function:
            kinds = [known_types.get(name, onnx.TypeProto()).SerializeToString() for name in node.input]
            kinds += [b""] * (len(schema.inputs) - len(kinds))
            versions = [v for v in schema.context_dependent_function_opset_versions if v <= opset]
            versions = versions or list(schema.context_dependent_function_opset_versions)
            context_dependent_function = schema.get_context_dependent_function_with_opset_version(
                max(versions), node.SerializeToString(), kinds
            )
        else:
            versions = [v for v in schema.function_opset_versions if v <= opset] or list(schema.function_opset_versions)
            context_dependent_function = schema.get_function_with_opset_version(max(versions))
    except Exception:  # errors of ONNX's C++ code have no common class
        return None
    body = onnx.FunctionProto()
    body.ParseFromString(context_dependent_function)
    if not body.node:
        return None
    defaults = {name: a.default_value for name, a in schema.attributes.items() if a.default_value.type}
    names = {a.name for a in node.attribute}
    body.attribute_proto.extend(a for name, a in defaults.items() if name not in names)
    return body


def _inlined(onnx: ModuleType, node: Any, body: Any) -> list[Any]:
    """The nodes of `body` for the call `node`; inner values are named after its first result."""
    names = dict.fromkeys(body.input, "")
    names |= dict(zip(body.input, node.input, strict=False))
    names |= {inside: outside for inside, outside in zip(body.output, node.output, strict=False) if outside}
    attributes = {a.name: a for a in (*body.attribute_proto, *node.attribute)}
    return renamed(onnx, body.node, names, attributes, f"{next(filter(None, node.output))}/")


def renamed(onnx: ModuleType, nodes: Any, names: dict[str, str], attributes: Mapping[str, object], prefix: str) -> list[Any]:
    """Copies of `nodes`, with values renamed by `names`, and by `prefix` if they are not in it."""
    results = []
    for each in nodes:
        node_proto = onnx.NodeProto()
        node_proto.CopyFrom(each)
        node_proto.name = prefix + (each.name or each.op_type)
        del node_proto.input[:], node_proto.output[:], node_proto.attribute[:]
        node_proto.input.extend(names.setdefault(n, prefix + n) if n else "" for n in each.input)
        node_proto.output.extend(names.setdefault(n, prefix + n) if n else "" for n in each.output)
        for attribute in each.attribute:
            if attribute.ref_attr_name and attribute.ref_attr_name not in attributes:
                continue
            copied = onnx.AttributeProto()
            copied.CopyFrom(attributes[attribute.ref_attr_name] if attribute.ref_attr_name else attribute)
            copied.name = attribute.name
            if copied.type == onnx.AttributeProto.GRAPH:
                graph = renamed(onnx, attribute.g.node, names, attributes, prefix)
                del copied.g.node[:]
                copied.g.node.extend(graph)
                for port in (*copied.g.input, *copied.g.output, *copied.g.initializer):
                    port.name = names.setdefault(port.name, prefix + port.name)
            node_proto.attribute.append(copied)
        results.append(node_proto)
    return results


def without_constants(onnx: ModuleType, model: object) -> Any:
    """`model` without nodes whose results are known, branches that are not taken, and unused values."""
    import numpy as np
    from onnx.reference import ReferenceEvaluator

    model_proto = onnx.ModelProto()
    model_proto.CopyFrom(model)
    values = {t.name: onnx.numpy_helper.to_array(t) for t in model_proto.graph.initializer if np.prod(t.dims) <= _ELEMENTS}

    def evaluated(node: Any) -> list[Any] | None:
        if node.domain:
            return None
        if node.op_type == "Constant" or (node.input and all(not n or n in values for n in node.input)):
            if any(a.type == onnx.AttributeProto.GRAPH for a in node.attribute) or _is_random(node):
                return None
            inputs, outputs = (
                [onnx.ValueInfoProto(name=n) for n in dict.fromkeys(names) if n] for names in (node.input, node.output)
            )
            single_node = onnx.helper.make_model(
                onnx.helper.make_graph([node], "g", inputs, outputs), opset_imports=model_proto.opset_import
            )
            try:
                return list(ReferenceEvaluator(single_node).run(None, {n: values[n] for n in node.input if n}))
            except Exception:  # nodes that the evaluator does not support stay
                return None
        return None

    for _ in range(_ROUNDS):
        kinds, nodes, before = types(onnx, model_proto), list[Any](), len(values)
        for node in model_proto.graph.node:
            size = None
            if node.op_type in ("Shape", "Size") and not node.domain and node.input[0] not in values:
                size = _size(node, kinds.get(node.input[0]))
            elif node.op_type == "If" and node.input[0] in values:
                branch = "then_branch" if values[node.input[0]].item() else "else_branch"
                graph = _with_own_names(onnx, node, next(a.g for a in node.attribute if a.name == branch))
                nodes += graph.node
                model_proto.graph.initializer.extend(graph.initializer)
                values |= {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer if np.prod(t.dims) <= _ELEMENTS}
                pairs = zip(graph.output, node.output, strict=True)
                nodes += [onnx.helper.make_node("Identity", [inner.name], [outer]) for inner, outer in pairs if outer]
                continue
            else:
                size = evaluated(node)
            if size is None or any(np.size(t) > _ELEMENTS or np.asarray(t).dtype.kind not in "fiub" for t in size):
                nodes.append(node)
                continue
            for name, value in zip([n for n in node.output if n], size, strict=True):
                values[name] = np.asarray(value)
        changed = len(nodes) != len(model_proto.graph.node) or len(values) != before
        del model_proto.graph.node[:]
        model_proto.graph.node.extend(nodes)
        have = {t.name for t in model_proto.graph.initializer}
        model_proto.graph.initializer.extend(
            onnx.numpy_helper.from_array(np.ascontiguousarray(v).reshape(v.shape), n)
            for n, v in values.items()
            if n not in have
        )
        if not changed:
            break
    return _remove_unused(onnx, model_proto)


def _with_own_names(onnx: ModuleType, node: Any, graph: GraphProto) -> Any:
    """A branch of `node` with unique names, since branches of several nodes may use the same names."""
    prefix = f"{next(filter(None, node.output))}/"
    own = {o for n in graph.node for o in n.output if o} | {t.name for t in graph.initializer}
    names = {n: n for inner in graph.node for n in _inputs(inner)} | {n: n for n in (o.name for o in graph.output)}
    names |= {n: prefix + n for n in own}
    graph_proto = onnx.GraphProto()
    graph_proto.CopyFrom(graph)
    del graph_proto.node[:]
    graph_proto.node.extend(renamed(onnx, graph.node, names, {}, prefix))
    for each in (*graph_proto.initializer, *graph_proto.output):
        each.name = names[each.name]
    return graph_proto


def _is_random(node: Any) -> bool:
    return node.op_type.startswith("Random") or node.op_type in ("Bernoulli", "Multinomial")


def _size(node: Any, kind: object) -> list[Any] | None:
    import numpy as np

    if (result := sizes(kind)) is None:
        return None
    if node.op_type == "Size":
        return [np.asarray(math.prod(result), np.int64)]
    ends = {a.name: a.i for a in node.attribute}
    return [np.asarray(result[ends.get("start", 0) : ends.get("end", len(result))], np.int64)]


def _remove_unused(onnx: ModuleType, model: ModelProto) -> Any:
    """Removes unused nodes and tensors. A known result stays as a copy of a tensor."""
    result = {o for n in model.graph.node for o in n.output} | {i.name for i in model.graph.input}
    tensors = {t.name for t in model.graph.initializer}
    for port in model.graph.output:
        if port.name not in result and port.name in tensors:
            tensor = next(t for t in model.graph.initializer if t.name == port.name)
            tensor.name = f"{port.name}/known"
            model.graph.node.append(onnx.helper.make_node("Identity", [tensor.name], [port.name]))
    needed, nodes = {o.name for o in model.graph.output}, list[Any]()
    for node in reversed(model.graph.node):
        if any(o in needed for o in node.output):
            nodes.append(node)
            needed |= _inputs(node)
    del model.graph.node[:]
    model.graph.node.extend(reversed(nodes))
    inputs = {i.name for i in model.graph.input}
    stay = [t for t in model.graph.initializer if t.name in needed or t.name in inputs]
    if len(stay) < len(model.graph.initializer):
        copies = [type(t).FromString(t.SerializeToString()) for t in stay]
        del model.graph.initializer[:]
        model.graph.initializer.extend(copies)
    return model


def _inputs(node: Any) -> set[str]:
    """The values that a node uses, also in its branches."""
    inputs = set(node.input)
    for attribute in node.attribute:
        for inner in attribute.g.node:
            inputs |= _inputs(inner)
        inputs |= {o.name for o in attribute.g.output}
    return inputs
