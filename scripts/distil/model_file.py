"""The file of a static model, read by packages/server/src/providers/local/static/static-model-file.ts.

    "QSTM"  u32 version  u32 header bytes  header (JSON)  padding to 4
    f32 scale of each row   i8 matrix, row by row   vocabulary: one token a line, UTF-8

A row of the matrix times its scale is the token's vector; how much a token counts is in the length of that vector.
Numbers are little-endian. The header says how many tokens and dimensions there are and how text is cut.
"""

import json
import struct
from pathlib import Path

import numpy as np


def write_model(path: str, vectors: np.ndarray, vocabulary: list[str], header: dict) -> None:
    scales = np.abs(vectors).max(axis=1) / 127.0
    safe = np.where(scales > 0, scales, 1)[:, None]
    matrix = np.clip(np.rint(vectors / safe), -127, 127).astype(np.int8)
    text = "\n".join(vocabulary).encode()
    full = {**header, "tokens": len(vocabulary), "dimensions": vectors.shape[1], "vocabularyBytes": len(text)}
    head = json.dumps(full, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 4)
    with Path(path).open("wb") as file:
        file.write(b"QSTM" + struct.pack("<II", 1, len(head)) + head)
        file.write(scales.astype("<f4").tobytes() + matrix.tobytes() + text)
