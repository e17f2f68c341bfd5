"""Models of PyTorch and ONNX as linalg on tensors, by the importers of torch-mlir."""
