"""`Token`, the result of transfers, and `wait`. Pass `air-dependency` derives the order of operations later."""

from __future__ import annotations

from allo_air.air.api.errors import TypeError

__all__ = ["Token", "wait"]


class Token:
    """A token without information: transfers and uses of buffers are ordered by their memory effects."""

    def __repr__(self) -> str:
        return "token"


def wait(*tokens: object) -> Token:
    """A token for `tokens`, which are checked."""
    check_dependency(list(tokens), "wait")
    return Token()


def check_dependency(dependency: object, who: str) -> None:
    """TypeError unless `dependency` is None, a token, or a list of tokens."""
    if dependency is None:
        return
    for each in dependency if isinstance(dependency, list | tuple) else [dependency]:
        if not isinstance(each, Token):
            raise TypeError(f"{who}: a dependency is a token or a list of tokens, got {type(each).__name__}")
