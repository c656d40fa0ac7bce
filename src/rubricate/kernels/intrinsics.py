"""Machine instructions that Numba does not offer: an unaligned 8-byte load, the count of trailing zeros, a prefetch."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LITTLE_ENDIAN = sys.byteorder == "little"


@intrinsic
def load8(typing_context: Any, array: Any, index: Any) -> Any:
    """Eight bytes of a uint8 array from `index` on, as one little-endian word. The caller has checked the bounds."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        word = builder.load(builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return types.uint64(array, types.int64), codegen


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The number of zero bits below the lowest one of a word that is not zero."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen


@intrinsic
def prefetch(typing_context: Any, array: Any, offset: Any) -> Any:
    """Ask for the cache line so many bytes after the start of an array, which is going to be read and written soon. A wrong
    offset costs time and does no harm."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.gep(builder.bitcast(data, pointer), [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        builder.call(ask, [place, ir.Constant(number, 1), ir.Constant(number, 3), ir.Constant(number, 1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen
