#!/usr/bin/env python3
"""Fails when code under src/ recognises an error by anything but its kind and reason.

  1. Nothing compares or searches an error's message or note: English is for people.
  2. The status of an HTTP refusal comes from the one table, src/http/rest/api/problem.cc.
  3. DynamoDB's exception names are in tables/wire alone.
  4. Every reason's name is used once for its kind.

Tests are exempt: they may look at what people read.

Usage: check_errors.py [REPOSITORY]
"""

import re
import sys

import source_tree

SEARCHED = re.compile(
    r"\b(?:message|note)\(\)\s*(?:\.\s*(?:find|rfind|starts_with|ends_with|contains|compare|substr)\b|[!=]=)"
    r"|[!=]=\s*[\w.>()-]*\b(?:message|note)\(\)"
)
STATUS = re.compile(r"\bRefuse\(\s*\w+(?:[.>-]+\w+)*,\s*[45]\d\d\b")
EXCEPTION = re.compile(r'"[^"\n]*\b[A-Z]\w+Exception\b[^"\n]*"')
REASON = re.compile(r"\bconstexpr Reason (k\w+)\{\s*ErrorKind::(k\w+),\s*\"(\w+)\"\s*\}")

STATUS_TABLE = "src/http/rest/api/problem.cc"
# The second answers in the protocol's own words where it is not spoken to in JSON.
EXCEPTION_ROOMS = ("src/tables/wire/", "src/http/dynamodb/")


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings, owners = [], {}
    for file in source_tree.files(repository, "src", source_tree.CPP):
        if file.is_for_tests:
            continue
        name, text = file.name, file.code
        line = lambda match: f"{name}:{source_tree.line_of(text, match)}"
        for match in SEARCHED.finditer(text):
            findings.append(f"{line(match)} looks at an error's text; give the case a Reason")
        for match in STATUS.finditer(text):
            if name != STATUS_TABLE:
                findings.append(f"{line(match)} names an HTTP status; give the case a row in {STATUS_TABLE}")
        for match in EXCEPTION.finditer(text):
            if not name.startswith(EXCEPTION_ROOMS):
                findings.append(f"{line(match)} names an exception of DynamoDB's, which {EXCEPTION_ROOMS[0]} does")
        for match in REASON.finditer(text):
            case = (match[2], match[3])
            if case in owners:
                findings.append(f"{line(match)} repeats the reason {match[3]} of {owners[case]}")
            owners[case] = line(match)
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
