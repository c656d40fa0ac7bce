"""Four documents, three labels, every count written out by hand.

0  "Wheat, wheat and corn."      grain
1  "Corn prices rise; corn!"     grain, trade
2  "Trade talks rise"            trade
3  "and so on"                   (no label)
"""

from __future__ import annotations

TEXTS = ["Wheat, wheat and corn.", "Corn prices rise; corn!", "Trade talks rise", "and so on"]
LABELS = [["grain"], ["grain", "trade"], ["trade"], []]
IDS = ["d0", "d1", "d2", "d3"]

TERMS = ["and", "corn", "on", "prices", "rise", "so", "talks", "trade", "wheat"]
LABEL_NAMES = ["grain", "trade"]
DOCUMENTS = [2, 2, 4]  # grain, trade, everything

#                 and corn on prices rise so talks trade wheat
DOCUMENTS_WITH = [
    [1, 2, 0, 1, 1, 0, 0, 0, 1],  # grain
    [0, 1, 0, 1, 2, 0, 1, 1, 0],  # trade
    [2, 2, 1, 1, 2, 1, 1, 1, 1],  # everything
]
OCCURRENCES = [
    [1, 3, 0, 1, 1, 0, 0, 0, 2],
    [0, 2, 0, 1, 2, 0, 1, 1, 0],
    [2, 3, 1, 1, 2, 1, 1, 1, 2],
]
LEVEL_2 = [
    [0, 1, 0, 0, 0, 0, 0, 0, 1],
    [0, 1, 0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0, 0, 1],
]
#           length 0 1 2 3 4
LENGTHS = [
    [0, 0, 0, 0, 2],
    [0, 0, 0, 1, 1],
    [0, 0, 0, 2, 2],
]
ROWS = [
    {"wheat": 2, "and": 1, "corn": 1},
    {"corn": 2, "prices": 1, "rise": 1},
    {"trade": 1, "talks": 1, "rise": 1},
    {"and": 1, "so": 1, "on": 1},
]
