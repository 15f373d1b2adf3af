"""Trains the static model: token vectors whose sum points where the teacher's sentence vector points.

    python train.py TEXTS.txt TEACHER_FOLDER OUT.bin --tokenizer tokenizer.json [--epochs 15]

1. PCA of the teacher's sentence vectors to 256 dimensions.
2. Start: the teacher's vector of each token alone, projected, weighted by Zipf's law over the vocabulary's order.
3. Adam on all token vectors: cosine to the teacher's vector, and the similarities within a batch (which is what a
   ranking is made of). How much a token counts is learnt as the length of its vector.
4. The lengths once more to the power of CONTRAST: a sentence's direction is mostly that of its words, a ranking is
   mostly made by its rare words.
5. int8, a scale a row.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from model_file import write_model
from tokenizers import Tokenizer

DIMENSIONS = 256
BATCH = 512
ZIPF_WEIGHT = 1e-3
SIMILARITY_WEIGHT = 20.0
# Rarer tokens of the texts would follow single sentences: their start is the better guess.
WEIGHT_DECAY_TO_START = 1e-3
CONTRAST = 0.5


def read_teacher(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    parts = [np.load(path).astype(np.float32) for path in sorted(folder.glob("part-*.npy"))]
    return np.load(folder / "tokens.npy"), np.concatenate(parts)


def pca(vectors: np.ndarray, dimensions: int) -> np.ndarray:
    """The projection: the leading eigenvectors of the vectors' second moments (not centred: cosines count from 0)."""
    _, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    return axes[:, ::-1][:, :dimensions]


def start_vectors(tokens: np.ndarray, projection: np.ndarray, vocabulary: list[str]) -> np.ndarray:
    rank = np.arange(2, len(vocabulary) + 2)
    frequency = 1 / (rank * np.log(len(vocabulary)))
    vectors = (tokens - tokens.mean(0)) @ projection
    return (vectors * (ZIPF_WEIGHT / (ZIPF_WEIGHT + frequency))[:, None]).astype(np.float32)


def train(start: np.ndarray, ids: list[list[int]], targets: np.ndarray, epochs: int, rate: float) -> np.ndarray:
    first = torch.from_numpy(start)
    bag = torch.nn.EmbeddingBag.from_pretrained(first.clone(), mode="sum", freeze=False)
    optimiser = torch.optim.Adam(bag.parameters(), lr=rate)
    steps = epochs * (len(ids) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: max(0.02, 1 - step / steps))
    goal = torch.nn.functional.normalize(torch.from_numpy(targets), dim=1)
    for epoch in range(epochs):
        began, order, sums = time.time(), np.random.permutation(len(ids)), np.zeros(2)
        for at in range(0, len(ids) - BATCH + 1, BATCH):
            rows = order[at : at + BATCH]
            flat = torch.tensor([token for row in rows for token in ids[row]])
            offsets = torch.tensor(np.cumsum([0] + [len(ids[row]) for row in rows[:-1]]))
            student = torch.nn.functional.normalize(bag(flat, offsets), dim=1)
            teacher = goal[rows]
            direction = (1 - (student * teacher).sum(1)).mean()
            similarity = ((student @ student.T - teacher @ teacher.T) ** 2).mean()
            loss = direction + SIMILARITY_WEIGHT * similarity
            loss = loss + WEIGHT_DECAY_TO_START * ((bag.weight - first) ** 2).sum() / BATCH
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            sums += (direction.item(), similarity.item())
        mean = sums / (len(ids) // BATCH)
        print(f"epoch {epoch + 1}: 1-cos {mean[0]:.4f} sim {mean[1]:.5f} {time.time() - began:.0f} s", flush=True)
    return bag.weight.detach().numpy()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", type=Path)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("out")
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--model-id", default="quire-static/1")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    np.random.seed(1)
    tokenizer = Tokenizer.from_file(arguments.tokenizer)
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    vocabulary = [token for token, _ in sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])]
    tokens, vectors = read_teacher(arguments.teacher)
    texts = arguments.texts.read_text().splitlines()[: len(vectors)]
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
    kept = [at for at, row in enumerate(ids) if row]
    projection = pca(vectors, DIMENSIONS)
    start = start_vectors(tokens, projection, vocabulary)
    targets = (vectors @ projection)[kept]
    learnt = train(start, [ids[at] for at in kept], targets, arguments.epochs, arguments.rate)
    special = [at for at, token in enumerate(vocabulary) if len(token) > 2 and token[0] == "[" and token[-1] == "]"]
    learnt[special] = 0
    lengths = np.linalg.norm(learnt, axis=1)
    learnt *= ((lengths / lengths.mean()) ** CONTRAST)[:, None]
    header = {"modelId": arguments.model_id, "tokenizer": "bert-uncased", "unknown": "[UNK]"}
    write_model(arguments.out, learnt, vocabulary, header)


if __name__ == "__main__":
    main()
