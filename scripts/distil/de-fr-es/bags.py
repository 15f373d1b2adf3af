"""Draws short lists of words: the teacher's vectors of them teach words that the sentences lack.

    python bags.py OUT.tsv TEXTS_FOLDER WORD_LISTS_FOLDER VOCABULARY.json

One half is drawn by frequency; in the other each word of the vocabulary occurs three times. A line is a language and words.
"""

import argparse
import json
import random
from pathlib import Path

from words import LANGUAGES, LATIN, count_words

DRAWN = 11_000
DRAWN_SIZES = (2, 3, 4, 5, 6, 8)
# Frequent words would fill most lists.
MAX_COUNT, FLATTENED = 400, 0.35
ROUNDS = 3
ROUND_SIZES = (3, 5, 6, 7)
# A word belongs to each language where it is at least this frequent, as a share of where it is most frequent.
MIN_SHARE = 0.1


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("lists", type=Path)
    parser.add_argument("vocabulary", type=Path)
    arguments = parser.parse_args()
    random.seed(11)
    vocabulary = [token for token in json.loads(arguments.vocabulary.read_text())[1:] if LATIN.match(token)]
    counted = {language: count_words(arguments.texts, arguments.lists, language) for language in LANGUAGES}
    share = {
        language: {word: count / counts.total() for word, count in counts.items()}
        for language, (counts, _) in counted.items()
    }
    bags: list[tuple[str, list[str]]] = []
    for language, (counts, spelling) in counted.items():
        words = [word for word, count in counts.items() if LATIN.match(word) and len(word) > 2 and count >= 3]
        weights = [min(counts[word], MAX_COUNT) ** FLATTENED for word in words]
        for _ in range(DRAWN):
            bags.append((language, random.choices(words, weights, k=random.choice(DRAWN_SIZES))))
        most = {word: max(shares.get(word, 0) for shares in share.values()) for word in vocabulary}
        own = [word for word in vocabulary if len(word) > 1 and share[language].get(word, 0) > MIN_SHARE * most[word]]
        for _ in range(ROUNDS):
            random.shuffle(own)
            start = 0
            while start < len(own):
                size = random.choice(ROUND_SIZES)
                bags.append((language, own[start : start + size]))
                start += size
    random.shuffle(bags)
    lines = (f"{language}\t{' '.join(counted[language][1][word] for word in words)}" for language, words in bags)
    arguments.out.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
