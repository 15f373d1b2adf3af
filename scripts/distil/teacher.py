"""The teacher: a BERT sentence encoder read from a sentence-transformers folder, in plain torch.

Only what all-MiniLM-L6-v2, bge-small-en-v1.5 and their kind need: no training, no dropout, mean or CLS pooling by the
folder's own 1_Pooling/config.json. Written out so that the script runs with any torch and without transformers.
"""

import json
import math
import struct
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

DTYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}


def read_safetensors(path: Path) -> dict[str, torch.Tensor]:
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        array = np.frombuffer(data[begin:end], dtype=DTYPES[entry["dtype"]]).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(array.copy())
    return tensors


class Teacher:
    def __init__(self, folder: str, max_tokens: int = 256):
        path = Path(folder)
        self.config = json.loads((path / "config.json").read_text())
        pooling = json.loads((path / "1_Pooling" / "config.json").read_text())
        self.mean_pooling = pooling["pooling_mode_mean_tokens"]
        self.tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
        self.tokenizer.enable_truncation(max_tokens)
        self.tokenizer.no_padding()
        self.weights = {
            name.removeprefix("bert."): tensor.float()
            for name, tensor in read_safetensors(path / "model.safetensors").items()
            if tensor.is_floating_point()
        }

    def vocabulary(self) -> list[str]:
        by_id = sorted(self.tokenizer.get_vocab().items(), key=lambda entry: entry[1])
        return [token for token, _ in by_id]

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return torch.nn.functional.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, self.config["layer_norm_eps"])

    @torch.no_grad()
    def encode_ids(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """L2-normalised sentence vectors of padded token ids (with [CLS] and [SEP])."""
        w, heads = self.weights, self.config["num_attention_heads"]
        batch, length = ids.shape
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][:length] + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        bias = (1.0 - mask.float())[:, None, None, :] * -1e9
        for layer in range(self.config["num_hidden_layers"]):
            at = f"encoder.layer.{layer}"
            q, k, v = (
                self._linear(x, f"{at}.attention.self.{part}").view(batch, length, heads, -1).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + bias
            context = (scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, -1)
            x = self._norm(x + self._linear(context, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            inner = torch.nn.functional.gelu(self._linear(x, f"{at}.intermediate.dense"))
            x = self._norm(x + self._linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        if self.mean_pooling:
            weight = mask.float()[:, :, None]
            pooled = (x * weight).sum(1) / weight.sum(1)
        else:
            pooled = x[:, 0]
        return torch.nn.functional.normalize(pooled, dim=-1)

    def encode(self, texts: list[str], batch_tokens: int = 4096, progress=None) -> np.ndarray:
        """Vectors of texts, in order; batches hold texts of like length."""
        encoded = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index]))
        out = np.zeros((len(texts), self.config["hidden_size"]), dtype=np.float32)
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and (end + 1 - start) * len(encoded[order[end]]) <= batch_tokens:
                end += 1
            rows = order[start:end]
            length = len(encoded[rows[-1]])
            ids = torch.zeros((len(rows), length), dtype=torch.long)
            mask = torch.zeros((len(rows), length), dtype=torch.long)
            for row, index in enumerate(rows):
                ids[row, : len(encoded[index])] = torch.tensor(encoded[index])
                mask[row, : len(encoded[index])] = 1
            out[rows] = self.encode_ids(ids, mask).numpy()
            start = end
            if progress:
                progress(end, len(order))
        return out

    def encode_tokens(self, batch: int = 512) -> np.ndarray:
        """Each entry of the vocabulary alone between [CLS] and [SEP]."""
        cls, sep = (self.tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
        size = len(self.vocabulary())
        rows = []
        for start in range(0, size, batch):
            tokens = torch.arange(start, min(start + batch, size))
            ids = torch.stack([torch.full_like(tokens, cls), tokens, torch.full_like(tokens, sep)], 1)
            rows.append(self.encode_ids(ids, torch.ones_like(ids)).numpy())
        return np.concatenate(rows)
