"""Command lines of the tools for programs: what each misuse is told, in a line."""

import pytest

from allo_air.tools import allo_run, allo_translate, allo_tune


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--esitmate"], "error: unknown option '--esitmate'; did you mean '--estimate'? (allo-run --help lists all)\n"),
        (["x", "--shap=1x1x1"], ""),
        (
            ["x", "--colums", "2"],
            "error: unknown option '--colums'; did you mean '--option cols=VALUE'? (allo-run --help lists all)\n",
        ),
        (["x", "--nothing-like-it"], "error: unknown option '--nothing-like-it' (allo-run --help lists all)\n"),
        ([], "error: the following arguments are required: target (allo-run --help lists all)\n"),
        (["x", "--backend"], "error: argument --backend: expected one argument (allo-run --help lists all)\n"),
        (["x", "--shape", "-1x4"], ""),
        (["--", "--esitmate"], ""),
    ],
)
def test_misuse_is_told_in_a_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    if not message:
        allo_run.parser().parse_args(arguments)
        return
    with pytest.raises(SystemExit) as ended:
        allo_run.parser().parse_args(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err == message


def test_each_tool_names_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        allo_tune.parser().parse_args(["x", "--bugdet=3"])
    assert "did you mean '--budget'? (allo-tune --help lists all)" in capsys.readouterr().err


def test_options_of_the_peers_tools_say_what_to_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        allo_translate.main(["--aie-npu-instgen"])
    assert capsys.readouterr().err.startswith("error: there is no option '--aie-npu-instgen': it is called --aie-npu-to-binary")
