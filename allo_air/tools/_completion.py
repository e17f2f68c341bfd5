"""Shell completion scripts, generated from the flags and the names of passes and pipelines."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from allo_air.errors import OptionError
from allo_air.tools._flags import Flag

SHELLS = ("bash", "zsh", "fish")


def add_to(parser: argparse.ArgumentParser, offers: Callable[[], Mapping[str, Sequence[str]]] = dict) -> None:
    """Adds the option --print-completion. `offers` maps options to their values; its key "" has the values that may replace a
    file.
    """

    class Print(argparse.Action):
        def __call__(self, _: object, namespace: object, values: object, option: str | None = None) -> None:
            words = offers()
            flags = [_flag(action, words) for action in parser._actions if action.option_strings]
            print(script(str(values), parser.prog, flags, (), (), words.get("", ())), end="")
            parser.exit()

    parser.add_argument("--print-completion", action=Print, choices=SHELLS, help="print a completion script for a shell")


def _flag(action: argparse.Action, offers: Mapping[str, Sequence[str]]) -> Flag:
    """Converts an option of argparse to a Flag."""
    *aliases, name = sorted((o.lstrip("-") for o in action.option_strings), key=len)
    kind = str(action.metavar or "")
    files: dict[str, Any] = {"FILE": "file", "DIR": "directory"}
    completes: Any = next((c for k, c in files.items() if k in kind), "")
    choices = tuple(map(str, action.choices or offers.get(name, ())))
    value: Any = "none" if action.nargs == 0 else "required"
    return Flag(name, value, action.help or "", kind, tuple(aliases), completes=completes, choices=choices)


def script(
    shell: str,
    tool: str,
    flags: Sequence[Flag],
    passes: Sequence[str],
    pipelines: Sequence[str],
    targets: Sequence[str] = (),
) -> str:
    """Returns the completion script of `tool` for `shell`; in bash, `source <(tool --print-completion bash)` installs it.

    `passes` are completed as flags, `targets` wherever a file is expected.
    """
    if shell not in SHELLS:
        raise OptionError(f"no completion for shell '{shell}', expected one of {', '.join(SHELLS)}")
    if shell == "fish":
        return _fish(tool, flags, passes, pipelines, targets)
    body = _bash(tool, flags, passes, pipelines, targets)
    return body if shell == "bash" else f"#compdef {tool}\nautoload -U +X bashcompinit && bashcompinit\n{body}"


def _completed_words(flag: Flag, passes: Sequence[str], pipelines: Sequence[str]) -> Sequence[str]:
    return flag.choices or {"pass": passes, "pipeline": pipelines, "shell": SHELLS}.get(flag.completes, ())


def _bash(tool: str, flags: Sequence[Flag], passes: Sequence[str], pipelines: Sequence[str], targets: Sequence[str]) -> str:
    """The script for bash, which splits words at `=`: the flag of a value is one or two words earlier."""
    function = "_" + tool.replace("-", "_")
    names = [f"--{f.name}{'=' if f.value == 'required' else ''}" for f in flags if len(f.name) > 1]
    cases = []
    for f in flags:
        words, label = _completed_words(f, passes, pipelines), "-o" if f.name == "o" else f"--{f.name}"
        if words:
            cases.append(f"""    {label}) COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$cur")); return ;;""")
        elif f.completes in ("file", "directory"):
            action = {"file": "-f", "directory": "-d"}[f.completes]
            cases.append(f'    {label}) COMPREPLY=($(compgen {action} -- "$cur")); return ;;')
    return "\n".join(
        [
            f"{function}() {{",
            '  local cur="${COMP_WORDS[COMP_CWORD]}" flag="${COMP_WORDS[COMP_CWORD-1]}"',
            '  if [[ "$cur" == "=" ]]; then cur=""; elif [[ "$flag" == "=" ]]; then flag="${COMP_WORDS[COMP_CWORD-2]}"; fi',
            '  if [[ "$cur" == --*=* ]]; then flag="${cur%%=*}"; cur="${cur#*=}"; fi',
            '  case "$flag" in',
            *cases,
            "  esac",
            '  if [[ "$cur" == -* ]]; then',
            f'    COMPREPLY=($(compgen -W "{" ".join([*names, *("--" + p for p in passes)])}" -- "$cur"))',
            '    [[ "${COMPREPLY[0]:-}" == *= ]] && type compopt >/dev/null 2>&1 && compopt -o nospace',
            "  else",
            f'    COMPREPLY=($(compgen -W "{" ".join(targets)}" -- "$cur") $(compgen -f -- "$cur"))',
            "  fi",
            "}",
            f"complete -o filenames -F {function} {tool}",
            "",
        ]
    )


def _fish(tool: str, flags: Sequence[Flag], passes: Sequence[str], pipelines: Sequence[str], targets: Sequence[str]) -> str:
    lines = [f"complete -c {tool} -a '{' '.join(targets)}'"] if targets else []
    for f in flags:
        words = _completed_words(f, passes, pipelines)
        name = f"-s {f.name}" if len(f.name) == 1 else f"-l {f.name}"
        needs = " -r" if f.value == "required" else ""
        offered = f" -x -a '{' '.join(words)}'" if words else ""
        text = f.help.replace("\\", "\\\\").replace("'", "\\'")
        lines.append(f"complete -c {tool} {name}{needs}{offered} -d '{text}'")
    lines += [f"complete -c {tool} -l {p} -d pass" for p in passes]
    return "\n".join([*lines, ""])
