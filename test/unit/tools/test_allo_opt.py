"""The command line of allo-opt: exit codes, files, what each misuse is told, chunks, expected diagnostics, loading."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from allo_air import dialects
from allo_air.errors import position, split_position
from allo_air.program.matmul import Matmul
from allo_air.tools import allo_opt

Opt = Callable[..., Any]

ADDS = """func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
"""
LOADED = '''
from dataclasses import dataclass

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.errors import PassError


@dataclass(frozen=True)
class Complain(Pass):
    """Says something about each function.

    The kind of diagnostic is an option.
    """

    name = "complain"
    anchor = "func.func"
    how: str = "error"

    def run(self, op):
        if self.how == "bug":
            {}["key"]
        if self.how == "exit":
            raise SystemExit(0)
        if self.how == "error":
            raise PassError("is not wanted", op.location, op.name)


@dataclass(frozen=True)
class Options:
    how: str = "nothing"


MINE = NamedPipeline("mine", "Complains", (Stage("say", "linalg", (Complain(how=option("how")), "cse")),), Options)
'''


@pytest.fixture
def adds(tmp_path: Path) -> Path:
    path = tmp_path / "adds.mlir"
    path.write_text(ADDS)
    return path


@pytest.fixture
def loaded(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(LOADED)
    return path


def test_passes_run_in_the_order_given(opt: Opt, adds: Path) -> None:
    result = opt(adds, "-cse", "--canonicalize=max-iterations=3", "--print-pipeline")
    assert result.out == "builtin.module(cse,canonicalize{max-iterations=3})\n"
    result = opt("--cse", adds, "--pass-pipeline=builtin.module(func.func(canonicalize))", "--sccp", "--print-pipeline")
    assert result.out == "builtin.module(cse,func.func(canonicalize),sccp)\n"
    result = opt(adds, "--cse")
    assert (result.status, result.err) == (0, "")
    assert result.out.count("arith.addi") == 1


def test_the_result_goes_to_a_file(opt: Opt, adds: Path, tmp_path: Path) -> None:
    assert opt(adds, "-o", tmp_path / "out.mlir").out == ""
    assert "arith.muli" in (tmp_path / "out.mlir").read_text()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--canonicalise"], 2, "error: unknown flag or pass '--canonicalise'; did you mean '--canonicalize'"),
        (["--verify-diagnostic"], 2, "did you mean '--verify-diagnostics'"),
        (["--bogus"], 2, "error: unknown flag or pass '--bogus' (allo-opt --list-passes lists all)"),
        (["--print-pipeline=npu"], 2, "expected --print-pipeline; --pipeline=npu --print-pipeline prints that pipeline"),
        (["--print-pipeline", "npu"], 2, "'npu' is taken for a file; --pipeline=npu --print-pipeline prints that pipeline"),
        (["--pass-pipeline=builtin.module(csee)"], 2, "<pipeline>:1:16: error: unknown pass 'csee'; did you mean 'cse'"),
        (["--pass-pipeline=cse("], 2, "<pipeline>:1:4: error: expected ')' to close 'cse('"),
        (["--pipeline=nope"], 2, "error: unknown pipeline 'nope'"),
        (["--pipeline=a,b"], 2, "error: expected one pipeline as in NAME or NAME{option=value}, found 'a,b'"),
        (["--tile-matmul=m=1"], 2, "error: pass 'tile-matmul' needs option n"),
        (["--tile-matmul=m=1 q=2"], 2, "error: pass 'tile-matmul' has no option 'q'; its options: m, n"),
        (["-o"], 2, "error: '-o' needs a value: -o FILE"),
        (["--verify-each=2"], 2, "error: '--verify-each=2': expected 1, level, execute, none or 0"),
        (["--stop-after=x", "--cse"], 2, "unknown pass, stage or level of this pipeline 'x' (it runs cse)"),
        (["a.mlir", "b.mlir"], 2, "error: expected one file, found a.mlir, b.mlir"),
        (["--load=none.py"], 2, "error: cannot load 'none.py': no such file"),
        (["none.mlir"], 1, "error: cannot read 'none.mlir': No such file or directory"),
        (["/"], 1, "error: cannot read '/': Is a directory"),
        (["/dev/zero"], 1, "error: cannot read '/dev/zero': it is a device, which may have no end; give a file"),
        (["--help-pass=csee"], 2, "error: unknown pass or pipeline 'csee'; did you mean 'cse'"),
        (["--print-completion=tcsh"], 2, "error: no completion for shell 'tcsh', expected one of bash, zsh, fish"),
    ],
)
def test_misuse_is_explained(opt: Opt, arguments: list[str], status: int, message: str) -> None:
    result = opt(*arguments)
    assert result.status == status
    assert message in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


def test_unreadable_input_and_unwritable_output(opt: Opt, adds: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.mlir"
    bad.write_bytes(b"module {\n\xff }")
    assert opt(bad).err == f"error: cannot read '{bad}': not UTF-8 text, byte 0xff in line 2\n"
    assert "cannot write" in opt(adds, "-o", tmp_path / "no" / "out.mlir").err
    assert "cannot write" in opt(adds, "--dump-ir", adds).err


def test_a_parse_error_quotes_the_line(opt: Opt, tmp_path: Path) -> None:
    path = tmp_path / "bad.mlir"
    path.write_text("module {\n  nonsense\n}\n")
    result = opt(path)
    assert result.status == 1
    assert re.match(rf"{path}:2:\d+: error: .*\n  nonsense\n  +\^", result.err)


def test_a_failing_pass_is_named(opt: Opt, adds: Path, loaded: Path) -> None:
    result = opt(adds, f"--load={loaded}", "--complain", "--cse")
    assert result.status == 1
    quoted = re.escape(ADDS.splitlines()[0])
    assert re.search(rf"{adds}:1:\d+: error: 'func.func' op is not wanted\n{quoted}\n *\^\n", result.err)
    assert "note: pass 'complain' failed (pass 1 of 2); --crash-reproducer=FILE writes" in result.err


@pytest.mark.parametrize("name", ["Maße é.mlir", 'quoted "a" \\n.mlir'])
def test_files_may_have_any_name(opt: Opt, loaded: Path, name: str, tmp_path: Path) -> None:
    """MLIR writes such bytes as numbers; messages show the name, and the line after it."""
    device = "aie.device(npu1) { %t = aie.tile(0, 2) %b = aie.buffer(%t) : memref<4xi32> }"  # the reader writes its location
    (file := tmp_path / name).write_text(f"{ADDS}{device}\n")
    result = opt(file, f"--load={loaded}", "--complain")
    assert result.err.startswith(f"{file}:1:10: error: 'func.func' op is not wanted\n{ADDS.splitlines()[0]}\n         ^\n")
    assert split_position(f"loc({position(name, 3, 4)})") == (name, 3, 4)


def test_a_reproducer_reruns_with_its_first_line(opt: Opt, adds: Path, loaded: Path, tmp_path: Path) -> None:
    file = tmp_path / "repro.mlir"
    first = opt(adds, f"--load={loaded}", "--cse", "--complain", f"--crash-reproducer={file}")
    assert first.status == 1
    command = shlex.split(file.read_text().splitlines()[0].removeprefix("// "))
    assert command[0] == "allo-opt"
    again = opt(*command[1:])
    assert again.status == 1
    assert "'func.func' op is not wanted" in again.err


def test_a_bug_in_a_pass_leaves_traceback_and_reproducer_in_files(opt: Opt, adds: Path, loaded: Path) -> None:
    result = opt(adds, f"--load={loaded}", "--cse", "--complain=how=bug")
    assert result.status == 1
    assert "error: internal error: pass 'complain' has a bug: KeyError: 'key' (pass 2 of 2)" in result.err
    assert "Traceback" not in result.err
    trace = Path(re.search(r"traceback: (\S+)", result.err)[1])  # type: ignore[index]
    repro = Path(re.search(r"first line of (\S+)", result.err)[1])  # type: ignore[index]
    assert "KeyError" in trace.read_text()
    assert repro.read_text().count("arith.addi") == 1
    trace.unlink()
    repro.unlink()


def test_a_pass_that_leaves_the_interpreter_is_a_bug(opt: Opt, adds: Path, loaded: Path) -> None:
    result = opt(adds, f"--load={loaded}", "--complain=how=exit", f"--crash-reproducer={adds.with_name('again.mlir')}")
    assert (result.status, result.out) == (1, "")
    assert "pass 'complain' has a bug: SystemExit: 0" in result.err
    Path(re.search(r"traceback: (\S+)", result.err)[1]).unlink()  # type: ignore[index]


def test_loaded_pipelines_take_options(opt: Opt, adds: Path, loaded: Path) -> None:
    load = f"--load={loaded}"
    assert opt(adds, load, "--pipeline=mine", "--print-pipeline").out == "builtin.module(complain{how=nothing},cse)\n"
    assert opt(adds, load, "--pipeline=mine{how=bug}", "--print-pipeline").out == "builtin.module(complain{how=bug},cse)\n"
    assert re.search(r"mine +Complains", opt(load, "--list-pipelines").out)
    assert re.search(r"^  complain +Says something about each function\.$", opt(load, "--list-passes").out, re.MULTILINE)
    assert "how  a str; default error" in opt(load, "--help-pass=complain").out
    assert "say -> linalg: complain{how=<how>}, cse" in opt(load, "--help-pass=mine").out


def test_stopping_and_starting(opt: Opt, adds: Path) -> None:
    passes = ["--cse", "--canonicalize", "--cse", "--print-pipeline"]
    assert opt(adds, *passes, "--stop-after=canonicalize").out == "builtin.module(cse,canonicalize)\n"
    assert opt(adds, *passes, "--start-from=cse#2").out == "builtin.module(cse)\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\ny = = 2\n", "mine.py:2:5: error: invalid syntax"),
        ("x = 1\n{}['k']\n", "mine.py:2: error: KeyError: 'k'"),
        ("import nonexistent_module\n", "mine.py:1: error: ModuleNotFoundError"),
    ],
)
def test_errors_in_a_loaded_file_have_its_line(opt: Opt, tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source)
    result = opt(f"--load={path}", "--list-pipelines")
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_chunks_are_processed_on_their_own(opt: Opt, tmp_path: Path) -> None:
    path = tmp_path / "chunks.mlir"
    path.write_text("func.func private @a()\n// -----\nnonsense\n// -----\nfunc.func private @c()\n")
    result = opt(path, "--split-input-file")
    assert result.status == 1
    assert f"{path}:3:1: error:" in result.err
    assert result.out.count("// -----\n") == 2
    assert "@a" in result.out
    assert "@c" in result.out
    path.write_text("func.func private @a()\n//CUT\nfunc.func private @a()\n")
    assert opt(path, "--split-input-file=//CUT").status == 0


def test_lines_end_where_mlir_ends_them(opt: Opt, tmp_path: Path) -> None:
    path = tmp_path / "lines.mlir"
    text = "// a form feed \x0c and a separator \u2028\nmodule {}\n// -----\n// \x0c\nair.nonsense\n"
    path.write_text(text, encoding="utf-8")
    assert f"{path}:5:1: error: " in (said := opt(path, "--split-input-file").err)
    assert "\nair.nonsense\n^" in said
    path.write_text(text.replace("air.n", "// expected-error@below {{nonsense}}\nair.n"), encoding="utf-8")
    assert opt(path, "--split-input-file", "--verify-diagnostics").status == 0


@pytest.mark.parametrize(
    ("comment", "good"),
    [
        ("// expected-error@+1 {{is not wanted}}\n", True),
        ("// expected-error@below {{not wanted}}\n", True),
        ("// expected-error-re@+1 {{is {{n.t}} wanted}}\n", True),
        ("// expected-error@+1 {{is wanted}}\n", False),
        ("// expected-warning@+1 {{is not wanted}}\n", False),
        ("// expected-error@+2 {{is not wanted}}\n", False),
        ("", False),
        ("// expected-error@+1 {{is not wanted}}\n// expected-error@+1 {{is not wanted}}\n", False),
    ],
)
def test_expected_diagnostics(opt: Opt, tmp_path: Path, loaded: Path, comment: str, good: bool) -> None:
    path = tmp_path / "expected.mlir"
    path.write_text(f"{comment}func.func private @f()\n")
    result = opt(path, f"--load={loaded}", "--complain", "--verify-diagnostics")
    assert (result.status, result.out) == (0 if good else 1, "")
    assert bool(result.err) != good
    if not good:
        assert re.search(
            rf"{path}:\d+(:\d+)?: error: (unexpected error: 'func.func' op is not|expected \w+ 'is .*was not)", result.err
        )


def test_expected_diagnostics_per_chunk_and_in_every_position(opt: Opt, tmp_path: Path, loaded: Path) -> None:
    path = tmp_path / "expected.mlir"
    error = "{{is not wanted}}"
    path.write_text(
        f"func.func private @f() // expected-error {error}\n// -----\nfunc.func private @f()\n// expected-error@-1 {error}\n"
        f"// -----\nfunc.func private @f()\n// expected-error@above {error}\n// -----\nmodule {{}}\n"
    )
    result = opt(path, f"--load={loaded}", "--complain", "--verify-diagnostics", "--split-input-file")
    assert (result.status, result.err) == (0, "")


def test_every_shell_gets_a_completion_that_it_can_parse(opt: Opt, tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        text = opt("--print-completion", shell).out
        assert "one-shot-bufferize" in text
        if shutil.which(shell):
            (tmp_path / shell).write_text(text)
            subprocess.run([shell, "-n", str(tmp_path / shell)], check=True)


def test_bash_completes_passes_and_values(opt: Opt, tmp_path: Path) -> None:
    (tmp_path / "c").write_text(opt("--print-completion", "bash").out)
    ask = "source {}/c; COMP_WORDS=(allo-opt {}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _allo_opt; echo ${{COMPREPLY[@]}}"

    def complete(words: str) -> str:
        command = ["bash", "-c", ask.format(tmp_path, words)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert complete("--tile-mat") == "--tile-matmul"
    assert complete("--help-pass = one-shot-buf") == "one-shot-bufferize"
    assert complete("--print-completion = ") == "bash zsh fish" or complete("--print-completion z") == "zsh"


def test_help_names_every_flag(opt: Opt) -> None:
    text = opt("--help").out
    assert [f.name for f in allo_opt.FLAGS if f.spelling not in text] == []


@pytest.mark.parametrize(
    ("closed", "status", "message"),
    [
        (">&-", 1, "error: cannot write the result: Bad file descriptor\n"),
        ("<&-", 1, "error: cannot read '-': Bad file descriptor\n"),
        ("--no-such-pass 2>&-", 2, ""),
    ],
)
def test_closed_standard_streams(closed: str, status: int, message: str, tmp_path: Path) -> None:
    (tmp_path / "in.mlir").write_text("module {}")
    read = "" if closed.startswith("<") else "in.mlir"
    command = f"{shlex.quote(sys.executable)} -m allo_air.tools.allo_opt {read} {closed}"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (status, message)


def test_a_closed_pipe_is_no_error_message(adds: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m allo_air.tools.allo_opt --list-passes | head -n 1"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert run.stderr == ""


def test_the_tool_imports_only_what_it_uses(adds: Path) -> None:
    """It starts in 0.3 s: no passes or dialects that nobody asked for are imported, nor what executes and compiles."""
    program = "import sys; from allo_air.tools import allo_opt; allo_opt.main(sys.argv[1:]); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program, str(adds), "--cse", "-o", os.devnull], capture_output=True, check=True)
    modules = set(run.stdout.decode().split())
    ours = {m.split(".")[1] for m in modules if m.startswith("allo_air.")}
    assert ours <= {"_version", "asm", "core", "dialects", "errors", "mlir", "passes", "tools"}
    assert not [m for m in modules if m.startswith("allo_air.passes.") and not m.split(".")[2].startswith("_")]
    assert not [m for m in modules if m in {f"allo_air.dialects.{name}" for name in dialects.NAMES}]
    named = {m.split(".")[2] for m in modules if m.startswith("torch_mlir.dialects.")}
    assert {n for n in named if not n.startswith("_")} <= {"builtin", "func"}
    assert not modules & {"hypothesis", "matplotlib", "ml_dtypes", "platformdirs", "rich"}


def test_a_product_needs_no_part_for_other_programs(tmp_path: Path) -> None:
    """A third of the time of a small compilation is imports; views of LLVM's operations and numpy take a tenth."""
    (tmp_path / "a.mlir").write_text(Matmul(8, 8, 8, "i32").text)
    program = "import sys; from allo_air.tools import start; import os; del os.fork; start.allo_opt(); print(*sys.modules)"
    command = [sys.executable, "-c", program, str(tmp_path / "a.mlir"), "--pipeline=gemm-i32{cols=1}", "-o", os.devnull]
    modules = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert "allo_air.passes.to_aie.air_to_aie" in modules
    assert not modules & {"numpy", "torch_mlir.dialects._llvm_ops_gen"}
    rest = ("map._family_attention", "linalg._family_grouped", "partition._program_layouts", "kernel._approximations")
    assert not modules & {f"allo_air.passes.{name}" for name in rest}
