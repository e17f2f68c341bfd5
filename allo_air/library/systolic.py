# mypy: ignore-errors
# ruff: noqa: F821
"""Matrix products as systolic arrays of Mt x Nt processing elements."""

import allo_air as allo
from allo_air.frontend.templates import template
from allo_air.frontend.types import Int, index


@template("TyA", "TyB", "TyC", "K", "Mt", "Nt")
def PE_kernel(A_in: "TyA[K]", B_in: "TyB[K]", A_out: "TyA[K]", B_out: "TyB[K]", C: "TyC[Mt, Nt]", i: index, j: index):
    """One processing element: adds up products of a row of A and a column of B, and passes both on."""
    v: TyC = 0
    for k in range(K):
        a: TyA = A_in[k]
        b: TyB = B_in[k]
        v += a * b
        A_out[k] = a
        B_out[k] = b
    C[i, j] = v


@template("TyA", "TyB", "TyC", "K", "Mt", "Nt")
def systolic_tile(A: "TyA[Mt, K]", B: "TyB[K, Nt]", C: "TyC[Mt, Nt]"):
    """C = A B, by Mt x Nt processing elements."""
    A_fifo: TyA[Mt, Nt + 1, K]
    B_fifo: TyB[Nt, Mt + 1, K]
    for k in range(K, name="data_load"):
        for m in range(Mt):
            A_fifo[m, 0, k] = A[m, k]
        for n in range(Nt):
            B_fifo[n, 0, k] = B[k, n]
    for i, j in allo.grid(Mt, Nt, name="PE"):
        PE_kernel[TyA, TyB, TyC, K, Mt, Nt](A_fifo[i, j], B_fifo[j, i], A_fifo[i, j + 1], B_fifo[j, i + 1], C, i, j)


@template("TyA", "TyB", "TyC", "M", "K", "N", "Mt", "Nt")
def systolic(A: "TyA[M, K]", B: "TyB[K, N]", C: "TyC[M, N]"):
    """C = A B, by tiles of Mt x Nt; these must divide M and N."""
    local_A: TyA[Mt, K] = 0
    local_B: TyB[K, Nt] = 0
    local_C: TyC[Mt, Nt] = 0
    for mi, ni in allo.grid(M // Mt, N // Nt, name="outer_tile"):
        for ak, ai in allo.grid(K, Mt, name="load_A_tile"):
            local_A[ai, ak] = A[mi * Mt + ai, ak]
        for bk, bj in allo.grid(K, Nt, name="load_B_tile"):
            local_B[bk, bj] = B[bk, ni * Nt + bj]
        systolic_tile[TyA, TyB, TyC, K, Mt, Nt](local_A, local_B, local_C)
        for sj, si in allo.grid(Nt, Mt, name="store_C_tile"):
            C[mi * Mt + si, ni * Nt + sj] = local_C[si, sj]


@template("TyA", "TyB", "TyC", "M", "K", "N", "Mt", "Nt", "P")
def packed_systolic(A: "Int(TyA.bits * P)[M // P, K]", B: "Int(TyB.bits * P)[K, N // P]", C: "Int(TyC.bits * P)[M // P, N]"):
    """Like `systolic`, on words of P integers: consecutive elements of a column of A and C, or of a row of B, the first in the
    lowest bits.

    P divides Mt and Nt, which divide M and N.
    """
    assert Mt % P == 0 and Nt % P == 0 and M % Mt == 0 and N % Nt == 0, "P divides Mt and Nt, which divide M and N"
    local_A: TyA[Mt, K] = 0
    local_B: TyB[K, Nt] = 0
    local_C: TyC[Mt, Nt] = 0
    for mi, ni in allo.grid(M // Mt, N // Nt, name="outer_tile"):
        for ak, ai in allo.grid(K, Mt // P, name="load_A_tile"):
            a: Int(TyA.bits * P) = A[mi * (Mt // P) + ai, ak]
            for p in range(P):
                local_A[ai * P + p, ak] = a[p * TyA.bits : (p + 1) * TyA.bits]
        for bk, bj in allo.grid(K, Nt // P, name="load_B_tile"):
            b: Int(TyB.bits * P) = B[bk, ni * (Nt // P) + bj]
            for p in range(P):
                local_B[bk, bj * P + p] = b[p * TyB.bits : (p + 1) * TyB.bits]
        systolic_tile[TyA, TyB, TyC, K, Mt, Nt](local_A, local_B, local_C)
        for sj, si in allo.grid(Nt, Mt // P, name="store_C_tile"):
            c: Int(TyC.bits * P) = 0
            for p in range(P):
                c[p * TyC.bits : (p + 1) * TyC.bits] = local_C[si * P + p, sj]
            C[mi * (Mt // P) + si, ni * Nt + sj] = c


def schedule_systolic(s):
    """Unfolds the processing elements of each tile, and streams data between them."""
    tile = "systolic_tile"
    s.partition(s.local_C, dim=0)
    pe = s.unfold(f"{tile}:PE", [0, 1])
    s.to(f"{tile}:A_fifo", pe, axis=1)
    s.to(f"{tile}:B_fifo", pe, axis=0)
    for band, axis in (("load_A_tile", "ai"), ("load_B_tile", "bj"), ("store_C_tile", "si")):
        s.pipeline(f"{band}:{axis}")
    return s


schedule_packed_systolic = schedule_systolic
