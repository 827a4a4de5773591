#!/usr/bin/env python3
"""Fails when a metric breaks the rules of src/metrics/README.md.

  1. A name begins with `tintype_`; counters, and only they, end in `_total`; a histogram ends in what its values are;
     units are seconds and bytes, and come last.
  2. A metric is registered in one place, by a literal name, with a help text: a sentence that ends in a full stop.
  3. Only src/metrics knows the text format.
  4. Documentation names no metric that there is not.

Tests are exempt from 2 and 3.

Usage: check_metrics.py [REPOSITORY]
"""

import re
import sys

import source_tree

KIND = r"(Get)?(Counter|Gauge|Histogram)"
# The name, and whatever stands where its help should.
REGISTRATION = re.compile(rf'(?:\.|->|\b){KIND}\(\s*"([^"]*)"\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)*)')
NAMELESS = re.compile(rf"(?:\.|->){KIND}\(\s*[^\s\")]")
NAME = re.compile(r"tintype_[a-z0-9]+(?:_[a-z0-9]+)*")
SCALED = {"ms", "us", "ns", "millis", "micros", "milliseconds", "microseconds", "nanoseconds", "minutes", "hours", "kb",
          "mb", "gb", "kib", "mib", "gib", "kilobytes", "megabytes", "gigabytes", "percent"}
UNITS = {"seconds", "bytes"}
FORMAT = re.compile(r"# HELP|# TYPE|version=0\.0\.4|\"_bucket|\+Inf|\\nle=|\"le=")
DOCUMENTED = re.compile(r"`(tintype_[a-z0-9_]+)")
SUFFIXES = ("_bucket", "_sum", "_count")


def sources(repository):
    """The files that may register metrics, with their texts; without comments and tests."""
    for file in source_tree.files(repository, "src", source_tree.CPP):
        if not file.is_for_tests:
            yield file.name, file.code


def registrations(repository):
    """Every registration: (where, kind, name, help, whether it is an instrument, which may be made when it is first
    used)."""
    found = []
    for file, text in sources(repository):
        for match in REGISTRATION.finditer(text):
            words = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[4]))
            # A help text that is put together (StrCat) is not looked at.
            found.append((f"{file}:{source_tree.line_of(text, match)}", match[2], match[3], words if match[4] else None, match[1] is not None))
    return found


def check_name(kind, name):
    """What is wrong with a name, if anything is."""
    if not NAME.fullmatch(name):
        return "does not begin with tintype_, or has other characters than a-z, 0-9 and single _"
    if name.endswith("_total") != (kind == "Counter"):
        return "is a counter without _total" if kind == "Counter" else f"is a {kind.lower()} that ends in _total"
    words = name.removesuffix("_total").split("_")
    if scaled := SCALED.intersection(words):
        return f"is in {scaled.pop()}; use seconds and bytes"
    if UNITS.intersection(words[:-1]):
        return "does not end in its unit"
    if kind == "Histogram" and not words[-1].endswith("s"):
        return "is a histogram that does not end in what its values are (seconds, bytes, tasks)"
    return None


def check_documents(repository, names):
    """Metrics, and families of them (`tintype_log_*`), that the documentation names and nobody registers."""
    findings = []
    for file in source_tree.files(repository, "docs", ".md"):
        for name in DOCUMENTED.findall(file.text):
            forms = [name, *(name.removesuffix(suffix) for suffix in SUFFIXES)]
            is_family = name.endswith("_") and any(other.startswith(name) for other in names)
            if not is_family and not names.intersection(forms):
                findings.append(f"{file.name} names {name}, which nobody registers")
    return findings


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings, owners = [], {}
    for where, kind, name, text, _ in registrations(repository):
        if problem := check_name(kind, name):
            findings.append(f"{where}: {name} {problem}")
        if name in owners:
            findings.append(f"{where} registers {name} again, which {owners[name]} does")
        owners.setdefault(name, where)
        if text is not None and not text.endswith("."):
            findings.append(f"{where}: the help of {name} is no sentence")
    for file, text in sources(repository):
        if file.startswith("src/metrics/") and not file.endswith("process.cc"):
            continue
        if match := NAMELESS.search(text):
            findings.append(f"{file}:{source_tree.line_of(text, match)} names a metric by no literal")
        if match := FORMAT.search(text):
            findings.append(f"{file}:{source_tree.line_of(text, match)} knows the text format, which src/metrics does")
    return findings + check_documents(repository, set(owners))


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
