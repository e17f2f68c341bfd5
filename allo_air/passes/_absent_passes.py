"""Passes of mlir-air and mlir-aie that this library does not have, each with its purpose and what to use instead."""

_GPU = "it is for GPUs; this library is for NPUs, and its passes end in the AIE dialect: use air-to-aie"
_MGPU = "it is for several GPUs; this library is for one NPU: use air-rank-to-launch, which runs the ranks one after another"
_CORE = "it makes a core's code for Peano, which aiecc does after these passes: omit it, or use backend='xrt'"

_STEP = "it is a step of mlir-aie's pipeline for vectors: use convert-vector-to-aievec, which does them all"
_OLD = (
    "mlir-aie made C++ of AIEVec by it; use convert-vector-to-aievec and convert-aievec-to-llvm, which make LLVM's operations"
)

ABSENT = {
    **dict.fromkeys(
        (
            "canonicalize-vector-for-aievec",
            "lower-vector-to-aievec",
            "optimize-aievec",
            "dynamic-size-no-implicit-broadcast",
            "aievec-conversion",
            "test-lower-vector-to-aievec",
            "aievec-split-load-ups-chains",
            "extend-ups-ops",
            "simplify-ups-ops",
            "aievec-transform-op-conversion",
        ),
        _STEP,
    ),
    **dict.fromkeys(("aie-vector-to-aievec-convolution-analysis", "aievec-convolution-analysis"), _OLD),
    "convert-aievec-to-emitc": _OLD,
    "aievec-to-cpp": _OLD,
    "translate_aie_vec_to_cpp": _OLD,
    "aie-vectorize": "use air-herd-vectorize, or affine-super-vectorize and convert-vector-to-aievec",
    "copy-removal": f"mlir-aie has left it; {_STEP}",
    "aie-hoist-vector-transfer-pointers": "it makes addresses cheaper for Peano, which aiecc does: leave it out",
    "aie-visualize": "use aie-find-flows, which shows flows, or allo-translate --describe",
    "affine-super-vectorize-aie": "use affine-super-vectorize",
    "aie-vector-to-llvm": "use convert-vector-to-aievec and convert-aievec-to-llvm",
    "convert-vector-to-llvm-aie": "use convert-vector-to-aievec and convert-aievec-to-llvm",
    "aie-create-cores": "mlir-aie has left it with AIE1's herds: use air-to-aie, which makes the cores",
    "aie-create-locks": "mlir-aie has left it with AIE1's tokens: use aie-objectFifo-stateful-transform, which makes locks",
    "aie-create-flows": "it is called aie-create-pathfinder-flows today: use that",
    "aie-create-packet-flows": "aie-create-pathfinder-flows routes packets, too: use that",
    "aie-lower-memcpy": "mlir-aie has left aie.memcpy: use air-to-aie, or object FIFOs",
    "aie-lower-dma": "mlir-aie has left it with AIE1's tokens: use aie-objectFifo-stateful-transform",
    "aie-assign-tile-ids": "it is called aie-assign-tile-controller-ids today: use that",
    "aie-find-shim-dma": "use aie-substitute-shim-dma-allocations, which replaces the names of shim DMAs",
    "air-label-broadcast-channel-with-tile": "it serves AIE1's run time: use air-place-herds and air-to-aie, which do both",
    "air-to-async": "it runs AIR on the host: use allo-run, or allo_air.interp, which execute AIR as it is",
    "airrt-to-llvm": "it calls the host library of Versal boards: use airrt-to-npu",
    "air-to-rocdl": _GPU,
    "air-gpu-outlining": _GPU,
    "air-translate-to-llvm": _GPU,
    "air-gpu-channel-to-cacheline": _GPU,
    "air-rank-to-mgpu": _MGPU,
    "air-symmetric-alloc-to-mgpu": _MGPU,
    "aie-vector-opt": f"mlir-aie has left it; {_CORE}",
    "aie-npu-to-cert": "it makes programs of a firmware that no NPU of this library runs: use aie-dma-to-npu, which ends in the"
    " instructions of a sequence",
    "aie-herd-routing": "mlir-aie has left it: use air-place-herds and air-to-aie, which make the flows",
    "convert-aiex-to-emitc": "it makes a C++ function of the words: use allo-translate --aie-npu-to-cpp, which writes that"
    " function",
}
"""Sentence by name; all begin after `there is no pass 'NAME': `."""
