#!/usr/bin/env python3
"""Checks docs/coverage.md: every promise has its row, and every test that a row names is one.

A row is `| ID | STATE | TESTS | what must be true |`. STATE is `proven`, or `open: ` and why. TESTS are functions that
carry the id in their names, each as `path/of_test.py::test_ID_what_it_shows`; an open row names those that prove a part
of it. Prints how many promises are proven. Fails on
- a row that is missing, unknown, there twice, or says neither `proven` nor why it is open,
- a test that does not exist, does not carry the id, asserts nothing, or is never run,
- a test that carries an id whose row does not name it.

Usage: check_mission_coverage.py [REPOSITORY]
"""

import difflib
import re
import sys
from typing import NamedTuple

import source_tree
import test_functions

# How many ids each chapter of the mission has; they are numbered from 1.
CHAPTERS = {"IMG": 22, "SPK": 17, "ARC": 4, "M2C": 19, "JOB": 16}

ROW = re.compile(r"^\|\s*([A-Z0-9]+-\d+)\s*\|(.*)$", re.MULTILINE)
CARRIED_ID = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(CHAPTERS)})[_-](\d+)(?![0-9])")


class Row(NamedTuple):
    state: str
    tests: list  # `path::function` each.
    promise: str


def ids_of(name):
    """The ids that the name of a test carries: `test_IMG_9_SPK_10_...` has two."""
    return [f"{chapter}-{number}" for chapter, number in CARRIED_ID.findall(name)]


def read_rows(text):
    """Returns (findings, rows by id)."""
    rows, findings = {}, []
    for identifier, rest in ROW.findall(text):
        cells = [cell.strip() for cell in rest.strip().removesuffix("|").split("|")]
        if identifier in rows:
            findings.append(f"{identifier} is listed twice: join the rows")
        if len(cells) != 3:
            findings.append(f"{identifier} has {len(cells) + 1} columns: write | id | state | tests | what must be true |")
            cells = (cells + ["", "", ""])[:3]
        rows[identifier] = Row(cells[0], re.findall(r"`([^`]+)`", cells[1]), cells[2])
    return findings, rows


def check_test(identifier, test, functions):
    """Returns what is wrong with one test that a row names."""
    path, separator, name = test.partition("::")
    if not separator:
        return f"{identifier} names {test}: name a function of it, as {test}::test_{identifier.replace('-', '_')}_what_it_shows"
    if path not in functions:
        return f"{identifier} names {path}, which is no file of tests"
    found = [function for function in functions[path] if function.name == name]
    if not found:
        near = difflib.get_close_matches(name, [function.name for function in functions[path]], 1)
        return f"{identifier} names {name}, which is not in {path}" + (f": is it {near[0]} now?" if near else "")
    if identifier not in ids_of(name):
        return f"{identifier} names {name}, which does not carry the id: rename it to test_{identifier.replace('-', '_')}_..."
    if not found[0].asserts:
        return f"{identifier} names {name}, which asserts nothing: assert what it shows in its own body, about no constant"
    if not found[0].runs:
        return f"{identifier} names {name}, which is never run: it is skipped, hidden by a namesake, or called by nobody"
    return None


def check_row(identifier, row, functions):
    """Returns findings about one row."""
    findings = [problem for test in row.tests if (problem := check_test(identifier, test, functions))]
    if not row.promise:
        findings.append(f"{identifier} does not say what must be true")
    if row.state == "proven":
        if not [test for test in row.tests if not test.partition("::")[0].endswith(".cc")]:
            findings.append(f"{identifier} names no test that drives a running server: name one, or say `open: why`")
    elif not re.match(r"open: \S", row.state):
        findings.append(f"{identifier} says '{row.state}': write `proven`, or `open: ` and why")
    return findings


def check_carriers(rows, functions):
    """Returns findings about tests that carry an id whose row does not name them."""
    findings = []
    for path, all_of_file in functions.items():
        for function in all_of_file:
            for identifier in ids_of(function.name):
                test = f"{path}::{function.name}"
                if identifier in rows and test not in rows[identifier].tests:
                    findings.append(f"{test} carries {identifier}: add `{test}` to the tests of that row, proven or open")
                elif identifier not in rows:
                    findings.append(f"{test} carries {identifier}, which has no row: mend the name")
    return findings


def check(repository):
    """Returns (findings, number of proven ids, number of ids)."""
    known = [f"{chapter}-{i}" for chapter, count in CHAPTERS.items() for i in range(1, count + 1)]
    findings, rows = read_rows((repository / "docs" / "coverage.md").read_text(encoding="utf-8"))
    findings += [f"{identifier} is not listed: add | {identifier} | open: why | | what must be true |"
                 for identifier in known if identifier not in rows]
    findings += [f"{identifier} is no id of the mission" for identifier in rows if identifier not in known]
    functions = {file.name: test_functions.functions_of(file) for file in test_functions.test_files(repository)}
    proven = 0
    for identifier, row in rows.items():
        wrong = check_row(identifier, row, functions)
        findings += wrong
        proven += row.state == "proven" and identifier in known and not wrong
    return findings + check_carriers(rows, functions), proven, len(known)


def main():
    findings, proven, total = check(source_tree.repository_to_check())
    for finding in findings:
        print(f"docs/coverage.md: {finding}")
    print(f"{proven} of {total} promises are proven, {total - proven} are open")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
