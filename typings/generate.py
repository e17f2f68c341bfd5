"""Writes the stubs of the bindings' core, `make stubs`: nanobind's generator, and what its text gets wrong put right.

An attribute or a type comes out of the bindings as its own class, which no stub can know: where one is read it is `Any`.
An operation is a view of its own class, whose accessors are made from its definition: on the base class each of them is `Any`.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from nanobind.stubgen import StubGen

CORE = "torch_mlir._mlir_libs._mlir"
HERE = Path(__file__).parent
CORRECTIONS = (
    (r"^import _mlir\.ir\n|^import torch_mlir.*\n|^from torch_mlir._mlir_libs import Context.*\n", ""),
    (r"\b(torch_mlir\._mlir_libs\.)?_mlir\.ir\.|torch_mlir\.ir\.", "ir."),
    (r"( +@\w+\n)? +def _(CAPI|testing)\w+\(.*\n\n?", ""),
    (r"(?<=\) -> )(Type|Attribute)( \| None)?:", "Any:"),  # whichever class it is
    (r"(?<=-> )list\[(Type|Attribute|object)\]", "list[Any]"),
    (r"tuple\[str, Attribute\]", "tuple[str, Any]"),
    (r"(?<=\(self\) -> )list(?= \| None:|:)", "list[Any]"),
    (r"(?<=def opview\(self\) -> )OpView", "Any"),  # the operation's own class
    (r"^class OpView\(.*:\n", r"\g<0>    def __getattr__(self, name: str) -> Any: ...\n"),
    (r"(?<=def parent\(self\) -> )Operation \| None", "Operation | Any"),  # None for a module only
    (r"(?<=def owner\(self\) -> )OpView \| Block", "Any"),
    (r"dict\[str, Attribute\]", "Mapping[str, Attribute]"),
    (r"Sequence\[(Type|Value|Attribute)\] \| None", r"Iterable[\1] | None"),
    (r"Sequence(?= \| None|, context|\))", "Sequence[Any]"),
    (r"(?<=: )Callable(?!\[)", "Callable[..., Any]"),
    (r"\*(args|arg_types|ops|dialects)(?=[,)])", r"*\1: Any"),
    (r"def __eq__\(self, other: Module\)", "def __eq__(self, other: object)"),
    (r"( *)@overload\n *def __eq__\(self, arg: \w+, /\) -> bool: \.\.\.\n\n *@overload\n", ""),
    (r"class DynamicOpTrait:\n.*\n.*attach.*", "class DynamicOpTrait:\n    attach: Any"),
    (r"class (\w+)\(Sequence\[(Value|OpResult)\], Generic\[_T\]\)", r"class \1(Sequence[\2[_T]], Generic[_T])"),
    (
        r"( +)def __getitem__\(self, key, /\): \.\.\.\s+def __len__\(self, /\): \.\.\.\s+def __add__\(.*-> list\[(\w+)\].*",
        r"\1@overload\n\1def __getitem__(self, key: int, /) -> \2: ...\n\n"
        r"\1@overload\n\1def __getitem__(self, key: slice, /) -> Self: ...\n\n"
        r"\1def __len__(self) -> int: ...\n\n\1def __add__(self, arg: Iterable[\2], /) -> list[\2]: ...",
    ),
    (r"(?<=def )get_asm\((.*)\) -> object", r"get_asm(\1) -> str"),
    (r"(?<=type: )_T\)", "Type) -> None"),
    (r"Mapping\[str, Attribute\] = \{\}", "Mapping[str, Attribute] = ..."),
    (r"class DenseElementsAttr.*", r"\g<0>\n    def __iter__(self) -> Iterator[Any]: ..."),
    (r"^(class \w+.*:)\n+(?=\S)", r"\1 ...\n\n"),  # only private members
    (r"\n\n+(?= )", "\n"),
    (r"\n\n\n+", "\n\n"),
    (r"^class Operation\(", "class Context(_BaseContext): ...\n\nclass Operation("),
)
HEADER = "# Written by typings/generate.py.\nfrom collections.abc import Iterable, Mapping\nfrom typing import Any\n"


def stub(module: str) -> str:
    """The stub of extension module `module`."""
    writer = StubGen(importlib.import_module(module), include_private=True, include_docstrings=False, quiet=True)
    writer.put(writer.module)
    text = writer.get()
    for pattern, replacement in CORRECTIONS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    inside = "" if module.endswith(".ir") else f"from {CORE} import ir\n"
    return (
        HEADER + inside + (text.replace("ir.Context", "Context").replace(" ir.Location", " Location") if not inside else text)
    )


if __name__ == "__main__":
    folder = HERE / CORE.replace(".", "/")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("ir", "passmanager", "rewrite"):
        (folder / f"{name}.pyi").write_text(stub(f"{CORE}.{name}"))
    (folder / "__init__.pyi").write_text(stub(CORE))
