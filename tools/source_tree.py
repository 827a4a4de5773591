"""What the checks of this folder share: the files of the repository, and how a check is run."""

import os
import pathlib
import re
import sys

CPP = (".h", ".cc")

# Folders whose files are not written by hand.
SKIPPED = {".ccache", ".git", "build", "dist", "node_modules"}

CPP_COMMENT = re.compile(r"//[^\n]*")


class File:
    """A file of the repository: its path, its name from the repository's root, and its text."""

    def __init__(self, repository, path):
        self.path = path
        self.name = path.relative_to(repository).as_posix()

    @property
    def text(self):
        return self.path.read_text(encoding="utf-8")

    @property
    def code(self):
        """The text of a C++ file without its comments, with as many lines."""
        return CPP_COMMENT.sub("", self.text)

    @property
    def folders(self):
        """The names of the folders around it."""
        return self.name.split("/")[:-1]

    @property
    def is_test(self):
        """Whether it is a test in C++."""
        return self.name.endswith("_test.cc")

    @property
    def is_for_tests(self):
        """Whether it is a test in C++, or what tests alone use."""
        return self.is_test or "testing" in self.folders or self.name.endswith("/testing.h")


def line_of(text, match):
    """The number of the line on which a match begins."""
    return text.count("\n", 0, match.start()) + 1


def files(repository, folder="", suffixes=None):
    """The files below a folder in the order of their paths, or those with one of the suffixes."""
    found = []
    for parent, folders, names in os.walk(repository / folder):
        folders[:] = [name for name in folders if name not in SKIPPED]
        found += [pathlib.Path(parent, name) for name in names if suffixes is None or name.endswith(suffixes)]
    return [File(repository, path) for path in sorted(found) if path.is_file()]


def repository_to_check():
    """The repository that the command line names, or the one that this folder is in."""
    return pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)


def run(check):
    """Runs a check from the command line, where `check(repository)` returns findings; returns the exit code."""
    findings = check(repository_to_check())
    for finding in findings:
        print(finding)
    return 1 if findings else 0
