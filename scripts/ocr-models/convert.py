"""Writes packages/ocr-models/assets from the models of a wheel of `rapidocr`; see README.md."""

import hashlib
import json
import pathlib
import sys
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from eight_bit import eight_bit, share_weights

WHEEL_SHA256 = "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050"
DETECTOR = ("PP-OCRv6_det_small.onnx", "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f")
RECOGNISER = ("PP-OCRv6_rec_small.onnx", "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884")
LICENCE = "rapidocr-3.10.0.dist-info/licenses/MODEL_LICENSES.md"
HERE = pathlib.Path(__file__).parent
ASSETS = pathlib.Path(__file__).parents[2] / "packages" / "ocr-models" / "assets"
# Smaller tensors are kept as they are: biases, and scalars such as epsilons that half precision would change.
MIN_HALF_BYTES = 4096
# Characters below this code point are common: Latin letters, digits, punctuation, Greek letters, currencies.
END_OF_COMMON = 0x2100
# Score of the best common character from which no other character is better. Of 2,621 steps at Chinese and Japanese
# characters, 2 had a higher one.
CERTAIN_SCORE = 19.0


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


def grey_input(graph: onnx.GraphProto) -> None:
    """
    Replaces the three colours of the input, which are equal for a grey picture, by one: their weights are added. The
    detector keeps its colours, because the runtime takes longer for its first layer with one.
    """
    [source] = graph.input
    [first] = [node for node in graph.node if source.name in node.input]
    [weights] = [tensor for tensor in graph.initializer if tensor.name == first.input[1]]
    values = numpy_helper.to_array(weights).sum(axis=1, keepdims=True)
    weights.CopyFrom(numpy_helper.from_array(values, weights.name))
    source.type.tensor_type.shape.dim[1].dim_value = 1


def constant(graph: onnx.GraphProto, name: str, values: np.ndarray) -> str:
    graph.initializer.append(numpy_helper.from_array(values, name))
    return name


def best_characters(graph: onnx.GraphProto, characters: list[str]) -> None:
    """
    Replaces the probabilities of all characters by the best one of each step, which is 18,710 times smaller.

    Each step is classified among the common characters first. Only steps where none of them is certain are classified
    among all, which costs 24 times as much for a step.
    """
    matmul, add = graph.node[-4], graph.node[-3]
    features, weights = matmul.input
    bias = add.input[1]
    if [node.op_type for node in graph.node[-4:]] != ["MatMul", "Add", "Identity", "Softmax"]:
        sys.exit("The recogniser ends differently from the one that this script knows")
    del graph.node[-4:]

    def node(kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        graph.node.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def classify(prefix: str, steps: str, weights: str, bias: str) -> tuple[str, str, str]:
        """Returns the best output, its score and its probability for each step."""
        products = node("MatMul", [steps, weights], f"{prefix}.products")
        scores = node("Add", [products, bias], f"{prefix}.scores")
        probabilities = node("Softmax", [scores], f"{prefix}.probabilities", axis=1)
        return (
            node("ArgMax", [scores], f"{prefix}.best", axis=1, keepdims=0),
            node("ReduceMax", [scores], f"{prefix}.score", axes=[1], keepdims=0),
            node("ReduceMax", [probabilities], f"{prefix}.probability", axes=[1], keepdims=0),
        )

    # Output 0 separates characters, the last output is the space.
    rows = [0, *(index + 1 for index, text in enumerate(characters) if ord(text[0]) < END_OF_COMMON), len(characters) + 1]
    common = constant(graph, "common", np.array(rows, dtype=np.int64))
    steps = node("Squeeze", [features], "steps", axes=[0])
    common_weights = node("Gather", [weights, common], "common.weights", axis=1)
    common_bias = node("Gather", [bias, common], "common.bias", axis=0)
    row, score, probability = classify("common", steps, common_weights, common_bias)
    character = node("Gather", [common, row], "common.character", axis=0)

    certain = constant(graph, "certain", np.array(CERTAIN_SCORE, dtype=np.float32))
    uncertain = node("NonZero", [node("Less", [score, certain], "is_uncertain")], "uncertain")
    # One step is always classified among all, because operators differ on empty inputs.
    first = constant(graph, "first", np.zeros(1, dtype=np.int64))
    chosen = node("Concat", [node("Squeeze", [uncertain], "uncertain.steps", axes=[0]), first], "chosen", axis=0)
    again = node("Gather", [steps, chosen], "chosen.features", axis=0)
    all_row, _, all_probability = classify("all", again, weights, bias)
    for name, values, updates in (("character", character, all_row), ("probability", probability, all_probability)):
        merged = node("ScatterElements", [values, chosen, updates], f"merged.{name}", axis=0)
        node("Unsqueeze", [merged], name, axes=[0])
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
    grey_input(recogniser.graph)
    best_characters(recogniser.graph, characters.split("\n"))
    for model, name in ((detector, "detector.onnx"), (recogniser, "recogniser.onnx")):
        halve(model.graph)
        onnx.checker.check_model(model)
        (ASSETS / name).write_bytes(model.SerializeToString())
    small = eight_bit(recogniser, json.loads((HERE / "ranges.json").read_text(encoding="utf-8")))
    share_weights(small, (ASSETS / "recogniser.onnx").read_bytes(), "recogniser.onnx", MIN_HALF_BYTES)
    (ASSETS / "recogniser-8bit.onnx").write_bytes(small.SerializeToString())


main()
