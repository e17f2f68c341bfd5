"""Equal kernels of a program share one function."""

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._ir.new_kernel import KernelNames

_SUM = "%r = linalg.add ins(%p, %q : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>"
_EXP = "%p = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>"
_ABS = "%q = linalg.abs ins({}) outs(%e : tensor<8xf32>) -> tensor<8xf32>"
_EMPTY = "%e = tensor.empty() : tensor<8xf32>"
_ABS_X, _ABS_P = (_ABS.format(f"{value} : tensor<8xf32>") for value in ("%x", "%p"))


def test_order_of_operations() -> None:
    """Kernels whose operations stand in another order are one; those that use them in another order are not."""
    bodies = [
        (_EMPTY, _EXP, _ABS_X, _SUM),
        (_EMPTY, _ABS_X, _EXP, _SUM),
        (_EMPTY, _EXP, _ABS_P, _SUM),
        (_EMPTY, _EXP, _ABS_X, _SUM.replace("%p, %q", "%q, %p")),
    ]
    texts = (
        f"func.func private @kernel(%x: tensor<8xf32>) -> tensor<8xf32> {{ {chr(10).join(body)} \n return %r : tensor<8xf32> }}"
        for body in bodies
    )
    with ir.Context(), ir.Location.unknown():
        modules = [asm.read(text) for text in texts]
        names = KernelNames(modules[0].operation)
        found = [names.of(walk_named(m.operation, "func.func")[0], "k") for m in modules]
        assert [new for _, new in found] == [True, False, True, True]
        assert found[0][0] == found[1][0]
        assert len(walk_named(modules[0].operation, "linalg.abs")) == 1, "the text is of a copy"


def test_buffers_keep_their_order() -> None:
    """Kernels on buffers that write and read in another order are two."""
    copies = ("memref.copy %x, %y : memref<8xf32> to memref<8xf32>", "memref.copy %y, %z : memref<8xf32> to memref<8xf32>")
    arguments = ", ".join(f"%{name}: memref<8xf32>" for name in "xyz")
    with ir.Context(), ir.Location.unknown():
        modules = [
            asm.read(f"func.func private @kernel({arguments}) {{ {chr(10).join(order)} \n return }}")
            for order in (copies, copies[::-1])
        ]
        names = KernelNames(modules[0].operation)
        assert [names.of(walk_named(m.operation, "func.func")[0], "k")[1] for m in modules] == [True, True]
