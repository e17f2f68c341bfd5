"""`aie.extras.dialects.arith`."""

from allo_air.aie.extras.dialects import arith as _arith

globals().update({n: v for n, v in vars(_arith).items() if not n.startswith("_")})
