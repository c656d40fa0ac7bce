"""Labels side by side in a register: sums over rows of a table, and a multiple of a vector added to rows.

Rows are short, and Numba does not know how short when it compiles: its loops over them end up half scalar and go through memory
at each entry. Written with LLVM's vectors the same work takes a third of the time. Products are rounded before they are
added, here as elsewhere: no machine fuses them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["ROW", "WIDE", "add_to_rows", "sum_of_rows"]

WIDE = 4  # lanes that are summed
ROW = 8  # of a row, all of which are moved: a cache line
REAL, WHOLE, SHORT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)


class Entries:
    """The entries first..last-1 of a document: the first lanes of the rows that they name, and their values."""

    def __init__(self, context: Any, builder: Any, kinds: Any, given: Any, lanes: int) -> None:
        vector, table, terms, values, self.first, self.last = given

        def data(place: int, array: Any) -> Any:
            return context.make_array(kinds[place])(context, builder, array).data

        self._builder, self._lanes, self.kind = builder, lanes, ir.VectorType(REAL, lanes)
        self.vector = builder.bitcast(data(0, vector), self.kind.as_pointer())
        self._table, self._terms, self._values = data(1, table), data(2, terms), data(3, values)

    def row(self, entry: Any) -> Any:
        """Where the row of an entry is."""
        builder = self._builder
        term = builder.sext(builder.load(builder.gep(self._terms, [entry])), WHOLE)
        place = builder.gep(self._table, [builder.mul(term, ir.Constant(WHOLE, ROW))])
        return builder.bitcast(place, self.kind.as_pointer())

    def value(self, entry: Any) -> Any:
        """The value of an entry, in all lanes."""
        builder, nothing = self._builder, ir.Constant(self.kind, ir.Undefined)
        one = builder.insert_element(nothing, builder.load(builder.gep(self._values, [entry])), ir.Constant(SHORT, 0))
        return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(SHORT, self._lanes), [0] * self._lanes))


def loop(
    builder: Any, first: Any, last: Any, step: int, carried: list[Any], body: Callable[[Any, list[Any]], list[Any]]
) -> list[Any]:
    """for entry in range(first, last, step): carried = body(entry, carried). Returns what is carried in the end."""
    before, function = builder.block, builder.function
    head, work, after = (function.append_basic_block(name) for name in ("head", "work", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    entry = builder.phi(WHOLE)
    entry.add_incoming(first, before)
    now = []
    for value in carried:
        now.append(builder.phi(value.type))
        now[-1].add_incoming(value, before)
    builder.cbranch(builder.icmp_signed("<", entry, last), work, after)
    builder.position_at_end(work)
    for place, value in zip(now, body(entry, now), strict=True):
        place.add_incoming(value, builder.block)
    entry.add_incoming(builder.add(entry, ir.Constant(WHOLE, step)), builder.block)
    builder.branch(head)
    builder.position_at_end(after)
    return now


@intrinsic
def sum_of_rows(typing_context: Any, vector: Any, table: Any, terms: Any, values: Any, first: Any, last: Any) -> Any:
    """vector = sum over the entries first..last-1 of value x (first four lanes of the term's row), in two strands, which the
    processor works on at the same time. The caller has checked the bounds; rows are eight doubles."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entries = Entries(context, builder, signature.args, args, WIDE)

        def more(entry: Any, total: Any) -> Any:
            return builder.fadd(total, builder.fmul(builder.load(entries.row(entry), align=8), entries.value(entry)))

        def pair(entry: Any, totals: list[Any]) -> list[Any]:
            return [more(entry, totals[0]), more(builder.add(entry, ir.Constant(WHOLE, 1)), totals[1])]

        nothing = ir.Constant(entries.kind, [0.0] * WIDE)
        pairs = builder.and_(builder.sub(entries.last, entries.first), ir.Constant(WHOLE, -2))
        middle = builder.add(entries.first, pairs)
        even, odd = loop(builder, entries.first, middle, 2, [nothing, nothing], pair)
        (even,) = loop(builder, middle, entries.last, 1, [even], lambda entry, total: [more(entry, total[0])])
        builder.store(builder.fadd(even, odd), entries.vector, align=8)
        return context.get_dummy_value()

    return types.void(vector, table, terms, values, types.int64, types.int64), codegen


@intrinsic
def add_to_rows(
    typing_context: Any, vector: Any, table: Any, terms: Any, values: Any, first: Any, last: Any, soon: Any
) -> Any:
    """row += value x vector, all eight lanes, for the entries first..last-1. Rows lie far apart: meanwhile those of as many
    entries from `soon` on, which must be there, are asked for. The caller has checked the bounds."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entries = Entries(context, builder, signature.args, args[:-1], ROW)
        step, ahead = builder.load(entries.vector, align=8), builder.sub(args[-1], entries.first)
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        how = [ir.Constant(number, 1), ir.Constant(number, 3), ir.Constant(number, 1)]  # to write, to keep, data

        def move(entry: Any, _: list[Any]) -> list[Any]:
            builder.call(ask, [builder.bitcast(entries.row(builder.add(entry, ahead)), pointer), *how])
            row = entries.row(entry)
            moved = builder.fadd(builder.load(row, align=8), builder.fmul(step, entries.value(entry)))
            builder.store(moved, row, align=8)
            return []

        loop(builder, entries.first, entries.last, 1, [], move)
        return context.get_dummy_value()

    return types.void(vector, table, terms, values, types.int64, types.int64, types.int64), codegen
