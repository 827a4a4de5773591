#!/usr/bin/env python3
"""Proves what `tintype keys` does to access keys while a server runs: each command holds at once, and a key that was
rotated, enabled, expired or given more time is good for as long as the command says."""

import json
import os
import subprocess
import sys
import time
import unittest
from pathlib import Path

import boto3

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, DynamoError, Signer  # noqa: E402


def all_operations():
    """Every operation of DynamoDB and of its streams that AWS's own client knows, as (service, name)."""
    targets = {"dynamodb": "DynamoDB_20120810", "dynamodbstreams": "DynamoDBStreams_20120810"}
    found = []
    for service, target in targets.items():
        client = boto3.client(service, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
        found += [(target, name) for name in client.meta.service_model.operation_names]
    return found


class KeysTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = tintype_server.Server()
        cls.addClassCleanup(cls.server.stop)

    def run_keys(self, *arguments):
        return subprocess.run([os.environ["TINTYPE_BIN"], "keys", *arguments, "--data-dir", self.server.data_dir],
                              capture_output=True, text=True, timeout=60, check=False)

    def keys(self, *arguments):
        """What a command on keys prints."""
        done = self.run_keys(*arguments)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def done(self, *arguments):
        """What a command on keys answers."""
        return json.loads(self.keys(*arguments, "--json").splitlines()[-1])["done"]

    def create(self, name, *arguments):
        return self.done("create", name, "--policy", "read-only", *arguments)

    def listed(self, name):
        """The keys of that name, from the oldest to the newest."""
        lines = [json.loads(line) for line in self.keys("list", "--json").splitlines()]
        found = [line["key"] for line in lines if "key" in line]
        self.assertEqual({"done": {"count": len(found)}}, lines[-1])
        return [key for key in found if key["name"] == name]

    def works(self, key):
        """Whether the server takes a key. A key that it does not know any more is refused in no other way."""
        connection = Connection(self.server.address, Signer(key["accessKeyId"], key["secretAccessKey"]))
        try:
            connection.call("ListTables", {})
            return True
        except DynamoError as refused:
            self.assertEqual("UnrecognizedClientException", refused.name)
            return False
        finally:
            connection.close()

    def test_a_disabled_key_is_enabled(self):
        key = self.create("paused")
        self.assertTrue(self.works(key))
        self.assertEqual([key["accessKeyId"]], self.done("disable", "paused")["accessKeyIds"])
        self.assertFalse(self.works(key))
        self.assertEqual(["disabled"], [each["state"] for each in self.listed("paused")])
        self.assertEqual(f"enabled {key['accessKeyId']}\n", self.keys("enable", "paused"))
        self.assertTrue(self.works(key))
        self.assertEqual(["active"], [each["state"] for each in self.listed("paused")])

    def test_a_rotated_key_is_good_for_the_overlap(self):
        """Both secrets work until the overlap is over, and with none only the new one does."""
        first = self.create("rotated")
        second = self.done("rotate", "rotated", "--overlap", "1h")
        self.assertEqual(("rotated", "read-only"), (second["name"], second["policy"]))
        self.assertNotEqual(first["accessKeyId"], second["accessKeyId"])
        self.assertNotEqual(first["secretAccessKey"], second["secretAccessKey"])
        self.assertEqual([True, True], [self.works(key) for key in (first, second)])
        third = self.done("rotate", "rotated", "--overlap", "0m")
        self.assertEqual([True, False, True], [self.works(key) for key in (first, second, third)])
        states = {key["accessKeyId"]: (key["state"], key["expiresAt"] is None) for key in self.listed("rotated")}
        self.assertEqual({first["accessKeyId"]: ("replaced", False), second["accessKeyId"]: ("expired", False),
                          third["accessKeyId"]: ("active", True)}, states)
        # By its name a key is ended with all that it has replaced.
        self.done("delete", "rotated")
        self.assertEqual([False, False], [self.works(key) for key in (first, third)])

    def test_a_key_ends_and_gets_more_time(self):
        key = self.create("guest", "--expires", "30m")
        self.assertIsNotNone(key["expiresAt"])
        self.assertTrue(self.works(key))
        self.keys("expire", "guest", "0m")
        self.assertFalse(self.works(key))
        self.assertEqual(["expired"], [each["state"] for each in self.listed("guest")])
        self.assertEqual([key["accessKeyId"]], self.done("expire", "guest", "2100-01-31T12:00:00Z")["accessKeyIds"])
        self.assertTrue(self.works(key))
        self.assertEqual(["2100-01-31T12:00:00"], [each["expiresAt"][:19] for each in self.listed("guest")])
        refused = self.run_keys("expire", "guest", "2001-01-31T12:00:00Z")
        self.assertEqual(1, refused.returncode)
        self.assertIn("nor a moment to come", refused.stderr)

    def test_a_key_that_is_made_for_a_while_ends_by_itself(self):
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 5))
        key = self.create("brief", "--expires", moment)
        self.assertEqual(moment[:19], key["expiresAt"][:19])
        deadline = time.monotonic() + 30
        while self.works(key):
            self.assertLess(time.monotonic(), deadline, "the key is good for too long")
            time.sleep(0.05)
        self.assertGreaterEqual(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), moment)

    def ended_keys(self):
        """A signer with each kind of key that is good for nothing, and how it is refused."""
        made = {name: self.create(name) for name in ("stopped", "outlived", "removed", "renewed", "good")}
        self.keys("disable", "stopped")
        self.keys("expire", "outlived", "0m")
        self.keys("delete", "removed")
        self.keys("rotate", "renewed", "--overlap", "0m")
        good, unknown = made.pop("good"), "UnrecognizedClientException"
        signers = {f"a key that was {name}": (Signer(key["accessKeyId"], key["secretAccessKey"]), unknown)
                   for name, key in made.items()}
        wrong = "InvalidSignatureException"
        signers["a key that never was"] = (Signer("AKIAZZZZZZZZZZZZZZZZ", good["secretAccessKey"]), unknown)
        signers["another key's secret"] = (Signer(good["accessKeyId"], made["stopped"]["secretAccessKey"]), wrong)
        signers["another region"] = (Signer(good["accessKeyId"], good["secretAccessKey"], region="eu-west-1"), wrong)
        signers["another service"] = (Signer(good["accessKeyId"], good["secretAccessKey"], service="s3"), wrong)
        return Signer(good["accessKeyId"], good["secretAccessKey"]), signers

    def refusal(self, connection, target, operation):
        """The name of the error that a request without any parameter ends with; None when it succeeds."""
        try:
            connection.call(operation, {}, target)
            return None
        except DynamoError as refused:
            return refused.name

    def test_no_operation_takes_a_key_that_is_not_good(self):
        """Of a key that ended, or whose signature is another's, no operation learns more than that."""
        good, signers = self.ended_keys()
        denials = {refusal for _, refusal in signers.values()} | {"MissingAuthenticationTokenException"}
        connections = {name: Connection(self.server.address, signer) for name, (signer, _) in signers.items()}
        with_good = Connection(self.server.address, good)
        cells = 0
        for target, operation in all_operations():
            self.assertNotIn(self.refusal(with_good, target, operation), denials, operation)
            for name, connection in connections.items():
                with self.subTest(operation=operation, key=name):
                    self.assertEqual(signers[name][1], self.refusal(connection, target, operation))
                    cells += 1
            unsigned = {"Host": with_good.host, "X-Amz-Target": f"{target}.{operation}", "Content-Type": "application/x-amz-json-1.0"}
            refused = with_good.post(unsigned, b"{}")
            self.assertEqual((400, "MissingAuthenticationTokenException"), (refused.status, refused.json()["__type"].rpartition("#")[2]))
        for connection in (with_good, *connections.values()):
            connection.close()
        self.assertGreater(cells, 50 * len(signers))

    def test_a_key_is_shown_without_its_secret(self):
        """With its policy document, by its name and by its id, for people and for programs."""
        key = self.create("shown")
        shown = self.done("show", "shown")
        self.assertEqual(shown, self.done("show", key["accessKeyId"]))
        self.assertEqual({name: shown[name] for name in ("name", "accessKeyId", "policy", "state", "expiresAt")},
                         {"name": "shown", "accessKeyId": key["accessKeyId"], "policy": "read-only", "state": "active",
                          "expiresAt": None})
        self.assertNotIn("secretAccessKey", shown)
        self.assertIn("Statement", json.loads(shown["document"]))
        text = self.keys("show", "shown")
        for words in (f"id       {key['accessKeyId']}\n", "policy   read-only\n", "expires  never\n"):
            self.assertIn(words, text)
        self.assertNotIn(key["secretAccessKey"], text)
        self.assertEqual(1, self.run_keys("show", "nobody").returncode)


if __name__ == "__main__":
    unittest.main()
