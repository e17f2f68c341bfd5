"""Each operation of transform.air on mlir-air's example of it (facts and payloads: test/data/transform_air).

Where mlir-air's result is right, ours is the same after canonicalization, or computes the same; where it is wrong or invalid,
ours computes what the payload did, or refuses.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.passes.bind.air_transform import AirTransform
from helpers import drawn, keeps

DATA = Path(__file__).parents[2] / "data" / "transform_air"
CASES = sorted(p.relative_to(DATA).with_suffix("") for p in DATA.glob("*/payload*.mlir"))
NUMBER = re.compile(r" *\{id = \d+ : i32\}")

REFUSED = {
    "copy_to_dma-3": "copies a buffer onto itself",
    "copy_to_dma-refused": "copies inside L3",
    "forall_with_reduce_to_parallel-refused": "expects a linalg.reduce that adds or multiplies, found arith.maximumf",
    "fuse_elementwise_linalg-refused": "expects func.func, found linalg.generic",
    "fuse_into_containing_op-refused": "found no memref.subview of the producer's output",
    "fuse_multi_op_linalg-refused": "elementwise, of arith and math only; found func.call",
    "get_segment_for-refused": "could not find an 'air.segment' around its target",
    "herd_vectorize-refused": "expects air.herd, found func.func",
    "hoist_cast_pair-refused": "expects an extension of a loop-carried value",
    "hoist_vector_transfer_pointers-refused": "only static shapes are supported",
    "linalg_promote-refused": "found nothing to promote",
    "linalg_tile-refused": "size 12 does not divide the extent 32 of loop 0",
    "linalg_to_library_call-refused": "expects a linalg operation on buffers, found memref.copy",
    "override_memref_memory_space-refused": "found scf.for",
    "par_to_herd-refused": "step 4 does not divide the range 0 to 10",
    "par_to_launch-refused": "step 32 does not divide the range 0 to 5",
    "pipeline_reduce-refused": "its last loop does not reduce into one output",
    "segment_to_aie": "makes designs for AIE1 (xcvc1902), which are legacy",
    "transpose_reduce-refused": "expects linalg.reduce, found linalg.fill",
    "vector_type_cast-3": "is on i16, which cannot be extended or truncated to f32",
    "vector_type_cast-refused": "found math.exp on scalars",
}

KEEPS = {
    *("copy_to_dma-2", "eliminate_cascade_memcpy-2", "fuse_multi_op_linalg-2", "fuse_truncf_linalg"),
    *("hoist_loop_invariant_transfers", "hoist_static_alloc-refused", "hoist_vector_transfer_pointers", "linalg_promote"),
    *("linalg_tile-3", "override_memref_memory_space-2", "override_memref_memory_space-3", "par_to_herd-2", "par_to_herd-4"),
    *("par_to_launch", "par_to_launch-2", "par_to_segment", "pipeline_reduce", "pipeline_reduce-2"),
}
"""What is written differently, and computes what the payload computed."""

SHOWS = {
    "copy_to_dma": r"%arg0\[%arg1, %c0, %c0\] \[%c1, %c5, %c12\] \[%c1, %c384, %c2\]",  # an index is not scaled by a step
    "eliminate_redundant_vector_transfers": r"permutation_map = #map",  # reads differently, and stays
    "linalg_to_library_call": r'attributes {link_with = "mm.o"}',
    "linalg_to_library_call-2": r"call @op_has_no_registered_library_name\(",
    "par_to_herd-5": r"linalg.add ins\((%alloc\w*), (%alloc\w*) .*outs\(\2 ",
    "remove_uninitialized_copy-2": r"memref.copy %alloc, %arg0",  # of what the loop before has written
}
"""What cannot be run, or reads what nothing wrote: what matters in the result."""


def case_name(case: Path) -> str:
    return str(case.parent) + case.name.removeprefix("payload")


def script_of(case: Path) -> Path:
    own = DATA / case.parent / f"{case.name.replace('payload', 'script')}.mlir"
    return own if own.exists() else DATA / case.parent / "script.mlir"


def read(path: Path) -> ir.OpView:
    return asm.read(path.read_text(), str(path))


def number(value: Any) -> Any:
    """A value for an argument; indices are in range."""
    return 1 if isinstance(value, int) else value


def settled(module: ir.OpView) -> str:
    """The text of a module that differs from another only where it says something else."""
    driver.run(pipeline.parse("canonicalize,cse,canonicalize", Registry()), module)
    return NUMBER.sub("", asm.write(module))


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_as_the_reference(case: Path) -> None:
    name = case_name(case)
    step = AirTransform(filename=str(script_of(case)))
    with reused_context(), ir.Location.unknown():
        module = read(DATA / f"{case}.mlir")
        if name in REFUSED:
            with pytest.raises(AlloAirError, match=re.escape(REFUSED[name])) as wrong:
                step.run(module.operation)
            assert wrong.value.diagnostics[0].file == step.filename
            assert f"'transform.air.{case.parent}' op" in str(wrong.value)
            return
        if name in KEEPS:
            keeps(module, [step], *map(number, drawn(module)), seeds=1)
            return
        step.run(module.operation)
        after = read(DATA / f"{str(case).replace('payload', 'after')}.mlir")
        if name in SHOWS:
            assert re.search(SHOWS[name], asm.write(module)), asm.write(module)
        else:
            assert settled(module) == settled(after)
