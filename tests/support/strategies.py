"""What hypothesis draws: texts with odd Unicode, labels, documents, recipes."""

from __future__ import annotations

from hypothesis import strategies as st

from rubricate.terms.recipe import Recipe

ODD = [
    *"abcxyzABCXYZ",
    *"  \n\t.,;-'_!@0129",
    "the ",
    " wheat ",
    "\x00",
    "ß",
    "ẞ",
    "İ",
    "ı",
    "é",
    "e\u0301",
    "\u0301",
    "\u0323",
    "\u0307",
    "q\u0307\u0323",
    "क\u094d\u0937\u093f",
    "\u093c",
    "\u0928\u093c",
    "العَرَبِيَّة",
    "日本語",
    "カタカナ",
    "ー",
    "ไทยกำลัง",
    "ខ្មែរ",
    "\u200b",
    "\u200d",
    "\u00ad",
    "\u202e",
    "\ufe0f",
    "😀",
    "①",
    "½",
    "٣",
    "ﬁ",
    "ΐ",
    "Σας",
    "𐐀",
    "\u1100\u1161\u11a8",
    "가",
    "\U0010ffff",
    "internationalisation",
    "x" * 17,
]
texts = st.lists(st.one_of(st.sampled_from(ODD), st.text(max_size=3)), max_size=25).map("".join)
label_lists = st.lists(st.sampled_from(["grain", "trade", "acq", "été", "z"]), max_size=3, unique=True)
documents = st.lists(st.tuples(texts, label_lists), max_size=8)

RECIPES = {
    "default": Recipe(),
    "letters": Recipe(tokens="letters"),
    "letters, no numbers": Recipe(tokens="letters", numbers="drop"),
    "letters, NUM": Recipe(tokens="letters", numbers="NUM"),
    "NUM": Recipe(numbers="NUM"),
    "no numbers, pairs, two letters": Recipe(numbers="drop", pairs=True, min_length=2),
    "white space": Recipe(tokens="whitespace", pairs=True),
    "stop list, pairs": Recipe(stop=("the", "x", "日本"), pairs=True),
    "case kept": Recipe(lowercase=False, numbers="NUM", pairs=True),
    "stems": Recipe(stem="english", stop=("the",), pairs=True),
    "schneider": Recipe.schneider(),
    "wilbur_kim": Recipe.wilbur_kim(),
    "function": Recipe(function=str.split, min_length=2),
}
recipes = st.sampled_from(sorted(RECIPES)).map(RECIPES.__getitem__)
