"""Runs a pipeline on a source, and keeps the IR's text at each level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from allo_air import asm
from allo_air.asm.syntax import DEFAULT
from allo_air.core import driver
from allo_air.core.diagnostics import error_at
from allo_air.core.pipeline import Pipeline
from allo_air.core.settings import Checker, Settings
from allo_air.core.walking import walk_named
from allo_air.dialects.host_buffers import holds_constants, host_buffers
from allo_air.errors import AlloAirError, DiagnosticError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.tuned_plans import Planned, collect
from allo_air.passes.partition._code import KernelCode, code_of_kernels
from allo_air.passes.partition.partition_kernels import PartitionKernels
from allo_air.program.balance import check_balance
from allo_air.program.code_room import CodeTooLarge, check, divided
from allo_air.program.host.linked import Linked, linked, runs_of
from allo_air.program.host.signature import Argument, signature, with_results
from allo_air.program.host.transfers import roles
from allo_air.program.recipe import Recipe
from allo_air.program.recognize import level_of
from allo_air.program.separate_kernels import Reuse, SeparateKernels
from allo_air.program.source import Source
from allo_air.program.texts import Texts, level_bytecode
from allo_air.target import npu_sequence, npu_words
from allo_air.target.sequences import SeveralSequencesError

if TYPE_CHECKING:
    from allo_air.core.pipeline import Step
    from allo_air.program.stored_kernels import Kernels, Stored

INPUT = "input"
"""Name of the source's text, if the pipeline has a level with the source's name."""

_ONE_IS_COMPILED = "leave only one to compile, or simulate the module as it is and name one by device and sequence"

Progress = Callable[[str, int, int], None]
"""Called with the current step, the number of completed steps, and the number of all steps."""


@dataclass(frozen=True)
class Lowered:
    """The result of a compilation: texts by level in order, instruction words, signature, device, and notes of passes."""

    texts: Mapping[str, str]
    words: tuple[int, ...]
    arguments: tuple[Argument, ...]
    device: str
    notes: dict[str, str] = field(default_factory=dict)
    timings: tuple[tuple[str, float], ...] = ()
    linked: Linked | None = None
    """For a program of several kernels, the contents of its buffers; otherwise the buffers are the arguments, in order."""
    constants: tuple[Any, ...] = ()
    """The constants of such a program, in the layouts that its kernels need."""
    planned: tuple[Planned, ...] = ()
    """The kernels whose planners read plans from a folder, or ranked plans."""
    reuse: Reuse = field(default_factory=Reuse)
    """For kernels that were lowered separately: how many came from the cache."""

    @property
    def text(self) -> str:
        """The MLIR of the last level."""
        return self.texts[[*self.texts][-1]]

    @property
    def syntax(self) -> str:
        """The version of the peers' assembly in which the texts are."""
        return self.texts.syntax if isinstance(self.texts, Texts) else DEFAULT

    def spelled(self, syntax: str) -> Lowered:
        """The same result, with texts in version `syntax`."""
        return replace(self, texts=self.texts.spelled(syntax)) if isinstance(self.texts, Texts) else self


class CompileError(DiagnosticError):
    """A pass of the pipeline failed; the message ends with the pass."""

    def __init__(self, failure: driver.PassFailure):
        self.step, self.summary = failure.step, failure.summary
        super().__init__(failure.diagnostics)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.diagnostics), f"note: {self.summary}"])


VERIFY = ("none", "stage", "verify", "level", "execute")
"""The checks of `lower` after each pass: none (the IR is verified at the end); verify by MLIR's rules within a stage; verify by
all rules; also check the level's rules; or execute the module.
"""


def lower(
    source: Source,
    chosen: Recipe,
    *,
    verify: str = "stage",
    progress: Progress | None = None,
    kernels: Kernels | None = None,
) -> Lowered:
    """Compiles `source` in its own context, which must be active. Errors are those of the passes, at the places of the user's
    text.

    `verify` is one of VERIFY; with `execute`, the module runs before and after each pass on the same inputs. Kernels that were
    lowered before are read from `kernels`, and new ones are stored there. Kernels whose code does not fit into program memory
    are divided (allo_air.program.code_room).
    """
    lowered_before: dict[str, Stored] = {}
    while True:
        record = _Record(chosen.steps, {})
        try:
            return _lower(source, chosen, verify, progress or (lambda *_: None), kernels, record, lowered_before)
        except CodeTooLarge as wrong:
            chosen = divided(chosen, wrong, record.code)


def _lower(
    source: Source,
    chosen: Recipe,
    verify: str,
    tell: Progress,
    kernels: Kernels | None,
    record: _Record,
    lowered_before: dict[str, Stored],
) -> Lowered:
    """Like `lower`. Raises CodeTooLarge if the code of a kernel that passes have planned is too long; `record` then has what
    the partition expected, and `lowered_before` the lowered kernels.
    """
    module = source.clone()
    check_balance(source.level, module)
    produced = {step.level for step in chosen.steps.steps}
    record.texts = {INPUT if source.level in produced else source.level: source.text}
    check_code = check if chosen.plans else lambda _: None
    if verify == "execute":
        from allo_air.interp.verify import Execution
        from allo_air.program.run import executors

        executors.register()
        record.inner = Execution(
            asm.write,
            lambda text: record.notes.update(execute=text),
            later=True,
            tell=lambda done, total: tell(f"executing the module after {total} passes", done, total),
        )
    verifier = asm.Verifier(remember=verify != "stage")
    settings = Settings(
        verify=None if verify == "none" else verifier,
        lightly=verifier.lightly if verify == "stage" else None,
        around=verifier.around if verify == "stage" else None,
        write=asm.write,
        levels="off" if verify == "none" else "each" if verify == "level" else "borders",
        checker=record,
        progress=tell,
        # a separate part cannot be executed
        apart=None
        if verify == "execute"
        else SeparateKernels(record, record.following, tell, kernels, check_code, lowered_before),
    )
    try:
        driver.run(chosen.steps, module, settings)
    except driver.PassFailure as failure:
        raise CompileError(failure) from failure
    if chosen.steps.steps and verify == "none":
        asm.verify(module)
    if not record.reuse.kernels:
        check_code([module.operation])
    try:
        own = npu_sequence.find(module)
    except SeveralSequencesError as several:
        raise _several_functions(source.module) or SeveralSequencesError(several.names, _ONE_IS_COMPILED) from None
    sequence = npu_sequence.find(_for_words(module), own.device_op.sym_name, own.op.sym_name)
    instructions = sequence.instructions()
    words = npu_words.stream(sequence.device, instructions)
    timings = tuple(settings.timings)
    planned = tuple(record.planned.values())
    lowered = Lowered(
        Texts(record.texts),
        tuple(words),
        (),
        sequence.device.name,
        record.notes,
        timings,
        planned=planned,
        reuse=record.reuse,
    )
    if (host := host_buffers(own.op.operation)) is not None:
        buffers, arguments, constants = linked(host, own.op, roles(instructions))
        arguments = with_results(arguments, source.module, str(own.op.sym_name)) if buffers.results is None else arguments
        buffers = replace(buffers, runs=runs_of(own.op.operation))
        return replace(lowered, arguments=arguments, linked=buffers, constants=constants)
    return replace(lowered, arguments=signature(source.module, module, own, instructions))


def _several_functions(module: AnyOp) -> AlloAirError | None:
    """The error for a source with several public functions; None if it has at most one."""
    ops = [f for f in walk_named(module, "func.func") if f.regions[0].blocks and "sym_visibility" not in f.attributes]
    if len(ops) < 2:
        return None
    names = ", ".join(f"@{f.attributes['sym_name'].value}" for f in ops)
    return error_at(
        ops[1], f"is one of the functions {names}, and one is compiled; make the others private, or give each a file"
    )


def _for_words(module: AnyOp) -> Any:
    """`module`, or a lowered copy if it has objectFifos, declared traces, control packets or several devices."""
    from allo_air.passes.npu.aie_materialize_runtime_sequences import AieMaterializeRuntimeSequences
    from allo_air.program.run.control_packets import lower_control_packets
    from allo_air.program.run.object_fifos import OBJECT_FIFOS, lower_object_fifos
    from allo_air.program.run.traces import lower_traces

    lowered_first = ("aie.trace.start_config", "aiex.control_packet", "aiex.configure", *OBJECT_FIFOS)
    if not walk_named(module, *lowered_first):
        return module
    copy = module.operation.clone()
    lower_object_fifos(copy)
    lower_traces(copy, (), None, None)
    lower_control_packets(copy, None, None)
    if walk_named(copy, "aiex.configure"):
        AieMaterializeRuntimeSequences().run(copy)
    return copy


class _Record:
    """Records the IR at the end of each level, and the notes of passes, while a pipeline runs."""

    def __init__(self, steps: Pipeline, texts: dict[str, str | bytes]):
        self.steps = steps
        self.levels = [step.level for step in steps.steps]
        self.texts, self.notes, self.done, self.reuse = texts, dict[str, str](), 0, Reuse()
        self.planned: dict[str, Planned] = {}
        self.code: dict[str, KernelCode] = {}
        self.inner: Checker | None = None

    def following(self, done: int) -> _Record:
        """An empty record for the same passes, of which `done` have run."""
        record = _Record(self.steps, {})
        record.done = done
        return record

    def start(self, op: ir.Operation) -> None:
        """Called before the first pass."""
        if self.inner is not None:
            self.inner.start(op)

    def check(self, step: Step, op: ir.Operation) -> None:
        """Called after each pass."""
        if self.inner is not None:
            self.inner.check(step, op)
        self.done += 1
        if isinstance(step.action, PartitionKernels):
            self.code = code_of_kernels(op)
        if getattr(step.action, "plans", "") or getattr(step.action, "ranking", 0):
            self.planned |= {kernel.key: kernel for kernel in collect(op)}
        if self.levels[self.done : self.done + 1] != [step.level]:
            self.notes |= _notes(op)
            self.texts.pop(step.level, None)
            level = step.level or level_of(op)
            # The last level does not contain the weights; these are the program's constants.
            is_bare = level == "npu" and self.done == len(self.levels) and any(map(holds_constants, op.regions[0].blocks[0]))
            self.texts[level] = level_bytecode(op, 0 if is_bare else None)

    def finish(self) -> None:
        """Called after the last pass."""
        if self.inner is not None:
            self.inner.finish()


def _notes(module: AnyOp) -> dict[str, str]:
    """The notes that passes stored on functions in attributes `allo.NAME`: a text, or entry `chosen` of a dictionary.

    The key is NAME. If several functions have notes, as the kernels of a program do, it is `FUNCTION NAME`.
    """
    results: dict[str, dict[str, str]] = {}
    for op in module.regions[0].blocks[0].operations:
        attributes = op.operation.attributes
        for name in attributes if op.operation.name == "func.func" else ():
            if not name.startswith("allo."):
                continue
            value = attributes[name]
            if isinstance(value, ir.DictAttr) and "chosen" in value:
                value = value["chosen"]
            if isinstance(value, ir.StringAttr):
                results.setdefault(op.sym_name.value, {})[name.removeprefix("allo.")] = value.value
    if len(results) == 1:
        return next(iter(results.values()))
    return {f"{function} {name}": text for function, notes in results.items() for name, text in notes.items()}
