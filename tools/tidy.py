#!/usr/bin/env python3
"""Runs clang-tidy over C++ files, leaving out those that it was content with and that have not changed.

A file counts as changed when its own text, that of any header of ours that it includes, or the settings
of clang-tidy differ from when it last passed. Which headers those are is known to ninja once the build
directory is built; a file that it knows nothing about is checked every time.

Most of the time goes into headers, so files that are compiled with the same flags are looked at a few at
a time, as one file. Where that finds anything, or they do not compile together, each is
looked at by itself, and that is what counts. In tests and benchmarks no paths are followed (the analyzer's checks,
two thirds of the time): what they do wrong shows when they run.

Usage: tidy.py BUILD_DIRECTORY JOBS < FILES
"""

import concurrent.futures
import dataclasses
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import time

TIDY = "clang-tidy-14"
STAMPS = pathlib.Path("build/stamps/tidy")
BATCH_FILES_MAX = 12
PROGRESS_SECONDS = 30
# Headers that GCC has precompiled, which clang takes for its own and cannot read.
PRECOMPILED = re.compile(r" -Winvalid-pch -include \S+")


@dataclasses.dataclass
class Source:
    """A file to look at, and what to remember when clang-tidy is content with it."""
    name: str
    stamp: pathlib.Path
    key: str | None

    @property
    def options(self):
        tests = self.name.startswith(("tests/", "bench/")) or self.name.endswith("_test.cc") or "/testing/" in self.name
        return ("--checks=-clang-analyzer-*",) if tests else ()

    def remember(self):
        if self.key is not None:
            self.stamp.write_text(self.key)


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


def flags_of(entry):
    """How a file is compiled, but for its own name and that of its object."""
    words, kept = shlex.split(entry["command"]), []
    while words:
        word = words.pop(0)
        if word in ("-o", "-c"):
            words.pop(0)
        else:
            kept.append(word)
    return tuple(kept)


def batches_of(sources, commands, root):
    """The sources in groups of one folder that are compiled alike; one that nothing compiles is a group of its own."""
    flags = {str(pathlib.Path(entry["file"]).resolve()): flags_of(entry) for entry in commands}
    alike = {}
    for source in sources:
        path = (root / source.name).resolve()
        alike.setdefault((path.parent, source.options, flags.get(str(path), source.name)), []).append(source)
    return [group[first:first + BATCH_FILES_MAX] for group in alike.values()
            for first in range(0, len(group), BATCH_FILES_MAX)]


def tidy(source, *options):
    """What clang-tidy says; nothing when it is content."""
    run = subprocess.run([TIDY, "--quiet", *options, source], capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return ""
    return run.stdout or run.stderr


class Tidy:
    """A run over many files; threads share it."""

    def __init__(self, root, commands):
        self.root = root
        self.commands = {str(pathlib.Path(entry["file"]).resolve()): entry for entry in commands}

    def together(self, batch):
        """Whether clang-tidy is content with the files as one."""
        names = [str((self.root / source.name).resolve()) for source in batch]
        if any(name not in self.commands for name in names):
            return False
        folder = STAMPS / "batches" / batch[0].stamp.name
        folder.mkdir(parents=True, exist_ok=True)
        whole = (folder / "batch.cc").resolve()
        # By their text, not by #include: in headers the analyzer follows no paths.
        whole.write_text("\n".join(pathlib.Path(name).read_text() for name in names))
        command = shlex.join([*flags_of(self.commands[names[0]]), "-c", str(whole)])
        entry = {"directory": self.commands[names[0]]["directory"], "file": str(whole), "command": command}
        (folder / "compile_commands.json").write_text(json.dumps([entry]))
        return not tidy(str(whole), "-p", str(folder), f"--config-file={self.root / '.clang-tidy'}", *batch[0].options)

    def look(self, batch):
        """The complaints about a batch, and the files that there are none about."""
        if len(batch) > 1 and self.together(batch):
            return [], batch
        said = [(source, tidy(source.name, "-p", str(STAMPS), *source.options)) for source in batch]
        return [text for _, text in said if text], [source for source, text in said if not text]


def sources_to_look_at(names, root, build):
    headers = headers_by_object(str(build))
    # The first file of an object is the one that was compiled.
    by_source = {str((build / files[0]).resolve()): files for files in headers.values() if files}
    for name in names:
        files = by_source.get(str(root / name))
        source = Source(name, STAMPS / name.replace("/", "+"),
                        None if files is None else key_of(name, files, root, build))
        if source.key is None or not source.stamp.exists() or source.stamp.read_text() != source.key:
            yield source


class Progress:
    """Says now and then how far it is."""

    def __init__(self, total):
        self.total, self.finished = total, 0
        self.began = self.shown = time.monotonic()
        self.lock = threading.Lock()

    def add(self, count):
        with self.lock:
            self.finished += count
            now = time.monotonic()
            if now - self.shown >= PROGRESS_SECONDS:
                self.shown = now
                left = (now - self.began) * (self.total - self.finished) / self.finished
                print(f"   {self.finished} of {self.total}, about {left / 60:.0f} min left", file=sys.stderr, flush=True)


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    root = pathlib.Path.cwd()
    names = sys.stdin.read().split()
    STAMPS.mkdir(parents=True, exist_ok=True)
    commands_text = PRECOMPILED.sub("", (build / "compile_commands.json").read_text())
    (STAMPS / "compile_commands.json").write_text(commands_text)
    commands = json.loads(commands_text)
    sources = list(sources_to_look_at(names, root, build))
    print(f"   {len(sources)} of {len(names)} files to look at", file=sys.stderr)
    run, progress, bad = Tidy(root, commands), Progress(len(sources)), 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        looks = {pool.submit(run.look, batch): batch for batch in batches_of(sources, commands, root)}
        for done in concurrent.futures.as_completed(looks):
            complaints, content = done.result()
            for text in complaints:
                bad += 1
                print(text, flush=True)
            for source in content:
                source.remember()
            progress.add(len(looks[done]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
