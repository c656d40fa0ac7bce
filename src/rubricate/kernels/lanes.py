"""Labels side by side in registers: sums over rows of a table, a multiple of a vector added to rows, rows multiplied, e^y.

Rows are short, and Numba does not know how short when it compiles: its loops over them end up half scalar and go through memory
at each entry. Written with LLVM's vectors the same work takes a third of the time. Products are rounded before they are
added, here as elsewhere: no machine fuses them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = [
    "ROW",
    "WIDE",
    "add_to_rows",
    "copy_twin_row",
    "multiply_by_powers",
    "multiply_rows",
    "powers",
    "sum_of_rows",
    "sum_of_twin_rows",
]

WIDE = 4  # lanes that are summed
ROW = 8  # of a row, all of which are moved: a cache line
LN2_HIGH = 6.93147180369123816490e-01  # ln 2 in two parts, the first with zeros at the end
LN2_LOW = 1.90821492927058770002e-10
INVERSE_LN2 = 1.4426950408889634
MAGIC = 6755399441055744.0  # 1.5 x 2^52: what is added to it ends as a whole number in its last bits
REAL, WHOLE, SHORT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)


class Entries:
    """The entries first..last-1 of a document: some lanes of the rows that they name, the first if nobody says which, and their
    values. Rows are eight doubles, or twins: half of them weights, the other half sums."""

    def __init__(self, context: Any, builder: Any, kinds: Any, given: Any, lanes: int, lane: Any = None) -> None:
        vector, table, terms, values, self.first, self.last = given

        def data(place: int, array: Any) -> Any:
            return context.make_array(kinds[place])(context, builder, array).data

        self._builder, self._lanes, self.kind = builder, lanes, ir.VectorType(REAL, lanes)
        self._table, self._terms, self._values = data(1, table), data(2, terms), data(3, values)
        self.half, self._row, vector = ir.Constant(WHOLE, 0), ir.Constant(WHOLE, ROW), data(0, vector)
        if lane is not None:
            vector, self._table = builder.gep(vector, [lane]), builder.gep(self._table, [lane])
            self.half, self._row = halves(context, builder, kinds[1], table)
        self.vector = builder.bitcast(vector, self.kind.as_pointer())

    def row(self, entry: Any) -> Any:
        """Where the row of an entry is."""
        builder = self._builder
        term = builder.zext(builder.load(builder.gep(self._terms, [entry])), WHOLE)
        place = builder.gep(self._table, [builder.mul(term, self._row)])
        return builder.bitcast(place, self.kind.as_pointer())

    def sums(self, row: Any) -> Any:
        """Where the sums of a twin row are."""
        place = self._builder.gep(self._builder.bitcast(row, REAL.as_pointer()), [self.half])
        return self._builder.bitcast(place, self.kind.as_pointer())

    def value(self, entry: Any) -> Any:
        """The value of an entry, in all lanes."""
        return in_all_lanes(self._builder, self._builder.load(self._builder.gep(self._values, [entry])), self._lanes)


def halves(context: Any, builder: Any, kind: Any, table: Any) -> tuple[Any, Any]:
    """Doubles of half a twin row, and of a whole one: rows x 2 x lanes."""
    half = builder.extract_value(context.make_array(kind)(context, builder, table).shape, 2)
    return half, builder.add(half, half)


def in_all_lanes(builder: Any, number: Any, lanes: int) -> Any:
    """A vector of one number."""
    nothing = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(SHORT, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(SHORT, lanes), [0] * lanes))


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
        sum_up(builder, Entries(context, builder, signature.args, args, WIDE))
        return context.get_dummy_value()

    return types.void(vector, table, terms, values, types.int64, types.int64), codegen


@intrinsic
def sum_of_twin_rows(
    typing_context: Any, vector: Any, table: Any, terms: Any, values: Any, first: Any, last: Any, lane: Any
) -> Any:
    """The same for eight lanes of twin rows, from `lane` on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sum_up(builder, Entries(context, builder, signature.args, args[:-1], ROW, args[-1]))
        return context.get_dummy_value()

    return types.void(vector, table, terms, values, types.int64, types.int64, types.int64), codegen


def sum_up(builder: Any, entries: Entries) -> None:
    """vector = sum over the entries of value x row."""

    def more(entry: Any, total: Any) -> Any:
        return builder.fadd(total, builder.fmul(builder.load(entries.row(entry), align=8), entries.value(entry)))

    def pair(entry: Any, totals: list[Any]) -> list[Any]:
        return [more(entry, totals[0]), more(builder.add(entry, ir.Constant(WHOLE, 1)), totals[1])]

    nothing = ir.Constant(entries.kind, [0.0] * entries.kind.count)
    pairs = builder.and_(builder.sub(entries.last, entries.first), ir.Constant(WHOLE, -2))
    middle = builder.add(entries.first, pairs)
    even, odd = loop(builder, entries.first, middle, 2, [nothing, nothing], pair)
    (even,) = loop(builder, middle, entries.last, 1, [even], lambda entry, total: [more(entry, total[0])])
    builder.store(builder.fadd(even, odd), entries.vector, align=8)


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


class Multiplied:
    """u <- u x factor, s <- s + (change of u) x now, for eight lanes of twin rows; what changed is summed, count by count."""

    def __init__(self, context: Any, builder: Any, kinds: Any, given: Any) -> None:
        """given: a vector, now, change, table, rows, counts, first, last, lane."""
        vector, now = (part_of(context, builder, kinds[n], given[n], given[-1]) for n in (0, 1))
        self.vector, self._now, self._builder = builder.load(vector, align=8), builder.load(now, align=8), builder
        self.entries = Entries(context, builder, kinds[2:8], given[2:8], ROW, given[-1])

    def more(self, entry: Any, factor: Any) -> Any:
        """Multiply the row of an entry; count x what changed."""
        builder, row = self._builder, self.entries.row(entry)
        sums, before = self.entries.sums(row), builder.load(row, align=8)
        after = builder.fmul(before, factor)
        changed = builder.fsub(after, before)
        builder.store(after, row, align=8)
        builder.store(builder.fadd(builder.load(sums, align=8), builder.fmul(changed, self._now)), sums, align=8)
        return builder.fmul(changed, self.entries.value(entry))

    def all(self, factor_of: Callable[[Any], Any]) -> None:
        """All entries, in two strands, which the processor works on at the same time."""
        builder, entries = self._builder, self.entries
        nothing = ir.Constant(entries.kind, [0.0] * ROW)

        def pair(entry: Any, totals: list[Any]) -> list[Any]:
            both = entry, builder.add(entry, ir.Constant(WHOLE, 1))
            factors = [factor_of(one) for one in both]
            return [
                builder.fadd(total, self.more(one, factor))
                for one, factor, total in zip(both, factors, totals, strict=True)
            ]

        pairs = builder.and_(builder.sub(entries.last, entries.first), ir.Constant(WHOLE, -2))
        middle = builder.add(entries.first, pairs)
        even, odd = loop(builder, entries.first, middle, 2, [builder.load(entries.vector, align=8), nothing], pair)
        (even,) = loop(
            builder,
            middle,
            entries.last,
            1,
            [even],
            lambda entry, total: [builder.fadd(total[0], self.more(entry, factor_of(entry)))],
        )
        builder.store(builder.fadd(even, odd), entries.vector, align=8)


@intrinsic
def multiply_rows(
    typing_context: Any,
    factor: Any,
    now: Any,
    change: Any,
    table: Any,
    rows: Any,
    counts: Any,
    first: Any,
    last: Any,
    lane: Any,
) -> Any:
    """u <- u x factor, s <- s + (change of u) x now, for eight lanes from `lane` on of the twin rows of the entries
    first..last-1; change grows by count x (change of u). The caller has checked the bounds."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        work = Multiplied(context, builder, signature.args, args)
        work.all(lambda _: work.vector)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(factor, now, change, table, rows, counts, whole, whole, whole), codegen


@intrinsic
def multiply_by_powers(
    typing_context: Any,
    exponents: Any,
    now: Any,
    change: Any,
    table: Any,
    rows: Any,
    counts: Any,
    first: Any,
    last: Any,
    lane: Any,
    values: Any,
) -> Any:
    """The same with the factor e^(exponent x value) of each entry."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        work = Multiplied(context, builder, signature.args, args[:-1])
        data = context.make_array(signature.args[-1])(context, builder, args[-1]).data

        def factor(entry: Any) -> Any:
            value = in_all_lanes(builder, builder.load(builder.gep(data, [entry])), ROW)
            return power(builder, builder.fmul(work.vector, value))

        work.all(factor)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(exponents, now, change, table, rows, counts, whole, whole, whole, values), codegen


@intrinsic
def copy_twin_row(typing_context: Any, table: Any, source: Any, target: Any) -> Any:
    """One twin row becomes what another is. The caller has checked the bounds."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        _, row = halves(context, builder, signature.args[0], args[0])
        source, target = (builder.gep(data, [builder.mul(number, row)]) for number in args[1:])

        def line(n: Any, _: list[Any]) -> list[Any]:
            there, here = (
                builder.bitcast(builder.gep(place, [n]), ir.VectorType(REAL, ROW).as_pointer())
                for place in (source, target)
            )
            builder.store(builder.load(there, align=8), here, align=8)
            return []

        loop(builder, ir.Constant(WHOLE, 0), row, ROW, [], line)
        return context.get_dummy_value()

    return types.void(table, types.int64, types.int64), codegen


def part_of(context: Any, builder: Any, kind: Any, array: Any, lane: Any) -> Any:
    """Where eight lanes of a vector are, from `lane` on."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [lane]), ir.VectorType(REAL, ROW).as_pointer())


@intrinsic
def powers(typing_context: Any, out: Any, exponents: Any, x: Any, lane: Any) -> Any:
    """out = e^(exponent x), eight lanes from `lane` on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, given = (part_of(context, builder, signature.args[n], args[n], args[3]) for n in (0, 1))
        y = builder.fmul(builder.load(given, align=8), in_all_lanes(builder, args[2], ROW))
        builder.store(power(builder, y), to, align=8)
        return context.get_dummy_value()

    return types.void(out, exponents, types.float64, types.int64), codegen


def power(builder: Any, y: Any) -> Any:
    """e^y, lane by lane: 2^n e^r with y = n ln 2 + r, the series of e^r to r^13, exact to the last digits for |r| < 0.35. The
    caller knows that y is small."""
    kind, bits = y.type, ir.VectorType(WHOLE, y.type.count)

    def all_of(number: float) -> Any:
        return ir.Constant(kind, [number] * kind.count)

    shifted = builder.fadd(builder.fmul(y, all_of(INVERSE_LN2)), all_of(MAGIC))
    n = builder.fsub(shifted, all_of(MAGIC))
    r = builder.fsub(builder.fsub(y, builder.fmul(n, all_of(LN2_HIGH))), builder.fmul(n, all_of(LN2_LOW)))
    series = all_of(1 / factorial(13))
    for degree in range(12, -1, -1):
        series = builder.fadd(builder.fmul(series, r), all_of(1 / factorial(degree)))
    exponent = builder.shl(builder.bitcast(shifted, bits), ir.Constant(bits, [52] * kind.count))
    whole = builder.bitcast(builder.add(exponent, ir.Constant(bits, [1023 << 52] * kind.count)), kind)
    return builder.fmul(series, whole)
