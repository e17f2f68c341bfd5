"""How exceptions that end a program are shown."""

import sys
from pathlib import Path

import pytest

import allo_air.errors
from allo_air import compat
from allo_air.air.dialects import air
from allo_air.core import pipeline

HERE = Path(__file__)


@pytest.fixture
def told(monkeypatch, capsys):
    monkeypatch.setattr(sys, "excepthook", lambda *_: print("Traceback", file=sys.stderr))
    compat.tell_errors()

    def of(function, *arguments):
        try:
            function(*arguments)
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
        return capsys.readouterr().err

    return of


def refuse():
    raise allo_air.errors.AlloAirError("is not so")


def test_the_projects_errors_are_at_the_programs_line(told):
    assert told(refuse).startswith(f"{HERE}:") and "error: is not so" in told(refuse)


def test_exceptions_of_what_a_program_calls_have_their_class(told):
    text = told(air.module_builder(lambda: air.Channel("x", size=3)))
    assert f"{HERE}:" in text and "Error: " in text and "internal" not in text


def test_a_bug_is_an_internal_error_with_a_file_to_report(told):
    text = told(pipeline.parse, 3, None)
    assert f"{HERE}:" in text and "internal error: " in text and ".traceback.txt" in text
    Path(text.split(" with ")[1].split("\n")[0]).unlink()


def test_a_programs_own_exceptions_keep_their_traceback(told):
    assert told(lambda: 1 / 0) == "Traceback\n"


def import_a_missing_function():
    from allo_air.air.dialects.linalg import elemwise_binary  # noqa: F401


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (import_a_missing_function, "ImportError: cannot import name 'elemwise_binary' from 'torch_mlir.dialects.linalg'"),
        (lambda: air.elemwise, "AttributeError: module 'allo_air.air.dialects.air' has no attribute 'elemwise'"),
    ],
)
def test_a_missing_name_is_at_the_programs_line(told, function, message):
    text = told(function)
    assert text.startswith(f"{HERE}:") and message in text


def test_a_missing_name_of_another_package_keeps_its_traceback(told):
    import json

    assert told(lambda: json.elemwise) == "Traceback\n"


def test_an_error_in_a_text_names_the_call_that_passes_it(told):
    text = told(pipeline.parse, "a{", None)
    assert text.startswith("<pipeline>:1:") and f"{HERE}:" in text and "note: the text is passed here" in text
