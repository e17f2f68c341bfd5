"""Converts sorts of torch-mlir's dialect tm_tensor (sort, argsort, topk) to linalg.generic on text.

The position of an element is the number of elements that precede it in the result. Two reductions over an additional loop
compute the positions, and then the element at each position; their work grows with the square of the length. Equal elements
keep their order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from allo_air.asm.earlier import LONGEST_SORT

_TENSOR = re.compile(r"tensor<((?:\d+x)+)([a-z]+\d+)>")
_SORT = re.compile(
    r"(%[\w$.-]+)(?::\d+)?\s*=\s*tm_tensor\.sort\s+dimension\((\d+)\)\s*"
    r"outs\(([^:)]*):([^)]*)\)\s*\{\s*\^\w+\(([^)]*)\)\s*:"
)
_BODY = re.compile(
    r"(.*?)tm_tensor\.yield\s+(%[\w$.#-]+)\s*:\s*i1\s*\}\s*->\s*(tensor<[^<>]*>(?:\s*,\s*tensor<[^<>]*>)*)", re.DOTALL
)
_ORDER = re.compile(r"(%[\w$.-]+)\s*=\s*arith\.cmpf\s+o([lg])[et]\s*,\s*(%[\w$.-]+)\s*,\s*(%[\w$.-]+)\s*:\s*(\w+)")


def edits(text: str) -> list[tuple[int, int, str]]:
    """The replacements of all sorts in `text`: from offset, to offset, new text."""
    results = []
    for match in _SORT.finditer(text):
        body = _BODY.match(text, match.end())
        name, dim, values, kinds, arguments = match.groups()
        shapes = _TENSOR.findall(kinds)
        if body is None or len(shapes) != len(values.split(",")) or int(shapes[0][0].split("x")[int(dim)]) > LONGEST_SORT:
            continue
        names = [a.split(":")[0].strip() for a in arguments.split(",")]
        sort = _Sort(
            f"%sort_{match.start()}", int(dim), shapes[0][0], [v.strip() for v in values.split(",")], [e for _, e in shapes]
        )
        places = sort.places(list(zip(names[::2], names[1::2], strict=True)), body[1], body[2])
        results.append((match.start(), body.end(), f"{places} {sort.elements_by_place(name)}"))
    return results


@dataclass(frozen=True)
class _Sort:
    """A sort along `dim` of tensors of one shape ("4x9x") whose elements at one position are moved together; `own` is a
    prefix of names.
    """

    own: str
    dim: int
    shape: str
    values: list[str]
    elements: list[str]

    @property
    def rank(self) -> int:
        return self.shape.count("x")

    def map(self, instead: str) -> str:
        """The map of an operand with the sorted loop replaced by another one."""
        loops = ", ".join(f"d{n}" for n in range(self.rank + 1))
        return f"affine_map<({loops}) -> ({', '.join(instead if n == self.dim else f'd{n}' for n in range(self.rank))})>"

    def places(self, names: list[tuple[str, str]], body: str, goes_before: str) -> str:
        """The number of elements, along an additional loop, that precede each element.

        The comparison tests whether an element and a later one keep their order; `names` are its arguments.
        """
        own = self.own
        used = [n for n, pair in enumerate(names) if any(re.search(rf"{re.escape(a)}\b", body) for a in pair)]
        inputs = [self.values[n] for n in used] * 2
        types = [f"tensor<{self.shape}{self.elements[n]}>" for n in used] * 2
        here, there = self.map(f"d{self.dim}"), self.map(f"d{self.rank}")
        arguments = [f"{own}_{side}{n}: {self.elements[n]}" for side in "ij" for n in used]
        lines = [
            self._filled("n", "i32", "0"),
            f"{own}_p = linalg.generic {{indexing_maps = [{', '.join([here] * len(used) + [there] * len(used) + [here])}],"
            f" iterator_types = [{self._iterators()}]}} ins({', '.join(inputs)} : {', '.join(types)})"
            f" outs({own}_fn : tensor<{self.shape}i32>) {{ ^bb0({', '.join([*arguments, f'{own}_c: i32'])}):",
            f"{own}_i = linalg.index {self.dim} : index {own}_j = linalg.index {self.rank} : index",
            f"{own}_b = arith.cmpi ult, {own}_j, {own}_i : index",
        ]
        for n in used:
            first, second = names[n]
            lines += [
                f"{first} = arith.select {own}_b, {own}_j{n}, {own}_i{n} : {self.elements[n]}",
                f"{second} = arith.select {own}_b, {own}_i{n}, {own}_j{n} : {self.elements[n]}",
            ]
        lines += [
            body,
            f"{own}_t = arith.constant true {self._keeps(body, goes_before)}",
            f"{own}_x = arith.xori {own}_k, {own}_t : i1 {own}_y = arith.select {own}_b, {own}_k, {own}_x : i1",
            f"{own}_o = arith.cmpi ne, {own}_i, {own}_j : index {own}_a = arith.andi {own}_y, {own}_o : i1",
            f"{own}_m = arith.extui {own}_a : i1 to i32 {own}_s = arith.addi {own}_c, {own}_m : i32",
            f"linalg.yield {own}_s : i32 }} -> tensor<{self.shape}i32>",
        ]
        return " ".join(lines)

    def elements_by_place(self, name: str) -> str:
        """For each position, the element with this position."""
        own, numbers = self.own, range(len(self.values))
        types = [f"tensor<{self.shape}{e}>" for e in self.elements]
        here, there = self.map(f"d{self.dim}"), self.map(f"d{self.rank}")
        arguments = [f"{own}_{side}{n}: {self.elements[n]}" for side in "vo" for n in numbers]
        arguments.insert(len(numbers), f"{own}_q: i32")
        several = f"({', '.join(types)})" if len(types) > 1 else types[0]
        lines = [self._filled(str(n), e, "0" if e[0] == "i" else "0.0") for n, e in enumerate(self.elements)]
        lines += [
            f"{name}{f':{len(types)}' if len(types) > 1 else ''} = linalg.generic {{indexing_maps ="
            f" [{', '.join([there] * (len(types) + 1) + [here] * len(types))}], iterator_types = [{self._iterators()}]}}"
            f" ins({', '.join([*self.values, f'{own}_p'])} : {', '.join([*types, f'tensor<{self.shape}i32>'])})"
            f" outs({', '.join(f'{own}_f{n}' for n in numbers)} : {', '.join(types)}) {{ ^bb0({', '.join(arguments)}):",
            f"{own}_r = linalg.index {self.dim} : index {own}_w = arith.index_cast {own}_r : index to i32",
            f"{own}_h = arith.cmpi eq, {own}_w, {own}_q : i32",
            *(f"{own}_u{n} = arith.select {own}_h, {own}_v{n}, {own}_o{n} : {e}" for n, e in enumerate(self.elements)),
            f"linalg.yield {', '.join(f'{own}_u{n}' for n in numbers)} : {', '.join(self.elements)} }} -> {several}",
        ]
        return " ".join(lines)

    def _iterators(self) -> str:
        return ", ".join(['"parallel"'] * self.rank + ['"reduction"'])

    def _filled(self, name: str, element: str, number: str) -> str:
        own, kind = self.own, f"tensor<{self.shape}{element}>"
        return (
            f"{own}_z{name} = arith.constant {number} : {element} {own}_e{name} = tensor.empty() : {kind}"
            f" {own}_f{name} = linalg.fill ins({own}_z{name} : {element}) outs({own}_e{name} : {kind}) -> {kind}"
        )

    def _keeps(self, body: str, value: str) -> str:
        """Whether the two elements keep their order. NaN is the greatest number, as in PyTorch, so that each element has one
        position.
        """
        order = next((m for m in _ORDER.finditer(body) if m[1] == value), None)
        if order is None:
            return f"{self.own}_k = arith.ori {value}, {value} : i1"
        greatest = order[3] if order[2] == "g" else order[4]
        return (
            f"{self.own}_l = arith.cmpf uno, {greatest}, {greatest} : {order[5]}"
            f" {self.own}_k = arith.ori {value}, {self.own}_l : i1"
        )
