#!/usr/bin/env python3
"""Writes a C++ file that holds the built page, so that the server is one program.

Usage: embed_page.py FOLDER OUTPUT

FOLDER is web/dist; when it does not exist, the table is empty, and the server says that it has no page.
"""

import hashlib
import pathlib
import sys

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def literal(data):
    """The bytes as string literals. Octal escapes have a fixed length, so that no digit after one joins it."""
    lines = []
    for start in range(0, len(data), 64):
        piece = data[start:start + 64]
        text = "".join(
            chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in piece)
        lines.append(f'    "{text}"')
    return "\n".join(lines) or '    ""'


def write_if_changed(output, text):
    """Leaves the file alone when nothing changed, so that nothing is compiled again."""
    if not output.exists() or output.read_text() != text:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text)


def main():
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    parts = ['#include "cli/gallery/page_files.h"', "", "#include <array>", "#include <string_view>", "",
             "namespace tintype::cli {", "namespace {", ""]
    rows = []
    for number, path in enumerate(files):
        data = path.read_bytes()
        parts += [f"constexpr char kFile{number}[] =", literal(data) + ";", ""]
        name = "/" + path.relative_to(folder).as_posix()
        kind = TYPES.get(path.suffix, "application/octet-stream")
        etag = hashlib.sha256(data).hexdigest()[:32]
        rows.append(f'    http::rest::StaticFile{{"{name}", "{kind}", "\\"{etag}\\"",\n'
                    f"                           std::string_view(kFile{number}, sizeof kFile{number} - 1)}},")
    parts += [f"constexpr std::array<http::rest::StaticFile, {len(rows)}> kFiles = {{", *rows, "};", "",
              "}  // namespace", "",
              "std::span<const http::rest::StaticFile> PageFiles() { return kFiles; }", "",
              "}  // namespace tintype::cli", ""]
    write_if_changed(output, "\n".join(parts))


if __name__ == "__main__":
    main()
