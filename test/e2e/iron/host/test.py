"""Runs the design's files on tensors and compares."""

import sys

import aie.iron as iron
import aie.utils.test as test_utils
import numpy as np
from aie.utils import DefaultNPURuntime

options = test_utils.create_default_argparser().parse_args()
x = iron.arange(1024, dtype=np.int16)
factor, y = iron.tensor([3], dtype=np.int32), iron.zeros([1024], dtype=np.int16)
run = test_utils.create_npu_kernel(options)
wrong = DefaultNPURuntime.run_test(
    run.npu_kernel, [x, factor, y], {2: x.numpy() * 3}, verify=run.verify, verbosity=run.verbosity
)
print("FAIL!" if wrong else "PASS!")
sys.exit(wrong)
