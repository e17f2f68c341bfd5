"""The documentation of dataclass fields: string literals after the fields in the source, which editors show, too.

depth: int = -2 'Parallel loops around those that become herds.'

Python drops such strings when it compiles a class, so they take no time at start-up. This module reads them from the source
on request.
"""

from __future__ import annotations

import ast
import inspect
import textwrap


def of(cls: type) -> dict[str, str]:
    """The sentence below each field of `cls` or of a class that it inherits, on one line; a class without source has none."""
    docs: dict[str, str] = {}
    for owner in reversed(cls.__mro__):
        docs |= _own_docs(owner) if owner is not object else {}
    return docs


def _own_docs(cls: type) -> dict[str, str]:
    try:
        [node] = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError, ValueError):  # made at run time, or its file is gone
        return {}
    if not isinstance(node, ast.ClassDef):
        return {}
    results = {}
    for field, text in zip(node.body, node.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                results[name] = " ".join(words.split())
    return results
