"""FileCheck's directives and flags, each with a text that it takes and one that it does not."""

import pytest

from allo_air.compat import file_check

BOTH = [
    ("CHECK-NOT: flow\nCHECK: flow(%a\nCHECK-SAME: good", "flow(%a good\nbad", "flow\nflow(%a good", []),
    ("CHECK-DAG: b\nCHECK-NOT: z\nCHECK-DAG: a\nCHECK: c", "b\na\nc\nz", "b\nz\na\nc", []),
    ("CHECK-DAG: a\nCHECK-DAG: b\nCHECK-DAG: a", "a\nb\na", "a\nb", []),
    ("CHECK: [[V:%[a-z0-9]+]] = x\nCHECK-NEXT: use [[V]]", "%1 = x\nuse %1", "%1 = x\nuse %2", []),
    ("CHECK: [[V:%[0-9]+]] = x [[V]]", "%1 = x %2\n%3 = x %3", "%1 = x %2", []),
    ("CHECK: a\nCHECK-EMPTY:\nCHECK-NEXT: b", "a\n\nb", "a\nb", []),
    ("CHECK-COUNT-3: q\nCHECK-NOT: q", "q\nq\nq", "q\nq\nq\nq", []),
    ("CHECK-LABEL: @f\nCHECK: x\nCHECK-LABEL: @g\nCHECK: y", "@f\nx\n@g\nx\ny", "@f\ny\n@g\nx\ny", []),
    ("CHECK: dense<[[1, 2], [3, 4]]> {{.*}}}", "dense<[[1, 2], [3, 4]]>  foo}", "dense<[[1, 2], [3, 4]]>", []),
    ("CHECK: line [[@LINE]] [[#@LINE+1]] [[#N:]]\nCHECK: [[#N+1]]", "line 1 2 7\n8", "line 1 2 7\n9", []),
    ("CHECK: [[#%x,A:]]\nCHECK: [[#%.4d,A]]", "ff\n0255", "ff\n0254", []),
    ("CHECK{LITERAL}: [[x]] {{y}}", "[[x]] {{y}}", "x y", []),
    ("CHECK: a{{[[:space:]]+}}b{{[^c]*$}}", "a  bd\nc", "a  bdc", []),
    ("CHECK: A", "a", "b", ["--ignore-case"]),
    ("CHECK: a\nCHECK: c", "a\nc\nd", "a\nb\nc", ["--implicit-check-not=b"]),
    ("FOO: a\nBAR: b", "a\nb", "a", ["-check-prefixes=FOO,BAR", "--dump-input=fail"]),
    ("CHECK: [[X]]", "hello", "no", ["-DX=hell"]),
    ("CHECK: foo", " foo ", "foo bar", ["--match-full-lines"]),
    ("CHECK: a b", "a b", "a  b", ["--strict-whitespace"]),
    ("CHECK-NOT: x", "", "x", ["--allow-empty"]),
    ("CHECK: a\nCHECK-NOT: foo\nCHECK: b foo", "a\nb foo c", "a\nfoo\nb foo c", []),
    ("CHECK: a\nCHECK-DAG: c\nCHECK-DAG: b\nCHECK: z", "a\nb foo c\nz", "a\nx\nb foo c\nz", ["--implicit-check-not=x"]),
    ("CHECK: a\nCHECK-LABEL: foo", "a\nfoo", "a\nb foo", ["--implicit-check-not", "b"]),
]


@pytest.mark.parametrize(("checks", "good", "bad", "flags"), BOTH)
def test_directives(tmp_path, checks, good, bad, flags):
    (tmp_path / "checks").write_text(checks + "\n")
    for text, code in (good, 0), (bad, 1):
        (tmp_path / "text").write_text(text and text + "\n")
        assert file_check.main([str(tmp_path / "checks"), f"--input-file={tmp_path / 'text'}", *flags]) == code, text


@pytest.mark.parametrize(
    ("checks", "text", "said"),
    [
        ("X: x", "x", "no check strings found with prefix CHECK:"),
        ("CHECK: x", "", "is empty"),
        ("CHECK-SAME: x", "x", "found 'CHECK-SAME' without previous"),
        ("CHECK:", "x", "found empty check string"),
        ("CHECK: [[Y]]", "x", "undefined variable: Y"),
        ("CHECK: {{[a}}", "a", "has no end"),
    ],
)
def test_errors(tmp_path, capsys, checks, text, said):
    (tmp_path / "checks").write_text(checks + "\n")
    (tmp_path / "text").write_text(text)
    assert file_check.main([str(tmp_path / "checks"), f"--input-file={tmp_path / 'text'}"]) in (1, 2)
    assert said in capsys.readouterr().err
