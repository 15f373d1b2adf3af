"""The teacher's vectors of the texts, in parts of 10,000, so that a run can be stopped and taken up again.

    python embed_texts.py TEXTS.txt OUT_FOLDER --onnx model.onnx --tokenizer tokenizer.json [--limit N]
"""

import argparse
import time
from pathlib import Path

import numpy as np
from teacher import Teacher

PART = 10_000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--onnx", required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--pooling", default="mean")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=250_000)
    arguments = parser.parse_args()
    teacher = Teacher(arguments.onnx, arguments.tokenizer, arguments.pooling, threads=arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokens = arguments.out / "tokens.npy"
    if not tokens.exists():
        np.save(tokens, teacher.encode_tokens())
    texts = arguments.texts.read_text().splitlines()[: arguments.limit]
    for start in range(0, len(texts), PART):
        part = arguments.out / f"part-{start:07d}.npy"
        if part.exists():
            continue
        began = time.time()
        np.save(part, teacher.encode(texts[start : start + PART]).astype(np.float16))
        print(f"{start + PART} of {len(texts)}: {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
