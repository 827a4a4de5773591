#!/usr/bin/env python3
"""Checks the prose of the repository: lines of at most 120 columns, none of the phrases that we have banned, and in
Markdown no sentence whose subject is a clause ("What has ended stops").

Looks at Markdown, and at the comments of C++, Python and shell. In Markdown, tables, code blocks and the targets of
links may be longer. Other people's documents are left alone.
"""

import ast
import io
import re
import sys
import tokenize

import source_tree

COLUMNS = 120

# Folders that are not ours.
SKIPPED = {"documents", "known_failures"}

SUFFIXES = (".md", ".h", ".cc", ".py", ".sh")
SCRIPTS = ("dev", "run")

# What read like a translation or a riddle, and what to write instead. Regular expressions, without regard to case.
BANNED = [
    (r"\bit is told and left out\b", "say what happens: 'log it and go on'"),
    (r"\bnewest last id first\b", "say 'newest first'"),
    (r"\bso it is for the next\b", "say the effect of each"),
    (r"\bleaves? nothing to chance\b", "say 'deterministic'"),
    (r"\btintype jobs\b", "the command is 'tintype work'; jobs are edits"),
    (r"\bof (hers|his)\b", "say whose it is"),
    (r"\bhow it goes on\b", "say 'its progress'"),
    (r"\bbe had\b", "say 'be available'"),
    (r"\bgoes well\b", "say 'succeeds'"),
    (r"\bis no use\b", "say 'is useless' or 'cannot succeed'"),
    (r"\bthat much is promised\b", "say what is guaranteed"),
    (r"\bin the size of the moment\b", "say 'in any size'"),
    (r"\bpictures? of the moment\b", "say 'resized pictures'"),
]
BANNED = [(re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in BANNED]

# A sentence of Markdown that has a clause for its subject, "What has ended stops", down to its end.
SUBJECT_CLAUSE = re.compile(r"""(?:^|(?<=[.!?])[)"'*_`]*\s)[>\s("'*_]*
                                ((?:What|Whoever)\s.*?(?:[.!?](?=[)"'*_`]*(?:\s|$))|$))""", re.DOTALL | re.VERBOSE)
LIST_MARK = re.compile(r"\s*([-*]|\d+\.)\s")

# The files in which the phrases themselves are listed.
ABOUT_PHRASES = {"tools/check_prose.py", "tools/checks_test.py"}

LINK_TARGET = re.compile(r"\]\([^)]*\)|<https?://[^>]*>|https?://\S+")
CPP_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<mark>[^( ]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)


def markdown_prose(text):
    """The lines that are prose or rows of tables, with their numbers: no code, links without their targets."""
    fenced = False
    after_blank, in_list = True, False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            # Four blanks make code, unless they continue a list.
            code = line.startswith("    ") and not in_list
            if not code and line.strip():
                yield number, LINK_TARGET.sub("]", line)
        if line.strip():
            if LIST_MARK.match(line):
                in_list = True
            elif after_blank and not line.startswith(" "):
                in_list = False
        after_blank = not line.strip()


def markdown_paragraphs(text):
    """The paragraphs and the items of lists, each with the number of its first line; no headings, no rows of tables."""
    paragraphs, last = [], -1
    for number, line in markdown_prose(text):
        if line.lstrip().startswith(("#", "|")):
            continue
        mark = LIST_MARK.match(line)
        if mark or number != last + 1:
            paragraphs.append([number, line[mark.end():] if mark else line])
        else:
            paragraphs[-1][1] += "\n" + line
        last = number
    return paragraphs


def subject_clauses(text):
    """The sentences of Markdown that open with 'Whoever', or with 'What' without being questions, with their lines."""
    for first, paragraph in markdown_paragraphs(text):
        for found in SUBJECT_CLAUSE.finditer(paragraph):
            if found[1].startswith("Whoever") or not found[1].endswith("?"):
                yield first + paragraph.count("\n", 0, found.start(1)), found[1]


def cpp_comments(text):
    """The lines of comments, with their numbers, as they stand in the file."""
    lines = text.split("\n")
    for token in CPP_TOKEN.finditer(text):
        if token["comment"]:
            first = text.count("\n", 0, token.start())
            for number in range(first, first + token["comment"].count("\n") + 1):
                yield number + 1, lines[number]


def python_comments(text):
    """The lines of comments and docstrings, with their numbers."""
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], lines[token.start[0] - 1]
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and body and isinstance(body[0], ast.Expr):
            text_node = body[0].value
            if isinstance(text_node, ast.Constant) and isinstance(text_node.value, str):
                for number in range(text_node.lineno, text_node.end_lineno + 1):
                    yield number, lines[number - 1]


def shell_comments(text):
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("#"):
            yield number, line


def prose_of(path, text):
    """The prose of a file with the numbers of its lines."""
    if path.suffix == ".md":
        return markdown_prose(text)
    if path.suffix in (".h", ".cc"):
        return cpp_comments(text)
    if path.suffix == ".py":
        return python_comments(text)
    return shell_comments(text)


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings = []
    for file in source_tree.files(repository):
        path, name = file.path, file.name
        if SKIPPED.intersection(file.folders) or path.is_symlink():
            continue
        if path.suffix not in SUFFIXES and path.name not in SCRIPTS:
            continue
        prose = prose_of(path, file.text)
        for number, line in sorted(set(prose)):
            if len(line) > COLUMNS and not (path.suffix == ".md" and line.lstrip().startswith("|")):
                findings.append(f"{name}:{number} has {len(line)} columns of prose, more than {COLUMNS}")
            if name not in ABOUT_PHRASES:
                findings += [f"{name}:{number} says '{found[0]}': {advice}"
                             for pattern, advice in BANNED if (found := pattern.search(line))]
        if path.suffix == ".md":
            findings += [f"{name}:{number} opens with '{' '.join(sentence.split()[:3])}': name the subject first"
                         for number, sentence in subject_clauses(file.text)]
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
