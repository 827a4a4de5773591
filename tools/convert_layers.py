"""Turns a model of Keras' layers, as TensorFlow.js keeps it, into one of ONNX. For tools/convert_model.py.

It comes as two scripts for Node.js, of which nothing is run: the layers as an object literal, the weights in base64.
Weights that are kept in a byte each stay so, with what makes numbers of them.
"""

import base64
import json
import re

import numpy
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 13, 7
SCRIPT_BYTES_MAX = 64 << 20
# Text, a number, and names: keys, and the values that JSON has in other words.
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|!0|!1|-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[A-Za-z_$][\w$]*')


class Unsupported(Exception):
    """The model has something that this program does not know."""


def as_json(match):
    word = match.group()
    if word[0] == '"' or word in ("null", "true", "false"):
        return word
    if word[0] == "!":
        return "true" if word == "!0" else "false"
    if word[0] in "-.0123456789":
        return re.sub(r"^(-?)\.", r"\g<1>0.", word)
    return f'"{word}"'


def exported(script, beginning):
    """What a script exports, which begins in that way."""
    if len(script) > SCRIPT_BYTES_MAX:
        raise Unsupported("a script is too large")
    begin = script.find(".exports=" + beginning)
    if begin < 0:
        raise Unsupported(f"no script exports {beginning}")
    return script[begin + len(".exports="):]


def object_of(script):
    return json.JSONDecoder().raw_decode(LITERAL.sub(as_json, exported(script, "{modelTopology:")))[0]


def bytes_of(script):
    text = exported(script, '"')
    return base64.b64decode(text[1:text.index('"', 1)], validate=True)


class LayersConverter:
    """Writes the nodes of the new graph, layer by layer: planes of a colour each in, a row of numbers out."""

    def __init__(self, model, data):
        self._made, self._constants = [], []
        self._weights = {}
        at = 0
        for weight in (each for group in model["weightsManifest"] for each in group["weights"]):
            kept = weight.get("quantization", {"dtype": weight["dtype"]})
            kind = numpy.dtype({"uint8": "u1", "float32": "<f4"}[kept["dtype"]])
            count = int(numpy.prod(weight["shape"], dtype=numpy.int64))
            array = numpy.frombuffer(data, kind, count, at).reshape(weight["shape"])
            self._weights[weight["name"]] = (array, kept.get("scale"), kept.get("min"))
            at += count * kind.itemsize
        if at != len(data):
            raise Unsupported("the weights are not as long as they should be")
        self._config = model["modelTopology"]["model_config"]["config"]

    def convert(self):
        values, given = {}, None
        for layer in self._config["layers"]:
            name, kind, config = layer["name"], layer["class_name"], layer["config"]
            if kind == "InputLayer":
                if given is not None:
                    raise Unsupported("there are two inputs")
                _, height, width, colours = config["batch_input_shape"]
                given = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, colours, height, width])
                values[name] = "picture"
                continue
            inputs = [values[node[0]] for node in layer["inbound_nodes"][0]]
            values[name] = self._layer(name, kind, config, inputs)
        (output, _, _), = self._config["output_layers"]
        self._add("Identity", [values[output]], "output_0")
        outputs = [helper.make_tensor_value_info("output_0", TensorProto.FLOAT, None)]
        graph = helper.make_graph(self._made, "model", [given], outputs, self._constants)
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

    def _weight(self, name, shaped=lambda array: array):
        array, scale, least = self._weights[name]
        value = self._constant(shaped(array))
        if scale is not None:
            value = self._add("Cast", [value], to=TensorProto.FLOAT)
            value = self._add("Mul", [value, self._constant(numpy.float32(scale))])
            value = self._add("Add", [value, self._constant(numpy.float32(least))])
        return value

    def _layer(self, name, kind, config, inputs):
        if kind in ("Conv2D", "DepthwiseConv2D"):
            return self._convolution(name, config, inputs[0], kind != "Conv2D")
        if kind == "BatchNormalization":
            parts = [self._weight(f"{name}/{part}") for part in ("gamma", "beta", "moving_mean", "moving_variance")]
            return self._add("BatchNormalization", [inputs[0], *parts], epsilon=config["epsilon"])
        if kind == "ReLU":
            limits = [self._constant(numpy.float32(0)), self._constant(numpy.float32(config["max_value"]))]
            return self._add("Clip", [inputs[0], *limits])
        if kind == "ZeroPadding2D":
            (top, bottom), (left, right) = config["padding"]
            return self._add("Pad", [inputs[0], self._constant(numpy.int64([0, 0, top, left, 0, 0, bottom, right]))])
        if kind == "Add":
            return self._add("Sum", inputs)
        if kind == "AveragePooling2D" and config["padding"] == "valid":
            return self._add("AveragePool", inputs, kernel_shape=config["pool_size"], strides=config["strides"])
        if kind == "Flatten":
            # In the order that TensorFlow has.
            return self._add("Flatten", [self._add("Transpose", inputs, perm=[0, 2, 3, 1])], axis=1)
        if kind == "Dropout":
            return inputs[0]
        if kind == "Dense":
            value = self._add("MatMul", [inputs[0], self._weight(f"{name}/kernel")])
            value = self._add("Add", [value, self._weight(f"{name}/bias")])
            return self._activated(value, config["activation"])
        raise Unsupported(f"{name} is a {kind}")

    def _activated(self, value, activation):
        if activation == "linear":
            return value
        if activation == "relu":
            return self._add("Relu", [value])
        if activation == "softmax":
            return self._add("Softmax", [value], axis=-1)
        raise Unsupported(f"an activation is {activation}")

    def _convolution(self, name, config, value, depthwise):
        if config["use_bias"] or list(config["dilation_rate"]) != [1, 1]:
            raise Unsupported(f"{name} is no usual convolution")
        groups = 1
        weight = f"{name}/{'depthwise_kernel' if depthwise else 'kernel'}"
        if depthwise:
            height, width, groups, many = self._weights[weight][0].shape
            # Height, width, in, out: out, in, height, width.
            kernel = self._weight(weight, lambda array: array.reshape(height, width, 1, groups * many).transpose(3, 2, 0, 1))
        else:
            height, width, _, _ = self._weights[weight][0].shape
            kernel = self._weight(weight, lambda array: array.transpose(3, 2, 0, 1))
        padding = {"same": "SAME_UPPER", "valid": "VALID"}[config["padding"]]
        value = self._add("Conv", [value, kernel], auto_pad=padding, group=groups, kernel_shape=[height, width],
                          strides=list(config["strides"]))
        return self._activated(value, config["activation"])


def convert(folder):
    """The bytes of the new model: of model.min.js and the one file beside it that has the weights."""
    weights, = folder.glob("group1-shard1of1.min.js")
    model = object_of((folder / "model.min.js").read_text())
    return LayersConverter(model, bytes_of(weights.read_text())).convert()
