"""The teacher: a sentence encoder as an ONNX file with `input_ids` and `attention_mask`, as `npm run models -- pull`
leaves it in the model cache, with its tokenizer.json. Gives L2-normalised sentence vectors (mean or CLS pooling).
"""

from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer


class Teacher:
    def __init__(self, onnx: str, tokenizer: str, pooling: str = "mean", max_tokens: int = 256, threads: int = 2):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(Path(onnx), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.enable_truncation(max_tokens)
        self.tokenizer.no_padding()
        self.pooling = pooling

    def vocabulary(self) -> list[str]:
        by_id = sorted(self.tokenizer.get_vocab().items(), key=lambda entry: entry[1])
        return [token for token, _ in by_id]

    def encode_ids(self, rows: list[list[int]]) -> np.ndarray:
        """Vectors of token ids, special tokens included; shorter rows are padded and masked."""
        length = max(len(row) for row in rows)
        ids = np.zeros((len(rows), length), dtype=np.int64)
        mask = np.zeros_like(ids)
        for at, row in enumerate(rows):
            ids[at, : len(row)], mask[at, : len(row)] = row, 1
        (hidden,) = self.session.run(None, {"input_ids": ids, "attention_mask": mask})
        weight = mask[:, :, None].astype(np.float32)
        pooled = hidden[:, 0] if self.pooling == "cls" else (hidden * weight).sum(1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def encode(self, texts: list[str], batch_tokens: int = 512, progress=None) -> np.ndarray:
        """Vectors of texts, in order. Small batches of like length: large ones are slower on a processor."""
        encoded = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index]))
        out, start = None, 0
        while start < len(order):
            end = start + 1
            while end < len(order) and (end + 1 - start) * len(encoded[order[end]]) <= batch_tokens:
                end += 1
            vectors = self.encode_ids([encoded[index] for index in order[start:end]])
            out = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32) if out is None else out
            out[order[start:end]] = vectors
            start = end
            if progress:
                progress(end, len(order))
        return out

    def encode_tokens(self, batch: int = 128) -> np.ndarray:
        """Each entry of the vocabulary alone between [CLS] and [SEP]."""
        cls, sep = (self.tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
        ids = range(len(self.vocabulary()))
        rows = [self.encode_ids([[cls, token, sep] for token in ids[i : i + batch]]) for i in range(0, len(ids), batch)]
        return np.concatenate(rows)
