#!/usr/bin/env python3
"""Fails when an #include goes against the architecture.

Seven rules. The second is for every .h and .cc under src/, tests/ and bench/, the others for those under
src/:
  1. A room includes only itself, the rooms its row in ROOMS names, and what those name in turn. No room
     comes back to itself that way. Tests may also include what the rooms around theirs may, and what
     all those have in testing/, where that is a room of its own.
  2. A third-party library is included only by the folders its row in LIBRARIES names.
  3. A .cc file includes only rooms that its CMake target reaches through DEPS.
  4. http/rest reads no table. It includes neither the Database nor a header of a context that includes it,
     there or in a context's header that it includes: records and reasons, but not the classes that own
     tables. Nor does it name those classes' objects, which flows and views are handed.
  5. cli runs no step of the product's work: it names no pipeline::Step. Rules of the product are in flows,
     and cli hands them what they need.
  6. Only DATABASE_FILE names a concrete database, beside the rooms that have one: everything else is given
     tables and does not know where they are.
  7. A flow takes the parts that it uses: in flows, only PRODUCT_FILES name Product, which has all of them.

Usage: check_layering.py [REPOSITORY]
"""

import re
import sys

import source_tree

# Each room, and the rooms it may include. The longest matching prefix of a path is its room.
ROOMS = {
    "base": [],
    "crypto": ["base"],
    "crypto/testing": ["crypto"],
    "metrics": ["base"],
    "contract": ["base"],
    "sigv4": ["crypto"],
    "net": ["base"],
    "blobs": ["crypto", "metrics"],
    "blobs/s3": ["blobs", "net", "sigv4"],
    "tables/language": ["base"],
    "tables/wire": ["tables/language", "sigv4"],
    "tables/engine/threads": ["base"],
    "tables/engine/encryption": ["crypto", "tables/language"],
    "tables/engine/storage": ["metrics", "tables/engine/encryption"],
    "tables/engine/changes": ["tables/engine/storage"],
    "tables/engine/registry": ["tables/engine/changes"],
    "tables/engine/rows": ["tables/engine/registry"],
    "tables/engine/commit": ["tables/engine/rows", "tables/engine/threads"],
    "tables/engine/items": ["tables/engine/commit"],
    "tables/engine/schema": ["tables/engine/commit"],
    "tables/engine/expiry": ["tables/engine/schema"],
    "tables/engine/streams": ["tables/engine/schema"],
    "tables/engine/recovery": ["tables/engine/schema"],
    "tables/engine": [
        "tables/engine/expiry", "tables/engine/items", "tables/engine/recovery", "tables/engine/streams",
    ],
    "tables/engine/testing": ["tables/engine"],
    "tables/remote": ["net", "tables/wire"],
    "tables/transfer": ["tables/wire"],
    "darkroom": ["metrics"],
    "darkroom/av": ["darkroom"],
    "darkroom/imaging": ["darkroom"],
    "darkroom/pages": ["darkroom"],
    "darkroom/vision": ["darkroom"],
    "models": ["crypto"],
    "json": ["base"],
    "words": ["json"],
    "oidc": ["crypto", "json", "net"],
    "oidc/testing": ["oidc", "crypto/testing"],
    "access": ["contract", "json", "metrics", "tables/wire"],
    "contexts/common": ["tables/wire", "contract"],
    "contexts/analysis": ["contexts/common"],
    "contexts/backlog": ["contexts/common"],
    "contexts/catalog": ["contexts/common"],
    "contexts/identity": ["contexts/common", "json"],
    "contexts/intake": ["contexts/common"],
    "contexts/jobs": ["contexts/common"],
    "contexts/people": ["contexts/common"],
    "contexts/system": ["contexts/common"],
    "flows": [
        "access", "blobs", "contexts/analysis", "contexts/backlog", "contexts/catalog", "contexts/identity",
        "contexts/intake", "contexts/jobs", "contexts/people", "contexts/system", "oidc",
    ],
    "imports": ["flows", "darkroom"],
    "views": [
        "access", "contexts/analysis", "contexts/catalog", "contexts/identity", "contexts/jobs",
        "contexts/people",
    ],
    "pipeline": ["flows", "darkroom", "json", "models", "words"],
    "delivery": ["blobs", "contract", "darkroom"],
    "http/server": ["metrics"],
    "http/server/testing": ["http/server"],
    "http/monitoring": ["http/server", "crypto"],
    "http/dynamodb": ["access", "http/server", "tables/wire"],
    "http/rest/protocol": ["http/server", "contexts/common", "json"],
    "http/rest/api": ["contract", "http/rest/protocol", "pipeline", "delivery", "views"],
    "http/rest/media": ["http/rest/api"],
    "http/rest/uploads": ["http/rest/api"],
    "http/rest/handlers": ["http/rest/api"],
    "http/rest/page": ["http/server"],
    "http/rest": [
        "http/rest/handlers", "http/rest/media", "http/rest/page", "http/rest/uploads",
    ],
    "cli": [
        "blobs/s3", "http/dynamodb", "http/monitoring", "http/rest", "imports", "tables/engine",
        "tables/remote", "tables/transfer",
    ],
}

# Include prefixes of third-party libraries, and the folders that may name them.
LIBRARIES = {
    "rocksdb/": ["tables/engine"],
    "simdjson.h": ["json", "tables/wire", "tables/transfer", "cli", "tests"],
    "openssl/": [
        "contexts/identity", "crypto", "http/server", "tables/engine/encryption",
    ],
    "sodium.h": ["contexts/identity"],
    "boost/": ["http/server"],
    "libdeflate.h": ["http/dynamodb", "tables/remote"],
    "curl/": ["net"],
    "pugixml.hpp": ["blobs/s3"],
    "zlib.h": ["tables/transfer", "darkroom/imaging", "darkroom/pages", "tests"],
    "vips/": ["darkroom/imaging"],
    "webp/": ["darkroom/imaging", "darkroom/vision"],
    "exiv2/": ["darkroom/imaging"],
    "jpeglib.h": ["darkroom/imaging"],
    "jerror.h": ["darkroom/imaging"],
    "poppler": ["darkroom/pages"],
    "fontconfig/": ["darkroom/pages"],
    "ft2build.h": ["darkroom/pages"],
    "png.h": ["darkroom/pages"],
    "iconv.h": ["darkroom/pages"],
    "seccomp.h": ["darkroom/sandbox"],
    "libavcodec/": ["darkroom/av"],
    "libavfilter/": ["darkroom/av"],
    "libavformat/": ["darkroom/av"],
    "libavutil/": ["darkroom/av"],
    "libswresample/": ["darkroom/av"],
    "libswscale/": ["darkroom/av"],
    "CLI/": ["cli"],
    "toml++/": ["cli"],
}

# Who reads no table, the headers by which tables are read, and what the objects that read them are called.
READS_NO_TABLE = "http/rest"
TABLE_HEADERS = ["tables/language/await.h", "tables/language/blocking_database.h", "tables/language/database.h"]
TABLE_OBJECT = re.compile(
    r"\b(?:product|views)\.(?:accounts|analysis|backlog|catalog|database|intake|jobs|people|similarity)\b")

# What cli hands on without looking into it.
STEP = re.compile(r"\bpipeline::Step\b")

# The classes of databases, with the rooms that have them, and the one other file that may name them.
DATABASES = {"RocksDatabase": "tables/engine", "RemoteDatabase": "tables/remote"}
DATABASE_FILE = "cli/tables/open_tables.cc"

# Where flows may name Product: its own files, which the wiring includes.
PRODUCT = re.compile(r"\bProduct\b|flows/product\.h")
PRODUCT_FILES = ["src/flows/product.cc", "src/flows/product.h"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
TARGET = re.compile(r"\b(?:tintype_library|tintype_test|add_executable|target_link_libraries)\s*\(([^)]*)\)")


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


def check_arrows(rooms):
    """The findings about rooms that name each other, directly or by way of others."""
    return [
        f"{room} and {other} may include each other"
        for room in rooms
        for other in rooms
        if room < other and other in closure(room, rooms) and room in closure(other, rooms)
    ]


def read_targets(src):
    """Maps target -> targets it links by name, target -> rooms of its sources, source file -> targets."""
    deps, rooms_of, targets_of = {}, {}, {}
    for listing in source_tree.files(src, suffixes="CMakeLists.txt"):
        text = re.sub(r"#.*", "", listing.text)
        for arguments in TARGET.findall(text):
            name, *words = arguments.split()
            deps.setdefault(name, []).extend(word for word in words if not word.endswith(".cc"))
            for word in words:
                if word.endswith(".cc"):
                    source = (listing.path.parent / word).resolve()
                    targets_of.setdefault(source, []).append(name)
                    rooms_of.setdefault(name, set()).add(room_of(source.relative_to(src).as_posix()))
    return deps, rooms_of, targets_of


def check_libraries(name, text):
    """The findings about third-party libraries in a file of that name and text."""
    folder = name.removeprefix("src/")
    return [
        f"{name} includes <{header}>, which only {' and '.join(owners)} may do"
        for _, header in INCLUDE.findall(text)
        for prefix, owners in LIBRARIES.items()
        if header.startswith(prefix) and not any(folder.startswith(owner + "/") for owner in owners)
    ]


def check_databases(repository):
    """The findings about files that know which database it is."""
    findings = []
    for file in source_tree.files(repository / "src", suffixes=source_tree.CPP):
        name, code = file.name, file.code
        for database, room in DATABASES.items():
            if name != DATABASE_FILE and not name.startswith(room + "/") and re.search(rf"\b{database}\b", code):
                findings.append(f"src/{name} names {database}, which only src/{DATABASE_FILE} may do")
    return findings


def check_rooms(repository):
    """The findings about what the rooms include of each other."""
    src = (repository / "src").resolve()
    deps, rooms_of, targets_of = read_targets(src)
    findings = []
    for file in source_tree.files(src, suffixes=source_tree.CPP):
        name, room = file.name, room_of(file.name)
        if room is None:
            findings.append(f"src/{name} is in no room of tools/check_layering.py")
            continue
        may_include = closure(room, ROOMS)
        if file.is_test:
            around = [other for other in ROOMS if room.startswith(other + "/")]
            may_include = may_include.union(*(closure(other, ROOMS) for other in around))
            may_include |= {other + "/testing" for other in may_include}
        linked = [
            {room}.union(*(rooms_of.get(dep, set()) for dep in closure(target, deps)))
            for target in targets_of.get(file.path, [])
        ]
        for bracket, header in INCLUDE.findall(file.text):
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


def reads_tables(src, header):
    """Whether a header is one by which tables are read, itself or by the contexts' headers that it includes."""
    if header in TABLE_HEADERS:
        return True
    path = src / header
    if not header.startswith("contexts/") or not path.exists():
        return False
    return any(reads_tables(src, other) for _, other in INCLUDE.findall(path.read_text()))


def check_readers(repository):
    """The findings about tables that are read where they should not be."""
    src = repository / "src"
    findings = []
    for file in source_tree.files(repository, f"src/{READS_NO_TABLE}", source_tree.CPP):
        name, text = file.name, file.text
        findings += [f"{name} includes \"{header}\", by which tables are read: that is for views and flows"
                     for _, header in INCLUDE.findall(text) if reads_tables(src, header)]
        findings += [f"{name} reads a table by {found}: that is for views and flows"
                     for found in TABLE_OBJECT.findall(text)]
    return findings


def check_wiring(repository):
    """The findings about rules of the product where it is only wired."""
    return [f"{file.name} names pipeline::Step: a rule of the product is not for cli"
            for file in source_tree.files(repository, "src/cli", source_tree.CPP) if STEP.search(file.text)]


def check_flows(repository):
    """The findings about flows that are handed all parts of the product."""
    return [f"{file.name} names Product: a flow takes the parts that it uses (flows/parts.h)"
            for file in source_tree.files(repository, "src/flows", source_tree.CPP)
            if file.name not in PRODUCT_FILES and PRODUCT.search(file.code)]


def check(repository):
    """Returns a list of findings, one sentence each."""
    findings = check_arrows(ROOMS) + check_rooms(repository)
    findings += check_readers(repository) + check_wiring(repository) + check_databases(repository) + check_flows(repository)
    for folder in ["src", "tests", "bench"]:
        for file in source_tree.files(repository, folder, source_tree.CPP):
            findings += check_libraries(file.name, file.text)
    return findings


if __name__ == "__main__":
    sys.exit(source_tree.run(check))
