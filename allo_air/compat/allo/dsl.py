"""The operations of kernels under the module name that Allo's programs import."""

from allo_air.frontend.dsl import *  # noqa: F403
