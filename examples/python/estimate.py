"""Predicted time of one product on parts of the array: what bounds it, and the planner's alternatives."""

import allo_air

found = []
for device in ("npu1_1col", "npu1_2col", "npu1"):
    estimate = allo_air.compile(shape=(256, 256, 256), dtype="bf16", device=device).estimate()
    print(f"{device:10} {estimate.cycles:>9,} cycles, bound by {estimate.bound}")
    found.append(estimate.cycles)
assert found == sorted(found, reverse=True), f"more columns are slower: {found}"
print(allo_air.compile(shape=(256, 256, 256), dtype="bf16", device="npu1").explain())
print("PASS")
