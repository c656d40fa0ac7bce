"""A thousand documents for the page: half of known words, half of what browsers, Pythons and Unicode versions disagree on."""

from __future__ import annotations

import random
from functools import cache

import frozen

PLAIN = [*(word for words in frozen.WORDS.values() for word in words), *frozen.SHARED]
ODD = [
    *("STRASSE", "Straße", "ẞ", "ﬁ", "ﬃ", "ŉ", "ǰ", "ΐ", "ᾳ", "ᾼ", "ῗ", "İ", "ı", "I\u0307", "Σας", "ΣΑΣ", "ſ", "\u212a"),
    *("\u1100\u1161", "\u1100\u1161\u11a8", "\uac00\u11a8", "\uac01", "\u11a8", "\u1161", "\ud7a3", "\u115f"),
    *("e\u0301", "q\u0323\u0307", "q\u0307\u0323", "a\u0327\u0301\u0323", "\u0344", "\u0340\u0345", "\u0f73\u0f71"),
    *("\u0958", "\u0915\u093c", "\u09c7\u09be", "\u0b47\u0b57", "\u1b05\u1b35", "\u2adc", "\U000110a5\U000110ba"),
    *("\U00011131\U00011127", "\U0001d15e", "日本語", "漢字", "カタカナー", "か\u3099", "ﾃｷｽﾄ", "〇", "々"),
    *("\u212b", "\U00020000\U0002f800", "ไทยกำลัง", "ລາວ", "ខ្មែរ", "မြန်မာ", "हिन्दी", "اَلْعَرَبِيَّة", "עִבְרִית", "தமிழ்", "한국어"),
    *("\u200b", "\u200c", "\u200d", "\u00ad", "\u202e", "\u2066", "\ufeff", "\ufe0f", "…", "—", "'", "’", ".", ",", "/", "_"),
    *("\x00", "\x1b", "\x7f", "\x85", "\u2028", "\u3000", "\u00a0", "\t", "\n", "\v"),
    *("1,250.75", "3.14", "1.2.3", "٣٤", "½", "²", "Ⅷ", "①", "x2", "2x", "é2", "12é", "😀", "👩\u200d👩", "𐐀", "𝐀", "\U0010ffff"),
    *("\u0378", "\u0897", "\U0001e4ee", "\U00011f04\U00011f42", "\U000113c5\U000113c7", "\U0001611e\U00016121", "\ue000"),
]  # fmt: skip


@cache
def documents(n: int = 1000, seed: int = 5) -> list[str]:
    draw = random.Random(seed)
    out = ["", " ", *frozen.NEW]
    while len(out) < n // 2:
        out.append(" ".join(draw.choice(PLAIN) for _ in range(draw.randint(1, 30))))
    while len(out) < n:
        words = []
        for _ in range(draw.randint(1, 14)):
            word = draw.choice([draw.choice(ODD), draw.choice(ODD), draw.choice(PLAIN), chr(draw.randrange(0x110000))])
            if draw.random() < 0.05:
                word += "".join(draw.choice("\u0301\u0316\u0323\u0345\u0591\u302a") for _ in range(draw.randint(2, 75)))
            words.append("" if any("\ud800" <= c <= "\udfff" for c in word) else word)
            words.append(draw.choice(["", " ", " ", ", "]))
        out.append("".join(words))
    return out
