# RUN: %PYTHON %s | FileCheck %s
from air.dialects.air import *


# CHECK-LABEL: func.func @f
# CHECK: air.launch
@module_builder
def build():
    @FuncOp.from_py_func(T.memref(64, T.i32()))
    def f(a):
        @launch(operands=[a])
        def body(_):
            pass


print(build())
