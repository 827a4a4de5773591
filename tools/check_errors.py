#!/usr/bin/env python3
"""Fails when code under src/ recognises an error by anything but its kind and reason.

  1. Nothing compares or searches an error's message or note, nor hands it to a function that does: English is for
     people.
  2. The status of an HTTP refusal comes from the one table, src/http/rest/api/problem.cc.
  3. DynamoDB's exception names are in tables/wire alone.
  4. Every reason's name is used once for its kind.
  5. Only CANCELLATION_FILES look at why a transaction was cancelled: everything else is told by a reason, and not by
     the place of a refusal among a transaction's actions.

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
# Text is also looked at by way of a function that compares, or of a map that it is looked up in.
COMPARING = re.compile(
    r"\b(?:\w*(?:Contains|StartsWith|EndsWith|Equals|Matches)|(?:Compare|Find|Match|Search)\w*|str(?:n?(?:case)?cmp|str)|memcmp"
    r"|regex_\w+|starts_with|ends_with|contains|compare|find\w*|count|at|search|equal|mismatch)\s*\("
    r"|\w\s*\[(?=[^\]\[;]*\b(?:message|note)\(\)\s*\])"
)
TEXT_OF_ERROR = re.compile(r"\b(?:message|note)\(\)")
STATUS = re.compile(r"\bRefuse\(\s*\w+(?:[.>-]+\w+)*,\s*[45]\d\d\b")
EXCEPTION = re.compile(r'"[^"\n]*\b[A-Z]\w+Exception\b[^"\n]*"')
REASON = re.compile(r"\bconstexpr Reason (k\w+)\{\s*ErrorKind::(k\w+),\s*\"(\w+)\"\s*\}")

CANCELLATION = re.compile(r"\bCancellationDetail\b|(?:\.|->)\s*reasons\b")

STATUS_TABLE = "src/http/rest/api/problem.cc"
# The second answers in the protocol's own words where it is not spoken to in JSON.
EXCEPTION_ROOMS = ("src/tables/wire/", "src/http/dynamodb/")

# Those who have cancellations, and the two that turn them into reasons.
CANCELLATION_FILES = ("src/tables/", "src/access/audit/chain_store.cc", "src/contexts/common/transaction.cc")


def arguments_at(text, start):
    """The text between the bracket that ends before `start` and its partner, or the end of the statement."""
    depth, end = 1, start
    while end < len(text) and text[end] != ";":
        depth += (text[end] in "([") - (text[end] in ")]")
        if depth == 0:
            break
        end += 1
    return text[start:end]


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
        for match in COMPARING.finditer(text):
            if TEXT_OF_ERROR.search(arguments_at(text, match.end())):
                findings.append(f"{line(match)} has an error's text compared; give the case a Reason")
        for match in CANCELLATION.finditer(text):
            if not name.startswith(CANCELLATION_FILES):
                findings.append(f"{line(match)} looks into a cancelled transaction; give each refusal a Reason")
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
