"""air-return-elimination."""

from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, func, ir, memref


@dataclass(frozen=True)
class AirReturnElimination(Pass):
    """Converts returned memrefs to arguments that callers allocate; functions that are called get the suffix `_out`.

    If a function has one return, a memref.alloc that it returns becomes the argument; other memrefs are copied there.

    Before:

        func.func private @f(%a: memref<8xf32>) -> memref<8xf32> { %b = memref.alloc() ... return %b }
        %c = call @f(%x) : (memref<8xf32>) -> memref<8xf32>

    After:

        func.func private @f_out(%a: memref<8xf32>, %b: memref<8xf32>) { ... return }
        %c = memref.alloc() : memref<8xf32>
        call @f_out(%x, %c) : (memref<8xf32>, memref<8xf32>) -> ()
    """

    name = "air-return-elimination"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        functions = {sym_name_of(f): f for f in walk_named(op, "func.func") if len(function_type_of(f).results)}
        for function in functions.values():
            _check(function)
        calls = [c for c in walk_named(op, "func.call") if callee_of(c) in functions]
        called = dict.fromkeys(callee_of(c) for c in calls)
        used_names = {sym_name_of(f) for f in walk_named(op, "func.func")}
        for name in called:
            if f"{name}_out" in used_names:
                raise error_at(functions[name], f"is to be called '@{name}_out', a name that is taken; rename that function")
        for call in calls:
            _allocate_results(call)
        for name, function in functions.items():
            _results_to_arguments(function)
            if name in called:
                function.attributes["sym_name"] = ir.StringAttr.get(f"{name}_out")


def _check(function: AnyOp) -> None:
    for kind in function_type_of(function).results:
        if not isinstance(kind, ir.MemRefType):
            raise error_at(function, f"returns {kind}, and only memrefs become arguments; bufferize it first")
        if not kind.has_static_shape:
            raise error_at(function, f"returns {kind}, which callers cannot allocate; give it a static shape")


def _allocate_results(call: AnyOp) -> None:
    """Allocates the results of `call` before it, and passes them."""
    with ir.InsertionPoint(call), call.location:
        results = [memref.AllocOp(r.type, [], []).result for r in call.results]
        attributes = {n: call.attributes[n] for n in call.attributes}
        attributes["callee"] = ir.FlatSymbolRefAttr.get(f"{callee_of(call)}_out")
        ir.Operation.create("func.call", [], [*call.operands, *results], attributes)
    for result, buffer in zip(call.results, results, strict=True):
        result.replace_all_uses_with(buffer)
    call.erase()


def _results_to_arguments(function: AnyOp) -> None:
    """Adds the results of `function` to its arguments, and returns nothing."""
    kind = function_type_of(function)
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([*kind.inputs, *kind.results], []))
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]
    if "arg_attrs" in function.attributes:
        added = [ir.DictAttr.get({})] * len(kind.results)
        function.attributes["arg_attrs"] = ir.ArrayAttr.get([*function.attributes["arg_attrs"], *added])
    if not len(function.regions[0].blocks):
        return
    arguments = [function.regions[0].blocks[0].add_argument(t, function.location) for t in kind.results]
    returns = walk_named(function, "func.return")
    for end in returns:
        for number, argument in enumerate(arguments):
            value = end.operands[number]
            alloc = defining_op(value)
            if len(returns) == 1 and alloc is not None and alloc.name == "memref.alloc":
                value.replace_all_uses_with(argument)
                alloc.erase()
            else:
                memref.CopyOp(value, argument, ip=ir.InsertionPoint(end), loc=end.location)
        func.ReturnOp([], ip=ir.InsertionPoint(end), loc=end.location)
        end.erase()
