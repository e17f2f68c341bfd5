"""The C++ of each tool: types, headers, pragmas. All of them share the emitter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from allo_air.errors import UnknownNameError


@dataclass(frozen=True)
class Flavor:
    """The C++ of one tool; a pragma is a format of its fields, and is omitted if it is missing here."""

    name: str
    headers: tuple[str, ...]
    integer: str
    unsigned: str
    fixed: str
    unsigned_fixed: str
    half: str
    brain: str
    stream: str
    pragmas: Mapping[str, str]
    before_loop: bool = False
    """Whether a loop's pragmas precede it; otherwise they are at the start of its body."""
    floats: bool = True
    native: bool = True
    """Whether integers of 8, 16, 32 and 64 bits are those of stdint.h."""
    synthesis: str = ""
    """The tool that runs run.tcl, if there is one."""
    modes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The tool that a mode runs; empty if the host simulates."""
    host: bool = False
    """Whether the kernel is run by XRT, from buffers, on the host's request."""


_VIVADO = Flavor(
    "vivado_hls",
    ("algorithm", "ap_axi_sdata.h", "ap_fixed.h", "ap_int.h", "hls_math.h", "hls_stream.h", "math.h", "stdint.h", "stdio.h"),
    "ap_int<{bits}>", "ap_uint<{bits}>", "ap_fixed<{bits}, {whole}>", "ap_ufixed<{bits}, {whole}>", "half", "bfloat16",
    "hls::stream< {of} >",
    MappingProxyType({
        "pipeline": "#pragma HLS pipeline II={ii}{rewind}",
        "unroll": "#pragma HLS unroll",
        "unroll_by": "#pragma HLS unroll factor={factor}",
        "dataflow": "#pragma HLS dataflow",
        "inline": "#pragma HLS inline",
        "partition": "#pragma HLS array_partition variable={name} {kind} dim={dim}",
        "partition_by": "#pragma HLS array_partition variable={name} {kind} dim={dim} factor={factor}",
        "stream": "#pragma HLS stream variable={name} depth={depth}",
        "storage": "#pragma HLS bind_storage variable={name} {storage}",
        "port": "#pragma HLS interface m_axi port={name} offset=slave bundle=gmem{number}",
    }),
    synthesis="vivado_hls",
    modes=MappingProxyType({"csim": "", "csyn": "vivado_hls"}),
)  # fmt: skip
_XRT = {"sw_emu": "v++", "hw_emu": "v++", "hw": "v++"}
_CATAPULT = Flavor(
    "catapult",
    ("ac_channel.h", "ac_fixed.h", "ac_int.h", "ac_math.h", "ac_std_float.h", "algorithm", "math.h", "stdint.h", "stdio.h"),
    "ac_int<{bits}, true>", "ac_int<{bits}, false>", "ac_fixed<{bits}, {whole}, true>", "ac_fixed<{bits}, {whole}, false>",
    "ac_std_float<16, 5>", "ac::bfloat16", "ac_channel< {of} >",
    MappingProxyType({
        "pipeline": "#pragma hls_pipeline_init_interval {ii}",
        "unroll": "#pragma hls_unroll yes",
        "unroll_by": "#pragma hls_unroll {factor}",
        "top": "#pragma hls_design top",
        "inline": "#pragma hls_design inline",
    }),
    before_loop=True,
    native=False,
    synthesis="catapult",
    modes=MappingProxyType({"csim": "", "csyn": "catapult"}),
)  # fmt: skip
_XLS = Flavor(
    "xls",
    ("xls_int.h", "algorithm", "cstdint", "math.h", "stdio.h"),
    "XlsInt<{bits}, true>", "XlsInt<{bits}, false>", "", "", "", "", "__xls_channel< {of} >",
    MappingProxyType({
        "pipeline": "#pragma hls_pipeline_init_interval {ii}",
        "unroll": "#pragma hls_unroll yes",
        "unroll_by": "#pragma hls_unroll {factor}",
        "top": "#pragma hls_top",
    }),
    before_loop=True,
    floats=False,
    native=False,
    modes=MappingProxyType({"csim": "", "sw_emu": ""}),
)  # fmt: skip

_VITIS = replace(
    _VIVADO, name="vitis_hls", synthesis="vitis_hls", host=True,
    modes=MappingProxyType({"csim": "", "csyn": "vitis_hls", **_XRT}),
)  # fmt: skip
_TAPA = replace(
    _VIVADO, name="tapa", synthesis="", headers=(*_VIVADO.headers, "tapa.h"), stream="tapa::stream< {of} >",
    modes=MappingProxyType({"csim": "", "fast_hw_emu": "tapa", "hw_emu": "tapa", "hw": "tapa"}),
)  # fmt: skip
_INTEL = Flavor(
    "ihls",
    ("HLS/ac_fixed.h", "HLS/ac_int.h", "HLS/hls.h", "HLS/math.h", "HLS/stdio.h", "algorithm", "stdint.h"),
    "ac_int<{bits}, true>", "ac_int<{bits}, false>", "ac_fixed<{bits}, {whole}, true>", "ac_fixed<{bits}, {whole}, false>",
    "ihc::hls_float<5, 10>", "ihc::bfloat16", "ihc::stream< {of} >",
    MappingProxyType({"pipeline": "#pragma ii {ii}", "unroll": "#pragma unroll", "unroll_by": "#pragma unroll {factor}"}),
    before_loop=True,
)  # fmt: skip

FLAVORS = {
    "vhls": _VIVADO,
    "vivado_hls": _VIVADO,
    "vitis_hls": _VITIS,
    "pynq": replace(_VITIS, name="pynq", modes=MappingProxyType({**_VITIS.modes, "impl": "vivado"})),
    "tapa": _TAPA,
    "catapult": _CATAPULT,
    "ihls": _INTEL,
    "xls": _XLS,
    "xlscc": _XLS,
}
"""The tools by the names of their targets."""


def flavor(name: str) -> Flavor:
    """The C++ of target `name`."""
    if name not in FLAVORS:
        raise UnknownNameError("target", name, FLAVORS)
    return FLAVORS[name]
