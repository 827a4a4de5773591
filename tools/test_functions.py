"""The functions of test files, in Python, C++ (GoogleTest) and JavaScript: their names, and what their bodies do."""

import ast
import re
from typing import NamedTuple

import source_tree

# Where tests are, and how the names of their files end.
FOLDERS = ("tests", "src", "web")
SUFFIXES = ("_test.py", "_test.cc", ".test.mjs", ".test.ts")

GTEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*\w+\s*,\s*(\w+)\s*\)(.*?)^}", re.MULTILINE | re.DOTALL)
GTEST_ASSERTION = re.compile(r"\b(?:EXPECT|ASSERT)_[A-Z]\w*\(")
SCRIPT_TEST = re.compile(r"^[ \t]*(?:await\s+)?(?:test|it)((?:\.\w+)*)\(\s*(['\"`])(.+?)\2", re.MULTILINE)
SCRIPT_ASSERTION = re.compile(r"\bassert(?:\.\w+)*\(|\bexpect(?:\.\w+)*\(")
SCRIPT_COMMENT = re.compile(r"(?<!:)//[^\n]*")


class TestFunction(NamedTuple):
    name: str
    asserts: bool  # Whether its own body compares anything with what is expected.
    runs: bool  # Whether whoever runs the file runs it.


def test_files(repository):
    return [file for folder in FOLDERS for file in source_tree.files(repository, folder, SUFFIXES)]


def functions_of(file):
    """All test functions of a file, in their order."""
    if file.name.endswith(".py"):
        return list(_python_functions(ast.parse(file.text)))
    if file.name.endswith(".cc"):
        return [TestFunction(name, bool(GTEST_ASSERTION.search(body)), not name.startswith("DISABLED_"))
                for name, body in GTEST.findall(file.code)]
    return list(_script_functions(SCRIPT_COMMENT.sub("", file.text)))


def _python_functions(module):
    """Methods of classes, which unittest runs; and functions of the module, which run when the module calls them."""
    called = {node.func.id for node in ast.walk(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield TestFunction(node.name, _asserts(node), node.name in called and not _is_skipped(node))
        if isinstance(node, ast.ClassDef):
            methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")]
            last = {method.name: method for method in methods}
            for method in methods:
                hidden = last[method.name] is not method  # A later one of the same name takes its place.
                yield TestFunction(method.name, _asserts(method),
                                   not hidden and not _is_skipped(method) and not _is_skipped(node))


def _asserts(function):
    """Whether there is an assertion about anything that is not a constant."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant):
            return True
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name.startswith("assert") and not all(isinstance(each, ast.Constant) for each in node.args):
                return True
    return False


def _is_skipped(node):
    """Whether it is left out always, not by a condition."""
    return any(re.search(r"\b(skip|expectedFailure)\b", ast.unparse(each)) for each in node.decorator_list)


def _script_functions(text):
    """The body of a test ends where the next one begins."""
    found = list(SCRIPT_TEST.finditer(text))
    ends = [each.start() for each in found[1:]] + [len(text)]
    for match, end in zip(found, ends):
        yield TestFunction(match[3], bool(SCRIPT_ASSERTION.search(text, match.end(), end)),
                           not re.search(r"skip|todo", match[1]))
