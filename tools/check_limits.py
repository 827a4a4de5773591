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
import pathlib
import re
import sys

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


def find(repository, path, signs):
    name, text = path.relative_to(repository).as_posix(), path.read_text(encoding="utf-8")
    return [f"{name}:{text.count(chr(10), 0, match.start()) + 1} writes a limit that {CONTRACT} has: {match.group().strip()}"
            for sign in signs for match in sign.finditer(text)]


def check(repository):
    """Returns a list of findings, one sentence each."""
    names = limited(repository)
    constant = re.compile(rf"\bk(?:{'|'.join(names)}){UNITS}\s*(?:=|\{{)\s*(?:size_t\{{)?\d[\d']*\}}?;")
    page_constant = re.compile(rf"\b(?:{'|'.join(map(upper, names))})(?:_LENGTH)?_(?:MIN|MAX|LIMIT)\s*=\s*\d[\d_]*(?![.\d_])")
    findings = []
    for room in ROOMS:
        for path in sorted([*(repository / "src" / room).rglob("*.h"), *(repository / "src" / room).rglob("*.cc")]):
            if not path.name.endswith("_test.cc"):
                findings += find(repository, path, [constant, SIZE])
    for path in sorted([*(repository / "web/src").rglob("*.ts"), *(repository / "web/src").rglob("*.tsx")]):
        if path.name != "types.ts" and not path.name.endswith(".test.ts"):
            findings += find(repository, path, [page_constant, ATTRIBUTE])
    return findings


def main():
    repository = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    findings = check(repository)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
