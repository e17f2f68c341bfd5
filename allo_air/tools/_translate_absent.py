"""Options of aie-translate, air-translate and mlir-translate that `allo-translate` does not have, with what to use instead."""

_LIBRARY = "it writes C++ for the run-time library of AIE1 boards; use --aie-generate-cdo or --aie-generate-txn"
_BOARD = "it writes for Versal boards; use --aie-generate-pdi or --aie-generate-xclbin"
_WORDS = "it is called --aie-npu-to-binary today"
_PICTURE = "it is for pictures by aie-visualize; use allo-opt --aie-find-flows, which shows flows, or --describe"
_MODEL = "it is for the SystemC model of aiesimulator; use allo-run, which runs the device"
_LLVM = "it is of MLIR's own tool; use mlir-translate, or allo-opt --convert-to-llvm for the dialect"

ELSEWHERE = {
    "aie-generate-xaie": _LIBRARY,
    "aie-generate-libxaie": _LIBRARY,
    "aie-generate-airbin": _BOARD,
    "aie-generate-hsa": _BOARD,
    "aie-generate-shim": _MODEL,
    "aie-mlir-to-shim-solution": _MODEL,
    "aie-mlir-to-scsim-config": _MODEL,
    "aie-generate-scsim-config": _MODEL,
    "aie-mlir-to-xpe": "it is for a power estimate of AIE1, which has no replacement here",
    "aie-generate-xpe": "it is for a power estimate of AIE1, which has no replacement here",
    "aie-generate-ipu": _WORDS,
    "aie-generate-npu": _WORDS,
    "aie-npu-instgen": _WORDS,
    "aie-ipu-to-binary": _WORDS,
    "aie-generate-ctrlpkt": "use --aie-ctrlpkt-to-bin",
    "aie-ctrlpkt-to-binary": "use --aie-ctrlpkt-to-bin",
    "aie-generate-cdo-direct": "use --aie-generate-cdo",
    "aie-generate-json": _PICTURE,
    "aie-flows-to-json": _PICTURE,
    "aie-npu-to-cert": "it is for a firmware that no NPU here runs; use --aie-npu-to-binary",
    "aie-cert-to-asm": "it is for a firmware that no NPU here runs; use --aie-npu-to-binary",
    "aievec-to-cpp": "use allo-opt --convert-vector-to-aievec --convert-aievec-to-llvm",
    "aieml": "use allo-opt --convert-vector-to-aievec=aie-target=aie2",
    "adf-generate-cpp-graph": "mlir-aie has left the dialect ADF; use aie.core and aie.objectfifo",
    "cdo-debug": "use --describe, which prints what a file configures",
    "cdo-axi-debug": "use --describe, which prints what a file configures",
    "cdo-aiesim": _MODEL,
    "air-herds-to-json": "use allo-opt --air-place-herds, which shows the places",
    "import-llvm": _LLVM,
    "mlir-to-cpp": _LLVM,
}
