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

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, DynamoError, Signer  # noqa: E402


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
