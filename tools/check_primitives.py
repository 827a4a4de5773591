#!/usr/bin/env python3
"""Fails when a primitive that the base rooms have is written again elsewhere under src/.

Each row of PRIMITIVES is a sign of the primitive, the files that may show it, and what to use instead. (Hashes,
HMAC and sealing are kept to src/crypto by tools/check_layering.py, which knows who may include OpenSSL.)

Usage: check_primitives.py [REPOSITORY]
"""

import re
import sys

import source_tree

PRIMITIVES = [
    (
        re.compile(r"\bfrom_chars\("),
        {
            "src/base/numbers.h",
            "src/cli/settings/config.cc",  # Decimals too.
            "src/contexts/common/item.cc",  # Decimals.
            "src/http/rest/media/ranges.cc",  # A number that is too large counts as the largest.
            "src/tables/engine/rows/expiry_index.cc",  # Stops at a decimal point.
        },
        "ParseInteger of base/numbers.h",
    ),
    (
        re.compile(r"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
        {
            "src/base/base64.cc",
            "src/access/keys/access_key.cc",  # The letters of a generated secret.
            "src/tables/wire/json/base64.cc",  # Says what is wrong in DynamoDB's words.
        },
        "base/base64.h",
    ),
    (
        re.compile(r"'%'[^\n]*(?:\n[^\n]*){0,12}(?:HexDigit|from_chars|ParseInteger<uint8_t>)|\bPercentDecoded?\(std::string_view text\)"),
        {"src/base/percent.h", "src/base/percent.cc"},
        "base/percent.h",
    ),
    (
        re.compile(r"[<>]=?\s*limits::kItemBytes\b|Item size [a-z ]*has exceeded"),
        {"src/tables/language/values/item_size.cc"},
        "CheckItemSize of tables/language/values/item_size.h",
    ),
]


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings = []
    for file in source_tree.files(repository, "src", source_tree.CPP):
        if file.is_test:
            continue
        name, text = file.name, file.text
        for sign, allowed, instead in PRIMITIVES:
            if name not in allowed and (match := sign.search(text)):
                findings.append(f"{name}:{source_tree.line_of(text, match)} writes again what {instead} has")
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
