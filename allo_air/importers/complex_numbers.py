"""Rewrites complex numbers of PyTorch as pairs of real ones: rotary positions, Fourier transforms, spectrograms."""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from allo_air.importers.fourier import signal, spectrum, transformed

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor
    from torch._ops import OpOverload
    from torch.export import ExportedProgram
    from torch.fx import GraphModule, Node


@dataclass(frozen=True)
class Pair:
    """The real and the imaginary parts of a tensor of complex numbers."""

    real: Tensor
    imag: Tensor


Operand: TypeAlias = "Pair | Tensor | complex"
Sizes: TypeAlias = "Sequence[int] | int | None"
Arguments: TypeAlias = Sequence[object]
Keywords: TypeAlias = Mapping[str, object]


def has_complex(program: ExportedProgram) -> bool:
    """Whether any value of `program` is of complex numbers, or computed by way of them."""
    return any(_is_complex(n.meta.get("val")) or _TRANSFORMS.match(str(n.target)) for n in program.graph.nodes)


_TRANSFORMS = re.compile(r"aten\.(stft|fft_i?[rh]?fft[2n]?)\.")


def complex_values(program: ExportedProgram) -> tuple[frozenset[int], frozenset[int]]:
    """The positions of the inputs and of the results of `program` that are of complex numbers."""
    kinds, signature = {n.name: n.meta.get("val") for n in program.graph.nodes}, program.graph_signature
    inputs_of_user = (s.arg for s in signature.input_specs if s.kind.name == "USER_INPUT")
    tensors = [argument.name for argument in inputs_of_user if not hasattr(argument, "value")]
    inputs, results = (
        frozenset(n for n, name in enumerate(names) if _is_complex(kinds.get(name)))
        for names in (tensors, signature.user_outputs)
    )
    return inputs, results


def as_real(value: Any) -> Any:
    """A tensor of complex numbers with its real and imaginary parts along a new last dimension; other values as they are."""
    import torch

    return torch.view_as_real(value.resolve_conj()) if _is_complex(value) else value


def in_float64(value: Any) -> Any:
    """A tensor of floats or complex numbers in float64 or complex128; other values as they are."""
    if _is_complex(value):
        return value.cdouble()
    return value.double() if getattr(getattr(value, "dtype", None), "is_floating_point", False) else value


def in_pairs(torch: ModuleType, program: ExportedProgram) -> Any:
    """`program` with pairs of real numbers instead of complex ones; inputs and results have both parts along a new last
    dimension.

    Raises NotImplementedError if an operation has no such form, or if the program has no example of its inputs.
    """
    if program.example_inputs is None:
        raise NotImplementedError("the exported program has no example inputs")
    args, kwargs = torch.utils._pytree.tree_map(as_real, program.example_inputs)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        return torch.export.export(with_pairs(torch, program), args, kwargs, strict=False)


def _is_complex(value: object) -> bool:
    return bool(getattr(getattr(value, "dtype", None), "is_complex", False))


def with_pairs(torch: ModuleType, program: ExportedProgram) -> Any:
    """A module that computes what `program` computes, with pairs of real numbers instead of complex ones.

    Operations without a rule are unchanged. Complex inputs and results have both parts along a new last dimension.
    """
    rules, aten, prims = _rules(torch), torch.ops.aten, torch.ops.prims
    # a second export takes no operations but ATen's whose results share memory with an operand
    views = {prims.squeeze.default: aten.squeeze.dims, prims.transpose.default: aten.permute.default}

    class Interpreter(torch.fx.Interpreter):  # type: ignore[misc, name-defined]
        def __init__(self, real: Real) -> None:
            super().__init__(real.program)
            self.real = real

        def call_module(self, target: str, args: Arguments, kwargs: Keywords) -> Any:
            """Leaves out the checks of inputs that an exported program has."""
            return None

        def placeholder(self, target: str, args: Arguments, kwargs: Keywords) -> Any:
            value = super().placeholder(target, args, kwargs)
            return Pair(value[..., 0], value[..., 1]) if target in self.real.complex_inputs else value

        def run_node(self, node: Node) -> Any:
            if node in self.real.windows:
                return self.real.windows[node]
            if node not in self.real.numbers:
                return super().run_node(node)
            parts = [getattr(self.real, name) for name in self.real.numbers[node]]
            return Pair(*parts) if len(parts) > 1 else parts[0]

        def call_function(self, target: Callable[..., object], args: Arguments, kwargs: Keywords) -> Any:
            leaves = torch.utils._pytree.tree_leaves((args, kwargs))
            target = views.get(target, target)
            name = target._schema.name.removeprefix("aten::") if hasattr(target, "_schema") else ""
            if name == "_assert_tensor_metadata":  # of `to`, whose type in the exported program has been checked
                return None
            dtype = kwargs.get("dtype")
            if name in _FILLED and isinstance(dtype, torch.dtype) and dtype.is_complex:
                real = target(*args, **{**kwargs, "dtype": dtype.to_real()})
                return Pair(real, torch.zeros_like(real))
            pairs = any(isinstance(v, (Pair, complex)) or (isinstance(v, torch.dtype) and v.is_complex) for v in leaves)
            if name in rules and (pairs or name in _MAKERS):
                return rules[name](*args, **kwargs)
            if name in ("view", "_unsafe_view"):  # parts may have other strides than complex numbers
                target = torch.ops.aten.reshape.default
            if pairs and name in _IN_PARTS:
                return _in_parts(torch, target, args, kwargs)
            if pairs and target is not operator.getitem:
                raise NotImplementedError(f"{target} has no form for complex numbers")
            return super().call_function(target, args, kwargs)

    class Real(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.program = program.module()
            self.numbers = dict[Any, tuple[str, ...]]()
            inputs = (n for n in self.program.graph.nodes if n.op == "placeholder")
            self.complex_inputs = {n.target for n in inputs if _is_complex(n.meta.get("val"))}
            values = _constants(torch, self.program)
            self.windows = {n: v.tolist() for n, v in values.items() if _is_window(n)}
            for node, value in values.items():
                if node.op == "call_function" or _is_complex(value):
                    parts = (value.real, value.imag) if _is_complex(value) else (value,)
                    names = self.numbers[node] = tuple(f"{node.name}_part_{n}" for n in range(len(parts)))
                    for name, part in zip(names, parts, strict=True):
                        self.register_buffer(name, part.detach().clone().contiguous())
            for owner in self.program.modules():
                for own in [n for n, v in vars(owner).items() if _is_complex(v)]:
                    delattr(owner, own)
                for name, value in [*owner.named_parameters(recurse=False), *owner.named_buffers(recurse=False)]:
                    if _is_complex(value):
                        delattr(owner, name)

        def forward(self, *args: object, **kwargs: object) -> Any:
            flat = torch.utils._pytree.tree_leaves((args, kwargs))
            with torch.fx.traceback.preserve_node_meta():
                result = Interpreter(self).run(*flat, enable_io_processing=False)
            return torch.utils._pytree.tree_map(stacked, result)

    def stacked(value: object) -> Any:
        return torch.stack([value.real, value.imag], -1) if isinstance(value, Pair) else value

    return Real()


def _constants(torch: ModuleType, program: GraphModule) -> dict[Any, Any]:
    """The values of the nodes that need no inputs and no real parameters, such as windows and tables of positions."""
    values = dict[Any, Any]()
    for node in program.graph.nodes:
        if node.op == "get_attr":
            value = torch.fx.graph_module._get_attr(program, node.target)
            if isinstance(value, torch.Tensor) and (_is_complex(value) or not isinstance(value, torch.nn.Parameter)):
                values[node] = value
        elif node.op == "call_function" and values.keys() >= set(node.all_input_nodes) and hasattr(node.target, "_schema"):
            is_random = any(tag.name == "nondeterministic_seeded" for tag in node.target.tags)
            args, kwargs = torch.fx.node.map_arg((node.args, dict(node.kwargs)), values.__getitem__)
            value = None if is_random else node.target(*args, **kwargs)
            if isinstance(value, torch.Tensor) and value.numel() <= _ELEMENTS:
                values[node] = value
    return values


_ELEMENTS = 1 << 16
"""Largest number of elements of a constant that is computed in advance."""


def _is_window(node: Node) -> bool:
    """Whether `node` is only the window of short-time Fourier transforms."""
    users = list(node.users)
    return bool(users) and all(
        str(u.target).startswith(("aten.stft", "aten.istft")) and node in (*u.args[4:5], u.kwargs.get("window")) for u in users
    )


_SEPARATE = (
    "view reshape _unsafe_view permute transpose t mT unsqueeze squeeze slice select cat stack expand clone index_select index"
    " flatten unflatten repeat roll flip contiguous detach detach_ alias neg sum mean add sub narrow split chunk"
    " split_with_sizes unbind gather lift_fresh_copy constant_pad_nd pad movedim where tril triu cumsum"
    " copy slice_scatter select_scatter zeros_like"
)
_NEW = "complex polar view_as_complex fft_rfft fft_fft fft_ifft fft_rfft2 fft_fft2 fft_ifft2 fft_rfftn fft_fftn fft_ifftn stft"
_NEW += " fft_irfft fft_irfft2 fft_irfftn fft_hfft fft_hfft2 fft_hfftn fft_ihfft fft_ihfft2 fft_ihfftn"
_IN_PARTS = frozenset(_SEPARATE.split())
"""Operations that compute real and imaginary parts separately."""
_FILLED = frozenset(("zeros", "ones", "empty", "empty_strided"))
"""Operations that make real numbers of the type that they are given."""
_MAKERS = frozenset(_NEW.split())
"""Operations that make complex numbers of real ones, or take real ones for complex ones."""


_VALUES = {
    **dict.fromkeys(("add", "sub", "copy", "slice_scatter", "select_scatter"), (0, 1)),
    **dict.fromkeys(("cat", "stack"), (0,)),
    "where": (1, 2),
    "constant_pad_nd": (2,),
    "pad": (3,),
}
"""The operands that are added to or placed beside complex numbers: real ones have an imaginary part of zeros."""


def _in_parts(torch: ModuleType, target: OpOverload, args: Arguments, kwargs: Keywords) -> Any:
    pytree = torch.utils._pytree
    name, dtype = target._schema.name.removeprefix("aten::"), kwargs.get("dtype")
    if args and isinstance(args[0], torch.Tensor) and getattr(dtype, "is_complex", False):
        args = [Pair(args[0], torch.zeros_like(args[0])), *args[1:]]
    values = _VALUES.get(name, ())
    if any(isinstance(v, complex) for v in pytree.tree_leaves(kwargs)):
        raise NotImplementedError(f"{target} with a complex factor has no form for complex numbers")

    def imaginary(value: object) -> Any:
        if isinstance(value, (Pair, complex)):
            return value.imag
        return torch.zeros_like(value) if isinstance(value, torch.Tensor) else 0

    def part(which: str) -> Any:
        def of(value: object) -> Any:
            if isinstance(value, torch.dtype):
                return value.to_real() if value.is_complex else value
            return getattr(value, which) if isinstance(value, (Pair, complex)) else value

        def mapped(rule: Callable[[object], Any], value: object) -> Any:
            return pytree.tree_map(rule, value, is_leaf=lambda v: isinstance(v, Pair))

        own = [mapped(imaginary if which == "imag" and n in values else of, value) for n, value in enumerate(args)]
        return target(*own, **mapped(of, kwargs))

    if name == "zeros_like" and isinstance(dtype, torch.dtype) and not dtype.is_complex:
        return part("real")
    real, imag = part("real"), part("imag")
    return Pair(real, imag) if isinstance(real, torch.Tensor) else [Pair(r, i) for r, i in zip(real, imag, strict=True)]


def _rules(torch: ModuleType) -> dict[str, Callable[..., Any]]:
    """The operations on pairs, by name."""

    def pair(value: Operand) -> Any:
        if isinstance(value, Pair):
            return value
        if isinstance(value, complex):
            return Pair(value.real, value.imag)
        return Pair(value, torch.zeros_like(value) if isinstance(value, torch.Tensor) else 0.0)

    def bilinear(product: Callable[[Tensor, Tensor], Tensor], a: Operand, b: Operand) -> Any:
        if not isinstance(a, (Pair, complex)):
            return Pair(product(a, b.real), product(a, b.imag))
        if not isinstance(b, (Pair, complex)):
            return Pair(product(a.real, b), product(a.imag, b))
        return Pair(product(a.real, b.real) - product(a.imag, b.imag), product(a.real, b.imag) + product(a.imag, b.real))

    def product_of(op: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Operand, Operand], Any]:
        return lambda a, b: bilinear(op, a, b)

    multiply = product_of(lambda a, b: a * b)

    def size(a: Pair) -> Tensor:
        return a.real * a.real + a.imag * a.imag

    def divide(a: Operand, b: Operand) -> Any:
        if not isinstance(b, (Pair, complex)):
            return Pair(a.real / b, a.imag / b)
        b = pair(b)
        top = multiply(a, Pair(b.real, -b.imag))
        return Pair(top.real / size(b), top.imag / size(b))

    def power(a: Pair, exponent: float) -> Any:
        if not isinstance(exponent, (int, float)) or exponent != int(exponent) or not 1 <= exponent <= 8:
            raise NotImplementedError(f"a power {exponent} has no form for complex numbers")
        result = a
        for _ in range(int(exponent) - 1):
            result = multiply(result, a)
        return result

    def polar(length: Tensor, angle: Tensor) -> Pair:
        return Pair(length * torch.cos(angle), length * torch.sin(angle))

    def einsum(equation: str, operands: Sequence[Operand], path: object = None) -> Any:
        result = operands[0]
        if len(operands) == 1:
            return Pair(torch.einsum(equation, result.real), torch.einsum(equation, result.imag))
        if len(operands) > 2:
            raise NotImplementedError("einsum of more than two operands has no form for complex numbers")
        return bilinear(lambda a, b: torch.einsum(equation, a, b), *operands)

    def full_like(a: Pair, value: complex, *, dtype: Any = None, **kwargs: object) -> Any:
        if dtype is not None and not dtype.is_complex:
            return torch.full_like(a.real, value, dtype=dtype)
        value = complex(value)
        return Pair(torch.full_like(a.real, value.real), torch.full_like(a.real, value.imag))

    def converted(a: Pair | Tensor, *args: object, **kwargs: object) -> Any:
        kinds = [v for v in (*args, *kwargs.values()) if isinstance(v, torch.dtype)] or [None]
        kind, own = kinds[0], pair(a)
        if kind is not None and not kind.is_complex:
            return own.real.to(kind)
        return own if kind is None else Pair(own.real.to(kind.to_real()), own.imag.to(kind.to_real()))

    def fourier(sign: int, *, to_half: bool = False, from_half: bool = False, dims: int | None = 1) -> Callable[..., Any]:
        def transform(x: Pair | Tensor, n: Sizes = None, dim: Sizes = None, norm: str | None = None) -> Any:
            real = x.real if isinstance(x, Pair) else x
            several = () if n is None else (n,) if isinstance(n, int) else n
            axes = () if dim is None else (dim,) if isinstance(dim, int) else dim
            axes = axes or range(-(dims or len(several) or real.dim()), 0)
            axes = [a % real.dim() for a in axes]
            lengths = several or (None,) * len(axes)
            one, other = (x.real, x.imag) if isinstance(x, Pair) else (x, None)
            steps: list[tuple[int, int | None]] = list(zip(axes, lengths, strict=True))
            for axis, length in steps[::-1] if to_half or not from_half else steps:
                half = axis == axes[-1]
                halves = {"to_half": to_half and half, "from_half": from_half and half}
                one, other = transformed(torch, one, other, axis, length, sign, norm, **halves)
            return one if other is None else Pair(one, other)

        return transform

    def stft(
        x: Tensor,
        n_fft: int,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Tensor | list[float] | None = None,
        normalized: bool = False,
        onesided: bool | None = None,
        return_complex: bool | None = None,
        align_to_window: bool | None = None,
    ) -> Any:
        half = onesided is not False
        result = spectrum(torch, x, n_fft, hop_length or n_fft // 4, win_length or n_fft, window, half, normalized)
        return torch.stack(result, -1) if return_complex is False else Pair(*result)

    def istft(
        x: Pair,
        n_fft: int,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Tensor | list[float] | None = None,
        center: bool = True,
        normalized: bool = False,
        onesided: bool | None = None,
        length: int | None = None,
        return_complex: bool = False,
    ) -> Any:
        if return_complex:
            raise NotImplementedError("a signal of complex numbers has no form")
        real, imag = (part.narrow(-2, 0, n_fft // 2 + 1) for part in (x.real, x.imag))  # PyTorch reads no more
        hop, width = hop_length or n_fft // 4, win_length or n_fft
        return signal(torch, real, imag, n_fft, hop, width, window, center=center, normalized=normalized, count=length)

    rules: dict[str, Callable[..., Any]] = {
        "view_as_complex": lambda x: Pair(x[..., 0], x[..., 1]),
        "view_as_real": lambda z: torch.stack([z.real, z.imag], -1),
        "complex": lambda real, imag: Pair(*torch.broadcast_tensors(real, imag)),
        "polar": polar,
        "real": lambda z: z.real,
        "imag": lambda z: z.imag,
        "abs": lambda z: torch.sqrt(size(z)),
        "angle": lambda z: torch.atan2(z.imag, z.real),
        "conj": lambda z: Pair(z.real, -z.imag),
        "exp": lambda z: polar(torch.exp(z.real), z.imag),
        "mul": multiply,
        "div": divide,
        "reciprocal": lambda z: divide(pair(torch.ones_like(z.real)), z),
        "square": lambda z: multiply(z, z),
        "pow": power,
        "einsum": einsum,
        "matmul": product_of(torch.matmul),
        "mm": product_of(torch.mm),
        "bmm": product_of(torch.bmm),
        "full_like": full_like,
        "_to_copy": converted,
        "prims::convert_element_type": converted,
        "to": converted,
        "stft": stft,
        "istft": istft,
    }
    rules |= {"_conj": rules["conj"], "_conj_physical": rules["conj"], "conj_physical": rules["conj"]}
    rules |= {"resolve_conj": lambda z: z, "resolve_neg": lambda z: z}
    for end, dims in (("", 1), ("2", 2), ("n", None)):
        rules[f"fft_fft{end}"] = fourier(-1, dims=dims)
        rules[f"fft_ifft{end}"] = fourier(1, dims=dims)
        rules[f"fft_rfft{end}"] = fourier(-1, dims=dims, to_half=True)
        rules[f"fft_irfft{end}"] = fourier(1, dims=dims, from_half=True)
        rules[f"fft_ihfft{end}"] = fourier(1, dims=dims, to_half=True)
        rules[f"fft_hfft{end}"] = fourier(-1, dims=dims, from_half=True)
    return rules
