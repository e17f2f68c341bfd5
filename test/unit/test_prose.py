"""Plain English: old habits of this house's prose do not come back, in pages, help texts and messages of tools.

`KNOWN` counts the places that pages still have; numbers only go down. `python test/unit/test_prose.py` prints each place.
"""

import ast
import builtins
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from allo_air.core import field_docs, options
from allo_air.core.registry import Registry

ROOT = Path(__file__).parents[2]
AT_THE_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/README.md")
PAGES = [*(ROOT / name for name in AT_THE_TOP), *sorted((ROOT / "docs").glob("*.md"))]
TOOLS = ("allo_env", "allo_import", "allo_opt", "allo_run", "allo_translate", "allo_tune")

HABITS = {
    r"\b(?:anybody|anyone|nobody|somebody|whoever|whatever)\b": "name the tool, the user or the operation",
    r"\b(?:is|are|was|were) told\b|\btold (?:with|by|to)\b|\btells? (?:the|how|which|what|why|who)\b": "says, shows, names",
    r"\bbut for\b": "except",
    r"(?<=[.;:] )Of (?!course)[^.]*?,": "subject first: 'reductions of ...', not 'Of ..., reductions'",
    r"(?<=\. )(?:What|Who) (?![^.]*\?)": "subject first: name the thing instead of 'What ...'",
    r"\b(?:of yours|of ours|of anyone's|of anybody's)\b": "your, our, any",
    r"\bwhat is (?:wrong|said|told|done|asked|meant) (?:with|of|to|by)\b": "a noun",
    r"\bgoes? (?:so|not so)\b|\bcomes? whole\b|\bas they stand\b|\bas it stands\b": "say what is done",
    r"\bthe other way round\b": "say which way",
    r"\b(?:stand|stands|stood) (?:before|behind|beside|below|above|in for)\b": "precede, follow, next to, replace",
    r"\bbeside (?:it|them|each other|one another)\b": "adjacent, next to, also",
    r"\bin place of\b": "instead of",
    r"\b(?:judges?|judged)\b": "check, diagnose, compare",
    r"\bheld against\b|\bholds? .{0,30} against\b": "compared with",
    r"\banew\b": "again",
    r"\bwhat becomes of\b|\bwho did what\b|\bwho wrote (?:it|what)\b": "a noun",
    r"\b(?:is|are) none of\b|\bthere is none\b|\bof which there\b": "no, without",
    r"\bwhat there is\b|\bwhat (?:it|they) (?:leaves?|finds?|takes?|makes?|gives?|writes?)\b": "a noun",
    r"\bone behind the other\b|\bput behind\b|\b(?:token|tokens|keys) behind\b": "one after another, after",
    r"(?<=[.:] )(?:Read|Measured|Shown|Printed|Refused|Compared|Left|Kept) (?:are|is|elsewhere)\b": "subject first",
    r"\bgoes? the way\b|\bthe way out\b|\bis given up\b|\bhow far to go\b": "say what is done",
    r"\((?:before|from|was) [\d,.]+|\bbefore [\d,.]+ cycles\b|\bthe tree (?:before|of that)\b": "no history here",
    r"\bof a kind\b|\b(?:stays?|stay) (?:single|whole|as it is|as they are)\b": "is unchanged, is not split",
    r"\bwhose? (?:it|they) (?:is|are)\b|\bwho (?:writes|gives|takes|needs|pads)\b": "name the tool or user",
    r"\brides?\b|\briders?\b|\bby turns\b|\btakes? turns\b": "multiplexed, alternate",
}
"""A pattern, and what to write instead."""

KNOWN: dict[str, int] = {
    "docs/assembly.md": 1,
}


DOCSTRINGS = {"Has": 0, "Lets": 0, "Of": 0, "Those": 0, "What": 0, "Who": 0, "Whose": 0}
"""Words with which docstrings no longer begin, and how many still do: name what the object is, or what the function does."""


def prose_of(text: str) -> str:
    """A page without code, tables of codes written by scripts, and inline code."""
    text = re.sub(r"<!-- codes -->.*?<!-- end of codes -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"`[^`\n]*`", "`x`", text))


def habits(text: str) -> list[str]:
    """The places of `text` with an old habit, each with what to write instead."""
    found = []
    for pattern, instead in HABITS.items():
        for match in re.finditer(pattern, text):
            start = max(match.start() - 40, 0)
            found.append(f"...{text[start : match.end() + 30]}... [{instead}]")
    return found


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_pages_are_plain(page: Path) -> None:
    found = habits(prose_of(page.read_text(encoding="utf-8")))
    known = KNOWN.get(name_of(page), 0)
    assert len(found) <= known, "\n".join(found)


@pytest.mark.parametrize("tool", TOOLS)
def test_help_texts_are_plain(tool: str) -> None:
    code = f"import sys; from allo_air.tools import {tool}; sys.exit({tool}.main(['--help']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "usage" in done.stdout
    assert habits(re.sub(r"\s+", " ", done.stdout)) == []


def test_help_of_passes_and_pipelines_is_plain(registry: Registry) -> None:
    """The sentence of each pass and pipeline, and of each option."""
    found = []
    for name in registry.pass_names():
        if name in registry._pass_files and (cls := registry.find_pass(name)) is not None:
            texts = [cls.summary(), *(o.help or field_docs.of(cls).get(o.name, "") for o in options.specs(cls))]
            found += [f"{name}: {place}" for text in texts for place in habits(prose_of(text))]
    for name in registry.pipeline_names():
        named = registry.pipeline(name)
        texts = [named.title, *field_docs.of(named.options).values()]
        found += [f"{name}: {place}" for text in texts for place in habits(prose_of(text))]
    assert found == []


def test_pages_say_first_what_they_are_for() -> None:
    """The first paragraph of each page in docs/ says what the page is for, or who reads it."""
    without = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        first = page.read_text(encoding="utf-8").split("\n\n")[1]
        if not re.search(r"\b[Tt]his (?:page|tutorial) (?:is for|is the|says|lists|explains)\b", first):
            without.append(page.name)
    assert without == []


def test_docstrings_name_the_object_or_the_action_first() -> None:
    """`The bytes of ...` or `Moves ...`, not `What it takes of ...`."""
    pattern = re.compile(r'^\s*r?"""(' + "|".join(DOCSTRINGS) + r") (.*)", re.MULTILINE)
    found = [
        (*m.groups(), f) for f in (ROOT / "allo_air").rglob("*.py") for m in pattern.finditer(f.read_text(encoding="utf-8"))
    ]
    for word, most in DOCSTRINGS.items():
        places = [f"{name_of(file)}: {word} {rest}" for first, rest, file in found if first == word]
        assert len(places) <= most, "\n".join(places)


IN_CODE = {
    r"\bfor ever\b": "endless, forever",
    r"\b(?:came|comes?) of\b": "results from, the result of",
    r"\bstands? (?:in|there|here|behind|before|beside|around)\b": "is in, precedes, replaces",
    r"\b(?:is|are) not there\b": "is missing, is not supported",
    r"\bhands? on\b": "passes, yields, shares",
    r"\bby turns\b|\bgoes? round\b": "alternately",
    r"\b(?:is|are) told\b": "says, shows, names",
    r"\b[Ww]hile it is open\b": "inside the `with` block",
    r"\bwhat (?:stands|comes|goes)\b|\bwhat is (?:not|there|left|asked|wrong)\b": "a noun",
    r"\b(?:anybody|nobody|somebody)\b": "name the tool, the user or the operation",
    r"\b(?:cannot|could not) be told\b": "is unknown, cannot be inferred",
    r"\b[Ww]here (?:it|one|none|nothing|something) (?:does not|is not|is none|was none)\b": "if",
}
"""Habits of docstrings and comments in code, and what to write instead."""


def prose_of_code(text: str) -> str:
    """The docstrings and comments of Python text, without inline code."""
    parts = re.findall(r'"""(.*?)"""|(?:^|  )# ([^\n]*)$', text, re.DOTALL | re.MULTILINE)
    return re.sub(r"\s+", " ", re.sub(r"`[^`\n]*`", "`x`", "\n".join(doc or comment for doc, comment in parts)))


def test_docstrings_and_comments_are_plain() -> None:
    found = []
    for file in sorted((ROOT / "allo_air").rglob("*.py")):
        text = prose_of_code(file.read_text(encoding="utf-8"))
        for pattern, instead in IN_CODE.items():
            for match in re.finditer(pattern, text):
                found.append(f"{name_of(file)}: ...{text[max(match.start() - 40, 0) : match.end() + 30]}... [{instead}]")
    assert found == []


def test_docstrings_name_exceptions_that_exist() -> None:
    """`Raises AlloAirError` names a class of this package, of the bindings or of Python."""
    texts = {file: file.read_text(encoding="utf-8") for file in (ROOT / "allo_air").rglob("*.py")}
    names = {
        *dir(builtins),
        "MLIRError",
        *(name for text in texts.values() for name in re.findall(r"^ *class (\w+)", text, re.M)),
    }
    raised = [
        (name_of(f), name) for f, text in texts.items() for name in re.findall(r"\b[Rr]aises (?:an? )?`?([A-Z]\w+)", text)
    ]
    assert [f"{file}: {name}" for file, name in raised if name not in names] == []


SINGULAR = {"argument", "buffer", "item", "number", "operand", "value"}
"""Names of one thing; `element`, `group`, `index`, `result` and `shape` may be lists."""
LISTS = (ast.List, ast.ListComp, ast.DictComp, ast.SetComp)


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment, each with its value if that is written."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def _is_list(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_list(node.body) and _is_list(node.orelse)
    makers = ("list", "dict", "set", "sorted")
    function = (
        node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript) else getattr(node, "func", None)
    )
    return isinstance(node, LISTS) or (isinstance(function, ast.Name) and function.id in makers)


def test_lists_have_plural_names() -> None:
    """`values = [...]`, not `value = [...]`."""
    places = []
    for file in sorted((ROOT / "allo_air").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for target, value in _pairs(node) if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Name) and target.id in SINGULAR and _is_list(value):
                    places.append(f"{name_of(file)}:{node.lineno}: {target.id}")
    assert places == []


COUNTS = re.compile(r"(?<!\()\{len\([^{}]*\)\} (?:[a-z]+ )?(?!does|is|has|as|this|of|less|gives|takes|class)[a-z]{2,}s\b")
"""A number of things whose noun is a plural even if there is one."""


NEVER_ONE = 14
"""Counts that are at least two where they are written."""


SEVERAL = re.compile(r"[}\"\d] [a-z]{3,}\(s\)")
"""`task(s)` in a message."""


def test_messages_count_with_counted() -> None:
    """`errors.counted` writes `1 task` and `2 tasks`; only texts of the peers, and counts that are never one, do without it."""
    places, several = [], []
    for file in sorted((ROOT / "allo_air").rglob("*.py")):
        if not re.match(r"_rules_(?:aie|bd)|npu_padding|xrt_smi", file.name):
            text = file.read_text(encoding="utf-8")
            places += [f"{name_of(file)}: {found}" for found in COUNTS.findall(text)]
            several += [f"{name_of(file)}: {found}" for found in SEVERAL.findall(text)]
    assert len(places) <= NEVER_ONE, "\n".join(places)
    assert several == []
    assert COUNTS.search('f"has {len(sizes)} sizes"') and not COUNTS.search("f\"has {counted(len(sizes), 'size')}\"")
    assert SEVERAL.search('f"has {len(sizes)} size(s)"')


def test_a_habit_is_found_and_plain_text_is_not() -> None:
    assert len(habits("It works. What fits is told by the plan, in anybody's design.")) == 3
    assert habits("The planner names the plans that fit. It stores the fastest one.") == []


if __name__ == "__main__":
    for page in PAGES:
        places = habits(prose_of(page.read_text(encoding="utf-8")))
        print(f'    "{name_of(page)}": {len(places)},', *places, sep="\n        ")
