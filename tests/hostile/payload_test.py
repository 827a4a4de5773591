"""Bodies that are well framed and hostile inside: each is refused in good time, by name, and the connection goes on."""

import json
import time
import unittest

from hostile import HostileTest

MEGABYTE = 1024 * 1024


def put(value):
    return b'{"TableName":"Things","Item":{"k":{"S":"x"},"v":' + value + b"}}"


def nested(levels):
    return put(b'{"L":[' * levels + b'{"S":"x"}' + b"]}" * levels)


def update(expression, values=None):
    request = {"TableName": "Things", "Key": {"k": {"S": "x"}}, "UpdateExpression": expression}
    if values:
        request["ExpressionAttributeValues"] = values
    return json.dumps(request).encode()


def condition(expression):
    request = {"TableName": "Things", "Item": {"k": {"S": "x"}}, "ConditionExpression": expression,
               "ExpressionAttributeValues": {":v": {"S": "x"}}}
    return json.dumps(request).encode()


SERIALIZATION = {
    "nothing": b"",
    "no object": b"[]",
    "half an object": b'{"TableName":"Things"',
    "two objects": b"{}{}",
    "zero bytes": b"\0" * 1000,
    "byte order mark": b"\xef\xbb\xbf{}",
    "brackets": b"[" * MEGABYTE,
    "brackets that close": b"[" * MEGABYTE + b"]" * MEGABYTE,
    "braces": b'{"a":' * 200_000,
    "braces that close": b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
    "quotes": b'"' * MEGABYTE,
    "backslashes": b'{"TableName":"' + b"\\" * MEGABYTE,
    "commas": b'{"TableName":[' + b"," * MEGABYTE,
    "bad escape": put(b'{"S":"\\x"}'),
    "half an escape": put(b'{"S":"\\u12"}'),
    "control character": put(b'{"S":"\x01"}'),
    "UTF-8: continuation alone": put(b'{"S":"\x80"}'),
    "UTF-8: cut short": put(b'{"S":"\xe2\x82"}'),
    "UTF-8: longer than need be": put(b'{"S":"\xc0\xaf"}'),
    "UTF-8: surrogate": put(b'{"S":"\xed\xa0\x80"}'),
    "UTF-8: beyond the last": put(b'{"S":"\xf4\x90\x80\x80"}'),
    "UTF-8: in a name": b'{"TableName":"Things","Item":{"k":{"S":"x"},"\xff":{"S":"x"}}}',
    "UTF-16": json.dumps({"TableName": "Things"}).encode("utf-16"),
    "number that is none": b'{"TableName":"Things","Limit":1e}',
    "wrong type": b'{"TableName":["Things"]}',
}
VALIDATION = {
    "33 levels": nested(32),
    "500 levels": nested(500),
    "a million digits": put(b'{"N":"' + b"1" * MEGABYTE + b'"}'),
    "a huge exponent": put(b'{"N":"1e' + b"9" * MEGABYTE + b'"}'),
    "500 KB of text": put(b'{"S":"' + b"x" * 500_000 + b'"}'),
    "a name of 70,000 bytes": b'{"TableName":"Things","Item":{"k":{"S":"x"},"' + b"n" * 70_000 + b'":{"S":"x"}}}',
    "a set of 100,000 equals": put(b'{"SS":["a"' + b',"a"' * 100_000 + b"]}"),
    "a million empty lists": put(b'{"L":[{"L":[]}' + b',{"L":[]}' * MEGABYTE + b"]}"),
    "parentheses": condition("(" * 2000 + "k = :v" + ")" * 2000),
    "open parentheses": condition("(" * 4096),
    "negations": condition("NOT " * 1000 + "k = :v"),
    "operators": condition(" OR ".join(["k = :v"] * 400)),
    "expression of a megabyte": condition("k = :v " + " " * MEGABYTE),
    "calls in calls": update("SET v = " + "if_not_exists(v, " * 230 + ":v" + ")" * 230, {":v": {"S": "x"}}),
    "index out of range": update("SET v[99999999999999999999] = :v", {":v": {"S": "x"}}),
}


class PayloadTest(HostileTest):
    def assert_answers(self, cases, name):
        client = self.connect()
        for number, (case, body) in enumerate(cases.items(), 1):
            with self.subTest(case):
                operation = "UpdateItem" if b"UpdateExpression" in body else "PutItem"
                started = time.monotonic()
                client.send(self.signed(operation, body))
                answers = client.read_responses(number)
                took = time.monotonic() - started
                self.assertEqual(number, len(answers), client.received[-500:])
                self.assertEqual(400, answers[-1], client.received[-500:])
                self.assertIn(name, client.received[client.received.rindex(b"HTTP/1.1"):])
                self.assertLess(took, 1.0)

    def test_what_is_no_request(self):
        self.assert_answers(SERIALIZATION, b"SerializationException")

    def test_what_is_beyond_limits(self):
        self.assert_answers(VALIDATION, b"ValidationException")

    def test_escaped_half_of_a_surrogate_pair_does_no_harm(self):
        """It is JSON, but no text. Refused or replaced, it must not come back as broken UTF-8."""
        client = self.connect()
        client.send(self.signed("PutItem", put(b'{"S":"\\ud800"}')))
        self.assertEqual(1, len(client.read_responses(1)))
        client.send(self.signed("GetItem", b'{"TableName":"Things","Key":{"k":{"S":"x"}}}'))
        self.assertEqual(200, client.read_responses(2)[1])
        client.received.decode("utf-8")

    def test_body_over_the_limit(self):
        client = self.connect()
        client.send(self.signed("PutItem", put(b'{"S":"' + b"x" * (16 * MEGABYTE) + b'"}')))
        self.assertTrue(client.read_end())
        self.assertEqual([413], client.statuses())


if __name__ == "__main__":
    unittest.main()
