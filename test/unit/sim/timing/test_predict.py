"""bench/predict.py: the model's figure for any kernel, array or copy."""

import importlib
from types import ModuleType

import pytest


@pytest.fixture
def predict(published: ModuleType) -> ModuleType:
    return importlib.import_module("predict")


def out(predict: ModuleType, capsys: pytest.CaptureFixture[str], arguments: str) -> str:
    predict.main(arguments.split())
    return capsys.readouterr().out


def test_a_kernel_as_in_the_published_rows(predict: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    from core_kernels import ROWS, predicted

    rate, _ = predicted(ROWS[2])
    assert f"{rate:.1f} MACs/cycle" in out(predict, capsys, "kernel npu1 i8-i32 48x280x48")


@pytest.mark.parametrize("steps", ["640x440x768", "640x264x768", "320x264x384"])
def test_an_array_of_any_number_of_steps(predict: ModuleType, capsys: pytest.CaptureFixture[str], steps: str) -> None:
    """Even and odd numbers of steps along K, and a single block of C."""
    text = out(predict, capsys, f"array npu1 i8-i32 {steps} --tile 80x88x96")
    rate = float(text.split()[-2])
    assert 0 < rate < 8.192  # TOPS of 16 cores of 256 MACs at 1 GHz


def test_a_faster_clock_does_not_speed_up_memory(predict: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    slow, fast = (
        float(out(predict, capsys, f"copy npu1 --columns 4 --channels 2 --words 262144 --mhz {mhz}").split()[-4])
        for mhz in (1000, 1600)
    )
    assert fast / slow == pytest.approx(1, rel=0.1)


def test_what_cannot_be_laid_out_is_a_usage_error(predict: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        ("kernel npu1 i8-i32 47x280x48", "not multiples of 4 x 8 x 8"),
        ("kernel npu1 f32-f32 64x64x64", "no vector kernel of f32"),
        ("array npu1 bf16-bf16 640x440x640 --tile 80x88x80", "does not fit"),
        ("array npu1 i8-i32 640x440x760 --tile 80x88x96", "not multiples of 320 x 88 x 384"),
    ):
        with pytest.raises(SystemExit):
            predict.main(arguments.split())
        assert message in capsys.readouterr().err
