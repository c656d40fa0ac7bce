"""The model file, `.rub`: arrays and a manifest, no code. Mapped into memory, and refused if a single bit differs.

    head        320 bytes of text: what it is and its format; sizes and SHA-256 of the next two; SHA-256 of all this
    manifest    JSON, at most 16 MB: what the model is, how it came about, and the SHA-256 of each array; see `Manifest`
    arrays      safetensors, as it stands: a table of names, types, shapes and places, then the numbers

`write` writes beside, fsyncs, renames: at any moment the old file or the new one is there whole. Same manifest, same arrays,
same version of rubricate: same bytes. `read` compares sizes with the file before it looks further, checks every SHA-256 before
it hands anything out, and copies no array. The digests find accidents, not forgers, who can compute digests too: what a file
says is checked again where it becomes a model (`kept`). Nothing in a file can name code.

A file must not be changed in place while it is mapped; `write` never does so, since it renames.
"""

from __future__ import annotations

from .container import Stored, read, write
from .manifest import FORMAT, Data, Kept, Manifest

__all__ = ["FORMAT", "Data", "Kept", "Manifest", "Stored", "read", "write"]
