#!/usr/bin/env python3
"""Access keys of the DynamoDB API that were made for a tool, in the wrong hands: whatever they may do to other tables,
nobody learns from them how accounts log in, or becomes somebody else."""

import json
import sys
import unittest
from pathlib import Path

import botocore.exceptions

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import rest  # noqa: E402
from gallery import SYSTEM, GalleryTest  # noqa: E402

PASSWORD = "correct horse battery"
EVES_PASSWORD = "a password that eve knows"
POLICIES = ("read-only", "tables", "admin")


def account_key(user_id):
    return {"PK": f"ACCOUNT#{user_id}", "SK": "ACCOUNT"}


class AccessKeysTest(GalleryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.eve = rest.Account(lambda: cls.gallery.address, "eve", EVES_PASSWORD).sign_up()

    def log_in(self, password):
        """As ada; the status."""
        body = json.dumps({"username": "ada", "password": password})
        return rest.request(self.gallery.address, "POST", "/api/v1/auth/login", body, {"Content-Type": "application/json"}).status

    def hash_of(self, account):
        """What is stored of a password, by the root key."""
        return self.gallery.get(SYSTEM, **account_key(account.user_id))["passwordHash"]

    def succeeds(self, call, **request):
        try:
            call(**request)
            return True
        except botocore.exceptions.ClientError as refused:
            self.assertEqual("AccessDeniedException", refused.response["Error"]["Code"], refused)
            return False

    def ways_to_read(self, client):
        """Each request that would show the hash of eve's own password, to begin with."""
        key = account_key(self.eve.user_id)
        return {
            "get_item": (client.get_item, {"TableName": SYSTEM, "Key": key}),
            "query": (client.query, {"TableName": SYSTEM, "KeyConditionExpression": "PK = :pk",
                                     "ExpressionAttributeValues": {":pk": key["PK"]}}),
            "scan": (client.scan, {"TableName": SYSTEM}),
            "batch_get_item": (client.batch_get_item, {"RequestItems": {SYSTEM: {"Keys": [key]}}}),
            "transact_get_items": (client.transact_get_items, {"TransactItems": [{"Get": {"TableName": SYSTEM, "Key": key}}]}),
            "update_item": (client.update_item, {"TableName": SYSTEM, "Key": key, "ReturnValues": "ALL_NEW"}),
        }

    def ways_to_replace(self, client, stored):
        """Each request that would make eve's password ada's."""
        key = account_key(self.ada.user_id)
        update = {"TableName": SYSTEM, "Key": key, "UpdateExpression": "SET passwordHash = :hash",
                  "ExpressionAttributeValues": {":hash": stored}}
        item = {**self.gallery.get(SYSTEM, **key), "passwordHash": stored}
        return {
            "update_item": (client.update_item, update),
            "put_item": (client.put_item, {"TableName": SYSTEM, "Item": item}),
            "batch_write_item": (client.batch_write_item, {"RequestItems": {SYSTEM: [{"PutRequest": {"Item": item}}]}}),
            "transact_write_items": (client.transact_write_items, {"TransactItems": [{"Update": update}]}),
        }

    def test_a_key_reads_no_password(self):
        """A3: not even the hash of one, in any way that items are read."""
        self.assertTrue(self.hash_of(self.eve))
        shown = []
        for policy in POLICIES:
            client = self.gallery.access_key(f"reads-{policy}", policy)
            shown += [(policy, way) for way, (call, request) in self.ways_to_read(client).items() if self.succeeds(call, **request)]
        self.assertEqual(shown, [])

    def test_a_key_logs_in_as_nobody(self):
        """A3: no request that writes items puts the hash of a password that one knows into the place of another's, and
        so nobody logs in with it."""
        stored, before = self.hash_of(self.eve), self.hash_of(self.ada)
        for policy in POLICIES:
            client = self.gallery.access_key(f"writes-{policy}", policy)
            for way, (call, request) in self.ways_to_replace(client, stored).items():
                with self.subTest(policy=policy, way=way):
                    self.assertFalse(self.succeeds(call, **request) and self.log_in(EVES_PASSWORD) == 200, "logged in as ada")
                    self.assertEqual(self.hash_of(self.ada), before)
        self.assertEqual((self.log_in(PASSWORD), self.log_in(EVES_PASSWORD)), (200, 401))


if __name__ == "__main__":
    unittest.main(verbosity=2)
