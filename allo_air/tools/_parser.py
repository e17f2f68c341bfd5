"""An argparse parser that suggests the nearest option for an unknown one."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

from allo_air.errors import nearest, suggestion

_NEGATIVE = re.compile(r"-\.?\d")


class Parser(argparse.ArgumentParser):
    """A parser that accepts unambiguous prefixes of options and reports an error in one line."""

    elsewhere: Mapping[str, str] = MappingProxyType({})
    """Options of the peers' tools that this tool does not have, each with its replacement."""
    pipeline_options: Callable[[], Sequence[str]] = staticmethod(tuple)
    """The names of options of pipelines, which this tool takes with --option."""
    one_dash = False
    """Whether a long option may have a single dash and an optional value follows `=`, as in LLVM's tools."""

    def parse_args(self, args: Sequence[str] | None = None, namespace: object = None) -> Any:  # type: ignore[override]
        """Like argparse's method, but reports an unknown option before a missing argument: a misspelled option can cause
        both.
        """
        values = [self._with_dashes(word) for word in (sys.argv[1:] if args is None else args)]
        for word in values[: values.index("--")] if "--" in values else values:
            name = word.partition("=")[0]
            if name.startswith("--") and not any(option.startswith(name) for option in self._option_string_actions):
                if name[2:] in self.elsewhere:
                    self.error(f"there is no option '{name}': {self.elsewhere[name[2:]]}")
                self.error(f"unknown option '{name}'{suggestion(self._near(name))}")
        return super().parse_args(self._with_values(values), namespace)

    def _near(self, name: str) -> tuple[str, ...]:
        """The options that an unknown `name` may mean: an option of a pipeline, if this tool has no such option."""
        texts = {f"--{option}": f"--option {option}=VALUE" for option in self.pipeline_options()}
        own = {option: option for option in self._option_string_actions if option.startswith("--")}
        near = nearest(name, texts | own)
        of_tool = tuple(option for option in near if option in own)
        return of_tool if near[:1] == of_tool[:1] else tuple(texts[option] for option in near if option not in own)

    def _with_dashes(self, word: str) -> str:
        if not self.one_dash:
            return word
        if f"-{word.partition('=')[0]}" in self._option_string_actions:
            word = f"-{word}"
        option = self._option_string_actions.get(word)
        return f"{word}={option.const}" if option is not None and option.nargs == "?" else word

    def _with_values(self, words: Sequence[str]) -> list[str]:
        """Joins `--shape -1x4` to `--shape=-1x4`, since argparse would take the value for an option."""
        results: list[str] = []
        for word in words:
            last = self._option_string_actions.get(results[-1]) if results else None
            if last is not None and last.option_strings[-1].startswith("--") and last.nargs is None and _NEGATIVE.match(word):
                results[-1] += f"={word}"
            else:
                results.append(word)
        return results

    def error(self, message: str) -> NoReturn:
        """Prints the error and exits with 2, the code for an error on the command line."""
        self.exit(2, f"error: {message} ({self.prog} --help lists all)\n")
