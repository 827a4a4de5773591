#!/usr/bin/env python3
"""Runs clang-tidy over C++ files, leaving out those that it was content with and that have not changed.

A file counts as changed when its own text, that of any header of ours that it includes, or the settings
of clang-tidy differ from when it last passed. Which headers those are is known to ninja once the build
directory is built; a file that it knows nothing about is checked every time.

Usage: tidy.py BUILD_DIRECTORY JOBS < FILES
"""

import concurrent.futures
import hashlib
import pathlib
import re
import subprocess
import sys

TIDY = "clang-tidy-14"
STAMPS = pathlib.Path("build/stamps/tidy")
# Headers that GCC has precompiled, which clang takes for its own and cannot read.
PRECOMPILED = re.compile(r" -Winvalid-pch -include \S+")


def headers_by_object(build):
    """What each object was last compiled from, as ninja recorded it: a line per object, then its files."""
    told = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=False).stdout
    found, current = {}, None
    for line in told.splitlines():
        if line.startswith("    "):
            current.append(line.strip())
        elif line:
            current = found.setdefault(line.split(":")[0], [])
    return found


def key_of(source, files, root, build):
    """A digest of everything of ours that a check of `source` depends on."""
    digest = hashlib.sha256((root / ".clang-tidy").read_bytes())
    for name in sorted({str((build / name).resolve()) for name in files} | {str((root / source).resolve())}):
        path = pathlib.Path(name)
        if path.is_relative_to(root) and path.is_file():
            digest.update(f"{path.relative_to(root)}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def check(source):
    """What clang-tidy says; nothing when it is content."""
    run = subprocess.run([TIDY, "--quiet", "-p", str(STAMPS), source], capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return ""
    return run.stdout or run.stderr


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    root = pathlib.Path.cwd()
    sources = sys.stdin.read().split()
    headers = headers_by_object(str(build))
    # The first file of an object is the one that was compiled.
    by_source = {str((build / files[0]).resolve()): files for files in headers.values() if files}
    STAMPS.mkdir(parents=True, exist_ok=True)
    commands = PRECOMPILED.sub("", (build / "compile_commands.json").read_text())
    (STAMPS / "compile_commands.json").write_text(commands)
    todo = []
    for source in sources:
        stamp = STAMPS / source.replace("/", "+")
        files = by_source.get(str(root / source))
        key = None if files is None else key_of(source, files, root, build)
        if key is None or not stamp.exists() or stamp.read_text() != key:
            todo.append((source, stamp, key))
    print(f"   {len(todo)} of {len(sources)} files to look at", file=sys.stderr)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        outcomes = {pool.submit(check, source): (source, stamp, key) for source, stamp, key in todo}
        for done in concurrent.futures.as_completed(outcomes):
            source, stamp, key = outcomes[done]
            complaint = done.result()
            if complaint:
                bad += 1
                print(complaint, flush=True)
            elif key is not None:
                stamp.write_text(key)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
