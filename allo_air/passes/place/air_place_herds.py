"""air-place-herds."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.errors import OptionError, counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import columns_of
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.place._blocks import Grid, blocks_of
from allo_air.passes.place._neighbours import neighbours
from allo_air.passes.place._pins import valid_pins
from allo_air.passes.place._search import place_blocks


@dataclass(frozen=True)
class AirPlaceHerds(Pass):
    """Places every herd on the array (`x_loc`, `y_loc`), and assigns every segment the part of the array that it may use.

    The array has `num-rows` rows and `num-cols` columns of cores, the first at `row-anchor` and `col-anchor`; with `device` its
    rows are those of the device's cores, and 0 columns are all. A segment's own `x_loc`, `y_loc`, `x_size` and `y_size`
    override these options. The columns of a kernel that shares the array (`allo.columns`) override them, too. The largest herd
    is placed first, each as far south, and then as far west, as possible; if no place is left for a herd, earlier ones are
    moved. Herds of one name share their place. A place that the program sets is kept, unless it is outside of the array or on
    another herd's cores; then there is a warning. A herd that feeds another over a cascade is west or north of it, and a
    chain of three or more runs from north to south if there are rows. Herds that share an L1 buffer are adjacent. Each segment
    is placed separately, and so are the herds of a function that are in no segment.

    Before (`air-place-herds{num-rows=4 num-cols=4 row-anchor=2}`):

        air.segment @s {
          air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c4) {
          }
          air.herd @b tile (%x, %y) in (%sx=%c2, %sy=%c2) {
          }
        }

    After:

        air.segment @s attributes {x_loc = 0 : i64, x_size = 4 : i64, y_loc = 2 : i64, y_size = 4 : i64} {
          air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c4) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
          }
          air.herd @b tile (%x, %y) in (%sx=%c2, %sy=%c2) attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
          }
        }
    """

    name = "air-place-herds"
    anchor = "builtin.module"
    num_rows: int = 8
    """Rows of cores of the array; `device` overrides this option."""
    num_cols: int = 10
    """Columns of the array; with `device`, 0 means all."""
    row_anchor: int = 0
    """The array's first row of cores."""
    col_anchor: int = 0
    """The array's first column."""
    device: str = ""
    """The device whose rows of cores are used."""

    def run(self, op: AnyOp, /) -> None:
        array = self._array()
        for segment in walk_named(op, "air.segment"):
            grid = _grid(segment, array)
            _place_herds(segment, walk_named(segment, "air.herd"), grid)
            _set(segment, x_loc=grid.column, y_loc=grid.row, x_size=grid.columns, y_size=grid.rows)
        for function in walk_named(op, "func.func"):
            bare = [h for h in walk_named(function, "air.herd") if all(p.name != "air.segment" for p in parents(h))]
            _place_herds(function, bare, array)

    def _array(self) -> Grid:
        device = device_option(self.name, self.device) if self.device else None
        for option, value, least in (
            ("num-rows", self.num_rows, 1),
            ("num-cols", self.num_cols, 0 if device else 1),
            ("row-anchor", self.row_anchor, 0),
            ("col-anchor", self.col_anchor, 0),
        ):
            if value < least:
                raise OptionError(f"pass '{self.name}': option '{option}' is {value}, expected at least {least}")
        if device is None:
            return Grid(self.num_cols, self.num_rows, self.col_anchor, self.row_anchor)
        columns, rows = self.num_cols or device.columns - self.col_anchor, device.core_rows
        if self.col_anchor + columns > device.columns:
            raise OptionError(
                f"pass '{self.name}': {counted(columns, 'column')} from column {self.col_anchor} on; "
                f"{device.name} has {device.columns}"
            )
        return Grid(columns, len(rows), self.col_anchor, rows.start)


def _grid(segment: ir.Operation, array: Grid) -> Grid:
    function = enclosing(segment, "func.func") or segment
    columns = columns_of(function, array.columns)
    defaults = {"x_size": columns, "y_size": array.rows, "x_loc": array.column, "y_loc": array.row}
    attributes = segment.attributes
    return Grid(*(attributes[n].value if n in attributes else value for n, value in defaults.items()))


def _place_herds(root: ir.Operation, herds: list[ir.Operation], grid: Grid) -> None:
    blocks = valid_pins(blocks_of(herds), grid)
    for block, (x, y) in zip(blocks, place_blocks(blocks, grid, neighbours(root, blocks)), strict=True):
        for herd in block.herds:
            _set(herd, x_loc=x, y_loc=y)


def _set(op: AnyOp, **numbers: int) -> None:
    i64 = ir.IntegerType.get_signless(64)
    for name, value in numbers.items():
        op.attributes[name] = ir.IntegerAttr.get(i64, value)
