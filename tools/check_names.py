#!/usr/bin/env python3
"""Checks the names of types: one word per thing.

A type that a header declares has a name that no other room's header uses, so that a reader who meets the name knows
which one it is. Rooms' private headers (internal/, testing/) are left out, and SHARED lists the names that two rooms
have on purpose: no more than there are. A context's name is a word of the product (the catalog is of images, jobs are
edits): no folder and no file of the rooms below the contexts (BELOW) has it. RIDDLES are names that we had and that
said nothing.

Usage: check_names.py [REPOSITORY]
"""

import re
import sys

import source_tree

TYPE = re.compile(r"^(?:class|struct|enum class) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: :[^:][^;{]*)? \{", re.MULTILINE)

SHARED = {
    "Encoding": "of pictures, and of requests' bodies",
    "EndpointConfig": "one for each endpoint",
    "ImportProgress": "of tables, and of photos",
    "Picture": "a file of the cache, and pixels in the helper",
    "RequestMetrics": "of each endpoint",
    "Source": "of a picture, and of photos to import",
    "Tokens": "of idempotent requests, and of accounts",
    "Type": "of a DynamoDB value, and of a metric",
    "Value": "DynamoDB's, and JSON's",
}

# Rooms that do not know the product. "common" and "system" are contexts' folders, but not words for one thing.
BELOW = ["base", "blobs", "crypto", "json", "metrics", "net", "sigv4", "tables"]
NO_WORDS = {"common", "system"}

RIDDLES = {
    "Board": "Join",
    "Flight": "what is in flight",
    "Impression": "Appearance",
    "Looks": "SimilarityIndex",
}
RIDDLE = re.compile(r"\b(" + "|".join(RIDDLES) + r")\b")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def check_contexts_words(repository):
    """The findings about files that have the name of a context, or lie in a folder that has."""
    words = {path.name for path in (repository / "src" / "contexts").glob("*/")} - NO_WORDS
    findings = []
    for room in BELOW:
        for file in source_tree.files(repository, f"src/{room}"):
            for word in sorted(words & {*file.folders, file.path.stem}):
                findings.append(f"{file.name} has the name of src/contexts/{word}; say what it is instead")
    return findings


def check(repository, shared=frozenset()):
    """Returns a list of findings, one sentence each. `shared` are the names that have to be there twice."""
    findings, declared = check_contexts_words(repository), {}
    for file in source_tree.files(repository, "src", source_tree.CPP):
        name, code = file.name, COMMENT_OR_STRING.sub("", file.text)
        findings += [f"{name} names something {word}; say {RIDDLES[word]}" for word in sorted(set(RIDDLE.findall(code)))]
        if name.endswith(".h") and not {"internal", "testing"} & set(file.folders):
            for type_name in TYPE.findall(code):
                declared.setdefault(type_name, set()).add(name)
    for type_name, files in sorted(declared.items()):
        if len(files) > 1 and type_name not in SHARED:
            findings.append(f"{type_name} is declared by {' and by '.join(sorted(files))}; give one of them its own name")
    findings += [f"SHARED allows {name} twice, but there is no second one"
                 for name in sorted(shared) if len(declared.get(name, ())) < 2]
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(lambda repository: check(repository, SHARED)))
