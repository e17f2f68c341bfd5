"""What elementwise operators of bench/operators.py compute: %y from %x0 and %x1, those of bf16 in f32."""

ADD = "    %y = arith.addf %x0, %x1 : {}"
RELU = "    %z = arith.constant 0.0 : {0}\n    %y = arith.maximumf %x0, %z : {0}"
SILU = """    %w = arith.extf %x0 : bf16 to f32
    %one = arith.constant 1.0 : f32
    %n = arith.negf %w : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %one : f32
    %v = arith.divf %w, %d : f32
    %y = arith.truncf %v : f32 to bf16"""
SIGMOID = SILU.replace("divf %w", "divf %one")
TANH = """    %w = arith.extf %x0 : bf16 to f32
    %v = math.tanh %w : f32
    %y = arith.truncf %v : f32 to bf16"""
GELU = """    %w = arith.extf %x0 : bf16 to f32
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %c = arith.constant 0.707106769 : f32
    %u = arith.mulf %w, %c : f32
    %e = math.erf %u : f32
    %d = arith.addf %e, %one : f32
    %h = arith.mulf %w, %half : f32
    %v = arith.mulf %h, %d : f32
    %y = arith.truncf %v : f32 to bf16"""
