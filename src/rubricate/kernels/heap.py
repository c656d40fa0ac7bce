"""A heap of the best so far: keys and places in two arrays, the worst in front (highest key, of equal keys the highest place).

Numba puts these functions into the loops that call them: a call that passes arrays would cost more than its work.
Compiled kernels on disk do not notice a change here: empty Numba's cache after one.
"""

from numba import njit


@njit(inline="always")
def sink(keys, places, size, key, place):
    """Put one in place of the worst."""
    i = 0
    while True:
        below = 2 * i + 1
        if below >= size:
            break
        if below + 1 < size and (
            keys[below + 1] > keys[below] or (keys[below + 1] == keys[below] and places[below + 1] > places[below])
        ):
            below += 1
        if not (keys[below] > key or (keys[below] == key and places[below] > place)):
            break
        keys[i], places[i] = keys[below], places[below]
        i = below
    keys[i], places[i] = key, place


@njit(inline="always")
def push(keys, places, size, key, place):
    """Add one, if there is room or it is better than the worst; returns the new size."""
    if size < len(keys):
        i = size
        while i > 0:
            above = (i - 1) >> 1
            if not (key > keys[above] or (key == keys[above] and place > places[above])):
                break
            keys[i], places[i] = keys[above], places[above]
            i = above
        keys[i], places[i] = key, place
        return size + 1
    if key < keys[0] or (key == keys[0] and place < places[0]):
        sink(keys, places, size, key, place)
    return size


@njit(inline="always")
def unfold(keys, places, size):
    """Turn the heap into a list, best first."""
    for last in range(size - 1, 0, -1):
        key, place = keys[last], places[last]
        keys[last], places[last] = keys[0], places[0]
        sink(keys, places, last, key, place)
