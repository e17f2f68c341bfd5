"""Runs the compiled kernel by XRT's own module."""

import filelock
import numpy as np
import pyxrt
from air.backend.xrt import XRTBackend
from prog import build_module

TO, FROM = pyxrt.xclBOSyncDirection.XCL_BO_SYNC_BO_TO_DEVICE, pyxrt.xclBOSyncDirection.XCL_BO_SYNC_BO_FROM_DEVICE

artifact = XRTBackend(output_format="xclbin").compile(build_module(256, 64))
with filelock.FileLock("npu.lock"):
    device = pyxrt.device(0)
    xclbin = pyxrt.xclbin(artifact.output_binary)
    device.register_xclbin(xclbin)
    context = pyxrt.hw_context(device, xclbin.get_uuid())
    [name] = [k.get_name() for k in xclbin.get_kernels() if k.get_name() == artifact.kernel]
    kernel = pyxrt.kernel(context, name)
    words = np.fromfile(artifact.insts, dtype=np.uint32)
    insts = pyxrt.bo(device, words.nbytes, pyxrt.bo.cacheable, kernel.group_id(1))
    source = pyxrt.bo(device, 1024, pyxrt.bo.host_only, kernel.group_id(3))
    target = pyxrt.bo(device, 1024, pyxrt.bo.host_only, kernel.group_id(4))
    numbers = np.arange(256, dtype=np.int32)
    insts.write(words, 0)
    insts.sync(TO)
    source.write(numbers, 0)
    source.sync(TO)
    run = kernel(3, insts, len(words), source, target)
    if run.wait() != pyxrt.ert_cmd_state.ERT_CMD_STATE_COMPLETED:
        raise SystemExit("the run did not complete")
    if target.read(1024, 0).any():
        raise SystemExit("the host sees results before sync")
    target.sync(FROM)
    result = target.read(1024, 0).view(np.int32)
print("PASS!" if (result == 3 * numbers).all() else "failed")
