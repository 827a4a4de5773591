"""A strict reader of Prometheus's text format: whatever is not as the format wants it raises Malformed."""

import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}


class Malformed(Exception):
    pass


def _labels(text, line):
    labels, rest = {}, text
    while rest:
        found = LABEL.match(rest)
        if not found or found[1] in labels:
            raise Malformed(f"labels: {line}")
        labels[found[1]] = found[2]
        rest = rest[found.end():]
        if rest and not rest.startswith(",") or rest == ",":
            raise Malformed(f"labels: {line}")
        rest = rest[1:]
    return labels


def _check_histogram(name, samples):
    series = {}
    for sample, labels, value in samples:
        key = tuple(sorted((k, v) for k, v in labels.items() if k != "le"))
        series.setdefault(key, []).append((sample.removeprefix(name), labels.get("le"), value))
    for key, found in series.items():
        buckets = [(math.inf if bound == "+Inf" else float(bound), value) for part, bound, value in found if part == "_bucket"]
        counts = [value for part, _, value in found if part == "_count"]
        sums = [value for part, _, value in found if part == "_sum"]
        values = [value for _, value in buckets]
        if (not buckets or buckets != sorted(buckets) or values != sorted(values) or len({bound for bound, _ in buckets}) != len(buckets) or
                buckets[-1][0] != math.inf or counts != [buckets[-1][1]] or len(sums) != 1):
            raise Malformed(f"histogram {name}{key}: {found}")


def parse(text):
    """The families by their names: (type, {labels as a sorted tuple: value}), histograms by the names of their
    samples."""
    if not text.endswith("\n"):
        raise Malformed("the last line does not end")
    families, order, helped = {}, [], set()
    for line in text[:-1].split("\n"):
        words = line.split(" ", 3)
        if line.startswith("# HELP "):
            if words[2] in helped or len(words) < 4 or not re.fullmatch(NAME, words[2]):
                raise Malformed(line)
            helped.add(words[2])
        elif line.startswith("# TYPE "):
            if len(words) != 4 or words[2] in families or words[2] not in helped or words[3] not in SUFFIXES:
                raise Malformed(line)
            if words[2].endswith("_total") != (words[3] == "counter"):
                raise Malformed(f"a name that tells another type: {line}")
            families[words[2]] = (words[3], [])
            order.append(words[2])
        else:
            found = SAMPLE.fullmatch(line)
            if not found or not order:
                raise Malformed(line)
            kind, samples = families[order[-1]]
            if found[1] not in {order[-1] + suffix for suffix in SUFFIXES[kind]}:
                raise Malformed(f"not below its family: {line}")
            samples.append((found[1], _labels(found[2] or "", line), float(found[3])))
    values = {}
    for name, (kind, samples) in families.items():
        if kind == "histogram":
            _check_histogram(name, samples)
        by_labels = {}
        for sample, labels, value in samples:
            key = (sample, tuple(sorted(labels.items())))
            if key in by_labels or value < 0:
                raise Malformed(f"{key} {value}")
            by_labels[key] = value
        values[name] = (kind, by_labels)
    return values
