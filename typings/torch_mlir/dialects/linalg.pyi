from typing import Any

from torch_mlir.dialects._linalg_ops_gen import (
    BatchMatmulOp as BatchMatmulOp,
    BroadcastOp as BroadcastOp,
    CopyOp as CopyOp,
    FillOp as FillOp,
    GenericOp as GenericOp,
    IndexOp as IndexOp,
    MatmulOp as MatmulOp,
    PackOp as PackOp,
    TransposeOp as TransposeOp,
    UnPackOp as UnPackOp,
    YieldOp as YieldOp,
)

def __getattr__(name: str) -> Any: ...  # the structured operations' builders, written at run time
