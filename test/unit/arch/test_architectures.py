"""The machine model: its figures agree with one another."""

from math import prod

import pytest

from allo_air.arch import ARCHITECTURES, arch_of, core_of
from allo_air.device import DEVICES
from allo_air.errors import AlloAirError

NPU1, NPU2, VC1902 = (arch_of(DEVICES[name]) for name in ("npu1", "npu2", "xcvc1902"))
MODELLED = pytest.mark.parametrize("arch", ["AIE2", "AIE2p"])


def test_every_device_has_an_architecture() -> None:
    assert {device.arch for device in DEVICES.values()} == set(ARCHITECTURES)


def test_limits() -> None:
    assert (NPU1.cascade_bits, VC1902.cascade_bits) == (512, 384)
    assert (NPU1.burst_lengths, NPU2.burst_lengths[-1]) == ((64, 128, 256), 512)
    assert (NPU1.max_lock_value, NPU1.semaphore_locks, VC1902.semaphore_locks) == (63, True, False)


def test_clocks_move_memory_alone() -> None:
    slow, fast = NPU2.timing(1250), NPU2.timing(2500)
    assert slow.ddr_bytes_per_cycle == 2 * fast.ddr_bytes_per_cycle
    assert fast.ddr_refresh_interval == 2 * slow.ddr_refresh_interval
    assert slow.core_lock_issue == fast.core_lock_issue


def test_locks_without_calls_take_no_jumps() -> None:
    jump = core_of("AIE2").jump
    called, inline = NPU1.timing(), NPU1.timing(calls=False)
    assert inline.core_lock_issue == called.core_lock_issue - jump
    assert inline.core_lock_return < called.core_lock_return == jump


def test_what_has_no_model_says_so() -> None:
    with pytest.raises(AlloAirError, match="no model of the cores of architecture 'AIE1'"):
        core_of("AIE1")


@MODELLED
def test_contractions_are_what_the_multipliers_do(arch: str) -> None:
    """As many MACs an instruction as the issue model counts, and none above the peak; bf16 on AIE2p uses half of its own."""
    core = core_of(arch)
    for made in core.contractions:
        kind = "bfp16" if made.blocks else made.element
        if made.shape[0] == core.mac_shapes[kind, kind][0]:
            assert made.macs == prod(core.mac_shapes[kind, kind])
        assert made.macs <= core.peak_macs[kind]
    for kind, most in core.peak_macs.items():
        used = prod(core.mac_shapes[kind, kind])
        assert used == (most / 2 if (arch, kind) == ("AIE2p", "bf16") else most)


@MODELLED
def test_a_load_fills_an_operand_in_whole_loads(arch: str) -> None:
    core = core_of(arch)
    assert core.loads * core.load_bytes == 2 * core.stores * core.store_bytes == 2 * core.load_bytes
