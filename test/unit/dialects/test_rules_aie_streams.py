"""Each rule of switches, flows, the cascade and traces, kept and broken."""

# ruff: noqa: E501 - a case is a line of the table

import pytest


def device(body: str, name: str = "npu1") -> str:
    return f"aie.device({name}) {{\n{body}\n}}"


def switch(body: str, at: str = "1, 2", name: str = "npu1", op: str = "switchbox") -> str:
    return device(f"%t = aie.tile({at})\naie.{op}(%t) {{\n{body}\n}}", name)


def connects(*ports: str, at: str = "1, 2", name: str = "npu1", op: str = "switchbox") -> str:
    return switch(
        "\n".join(
            p if p.startswith("%") else f"aie.connect<{p}>" if "//" not in p else f"aie.connect<{p.split(' //')[0]}> // HERE"
            for p in ports
        ),
        at,
        name,
        op,
    )


FLOW = "%a = aie.tile(0, 2)\n%b = aie.tile(0, 3)\n%c = aie.tile(1, 3)\n%m = aie.tile(0, 1)\n%s = aie.tile(0, 0)\n"


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (connects("DMA : 1, South : 3"), connects("DMA : 2, South : 3 // HERE"), "index 2 for source bundle DMA must be less than 2"),
        (connects("DMA : 1, North : 5"), connects("DMA : 1, South : 4 // HERE"), "index 4 for dest bundle South must be less than 4"),
        (connects("South : 0, North : 0", at="0, 2"), connects("South : 0, West : 0 // HERE", at="0, 2"), "dest bundle West not supported; index: 0, bound: 0"),
        (connects("South : 0, North : 0", at="1, 1"), connects("DMA : 0, East : 0 // HERE", at="1, 1"), "dest bundle East not supported"),
        (connects("DMA : 0, North : 0", "DMA : 0, North : 1"), connects("DMA : 0, North : 0", "DMA : 1, North : 0 // HERE"), "targets same destination as another connect operation; dest: (North: 0)"),
        (connects("North : 1, North : 1"), connects("North : 1, North : 2 // HERE"), "illegal stream switch connection"),
        (connects("DMA : 3, DMA : 3", at="1, 1"), connects("DMA : 3, DMA : 2 // HERE", at="1, 1"), "illegal stream switch connection"),
        (switch("%0 = aie.amsel<5> (3)\n%1 = aie.masterset(DMA : 1, %0)"), switch("%0 = aie.amsel<6> (0) // HERE"), "'arbiterID' failed to satisfy constraint"),
        (switch("%0 = aie.amsel<0> (3)"), switch("%0 = aie.amsel<0> (4) // HERE"), "'msel' failed to satisfy constraint"),
        (switch("%0 = aie.amsel<0> (0)\n%1 = aie.amsel<0> (1)\n%2 = aie.masterset(DMA : 1, %0, %1)"),
         switch("%0 = aie.amsel<0> (0)\n%1 = aie.amsel<1> (0)\n%2 = aie.masterset(DMA : 1, %0, %1) // HERE"), "a master port can only be tied to one arbiter"),
        (switch("%0 = aie.amsel<0> (0)\n%1 = aie.masterset(DMA : 1, %0)\n%2 = aie.masterset(DMA : 0, %0)"),
         switch("%0 = aie.amsel<0> (0)\n%1 = aie.masterset(DMA : 1, %0)\n%2 = aie.masterset(DMA : 1, %0) // HERE"), "targets same destination as another connect or masterset operation"),
        (switch("%0 = aie.amsel<0> (0)\naie.packet_rules(South : 0) {\naie.rule(31, 1, %0)\n}"),
         switch("%0 = aie.amsel<0> (0)\naie.connect<South : 0, North : 0>\naie.packet_rules(South : 0) { // HERE\naie.rule(31, 1, %0)\n}"), "packet switched source (South: 0) cannot match"),
        (switch("%0 = aie.amsel<0> (0)\naie.packet_rules(South : 0) {\naie.rule(31, 31, %0)\n}"),
         switch("%0 = aie.amsel<0> (0)\naie.packet_rules(South : 0) {\naie.rule(32, 0, %0) // HERE\n}"), "'mask' failed to satisfy constraint"),
        (switch(""), switch("%c = arith.constant 1 : i32 // HERE"), "cannot be contained in a Switchbox op"),
        (connects("DMA : 0, North : 3", at="1, 0", op="shim_mux"), connects("DMA : 0, North : 3 // HERE", at="1, 2", op="shim_mux").replace(" // HERE", "").replace("{\naie", "{ // HERE\naie"), "must be in a ShimTile"),
        (connects("North : 2, DMA : 0", at="1, 0", op="shim_mux"), connects("North : 2, DMA : 0", "North : 3, DMA : 0 // HERE", at="1, 0", op="shim_mux"), "targets same destination as another connect operation"),
        (device(FLOW + "aie.packet_flow(31) {\naie.packet_source<%a, DMA : 0>\naie.packet_dest<%b, DMA : 0>\n}"),
         device(FLOW + "aie.packet_flow(32) { // HERE\naie.packet_source<%a, DMA : 0>\naie.packet_dest<%b, DMA : 0>\n}"), "ID 32 does not fit"),
        (device(FLOW + "aie.packet_flow(1) {\naie.packet_source<%a, DMA : 0>\naie.packet_dest<%b, DMA : 0>\n}"),
         device(FLOW + "aie.packet_flow(1) { // HERE\naie.packet_dest<%b, DMA : 0>\n}"), "must have at least one packet_source, found 0"),
        (device(FLOW + "aie.cascade_flow(%a, %b)"), device(FLOW + "aie.cascade_flow(%a, %c) // HERE"), "tiles must be adjacent"),
        (device(FLOW + "aie.cascade_flow(%b, %c)"), device(FLOW + "aie.cascade_flow(%s, %a) // HERE"), "shimTile row has no cascade stream interface"),
        (device(FLOW + "aie.cascade_flow(%b, %a)"), device(FLOW + "aie.cascade_flow(%m, %a) // HERE"), "memTile row has no cascade stream interface"),
        (device(FLOW + "aie.configure_cascade(%a, North, East)"), device(FLOW + "aie.configure_cascade(%a, South, East) // HERE"), "input direction of cascade must be North or West on AIE2"),
        (device(FLOW + "aie.configure_cascade(%a, West, South)"), device(FLOW + "aie.configure_cascade(%a, West, North) // HERE"), "output direction of cascade must be South or East on AIE2"),
        (device(FLOW + "aie.configure_cascade(%a, West, South)"), device(FLOW + "aie.configure_cascade(%a, West, South) // HERE", "xcvc1902"), "cascade not supported in AIE1"),
        (device(FLOW + "aie.core(%a) {\n%v = aie.get_cascade() : vector<32xbf16>\naie.put_cascade(%v : vector<32xbf16>)\naie.end\n}"),
         device(FLOW + "aie.core(%a) {\n%v = aie.get_cascade() : vector<16xbf16> // HERE\naie.end\n}"), "type must match architecture cascade width (512 bits in AIE2)"),
        (device(FLOW + "aie.core(%a) {\n%v = aie.get_cascade() : i384\naie.end\n}", "xcvc1902"),
         device(FLOW + "aie.core(%a) {\n%v = aie.get_cascade() : i512 // HERE\naie.end\n}", "xcvc1902"), "384 bits in AIE1"),
    ],
)  # fmt: skip
def test_errors(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


RULES = "\n".join(f"aie.rule(31, {i}, %0)" for i in range(5))


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (switch("%0 = aie.amsel<0> (0)\naie.packet_rules(South : 0) {\naie.rule(16, 16, %0)\n}"),
         switch("%0 = aie.amsel<0> (0)\naie.packet_rules(South : 0) {\naie.rule(16, 17, %0) // HERE\n}"), "never matches"),
        (switch(f"%0 = aie.amsel<0> (0)\naie.packet_rules(South : 0) {{\n{RULES.rsplit(chr(10), 1)[0]}\n}}"),
         switch(f"%0 = aie.amsel<0> (0)\naie.packet_rules(South : 0) {{ // HERE\n{RULES}\n}}"), "has 5 rules; a slave port has 4 slots"),
    ],
)  # fmt: skip
def test_warnings(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase, "warning")


def trace(*lines: str, here: str = "") -> str:
    return device("%t = aie.tile(0, 2)\naie.trace @tr(%t) {" + here + "\n" + "\n".join(lines) + "\n}")


EVENT = 'aie.trace.event <"INSTR_VECTOR">'


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (trace(*[EVENT] * 8), trace(*[EVENT] * 9, here=" // HERE"), "trace unit supports maximum 8 events"),
        (trace("aie.trace.packet id = 31 type = core"), trace("aie.trace.packet id = 32 type = core // HERE"), "packet ID must be in range [0, 31]"),
        (trace("aie.trace.start broadcast = 15"), trace("aie.trace.start broadcast = 16 // HERE"), "broadcast must be in range [0, 15]"),
        (trace('aie.trace.stop event = <"TRUE">'), trace('aie.trace.stop broadcast = 1 event = <"TRUE"> // HERE'), "found both"),
        (trace("aie.trace.port<7> port = DMA channel = 0 direction = MM2S"), trace("aie.trace.port<8> port = DMA channel = 0 direction = MM2S // HERE"), "slot must be in range [0, 7]"),
        (trace('aie.trace.edge_event<1> event = <"LOCK_STALL"> trigger = BOTH'), trace('aie.trace.edge_event<2> event = <"LOCK_STALL"> trigger = BOTH // HERE'), "slot must be in range [0, 1]"),
        (trace("aie.trace.port<0> port = DMA channel = 0 direction = MM2S", "aie.trace.port<1> port = DMA channel = 0 direction = MM2S"),
         trace("aie.trace.port<0> port = DMA channel = 0 direction = MM2S", "aie.trace.port<0> port = DMA channel = 1 direction = MM2S // HERE"), "sets slot 0 a second time"),
        (trace().removesuffix("}") + "aie.runtime_sequence() {\naie.trace.start_config @tr\n}\n}",
         trace().removesuffix("}") + "aie.runtime_sequence() {\naie.trace.start_config @no // HERE\n}\n}", "'no' does not name an aie.trace"),
        (device("%t = aie.tile(0, 2)\naie.core(%t) {\naie.event(1)\naie.end\n}"), device("%t = aie.tile(0, 2)\naie.core(%t) {\naie.event(4) // HERE\naie.end\n}"), "user event must be in range [0, 3]"),
    ],
)  # fmt: skip
def test_trace(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)
