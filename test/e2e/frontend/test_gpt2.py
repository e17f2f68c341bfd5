"""A block of GPT-2 as regions that are called one after another, as Allo's programs do it."""

from math import erf
from pathlib import Path

import numpy as np

import allo_air as allo
import allo_air.dataflow as df
from allo_air.backend.aie.external_kernel import ExternalModule
from allo_air.ir.types import Stream, float32
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate
L, E, HEADS, FFN = 8, 32, 2, 64
D, CORES = E // HEADS, 2
SCALE = 1 / D**0.5
Ty = float32

layer_norm = ExternalModule("layer_norm", Path(__file__).with_name("layer_norm.cc"), input_idx=[0, 1], output_idx=[2])


@df.region()
def norm_region(X: Ty[L, E], W: Ty[E], B: Ty[E], Y: Ty[L, E]):
    pipe: Stream[Ty[L // CORES, E], 2][CORES]

    @df.kernel(mapping=[CORES], args=[X, W])
    def norm(x: Ty[L, E] @ [S(0), R], w: Ty[E]):
        p = df.get_pid()
        scaled: Ty[L // CORES, E] = 0
        layer_norm(x, w, scaled)
        pipe[p].put(scaled)

    @df.kernel(mapping=[CORES], args=[B, Y])
    def bias(b: Ty[E], y: Ty[L, E] @ [S(0), R]):
        p = df.get_pid()
        scaled: Ty[L // CORES, E] = pipe[p].get()
        for i, j in allo.grid(L // CORES, E):
            y[i, j] = scaled[i, j] + b[j]


@df.region()
def linear_region(X: Ty[L, E], W: Ty[E, E], Y: Ty[L, E]):
    @df.kernel(mapping=[2, 2], args=[X, W, Y])
    def gemm(x: Ty[L, E] @ [S(0), R], w: Ty[E, E] @ [R, S(1)], y: Ty[L, E] @ [S(0), S(1)]):
        y[:, :] = allo.matmul(x, w)


@df.region()
def head_region(Q: Ty[L, D], K: Ty[L, D], V: Ty[L, D], Y: Ty[L, D]):
    pipe: Stream[Ty[L, L], 2]

    @df.kernel(mapping=[1], args=[Q, K])
    def weights(q: Ty[L, D], k: Ty[L, D]):
        score: Ty[L, L] = -1.0e30
        for i in range(L):
            for j in range(i + 1):
                total: Ty = 0
                for d in range(D):
                    total += q[i, d] * k[j, d]
                score[i, j] = total * SCALE
        pipe.put(allo.softmax(score))

    @df.kernel(mapping=[1], args=[V, Y])
    def mix(v: Ty[L, D], y: Ty[L, D]):
        y[:, :] = allo.matmul(pipe.get(), v)


@df.region()
def add_region(A: Ty[L, E], B: Ty[L, E], C: Ty[L, E]):
    @df.kernel(mapping=[CORES], args=[A, B, C])
    def core(a: Ty[L, E] @ [S(0), R], b: Ty[L, E] @ [S(0), R], c: Ty[L, E] @ [S(0), R]):
        c[:, :] = allo.add(a, b)


@df.region()
def gelu_region(X: Ty[L, FFN], Y: Ty[L, FFN]):
    @df.kernel(mapping=[CORES], args=[X, Y])
    def core(x: Ty[L, FFN] @ [S(0), R], y: Ty[L, FFN] @ [S(0), R]):
        y[:, :] = allo.gelu(x)


def caller(region):
    module = df.build(region, target="aie")

    def call(*tensors, shape=(L, E)):
        out = np.zeros(shape, np.float32)
        module(*[np.ascontiguousarray(t) for t in tensors], out)
        return out

    return call


def block(x, w):
    norm, linear, head, add, gelu = map(caller, (norm_region, linear_region, head_region, add_region, gelu_region))
    h = norm(x, w["g1"], w["b1"])
    q, k, v = (linear(h, w[name]) for name in ("wq", "wk", "wv"))
    cuts = [slice(n * D, (n + 1) * D) for n in range(HEADS)]
    mixed = np.concatenate([head(q[:, c], k[:, c], v[:, c], shape=(L, D)) for c in cuts], axis=1)
    x = add(x, linear(mixed, w["wo"]))
    h = norm(x, w["g2"], w["b2"])
    h = gelu(np.concatenate([linear(h, w["w1"][:, n : n + E]) for n in range(0, FFN, E)], axis=1), shape=(L, FFN))
    for n in range(0, FFN, E):
        x = add(x, linear(h[:, n : n + E], w["w2"][n : n + E]))
    return x


def expected(x, w):
    def norm(x, g, b):
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * g + b

    def head(q, k, v):
        scores = np.where(np.tri(L) > 0, q @ k.T * SCALE, -np.inf)
        weights = np.exp(scores - scores.max(1, keepdims=True))
        return weights / weights.sum(1, keepdims=True) @ v

    h = norm(x, w["g1"], w["b1"])
    parts = zip(*(np.split(h @ w[name], HEADS, axis=1) for name in ("wq", "wk", "wv")), strict=True)
    x = x + np.concatenate([head(*p) for p in parts], axis=1) @ w["wo"]
    h = norm(x, w["g2"], w["b2"]) @ w["w1"]
    return x + (h * (1 + np.vectorize(erf)(h / 2**0.5)) / 2) @ w["w2"]


def test_a_block():
    rng = np.random.default_rng(0)
    shapes = dict.fromkeys(("wq", "wk", "wv", "wo"), (E, E)) | dict.fromkeys(("g1", "b1", "g2", "b2"), (E,))
    shapes |= {"w1": (E, FFN), "w2": (FFN, E)}
    w = {name: (rng.standard_normal(shape) / 4).astype(np.float32) for name, shape in shapes.items()}
    x = rng.standard_normal((L, E)).astype(np.float32)
    wide = {name: value.astype(np.float64) for name, value in w.items()}
    np.testing.assert_allclose(block(x, w), expected(x.astype(np.float64), wide), atol=2e-3)
