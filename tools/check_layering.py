#!/usr/bin/env python3
"""Fails when an #include goes against the architecture.

Three rules, over every .h and .cc under src/:
  1. A room includes only itself, the rooms its row in ROOMS names, and what those name in turn.
  2. A third-party library is included only by the rooms its row in LIBRARIES names.
  3. A .cc file includes only rooms that its CMake target reaches through DEPS.

Usage: check_layering.py [REPOSITORY]
"""

import pathlib
import re
import sys

# Each room, and the rooms it may include. The longest matching prefix of a path is its room.
ROOMS = {
    "base": [],
    "tables/language": ["base"],
    "tables/wire": ["tables/language"],
    "tables/engine": ["tables/language"],
    "tables/remote": ["tables/language", "tables/wire"],
    "blobs": ["base", "tables/wire"],
    "darkroom": ["base"],
    "contexts/intake": ["tables/language", "blobs"],
    "contexts/catalog": ["tables/language", "blobs"],
    "contexts/people": ["tables/language", "blobs"],
    "contexts/analysis": ["tables/language", "blobs"],
    "contexts/jobs": ["tables/language", "blobs"],
    "contexts/identity": ["tables/language", "blobs"],
    "contexts/backlog": ["tables/language", "blobs"],
    "search": ["tables/language"],
    "flows": [
        "contexts/intake", "contexts/catalog", "contexts/people", "contexts/analysis",
        "contexts/jobs", "contexts/identity", "contexts/backlog", "search", "blobs",
    ],
    "pipeline": ["flows", "darkroom"],
    "http": ["flows", "pipeline", "tables/wire"],
    "cli": ["http", "tables/engine", "tables/remote"],
}

# Include prefixes of heavy or dangerous libraries, and the folders that may name them.
LIBRARIES = {
    "rocksdb/": ["tables/engine"],
    "boost/": ["http"],
    "simdjson": ["tables/wire", "http"],
    "CLI/": ["cli"],
    "toml++/": ["cli"],
    "vips/": ["darkroom/imaging"],
    "opencv2/": ["darkroom/vision"],
    "libav": ["darkroom/av"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
TARGET = re.compile(r"\b(tintype_library|tintype_test|add_executable|target_link_libraries)\s*\(([^)]*)\)")


def room_of(path):
    """The room that a path below src/ belongs to, or None."""
    rooms = [room for room in ROOMS if path == room or path.startswith(room + "/")]
    return max(rooms, key=len) if rooms else None


def closure(start, edges):
    """Everything reachable from `start`, itself included."""
    seen, todo = set(), [start]
    while todo:
        here = todo.pop()
        if here not in seen:
            seen.add(here)
            todo.extend(edges.get(here, []))
    return seen


def read_targets(src):
    """Maps target -> rooms it links by name, target -> folder, and source file -> targets."""
    deps, folder_of, targets_of = {}, {}, {}
    for listing in sorted(src.rglob("CMakeLists.txt")):
        text = re.sub(r"#.*", "", listing.read_text())
        for kind, arguments in TARGET.findall(text):
            name, *words = arguments.split()
            folder = listing.parent.relative_to(src).as_posix()
            deps.setdefault(name, []).extend(word for word in words if not word.endswith(".cc"))
            if kind == "tintype_library":
                folder_of[name] = folder
            for word in words:
                if word.endswith(".cc"):
                    source = (listing.parent / word).resolve()
                    targets_of.setdefault(source, []).append(name)
    return deps, folder_of, targets_of


def check(repository):
    """Returns a list of findings, one sentence each."""
    src = (repository / "src").resolve()
    deps, folder_of, targets_of = read_targets(src)
    findings = []
    for path in sorted([*src.rglob("*.h"), *src.rglob("*.cc")]):
        name = path.relative_to(src).as_posix()
        room = room_of(name)
        if room is None:
            findings.append(f"src/{name} is in no room of tools/check_layering.py")
            continue
        may_include = closure(room, ROOMS)
        linked = [
            {room} | {room_of(folder_of[dep]) for dep in closure(target, deps) if dep in folder_of}
            for target in targets_of.get(path, [])
        ]
        for bracket, header in INCLUDE.findall(path.read_text()):
            for prefix, owners in LIBRARIES.items():
                if header.startswith(prefix) and not any(name.startswith(o + "/") for o in owners):
                    findings.append(
                        f"src/{name} includes <{header}>, which only {' and '.join(owners)} may do"
                    )
            other = room_of(header) if bracket == '"' else None
            if other is None:
                continue
            if other not in may_include:
                findings.append(f"src/{name} includes \"{header}\", but {room} may not use {other}")
            elif not all(other in rooms for rooms in linked):
                findings.append(
                    f"src/{name} includes \"{header}\", but its CMake target has no path to {other} in DEPS"
                )
    return findings


def main():
    repository = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    findings = check(repository)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
