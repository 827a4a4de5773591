"""Compares what goes over the wire with the API's contract, src/contract/openapi.json.

Every answer is compared: status, content type, headers and body, those of errors too. A request is compared when it was
answered with success, since a test that means to be wrong expects to be refused.

As a program it reads exchanges, one JSON object a line, as tests/e2e/support/contract.mjs writes them, and fails when
one does not fit.
"""

import base64
import email.parser
import email.policy
import functools
import json
import re
import sys
import threading
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path

import jsonschema

FILE = Path(__file__).parent.parent.parent / "src/contract/openapi.json"

# What the HTTP server refuses before it knows for which operation a request is, so that no operation documents it.
BEFORE_ROUTING = {403: {"ForeignOrigin"}, 408: {"InvalidRequest"}, 413: {"TooLarge"}, 417: {"InvalidRequest"},
                  421: {"UnknownHost"}, 431: {"InvalidRequest"}}
# The same where there is no operation. Each operation documents these statuses.
WITHOUT_OPERATION = {**BEFORE_ROUTING, 400: {"InvalidRequest"}, 503: {"Overloaded", "Unavailable"}}
# Those of them that only a request with a certain header is answered.
NEEDS_HEADER = {403: "origin", 417: "expect"}

DATE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z")
FORMATS = jsonschema.FormatChecker(formats=())
FORMATS.checks("date-time")(lambda text: not isinstance(text, str) or DATE_TIME.fullmatch(text) is not None)


class Drift(AssertionError):
    """The server, or a test's request, does what the contract does not say."""


@dataclass
class Exchange:
    """One request and its answer. Header names are in lower case; a request's body that is not known is None."""
    method: str
    target: str
    status: int
    request_headers: dict = field(default_factory=dict)
    request_body: bytes | None = b""
    headers: dict = field(default_factory=dict)
    body: bytes = b""

    def __str__(self):
        return f"{self.method} {self.target}: {self.status} {self.body[:600]!r}"


def lower_names(headers):
    return {name.lower(): value for name, value in headers.items()}


def media_type(headers):
    return headers.get("content-type", "").partition(";")[0].strip().lower()


class Contract:
    """Thread-safe."""

    def __init__(self, document):
        self._document = document
        self._lock = threading.Lock()
        self._resolver = jsonschema.RefResolver("", document)
        # Those with fewer variable parts first, so that /uploads/direct is not an upload of that id.
        self._templates = sorted(((template.strip("/").split("/"), item) for template, item in document["paths"].items()),
                                 key=lambda each: sum(part.startswith("{") for part in each[0]))

    def check(self, exchange):
        """Raises Drift unless the exchange is one that the contract has."""
        path, _, query = exchange.target.partition("?")
        item = self._find(path)
        method = exchange.request_headers.get("x-http-method-override", exchange.method).lower()
        operation = (item or {}).get(method) or ((item or {}).get("get") if method == "head" else None)
        if operation is None:
            more = {404: {"NotFound"}} if item is None else {405: {"MethodNotAllowed"}}
            return self._check_problem(exchange, {**WITHOUT_OPERATION, **more})
        self._check_answer(exchange, operation)
        if exchange.status < 300:
            self._check_request(exchange, operation, query)

    def check_media(self, exchange):
        """A signed link is no operation: only the problems that it answers are the contract's."""
        if exchange.status >= 400 and exchange.method != "HEAD":
            self._expect_valid({"$ref": "#/components/schemas/Problem"}, self._json(exchange, exchange.body), exchange, "body")

    def _find(self, path):
        parts = [urllib.parse.unquote(part) for part in path.split("/") if part]
        for template, item in self._templates:
            if len(template) == len(parts) and all(a == b or a.startswith("{") for a, b in zip(template, parts)):
                return item
        return None

    def _resolve(self, value):
        while "$ref" in value:
            here = self._document
            for name in value["$ref"].removeprefix("#/").split("/"):
                here = here[name]
            value = here
        return value

    def _check_problem(self, exchange, known):
        """What no operation answers: the codes that each status may have."""
        codes = known.get(exchange.status)
        if codes is None or NEEDS_HEADER.get(exchange.status, "") not in {"", *exchange.request_headers}:
            raise Drift(f"not in the contract: {exchange}")
        if exchange.method == "HEAD":
            return
        problem = self._json(exchange, exchange.body)
        self._expect_valid({"$ref": "#/components/schemas/Problem"}, problem, exchange, "body")
        if problem["code"] not in codes or media_type(exchange.headers) != "application/problem+json":
            raise Drift(f"none of {sorted(codes)}: {exchange}")

    def _check_answer(self, exchange, operation):
        response = operation["responses"].get(str(exchange.status))
        # Pages of elsewhere are refused with a status that operations have for other reasons.
        if response is None or (exchange.status == 403 and b'"code":"ForeignOrigin"' in exchange.body.replace(b" ", b"")):
            refused = {status: codes for status, codes in BEFORE_ROUTING.items()
                       # An operation that takes a body documents that it may be too large.
                       if status != 413 or "requestBody" not in operation}
            if exchange.status in refused:
                return self._check_problem(exchange, refused)
        if response is None:
            raise Drift(f"{operation['operationId']} does not answer {exchange.status}: {exchange}")
        response = self._resolve(response)
        for name, header in response.get("headers", {}).items():
            self._check_text(self._resolve(header), exchange.headers.get(name.lower()), exchange, f"answer's header {name}")
        if exchange.method == "HEAD":
            return
        content = response.get("content", {})
        if not content:
            if exchange.body:
                raise Drift(f"an answer that should have no body: {exchange}")
            return
        media = content.get(media_type(exchange.headers))
        if media is None:
            raise Drift(f"of the type {media_type(exchange.headers)!r}, not {sorted(content)}: {exchange}")
        if self._resolve(media["schema"]).get("format") == "binary":
            return
        is_json = media_type(exchange.headers).endswith("json")
        body = self._json(exchange, exchange.body) if is_json else exchange.body.decode("utf-8")
        self._expect_valid(media["schema"], body, exchange, "body")

    def _check_request(self, exchange, operation, query):
        parameters = [self._resolve(parameter) for parameter in operation.get("parameters", [])]
        given = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        for parameter in parameters:
            if parameter["in"] == "query":
                self._check_text(parameter, given.pop(parameter["name"], None), exchange, f"parameter {parameter['name']}")
            elif parameter["in"] == "header":
                self._check_text(parameter, exchange.request_headers.get(parameter["name"].lower()), exchange,
                                 f"header {parameter['name']}")
        if given:
            raise Drift(f"unknown parameters {sorted(given)} were taken: {exchange}")
        if exchange.request_body is not None:
            self._check_request_body(exchange, operation)

    def _check_request_body(self, exchange, operation):
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            body = self._json(exchange, exchange.request_body)
            self._expect_valid(content["application/json"]["schema"], body, exchange, "request's body")
        elif media_type(exchange.request_headers) == "multipart/form-data":
            known = self._resolve(content["multipart/form-data"]["schema"])["properties"]
            unknown = form_names(exchange) - set(known)
            if unknown:
                raise Drift(f"unknown parts {sorted(unknown)} were taken: {exchange}")
        elif not content and exchange.request_body not in (b"", b"{}"):
            raise Drift(f"a body was taken where there is none: {exchange.request_body[:200]!r} {exchange}")

    def _check_text(self, described, text, exchange, what):
        """Compares a header or a parameter, which are texts, with its schema."""
        if text is None:
            if described.get("required"):
                raise Drift(f"{what} is missing: {exchange}")
            return
        kind = self._resolve(described["schema"]).get("type")
        try:
            value = json.loads(text) if kind in ("integer", "number", "boolean") else text
        except ValueError:
            value = text
        self._expect_valid(described["schema"], value, exchange, what)

    def _expect_valid(self, schema, value, exchange, what):
        with self._lock:  # The resolver remembers where it is.
            validator = jsonschema.Draft202012Validator(schema, resolver=self._resolver, format_checker=FORMATS)
            errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(value)]
        if errors:
            raise Drift(f"{what} does not fit: {'; '.join(errors)[:1000]}\n{exchange}")

    def _json(self, exchange, body):
        try:
            return json.loads(body)
        except ValueError as error:
            raise Drift(f"no JSON ({error}): {exchange}") from None


def form_names(exchange):
    head = f"Content-Type: {exchange.request_headers['content-type']}\r\n\r\n".encode()
    form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + exchange.request_body)
    return {part.get_param("name", header="content-disposition") for part in form.iter_parts()}


@functools.cache
def contract():
    return Contract(json.loads(FILE.read_text(encoding="utf-8")))


# What was found, for tests whose threads lose the exception.
_found = []


def check(exchange):
    """Compares one exchange with a gallery's HTTP address. Raises Drift; expect_no_drift() raises it again."""
    path = exchange.target.partition("?")[0]
    try:
        if path.startswith(("/api/", "/.well-known/")):
            contract().check(exchange)
        elif path.startswith("/media/"):
            contract().check_media(exchange)
    except Drift as drift:
        _found.append(drift)
        raise


def expect_no_drift():
    if _found:
        found = list(_found)
        _found.clear()
        raise found[0]


def main():
    count, findings = 0, []
    for line in sys.stdin:
        record = json.loads(line)
        for name in ("request_body", "body"):
            record[name] = None if record[name] is None else base64.b64decode(record[name])
        try:
            check(Exchange(**record))
            count += 1
        except Drift as drift:
            findings.append(str(drift))
    print("\n".join(findings) or f"{count} exchanges are as the contract says")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
