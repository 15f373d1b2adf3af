"""Writes packages/ocr-models/assets from the models of a wheel of `rapidocr`; see README.md."""

import hashlib
import pathlib
import sys
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WHEEL_SHA256 = "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050"
DETECTOR = ("PP-OCRv6_det_small.onnx", "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f")
RECOGNISER = ("PP-OCRv6_rec_small.onnx", "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884")
LICENCE = "rapidocr-3.10.0.dist-info/licenses/MODEL_LICENSES.md"
ASSETS = pathlib.Path(__file__).parents[2] / "packages" / "ocr-models" / "assets"
# Smaller tensors are kept as they are: biases, and scalars such as epsilons that half precision would change.
MIN_HALF_BYTES = 4096


def checked(data: bytes, sha256: str, name: str) -> bytes:
    if hashlib.sha256(data).hexdigest() != sha256:
        sys.exit(f"{name} differs from the pinned file")
    return data


def halve(graph: onnx.GraphProto) -> None:
    """Stores large weights in half precision; a Cast restores them, which the runtime evaluates once, at load."""
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or len(tensor.raw_data) < MIN_HALF_BYTES:
            continue
        name = tensor.name
        values = numpy_helper.to_array(tensor).astype(np.float16)
        tensor.CopyFrom(numpy_helper.from_array(values, f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = casts + list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)


def best_characters(graph: onnx.GraphProto) -> None:
    """Replaces the probabilities of all characters by the best one of each step, which is 18,710 times smaller."""
    probabilities = graph.output[0].name
    graph.node.append(helper.make_node("ArgMax", [probabilities], ["character"], axis=2, keepdims=0))
    graph.node.append(helper.make_node("ReduceMax", [probabilities], ["probability"], axes=[2], keepdims=0))
    del graph.output[:]
    shape = ["line", "step"]
    graph.output.append(helper.make_tensor_value_info("character", TensorProto.INT64, shape))
    graph.output.append(helper.make_tensor_value_info("probability", TensorProto.FLOAT, shape))


def main() -> None:
    wheel = pathlib.Path(sys.argv[1])
    checked(wheel.read_bytes(), WHEEL_SHA256, wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        detector, recogniser = (
            onnx.load_from_string(checked(archive.read(f"rapidocr/models/{name}"), sha256, name))
            for name, sha256 in (DETECTOR, RECOGNISER)
        )
        (ASSETS / "MODEL_LICENSES.md").write_bytes(archive.read(LICENCE))
    [characters] = [entry.value for entry in recogniser.metadata_props if entry.key == "character"]
    (ASSETS / "characters.txt").write_text(characters, encoding="utf-8")
    del recogniser.metadata_props[:]
    best_characters(recogniser.graph)
    for model, name in ((detector, "detector.onnx"), (recogniser, "recogniser.onnx")):
        halve(model.graph)
        onnx.checker.check_model(model)
        (ASSETS / name).write_bytes(model.SerializeToString())


main()
