"""Eight bytes at a time: a word of 64 bits, its first byte lowest, so that a loop over text takes an eighth of the steps."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

HIGH = np.uint64(0x8080808080808080)  # the highest bit of each byte: none is set where all are ASCII
LOW = np.uint64(0x0101010101010101)


@intrinsic
def load8(typing_context, array, index):
    """Eight bytes of a uint8 array from `index` on, as one little-endian word. The caller has checked the bounds."""

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        word = builder.load(builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return types.uint64(array, types.int64), codegen


@intrinsic
def trailing_zeros(typing_context, word):
    """The number of zero bits below the lowest one of a word that is not zero."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen
