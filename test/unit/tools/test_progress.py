"""What long work says on standard error: a line that changes on a terminal, lines elsewhere if asked for."""

import io

import pytest

from allo_air.tools import _progress
from allo_air.tools._progress import Progress


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that goes by, in seconds."""
    now = [100.0]
    monkeypatch.setattr(_progress, "monotonic", lambda: now[0])
    return now


def said(monkeypatch: pytest.MonkeyPatch, clock: list[float], error: io.StringIO, **settings: bool | float) -> str:
    """What is written while three passes take 0.6 seconds each, and a simulation follows."""
    monkeypatch.setattr("sys.stderr", error)
    with Progress(8, **settings) as progress:  # type: ignore[arg-type]
        for done, name in enumerate(("cse", "inline", "canonicalize")):
            progress.compiling(name, done, 3)
            clock[0] += 0.6
        progress.executing(1, 2)
        clock[0] += 2
        assert progress.simulating(1234, 4), "the simulation goes on"
        clock[0] += 2
        progress.doing("checking the result")
    return error.getvalue()


def test_lines_at_most_once_a_second(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    assert said(monkeypatch, clock, io.StringIO(), lines=True).splitlines() == [
        "compiling: canonicalize (2 of 3)",
        "simulating: cycle 1,234 (4 of 8)",
        "checking the result",
    ]


def test_quiet_off_a_terminal(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    assert said(monkeypatch, clock, io.StringIO()) == ""
    assert said(monkeypatch, clock, Terminal(), quiet=True) == ""


def test_a_bar_on_a_terminal_that_goes_again(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    monkeypatch.setenv("TERM", "xterm")
    text = said(monkeypatch, clock, Terminal(), after=1)
    assert "compiling: cse" not in text, "what is over within a second shows nothing"
    assert "compiling: canonicalize" in text and "simulating: cycle 1,234" in text and "50 %" in text
    assert text.endswith("\x1b[?25h\r\x1b[1A\x1b[2K"), "the cursor is shown again, and the line erased"
