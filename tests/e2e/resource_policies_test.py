"""Policies of tables and streams, as keys with and without a permission of their own meet them. boto3 of Debian 12 does
not know the three operations, so those are signed by hand; everything else is boto3's."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import boto3
import botocore.config
import botocore.exceptions

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, DynamoError, Signer  # noqa: E402

TABLES = "arn:aws:dynamodb:us-east-1:000000000000:table/"
NOTHING = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "dynamodb:ListTables", "Resource": "*"}}


def user(name):
    return {"AWS": f"arn:aws:iam::000000000000:user/{name}"}


def statement(effect, principal, actions, resource="*"):
    return {"Effect": effect, "Principal": principal, "Action": actions, "Resource": resource}


class Key:
    """An access key with a client of each API."""

    def __init__(self, server, key_id, secret):
        settings = {
            "endpoint_url": server.endpoint, "region_name": "us-east-1", "aws_access_key_id": key_id,
            "aws_secret_access_key": secret,
            "config": botocore.config.Config(retries={"max_attempts": 0})}
        self.tables = boto3.client("dynamodb", **settings)
        self.streams = boto3.client("dynamodbstreams", **settings)
        self.connection = Connection(server.address, Signer(key_id, secret))
        self.call = self.connection.call


class ResourcePoliciesTest(unittest.TestCase):
    def setUp(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        self.data_dir = f"{directory}/data"
        self.secrets = {}
        self.start()
        self.root.tables.create_table(
            TableName="photos", BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("id", "owner")],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            GlobalSecondaryIndexes=[{"IndexName": "by-owner", "Projection": {"ProjectionType": "ALL"},
                                     "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}]}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        self.root.tables.put_item(TableName="photos", Item={"id": {"S": "1"}, "owner": {"S": "ada"}})
        self.arn = TABLES + "photos"
        self.stream = self.root.tables.describe_table(TableName="photos")["Table"]["LatestStreamArn"]

    def start(self):
        self.server = tintype_server.Server(data_dir=self.data_dir)
        self.addCleanup(lambda server=self.server: server.process.poll() is None and server.stop())
        self.root = self.key_of(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)

    def key_of(self, key_id, secret):
        key = Key(self.server, key_id, secret)
        self.addCleanup(key.connection.close)
        return key

    def key(self, name, policy=None):
        """The access key of that name, made when it is asked for first; with a policy that allows next to nothing."""
        if name not in self.secrets:
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(NOTHING, file)
                file.flush()
                made = subprocess.run(
                    [os.environ["TINTYPE_BIN"], "keys", "create", name, "--policy", policy or file.name,
                     "--data-dir", self.data_dir], capture_output=True, text=True, check=True).stdout
            found = dict(re.findall(r"(aws_access_key_id|aws_secret_access_key) = (\S+)", made))
            self.secrets[name] = (found["aws_access_key_id"], found["aws_secret_access_key"])
        return self.key_of(*self.secrets[name])

    def key_with(self, name, statement):
        """An access key with a policy of its own."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"Version": "2012-10-17", "Statement": statement}, file)
            file.flush()
            return self.key(name, file.name)

    def attach(self, arn, *statements, by=None, **more):
        policy = {"Version": "2012-10-17", "Statement": list(statements)}
        return (by or self.root).call(
            "PutResourcePolicy", {"ResourceArn": arn, "Policy": json.dumps(policy), **more})["RevisionId"]

    def create_albums(self, policy):
        """A table with a policy from its first moment."""
        self.root.call("CreateTable", {
            "TableName": "albums", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "ResourcePolicy": json.dumps({"Statement": policy})})

    def get(self, key):
        return key.tables.get_item(TableName="photos", Key={"id": {"S": "1"}})["Item"]["owner"]["S"]

    def by_owner(self, key):
        return key.tables.query(
            TableName="photos", IndexName="by-owner", KeyConditionExpression="#owner = :owner",
            ExpressionAttributeNames={"#owner": "owner"}, ExpressionAttributeValues={":owner": {"S": "ada"}})["Count"]

    def assert_denied(self, call, why="is not authorized to perform"):
        with self.assertRaises(botocore.exceptions.ClientError) as refused:
            call()
        error = refused.exception.response["Error"]
        self.assertEqual(error["Code"], "AccessDeniedException")
        self.assertIn(why, error["Message"])

    def assert_refused(self, name, operation, request, by=None):
        with self.assertRaises(DynamoError) as refused:
            (by or self.root).call(operation, request)
        self.assertEqual(refused.exception.name, name, refused.exception.body)
        body = refused.exception.body
        return body.get("message", body.get("Message"))  # AWS spells it both ways.

    def test_put_get_delete_and_revisions(self):
        """Proves that a policy is put, got as it was given, replaced by its revision, and deleted."""
        resource = {"ResourceArn": self.arn}
        self.assert_refused("PolicyNotFoundException", "GetResourcePolicy", resource)
        allow = statement("Allow", user("app"), "dynamodb:GetItem")
        first = self.attach(self.arn, allow, ExpectedRevisionId="NO_POLICY")
        found = self.root.call("GetResourcePolicy", resource)
        self.assertEqual(found["RevisionId"], first)
        self.assertEqual(json.loads(found["Policy"])["Statement"], [allow])
        self.assertEqual(self.attach(self.arn, allow), first)
        policy = {**resource, "Policy": json.dumps({"Statement": [statement("Deny", "*", "dynamodb:Scan")]})}
        message = self.assert_refused("PolicyNotFoundException", "PutResourcePolicy",
                                      {**policy, "ExpectedRevisionId": "NO_POLICY"})
        self.assertIn(f"but a policy exists with revision id {first}", message)
        second = self.root.call("PutResourcePolicy", {**policy, "ExpectedRevisionId": first})["RevisionId"]
        self.assertGreater(second, first)
        message = self.assert_refused("PolicyNotFoundException", "DeleteResourcePolicy",
                                      {**resource, "ExpectedRevisionId": first})
        self.assertIn(f"has revision id {second}", message)
        self.assertEqual(self.root.call("DeleteResourcePolicy", resource), {"RevisionId": second})
        self.assertEqual(self.root.call("DeleteResourcePolicy", resource), {})
        self.assert_refused("PolicyNotFoundException", "GetResourcePolicy", resource)
        self.assertIn("Invalid policy document", self.assert_refused(
            "ValidationException", "PutResourcePolicy", {**resource, "Policy": "{}"}))

    def test_a_policy_lets_in_a_key_without_a_permission(self):
        """Proves that a table's policy is enough, for whom and for what it names, on the table and on its indexes."""
        app, other = self.key("app"), self.key("other")
        self.assert_denied(lambda: self.get(app))
        self.attach(self.arn, statement("Allow", user("app"), "dynamodb:GetItem", self.arn))
        self.assertEqual(self.get(app), "ada")
        self.assert_denied(lambda: self.get(other))
        self.assert_denied(lambda: app.tables.scan(TableName="photos"))
        self.assert_denied(lambda: self.by_owner(app))
        self.attach(self.arn, statement("Allow", user("app"), "dynamodb:Query", f"{self.arn}/index/*"))
        self.assertEqual(self.by_owner(app), 1)
        self.assert_denied(lambda: self.get(app))
        # Every key, but what the account is allowed still depends on the key's own policy.
        self.attach(self.arn, statement("Allow", {"AWS": "000000000000"}, "dynamodb:GetItem"))
        self.assert_denied(lambda: self.get(app))
        self.attach(self.arn, statement("Allow", "*", "dynamodb:GetItem"))
        self.assertEqual([self.get(app), self.get(other)], ["ada", "ada"])
        self.root.call("DeleteResourcePolicy", {"ResourceArn": self.arn})
        self.assert_denied(lambda: self.get(app))

    def test_a_denial_wins_over_the_permission_of_a_key(self):
        """Proves that a denial holds for keys that may do everything, for no others, and never for the root key."""
        app, other = self.key("app", "admin"), self.key("other", "admin")
        self.attach(self.arn, statement("Deny", user("app"), ["dynamodb:GetItem", "dynamodb:Query"]))
        why = "with an explicit deny in a resource-based policy"
        self.assert_denied(lambda: self.get(app), why)
        self.assert_denied(lambda: self.by_owner(app), why)
        self.assert_denied(lambda: app.tables.transact_get_items(
            TransactItems=[{"Get": {"TableName": "photos", "Key": {"id": {"S": "1"}}}}]), why)
        self.assertEqual(app.tables.scan(TableName="photos")["Count"], 1)
        self.assertEqual([self.get(other), self.get(self.root)], ["ada", "ada"])

    def test_the_root_key_cannot_be_locked_out(self):
        """Proves that whoever would lock himself out is asked first, and that the root key undoes it all the same."""
        admin = self.key("admin", "admin")
        deny = statement("Deny", "*", "dynamodb:*")
        request = {"ResourceArn": self.arn, "Policy": json.dumps({"Statement": deny})}
        message = self.assert_refused("ValidationException", "PutResourcePolicy", request, by=admin)
        self.assertIn("ConfirmRemoveSelfResourceAccess", message)
        self.attach(self.arn, deny, by=admin, ConfirmRemoveSelfResourceAccess=True)
        self.root.call("DeleteResourcePolicy", {"ResourceArn": self.arn})
        # AWS's SDK for Java says it in a header, which nobody can add to what another has signed.
        body = json.dumps(request).encode()
        sign = (admin.connection.host, "DynamoDB_20120810.PutResourcePolicy", body)
        confirmation = {"x-amz-confirm-remove-self-resource-access": "true"}
        answer = admin.connection.post({**admin.connection.signer.headers(*sign), **confirmation}, body)
        self.assertEqual(answer.status, 400, answer.body)
        self.assertIn(b"not signed: x-amz-confirm-remove-self-resource-access", answer.body)
        self.assertEqual(self.get(admin), "ada")
        answer = admin.connection.post(admin.connection.signer.headers(*sign, more=confirmation), body)
        self.assertEqual(answer.status, 200, answer.body)
        self.assert_refused("AccessDeniedException", "DeleteResourcePolicy", {"ResourceArn": self.arn}, by=admin)
        self.assert_denied(lambda: self.get(admin))
        self.assertEqual(self.get(self.root), "ada")
        self.root.call("DeleteResourcePolicy", {"ResourceArn": self.arn})
        self.assertEqual(self.get(admin), "ada")

    def test_streams_have_policies_of_their_own(self):
        """Proves that a stream's policy lets read the stream and nothing else, and a table's nothing of the stream."""
        app = self.key("app")

        def records():
            shards = app.streams.describe_stream(StreamArn=self.stream)["StreamDescription"]["Shards"]
            found = 0
            for shard in shards:
                iterator = app.streams.get_shard_iterator(
                    StreamArn=self.stream, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
                found += len(app.streams.get_records(ShardIterator=iterator["ShardIterator"])["Records"])
            return found

        self.attach(self.arn, statement("Allow", user("app"), "dynamodb:*"))
        self.assertEqual(self.get(app), "ada")
        self.assert_denied(records)
        self.root.call("DeleteResourcePolicy", {"ResourceArn": self.arn})
        self.attach(self.stream, statement("Allow", user("app"), "dynamodb:*", self.stream))
        self.assertEqual(records(), 1)
        self.assert_denied(lambda: self.get(app))
        self.attach(self.stream, statement("Allow", user("app"), ["dynamodb:DescribeStream", "dynamodb:GetShardIterator"]))
        self.assert_denied(records, "dynamodb:GetRecords")

    def test_policies_survive_a_restart(self):
        """Proves that policies, also of a table's first moment, hold after a restart, and end with their table."""
        app = self.key("app")
        allow = statement("Allow", user("app"), "dynamodb:GetItem")
        revision = self.attach(self.arn, allow)
        self.attach(self.stream, statement("Allow", user("app"), "dynamodb:DescribeStream"))
        self.create_albums(statement("Allow", user("app"), "dynamodb:DescribeTable"))
        self.server.stop()
        self.start()
        app = self.key("app")
        self.assertEqual(self.get(app), "ada")
        self.assertEqual(app.tables.describe_table(TableName="albums")["Table"]["TableName"], "albums")
        app.streams.describe_stream(StreamArn=self.stream)
        self.assertEqual(self.root.call("GetResourcePolicy", {"ResourceArn": self.arn})["RevisionId"], revision)
        self.root.tables.delete_table(TableName="photos")
        # The stream can still be read, and so still by whom it says.
        app.streams.describe_stream(StreamArn=self.stream)
        self.assert_refused("ResourceNotFoundException", "GetResourcePolicy", {"ResourceArn": self.arn})

    def test_a_failed_condition_shows_no_more_than_is_allowed(self):
        """Proves that a key which may see some attributes, and whose writes return nothing else, is not shown a whole
        item by a condition that fails either, alone and in transactions; by its own policy and by that of a table."""
        allow = {"Effect": "Allow", "Action": ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem",
                                               "dynamodb:ConditionCheckItem"], "Resource": self.arn,
                 "Condition": {"ForAllValues:StringEquals": {"dynamodb:Attributes": ["id", "note"]},
                               "StringEquals": {"dynamodb:ReturnValues": ["NONE", "UPDATED_OLD", "UPDATED_NEW"]}}}
        own = self.key_with("own", allow)
        granted = self.key("granted")
        self.attach(self.arn, {**allow, "Principal": user("granted")})
        name = {"id": {"S": "1"}}
        update = {"Key": name, "UpdateExpression": "REMOVE note"}
        fails = {"TableName": "photos", "ConditionExpression": "attribute_not_exists(id)"}
        calls = [(operation, lambda what: what, what) for operation, what in (
            ("PutItem", {"Item": name}), ("UpdateItem", update), ("DeleteItem", {"Key": name}))]
        calls += [("TransactWriteItems", lambda what, action=action: {"TransactItems": [{action: what}]}, what)
                  for action, what in (("Put", {"Item": name}), ("Update", update), ("Delete", {"Key": name}),
                                       ("ConditionCheck", {"Key": name}))]
        for key in (own, granted):
            for operation, request_of, what in calls:
                together = operation == "TransactWriteItems"
                failed = "TransactionCanceledException" if together else "ConditionalCheckFailedException"
                for values, expected in (("NONE", failed), ("ALL_OLD", "AccessDeniedException")):
                    request = request_of({**what, **fails, "ReturnValuesOnConditionCheckFailure": values})
                    with self.assertRaises(DynamoError, msg=request) as refused:
                        key.call(operation, request)
                    self.assertEqual(refused.exception.name, expected, request)
                    self.assertNotIn("ada", json.dumps(refused.exception.body))
                with self.assertRaises(DynamoError) as shown:
                    self.root.call(operation, request)
                self.assertEqual(shown.exception.name, failed)
                self.assertIn("ada", json.dumps(shown.exception.body))

    def test_a_policy_knows_what_a_program_calls_itself(self):
        """Proves that `aws:UserAgent` is the header of the request, and absent without one."""
        key = self.key_with("reporter", {"Effect": "Allow", "Action": "dynamodb:ListTables", "Resource": "*",
                                         "Condition": {"StringLike": {"aws:UserAgent": "reporter/*"}}})
        headers = key.connection.signer.headers(key.connection.host, "DynamoDB_20120810.ListTables", b"{}")
        answers = [key.connection.post({**headers, **more}, b"{}").status
                   for more in ({}, {"User-Agent": "browser/1.0"}, {"User-Agent": "reporter/1.0"})]
        self.assertEqual(answers, [400, 400, 200])

    def test_policy_changes_are_audited(self):
        """Proves that who changed which policy is in the audit, and who tried to; and which table came with one."""
        self.attach(self.arn, statement("Allow", "*", "dynamodb:GetItem"))
        app = self.key("app")
        self.assert_refused("AccessDeniedException", "DeleteResourcePolicy", {"ResourceArn": self.arn}, by=app)
        self.root.call("DeleteResourcePolicy", {"ResourceArn": self.arn})
        self.create_albums(statement("Allow", "*", "dynamodb:GetItem"))

        def entries(kind):
            listed = subprocess.run([os.environ["TINTYPE_BIN"], "audit", "--kind", kind, "--json", "--data-dir",
                                     self.data_dir], capture_output=True, text=True, check=True).stdout
            return [json.loads(line) for line in listed.splitlines()]

        self.assertEqual(
            sorted((entry["details"]["operation"], entry["outcome"], entry["subject"]) for entry in entries("table.policy")),
            [("DeleteResourcePolicy", "denied", self.arn), ("DeleteResourcePolicy", "done", self.arn),
             ("PutResourcePolicy", "done", self.arn)])
        self.assertEqual(
            {entry["subject"]: entry["details"].get("resourcePolicy") for entry in entries("table.create")},
            {"photos": None, "albums": "attached"})


if __name__ == "__main__":
    unittest.main()
