#!/usr/bin/python3
"""Turns a model of TensorFlow.js into one of ONNX: a graph of convolutions and what is usual between them, for one
picture at a time. The same input gives the same bytes.

Usage: convert_model.py FOLDER INPUT=CHANNELS,HEIGHT,WIDTH OUTPUT-NODE... > MODEL
       convert_model.py FOLDER layers > MODEL

FOLDER has model.json and the weights that it names. INPUT is the node whose value the new model is given. Pictures are
planes of a colour each there, where TensorFlow has the colours of each pixel side by side; outputs are as they were.
With `layers`, it has a model of Keras' layers as tools/convert_layers.py reads it.

With Debian's python3 (python3-onnx, python3-numpy).
"""

import json
import pathlib
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

import convert_layers

OPSET, IR_VERSION = 13, 7


class Unsupported(Exception):
    """The graph has something that this program does not know."""


def weights_of(folder, model):
    """Every constant of the graph, by its name."""
    found = {}
    for group in model["weightsManifest"]:
        data = b"".join((folder / path).read_bytes() for path in group["paths"])
        at = 0
        for weight in group["weights"]:
            if "quantization" in weight:
                raise Unsupported(f"the weights {weight['name']} are quantized")
            kind = numpy.dtype({"float32": "<f4", "int32": "<i4"}[weight["dtype"]])
            count = int(numpy.prod(weight["shape"], dtype=numpy.int64))
            found[weight["name"]] = numpy.frombuffer(data, kind, count, at).reshape(weight["shape"])
            at += count * kind.itemsize
    return found


def numbers_of(attribute):
    return [int(number) for number in attribute["list"]["i"]]


class Converter:
    """Writes the nodes of the new graph, each once those are there that it needs."""

    def __init__(self, model, weights, given, shape):
        self._nodes = {node["name"]: node for node in model["modelTopology"]["node"]}
        self._weights = weights
        self._given = given
        self._input = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, *shape])
        self._made, self._constants, self._values = [], [], {given: "picture"}
        self._is_picture = {given}  # Values that are planes, by their name in the old graph.

    def convert(self, outputs):
        names = []
        for output in outputs:
            self._value(output)
            self._add("Identity", [self._values[output]], f"output_{len(names)}")
            names.append(helper.make_tensor_value_info(f"output_{len(names)}", TensorProto.FLOAT, None))
        graph = helper.make_graph(self._made, "model", [self._input], names, self._constants)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="tintype")
        made.ir_version = IR_VERSION
        return made.SerializeToString(deterministic=True)

    def _add(self, kind, inputs, output=None, **attributes):
        output = output or f"value_{len(self._made)}"
        self._made.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def _constant(self, array):
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(numpy.ascontiguousarray(array), name))
        return name

    def _value(self, name):
        """The name of a value in the new graph. The depth of these graphs is below Python's limit only without the
        recursion into what is there."""
        waiting = [name]
        while waiting:
            last = waiting[-1]
            if last in self._values or last in self._weights:
                waiting.pop()
                continue
            missing = [each for each in self._operands(self._nodes[last]) if each not in self._values and each not in self._weights]
            if missing:
                waiting += missing
                continue
            self._values[last] = self._convert(self._nodes[last])
            waiting.pop()
        return self._values[name]

    @staticmethod
    def _operands(node):
        # The shape that Reshape is given comes from the number of pictures, which is one, and constants.
        names = [name for name in node.get("input", []) if not name.startswith("^")]
        return names[:1] if node["op"] == "Reshape" else names

    def _convert(self, node):
        kind, attributes = node["op"], node.get("attr", {})
        operands = self._operands(node)
        if kind in ("Conv2D", "DepthwiseConv2dNative"):
            return self._convolution(node["name"], operands, attributes, kind != "Conv2D")
        if kind in ("Add", "AddN", "Mul", "BiasAdd"):
            return self._by_pixel(node["name"], {"Mul": "Mul"}.get(kind, "Add"), operands)
        if kind == "Relu6":
            self._is_picture.update([node["name"]] if operands[0] in self._is_picture else [])
            return self._add("Clip", [self._values[operands[0]], self._constant(numpy.float32(0)), self._constant(numpy.float32(6))])
        if kind == "FusedBatchNorm":
            self._is_picture.add(node["name"])
            return self._add("BatchNormalization", [self._values[operands[0]], *(self._constant(self._weights[each]) for each in operands[1:])],
                             epsilon=attributes["epsilon"]["f"])
        if kind == "Reshape":
            return self._reshape(operands[0], node["input"][1])
        if kind == "ConcatV2":
            return self._add("Concat", [self._values[each] for each in operands[:-1]], axis=int(self._weights[operands[-1]]))
        if kind == "Squeeze":
            return self._add("Squeeze", [self._values[operands[0]], self._constant(numpy.int64(numbers_of(attributes["squeeze_dims"])))])
        if kind == "Sigmoid":
            return self._add("Sigmoid", [self._values[operands[0]]])
        raise Unsupported(f"{node['name']} is a {kind}")

    def _convolution(self, name, operands, attributes, depthwise):
        if operands[0] not in self._is_picture or numbers_of(attributes["dilations"]) != [1, 1, 1, 1]:
            raise Unsupported(f"{name} is no usual convolution")
        weights, groups = self._weights[operands[1]], 1
        if depthwise:
            height, width, groups, many = weights.shape
            weights = weights.reshape(height, width, 1, groups * many)
        # Height, width, in, out: out, in, height, width.
        weights = weights.transpose(3, 2, 0, 1)
        padding = {"SAME": "SAME_UPPER", "VALID": "VALID"}[bytes(attributes["padding"]["s"]).decode()]
        self._is_picture.add(name)
        return self._add("Conv", [self._values[operands[0]], self._constant(weights)], auto_pad=padding, group=groups,
                         kernel_shape=list(weights.shape[2:]), strides=numbers_of(attributes["strides"])[1:3])

    def _by_pixel(self, name, kind, operands):
        inputs = []
        for each in operands:
            if each in self._values:
                inputs.append(self._values[each])
            else:
                array = self._weights[each]
                # One number for each colour, or one for all.
                inputs.append(self._constant(array.reshape(1, -1, 1, 1) if array.size > 1 else array.reshape(())))
        if any(each in self._is_picture for each in operands):
            self._is_picture.add(name)
        value = inputs[0]
        for other in inputs[1:]:
            value = self._add(kind, [value, other])
        return value

    def _reshape(self, operand, shape):
        value = self._values[operand]
        if operand in self._is_picture:
            value = self._add("Transpose", [value], perm=[0, 2, 3, 1])
        return self._add("Reshape", [value, self._constant(numpy.int64(self._shape(shape)))])

    def _shape(self, name):
        if name in self._weights:
            return [int(number) for number in self._weights[name].reshape(-1)]
        node = self._nodes[name]
        if node["op"] == "Pack":
            return [number for each in node["input"] for number in self._shape(each)]
        first = node["op"] == "StridedSlice" and int(self._weights[node["input"][1]].reshape(-1)[0]) == 0
        if first and self._nodes[node["input"][0]]["op"] == "Shape":
            return [1]
        raise Unsupported(f"{name} is a shape that depends on the input")


def convert(folder, given, shape, outputs):
    """The bytes of the new model."""
    folder = pathlib.Path(folder)
    model = json.loads((folder / "model.json").read_text())
    return Converter(model, weights_of(folder, model), given, shape).convert(outputs)


def main():
    if sys.argv[2:] == ["layers"]:
        sys.stdout.buffer.write(convert_layers.convert(pathlib.Path(sys.argv[1])))
        return
    if len(sys.argv) < 4 or "=" not in sys.argv[2]:
        sys.exit(__doc__)
    given, _, shape = sys.argv[2].partition("=")
    sys.stdout.buffer.write(convert(sys.argv[1], given, [int(side) for side in shape.split(",")], sys.argv[3:]))


if __name__ == "__main__":
    main()
