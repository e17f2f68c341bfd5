"""Each rule of the objectFifo family, kept and broken."""

# ruff: noqa: E501 - a case is a line of the table

import pytest

TYPE = "!aie.objectfifo<memref<16xi32>>"
VIEW = "!aie.objectfifosubview<memref<16xi32>>"
TILES = "%s = aie.tile(0, 0)\n%m = aie.tile(0, 1)\n%a = aie.tile(0, 2)\n%b = aie.tile(0, 3)\n%c = aie.tile(0, 4)\n"


def device(body: str) -> str:
    return "aie.device(npu1) {\n" + TILES + body + "\n}"


def fifo(head: str, attrs: str = "", name: str = "of") -> str:
    return f"aie.objectfifo @{name}({head}) {attrs} : {TYPE}"


def core(body: str, fifo_text: str = fifo("%a, {%b}, 2 : i32"), here: str = "", tile: str = "%a") -> str:
    return device(f"{fifo_text}\naie.core({tile}) {{{here}\n{body}\naie.end\n}}")


def link(*fifos: str, text: str) -> str:
    return device("\n".join(fifos) + f"\naie.objectfifo.link {text}")


IN, IN2 = fifo("%s, {%m}, 2 : i32", name="i"), fifo("%a, {%m}, 2 : i32", name="j")
OUT, OUT2 = fifo("%m, {%b}, 2 : i32", name="o"), fifo("%m, {%c}, 2 : i32", name="p")
ACQUIRE = f"%v = aie.objectfifo.acquire @of(Produce, 1) : {VIEW}"
ACCESS = f"%e = aie.objectfifo.subview.access %v[{{}}] : {VIEW} -> memref<16xi32>"
DIMS = "[<size = 4, stride = 4>, <size = 4, stride = 1>]"
PADDED = f"%m dimensionsToStream {DIMS} padDimensions [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 0, const_pad_after = 0>], {{%b}}, 2 : i32"
HERE = " // HERE"


def smaller(part: str) -> str:
    return f"{fifo('%m, {%b}, 2 : i32')} -> !aie.objectfifo<{part}>"


@pytest.mark.parametrize(
    ("good", "bad", "phrase"),
    [
        (device(fifo("%a, {%b, %c}, [2, 2, 3]")), device(fifo("%a, {%b, %c}, [2, 2]") + HERE), "does not have enough depths specified for producer and for each consumer"),
        (device(fifo(f"%m dimensionsToStream {DIMS}, {{%b}}, 2 : i32")), device(fifo(f"%s dimensionsToStream {DIMS}, {{%b}}, 2 : i32") + HERE), "`dimensionsToStream` data layout transformations are not supported on shim tile producers"),
        (device(fifo(f"%a, {{%m dimensionsFromStream {DIMS}}}, 2 : i32")), device(fifo(f"%a, {{%b, %s dimensionsFromStream {DIMS}}}, 2 : i32") + HERE), "not supported on shim tile consumers"),
        (device(fifo("%m, {%b}, 2 : i32", "{repeat_count = 2 : i32}")), device(fifo("%s, {%b}, 2 : i32", "{repeat_count = 2 : i32}") + HERE), "`repeat_count` unavailable for shim tiles"),
        (device(fifo("%a, {%b}, 2 : i32", "{via_shared_mem = 0 : i32}")), device(fifo("%a, {%b, %c}, 2 : i32", "{via_shared_mem = 0 : i32}") + HERE), "`via_shared_mem` can only be used in 1-to-1 object FIFOs"),
        (device(fifo("%a, {%b}, 2 : i32", "{via_DMA = true}")), device(fifo("%a, {%b}, 2 : i32", "{via_DMA = true, via_shared_mem = 0 : i32}") + HERE), "cannot occur together"),
        (device(fifo("%m, {%b}, 2 : i32", "{iter_count = 256 : i32}")), device(fifo("%m, {%b}, 2 : i32", "{iter_count = 257 : i32}") + HERE), "`iter_count` must be between 1 and 256"),
        (device(fifo("%a, {%m}, 2 : i32", "{iter_count = 1 : i32}")), device(fifo("%a, {%b}, 2 : i32", "{iter_count = 1 : i32}") + HERE), "`iter_count` is currently only supported on MemTiles"),
        (device(fifo("%a, {%b}, 2 : i32") + "\naie.objectfifo.allocate @of(%b)"), device(fifo("%a, {%b, %c}, 2 : i32") + "\naie.objectfifo.allocate @of(%b) // HERE"), "can only be used in 1-to-1 object FIFOs"),
        (device(fifo("%a, {%b}, 2 : i32") + "\naie.objectfifo.allocate @of(%b)"), device(fifo("%a, {%b}, 2 : i32", "{via_DMA = true}") + "\naie.objectfifo.allocate @of(%b) // HERE"), "with set `via_DMA` attribute"),
        (device(fifo("%a, {%b}, 2 : i32") + "\naie.objectfifo.allocate @of(%b)"), device("aie.objectfifo.allocate @of(%b) // HERE"), "cannot retrieve associated object FIFO"),
        (link(IN, OUT, text="[@i] -> [@o]([] [0])"), link(IN, text="[@i] -> [@o]([] []) // HERE"), "cannot retrieve associated object FIFO: 'o'"),
        (link(IN, OUT, text="[@i] -> [@o]([] [])"), link(OUT, IN, text="[@o] -> [@i]([] []) // HERE"), "must have a link point, i.e., a shared tile between objectFifos"),
        (link(IN, IN2, OUT, text="[@i, @j] -> [@o]([0, 16] [])"), link(IN, IN2, OUT, OUT2, text="[@i, @j] -> [@o, @p]([0, 16] [0, 16]) // HERE"), "does not support 'join' and 'distribute' at the same time"),
        (link(IN, IN2, OUT, text="[@i, @j] -> [@o]([0, 16] [])"), link(IN, IN2, OUT, text="[@i, @j] -> [@o]([0] []) // HERE"), "number of provided src offsets must be equal to the number of input objectFifos"),
        (link(IN, OUT, OUT2, text="[@i] -> [@o, @p]([] [0, 16])"), link(IN, OUT, OUT2, text="[@i] -> [@o, @p]([] [0]) // HERE"), "number of provided dst offsets must be equal to the number of output objectFifos"),
        (link(IN, OUT, OUT2, text="[@i] -> [@o, @p]([] [0, 16])"), link(IN, OUT, OUT2, text="[@i] -> [@o, @p]([0] [0, 16]) // HERE"), "src offsets should be empty for distribute"),
        (link(IN, OUT, text="[@i] -> [@o]([0] [])"), link(IN, OUT, text="[@i] -> [@o]([0] [0]) // HERE"), "all offsets should be empty if there is no join or distribute"),
        (link(IN, OUT, OUT2, text="[@i] -> [@o, @p]([] [0, 16])"),
         link(fifo("%a, {%b}, 2 : i32", name="i"), fifo("%b, {%c}, 2 : i32", name="o"), fifo("%b, {%m}, 2 : i32", name="p"), text="[@i] -> [@o, @p]([] [0, 16]) // HERE"), "join and distribute are unavailable on compute or shim tiles"),
        (link(IN, OUT, OUT2, text="[@i] -> [@o, @p]([] [0, 16])"), link(IN, OUT, fifo("%m, {%c}, 2 : i32", "{repeat_count = 2 : i32}", name="p"), text="[@i] -> [@o, @p]([] [0, 16]) // HERE"), "repeat counts of output object FIFOs must be equal"),
        (device(f"{IN}\n%x = aie.external_buffer : memref<16xi32>\naie.objectfifo.register_external_buffers @i(%s, {{%x}}) : (memref<16xi32>)"),
         device(f"{IN}\n%x = aie.external_buffer : memref<16xi32>\naie.objectfifo.register_external_buffers @i(%m, {{%x}}) : (memref<16xi32>) // HERE"), "tile is not a shim tile"),
        (core(ACQUIRE), core(f"%v = aie.objectfifo.acquire @of(Produce, 0) : {VIEW} // HERE"), "must acquire at least one element"),
        (core("aie.objectfifo.release @of(Produce, 1)"), core("aie.objectfifo.release @of(Produce, 0) // HERE"), "must release at least one element"),
        (core(ACQUIRE), device(fifo("%a, {%b}, 2 : i32") + f"\nfunc.func @g() {{\n{ACQUIRE} // HERE\nreturn\n}}"), "must be called from inside a CoreOp"),
        (core(ACQUIRE), core(ACQUIRE, tile="%b", here=" // HERE"), "'aie.core' op producer port of objectFifo accessed by core running on non-producer tile"),
        (core("aie.objectfifo.release @of(Consume, 1)", tile="%b"), core("aie.objectfifo.release @of(Consume, 1)", here=" // HERE"), "consumer port of objectFifo accessed by core running on non-consumer tile"),
        (core(ACQUIRE), core("%v = aie.objectfifo.acquire @of(Produce, 1) : !aie.objectfifosubview<memref<8xi32>> // HERE"), "ObjectFifo element and ObjectFifoSubview element must match"),
        (core(f"{ACQUIRE}\n{ACCESS.format(0)}"), core(f"{ACQUIRE}\n{ACCESS.format(1)} // HERE"), "accessed farther than number of acquired elements"),
        (core(f"{ACQUIRE}\n{ACCESS.format(0)}"), core(f"{ACQUIRE}\n{ACCESS.format(0).replace('-> memref<16', '-> memref<8')} // HERE"), "expects the subview's element memref<16xi32>"),
        (device(fifo("%m, {%b}, 2 : i32") + ""), device(smaller("memref<4xf32>") + HERE), "producer and consumer objects must have the same element type"),
        (device(smaller("memref<4xi32>")), device(smaller("memref<5xi32>") + HERE), "must hold a multiple of the consumer's elements: 16 in memref<16xi32>, 5 in memref<5xi32>"),
        (core(ACQUIRE.replace("16xi32", "4xi32").replace("Produce", "Consume"), smaller("memref<4xi32>"), tile="%b"), core(ACQUIRE.replace("Produce", "Consume") + HERE, smaller("memref<4xi32>"), tile="%b"), "ObjectFifo element and ObjectFifoSubview element must match"),
        (device(fifo("%m, {%b, %c}, 2 : i32", "{cons_dma_channels = array<i32: 0, -1>}")), device(fifo("%m, {%b, %c}, 2 : i32", "{cons_dma_channels = array<i32: 0>}") + HERE), "`cons_dma_channels` needs one entry per consumer: 1 entries, 2 consumers"),
        (device(fifo("%m, {%b}, 2 : i32", "{prod_dma_channel = 1 : i32}")), device(fifo("%m, {%b}, 2 : i32", "{prod_dma_channel = 1 : i32, aie_stream = 1 : i32, aie_stream_port = 0 : i32}") + HERE), "cannot be used with `aie_stream`"),
        (device(fifo("%m, {%b}, 2 : i32", "{aie_stream = 1 : i32, aie_stream_port = 0 : i32}")), device(fifo("%m, {%b}, 2 : i32", "{aie_stream = 1 : i32}") + HERE), "`aie_stream` and `aie_stream_port` must be given together"),
        (device(fifo(PADDED)), device(fifo("%m, {%b}, 2 : i32", "{padValue = 7 : i32}") + HERE), "`padValue` requires `padDimensions`"),
        (device(fifo(PADDED)).replace("npu1", "npu2"), device(fifo(PADDED, "{padValue = 7 : i32}") + HERE), "`padValue` is 7; DMAs of npu1 pad with 0 only"),
        (device(fifo(PADDED, "{padValue = 7 : i32}")).replace("npu1", "npu2"), device(fifo(PADDED, "{padValue = 7 : i32}") + HERE), "AIE2p has a register for it"),
        (link(IN, OUT, text="[@i] -> [@o]([] [])"), link(IN + HERE, OUT, OUT2, text="[@i] -> [@o]([] [])\naie.objectfifo.link [@i] -> [@p]([] [])"), "cannot be in more than one ObjectFifoLinkOp"),
    ],
)  # fmt: skip
def test_errors(compare, good: str, bad: str, phrase: str) -> None:  # type: ignore[no-untyped-def]
    compare(good, bad, phrase)


@pytest.mark.parametrize(
    ("acquires", "releases", "length", "phrase"),
    [
        (1, 1, 10, None),
        (1, 5, 5, None),
        (2, 5, 10, "Acquire and Release patterns must be of equal length"),
        (1, 1, 0, "process length must be >= 1"),
    ],
)
def test_register_process(findings, acquires: int, releases: int, length: int, phrase: str | None) -> None:  # type: ignore[no-untyped-def]
    text = device(f"""{fifo("%a, {%b}, 2 : i32")}
    func.func @work() {{ return }}
    %p = arith.constant dense<1> : tensor<{acquires}xi32>
    %q = arith.constant dense<1> : tensor<{releases}xi32>
    %n = arith.constant {length} : index
    aie.objectfifo.register_process @of(Produce, %p : tensor<{acquires}xi32>, %q : tensor<{releases}xi32>, @work, %n)""")
    found = findings(text)
    assert [d.line for d in found] == ([] if phrase is None else [12]), [str(d) for d in found]
    assert all(phrase in d.message for d in found)
