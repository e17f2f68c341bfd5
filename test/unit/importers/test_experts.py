"""Decompositions of what mixtures of experts need."""

import pytest


def test_a_histogram_counts_edges_of_bins_as_torch_does() -> None:
    torch = pytest.importorskip("torch")
    from allo_air.importers.experts import experts

    histogram = experts(torch)[torch.ops.aten.histc.default]
    for bins in range(1, 60):
        x = torch.arange(bins + 1).float() / bins * 3
        assert torch.equal(histogram(x, bins), torch.histc(x, bins))
