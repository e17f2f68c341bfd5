"""`transform.air.linalg_to_library_call`: applies air-linalg-to-func to single operations."""

from allo_air.core.functions import call_function
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, is_result_of
from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes.kernel._library_functions import Functions
from allo_air.transform.operations import Application

_NAMELESS = "op_has_no_registered_library_name"
_RESHAPES = ("memref.reshape", "memref.expand_shape", "memref.collapse_shape")


def apply(call: Application) -> list[list[ir.Operation]]:
    """Replaces the operations by calls; an operand that is a reshape is passed as its source. Returns the calls."""
    link_with, name = call.option("link_with", ""), call.option("function_name", "")
    functions: dict[str, Functions] = {}

    def rewrite(target: ir.Operation) -> ir.Operation:
        if not is_structured(target) or len(target.results):
            raise PassError(f"expects a linalg operation on buffers, found {target.name}", target.location, target.name)
        herd = enclosing(target, "air.herd")
        linked = link_with or (
            herd.attributes["link_with"].value if herd is not None and "link_with" in herd.attributes else ""
        )
        for n, value in enumerate(target.operands):
            if is_result_of(value, *_RESHAPES):
                target.operands[n] = value.owner.operation.operands[0]
        library = functions.setdefault(linked, Functions(linked))
        own = name or (target.attributes["library_call"].value if "library_call" in target.attributes else "")
        if own:
            function = library.declared(target, own)
        else:
            function = library.derived(target, _NAMELESS if target.name == "linalg.generic" else "")
        op = call_function(sym_name_of(function), [], target.operands)
        target.erase()
        if link_with and herd is not None:
            herd.attributes["link_with"] = ir.StringAttr.get(link_with)
        return op

    return call.each(rewrite)
