"""
Writes `ranges.json`, the extremes of the recogniser's intermediate values over lines of text; see README.md. The argument
is a folder of lines as grey pictures with a height of 48 pixels (binary PGM).
"""

import json
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

from eight_bit import pixel_convolutions

HERE = pathlib.Path(__file__).parent
RECOGNISER = HERE.parents[1] / "packages" / "ocr-models" / "assets" / "recogniser.onnx"


def line(file: pathlib.Path) -> np.ndarray:
    magic, size, _, pixels = file.read_bytes().split(b"\n", 3)
    if magic != b"P5":
        sys.exit(f"{file} is no binary PGM file")
    width, height = map(int, size.split())
    return np.frombuffer(pixels, dtype=np.uint8).reshape(1, 1, height, width) / np.float32(127.5) - 1


def main() -> None:
    model = onnx.load(RECOGNISER)
    names = sorted({name for node, add in pixel_convolutions(model.graph) for name in (node.input[0], add.output[0])})
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    ranges = {name: [0.0, 0.0] for name in names}
    for file in sorted(pathlib.Path(sys.argv[1]).glob("*.pgm")):
        for name, values in zip(names, session.run(names, {"x": line(file).astype(np.float32)})):
            low, high = ranges[name]
            ranges[name] = [min(low, round(float(values.min()), 4)), max(high, round(float(values.max()), 4))]
    (HERE / "ranges.json").write_text(json.dumps(ranges, indent=2) + "\n", encoding="utf-8")


main()
