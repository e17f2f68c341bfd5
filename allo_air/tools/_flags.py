"""Parses the command line of an `*-opt` tool: flags that are declared, and passes. Every other `--NAME[=OPTIONS]` is a pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from allo_air.errors import OptionError

Value = Literal["none", "required", "optional", "bool"]


@dataclass(frozen=True)
class Flag:
    """A flag with its other spellings.

    `repeats` allows it more than once; `completes` or `choices` are the values that a shell completes. `instead` is an error
    text for a value that the flag does not accept; `{}` in it is replaced by the value.
    """

    name: str
    value: Value
    help: str
    metavar: str = ""
    aliases: tuple[str, ...] = ()
    repeats: bool = False
    completes: Literal["", "file", "directory", "pass", "pipeline", "shell"] = ""
    choices: tuple[str, ...] = ()
    instead: str = ""

    @property
    def spelling(self) -> str:
        """The flag as a user writes it."""
        dashes = "-" if len(self.name) == 1 else "--"
        shown = {"none": "", "required": f"={self.metavar}", "optional": f"[={self.metavar}]", "bool": "[=0|1]"}[self.value]
        return dashes + self.name + (f" {self.metavar}" if len(self.name) == 1 and self.value != "none" else shown)


@dataclass(frozen=True)
class Parsed:
    """A parsed command line: the values of each flag ("" for a flag without value), and the passes and pipelines in `order`,
    each as (kind, name or text, options).
    """

    flags: dict[str, list[str]]
    order: list[tuple[str, str, str]]
    files: list[str]

    def last(self, name: str) -> str | None:
        """The last value of flag `name`."""
        return self.flags[name][-1] if name in self.flags else None

    def on(self, name: str, default: bool = False) -> bool:
        """The value of a flag that is on or off."""
        value = self.last(name)
        return default if value is None else value in ("", "1", "true")


def parse(arguments: Sequence[str], flags: Sequence[Flag], ordered: Sequence[str]) -> Parsed:
    """Splits `arguments` into flags, files, and the sequence of passes and `ordered` flags."""
    flags_by_name = {spelling: f for f in flags for spelling in (f.name, *f.aliases)}
    parsed = Parsed({}, [], [])
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            parsed.files.extend(rest)
            break
        if argument == "-" or not argument.startswith("-"):
            parsed.files.append(argument)
            continue
        name, has_value, value = argument.lstrip("-").partition("=")
        flag = flags_by_name.get(name)
        if not name:
            raise OptionError(f"'{argument}' is neither a flag nor a file")
        if flag is None:
            parsed.order.append(("pass", name, value))
            continue
        value = _value(flag, argument, value if has_value else None, rest)
        if flag.name in ordered:
            parsed.order.append((flag.name, value, ""))
        elif flag.name in parsed.flags and not flag.repeats and parsed.flags[flag.name] != [value]:
            raise OptionError(f"'{flag.spelling}' is given twice, with different values")
        else:
            parsed.flags.setdefault(flag.name, []).append(value)
    return parsed


def _value(flag: Flag, argument: str, value: str | None, rest: list[str]) -> str:
    if flag.value == "required":
        if value is None and rest:
            value = rest.pop(0)
        if not value:
            raise OptionError(f"'{argument}' needs a value: {flag.spelling}")
        return value
    if flag.value == "optional" or value is None:
        return value or ""
    if value not in ("0", "1", "true", "false"):
        hint = f"; {flag.instead.format(value)}" if flag.instead else ""
        raise OptionError(f"'{argument}': expected {flag.spelling}{hint}")
    return value


def usage(tool: str, what: str, flags: Sequence[Flag]) -> str:
    """The text of `--help`."""
    width = max(len(s) for f in flags for s in (f.spelling, *(f"--{a}" for a in f.aliases))) + 2
    rows = [f"  {f.spelling:{width}}{f.help}" for f in flags]
    also = [f"  {'--' + a:{width}}same as --{f.name}" for f in flags for a in f.aliases if len(a) > 1]
    head = f"usage: {tool} [file|-] [-o FILE] [--PASS[=OPTIONS]]... [flags]\n\n{what}\n\n"
    head += "--PASS runs a pass of that name, in the order given: --cse --air-par-to-herd=depth=1 --canonicalize\n"
    return "\n".join([head, "flags (a single dash works, too):", *sorted(rows + also), ""])
