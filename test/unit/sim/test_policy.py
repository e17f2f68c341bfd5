"""What a project makes of findings: severities, baselines, and which of them fail a run."""

from pathlib import Path

import pytest

from allo_air.errors import AlloAirError, OptionError
from allo_air.sim import policy
from allo_air.sim.policy import Policy
from allo_air.sim.report_types import Finding, Report, make_finding
from allo_air.sim.verdict import verdict_of

RACE = make_finding("race.data", "two write", ("a.mlir", 3, 1))
ORDER = make_finding("race.lock-order", "two orders", ("a.mlir", 4, 1))
QUEUE = make_finding("queue.may-overflow", "seven tasks", ("a.mlir", 9, 1))
MOVED = make_finding("memory.moved", "addresses", ("a.mlir", 1, 1))


def report(*findings: Finding, status: str = "done") -> Report:
    return Report("npu2", "s", status, 100, list(findings))


def test_severities_by_code_and_pattern(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.allo_air.findings]\nseverity = {"race.*" = "warning", "queue.*" = "error", "race.lock-order" = "ignore"}\n'
    )
    (tmp_path / "below").mkdir()
    judged = policy.current(tmp_path / "below").applied_to([RACE, ORDER, QUEUE])
    assert [(f.code, f.diagnostic.severity) for f in judged] == [("race.data", "warning"), ("queue.may-overflow", "error")]


def test_a_file_of_its_own_and_one_without_the_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'findings'\n")
    assert policy.current(tmp_path) == Policy()
    (tmp_path / "allo_air.toml").write_text("[findings]\nfail-on = 'warning'\n")
    assert policy.current(tmp_path).fail_on == ("warning",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('severity = {"race.dat" = "error"}', "there is no finding 'race.dat'; did you mean 'race.data'"),
        ('severity = {"race.data" = "fatal"}', "the severity of race.data is 'fatal'; expected one of error, warning"),
        ("levels = {}", "findings has 'levels'; expected severity, baseline or fail-on"),
        ("baseline = 'none.json'", "cannot read the baseline"),
        ("fail-on = ['warning']", r"fail-on of findings is \['warning'\]; expected text"),
        ("severity = 'error'", "severity of findings is 'error'; expected a table"),
        ("severity = {", "cannot read '.*pyproject.toml'"),
    ],
)  # fmt: skip
def test_a_wrong_table_is_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.allo_air.findings]\n{text}\n")
    with pytest.raises(AlloAirError, match=message):
        policy.current(tmp_path)


def test_a_baseline_knows_a_line_wherever_it_moves(tmp_path: Path) -> None:
    source = tmp_path / "d.mlir"
    source.write_text("first\n  aie.flow(%a)\n")
    known = make_finding("stream.no-flow", "none", (str(source), 2, 3))
    file = tmp_path / "known.json"
    assert policy.write_baseline(file, [known, MOVED]) == 1
    source.write_text("first\nand one more\n  aie.flow(%a)\n")
    moved = make_finding("stream.no-flow", "none", (str(source), 3, 3))
    other = make_finding("stream.no-flow", "none", (str(source), 1, 1))
    rules = Policy(baseline=frozenset(policy.read_baseline(file)))
    assert rules.softens
    assert rules.applied_to([moved, other]) == [other]


def test_what_fails_a_run() -> None:
    def fails(what: str, *findings: Finding) -> bool:
        return Policy(fail_on=policy.fail_on(what)).fails(findings)

    assert [fails(w, ORDER) for w in ("error", "warning", "remark", "never")] == [False, True, True, False]
    assert [fails(w, MOVED) for w in ("warning", "remark", "memory.*", "race.*,queue.overflow")] == [False, True, True, False]
    with pytest.raises(OptionError, match="fail-on is 'fatal'"):
        policy.fail_on("fatal")


def test_verdicts_in_order() -> None:
    assert verdict_of(report()).word == "right"
    assert verdict_of(report(MOVED)).word == "right"
    assert str(verdict_of(report(ORDER))).startswith("may hang: agents acquire locks in different orders")
    assert verdict_of(report(QUEUE, RACE)).word == "wrong"
    assert verdict_of(report(status="limit")).word == "undecided"
    part = make_finding("object.part", "a part", severity="error")
    hang = make_finding("hang.stream", "waits")
    verdict = verdict_of(report(RACE, hang, part, status="deadlock"))
    assert verdict.word == "hangs"
    assert [f.code for f in verdict.findings] == ["object.part", "hang.stream", "race.data"]
