"""`allo-import`: writes a model of ONNX as MLIR, linalg on tensors with its weights, for allo-opt and allo-run."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from allo_air._version import __version__
from allo_air.errors import AlloAirError, OptionError
from allo_air.tools import _completion
from allo_air.tools._exit import exit_code_of
from allo_air.tools._parser import Parser
from allo_air.tools._shapes import sizes_of
from allo_air.tools._streams import reopen


def watched() -> int:
    """Runs the tool in a child process, so that a crash inside MLIR ends in a message."""
    from allo_air.core import crash

    reopen()
    return crash.run_in_child(main, "allo-import")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; 0 is success, 1 an error in the model, 2 an error on the command line."""
    options = parser().parse_args(arguments)
    return exit_code_of(lambda: _written_text(options))


def _written_text(options: argparse.Namespace) -> int:
    text = _imported(options)
    if options.output == "-":
        print(text)
        return 0
    try:
        Path(options.output).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise AlloAirError(f"cannot write '{options.output}': {error.strerror}") from error
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    argument_parser = Parser("allo-import", description=__doc__)
    add = argument_parser.add_argument
    add("file", metavar="MODEL.onnx", help="the model")
    add("-o", dest="output", metavar="FILE", default="-", help="output file; - (default) is standard output")
    add(
        "--shape",
        action="append",
        default=[],
        metavar="INPUT=SIZES",
        help="sizes of an input that the file leaves open, as in image=1x3x224x224",
    )
    add("--dtype", choices=("bf16",), help="round the operands of f32 products to bf16")
    add("--level", choices=("onnx", "torch", "linalg"), default="linalg", help="the dialect of the result; default: linalg")
    add("--version", action="version", version=f"allo-import {__version__}")
    _completion.add_to(argument_parser)
    return argument_parser


def _imported(options: argparse.Namespace) -> str:
    from allo_air.importers.onnx_files import from_onnx, onnx_text
    from allo_air.models.narrow import narrow

    if Path(options.file).suffix != ".onnx":
        raise OptionError(
            f"'{options.file}' is no .onnx file; modules of PyTorch are imported in Python: allo_air.torch.compile"
        )
    shapes = sizes_of(options.shape)
    if options.level != "linalg":
        if options.dtype:
            raise OptionError(f"--dtype rounds operands of linalg operations; --level={options.level} has none")
        return onnx_text(options.file, shapes, options.level)
    model = from_onnx(options.file, shapes)
    if options.dtype:
        narrow(model)
    return model.text


if __name__ == "__main__":
    sys.exit(watched())
