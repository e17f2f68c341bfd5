"""The exception for code that has no form in linalg on tensors."""

from __future__ import annotations

from allo_air.errors import AlloAirError


class NotRaised(AlloAirError):
    """The code here has no form in linalg on tensors."""
