#!/usr/bin/env python3
"""Fails when a .cc file under src/, tests/ or bench/ is built by no target.

A test that is never compiled looks like a test that passes. A file counts as built when a
CMakeLists.txt mentions it by a path relative to its own folder, in which a ${variable} stands for
anything.

Usage: check_dead_files.py [REPOSITORY]
"""

import pathlib
import re
import sys

FOLDERS = ("src", "tests", "bench")


def check(repository):
    """Returns the files that no CMakeLists.txt mentions."""
    built, present = set(), set()
    for folder in FOLDERS:
        for path in (repository / folder).rglob("*"):
            if "node_modules" in path.parts:
                continue
            if path.name == "CMakeLists.txt":
                text = re.sub(r"#.*", "", path.read_text())
                for name in re.findall(r"(?:[\w./-]|\$\{\w+\})+\.cc\b", text):
                    pattern = re.sub(r"\$\{\w+\}", "*", name)
                    built.update(found.resolve() for found in path.parent.glob(pattern))
            elif path.suffix == ".cc":
                present.add(path.resolve())
    return sorted(present - built)


def main():
    repository = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    dead = check(repository)
    for path in dead:
        print(f"{path.relative_to(repository.resolve())} is mentioned by no CMakeLists.txt")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
