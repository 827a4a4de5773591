#!/usr/bin/env python3
"""Keeps the inputs that fuzzers found in one archive for each target: tests/fuzz/corpus/NAME.tar.xz.

Inputs with a name of their own are files in tests/fuzz/corpus/NAME/. Those that a fuzzer found are named by their
SHA-1, as libFuzzer names them, and lie in the archive; the build unpacks it beside the target. The same inputs make
the same archive, byte for byte.

Usage: fuzz_corpus.py add NAME FILE...    puts files into the archive of the target NAME
       fuzz_corpus.py remove NAME HASH... takes inputs out of it
       fuzz_corpus.py list [NAME]         counts the inputs of every target, or lists those of one
"""

import hashlib
import io
import pathlib
import sys
import tarfile

ROOT = pathlib.Path(__file__).parent.parent / "tests" / "fuzz"


def archive_of(root, name):
    return root / "corpus" / f"{name}.tar.xz"


def read(archive):
    """The inputs in an archive by their names; none when there is no archive."""
    if not archive.exists():
        return {}
    with tarfile.open(archive) as packed:
        return {member.name: packed.extractfile(member).read() for member in packed.getmembers()}


def write(archive, inputs):
    """Packs inputs in the order of their names, without times and owners."""
    if not inputs:
        archive.unlink(missing_ok=True)
        return
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "w:xz", preset=9, format=tarfile.USTAR_FORMAT) as packed:
        for name, data in sorted(inputs.items()):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            packed.addfile(member, io.BytesIO(data))


def add(root, name, files):
    """Returns how many of the files were new."""
    inputs = read(archive_of(root, name))
    before = len(inputs)
    for file in files:
        data = pathlib.Path(file).read_bytes()
        inputs[hashlib.sha1(data).hexdigest()] = data
    write(archive_of(root, name), inputs)
    return len(inputs) - before


def remove(root, name, hashes):
    inputs = read(archive_of(root, name))
    for digest in hashes:
        del inputs[digest]
    write(archive_of(root, name), inputs)


def targets(root):
    return sorted(path.name.removesuffix("_fuzz.cc") for path in root.glob("*_fuzz.cc"))


def count(root, name):
    """How many inputs are files, and how many are in the archive."""
    folder = root / "corpus" / name
    return (len(list(folder.iterdir())) if folder.is_dir() else 0, len(read(archive_of(root, name))))


def main(arguments, root=ROOT):
    command, name, rest = (*arguments[:2], *[None] * (2 - len(arguments)), arguments[2:])[:3]
    if name and name not in targets(root):
        print(f"there is no target {name}; there are {', '.join(targets(root))}", file=sys.stderr)
        return 2
    if command == "add" and rest:
        print(f"{add(root, name, rest)} new")
    elif command == "remove" and rest:
        remove(root, name, rest)
    elif command == "list" and name:
        print("\n".join(sorted(read(archive_of(root, name)))))
    elif command == "list":
        counts = {target: count(root, target) for target in targets(root)}
        for target, (files, packed) in counts.items():
            print(f"{target:12} {files:5} files {packed:5} in the archive")
        print(f"{'all':12} {sum(c[0] for c in counts.values()):5} files {sum(c[1] for c in counts.values()):5} "
              "in archives")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
