"""Convolutions of volumes in groups, with and without a batch, as sums of 2-D ones; for PyTorch and ONNX."""

import pytest

torch = pytest.importorskip("torch")

from allo_air.importers.convolutions import convolutions  # noqa: E402


@pytest.mark.parametrize("shape", [(2, 4, 5, 6, 7), (4, 5, 6, 7)])
def test_groups(shape):
    x, weight, bias = torch.randn(shape), torch.randn(8, 2, 3, 2, 3), torch.randn(8)
    options = ([2, 1, 1], [1, 0, 2], [1, 2, 1], 2)
    decomposed = convolutions(torch)[torch.ops.aten.conv3d.default](x, weight, bias, *options)
    torch.testing.assert_close(decomposed, torch.nn.functional.conv3d(x, weight, bias, *options), rtol=1e-4, atol=1e-4)


def test_groups_of_onnx():
    onnx, reference = pytest.importorskip("onnx"), pytest.importorskip("onnx.reference")
    from allo_air.importers.onnx_operators import rewritten

    helper, shape = onnx.helper, (2, 4, 5, 6, 7)
    options = {"group": 2, "strides": [2, 1, 1], "pads": [1, 0, 2, 0, 1, 2], "dilations": [1, 2, 1]}
    tensors = [helper.make_tensor(n, 1, s, torch.randn(s).ravel().tolist()) for n, s in (("w", (8, 2, 3, 2, 3)), ("b", (8,)))]
    node = helper.make_node("Conv", ["x", "w", "b"], ["y"], **options)
    ports = [helper.make_tensor_value_info(n, 1, s) for n, s in (("x", shape), ("y", None))]
    graph = helper.make_graph([node], "g", ports[:1], ports[1:], tensors)
    source = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    x = torch.randn(shape).numpy()
    result = rewritten(onnx, source)
    assert sum(n.op_type == "Conv" for n in result.graph.node) == 3
    found, wanted = (reference.ReferenceEvaluator(m).run(None, {"x": x})[0] for m in (result, source))
    torch.testing.assert_close(torch.tensor(found), torch.tensor(wanted), rtol=1e-4, atol=1e-4)
