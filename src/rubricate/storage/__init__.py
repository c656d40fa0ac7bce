"""Fitted things as files: a tree of plain values that names arrays, and one file that holds both. No file holds code.

    registry       what can be stored: classes register where they are defined, with the keys that are stored
    trees          encode: a thing -> a tree and arrays; decode: the way back, with checks before a compiled loop follows them
    container      the file: head, manifest, table of arrays, arrays; files of counts and of background collections
    checks         what must hold of arrays: sizes, ranges, order

This package imports no class of the project, and neither scipy nor pyarrow until a thing is met that needs them.
"""
