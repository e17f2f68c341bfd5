"""Programs in the style of mlir-air's, run by their own commands through allo-env."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ALLO_ENV = [sys.executable, "-m", "allo_air.tools.allo_env"]


def run(*command, cwd, options=(), **given):
    done = subprocess.run([*ALLO_ENV, *options, *command], cwd=cwd, capture_output=True, text=True, check=False, **given)
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def copied(tmp_path):
    def copy(name):
        return Path(shutil.copytree(HERE / name, tmp_path / name))

    return copy


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_a_makefile_runs(copied, device):
    folder = copied("scale")
    done = run("make", "run", cwd=folder, options=["--device", device])
    assert done.returncode == 0 and "PASS!" in done.stdout, done.stderr
    assert "replaces import air, " in done.stderr and done.stderr.count("replaces") == 1
    assert len(done.stderr.partition("\n")[0]) < 128
    assert {p.name for p in folder.iterdir()} == {p.name for p in (HERE / "scale").iterdir()} | {"build"}


def test_pyxrt_runs_what_was_compiled(copied):
    done = run("make", "pyxrt", cwd=copied("scale"))
    assert done.returncode == 0 and "PASS!" in done.stdout, done.stderr


def test_a_host_in_cpp_with_the_library_for_hosts(copied):
    folder = copied("scale")
    done = run("make", "measured", "ARGS=-v 1", cwd=folder)
    assert done.returncode == 0 and "PASS!" in done.stdout and "..." in done.stdout, done.stderr
    again = ["build/measured.exe", "-x", "build/air.xclbin", "-i", "build/air.insts.bin"]
    wrong = run(*again, "-k", "MLIR_AIE", "--factors", "4", "--verify", "false", cwd=folder)
    assert wrong.returncode and "failed." in wrong.stdout  # a flag's value follows only after "="
    for given, said in (
        (["--factors", "3", "--none"], "Option 'none' does not exist"),
        (["-N", "many"], "Argument 'many' failed to parse"),
        (["-i"], "Option 'i' is missing an argument"),
        (["-x", "none"], "The xclbin file none does not exist."),
    ):
        refused = run(*again, *given, cwd=folder)
        assert refused.returncode == 1 and said in refused.stderr and "--trace_sz" in refused.stderr


_CMAKE = """cmake_minimum_required(VERSION 3.10)
project(options CXX)
find_package(Boost REQUIRED)
find_package(XRT REQUIRED)
add_executable(options.exe options.cpp)
target_include_directories(options.exe PUBLIC ${XRT_INCLUDE_DIRS} ${Boost_INCLUDE_DIRS})
target_link_libraries(options.exe PUBLIC XRT::xrt_coreutil uuid boost_program_options boost_filesystem)
"""


def test_a_host_in_cpp_whose_options_are_boosts(copied):
    folder = copied("scale")
    (folder / "CMakeLists.txt").write_text(_CMAKE)
    build = "cmake -DCMAKE_CXX_COMPILER=g++-13 -DCMAKE_CXX_FLAGS='-std=c++17 -Wall -Werror' . && cmake --build ."
    made = run("sh", "-c", build, cwd=folder)
    assert made.returncode == 0, made.stderr
    for given, said in (
        (["-x", "a.xclbin"], "a.xclbin MLIR_AIE 0 1 1 0 0"),
        (["--xclbin=b", "-v2", "--iters", "-3", "--verify", "false", "-q", "--sizes", "1", "2", "-k", "K"], "b K 2 -3 0 1 3"),
        (["--xcl", "c", "--verb", "3", "--sizes", "1", "--sizes=2"], "c MLIR_AIE 3 1 1 0 3"),
        (["-x", "a", "-qv4", "--"], "a MLIR_AIE 4 1 1 1 0"),
    ):
        assert run("./options.exe", *given, cwd=folder).stdout.strip() == said
    for given, said in (
        ([], "the option '--xclbin' is required but missing"),
        (["-x", "a", "--none"], "unrecognised option '--none'"),
        (["-x", "a", "-v", "many"], "the argument ('many') for option '--verbosity' is invalid"),
        (["-x"], "the required argument for option '--xclbin' is missing"),
        (["-x", "a", "-v1", "--verbosity", "2"], "option '--verbosity' cannot be specified more than once"),
        (["-x", "a", "-q", "-q"], "option '--quiet' cannot be specified more than once"),
        (["-x", "a", "--quiet=1"], "option '--quiet' does not take any arguments"),
        (["--help=3"], "option '--help' does not take any arguments"),
        (["-x", "a", "--ver", "3"], "option '--ver' is ambiguous and matches '--verbosity', and '--verify'"),
        (["-x", "a", "--", "-v2"], "too many positional options have been specified"),
    ):
        refused = run("./options.exe", *given, cwd=folder)
        assert refused.returncode == 1 and said in refused.stderr and "--kernel ] arg (=MLIR_AIE)" in refused.stderr


def test_a_host_in_cpp_whose_simulator_ends(copied, tmp_path):
    folder = copied("scale")
    assert run("make", "host", cwd=folder).returncode == 0
    command = ["build/test.exe", "build/air.xclbin", "build/air.insts.bin"]
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={"ALLO_ENV_ROOT": str(tmp_path)}
    )
    assert ended.returncode == -signal.SIGABRT and "the simulator's process ended" in ended.stderr
    package = folder / "build" / "air.xclbin"
    package.write_text(package.read_text().partition("\n")[0] + "\n{}")
    assert "KeyError: 'kernel'" in run(*command, cwd=folder).stderr


def test_a_host_in_cpp_runs_what_was_compiled(copied):
    folder = copied("scale")
    done = run("make", "host", cwd=folder)
    assert done.returncode == 0 and "PASS!" in done.stdout, done.stderr
    none = run("build/test.exe", "build/none.xclbin", "build/air.insts.bin", cwd=folder)
    assert none.returncode and "cannot read 'build/none.xclbin'" in none.stderr
    alone = subprocess.run(
        ["build/test.exe", "build/air.xclbin", "build/air.insts.bin"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"]},
    )
    assert alone.returncode and "allo-env COMMAND" in alone.stderr


def test_the_module_is_printed_and_compiled_by_the_driver(copied):
    folder = copied("scale")
    text = run("python3", "prog.py", "-p", cwd=folder, options=["-q"])
    assert text.returncode == 0 and "air.herd @scales" in text.stdout and not text.stderr
    (folder / "air.mlir").write_text(text.stdout)
    run("make", "build/scale.o", cwd=folder)
    done = run("aircc.py", "air.mlir", "--device", "npu1", "-o", "air.xclbin", "-i", "insts.bin", cwd=folder)
    assert done.returncode == 0 and (folder / "insts.bin").stat().st_size > 0
    optimized = run("air-opt", "air.mlir", "-canonicalize", cwd=folder)
    assert "air.herd @scales" in optimized.stdout
    (folder / "air.mlir").write_text(text.stdout.replace("@scale_i32(%alloc,", "@scale_i32(%absent,"))
    refused = run("aircc.py", "air.mlir", "--device", "npu1", cwd=folder)
    assert refused.returncode == 1 and "\nair.mlir:17:" in refused.stderr


def test_predicted_latency_is_printed_in_the_form_of_a_measured_one(copied):
    folder = copied("scale")
    run("make", "build/scale.o", cwd=folder)
    done = run("python3", "../prog.py", "--perf-iters", "2", cwd=folder / "build")
    assert "Latency (us): " in done.stdout and " | Throughput: " in done.stdout and "GFLOP/s" in done.stdout


def test_errors_of_the_kernels_compiler_name_the_files_line(copied):
    folder = copied("scale")
    code = (folder / "scale.cc").read_text()
    (folder / "scale.cc").write_text(code.replace("FACTOR", "NO_SUCH_MACRO"))
    done = run("make", "run", cwd=folder)
    assert done.returncode == 2 and "scale.cc:7" in done.stderr and "NO_SUCH_MACRO" in done.stderr


def test_codes_and_signals_are_the_commands(tmp_path):
    assert run("sh", "-c", "exit 7", cwd=tmp_path).returncode == 7
    assert run("no-such-command", cwd=tmp_path).returncode == 127
    assert run(cwd=tmp_path).returncode == 2
    assert run("true", cwd=tmp_path, options=["--device", "npu9"]).returncode == 2
    started = subprocess.Popen([*ALLO_ENV, "-q", "sleep", "60"], cwd=tmp_path)
    time.sleep(1)
    started.send_signal(signal.SIGTERM)
    assert started.wait(10) == -signal.SIGTERM


def test_what_is_installed_is_left_alone_but_for_force(tmp_path):
    (tmp_path / "pyxrt.py").write_text("print('the real one')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    seen = [run("python3", "-c", "import pyxrt; print(pyxrt)", cwd="/", options=o, env=environment) for o in ([], ["--force"])]
    assert "the real one" in seen[0].stdout and "the real one" not in seen[1].stdout


def test_air_xrt_smi_and_folders(tmp_path):
    assert "NPU Strix" in run("xrt-smi", "examine", cwd=tmp_path, options=["--device", "npu2"]).stdout
    found = run(
        "sh", "-c", "ls $(dirname $(which aie-opt))/../include/aie_api/aie.hpp $PEANO_INSTALL_DIR/bin/clang++", cwd=tmp_path
    )
    assert found.returncode == 0


def test_linalg_calls_what_the_archive_has(copied):
    done = run("make", "run", cwd=copied("linked"))
    assert done.returncode == 0 and "PASS!" in done.stdout and "[precision] Output 0" in done.stdout, done.stderr
    assert "kernels found: linalg_fill" in done.stderr


def test_linalg_is_compiled_where_no_object_has_it(copied):
    done = run("make", "compiled", cwd=copied("linked"))
    assert done.returncode == 0 and "PASS!" in done.stdout, done.stderr
    assert "linalg operations are compiled instead" in done.stderr


@pytest.mark.parametrize("device", ["npu1", pytest.param("npu2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", sorted(p.stem for p in (HERE / "programs").glob("*.py")))
def test_a_program_runs_and_passes(name, device, tmp_path):
    done = run("python3", str(HERE / "programs" / f"{name}.py"), cwd=tmp_path, options=["-q", "--device", device])
    assert done.returncode == 0 and "PASS!" in done.stdout, done.stdout + done.stderr


def test_what_is_refused_is_told_at_the_programs_line(tmp_path):
    text = (HERE / "programs" / "shared_by_two.py").read_text().replace('name="p", sizes=[1, 1]', 'name="p", sizes=[2, 1]')
    (tmp_path / "shared.py").write_text(text)
    done = run("python3", "shared.py", cwd=tmp_path, options=["-q"])
    line = text[: text.index('name="c"')].count("\n") + 1
    assert done.returncode == 1 and f"shared.py:{line}:" in done.stderr and "reads an L1 buffer" in done.stderr


def test_cascades_that_share_a_wire_need_one_order(tmp_path):
    program = HERE / "programs" / "cascades_of_one_wire.py"
    done = run("python3", str(program), "-w", cwd=tmp_path, options=["-q"])
    line = program.read_text()[: program.read_text().index("ChannelGet(name, more")].count("\n") + 1
    said = (
        "gets from '@sum' and '@most' and '@least' in another order than core (0, 3) puts into them, and they share one cascade"
    )
    assert done.returncode == 1 and f"cascades_of_one_wire.py:{line}:" in done.stderr and said in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('ChannelPut("o", acc)', 'ChannelPut("o", None)', "error: an operand is None, expected a value"),
        ("linalg.add(acc, d, outs=[acc])", "linalg.add(acc, a.type, outs=[acc])", "error: AssertionError: expects Value, got"),
        ("XRTRunner().run_test(", 'XRTRunner(output_format="bin").run_test(', "error: output_format is 'bin', expected one of"),
        (
            "XRTRunner().run_test(",
            'XRTRunner(omit_pingpong="L4").run_test(',
            "error: omit_pingpong is 'L4', expected True, False",
        ),
        ("linalg.add(acc, d, outs=[acc])", "linalg.add(acc, out=[acc])", "error: TypeError: DefinedOpCallable.__call__() "),
        (
            '@herd(name="h", sizes=[1, 1])',
            '@herd(name="h", sizes=[0, 1])',
            "error: sizes[0] of air.herd is 0, expected a positive",
        ),
        (
            'ChannelPut("o", acc)',
            'ChannelPut("0", acc)',
            "error: 'air.channel.put' op uses '@0', and the module declares no such",
        ),
    ],
)
def test_mistakes_while_a_module_is_built_are_told_at_the_programs_line(tmp_path, old, new, said):
    text = (HERE / "programs" / "turns.py").read_text().replace(old, new)
    (tmp_path / "turns.py").write_text(text)
    done = run("python3", "turns.py", cwd=tmp_path, options=["-q"])
    line = text[: text.index(new)].count("\n") + 1
    assert done.returncode == 1 and f"turns.py:{line}:" in done.stderr and said in done.stderr


def test_pytest_finds_the_packages(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it():\n    import pyxrt\n    from air.dialects.air import herd\n")
    assert "1 passed" in run("pytest", "test_it.py", cwd=tmp_path, options=["-q"]).stdout


def test_the_state_of_the_assembly_is_chosen(copied):
    folder = copied("scale")
    printed = [
        run("python3", "prog.py", "-p", cwd=folder, options=["-q", "--syntax", s]).stdout for s in ("2026-03", "2026-08")
    ]
    assert "[%c64" in printed[0] and "[64] [1]" not in printed[0] and "[64] [1]" in printed[1]


def test_findings_of_the_simulator_are_told_at_the_programs_line(tmp_path):
    text = (
        (HERE / "programs" / "turns.py")
        .read_text()
        .replace("arith.ConstantOp(t, 0), outs=[acc])", "arith.ConstantOp(t, 0), outs=[d])")
    )
    (tmp_path / "turns.py").write_text(text)
    done = run("python3", "turns.py", cwd=tmp_path, options=["-q"])
    line = text[: text.index("linalg.add(acc, d")].count("\n") + 1
    assert f"turns.py:{line}:" in done.stdout + done.stderr and "<npu>:" not in done.stderr.split("program.text")[0]


def test_lit_runs_a_folder(tmp_path):
    (tmp_path / "lit.cfg.py").write_text(
        "from lit.formats import ShTest\nconfig.name, config.test_format, config.suffixes = 'folder', ShTest(), ['.lit']\n"
    )
    (tmp_path / "right.lit").write_text("// RUN: python3 -c 'import air.ir'\n")
    done = run("lit", "-v", ".", cwd=tmp_path)
    assert done.returncode == 0 and "PASS: folder :: right.lit" in done.stdout, done.stderr
    (tmp_path / "wrong.lit").write_text("// RUN: python3 -c 'raise SystemExit(3)'\n")
    done = run("lit", "-v", ".", cwd=tmp_path)
    assert done.returncode == 1 and "FAIL: folder :: wrong.lit" in done.stdout


def test_a_suite_of_the_peers_runs_from_a_checkout(copied):
    folder = copied("suite")
    before = set(folder.rglob("*"))
    done = run("lit", "-v", "test", cwd=folder, options=["--device", "npu2"])
    results = {line.split()[3]: line.split(":")[0] for line in done.stdout.splitlines() if " :: " in line and "(" in line}
    assert results == {
        "passes/herd.mlir": "PASS",
        "passes/launch.py": "PASS",
        "passes/chess.py": "UNSUPPORTED",
        "passes/wrong.mlir": "FAIL",
        "npu-xrt/run.lit": "PASS",
    }, done.stdout
    assert "CHECK: expected string not found in input" in done.stdout
    assert set(folder.rglob("*")) == before


def test_file_check_reads_a_pipe(tmp_path):
    (tmp_path / "a.txt").write_text("// CHECK: b\n")
    for flags, code in (["--dump-input=always", "-v"], 0), (["--implicit-check-not=c"], 1), (["--no-such-flag"], 2):
        assert run("FileCheck", "a.txt", *flags, cwd=tmp_path, input="b\nc\n").returncode == code


@pytest.mark.parametrize(("command", "code"), [("false", 0), ("true", 1), ("no-such-command", 1)])
def test_not(tmp_path, command, code):
    assert run("not", command, cwd=tmp_path).returncode == code
