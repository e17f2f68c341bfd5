"""The PyTorch modules that make.py exports: name -> (function or module, inputs)."""

import math

import torch
import torch.nn.functional as F
from torch import nn

f32, bf16, i8, i32, i64 = torch.float32, torch.bfloat16, torch.int8, torch.int32, torch.int64

MODULES = {}


def module(*inputs, name=None):
    """Registers a function of tensors, or a class of modules without parameters, with its inputs' shapes and types."""

    def register(made):
        MODULES[name or made.__name__] = (made, [i if isinstance(i, dict) else given(*i) for i in inputs])
        return made

    return register


def given(shape, dtype=f32, low=None, high=None):
    """An input: floats from (-2, 2) or (low, high), integers from [low, high)."""
    return {"shape": list(shape), "dtype": str(dtype).removeprefix("torch."), "low": low, "high": high}


def unary(name, fn, shape=(33, 50), dtype=f32, low=None, high=None):
    MODULES[name] = (lambda x: fn(x), [given(shape, dtype, low, high)])


# Elementwise.
unary("exp", torch.exp, (64, 64))
unary("exp2", torch.exp2, (7, 19))
unary("log", torch.log, (1000,), low=0.1, high=8)
unary("log1p", torch.log1p, (5, 5), low=0, high=3)
unary("tanh", torch.tanh, (8, 128))
unary("erf", torch.erf)
unary("sqrt", torch.sqrt, (17,), low=0, high=9)
unary("rsqrt", torch.rsqrt, (3, 5, 7), low=0.25, high=9)
unary("sigmoid", torch.sigmoid, (2, 3, 4, 5, 6))
unary("sin", torch.sin, (31, 3))
unary("cos", torch.cos, (31, 3))
unary("reciprocal", torch.reciprocal, (128,), low=0.5, high=4)
unary("abs_neg", lambda x: (-x).abs())
unary("floor_ceil", lambda x: torch.floor(x) + 2 * torch.ceil(x), (13, 13))
unary("round", torch.round, (10, 3))
unary("sign", torch.sign, (9, 2))
unary("pow3", lambda x: x**3, (64, 3))
unary("pow2_half", lambda x: x**2 + x.abs() ** 0.5, (64, 3))
unary("pow_neg2", lambda x: x**-2, (16, 16), low=0.5, high=2)
unary("exp_bf16", torch.exp, (64, 64), bf16)
unary("tanh_bf16", torch.tanh, (1, 256), bf16)

# Activations.
for act in (
    "relu",
    "gelu",
    "silu",
    "leaky_relu",
    "elu",
    "hardswish",
    "hardsigmoid",
    "softplus",
    "mish",
    "relu6",
    "selu",
    "softsign",
):
    unary(act, getattr(F, act), (32, 65))
unary("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), (32, 64))
unary("logsigmoid", F.logsigmoid, (4, 64))
unary("hardtanh", lambda x: F.hardtanh(x, -0.5, 1.5), (4, 64))
unary("relu_bf16", F.relu, (64, 128), bf16)
unary("gelu_bf16", F.gelu, (16, 96), bf16)
unary("silu_bf16", F.silu, (16, 96), bf16)
unary("relu_i32", torch.relu, (7, 9), i32)


@module(((64, 64),), ((64, 64),))
def add(x, y):
    return x + y


@module(((64, 64), bf16), ((64, 64), bf16))
def add_bf16(x, y):
    return x + y


@module(((40, 41), i32), ((40, 41), i32))
def mul_sub_i32(x, y):
    return x * y - y


@module(((3, 100), i8), ((3, 100), i8))
def add_i8(x, y):
    return x + y


@module(((16, 1, 8),), ((1, 5, 8),), ((8,),), ((),))
def broadcasts(x, y, z, s):
    return (x * y + z) / (s.abs() + 3.0)


@module(((64, 48), bf16), ((48,), bf16))
def bias_relu_bf16(x, b):
    return F.relu(x + b)


@module(((9, 31),), ((9, 31),))
def compare_where(x, y):
    return torch.where(x > y, x - y, torch.where(x <= 0.25, y, 3.0 * x))


@module(((9, 31),), ((9, 31),))
def comparisons(x, y):
    return x < y, x >= y, x == y, (x > 0) & ~(y > 0)


@module(((12, 12), i32), ((12, 12), i32))
def bits(x, y):
    return (x & y) | (x ^ y), x & 15


@module(((20, 20), i32, 1, 100), ((20, 20), i32, 1, 9))
def div_rem_i32(x, y):
    return torch.div(x, y, rounding_mode="trunc"), torch.remainder(x, y)


@module(((50, 6),), ((50, 6), i32))
def casts(x, i):
    return x.to(bf16), (x * 10).to(i32), i.to(f32) * 0.5, i.to(i8)


@module(((50, 6), bf16))
def cast_bf16_f32(x):
    return x.to(f32)


@module(((30, 7), i8))
def dequantize(x):
    return (x.to(f32) - 3.0) * 0.0625


@module(((30, 8),))
def quantize(x):
    return torch.clamp(torch.round(x * 40.0) + 3.0, -128, 127).to(i8)


@module(((25, 25),), ((25, 25),))
def min_max_clamp(x, y):
    return torch.clamp(torch.maximum(x, y), -1.0, 1.0) * torch.minimum(x, y)


@module(((6, 10),), ((6, 10),), ((6, 10),))
def addcmul_lerp(x, y, z):
    return torch.addcmul(x, y, z, value=0.5), torch.lerp(x, y, 0.25)


# Reductions.
unary("sum_all", lambda x: x.sum(), (33, 65))
unary("sum_rows", lambda x: x.sum(-1), (33, 65))
unary("sum_columns", lambda x: x.sum(0), (33, 65))
unary("sum_middle_keep", lambda x: x.sum(1, keepdim=True), (4, 9, 16))
unary("sum_outer_inner", lambda x: x.sum((0, 2)), (4, 9, 16))
unary("mean_rows", lambda x: x.mean(-1), (16, 100))
unary("mean_image", lambda x: x.mean((2, 3)), (2, 5, 7, 7))
unary("amax_rows", lambda x: x.amax(-1), (16, 37))
unary("amin_all", lambda x: x.amin(), (16, 37))
unary("max_values_indices", lambda x: torch.max(x, 1), (16, 37))
unary("min_values", lambda x: torch.min(x, 0)[0], (16, 37))
unary("argmax_rows", lambda x: torch.argmax(x, -1), (16, 37))
unary("argmin_keep", lambda x: torch.argmin(x, 0, keepdim=True), (16, 37))
unary("argmax_all", lambda x: torch.argmax(x), (9, 11))
unary("prod_all", lambda x: x.prod(), (4, 5), low=0.5, high=1.5)
unary("prod_rows", lambda x: x.prod(1), (10, 12), low=0.5, high=1.5)
unary("any_rows", lambda x: (x > 1.9).any(1), (10, 30))
unary("all_all", lambda x: (x > -3).all(), (10, 30))
unary("variance", lambda x: x.var(-1), (8, 64))
unary("norm2", lambda x: torch.linalg.vector_norm(x, dim=-1), (8, 64))
unary("logsumexp", lambda x: torch.logsumexp(x, -1), (8, 50))
unary("sum_bf16", lambda x: x.sum(-1), (32, 128), bf16)
unary("sum_i32", lambda x: x.sum(-1, dtype=i32), (32, 33), i32)

# Softmax and norms.
unary("softmax", lambda x: F.softmax(x, -1), (32, 64))
unary("softmax_columns", lambda x: F.softmax(x, 0), (20, 33))
unary("softmax_bf16", lambda x: F.softmax(x, -1), (16, 128), bf16)
unary("log_softmax", lambda x: F.log_softmax(x, -1), (10, 37))
unary("softmax_4d", lambda x: F.softmax(x, -1), (2, 3, 9, 17))


@module(((16, 64),), ((64,),))
def rms_norm(x, w):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * w


@module(((8, 96), bf16), ((96,), bf16))
def rms_norm_bf16(x, w):
    y = x.float()
    return (y * torch.rsqrt((y * y).mean(-1, keepdim=True) + 1e-6)).to(bf16) * w


@module(((4, 10, 48),))
class layer_norm(nn.LayerNorm):
    def __init__(self):
        super().__init__(48)


@module(((16, 128), bf16))
class layer_norm_bf16(nn.LayerNorm):
    def __init__(self):
        super().__init__(128, dtype=bf16)


@module(((2, 12, 5, 7),))
class group_norm(nn.GroupNorm):
    def __init__(self):
        super().__init__(3, 12)


@module(((2, 8, 6, 5),))
class batch_norm(nn.BatchNorm2d):
    def __init__(self):
        super().__init__(8)


@module(((2, 3, 8, 9),))
class instance_norm(nn.InstanceNorm2d):
    def __init__(self):
        super().__init__(3)


# Contractions.
def product(name, fn, *inputs):
    MODULES[name] = (fn, [given(*i) for i in inputs])


product("matmul", lambda x, y: x @ y, ((32, 48),), ((48, 64),))
product("matmul_odd", lambda x, y: x @ y, ((33, 17),), ((17, 5),))
product("matmul_ta", lambda x, y: x.t() @ y, ((24, 40),), ((24, 32),))
product("matmul_tb", lambda x, y: x @ y.t(), ((24, 40),), ((32, 40),))
product("matmul_tab", lambda x, y: x.t() @ y.t(), ((40, 24),), ((32, 40),))
product("matmul_bf16", lambda x, y: x @ y, ((64, 64), bf16), ((64, 64), bf16))
product("matmul_tb_bf16", lambda x, y: x @ y.t(), ((32, 64), bf16), ((48, 64), bf16))
product("matmul_i32", lambda x, y: x @ y, ((16, 24), i32), ((24, 20), i32))
product("matmul_i8_i32", lambda x, y: x.to(i32) @ y.to(i32), ((32, 64), i8), ((64, 32), i8))
product("matvec", lambda x, y: x @ y, ((70, 90),), ((90,),))
product("vecmat_bf16", lambda x, y: x @ y, ((96,), bf16), ((96, 64), bf16))
product("dot", lambda x, y: torch.dot(x, y), ((300,),), ((300,),))
product("outer", lambda x, y: torch.outer(x, y), ((30,),), ((20,),))
product("bmm", lambda x, y: torch.bmm(x, y), ((3, 16, 24),), ((3, 24, 8),))
product("bmm_tb_bf16", lambda x, y: x @ y.transpose(-1, -2), ((2, 4, 32, 16), bf16), ((2, 4, 32, 16), bf16))
product("matmul_broadcast", lambda x, y: x @ y, ((2, 3, 8, 16),), ((16, 12),))
product("matmul_bias_gelu", lambda x, y, b: F.gelu(x @ y + b), ((32, 32),), ((32, 48),), ((48,),))
product("einsum", lambda x, y: torch.einsum("bik,kj->bji", x, y), ((2, 9, 8),), ((8, 5),))


@module(((20, 64),))
class linear(nn.Linear):
    def __init__(self):
        super().__init__(64, 40)


@module(((32, 64), bf16))
class linear_bf16(nn.Linear):
    def __init__(self):
        super().__init__(64, 64, dtype=bf16)


@module(((2, 7, 32),))
class linear_3d_no_bias(nn.Linear):
    def __init__(self):
        super().__init__(32, 24, bias=False)


# Convolutions and pools.
def conv(name, kind, shape, *args, dtype=f32, **kw):
    def make():
        return kind(*args, **kw).to(dtype)

    make.makes = True
    MODULES[name] = (make, [given(shape, dtype)])


conv("conv1d", nn.Conv1d, (2, 4, 30), 4, 6, 3)
conv("conv2d", nn.Conv2d, (1, 3, 12, 12), 3, 8, 3)
conv("conv2d_pad", nn.Conv2d, (1, 8, 9, 11), 8, 16, 3, padding=1)
conv("conv2d_stride", nn.Conv2d, (2, 3, 13, 13), 3, 8, 3, stride=2, padding=1, bias=False)
conv("conv2d_dilated", nn.Conv2d, (1, 4, 15, 15), 4, 5, 3, dilation=2)
conv("conv2d_groups", nn.Conv2d, (1, 8, 8, 8), 8, 12, 3, groups=4, padding=1)
conv("conv2d_depthwise", nn.Conv2d, (1, 16, 10, 10), 16, 16, 3, groups=16, padding=1)
conv("conv2d_1x1", nn.Conv2d, (1, 16, 7, 7), 16, 24, 1)
conv("conv2d_bf16", nn.Conv2d, (1, 8, 10, 10), 8, 16, 3, padding=1, dtype=bf16)
conv("conv2d_5x3", nn.Conv2d, (1, 2, 14, 9), 2, 3, (5, 3), stride=(2, 1), padding=(2, 0))
conv("max_pool", nn.MaxPool2d, (1, 4, 12, 12), 2)
conv("max_pool_pad", nn.MaxPool2d, (1, 3, 11, 11), 3, stride=2, padding=1)
conv("avg_pool", nn.AvgPool2d, (2, 3, 8, 10), 2)
conv("avg_pool_pad", nn.AvgPool2d, (1, 3, 9, 9), 3, stride=2, padding=1)
conv("adaptive_avg_pool", nn.AdaptiveAvgPool2d, (2, 6, 7, 7), 1)
conv("max_pool1d", nn.MaxPool1d, (2, 5, 21), 3)
conv("conv_transpose", nn.ConvTranspose2d, (1, 4, 6, 6), 4, 3, 3, stride=2, padding=1)

# Data movement.
unary("transpose", lambda x: x.t().contiguous(), (37, 64))
unary("permute", lambda x: x.permute(2, 0, 1).contiguous(), (5, 8, 12))
unary("reshape", lambda x: x.reshape(15, 16) * 2.0, (5, 6, 8))
unary("slice", lambda x: x[2:9, ::3] + 1.0, (12, 20))
unary("slice_only", lambda x: x[:, 3:7].contiguous(), (6, 9))
unary("pad", lambda x: F.pad(x, (1, 2, 3, 0), value=1.5), (6, 9))
unary("flip_like_roll", lambda x: torch.roll(x, 3, 1), (5, 16))
unary("stack_repeat", lambda x: torch.stack([x, x * 2], 1).repeat(1, 1, 2), (4, 6))
unary("expand", lambda x: x.unsqueeze(1).expand(-1, 5, -1) * 1.0, (4, 6))
unary("squeeze", lambda x: x.squeeze(1).unsqueeze(-1) + 1.0, (6, 1, 7))
unary("tril", lambda x: torch.tril(x), (9, 9))
unary("chunk_swiglu", lambda x: F.silu(x.chunk(2, -1)[0]) * x.chunk(2, -1)[1], (10, 64))
unary("transpose_bf16", lambda x: x.t().contiguous(), (32, 64), bf16)


@module(((4, 6),), ((4, 3),), ((4, 1),))
def concat(x, y, z):
    return torch.cat([x, y, z], 1)


@module(((5, 8),), ((3, 8),))
def concat_rows_relu(x, y):
    return F.relu(torch.cat([x, y], 0))


@module(((2, 9), i64, 0, 50))
class embedding(nn.Embedding):
    def __init__(self):
        super().__init__(50, 16)


@module(((20, 12),), ((7,), i64, 0, 20))
def index_select(x, i):
    return torch.index_select(x, 0, i)


@module(((6, 10),), ((6, 4), i64, 0, 10))
def gather(x, i):
    return torch.gather(x, 1, i)


@module(((8, 4),), ((8,), i64, 0, 5))
def one_hot_scale(x, i):
    return F.one_hot(i, 5).to(f32) * x[:, :1]


# Attention.
def attend(q, k, v, mask=None, causal=False):
    return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal)


product("sdpa", attend, ((1, 2, 16, 32),), ((1, 2, 16, 32),), ((1, 2, 16, 32),))
product("sdpa_odd", attend, ((2, 3, 17, 24),), ((2, 3, 29, 24),), ((2, 3, 29, 24),))
product("sdpa_causal", lambda q, k, v: attend(q, k, v, causal=True), *[((1, 2, 32, 16),)] * 3)
product("sdpa_masked", attend, *[((1, 2, 12, 16),)] * 3, ((12, 12),))
product("sdpa_bf16", attend, *[((1, 2, 32, 32), bf16)] * 3)


@module(((1, 4, 12, 16),), ((1, 2, 12, 16),), ((1, 2, 12, 16),))
def gqa(q, k, v):
    k, v = k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)
    return torch.softmax(q @ k.transpose(-1, -2) * 0.25, -1) @ v


@module(((2, 10, 32),))
class self_attention(nn.Module):
    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = (y.view(b, t, self.heads, -1).transpose(1, 2) for y in self.qkv(x).split(w, -1))
        scores = q @ k.transpose(-1, -2) / math.sqrt(w // self.heads)
        mask = torch.tril(torch.ones(t, t, dtype=torch.bool))
        y = torch.softmax(scores.masked_fill(~mask, float("-inf")), -1) @ v
        return self.out(y.transpose(1, 2).reshape(b, t, w))


# Networks.
@module(((16, 32),))
class mlp(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 10))


@module(((16, 64), bf16))
class mlp_bf16(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64))
        self.to(bf16)


@module(((1, 12, 48),))
class gpt2_block(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = self_attention(width, 4)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.down(F.gelu(self.up(self.ln2(x)), approximate="tanh"))


@module(((1, 8, 12, 12),))
class residual_block(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.a, self.b = (nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2))
        self.na, self.nb = nn.BatchNorm2d(width), nn.BatchNorm2d(width)

    def forward(self, x):
        return F.relu(x + self.nb(self.b(F.relu(self.na(self.a(x))))))


@module(((1, 8, 12, 12),))
class downsample_block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.Conv2d(16, 16, 3, padding=1)
        self.na, self.nb, self.short = nn.BatchNorm2d(16), nn.BatchNorm2d(16), nn.Conv2d(8, 16, 1, stride=2)

    def forward(self, x):
        return F.relu(self.short(x) + self.nb(self.b(F.relu(self.na(self.a(x))))))


@module(((2, 1, 28, 28),))
class lenet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
        self.f1, self.f2, self.f3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2).flatten(1)
        return self.f3(F.relu(self.f2(F.relu(self.f1(x)))))


@module(((1, 10, 32),))
class llama_block(nn.Module):
    def __init__(self, width=32, heads=4, groups=2):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.q, self.o = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, groups * self.size, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(width, 80, bias=False) for _ in range(2))
        self.down = nn.Linear(80, width, bias=False)
        self.n1, self.n2 = nn.Parameter(torch.ones(width)), nn.Parameter(torch.ones(width))
        angles = torch.outer(torch.arange(10.0), 10000 ** (-torch.arange(0, self.size, 2).float() / self.size))
        self.register_buffer("cos", angles.cos().repeat(1, 2))
        self.register_buffer("sin", angles.sin().repeat(1, 2))

    def norm(self, x, w):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * w

    def rotate(self, x):
        half = self.size // 2
        return x * self.cos + torch.cat([-x[..., half:], x[..., :half]], -1) * self.sin

    def forward(self, x):
        b, t, _ = x.shape
        y = self.norm(x, self.n1)
        q, k, v = (p(y).view(b, t, -1, self.size).transpose(1, 2) for p in (self.q, self.k, self.v))
        k, v = (z.repeat_interleave(self.heads // self.groups, 1) for z in (self.rotate(k), v))
        y = F.scaled_dot_product_attention(self.rotate(q), k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(b, t, -1))
        y = self.norm(x, self.n2)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


@module(((2, 8), i64, 0, 40))
class tiny_gpt(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(40, width), nn.Embedding(8, width)
        self.block, self.norm, self.head = gpt2_block(width), nn.LayerNorm(width), nn.Linear(width, 40, bias=False)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(torch.arange(8))
        return self.head(self.norm(self.block(x)))


@module(((1, 3, 16, 16),))
class patch_embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 24, 4, stride=4)

    def forward(self, x):
        return self.patches(x).flatten(2).transpose(1, 2)


@module(((4, 20),), ((4, 16),))
class gru_cell(nn.GRUCell):
    def __init__(self):
        super().__init__(20, 16)


@module(((2, 6, 24),))
class squeeze_excite(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 3), nn.Linear(3, 6)

    def forward(self, x):
        return x * torch.sigmoid(self.b(F.relu(self.a(x.mean(2))))).unsqueeze(2)


# More operators: products and sums of wide integers, diagonals, constants, shapes of one.
product("matmul_i64", lambda x, y: x @ y, ((16, 24), i64, -1000, 1000), ((24, 20), i64, -1000, 1000))
unary("sum_i32_i64", lambda x: x.sum(-1), (32, 33), i32, -(2**31), 2**31 - 1)
unary("diag", torch.diag, (9, 9))
unary("diag_of", lambda x: torch.diag(x) + 1.0, (7,))
unary("diagonal_batch", lambda x: torch.diagonal(x, 1, 1, 2) * 2.0, (3, 6, 7))
unary("const_only", lambda x: (torch.ones(3, 4) * 1.5, torch.arange(5)), (2, 2))
unary("add_one_element", lambda x: x * 2.0 + 1.0, (1, 1))
unary("scalar_exp", torch.exp, ())
unary("add_i64", lambda x: x * 3 + 7, (5, 9), i64, -(2**31), 2**31 - 1)
unary("remainder_i64", lambda x: torch.remainder(x, 7), (5, 9), i64, -1000, 1000)
unary("to_i64", lambda x: (x * 2.0**40).to(i64), (6, 7))
unary("flip", lambda x: torch.flip(x, (0, 1)), (5, 12))
unary("roll2", lambda x: torch.roll(x, (1, -2), (0, 1)), (6, 9))
unary("masked_fill", lambda x: x.masked_fill(x < 0.5, -1.0), (7, 19))
unary("expm1_log2", lambda x: torch.expm1(x) + torch.log2(x), (8, 17), low=0.25, high=2)
unary("sinh_cosh", lambda x: torch.sinh(x) * torch.cosh(x), (8, 17))
unary("atan", torch.atan, (8, 17))
unary("tan", torch.tan, (8, 17), low=-1, high=1)
unary("asin_acos", lambda x: torch.asin(x) + 2 * torch.acos(x), (8, 17), low=-0.9, high=0.9)
unary("square_trunc", lambda x: torch.square(x) + torch.trunc(x), (8, 17))
unary("celu", lambda x: F.celu(x, 0.7), (8, 17))
unary("threshold", lambda x: F.threshold(x, 0.3, -2.0), (8, 17))
unary("hardshrink", lambda x: F.hardshrink(x, 0.6), (8, 17))
unary("softshrink", lambda x: F.softshrink(x, 0.4), (8, 17))
unary("tanhshrink", F.tanhshrink, (8, 17))
unary("glu", lambda x: F.glu(x, -1), (6, 32))
unary("isnan_count", lambda x: (torch.isnan(x).to(i32), (x > 0).sum(-1, dtype=i32)), (6, 33))
unary("clamp_min", lambda x: x.clamp(min=0.1).clamp(max=1.0), (5, 31))
unary("bitwise_shift", lambda x: (torch.bitwise_not(x) ^ (x << 3), x >> 2), (5, 31), i32)
unary("logical", lambda x: torch.logical_and(x > 0, torch.logical_not(x > 1)), (5, 31))
unary("var_mean", lambda x: torch.var_mean(x, -1), (9, 40))
unary("std_unbiased", lambda x: x.std(1), (9, 40))
unary("norm1", lambda x: x.abs().sum((1, 2)), (3, 7, 11))
unary("amax_two", lambda x: x.amax((0, 2)), (3, 7, 11))
unary("softmin", lambda x: F.softmin(x, 1), (3, 11, 5))
unary("log_softmax_middle", lambda x: F.log_softmax(x, 1), (3, 11, 5))
unary("mean_bf16", lambda x: x.mean(-1), (12, 64), bf16)
unary("prod_bf16", lambda x: x * x + x, (3, 5, 7), bf16)
unary("odd_bf16", lambda x: x[1:, ::3] * 2.0, (5, 13), bf16)
unary("movedim", lambda x: torch.movedim(x, 0, 2) + 1.0, (3, 5, 7))
unary("unfold", lambda x: x.unfold(1, 4, 2) * 1.0, (3, 16))
unary("repeat_interleave", lambda x: x.repeat_interleave(3, 1) + 0.5, (4, 7))
unary("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), (1, 8, 5, 5))
unary("channel_shuffle", lambda x: x.view(1, 2, 4, 5, 5).transpose(1, 2).reshape(1, 8, 5, 5) * 1.0, (1, 8, 5, 5))
unary("interpolate", lambda x: F.interpolate(x, scale_factor=2, mode="nearest"), (1, 3, 5, 7))
unary("adaptive_avg_pool_2x3", lambda x: F.adaptive_avg_pool2d(x, (2, 3)), (1, 4, 8, 9))
unary("avg_pool1d", lambda x: F.avg_pool1d(x, 3, 2), (2, 3, 15))
unary("reflect_pad", lambda x: F.pad(x, (1, 2, 2, 1), mode="reflect"), (1, 2, 6, 7))
unary("triu", lambda x: torch.triu(x, 1), (9, 13))
unary("argmax_keep_first", lambda x: (torch.argmax(x, 0), torch.argmin(x, -1)), (6, 13))
product("logaddexp", torch.logaddexp, ((7, 11),), ((7, 11),))
product("atan2_hypot", lambda x, y: torch.sqrt(x * x + y * y), ((7, 11),), ((7, 11),))
product("pow_tensor", torch.pow, ((7, 11), f32, 0.25, 2), ((7, 11),))
product("cosine", lambda x, y: F.cosine_similarity(x, y, -1), ((6, 24),), ((6, 24),))
product("mse", F.mse_loss, ((6, 24),), ((6, 24),))
product("addmm", lambda b, x, y: torch.addmm(b, x, y, beta=0.5, alpha=2.0), ((9, 14),), ((9, 24),), ((24, 14),))
product("scores", lambda q, k: torch.einsum("bhqd,bhkd->bhqk", q, k), ((2, 3, 9, 16),), ((2, 3, 11, 16),))
product("matmul_ones", lambda x, y: x @ y, ((1, 24),), ((24, 1),))
product("gemv_bf16", lambda x, y: x @ y, ((1, 96), bf16), ((96, 40), bf16))
product("stack_chunk", lambda x, y: torch.stack([x, y], -1).flatten(1) + torch.cat([y, x], 1), ((5, 8),), ((5, 8),))
product("floor_divide", lambda x, y: torch.div(x, y, rounding_mode="floor"), ((7, 11), i32, -99, 100), ((7, 11), i32, 1, 9))


# Scans and scatters, cropping, words, loops over equal dimensions, strides over even images, gathers by computed places.
unary("cumsum", lambda x: torch.cumsum(x, 1), (7, 19))
unary("cumsum_i64", lambda x: torch.cumsum(x, 0), (9, 5), i64, -1000, 1000)
unary("cumprod", lambda x: torch.cumprod(x, -1), (4, 9), low=0.5, high=1.5)
unary("topk", lambda x: torch.topk(x, 3), (4, 11))
unary("argsort_columns", lambda x: torch.argsort(x, 0, descending=True), (13, 5))
unary("crop", lambda x: F.pad(x, (-1, 2, 0, -1)), (5, 9))
unary("pad_i64", lambda x: F.pad(x, (1, 2), value=7), (3, 5), i64, -(2**31), 2**31 - 1)
unary("softmax_long", lambda x: F.softmax(x, -1), (3, 5000))
unary("interpolate_bicubic", lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"), (1, 2, 4, 5))
conv("conv2d_reflect", nn.Conv2d, (1, 3, 7, 8), 3, 4, 3, padding=1, padding_mode="reflect")
conv("conv2d_even_stride", nn.Conv2d, (1, 3, 32, 32), 3, 16, 7, stride=2, padding=3)
product("tensordot", lambda x, y: torch.tensordot(x, y, dims=([1, 2], [0, 1])), ((3, 4, 5),), ((4, 5, 2),))
product("index_put", lambda x, i, y: x.index_put((i,), y), ((20, 6),), ((1,), i64, 0, 20), ((1, 6),))
product("index_add", lambda x, i, y: x.index_add(0, i, y), ((6, 5),), ((9,), i64, 0, 6), ((9, 5),))
product("scatter_add", lambda x, i, y: x.scatter_add(0, i, y), ((4, 5),), ((3, 5), i64, 0, 4), ((3, 5),))


@module(((2, 5, 16),), ((2, 7, 16),))
class multihead_attention(nn.MultiheadAttention):
    def __init__(self):
        super().__init__(16, 4, batch_first=True)

    def forward(self, x, y):
        return super().forward(x, y, y)


@module(((1, 7), i64, 0, 30))
class embedding_one(nn.Embedding):
    def __init__(self):
        super().__init__(30, 12)


@module(((6, 20),), ((6,), i64, 0, 20))
def cross_entropy(x, t):
    return F.cross_entropy(x, t)


@module(((1, 2, 9, 16),))
class rope(nn.Module):
    def __init__(self):
        super().__init__()
        angles = torch.outer(torch.arange(9.0), 10000 ** (-torch.arange(0, 16, 2).float() / 16))
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def forward(self, x):
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * self.cos - b * self.sin, a * self.sin + b * self.cos], -1).flatten(-2)


@module(((6, 32), bf16))
class swiglu_bf16(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(32, 48, False), nn.Linear(32, 48, False), nn.Linear(48, 32, False)
        self.to(bf16)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


@module(((1, 8, 10, 10),))
class inverted_residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(8, 24, 1, bias=False), nn.Conv2d(24, 24, 3, padding=1, groups=24, bias=False)
        self.c = nn.Conv2d(24, 8, 1, bias=False)
        self.na, self.nb, self.nc = nn.BatchNorm2d(24), nn.BatchNorm2d(24), nn.BatchNorm2d(8)

    def forward(self, x):
        y = F.relu6(self.nb(self.b(F.relu6(self.na(self.a(x))))))
        return x + self.nc(self.c(y))


@module(((3, 10),), ((3, 12),), ((3, 12),))
class lstm_cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.x, self.h = nn.Linear(10, 48), nn.Linear(12, 48)

    def forward(self, x, h, c):
        i, f, g, o = (self.x(x) + self.h(h)).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


# More parts than a core has buffer descriptors or a memtile has channels.
product("cat_unequal_17", lambda *x: torch.cat([y * 2.0 for y in x]), *[((n % 3 + 1, 8),) for n in range(17)])
