"""air-linalg-to-func."""

from dataclasses import dataclass

from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, walk_post_order
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, func, ir
from allo_air.passes.kernel._library_functions import Functions
from allo_air.passes.kernel._library_meaning import mangled, semantic_key

PLACEHOLDER = "op_has_no_registered_library_name"
"""MLIR's name for the function of a linalg.generic without a name of its own."""


@dataclass(frozen=True)
class AirLinalgToFunc(Pass):
    """Replaces linalg operations on memrefs by calls of external functions.

    The function's name is the operation's `library_call`. Named operations without one get MLIR's derived name, from the
    operation and its types. So do `linalg.generic` operations with `derive-library-call`; without it all of these call
    `@op_has_no_registered_library_name`. A number is appended if operations that compute different things would get one name.
    The functions are declared with `link_with` set to `link-with`, the object file that contains them; the herds around the
    calls get it too. Copies between memory spaces and operations on tensors stay.
    If `functions` lists the symbols of the object file, only calls of these are made: of the `library_call`, MLIR's derived
    name, or, for `linalg.generic` and matrix products, `op_has_no_registered_library_name`. Other operations stay and are
    compiled.

    Before (`air-linalg-to-func{link-with=mm.o}`):

        linalg.fill ins(%zero : bf16) outs(%c : memref<16x16xbf16, 2>)

    After:

        func.func private @linalg_fill_bf16_view16x16xbf16as2(bf16, memref<16x16xbf16, 2>)
            attributes {link_with = "mm.o", llvm.emit_c_interface}
        ...
        func.call @linalg_fill_bf16_view16x16xbf16as2(%zero, %c) : (bf16, memref<16x16xbf16, 2>) -> ()
    """

    name = "air-linalg-to-func"
    anchor = "builtin.module"
    link_with: str = ""
    """The object file that holds the functions."""
    derive_library_call: bool = False
    """Also name functions of linalg.generic after the operation and its types."""
    functions: tuple[str, ...] = ()
    """The functions in the object file; empty if unknown."""

    def run(self, op: AnyOp, /) -> None:
        functions = Functions(self.link_with)
        for inner in walk_post_order(op):
            if _is_computation(inner):
                self._to_call(inner, functions)

    def _to_call(self, op: AnyOp, functions: Functions) -> None:
        function_name = self._library_function(op)
        if self.functions and function_name is None:
            return
        if function_name is not None:
            function = functions.declared(op, function_name)
        elif "library_call" in op.attributes:
            semantic_key(op)  # raises an error if the body uses outside values
            function = functions.declared(op, op.attributes["library_call"].value)
        elif op.name != "linalg.generic" or self.derive_library_call:
            function = functions.derived(op)
        else:
            function = functions.declared(op, PLACEHOLDER)
        callee = ir.FlatSymbolRefAttr.get(sym_name_of(function))
        _link(op, function)
        func.CallOp([], callee, list(op.operands), loc=op.location, ip=ir.InsertionPoint(op))
        op.erase()

    def _library_function(self, op: AnyOp) -> str | None:
        """The function of the object file for `op`; None if it has none."""
        if "library_call" in op.attributes:
            names = [op.attributes["library_call"].value]
        else:
            names = [mangled(op), *([PLACEHOLDER] if op.name == "linalg.generic" or _is_contraction(op) else [])]
        return next((n for n in names if n in self.functions), None)


def _is_contraction(op: AnyOp) -> bool:
    return "matmul" in op.name or op.name == "linalg.contract"


def _is_computation(op: ir.Operation) -> bool:
    """Whether `op` is a structured linalg operation on memrefs that is not a transfer between memory spaces."""
    if not op.name.startswith("linalg.") or len(op.regions) != 1 or len(op.results):
        return False
    kinds = [v.type for v in op.operands]
    memrefs = [kind for kind in kinds if isinstance(kind, ir.MemRefType)]
    if not memrefs or any(isinstance(kind, ir.RankedTensorType) for kind in kinds):
        return False
    return op.name != "linalg.copy" or len({kind.memory_space for kind in memrefs}) == 1


def _link(op: AnyOp, function: ir.Operation) -> None:
    """Records at the herd around `op` the object file of `function`."""
    herd = enclosing(op, "air.herd")
    if herd is None or "link_with" not in function.attributes:
        return
    object_file = function.attributes["link_with"]
    if "link_with" in herd.attributes and herd.attributes["link_with"] != object_file:
        raise PassError(
            f"calls a function from {object_file}, and its air.herd links with {herd.attributes['link_with']}: a herd links "
            "with one object file; put the functions into one file (ld -r)",
            op.location,
            op.name,
        )
    herd.attributes["link_with"] = object_file
