"""`Kernel` and `ExternalFunction`: functions in object files, or in C++ files that are compiled for the simulator."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from allo_air.aie.building.arrays import ArrayType, array_type, is_array_type, mlir_type, scalar_element
from allo_air.aie.building.errors import IronTypeError, IronValueError, user_place
from allo_air.aie.building.functions import called, external_func
from allo_air.aie.building.scope import before_here, device_block, located, require
from allo_air.aie.building.values import Memory, cast, value_of, wrapped
from allo_air.aie.iron.modules import kernels_of_design
from allo_air.errors import counted
from allo_air.mlir import memref


class Kernel:
    """The function `name` of an object file, with the types of its arguments."""

    def __init__(
        self, name: str, object_file_name: str | None = None, arg_types: Sequence[object] | None = None,
        *, link_with_mode: str | None = None, bin_name: str | None = None,
    ):  # fmt: skip
        object_file_name = bin_name or object_file_name  # its name in 2025
        if link_with_mode not in (None, "merge"):
            raise IronValueError(f"Kernel '{name}': link_with_mode is {link_with_mode!r}; there is \"merge\"")
        self.link_with_mode = link_with_mode
        self.name, self.object_file_name = name, object_file_name or f"{name}.o"
        self._types = [_type(t, name) for t in arg_types or ()]
        self.place = user_place()

    def arg_types(self) -> list[Any]:
        """The types of its arguments."""
        return list(self._types)

    def arg_shape(self, index: int = 0) -> tuple[int, ...]:
        """The shape of array argument `arg_index`."""
        return self._array(index).shape

    def arg_dtype(self, index: int = 0) -> Any:
        """The numpy dtype of array argument `arg_index`."""
        return self._array(index).dtype

    def tile_size(self, index: int = 0) -> int:
        """The outermost extent of array argument `arg_index`."""
        return self._array(index).shape[0]

    def _array(self, index: int) -> ArrayType:
        array = self._types[index]
        if not isinstance(array, ArrayType):
            raise IronTypeError(f"{type(self).__name__} '{self.name}': argument {index} is not an array")
        return array

    def simulated(self) -> object | None:
        """The simulator's replacement of the function; None if the program's folder is searched for its source."""
        return None

    def build(self) -> Any:
        """Its declaration in the enclosing device, which is built if it does not exist yet."""
        if (result := self.simulated()) is not None:
            kernels_of_design()[self.name] = result
        kinds = [mlir_type(k, self.name) for k in self._types]
        for op in device_block().operations:
            if op.operation.name == "func.func" and op.name.value == self.name:
                if list(op.type.inputs) != kinds:
                    raise IronTypeError(f"{type(self).__name__} '{self.name}' is declared with other types before")
                return op
        with before_here():
            return external_func(
                self.name, kinds, link_with=self.object_file_name, link_with_mode=self.link_with_mode, loc=located(self.place)
            ).op

    def __call__(self, *arguments: object) -> None:
        """Calls it in a core."""
        require(f"a call of {type(self).__name__} '{self.name}'", "core")
        if len(arguments) != len(self._types):
            raise IronValueError(
                f"{type(self).__name__} '{self.name}' is called with "
                f"{counted(len(arguments), 'argument')}, and has {len(self._types)}"
            )
        called(self.build(), [self._passed(value, kind) for value, kind in zip(arguments, self._types, strict=True)])

    def _passed(self, argument: object, kind: ArrayType | str) -> Any:
        if isinstance(kind, str):
            return cast(argument, kind)
        memory = wrapped(value_of(argument))
        if not isinstance(memory, Memory):
            raise IronTypeError(
                f"{type(self).__name__} '{self.name}': {type(argument).__name__} for an argument of {kind.memref}"
            )
        here = memory.array
        kind = kind.stored
        if here == kind:
            return memory
        if here.element != kind.element or here.size != kind.size:
            raise IronTypeError(f"{type(self).__name__} '{self.name}': a buffer {here.memref} for an argument of {kind.memref}")
        return self._reshaped(memory, kind)

    def _reshaped(self, memory: Memory, kind: ArrayType) -> Any:
        """`memory` in another shape with as many elements: flat, then with the shape of `kind`."""
        result: Any = memory
        if len(memory.array.shape) != 1:
            flat = replace(memory.array, shape=(kind.size,))
            result = memref.collapse_shape(mlir_type(flat, self.name), result, [list(range(len(memory.array.shape)))])
        if len(kind.shape) != 1:
            groups, shape = [list(range(len(kind.shape)))], list(kind.shape)
            result = memref.expand_shape(mlir_type(kind, self.name), result, groups, [], shape)
        return result


class ExternalFunction(Kernel):
    """A function in C++, from a file or a string, that is compiled together with the design."""

    def __init__(
        self, name: str, object_file_name: str | None = None, source_file: str | None = None, source_string: str | None = None,
        arg_types: Sequence[object] | None = None, include_dirs: Sequence[str] | None = None,
        compile_flags: Sequence[str] | None = None, *, symbol_prefix: str | None = None, use_chess: bool = False,
        inline: bool = False,
    ):  # fmt: skip
        self.written_as, self.symbol_prefix = name, symbol_prefix
        name = f"{symbol_prefix or ''}{name}"
        file = object_file_name or (f"{name}.ll" if inline else None)
        super().__init__(name, file, arg_types, link_with_mode="merge" if inline else None)
        if (source_file is None) == (source_string is None):
            raise IronValueError(f"ExternalFunction '{name}' needs source_file or source_string, one of them")
        self.use_chess = use_chess  # the compiler that an NPU's tools use
        self.source_file, self.source_string = source_file, source_string
        self.include_dirs, self.compile_flags = list(include_dirs or ()), list(compile_flags or ())

    def simulated(self) -> object:
        """The C++ file with its macros and folders."""
        from allo_air.aie_api.kernel import CppKernel

        path = self.source_file or self._write_source()
        defines: dict[str, object] = {self.written_as: self.name} if self.symbol_prefix else {}
        includes = list(self.include_dirs)
        for flag in self.compile_flags:
            if flag.startswith("-D"):
                macro, _, value = flag[2:].partition("=")
                defines[macro] = value or None
            elif flag.startswith("-I"):
                includes.append(flag[2:])
        return CppKernel(path, defines, includes)

    def _write_source(self) -> str:
        """Writes the source string to a file that is named by its content."""
        text = self.source_string or ""
        folder = Path(tempfile.gettempdir()) / "allo_air_iron"
        folder.mkdir(exist_ok=True)
        path = folder / f"{self.name}_{hashlib.sha256(text.encode()).hexdigest()[:12]}.cc"
        path.write_text(text)
        return str(path)


BaseKernel = Kernel
"""The common base class of `Kernel` and `ExternalFunction`, with the original's name."""


def _type(annotation: object, name: str) -> ArrayType | str:
    if (element := scalar_element(annotation)) is not None:
        return element.removeprefix("u")  # arith makes no unsigned constants
    if is_array_type(annotation):
        return array_type(annotation, f"kernel '{name}'")
    raise IronTypeError(f"kernel '{name}': {annotation!r} is not an array type and no numpy scalar type")
