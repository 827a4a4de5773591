#!/usr/bin/env python3
"""Fails when something goes past the API's contract.

  1. Handlers read JSON bodies by ReadBody alone, which has checked their names: none parses a request's body itself.
  2. Nobody but url.cc takes a query apart, whose names the endpoint checks.
  3. The page has no stand-in for the server: nothing under web/ serves HTTP.
  4. What is made from the contract is not checked in.

Usage: check_contract_use.py [REPOSITORY]
"""

import re
import subprocess
import sys

import source_tree

REST = "src/http/rest"
PARSES = re.compile(r"\bjson::Parse\(|\brequest\.body\b")
PARSES_ALLOWED = {f"{REST}/api/api.cc"}
QUERIES = re.compile(r"\bParseTarget\(")
QUERIES_ALLOWED = {f"{REST}/protocol/url.cc", f"{REST}/protocol/url.h", f"{REST}/endpoint.cc", f"{REST}/media/media.cc"}
SERVES = re.compile(r"\bcreateServer\(|\bnode:https?['\"]")
GENERATED = {"web/src/api/types.ts", "src/contract/generated_limits.h"}


def lines(file, sign, allowed, what):
    if file.name in allowed:
        return []
    text = file.text
    return [f"{file.name}:{source_tree.line_of(text, match)} {what}" for match in sign.finditer(text)]


def tracked(repository):
    """The files that are checked in; all of them where there is no repository, as in tests."""
    listed = subprocess.run(["git", "ls-files"], cwd=repository, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return set(listed.stdout.splitlines())
    return {file.name for file in source_tree.files(repository)}


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings = []
    for file in source_tree.files(repository, REST, source_tree.CPP):
        if not file.is_test:
            findings += lines(file, PARSES, PARSES_ALLOWED, "reads a body past ReadBody, which knows the contract")
            findings += lines(file, QUERIES, QUERIES_ALLOWED, "takes a query apart that nobody checks")
    for file in source_tree.files(repository, "web", (".mjs", ".ts")):
        findings += lines(file, SERVES, set(), "serves HTTP: the page is tested on the real server")
    findings += [f"{name} is made from the contract when it is built, and not checked in" for name in
                 sorted(GENERATED & tracked(repository))]
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
