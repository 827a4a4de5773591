#!/usr/bin/env python3
"""Fails when a limit of the API's contract, src/contract/openapi.json, is written a second time.

Product code takes limits from `contract/limits.h`, the page from `LIMITS` in `web/src/api/types.ts`; both are made from
the contract. So neither may
  1. give a number to a constant that is named after a schema with a limit (kTitleBytesMax, TITLE_MAX),
  2. compare the size of a text with a number, which would also count bytes instead of characters,
  3. give a number to maxLength, minLength or maxItems.

Usage: check_limits.py [REPOSITORY]
"""

import json
import re
import sys

import source_tree

CONTRACT = "src/contract/openapi.json"
# The rooms that know what the texts mean.
ROOMS = ["contexts", "flows", "views", "pipeline", "delivery", "http/rest"]
UNITS = "(?:Bytes|Characters|Chars|Length|Count)?(?:Min|Max|Limit)?"
SIZE = re.compile(r"\.(?:size|length)\(\)\s*[<>]=?\s*\d\d")
ATTRIBUTE = re.compile(r"\b(?:maxLength|minLength|maxItems)\b\s*[=:]\s*[{\"']?\d")


def limited(repository):
    """The names of the schemas that have a limit."""
    schemas = json.loads((repository / CONTRACT).read_text(encoding="utf-8"))["components"]["schemas"]
    return [name for name, schema in schemas.items() if {"maxLength", "maxItems", "maximum"} & set(schema)]


def upper(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()


def find(file, signs):
    text = file.text
    return [f"{file.name}:{source_tree.line_of(text, match)} writes a limit that {CONTRACT} has: {match.group().strip()}"
            for sign in signs for match in sign.finditer(text)]


def check(repository):
    """Returns a list of findings, one sentence each."""
    names = limited(repository)
    constant = re.compile(rf"\bk(?:{'|'.join(names)}){UNITS}\s*(?:=|\{{)\s*(?:size_t\{{)?\d[\d']*\}}?;")
    page_constant = re.compile(rf"\b(?:{'|'.join(map(upper, names))})(?:_LENGTH)?_(?:MIN|MAX|LIMIT)\s*=\s*\d[\d_]*(?![.\d_])")
    findings = []
    for room in ROOMS:
        for file in source_tree.files(repository, f"src/{room}", source_tree.CPP):
            if not file.is_test:
                findings += find(file, [constant, SIZE])
    for file in source_tree.files(repository, "web/src", (".ts", ".tsx")):
        if not file.name.endswith(("/types.ts", ".test.ts")):
            findings += find(file, [page_constant, ATTRIBUTE])
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
