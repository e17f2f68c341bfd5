"""C++ types of values, from MLIR types, whose integers are signless."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from allo_air.errors import AlloAirError, counted
from allo_air.mlir import ir
from allo_air.target.hls.flavors import Flavor

TAKEN = frozenset(
    """
    and asm auto bool break case char class const continue default delete do double else enum exp extern false
    float for friend goto half hls if inline int j0 j1 jn log long main max min namespace new not operator or
    private public register return short signed sizeof sqrt static std struct switch template this true try
    typedef union unsigned using virtual void volatile while y0 y1 yn
    """.split()  # noqa: SIM905
)
"""Reserved words, which cannot be names of variables or functions."""

_NATIVE = (8, 16, 32, 64)


@dataclass(frozen=True)
class Kind:
    """The type of a number: an integer of `bits` with or without a sign, a float, or an index; fixed-point with `places`."""

    sort: str
    bits: int
    signed: bool = True
    places: int = 0

    @property
    def integral(self) -> bool:
        return self.sort in ("int", "index")

    def text(self, flavor: Flavor) -> str:
        """The name of the type."""
        if self.sort == "index":
            return "int"
        if self.sort == "int":
            return self._integer(flavor)
        if self.sort == "fixed":
            if not flavor.fixed:
                raise AlloAirError(
                    f"target '{flavor.name}' has integers only, found fixed-point numbers of {counted(self.bits, 'bit')}"
                )
            form = flavor.fixed if self.signed else flavor.unsigned_fixed
            return form.format(bits=self.bits, whole=self.bits - self.places)
        if not flavor.floats:
            raise AlloAirError(f"target '{flavor.name}' has integers only, found floats of {counted(self.bits, 'bit')}")
        if self.sort == "brain":
            return flavor.brain
        return {16: flavor.half, 32: "float", 64: "double"}[self.bits]

    def _integer(self, flavor: Flavor) -> str:
        if self.bits == 1:
            return "bool"
        if flavor.native and self.bits in _NATIVE:
            return f"{'' if self.signed else 'u'}int{self.bits}_t"
        return (flavor.integer if self.signed else flavor.unsigned).format(bits=self.bits)

    def raw(self) -> Kind:
        """The integer that holds a fixed-point number."""
        return Kind("int", self.bits, self.signed) if self.sort == "fixed" else self

    def with_sign(self, signed: bool) -> Kind:
        """The integer with this signedness; bits, indices and floats are unchanged."""
        return replace(self, signed=signed) if self.sort == "int" and self.bits > 1 else self


INDEX = Kind("index", 32)


def kind_of(type_: ir.Type, signed: bool = True, places: int = 0) -> Kind:
    """The type of a value, or of a memref's elements."""
    if isinstance(type_, ir.MemRefType):
        type_ = type_.element_type
    if isinstance(type_, ir.IndexType):
        return INDEX
    if isinstance(type_, ir.IntegerType):
        bits = int(type_.width)
        return Kind("fixed" if places else "int", bits, signed and bits > 1, places)
    if isinstance(type_, ir.BF16Type):
        return Kind("brain", 16)
    widths: dict[Any, int] = {ir.F16Type: 16, ir.F32Type: 32, ir.F64Type: 64}
    for each, bits in widths.items():
        if isinstance(type_, each):
            return Kind("float", bits)
    raise AlloAirError(f"there is no type of C++ for values of {type_}")
