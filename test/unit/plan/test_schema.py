"""Plans are the same as dataclass, attribute and JSON; what is not a plan is refused with its entry."""

import json

import pytest

from allo_air.core.contexts import reused_context
from allo_air.errors import DiagnosticError
from allo_air.mlir import ir
from allo_air.plan.plan import UNPLANNED, Plan, Route
from allo_air.plan.schema import attach, from_text, json_schema, plan_of, plan_or_unplanned, text_of

PLANS = (
    Plan("tiles"),
    Plan(
        "tiles", "why", launch=(4, 256), launches=3, core=(1, 64), cores=(4, 4), cut=(0, 1024, 256), along=0, reduced=(1, 2, 8)
    ),
    Plan("matmul", padded=(4, 8, 16), micro=(4, 8, 8), narrow=True, routes=(Route("a", panel=2), Route("b", memtiles=2))),
    Plan(
        "move",
        routes=(Route("0", turn=(4, 1), walks=((0, 1, 2, 3), (1, 0, 2, 4))), Route("1", walks=((0, 0, 8, 1), (1, 0, 8, 1)))),
    ),
    Plan("attention", core=(16, 32), key="digest", taken="{}", ranking=("{}", '{"a": 1}')),
)
FUNCTION = "func.func private @f() attributes {allo.plan = PLAN}"


@pytest.mark.parametrize("plan", PLANS)
def test_one_plan_in_three_forms(plan: Plan) -> None:
    assert from_text(text_of(plan)) == plan
    with reused_context(), ir.Location.unknown():
        module = ir.Module.parse(FUNCTION.replace("PLAN", "{}").replace("attributes {allo.plan = {}}", ""))
        [function] = module.body.operations
        assert plan_of(function) is None and plan_or_unplanned(function) == UNPLANNED
        attach(function, plan)
        again = ir.Module.parse(str(module))
        assert plan_of(again.body.operations[0]) == plan


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 : i64", "attribute allo.plan is not a dictionary"),
        ("{}", "has no entry 'family'"),
        ('{family = "gemm"}', "'family' is 'gemm', where one of attention, grouped, matmul, move, none"),
        ('{family = "tiles", lunch = array<i64: 4>}', "unknown entry 'lunch'; did you mean 'launch'"),
        ('{family = "tiles", launch = 4 : i64}', "where a list, each element an integer, is expected"),
        ('{family = "tiles", launches = "4"}', "'4', where an integer is expected"),
        ('{family = "matmul", routes = [{operand = "b", memtile = 2 : i64}]}', "'memtile'; did you mean 'memtiles'"),
        ('{family = "tiles", core = array<i64: 4, -1>}', "entry 'core' is [4, -1], where sizes are at least 0"),
        ('{family = "move", routes = [{operand = "0", walks = [array<i64: 0, 0>]}]}', "each transfer has two walks"),
    ],
)
def test_what_is_no_plan_is_refused(text: str, said: str) -> None:
    with reused_context():
        module = ir.Module.parse(FUNCTION.replace("PLAN", text))
        [function] = module.body.operations
        with pytest.raises(DiagnosticError) as caught:
            plan_of(function)
    assert said in str(caught.value) and "run the planners" in str(caught.value)


@pytest.mark.parametrize("text", ["[]", "{", "{}", '{"family": "tiles", "narrow": 1}', '{"family": "tiles", "core": [true]}'])
def test_json_that_is_no_plan(text: str) -> None:
    with pytest.raises(ValueError):
        from_text(text)


def test_the_json_schema_has_every_entry() -> None:
    schema = json_schema()
    assert schema["required"] == ["family"] and schema["additionalProperties"] is False
    assert set(json.loads(text_of(PLANS[1]))) <= set(schema["properties"])
    assert set(schema["properties"]["routes"]["items"]["properties"]) == set(Route.__dataclass_fields__)
