#!/usr/bin/env python3
"""Checks the names of types: one word per thing.

A type that a header declares has a name that no other room's header uses, so that a reader who meets the name knows
which one it is. Rooms' private headers (internal/, testing/) are left out, and SHARED lists the names that two rooms
have on purpose. RIDDLES are names that we had and that said nothing.

Usage: check_names.py [REPOSITORY]
"""

import re
import sys

import source_tree

TYPE = re.compile(r"^(?:class|struct|enum class) (\w+)(?: final)?(?: :[^:].*)? \{", re.MULTILINE)

SHARED = {
    "Catalog": "the engine's tables, and the product's images",
    "Encoding": "of pictures, and of requests' bodies",
    "EndpointConfig": "one for each endpoint",
    "ImportProgress": "of tables, and of photos",
    "Jobs": "the engine's long tasks, and edits",
    "Picture": "a file of the cache, and pixels in the helper",
    "RequestMetrics": "of each endpoint",
    "Source": "of a picture, and of photos to import",
    "Tokens": "of idempotent requests, and of accounts",
    "Type": "of a DynamoDB value, and of a metric",
    "Value": "DynamoDB's, and JSON's",
}

RIDDLES = {
    "Board": "Join",
    "Flight": "what is in flight",
    "Impression": "Appearance",
    "Looks": "SimilarityIndex",
}
RIDDLE = re.compile(r"\b(" + "|".join(RIDDLES) + r")\b")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings, declared = [], {}
    for file in source_tree.files(repository, "src", source_tree.CPP):
        name, code = file.name, COMMENT_OR_STRING.sub("", file.text)
        findings += [f"{name} names something {word}; say {RIDDLES[word]}" for word in sorted(set(RIDDLE.findall(code)))]
        if name.endswith(".h") and not {"internal", "testing"} & set(file.folders):
            for type_name in TYPE.findall(code):
                declared.setdefault(type_name, set()).add(name)
    for type_name, files in sorted(declared.items()):
        if len(files) > 1 and type_name not in SHARED:
            findings.append(f"{type_name} is declared by {' and by '.join(sorted(files))}; give one of them its own name")
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
