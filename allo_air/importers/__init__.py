"""Imports models of PyTorch and ONNX as linalg on tensors, with torch-mlir."""
