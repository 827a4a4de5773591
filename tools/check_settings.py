#!/usr/bin/env python3
"""Compares what the documentation says of settings with their rows in src/cli/settings/serve_settings.h.

A flag that a document names exists, as a setting or as an option of a command; a table that gives its default
(`| \`--flag\` | default | ...`) gives the right one. So a setting is described once, in its row.
"""

import re
import sys

import source_tree

ROW = re.compile(r'\bSetting\{\s*"([a-z0-9-]+)",\s*"[^"]*",\s*"([^"]*)"')
OPTION = re.compile(r'"!?--([a-z0-9-]+)"')
CODE = re.compile(r"`([^`\n]+)`")
FLAG = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
TABLE = re.compile(r"^\| `--([a-z0-9-]+)` \| ([0-9.]+) \|", re.MULTILINE)

# Lists what is promised, settings that are to come included.
PROMISES = "docs/coverage.md"

# Flags of other programs that documents name by themselves, without the program.
OTHERS = {"endpoint-url", "help", "version", "no-install-recommends", "config"}


def check(repository):
    """Returns a list of findings, one sentence each."""
    defaults = dict(ROW.findall((repository / "src/cli/settings/serve_settings.h").read_text()))
    known = OTHERS | defaults.keys()
    for file in source_tree.files(repository, "src/cli/command_line", ".cc"):
        known |= set(OPTION.findall(file.text))
    findings = []
    readme = source_tree.File(repository, repository / "README.md")
    for file in [readme, *source_tree.files(repository, "docs", ".md")]:
        name, text = file.name, file.text
        if name == PROMISES:
            continue
        # A span that begins with another program's name has that program's flags.
        spans = [span for span in CODE.findall(text) if span.startswith(("--", "tintype "))]
        unknown = {flag for span in spans for flag in FLAG.findall(span)} - known
        findings += [f"{name} names --{flag}, which no command has" for flag in sorted(unknown)]
        findings += [f"{name} says that the default of --{flag} is {said}, but it is {defaults.get(flag)}"
                     for flag, said in TABLE.findall(text) if defaults.get(flag) != said]
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
