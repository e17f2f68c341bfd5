"""Plans as attributes and as JSON. Both are derived from the fields of the dataclass; fields with default values are
omitted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from allo_air.core.diagnostics import error_at
from allo_air.errors import nearest, suggestion
from allo_air.mlir import AnyOp, ir
from allo_air.plan.family import WITHOUT_FILE, files
from allo_air.plan.plan import UNPLANNED, Plan, Route

PLAN = "allo.plan"
"""Attribute of a function that contains its plan."""
Made = TypeVar("Made", Plan, Route)
_KINDS: dict[type[Any], dict[str, tuple[Any, Any]]] = {}


def plan_of(function: AnyOp) -> Plan | None:
    """The plan of `function`, None if it has none. Raises an error at the function if the attribute is not a plan."""
    attributes = function.operation.attributes
    if PLAN not in attributes:
        return None
    try:
        return _checked(_instance(Plan, _entries(attributes[PLAN]), _attribute_value, f"attribute {PLAN}"))
    except ValueError as error:
        raise error_at(function, f"has a wrong plan: {error}; run the planners, or see docs/npu-planner.md") from None


def plan_or_unplanned(function: AnyOp) -> Plan:
    """The plan of `function`; UNPLANNED if it has none."""
    return plan_of(function) or UNPLANNED


def attach(function: AnyOp, plan: Plan) -> None:
    """Makes `plan` the plan of `function`."""
    function.operation.attributes[PLAN] = attribute_of(plan)


def attribute_of(plan: Plan) -> ir.Attribute:
    """The attribute of a plan."""
    return _attribute(plan)


def text_of(plan: Plan) -> str:
    """A plan as JSON."""
    return json.dumps(_python_value(plan), sort_keys=True)


def from_text(text: str) -> Plan:
    """The plan in the JSON `text`; ValueError if it is not one."""
    return _checked(_instance(Plan, json.loads(text), _json_value, "a plan"))


def json_schema() -> dict[str, Any]:
    """The JSON schema of plans."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Plan", **_schema_of(Plan)}


def _checked(plan: Plan) -> Plan:
    """`plan`, if it is consistent. ValueError for an unknown family, a negative size or an invalid walk."""
    families = (*WITHOUT_FILE, *files())
    if plan.family not in families:
        raise ValueError(f"entry 'family' is '{plan.family}', where one of {', '.join(sorted(families))} is expected")
    for name in ("padded", "launch", "core", "micro", "cores"):
        if any(size < 0 for size in getattr(plan, name)):
            raise ValueError(f"entry '{name}' is {list(getattr(plan, name))}, where sizes are at least 0")
    for route in plan.routes:
        lengths = [len(walk) for walk in route.walks]
        if len(lengths) % 2 or any(n < 2 or n % 2 for n in lengths) or len(route.turn) % 2:
            raise ValueError(
                f"route '{route.operand}' has walks of {lengths} numbers and a step of {len(route.turn)}; each transfer has two"
                " walks: an argument, the first element, then sizes and strides by pairs"
            )
    return plan


def _field_types(of: type) -> dict[str, tuple[Any, Any]]:
    """For each field: its type and its default; MISSING if the field is required."""
    if of not in _KINDS:
        hints = get_type_hints(of)
        _KINDS[of] = {f.name: (hints[f.name], f.default) for f in fields(of)}
    return _KINDS[of]


def _set_fields(item: Plan | Route) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    return {name: value for name, (_, default) in _field_types(type(item)).items() if (value := getattr(item, name)) != default}


def _instance(of: type[Made], entries: object, read: Callable[[Any, Any, str], Any], subject: str) -> Made:
    if not isinstance(entries, Mapping):
        raise ValueError(f"{subject} is not a dictionary")
    kinds = _field_types(of)
    for name in entries:
        if name not in kinds:
            raise ValueError(f"{subject} has an unknown entry '{name}'{suggestion(nearest(name, kinds))}")
    for name, (_, default) in kinds.items():
        if default is MISSING and name not in entries:
            raise ValueError(f"{subject} has no entry '{name}'")
    return of(**{name: read(kinds[name][0], value, f"entry '{name}' of {subject}") for name, value in entries.items()})


def _attribute(value: Any) -> ir.Attribute:
    if isinstance(value, (Plan, Route)):
        return ir.DictAttr.get({name: _attribute(item) for name, item in _set_fields(value).items()})
    if isinstance(value, bool):
        return ir.UnitAttr.get()
    if isinstance(value, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    if isinstance(value, str):
        return ir.StringAttr.get(value)
    if value and isinstance(value[0], int):
        return ir.DenseI64ArrayAttr.get(list(value))
    return ir.ArrayAttr.get([_attribute(item) for item in value])


def _entries(item: object) -> Any:
    return {item[n].name: item[n].attr for n in range(len(item))} if isinstance(item, ir.DictAttr) else item


def _attribute_value(kind: object, attribute_value: object, subject: str) -> Any:
    if kind is bool and isinstance(attribute_value, ir.UnitAttr):
        return True
    if kind is int and isinstance(attribute_value, ir.IntegerAttr):
        return attribute_value.value
    if isinstance(attribute_value, ir.StringAttr):
        return _text(kind, attribute_value.value, subject)
    if kind is Route:
        return _instance(Route, _entries(attribute_value), _attribute_value, subject)
    if get_origin(kind) is tuple:
        [item_kind, _] = get_args(kind)
        if item_kind is int and isinstance(attribute_value, ir.DenseI64ArrayAttr):
            return tuple(attribute_value)
        if isinstance(attribute_value, ir.ArrayAttr):
            return tuple(_attribute_value(item_kind, item, subject) for item in attribute_value)
    raise ValueError(f"{subject} is {attribute_value}, where {_as_words(kind)} is expected")


def _json_value(kind: object, json_value: object, subject: str) -> Any:
    if kind in (bool, int) and type(json_value) is kind:
        return json_value
    if isinstance(json_value, str):
        return _text(kind, json_value, subject)
    if kind is Route:
        return _instance(Route, json_value, _json_value, subject)
    if get_origin(kind) is tuple and isinstance(json_value, list):
        return tuple(_json_value(get_args(kind)[0], item, subject) for item in json_value)
    raise ValueError(f"{subject} is {json.dumps(json_value)}, where {_as_words(kind)} is expected")


def _text(kind: object, text: str, subject: str) -> str:
    if kind is str:
        return text
    raise ValueError(f"{subject} is '{text}', where {_as_words(kind)} is expected")


def _as_words(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"a list, each element {_as_words(get_args(kind)[0])},"
    return {bool: "a flag", int: "an integer", str: "a text"}.get(kind, "a dictionary")


def _python_value(value: object) -> Any:
    if isinstance(value, (Plan, Route)):
        return {name: _python_value(item) for name, item in _set_fields(value).items()}
    return [_python_value(item) for item in value] if isinstance(value, tuple) else value


def _schema_of(kind: Any) -> dict[str, Any]:
    if kind in (Plan, Route):
        own = _field_types(kind)
        return {
            "type": "object",
            "properties": {name: _schema_of(item_type) for name, (item_type, _) in own.items()},
            "required": [name for name, (_, default) in own.items() if default is MISSING],
            "additionalProperties": False,
        }
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _schema_of(get_args(kind)[0])}
    return {"type": {bool: "boolean", int: "integer", str: "string"}[kind]}
