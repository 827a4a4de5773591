#!/usr/bin/env python3
"""Checks docs/compatibility.md: every difference names a test that exists.

The last cell of a row is `file`: "name". The name is the whole one of a case in a .json file, of a function
in a .py file, and of a TEST, a TEST_F or a function in a .cc file. Fails on a row without such a test, and
when there are no rows at all.

Usage: check_compatibility.py [REPOSITORY]
"""

import re
import sys

import source_tree

ROW = re.compile(r"^\|(.*)\|\s*$", re.MULTILINE)
TEST = re.compile(r"^`([^`]+)`: \"([^\"]+)\"$")

# How a file of each kind spells the definition of the test NAME.
DEFINITIONS = {
    ".json": r'"name": "NAME"',
    ".py": r"^\s*def NAME\(",
    ".cc": r"^(TEST|TEST_F)\(\w+, NAME\)|^(?!\s*(return|co_return)\b)\s*[\w:<>&*]+\s+([\w:]+::)?NAME\(",
}


def defines(path, name):
    """Whether the file defines a test of exactly that name."""
    pattern = DEFINITIONS.get(path.suffix)
    if pattern is None:
        return False
    return re.search(pattern.replace("NAME", re.escape(name)), path.read_text(), re.MULTILINE) is not None


def check(repository):
    """Returns (findings, number of rows)."""
    findings, rows = [], 0
    for row in ROW.findall((repository / "docs" / "compatibility.md").read_text()):
        cells = [cell.strip() for cell in row.split("|")]
        if cells[0] == "What" or set(cells[0]) == {"-"}:
            continue
        rows += 1
        named = TEST.match(cells[-1])
        if not named:
            findings.append(f"'{cells[0]}' names no test")
            continue
        path = repository / named[1]
        if not path.is_file():
            findings.append(f"'{cells[0]}' names {named[1]}, which does not exist")
        elif not defines(path, named[2]):
            findings.append(f"'{cells[0]}' names \"{named[2]}\", which is no test in {named[1]}")
    if rows == 0:
        findings.append("there are no rows")
    return findings, rows


def main():
    repository = source_tree.repository_to_check()
    findings, rows = check(repository)
    for finding in findings:
        print(f"docs/compatibility.md: {finding}")
    print(f"{rows} differences, each with its test" if not findings else f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
