"""Contexts that are used again: making one, and loading our dialects into it, takes 16 ms."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from typing import cast

from allo_air.mlir import ir, new_context

_CONTEXTS = 4
"""Largest number of cached contexts, used and unused; further ones are not reused."""
_USES = 16
"""Number of uses after which a context is dropped: a context keeps every type, attribute and location that it has uniqued."""
_LARGE = 1 << 20
"""Bytes of a text whose constants should go with its context."""


@dataclass
class _Entry:
    context: ir.Context
    for_kernel: bool
    uses: int = 1

    def is_free(self) -> bool:
        """Whether no module, type or attribute refers to the context: each of them counts as a reference to its object."""
        return self.references() == _UNUSED

    def references(self) -> int:
        return sys.getrefcount(self.context)


_UNUSED = _Entry(cast(ir.Context, object()), for_kernel=False).references()

_lock = threading.Lock()
_entries: list[_Entry] = []


def reused_context(text: str | bytes = "", *, for_kernel: bool = False) -> ir.Context:
    """Returns a context like that of `new_context` for reading `text`, if possible a context that no other object refers to
    any more.

    The context knows only MLIR's dialects and ours, and has read no resources: MLIR makes their names unique within a
    context. Code that declares operations in it must call `retire`; code that returns it to the user must create a new one.
    """
    if len(text) > _LARGE or (isinstance(text, str) and "dense_resource" in text):
        return new_context(for_kernel=for_kernel)
    with _lock:
        for entry in _entries:
            if entry.for_kernel == for_kernel and entry.is_free():
                entry.uses += 1
                if entry.uses == _USES:
                    _entries.remove(entry)
                entry.context.allow_unregistered_dialects = False
                return entry.context
        entry = _Entry(new_context(for_kernel=for_kernel), for_kernel)
        _entries.append(entry)
        del _entries[:-_CONTEXTS]
        return entry.context


def retire(context: ir.Context) -> None:
    """Prevents other users from using this context, since something was declared in it that they must not see."""
    with _lock:
        _entries[:] = [entry for entry in _entries if entry.context is not context]


def retire_all() -> None:
    """Prevents the use of all existing contexts, whose dialects lack a later declaration."""
    with _lock:
        _entries.clear()
