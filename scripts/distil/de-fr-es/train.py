"""Trains a static model of several languages: token vectors whose sum points where the teacher's vector points.

    python train.py OUT.bin TEXTS_FOLDER BAGS.tsv VOCABULARY.json

1. The teacher's vectors of each language are centred, so that words of two languages with one meaning are alike.
2. PCA to DIMENSIONS.
3. Adam on all token vectors, as in ../train.py: direction, and similarities within a batch. 600 texts are held out.
4. The lengths once more to the power of CONTRAST; int8, a scale a row.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from words import LANGUAGES, WORD, cut, plain

sys.path.insert(0, str(Path(__file__).parent.parent))
from model_file import write_model

DIMENSIONS = 192
EPOCHS = 10
BATCH = 512
RATE = 1e-2
SIMILARITY_WEIGHT = 20.0
# Rare tokens would follow single texts.
WEIGHT_DECAY = 1e-3
CONTRAST = 0.5
HELD_OUT = 600


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)


def read_teacher(folder: Path, bags: Path) -> tuple[list[str], np.ndarray]:
    """Returns texts and the teacher's vectors, centred by language."""
    drawn = [line.split("\t") for line in bags.read_text().split("\n")]
    texts = [words for _, words in drawn]
    of_bags = np.load(folder / "bags.npy").astype(np.float32)
    for language in LANGUAGES:
        rows = np.array([own == language for own, _ in drawn])
        of_bags[rows] -= of_bags[rows].mean(0)
    parts = [of_bags]
    for language in LANGUAGES:
        texts += (folder / f"{language}.txt").read_text().split("\n")
        vectors = np.load(folder / f"{language}.npy").astype(np.float32)
        parts.append(vectors - vectors.mean(0))
    return texts, unit(np.concatenate(parts))


def reduced(vectors: np.ndarray) -> np.ndarray:
    values, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    print(f"variance kept: {values[::-1][:DIMENSIONS].sum() / values.sum():.3f}")
    return unit(vectors @ axes[:, ::-1][:, :DIMENSIONS]).astype(np.float32)


def count_tokens(texts: list[str], vocabulary: list[str]) -> sparse.csr_matrix:
    """Returns the number of each token in each text."""
    ids = {token: index for index, token in enumerate(vocabulary)}
    longest = max(map(len, vocabulary))
    known: dict[str, list[int]] = {}
    columns: list[int] = []
    ends = [0]
    for text in texts:
        for word in WORD.findall(plain(text)):
            if word not in known:
                known[word] = [ids[token] for token in cut(word, ids, longest)]
            columns += known[word]
        ends.append(len(columns))
    counts = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, ends), (len(texts), len(vocabulary)))
    counts.sum_duplicates()
    return counts


def train(counts: sparse.csr_matrix, goal: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(1)
    usable = random.permutation(np.flatnonzero(np.diff(counts.indptr)))
    held, used = usable[:HELD_OUT], usable[HELD_OUT:]
    vectors = random.normal(0, 0.01, (counts.shape[1], DIMENSIONS)).astype(np.float32)
    mean, square = np.zeros_like(vectors), np.zeros_like(vectors)
    step, steps = 0, EPOCHS * (len(used) // BATCH)
    for epoch in range(EPOCHS):
        began, order = time.time(), random.permutation(used)
        for start in range(0, len(order) - BATCH + 1, BATCH):
            rows = order[start : start + BATCH]
            batch, teacher = counts[rows], goal[rows]
            sums = batch @ vectors
            length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
            student = sums / length
            difference = student @ student.T - teacher @ teacher.T
            slope = -teacher / BATCH + SIMILARITY_WEIGHT * 4 * (difference @ student) / BATCH**2
            slope = (slope - (slope * student).sum(1, keepdims=True) * student) / length
            touched = np.unique(batch.indices)
            gradient = batch[:, touched].T @ slope + 2 * WEIGHT_DECAY * vectors[touched] / BATCH
            step += 1
            mean[touched] = 0.9 * mean[touched] + 0.1 * gradient
            square[touched] = 0.999 * square[touched] + 0.001 * gradient**2
            rate = RATE * max(0.02, 1 - step / steps) / (1 - 0.9**step)
            vectors[touched] -= rate * mean[touched] / (np.sqrt(square[touched] / (1 - 0.999**step)) + 1e-8)
        cosine = (unit(counts[held] @ vectors) * goal[held]).sum(1).mean()
        print(f"epoch {epoch + 1}: cosine of held-out texts {cosine:.4f}, {time.time() - began:.0f} s", flush=True)
    return vectors


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("texts", type=Path)
    parser.add_argument("bags", type=Path)
    parser.add_argument("vocabulary", type=Path)
    parser.add_argument("--model-id", default="quire-static-de-fr-es/1")
    arguments = parser.parse_args()
    vocabulary = json.loads(arguments.vocabulary.read_text())
    texts, teacher = read_teacher(arguments.texts, arguments.bags)
    vectors = train(count_tokens(texts, vocabulary), reduced(teacher))
    lengths = np.linalg.norm(vectors, axis=1)
    vectors *= ((lengths / lengths.mean()) ** CONTRAST)[:, None]
    vectors[0] = 0
    header = {"modelId": arguments.model_id, "tokenizer": "bert-uncased", "unknown": "[UNK]"}
    write_model(arguments.out, vectors, vocabulary, header)


if __name__ == "__main__":
    main()
