#!/usr/bin/env python3
"""Checks docs/coverage.md: every mission id is listed, and every test it names is real.

A row is `| ID | open |`, or `| ID | tests/... |` with one or more files that exist and contain the
id. Prints how many ids are proven. Fails on an id that is missing, unknown or listed twice, and on
a test that does not exist or does not carry the id.

Usage: check_mission_coverage.py [REPOSITORY]
"""

import re
import sys

import source_tree

# How many ids each chapter of the mission has; they are numbered from 1.
CHAPTERS = {"IMG": 17, "SPK": 12, "ARC": 4, "M2C": 14, "JOB": 12}

ROW = re.compile(r"^\|\s*([A-Z0-9]+-\d+)\s*\|([^|]*)\|", re.MULTILINE)


def check_row(repository, identifier, tests):
    """Returns findings about one proven row."""
    findings = []
    for test in tests:
        path = repository / test
        if not path.is_file():
            findings.append(f"{identifier} names {test}, which does not exist")
        elif not re.search(rf"\b{identifier}\b", path.read_text()):
            findings.append(f"{identifier} names {test}, which does not carry that id")
    return findings


def check(repository):
    """Returns (findings, number of proven ids, number of ids)."""
    known = [f"{chapter}-{i}" for chapter, count in CHAPTERS.items() for i in range(1, count + 1)]
    rows, findings, proven = {}, [], 0
    for identifier, cell in ROW.findall((repository / "docs" / "coverage.md").read_text()):
        if identifier in rows:
            findings.append(f"{identifier} is listed twice")
        rows[identifier] = re.sub(r"[`,]", " ", cell).split()
    findings += [f"{identifier} is not listed" for identifier in known if identifier not in rows]
    findings += [f"{identifier} is no id of the mission" for identifier in rows if identifier not in known]
    for identifier, tests in rows.items():
        if not tests:
            findings.append(f"{identifier} names neither a test nor 'open'")
        elif tests != ["open"]:
            wrong = check_row(repository, identifier, tests)
            findings += wrong
            proven += not wrong
    return findings, proven, len(known)


def main():
    repository = source_tree.repository_to_check()
    findings, proven, total = check(repository)
    for finding in findings:
        print(f"docs/coverage.md: {finding}")
    print(f"{proven} of {total} mission ids are proven")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
