"""lit configuration: `lit test/lit` from the repository, with allo-opt and filecheck of the environment that runs lit."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from one_process import OneProcess

config.name = "allo_air"  # noqa: F821
config.suffixes = [".mlir"]  # noqa: F821
config.excludes = ["Inputs", "Output"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821
config.test_exec_root = lit_config.params.get("exec_root", os.path.join(os.path.dirname(__file__), "Output"))  # noqa: F821
# Freed memory is overwritten, so that a pass that looks at an erased operation fails here too, not just elsewhere (glibc only).
config.environment["GLIBC_TUNABLES"] = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"  # noqa: F821
config.environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), config.environment["PATH"]])  # noqa: F821

# The tools that tests start are forks of one server, which ends when this process does: its standard input is closed then.
folder = tempfile.mkdtemp(prefix="lit")
end, _ = os.pipe()
server = subprocess.Popen(
    [sys.executable, os.path.join(config.test_source_root, "warm.py"), folder],  # noqa: F821
    env=config.environment,  # noqa: F821
    stdin=end,
    stdout=subprocess.PIPE,
)
if not server.stdout.readline():
    lit_config.fatal("the server of tools did not start")  # noqa: F821
config.environment["PATH"] = os.pathsep.join([os.path.join(folder, "bin"), config.environment["PATH"]])  # noqa: F821
config.test_format = OneProcess(os.path.join(folder, "socket"))  # noqa: F821
