"""Where tools write to that is full, or has no sign for what they draw."""

import errno
import io
import sys

import pytest

from allo_air.tools._exit import exit_code_of
from allo_air.tools._streams import reopen


def test_a_full_disk_is_said_and_is_no_bug_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    def full() -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    assert exit_code_of(full) == 1
    assert capsys.readouterr().err == "error: cannot write: No space left on device\n"


def test_other_errors_of_the_system_stay_what_they_are() -> None:
    def absent() -> int:
        raise OSError(errno.ENOENT, "No such file or directory")

    with pytest.raises(OSError, match="No such file"):
        exit_code_of(absent)


def test_what_a_terminal_has_no_sign_for_becomes_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding="ascii"))
    reopen()
    sys.stdout.write("█ 16 %")
    sys.stdout.flush()
    assert held.getvalue() == b"? 16 %"
