"""How much each result of a network moves when its operations round: measured in float64, by operations' kinds.

Each operation's result is changed by a random relative h with a sign for each element; what the results of the network move by,
divided by h, is their reaction. `round` is that of all operations, `sum` that of sums (by h times the count times the sum of
absolute values, the worst case of a sum in any order), `approximate` that of functions which no hardware rounds correctly.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

H = 1e-7
DRAWS = 6
SUMS = ("mm", "bmm", "addmm", "convolution", "sum", "mean", "dot", "mv", "var", "linalg_vector_norm", "avg_pool2d", "logsumexp")
WHOLE = ("native_layer_norm", "native_group_norm", "native_batch_norm", "softmax", "attention", "var")
"""Operations that are several, each rounding some times."""
FUNCTIONS = ("exp", "exp2", "log", "log1p", "tanh", "erf", "rsqrt", "sqrt", "sigmoid", "sin", "cos", "pow", "reciprocal", "div",
             "gelu", "silu", "mish", "elu", "softplus", "softmax", "norm", "attention", "log_sigmoid", "logsumexp")  # fmt: skip
EXACT = ("view", "t", "transpose", "permute", "clone", "slice", "select", "cat", "expand", "unsqueeze", "squeeze", "detach",
         "alias", "_unsafe_view", "split", "_to_copy", "relu", "neg", "abs", "max", "min", "amax", "amin", "where")  # fmt: skip


class AsImported(TorchDispatchMode):
    """Computes what the importer makes of an operation, where that is not the same: its gelu has sqrt(2 / pi) as 0.797724."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func.overloadpacket.__name__ == "gelu" and kwargs.get("approximate") == "tanh":
            x = args[0]
            return 0.5 * x * (1 + torch.tanh(0.797724 * (x + 0.044715 * x**3)))
        return func(*args, **kwargs)


class Perturb(TorchDispatchMode):
    """Changes what operations of a kind give."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        name = func.overloadpacket.__name__
        if name in EXACT or not _computes(result) or name.endswith("_"):
            return result
        wide = max((_counts(func, args, kwargs, result) if self._sums(name) else 1), 1)

        def changed(x):
            if not isinstance(x, torch.Tensor) or x.dtype != torch.float64:
                return x
            sign = torch.randint(0, 2, x.shape, dtype=torch.float64) * 2 - 1
            if self.kind == "round":
                return x + H * sign * _size(name, x)
            if self.kind == "sum" and self._sums(name):
                return x + H * sign * wide * _absolute(func, args, kwargs, x)
            if self.kind == "approximate" and any(f in name for f in FUNCTIONS):
                return x + H * sign * _size(name, x)
            return x

        return tree_map(changed, result)

    @staticmethod
    def _sums(name):
        return name in SUMS or any(w in name for w in WHOLE)


def _computes(result):
    return any(isinstance(r, torch.Tensor) and r.dtype == torch.float64 for r in tree_flatten(result)[0])


def _size(name, x):
    """What one rounding of the result is relative to."""
    return 8 * x.abs().amax() if any(w in name for w in WHOLE) and x.numel() else x.abs()


def _absolute(func, args, kwargs, x):
    """The operation on absolute values; for those that are several, their largest result."""
    if func.overloadpacket.__name__ not in SUMS or func.overloadpacket.__name__ in ("var", "logsumexp"):
        return x.abs().amax() if x.numel() else x
    with torch.utils._python_dispatch._disable_current_modes():
        positive = tree_map(lambda a: a.abs() if isinstance(a, torch.Tensor) else a, (args, kwargs))
        return func(*positive[0], **positive[1])


def _counts(func, args, kwargs, result):
    """Terms of a sum: bounded by the elements that come in for one that goes out, or the inner extent of a product."""
    tensors = [a for a in tree_flatten((args, kwargs))[0] if isinstance(a, torch.Tensor)]
    name = func.overloadpacket.__name__
    if name in ("mm", "bmm", "mv", "dot"):
        return tensors[0].shape[-1]
    if name == "addmm":
        return tensors[1].shape[-1]
    if name == "convolution":
        return tensors[1][0].numel()
    first = tree_flatten(result)[0][0]
    return max(t.numel() for t in tensors) // max(1, first.numel()) if name in SUMS else tensors[0].shape[-1]


def sensitivity(network, inputs):
    """The network's results, and for each of them its largest reaction of each kind: the worst of the draws."""
    with torch.no_grad(), AsImported():
        results = [r.detach() for r in tree_flatten(network(*inputs))[0]]
        reactions = [{"round": 0.0, "sum": 0.0, "approximate": 0.0} for _ in results]
        for kind in ("round", "sum", "approximate"):
            for _ in range(DRAWS):
                with Perturb(kind):
                    moved = tree_flatten(network(*inputs))[0]
                for reaction, new, old in zip(reactions, moved, results, strict=True):
                    if old.dtype == torch.float64 and old.numel():
                        by = torch.nan_to_num(new - old).abs().max().item() / H
                        reaction[kind] = max(reaction[kind], float(f"{by:.3g}"))
    return results, reactions
