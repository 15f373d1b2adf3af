"""The recogniser with its convolutions of one pixel in 8 bits, for processors that multiply bytes; see README.md."""

import numpy as np
import onnx
from onnx import TensorProto, external_data_helper, helper, numpy_helper

# Domain of the runtime's own operators, which scale by channel in any version of the graph.
RUNTIME = "com.microsoft"
# Convolutions with fewer channels gain nothing.
MIN_CHANNELS = 192
MAX_WEIGHT = 127
MAX_BIAS = 2**31 - 1

Ranges = dict[str, tuple[float, float]]


class Weights:
    """The values of a graph's tensors, whether they are stored in single or in half precision."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        self.tensors = {tensor.name: tensor for tensor in graph.initializer}
        self.halves = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast"}

    def __contains__(self, name: str) -> bool:
        return self.halves.get(name, name) in self.tensors

    def __getitem__(self, name: str) -> np.ndarray:
        return numpy_helper.to_array(self.tensors[self.halves.get(name, name)]).astype(np.float32)


def consumers(graph: onnx.GraphProto) -> dict[str, list[onnx.NodeProto]]:
    found: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            found.setdefault(name, []).append(node)
    return found


def pixel_convolutions(graph: onnx.GraphProto) -> list[tuple[onnx.NodeProto, onnx.NodeProto]]:
    """Returns the convolutions of one pixel over whole pictures, each with the node that adds its bias."""
    weights, users = Weights(graph), consumers(graph)
    producers = {node.output[0]: node for node in graph.node}

    def source(name: str) -> str:
        """Returns the kind of the operator that computes a value."""
        producer = producers.get(name)
        if producer is None:
            return "input"
        return source(producer.input[0]) if producer.op_type in ("Identity", "Relu") else producer.op_type

    found = []
    for node in graph.node:
        if node.op_type != "Conv" or node.input[1] not in weights:
            continue
        shape = weights[node.input[1]].shape
        [add] = users[node.output[0]]
        # Weights of channels are computed from means, so that they have one pixel: from the mean, and to the sigmoid.
        [copy, *_] = users[add.output[0]]
        is_mean = source(node.input[0]) == "ReduceMean" or users[copy.output[0]][0].op_type == "HardSigmoid"
        if shape[2:] == (1, 1) and min(shape[:2]) >= MIN_CHANNELS and add.op_type == "Add" and not is_mean:
            found.append((node, add))
    return found


def fused_gelus(graph: onnx.GraphProto) -> tuple[set[int], dict[int, onnx.NodeProto]]:
    """
    Returns the nodes that compute x/2 (1 + erf(x/√2)), and the operator that replaces the last of each group. The runtime
    finds these groups itself, but no longer when their input comes from 8 bits.
    """
    users = consumers(graph)
    producers = {node.output[0]: node for node in graph.node}
    groups, operators = set(), {}
    for erf in (node for node in graph.node if node.op_type == "Erf"):
        division = producers[erf.input[0]]
        [add] = users[erf.output[0]]
        [product] = users[add.output[0]]
        [last] = users[product.output[0]]
        groups |= {id(node) for node in (division, erf, add, product, last)}
        operators[id(last)] = helper.make_node("Gelu", [division.input[0]], [last.output[0]], domain=RUNTIME)
    return groups, operators


def eight_bit(model: onnx.ModelProto, ranges: Ranges) -> onnx.ModelProto:
    """Returns the model with 8-bit convolutions; `ranges` has the extremes of their inputs and outputs."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    weights = Weights(graph)
    convolutions = {id(node): (node, add) for node, add in pixel_convolutions(graph)}
    biases = {id(add) for _, add in convolutions.values()}
    groups, gelus = fused_gelus(graph)
    nodes: list[onnx.NodeProto] = []
    scaled: dict[str, tuple[str, np.float32]] = {}

    def constant(name: str, values: np.ndarray) -> str:
        graph.initializer.append(numpy_helper.from_array(values, name))
        return name

    def node(kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def to_bytes(source: str, name: str) -> tuple[str, np.float32]:
        """Limits values to bytes and returns them restored; the runtime joins both steps with the convolution."""
        low, high = min(0.0, ranges[name][0]), max(0.0, ranges[name][1])
        scale = np.float32((high - low) / 255)
        parameters = [
            constant(f"{name}.scale", np.array(scale)),
            constant(f"{name}.zero", np.array(round(-low / scale), dtype=np.uint8)),
        ]
        stored = node("QuantizeLinear", [source, *parameters], f"{name}.bytes")
        return node("DequantizeLinear", [stored, *parameters], f"{name}.restored"), scale

    for current in graph.node:
        if id(current) in gelus:
            nodes.append(gelus[id(current)])
        if id(current) in biases or id(current) in groups:
            continue
        if id(current) not in convolutions:
            nodes.append(current)
            continue
        convolution, add = convolutions[id(current)]
        source, name = convolution.input
        if source not in scaled:
            scaled[source] = to_bytes(source, source)
        restored, scale = scaled[source]
        # The weights are cut to bytes when the runtime loads the model, so that they are not stored twice.
        steps = (np.abs(weights[name]).max(axis=(1, 2, 3)) / MAX_WEIGHT).astype(np.float32)
        channels = [constant(f"{name}.scale", steps), constant(f"{name}.zero", np.zeros(len(steps), dtype=np.int8))]
        stored = node("QuantizeLinear", [name, *channels], f"{name}.bytes", domain=RUNTIME, axis=0)
        kernel = node("DequantizeLinear", [stored, *channels], f"{name}.restored", domain=RUNTIME, axis=0)
        products = steps * scale
        bias = np.clip(np.round(weights[add.input[1]].reshape(-1) / products), -MAX_BIAS, MAX_BIAS).astype(np.int32)
        summands = [
            constant(f"{name}.bias", bias),
            constant(f"{name}.bias.scale", products),
            constant(f"{name}.bias.zero", np.zeros(len(steps), dtype=np.int32)),
        ]
        offset = node("DequantizeLinear", summands, f"{name}.bias.restored", domain=RUNTIME, axis=0)
        output = add.output[0]
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in convolution.attribute}
        node("Conv", [restored, kernel, offset], f"{output}.exact", **attributes)
        node("Identity", [to_bytes(f"{output}.exact", output)[0]], output)
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for current in nodes for name in current.input}
    tensors = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(tensors)
    result.opset_import.append(helper.make_opsetid(RUNTIME, 1))
    return result


def share_weights(model: onnx.ModelProto, data: bytes, file: str, min_bytes: int) -> None:
    """Replaces large tensors by references to the same bytes in another file with the content `data`."""
    for tensor in model.graph.initializer:
        offset = data.find(tensor.raw_data) if len(tensor.raw_data) >= min_bytes else -1
        if offset != -1:
            external_data_helper.set_external_data(tensor, file, offset, len(tensor.raw_data))
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
