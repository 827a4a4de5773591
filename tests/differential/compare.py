"""Sends one request to a server and brings its answer into a form that can be compared with another's."""

import decimal
import json

import signed_http

# Pages are followed at most so far; the tables are small enough never to need it.
PAGES_MAX = 400


class Server(signed_http.Connection):
    """A connection to one of the two."""

    def read(self, body):
        return json.loads(body)


class LocalServer(Server):
    """DynamoDB Local keeps some numbers in the form in which they were sent; DynamoDB has one form for all."""

    def read(self, body):
        return json.loads(body, object_hook=with_plain_numbers)


def with_plain_numbers(node):
    if len(node) == 1:
        (kind, content), = node.items()
        if kind == "N" and isinstance(content, str):
            return {kind: plain_number(content)}
        if kind == "NS" and isinstance(content, list):
            return {kind: [plain_number(number) for number in content]}
    return node


def plain_number(text):
    number = decimal.Decimal(text)
    if number == 0:
        return "0"
    digits = format(number, "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


class Answer:
    """What a server said to one operation, all pages of it."""

    def __init__(self, status, error, message, body):
        self.status = status
        self.error = error  # The exception's short name, or None.
        self.message = message
        self.body = body  # Canonical.

    def __eq__(self, other):
        return (self.status, self.error, self.message, self.body) == (other.status, other.error, other.message, other.body)

    def __str__(self):
        if self.error:
            return f"{self.status} {self.error}: {self.message} {json.dumps(self.body, ensure_ascii=False) if self.body else ''}"
        return json.dumps(self.body, ensure_ascii=False, sort_keys=True)


def ask(connection, operation, request):
    """The Answer of one server."""
    status, body = send(connection, operation, request)
    if status != 200:
        return failure(status, body)
    if operation not in ("Query", "Scan"):
        return Answer(status, None, None, canonical_body(operation, body))
    # Which segment has which items is each server's own business, so all of them are read.
    segments = [{**request, "Segment": segment} for segment in range(request["TotalSegments"])
                if segment != request["Segment"]] if "Segment" in request and "TotalSegments" in request else []
    pages = [body]
    while len(pages) < PAGES_MAX:
        if "LastEvaluatedKey" in pages[-1]:
            following = {**request, "ExclusiveStartKey": pages[-1]["LastEvaluatedKey"]}
        elif segments:
            following = request = segments.pop()
        else:
            break
        status, body = send(connection, operation, following)
        if status != 200:
            return failure(status, body)
        pages.append(body)
    return Answer(status, None, None, merged(operation, request, pages))


def send(connection, operation, request, api="DynamoDB_20120810"):
    body = json.dumps(request).encode()
    headers = connection.signer.headers(connection.host, f"{api}.{operation}", body)
    response = connection.post(headers, body)
    return response.status, connection.read(response.body)


def failure(status, body):
    error = body.pop("__type", "").rpartition("#")[2]
    message = body.pop("message", None)
    if message is None:
        message = body.pop("Message", None)
    return Answer(status, error, message, canonical(body))


def merged(operation, request, pages):
    """All pages as one answer. What depends on where pages end is kept only where that is promised."""
    items = [canonical(item) for page in pages for item in page.get("Items", [])]
    answer = {"Count": sum(page["Count"] for page in pages), "ScannedCount": sum(page["ScannedCount"] for page in pages),
              "has Items": "Items" in pages[0]}
    if operation == "Query" and "IndexName" not in request:
        # The order of one partition's items is promised, and so is where each page ends.
        answer["Items"] = items
        answer["LastEvaluatedKeys"] = [canonical(page.get("LastEvaluatedKey")) for page in pages]
        answer["ConsumedCapacity"] = [canonical(page.get("ConsumedCapacity")) for page in pages]
    else:
        # Partitions follow each other, and equal keys of an index too, in an order of each server's own.
        answer["Items"] = sorted(items, key=as_text)
        if "TotalSegments" not in request:
            answer["pages"] = [page["ScannedCount"] for page in pages]
            if len(pages) == 1:
                answer["ConsumedCapacity"] = canonical(pages[0].get("ConsumedCapacity"))
    return answer


def canonical_body(operation, body):
    body = canonical(body)
    if operation == "BatchGetItem":
        # Items come back in any order.
        for items in body.get("Responses", {}).values():
            items.sort(key=as_text)
    if isinstance(body.get("ConsumedCapacity"), list):
        body["ConsumedCapacity"].sort(key=as_text)
    return body


def canonical(node):
    """The same value with the members of sets in order."""
    if isinstance(node, dict):
        if len(node) == 1:
            (kind, content), = node.items()
            if kind in ("SS", "NS", "BS") and isinstance(content, list):
                return {kind: sorted(content)}
        return {name: canonical(child) for name, child in node.items()}
    if isinstance(node, list):
        return [canonical(child) for child in node]
    return node


def as_text(node):
    return json.dumps(node, sort_keys=True)


def name_of(key):
    """The same text for every form of a key, and for what DynamoDB Local takes for one: JSON numbers instead of
    texts, and a text without its type."""
    def plain(value):
        if isinstance(value, str):
            return {"S": value}
        if not isinstance(value, dict):
            return value
        texts = {kind: part if isinstance(part, str) else json.dumps(part) for kind, part in value.items()}
        return with_plain_numbers(texts)

    return as_text({name: plain(value) for name, value in key.items()})


def content(connection, table):
    """Every item of the table and of each of its indexes, in a form that can be compared."""
    found = {}
    for index in (None, *table.indexes):
        request = {"TableName": table.name, **({"IndexName": index.name} if index else {})}
        found[index.name if index else ""] = ask(connection, "Scan", request).body["Items"]
    return found
