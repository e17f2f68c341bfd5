"""Converts the flags of `allo-opt` to settings: checks after passes, printing, and the contents of a reproducer."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core import renamed
from allo_air.core.ir_printing import IRPrinting
from allo_air.errors import OptionError, UnknownNameError
from allo_air.tools._flags import Parsed

if TYPE_CHECKING:
    from allo_air.core.pipeline import Pipeline
    from allo_air.core.settings import Checker


def checks(parsed: Parsed) -> str:
    """The value of --verify-each: none, stage, verify, level or execute."""
    value = parsed.last("verify-each")
    words = {None: "stage", "": "verify", "1": "verify", "true": "verify", "0": "none", "false": "none"}
    words |= {w: w for w in ("none", "level", "execute")}
    if value not in words:
        raise OptionError(f"'--verify-each={value}': expected 1, level, execute, none or 0")
    return words[value]


def diagnostics(parsed: Parsed) -> str:
    """The value of --verify-diagnostics, all or only-expected; None without the flag."""
    value = parsed.last("verify-diagnostics")
    words = {
        None: "",
        "": "all",
        "1": "all",
        "true": "all",
        "all": "all",
        "0": "",
        "false": "",
        "only-expected": "only-expected",
    }
    if value not in words:
        raise OptionError(f"'--verify-diagnostics={value}': expected all or only-expected")
    return words[value]


def executing(
    parsed: Parsed, tell: Callable[[int, int], None], say: Callable[[str], None]
) -> Callable[[list[tuple[str, float]]], Checker]:
    """Creates the object that executes the module before and after each pass."""
    from allo_air import asm
    from allo_air.interp.verify import Execution
    from allo_air.program.run import executors

    executors.register()
    seed, reproducer = parsed.last("verify-seed") or "0", parsed.last("crash-reproducer")
    if not seed.isdecimal():
        raise OptionError(f"'--verify-seed={seed}': expected a number from 0")
    command = shlex.join(["allo-opt", *_loaded(parsed)])
    path = Path(reproducer) if reproducer else None
    # With a reproducer, which is that of the pass that runs, the module is executed after each one.
    values: dict[str, Any] = {"command": command, "reproducer": path, "later": path is None, "tell": tell}
    return lambda timings: Execution(asm.write, say, int(seed), timings=timings, **values)


def reproducer_arguments(parsed: Parsed) -> tuple[str, ...]:
    """The arguments that a reproducer's command line contains, too."""
    options = _loaded(parsed)
    check_mode = checks(parsed)
    if check_mode != "stage":
        options.append(f"--verify-each={1 if check_mode == 'verify' else check_mode}")
    if check_mode == "execute":
        options.append(f"--verify-seed={parsed.last('verify-seed') or '0'}")
    return tuple(options)


def _loaded(parsed: Parsed) -> list[str]:
    """The arguments that define the input syntax and the available passes."""
    options = [f"--load={f}" for f in parsed.flags.get("load", ())]
    if parsed.on("allow-unregistered-dialect"):
        options.append("--allow-unregistered-dialect")
    if parsed.on("no-implicit-module"):
        options.append("--no-implicit-module")
    return options


def printing(parsed: Parsed) -> dict[str, bool]:
    """The flags about printing, as keywords of `asm.write`."""
    results: dict[str, Any] = {
        "generic": parsed.on("mlir-print-op-generic"),
        "debug_info": parsed.on("mlir-print-debuginfo"),
        "local_scope": parsed.on("mlir-print-local-scope"),
        "pretty_debug_info": parsed.on("mlir-pretty-debuginfo"),
        "skip_regions": parsed.on("mlir-print-skip-regions"),
    }
    for keyword, flag in (
        ("elide_elements", "mlir-elide-elementsattrs-if-larger"),
        ("elide_resources", "mlir-elide-resource-strings-if-larger"),
    ):
        if (value := parsed.last(flag)) is not None:
            if not value.isdecimal():
                raise OptionError(f"'--{flag}={value}': expected a number")
            results[keyword] = int(value)
    return results


def ir_printing(parsed: Parsed, pipeline: Pipeline) -> IRPrinting:
    """The passes before or after which the module is printed."""
    names = {step.name for step in pipeline.steps}
    places: dict[str, frozenset[str]] = {}
    for when in ("before", "after"):
        values = {n for text in parsed.flags.get(f"mlir-print-ir-{when}", ()) for n in text.split(",")}
        pass_names = {n if n in names else renamed.current("pass", n) for n in values}
        if unknown := sorted(pass_names - names):
            raise UnknownNameError("pass of this pipeline", unknown[0], names, f"for --mlir-print-ir-{when}")
        places[when] = frozenset(names if parsed.on(f"mlir-print-ir-{when}-all") else pass_names)
    only_changed = parsed.on("mlir-print-ir-after-change")
    if only_changed and not places["after"]:
        places["after"] = frozenset(names)
    return IRPrinting(places["before"], places["after"], only_changed)
