"""The AIEX dialect: one class for each operation, by topic in the `_aiex_*` modules."""

from __future__ import annotations

from allo_air.dialects._aiex_cert import *  # noqa: F403
from allo_air.dialects._aiex_herds import *  # noqa: F403
from allo_air.dialects._aiex_npu import *  # noqa: F403
from allo_air.dialects._aiex_tasks import *  # noqa: F403
from allo_air.dialects._irdl import Dialect

AIEX = Dialect("aiex", types={"bfp": 1}, attributes={})
