"""Compile-time conditions and loops of kernels, under the module name that Allo's programs import.

The module itself can be called, like `allo_air.template`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from allo_air.frontend.dsl import meta_elif, meta_else, meta_for, meta_if
from allo_air.frontend.templates import template

__all__ = ["meta_elif", "meta_else", "meta_for", "meta_if", "template"]


class _Callable(ModuleType):
    """Makes the module callable: importing it replaces the function of the same name in the package."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return template(*args, **options)


sys.modules[__name__].__class__ = _Callable
