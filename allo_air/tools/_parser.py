"""Command lines of the tools for programs: argparse's, which offers the nearest option for one that does not exist."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

from allo_air.errors import nearest, suggestion


class Parser(argparse.ArgumentParser):
    """Options may be cut short as far as one alone begins so; what is wrong is said in one line, in the words of all tools."""

    elsewhere: Mapping[str, str] = MappingProxyType({})
    """Options of the peers' tools that there are not, each with what to use instead."""

    def parse_args(self, args: Sequence[str] | None = None, namespace: object = None) -> Any:  # type: ignore[override]
        """As argparse's; an unknown option is told before a missing argument, which it may have been meant to be."""
        values = list(sys.argv[1:] if args is None else args)
        for word in values[: values.index("--")] if "--" in values else values:
            name = word.partition("=")[0]
            if name.startswith("--") and not any(option.startswith(name) for option in self._option_string_actions):
                if name[2:] in self.elsewhere:
                    self.error(f"there is no option '{name}': {self.elsewhere[name[2:]]}")
                offered = suggestion(nearest(name, [o for o in self._option_string_actions if o.startswith("--")]))
                self.error(f"unknown option '{name}'{offered}")
        return super().parse_args(values, namespace)

    def error(self, message: str) -> NoReturn:
        """Ends the tool, with 2 for an error on the command line."""
        self.exit(2, f"error: {message} ({self.prog} --help lists all)\n")
