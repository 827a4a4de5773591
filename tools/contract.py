#!/usr/bin/env python3
"""Looks after the API's contract, src/contract/openapi.json: its layout, and its way into the program.

Usage: contract.py check          fails unless the file is laid out as `format` would do it
       contract.py format         lays the file out: one object a line as long as it fits
       contract.py embed OUTPUT   writes a C++ file with the document and with what the server decides by it
       contract.py limits OUTPUT  writes a C++ header with the limits of texts, lists and numbers

The contract is JSON, so that Python, C++ and JavaScript read it without a package.
"""

import json
import pathlib
import sys

import embed_page

FILE = pathlib.Path(__file__).parent.parent / "src/contract/openapi.json"
COLUMNS = 120
# Who may call an operation; contract.h explains each.
ACCESS = ("anyone", "session", "read", "upload", "edit", "delete", "administer")
METHODS = ("get", "put", "post", "delete", "options", "head", "patch")


def laid_out(value, indent=0, before=0):
    """The value as JSON text: on one line when it fits there and nests little, or else one member a line. `before` is
    how many columns its name takes."""
    one_line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value:
        return one_line
    if nesting(value) <= 3 and indent + before + len(one_line) < COLUMNS:
        return one_line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        members = []
        for name, member in value.items():
            start = f"{json.dumps(name, ensure_ascii=False)}: "
            members.append(inner + start + laid_out(member, indent + 2, len(start)))
        opening, closing = "{", "}"
    else:
        members = [inner + laid_out(member, indent + 2) for member in value]
        opening, closing = "[", "]"
    return opening + "\n" + ",\n".join(members) + "\n" + " " * indent + closing


def nesting(value):
    if isinstance(value, dict):
        return 1 + max(map(nesting, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(nesting, value), default=0)
    return 0


def file_text(document):
    return laid_out(document) + "\n"


class Contract:
    """The document, with its references resolved on demand."""

    def __init__(self, document):
        self.document = document

    def resolve(self, value):
        while "$ref" in value:
            here = self.document
            for name in value["$ref"].removeprefix("#/").split("/"):
                here = here[name]
            value = here
        return value

    def operations(self):
        """Each operation as (path, method, operation), in the order of the document."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item[method]

    def query(self, operation):
        """The names of the query parameters."""
        parameters = [self.resolve(parameter) for parameter in operation.get("parameters", [])]
        return [parameter["name"] for parameter in parameters if parameter["in"] == "query"]

    def content(self, operation, media_type):
        """The schema of a body of that type, or None."""
        body = self.resolve(operation.get("requestBody", {}))
        media = body.get("content", {}).get(media_type)
        return None if media is None else media["schema"]


class Fields:
    """Writes the C++ of rest::Fields, which says by which names a body's members go. Equal ones are written once."""

    def __init__(self, contract):
        self._contract = contract
        self.lines = []
        self._names = {}

    def of(self, schema):
        """The C++ expression of a pointer to the fields of a schema; nullptr where anything goes."""
        schema = self._contract.resolve(schema)
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices and "discriminator" in schema:
            by = schema["discriminator"]
            members = {value: {"$ref": target} for value, target in by["mapping"].items()}
            return self._write("kVariants", members, by["propertyName"])
        if choices and "properties" not in schema:
            others = [choice for choice in choices if choice != {"type": "null"}]
            return self.of(others[0]) if len(others) == 1 else "nullptr"
        if schema.get("type") == "array":
            return self._write("kList", {"": schema["items"]})
        if schema.get("type") == "object" and schema.get("additionalProperties") is False:
            return self._write("kObject", schema["properties"])
        return "nullptr"

    def _write(self, kind, members, discriminator=""):
        rows = "".join(f'{{{quoted(name)}, {self.of(member)}}}, ' for name, member in members.items())
        if kind == "kList" and rows == '{"", nullptr}, ':
            return "nullptr"
        key = (kind, rows, discriminator)
        if key not in self._names:
            number = len(self._names)
            self._names[key] = f"&kFields{number}"
            self.lines += [f"constexpr std::array<Fields::Member, {len(members)}> kMembers{number} = {{{{{rows}}}}};",
                           f"constexpr Fields kFields{number}{{Fields::Kind::{kind}, kMembers{number}, "
                           f"{quoted(discriminator)}}};"]
        return self._names[key]


def quoted(text):
    return json.dumps(text)


def access_of(operation):
    """The C++ constant of `x-access`. What the document tells clients in `security` has to agree with it."""
    access = operation["x-access"]
    if access not in ACCESS:
        raise SystemExit(f"{operation['operationId']}: x-access is one of {', '.join(ACCESS)}")
    if bool(operation["security"]) == (access == "anyone"):
        raise SystemExit(f"{operation['operationId']}: security says otherwise than x-access")
    return f"Access::k{access.capitalize()}"


def cplusplus(text):
    """The C++ file for a contract of that text."""
    contract = Contract(json.loads(text))
    fields = Fields(contract)
    queries, rows = [], []
    for path, method, operation in sorted(contract.operations(), key=lambda each: each[2]["operationId"]):
        names = contract.query(operation)
        queries.append(f"constexpr std::array<std::string_view, {len(names)}> kQuery{len(rows)} = "
                       f"{{{', '.join(map(quoted, names))}}};")
        json_fields, form = (fields.of(schema) if schema else "nullptr" for schema in (
            contract.content(operation, "application/json"), contract.content(operation, "multipart/form-data")))
        rows.append(f"    Operation{{{quoted(operation['operationId'])}, {quoted(method.upper())}, {quoted(path)}, "
                    f"{access_of(operation)}, {str('requestBody' in operation).lower()}, "
                    f"kQuery{len(rows)}, {json_fields}, {form}}},")
    return "\n".join([
        '#include "contract/contract.h"', "", "#include <array>", "",
        "namespace tintype::contract {", "namespace {", "",
        "constexpr char kDocument[] =", embed_page.literal(text.encode()) + ";", "",
        *fields.lines, "", *queries, "",
        f"constexpr std::array<Operation, {len(rows)}> kOperations = {{", *rows, "};", "",
        "}  // namespace", "",
        "std::string_view ContractText() { return std::string_view(kDocument, sizeof kDocument - 1); }",
        "std::span<const Operation> Operations() { return kOperations; }", "",
        "}  // namespace tintype::contract", ""])


def limits_header(text):
    """The C++ header with a constant for each schema of that contract that has a name and a limit."""
    lines = []
    for name, schema in json.loads(text)["components"]["schemas"].items():
        if "maxLength" in schema:
            lines.append(f"TextLimit k{name}{{{schema.get('minLength', 0)}, {schema['maxLength']}}};")
        elif "maxItems" in schema:
            lines.append(f"ListLimit k{name}{{{schema.get('minItems', 0)}, {schema['maxItems']}}};")
        elif "maximum" in schema:
            lines.append(f"NumberLimit k{name}{{{schema['minimum']}, {schema['maximum']}, {schema.get('default', 0)}}};")
    return "\n".join(["// Included by contract/limits.h.", "#pragma once", "", "namespace tintype::limits {", "",
                      *(f"inline constexpr {line}" for line in lines), "", "}  // namespace tintype::limits", ""])


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    text = FILE.read_text(encoding="utf-8")
    if command == "embed" and len(sys.argv) == 3:
        embed_page.write_if_changed(pathlib.Path(sys.argv[2]), cplusplus(text))
    elif command == "limits" and len(sys.argv) == 3:
        embed_page.write_if_changed(pathlib.Path(sys.argv[2]), limits_header(text))
    elif command == "format":
        FILE.write_text(file_text(json.loads(text)), encoding="utf-8")
    elif command == "check":
        if text != file_text(json.loads(text)):
            print(f"{FILE.name} is not laid out as it should be: run tools/contract.py format")
            return 1
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
