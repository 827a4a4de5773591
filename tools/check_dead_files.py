#!/usr/bin/env python3
"""Fails when a .cc file under src/, tests/ or bench/ is built by no target, or a test in a script is run by nothing.

A test that is never compiled or run looks like a test that passes. A .cc file counts as built when a CMakeLists.txt
mentions it by a path relative to its own folder, in which a ${variable} stands for anything. A script (*_test.py,
*.test.mjs) counts as run when a CMakeLists.txt mentions it so, or when one or a test in Python mentions its name. The
page's unit tests (*.test.ts) are run together, by npm.

Usage: check_dead_files.py [REPOSITORY]
"""

import re
import sys

import source_tree

FOLDERS = ("src", "tests", "bench", "web")
SCRIPTS = ("_test.py", ".test.mjs")


def mentioned(path, text, suffix):
    """The files that a CMakeLists.txt names by a path."""
    found = set()
    for name in re.findall(rf"(?:[\w./-]|\$\{{\w+\}})+{suffix}\b", text):
        pattern = re.sub(r"\$\{\w+\}", "*", name.removeprefix("${CMAKE_CURRENT_SOURCE_DIR}/")).lstrip("/")
        found.update(file.resolve() for file in path.parent.glob(pattern))
    return found


def check(repository):
    """Returns the files that nothing builds or runs."""
    alive, present, names, unit_tests = set(), set(), set(), set()
    runs_units = False
    for path in [file.path for folder in FOLDERS for file in source_tree.files(repository, folder)]:
        if path.name == "CMakeLists.txt":
            text = re.sub(r"#.*", "", path.read_text())
            alive |= mentioned(path, text, r"\.cc") | mentioned(path, text, r"(?:_test\.py|\.test\.mjs)")
            names |= set(re.findall(r"[\w.-]+\.(?:py|mjs)\b", text))
            runs_units |= re.search(r"\bnpm\b[^)]*\btest\b", text) is not None
        elif path.name.endswith(".test.ts"):
            unit_tests.add(path.resolve())
        elif path.suffix == ".cc" or path.name.endswith(SCRIPTS):
            present.add(path.resolve())
        if path.name.endswith("_test.py"):
            names |= set(re.findall(r"[\w.-]+\.test\.mjs\b", path.read_text()))
    dead = {path for path in present - alive if path.suffix == ".cc" or path.name not in names}
    return sorted(dead if runs_units else dead | unit_tests)


def main():
    repository = source_tree.repository_to_check()
    dead = check(repository)
    for path in dead:
        print(f"{path.relative_to(repository.resolve())} is built or run by nothing")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
