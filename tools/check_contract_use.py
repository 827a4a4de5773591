#!/usr/bin/env python3
"""Fails when something goes past the API's contract.

  1. Handlers read JSON bodies by ReadBody alone, which has checked their names: none parses a request's body itself.
  2. Nobody but url.cc takes a query apart, whose names the endpoint checks.
  3. The page has no stand-in for the server: nothing under web/ serves HTTP.
  4. What is made from the contract is not checked in.

Usage: check_contract_use.py [REPOSITORY]
"""

import pathlib
import re
import subprocess
import sys

REST = "src/http/rest"
PARSES = re.compile(r"\bjson::Parse\(|\brequest\.body\b")
PARSES_ALLOWED = {f"{REST}/api/api.cc"}
QUERIES = re.compile(r"\bParseTarget\(")
QUERIES_ALLOWED = {f"{REST}/protocol/url.cc", f"{REST}/protocol/url.h", f"{REST}/endpoint.cc", f"{REST}/media/media.cc"}
SERVES = re.compile(r"\bcreateServer\(|\bnode:https?['\"]")
GENERATED = {"web/src/api/types.ts", "src/contract/generated_limits.h"}


def lines(repository, path, sign, allowed, what):
    name, text = path.relative_to(repository).as_posix(), path.read_text(encoding="utf-8")
    if name in allowed:
        return []
    return [f"{name}:{text.count(chr(10), 0, match.start()) + 1} {what}" for match in sign.finditer(text)]


def tracked(repository):
    """The files that are checked in; all of them where there is no repository, as in tests."""
    listed = subprocess.run(["git", "ls-files"], cwd=repository, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return set(listed.stdout.splitlines())
    return {path.relative_to(repository).as_posix() for path in repository.rglob("*")}


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings = []
    for path in sorted([*(repository / REST).rglob("*.h"), *(repository / REST).rglob("*.cc")]):
        if path.name.endswith("_test.cc"):
            continue
        findings += lines(repository, path, PARSES, PARSES_ALLOWED, "reads a body past ReadBody, which knows the contract")
        findings += lines(repository, path, QUERIES, QUERIES_ALLOWED, "takes a query apart that nobody checks")
    for path in sorted([*(repository / "web").rglob("*.mjs"), *(repository / "web").rglob("*.ts")]):
        if "node_modules" not in path.parts:
            findings += lines(repository, path, SERVES, set(), "serves HTTP: the page is tested on the real server")
    findings += [f"{name} is made from the contract when it is built, and not checked in" for name in
                 sorted(GENERATED & tracked(repository))]
    return findings


def main():
    repository = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    findings = check(repository)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
