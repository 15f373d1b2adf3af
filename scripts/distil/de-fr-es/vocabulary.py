"""Chooses the tokens of the model: frequent words and the pieces that the other words are cut into.

    python vocabulary.py OUT.json TEXTS_FOLDER WORD_LISTS_FOLDER PIECES.json

PIECES.json has the pieces of the teacher's tokenizer and their scores (logarithms of probability): the score of a word,
cut into its best pieces, tells how common it is in general language, which laws and help pages do not.
"""

import argparse
import json
import math
from collections import Counter
from pathlib import Path

from words import LANGUAGES, LATIN, count_words, cut, plain

TOKENS = 46_000
MIN_COUNT = 40
MIN_SCORE = -21.5
# A frequent word of this many letters is also a part of compounds.
MIN_PART, MAX_PART = 5, 12
MIN_PART_COUNT = 30
LONGEST_PIECE = 16


def score_of(word: str, pieces: dict[str, float]) -> float:
    """Viterbi over the teacher's pieces."""
    text = "▁" + word
    best = [0.0] + [-math.inf] * len(text)
    for start in range(len(text)):
        for end in range(start + 1, min(len(text), start + LONGEST_PIECE) + 1):
            piece = pieces.get(text[start:end])
            if piece is not None:
                best[end] = max(best[end], best[start] + piece)
    return best[-1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("lists", type=Path)
    parser.add_argument("pieces", type=Path)
    arguments = parser.parse_args()
    pieces = dict(zip(*json.loads(arguments.pieces.read_text()), strict=True))
    counts: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for language in LANGUAGES:
        own, spelt = count_words(arguments.texts, arguments.lists, language)
        counts.update(own)
        spelling.update(spelt)
    words = [word for word in counts if LATIN.match(word)]
    inside = {plain(piece) for piece in pieces if not piece.startswith("▁")}
    whole = {plain(piece[1:]) for piece in pieces if piece.startswith("▁")} & set(words)
    for word in words:
        spelt = spelling[word]
        score = max(score_of(form, pieces) for form in (spelt, spelt.lower(), spelt.capitalize()))
        if len(word) > 2 and (counts[word] >= MIN_COUNT or score > MIN_SCORE):
            whole.add(word)
    parts = {word for word in whole if MIN_PART <= len(word) <= MAX_PART and counts[word] >= MIN_PART_COUNT}
    letters = set("".join(words))
    tokens = whole | letters | {f"##{part}" for part in parts | letters | set(filter(LATIN.match, inside))}
    longest = max(map(len, tokens))
    uses: Counter[str] = Counter()
    for word in words:
        for token in cut(word, tokens, longest):
            uses[token] += math.log2(1 + counts[word])
    kept = {token for token, _ in uses.most_common(TOKENS)} | letters | {f"##{letter}" for letter in letters}
    arguments.out.write_text(json.dumps(["[UNK]", *sorted(kept)], ensure_ascii=False))


if __name__ == "__main__":
    main()
