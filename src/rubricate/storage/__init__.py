"""Fitted things as files: a tree of plain values that names arrays, and one file that holds both. No file holds code.

    registry       what can be stored: classes register where they are defined, with the keys that are stored
    encode         a thing -> a tree and arrays
    decode         a tree and arrays -> the thing, each array checked before a compiled loop follows it
    container      the file: head, manifest, table of arrays, arrays; files of counts and of background collections
    checks         what must hold of arrays: sizes, ranges, order

This package imports no class of the project, and neither scipy nor pyarrow until a thing is met that needs them.
"""
