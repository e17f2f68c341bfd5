# mypy: ignore-errors
# ruff: noqa: F821
"""Layers of networks as loops, and their schedules, which pipeline the inner loops."""

import allo_air as allo
from allo_air.frontend.templates import template


@template("Ty", "M", "N", "K")
def linear2d(X: "Ty[M, K]", W: "Ty[N, K]", b: "Ty[N]") -> "Ty[M, N]":
    """X W^T + b."""
    Z: Ty[M, N] = 0
    for i, k, j in allo.grid(M, K, N, name="gemm"):
        Z[i, j] += X[i, k] * W[j, k]
    for i, j in allo.grid(M, N, name="bias"):
        Z[i, j] += b[j]
    return Z


def schedule_linear2d(s):
    """Computes one row at a time, in a buffer."""
    s.buffer_at(s.Z, axis="gemm:i")
    s.pipeline("gemm:j")
    s.pipeline("bias:j")
    return s


@template("Ty", "B", "L", "D", "M")
def linear3d(X: "Ty[B, L, D]", W: "Ty[M, D]", b: "Ty[M]") -> "Ty[B, L, M]":
    """X W^T + b, for each element of a batch."""
    Z: Ty[B, L, M] = 0
    for n, i, k, j in allo.grid(B, L, D, M, name="gemm"):
        Z[n, i, j] += X[n, i, k] * W[j, k]
    for n, i, j in allo.grid(B, L, M, name="bias"):
        Z[n, i, j] += b[j]
    return Z


schedule_linear3d = schedule_linear2d


@template("Ty", "H", "W")
def relu2d(X: "Ty[H, W]") -> "Ty[H, W]":
    """max(X, 0)."""
    Z: Ty[H, W] = 0
    for h, w in allo.grid(H, W):
        Z[h, w] = max(X[h, w], 0)
    return Z


@template("Ty", "C", "H", "W")
def relu3d(X: "Ty[C, H, W]") -> "Ty[C, H, W]":
    """max(X, 0)."""
    Z: Ty[C, H, W] = 0
    for c, h, w in allo.grid(C, H, W):
        Z[c, h, w] = max(X[c, h, w], 0)
    return Z


@template("Ty", "N", "C", "H", "W")
def relu4d(X: "Ty[N, C, H, W]") -> "Ty[N, C, H, W]":
    """max(X, 0)."""
    Z: Ty[N, C, H, W] = 0
    for n, c, h, w in allo.grid(N, C, H, W):
        Z[n, c, h, w] = max(X[n, c, h, w], 0)
    return Z


def _innermost(s):
    """Pipelines the innermost loop of each nest."""
    for band, loops in s.get_loops():
        s.pipeline(f"{band}:{loops.keys()[-1]}")
    return s


schedule_relu2d = schedule_relu3d = schedule_relu4d = _innermost


@template("Ty", "H", "D")
def softmax(X: "Ty[H, D]") -> "Ty[H, D]":
    """exp(X - max) / sum, for each row."""
    return allo.softmax(X)


@template("Ty", "H", "D")
def log_softmax(X: "Ty[H, D]") -> "Ty[H, D]":
    """The logarithm of softmax, for each row."""
    Z: Ty[H, D] = 0
    E: Ty[H] = 0
    M: Ty[H] = -1000000000000.0
    for i, j in allo.grid(H, D, name="row_max"):
        M[i] = max(M[i], X[i, j])
    for i, j in allo.grid(H, D, name="exp_sum"):
        E[i] += allo.exp(X[i, j] - M[i])
    for i, j in allo.grid(H, D, name="update"):
        Z[i, j] = X[i, j] - M[i] - allo.log(E[i])
    return Z


@template("Ty", "L", "D")
def layer_norm(X: "Ty[L, D]", gamma: "Ty[D]", beta: "Ty[D]") -> "Ty[L, D]":
    """(X - mean) / sqrt(variance + 1e-5) * gamma + beta, for each row."""
    Z: Ty[L, D] = 0
    mean: Ty[L] = 0
    square: Ty[L] = 0
    for i, j in allo.grid(L, D, name="sum"):
        mean[i] += X[i, j] / float(D)
    for i, j in allo.grid(L, D, name="square"):
        square[i] += (X[i, j] - mean[i]) * (X[i, j] - mean[i]) / float(D)
    for i, j in allo.grid(L, D, name="norm"):
        Z[i, j] = gamma[j] * (X[i, j] - mean[i]) / allo.sqrt(square[i] + 0.00001) + beta[j]
    return Z


@template("Ty", "L", "D")
def GeLU(X: "Ty[L, D]") -> "Ty[L, D]":
    """0.5 X (1 + tanh(sqrt(2 / pi) (X + 0.044715 X^3)))."""
    Z: Ty[L, D] = 0
    for i, j in allo.grid(L, D, name="gelu"):
        x: Ty = X[i, j]
        Z[i, j] = 0.5 * x * (1.0 + allo.tanh(0.797885 * (x + 0.044715 * x * x * x)))
    return Z


@template("Ty", "L", "D")
def residual_add(X1: "Ty[L, D]", X2: "Ty[L, D]") -> "Ty[L, D]":
    """X1 + X2."""
    Z: Ty[L, D] = 0
    for i, j in allo.grid(L, D, name="residual"):
        Z[i, j] = X1[i, j] + X2[i, j]
    return Z


schedule_log_softmax = schedule_layer_norm = schedule_GeLU = schedule_residual_add = _innermost
schedule_layernorm, schedule_gelu = schedule_layer_norm, schedule_GeLU


def schedule_softmax(s):
    """Does nothing: operations on whole tensors have no loops to mark."""
    return s


@template("Ty", "H", "L", "D", "M", "N")
def scaled_dot_product_attention(Q: "Ty[L, D]", K: "Ty[L, D]", V: "Ty[L, D]") -> "Ty[L, D]":
    """softmax(Q K^T / sqrt(D / H)) V, for each of H heads of D / H columns."""
    Z: Ty[L, D] = 0
    for h in range(H, name="heads"):
        S: Ty[L, L] = 0
        for i, j, k in allo.grid(L, L, D // H, name="scores"):
            S[i, j] += Q[i, h * (D // H) + k] * K[j, h * (D // H) + k] / float((D // H) ** 0.5)
        P: Ty[L, L] = allo.softmax(S)
        for i, j, k in allo.grid(L, D // H, L, name="values"):
            Z[i, h * (D // H) + j] += P[i, k] * V[k, h * (D // H) + j]
    return Z


@template("Ty", "B", "Cin", "Cout", "H", "W", "Kh", "Kw", "Oh", "Ow", "stride", "pad0", "pad1")
def conv2d(inp: "Ty[B, Cin, H, W]", kernel: "Ty[Cout, Cin, Kh, Kw]", bias: "Ty[Cout]") -> "Ty[B, Cout, Oh, Ow]":
    """A convolution, with `pad0` and `pad1` zeros around rows and columns."""
    padded: Ty[B, Cin, H + 2 * pad0, W + 2 * pad1] = 0
    Z: Ty[B, Cout, Oh, Ow] = 0
    for n, c, h, w in allo.grid(B, Cin, H, W, name="pad"):
        padded[n, c, h + pad0, w + pad1] = inp[n, c, h, w]
    for n, o, h, w, c, r, q in allo.grid(B, Cout, Oh, Ow, Cin, Kh, Kw, name="conv"):
        Z[n, o, h, w] += padded[n, c, h * stride + r, w * stride + q] * kernel[o, c, r, q]
    for n, o, h, w in allo.grid(B, Cout, Oh, Ow, name="bias"):
        Z[n, o, h, w] += bias[o]
    return Z


@template("Ty", "B", "C", "H", "W", "K", "Oh", "Ow", "stride", "pad")
def maxpool2d(inp: "Ty[B, C, H, W]") -> "Ty[B, C, Oh, Ow]":
    """The maximum of K x K elements, every `stride`."""
    padded: Ty[B, C, H + 2 * pad, W + 2 * pad] = -1000000000.0
    Z: Ty[B, C, Oh, Ow] = -1000000000.0
    for n, c, h, w in allo.grid(B, C, H, W, name="pad"):
        padded[n, c, h + pad, w + pad] = inp[n, c, h, w]
    for n, c, h, w, r, q in allo.grid(B, C, Oh, Ow, K, K, name="pool"):
        Z[n, c, h, w] = max(Z[n, c, h, w], padded[n, c, h * stride + r, w * stride + q])
    return Z


@template("Ty", "B", "C", "H", "W", "K", "Oh", "Ow", "stride", "pad")
def avgpool2d(inp: "Ty[B, C, H, W]") -> "Ty[B, C, Oh, Ow]":
    """The mean of K x K elements (including zeros of the padding), every `stride`."""
    padded: Ty[B, C, H + 2 * pad, W + 2 * pad] = 0
    Z: Ty[B, C, Oh, Ow] = 0
    for n, c, h, w in allo.grid(B, C, H, W, name="pad"):
        padded[n, c, h + pad, w + pad] = inp[n, c, h, w]
    for n, c, h, w, r, q in allo.grid(B, C, Oh, Ow, K, K, name="pool"):
        Z[n, c, h, w] += padded[n, c, h * stride + r, w * stride + q] / float(K * K)
    return Z


@template("Ty", "B", "C")
def batchnorm1d(X: "Ty[B, C]", gamma: "Ty[C]", beta: "Ty[C]", eps: "Ty", mean: "Ty[C]", var: "Ty[C]") -> "Ty[B, C]":
    """(X - mean) / sqrt(var + eps) * gamma + beta."""
    Z: Ty[B, C] = 0
    for n, c in allo.grid(B, C, name="norm"):
        Z[n, c] = gamma[c] * (X[n, c] - mean[c]) / allo.sqrt(var[c] + eps) + beta[c]
    return Z


@template("Ty", "B", "C", "H", "W")
def batchnorm2d(X: "Ty[B, C, H, W]", gamma: "Ty[C]", beta: "Ty[C]", eps: "Ty", mean: "Ty[C]", var: "Ty[C]") -> "Ty[B, C, H, W]":
    """(X - mean) / sqrt(var + eps) * gamma + beta, for each channel."""
    Z: Ty[B, C, H, W] = 0
    for n, c, h, w in allo.grid(B, C, H, W, name="norm"):
        Z[n, c, h, w] = gamma[c] * (X[n, c, h, w] - mean[c]) / allo.sqrt(var[c] + eps) + beta[c]
    return Z


schedule_conv2d = schedule_maxpool2d = schedule_avgpool2d = schedule_batchnorm1d = schedule_batchnorm2d = _innermost
