"""Contexts that are used again: making one, and loading our dialects into it, takes 16 ms."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from typing import cast

from allo_air.mlir import ir, new_context

_CONTEXTS = 4
"""Contexts that wait or are in use; more of them are made and not used again."""
_USES = 16
"""Uses of one context: what it has uniqued, types, attributes and locations, goes when it goes."""
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
    """A context as `new_context` makes it, or one of those that nothing refers to any more, to read `text` in.

    It knows MLIR's dialects and ours only. It has read no resources, whose names MLIR makes unique in a context. Who declares
    operations in it says so with `retire`; who hands it to a user makes a new one.
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
