"""Types by short names, for the scalars of cores: `T.i32()`."""

from __future__ import annotations

from collections.abc import Callable


def _named(name: str) -> Callable[[], str]:
    def get() -> str:
        return name

    get.__name__, get.__doc__ = name, f"`{name}`."
    return get


i1, i8, i16, i32, i64, bf16, f16, f32, index = map(_named, ("i1", "i8", "i16", "i32", "i64", "bf16", "f16", "f32", "index"))
bool = i1
