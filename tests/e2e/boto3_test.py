"""boto3 against the server: the resource and the client interface, paginators, waiters, batches, transactions,
errors."""

import concurrent.futures
import decimal
import sys
import unittest
from pathlib import Path

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402

Decimal = decimal.Decimal


class Boto3Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = tintype_server.Server()
        cls.addClassCleanup(cls.server.stop)
        options = dict(endpoint_url=cls.server.endpoint, region_name="us-east-1",
                       aws_access_key_id=tintype_server.ACCESS_KEY_ID,
                       config=Config(retries={"max_attempts": 0}))
        cls.options = options
        cls.resource = boto3.resource("dynamodb", aws_secret_access_key=tintype_server.SECRET_ACCESS_KEY, **options)
        cls.client = cls.resource.meta.client
        cls.table = cls.resource.create_table(
            TableName="Music",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                                  for name, kind in (("artist", "S"), ("song", "S"), ("genre", "S"), ("year", "N"))],
            KeySchema=[{"AttributeName": "artist", "KeyType": "HASH"}, {"AttributeName": "song", "KeyType": "RANGE"}],
            GlobalSecondaryIndexes=[{
                "IndexName": "genre-year",
                "KeySchema": [{"AttributeName": "genre", "KeyType": "HASH"},
                              {"AttributeName": "year", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "ALL"}}],
            LocalSecondaryIndexes=[{
                "IndexName": "artist-year",
                "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"},
                              {"AttributeName": "year", "KeyType": "RANGE"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"}}])
        cls.table.wait_until_exists()

    def test_round_trips_python_values(self):
        """Proves that every type boto3 can write comes back equal, numbers as exact decimals."""
        item = {"artist": "types", "song": "1", "decimal": Decimal("12345678901234567890.123456789"), "text": "ü 🎞",
                "bytes": b"\x00\xff", "none": None, "flag": False, "strings": {"a", "b"}, "numbers": {1, Decimal("2.5")},
                "list": [1, "x", {"deep": [True]}], "map": {"k": {"n": 1}}}
        self.table.put_item(Item=item)
        got = self.table.get_item(Key={"artist": "types", "song": "1"}, ConsistentRead=True)["Item"]
        got["bytes"] = got["bytes"].value
        self.assertEqual(got, item)

    def test_updates_under_conditions(self):
        """Proves update expressions, ReturnValues, and the exception class that applications catch."""
        key = {"artist": "updates", "song": "1"}
        answer = self.table.update_item(
            Key=key, UpdateExpression="SET plays = if_not_exists(plays, :zero) + :one, tags = :tags",
            ExpressionAttributeValues={":zero": 0, ":one": 1, ":tags": ["a"]}, ReturnValues="ALL_NEW")
        self.assertEqual(answer["Attributes"], {**key, "plays": 1, "tags": ["a"]})
        with self.assertRaises(self.client.exceptions.ConditionalCheckFailedException) as caught:
            self.table.put_item(Item=key, ConditionExpression=Attr("artist").not_exists())
        self.assertEqual(caught.exception.response["Error"]["Message"], "The conditional request failed")
        old = self.table.delete_item(Key=key, ConditionExpression=Attr("plays").gte(1), ReturnValues="ALL_OLD")
        self.assertEqual(old["Attributes"]["plays"], 1)
        self.assertNotIn("Item", self.table.get_item(Key=key))

    def test_batches_queries_and_scans(self):
        """Proves the batch writer, condition objects, both index kinds and the paginators over many pages."""
        with self.table.batch_writer() as batch:
            for n in range(60):
                batch.put_item(Item={"artist": "pages", "song": f"{n:03}", "year": 1900 + n, "genre": "rock"})
        newest = self.table.query(IndexName="genre-year", ScanIndexForward=False, Limit=3,
                                  KeyConditionExpression=Key("genre").eq("rock") & Key("year").between(1910, 1950))
        self.assertEqual([item["year"] for item in newest["Items"]], [1950, 1949, 1948])
        self.assertEqual(newest["LastEvaluatedKey"],
                         {"genre": "rock", "year": 1948, "artist": "pages", "song": "048"})
        keys_only = self.table.query(IndexName="artist-year", KeyConditionExpression=Key("artist").eq("pages") & Key("year").lt(1902))
        self.assertEqual(keys_only["Items"], [{"artist": "pages", "song": f"{n:03}", "year": 1900 + n} for n in range(2)])

        pages = self.client.get_paginator("query").paginate(
            TableName="Music", KeyConditionExpression=Key("artist").eq("pages") & Key("song").begins_with("0"),
            PaginationConfig={"PageSize": 7})
        songs = [item["song"] for page in pages for item in page["Items"]]
        self.assertEqual(songs, [f"{n:03}" for n in range(60)])
        scan = self.client.get_paginator("scan").paginate(
            TableName="Music", FilterExpression=Attr("genre").eq("rock"), PaginationConfig={"PageSize": 11})
        self.assertEqual(sum(page["Count"] for page in scan), 60)
        keys = [{"artist": "pages", "song": f"{n:03}"} for n in range(100)]
        found = self.client.batch_get_item(RequestItems={"Music": {"Keys": keys}})
        self.assertEqual(len(found["Responses"]["Music"]), 60)
        self.assertEqual(found["UnprocessedKeys"], {})

    def test_batch_reads_stay_below_16_mb(self):
        """What does not fit an answer comes back as unprocessed, and can be asked for again."""
        keys = [{"artist": "large", "song": f"{number:02}"} for number in range(42)]
        with self.table.batch_writer() as batch:
            for key in keys:
                batch.put_item({**key, "v": "x" * 409_000})
        answer = self.resource.batch_get_item(RequestItems={"Music": {"Keys": keys}})
        items = answer["Responses"]["Music"]
        self.assertLessEqual(sum(len(item["v"]) for item in items), 16 * 1024 * 1024)
        self.assertEqual(41, len(items))
        rest = answer["UnprocessedKeys"]["Music"]["Keys"]
        self.assertEqual(1, len(self.resource.batch_get_item(RequestItems={"Music": {"Keys": rest}})["Responses"]["Music"]))
        with self.table.batch_writer() as batch:
            for key in keys:
                batch.delete_item(key)

    def test_transactions(self):
        """Proves a transaction's atomicity and its reasons by position, as botocore parses them."""
        put = {"Put": {"TableName": "Music", "Item": {"artist": "tx", "song": "1"},
                       "ConditionExpression": "attribute_not_exists(artist)"}}
        other = {"Update": {"TableName": "Music", "Key": {"artist": "tx", "song": "2"}, "UpdateExpression": "ADD plays :n",
                            "ExpressionAttributeValues": {":n": 1}}}
        self.client.transact_write_items(TransactItems=[put, other])
        with self.assertRaises(self.client.exceptions.TransactionCanceledException) as caught:
            self.client.transact_write_items(TransactItems=[other, put])
        reasons = caught.exception.response["CancellationReasons"]
        self.assertEqual([reason["Code"] for reason in reasons], ["None", "ConditionalCheckFailed"])
        answer = self.client.transact_get_items(TransactItems=[
            {"Get": {"TableName": "Music", "Key": {"artist": "tx", "song": song}}} for song in ("1", "2", "3")])
        self.assertEqual([response.get("Item") for response in answer["Responses"]],
                         [{"artist": "tx", "song": "1"}, {"artist": "tx", "song": "2", "plays": 1}, None])

    def test_reports_consumed_capacity(self):
        """Proves that capacity is reported per index when asked for."""
        answer = self.table.put_item(Item={"artist": "capacity", "song": "1", "genre": "jazz", "year": 1959},
                                     ReturnConsumedCapacity="INDEXES")
        capacity = answer["ConsumedCapacity"]
        self.assertEqual(capacity["CapacityUnits"], 3)
        self.assertEqual(capacity["Table"]["CapacityUnits"], 1)
        self.assertEqual(capacity["GlobalSecondaryIndexes"]["genre-year"]["CapacityUnits"], 1)
        self.assertEqual(capacity["LocalSecondaryIndexes"]["artist-year"]["CapacityUnits"], 1)

    def test_manages_tables_and_tags(self):
        """Proves table creation, tags, description and deletion with both waiters."""
        table = self.resource.create_table(
            TableName="Temporary", KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "B"}],
            ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}, Tags=[{"Key": "a", "Value": "1"}])
        table.wait_until_exists()
        self.assertEqual(table.provisioned_throughput["WriteCapacityUnits"], 2)
        self.client.tag_resource(ResourceArn=table.table_arn, Tags=[{"Key": "b", "Value": "2"}])
        tags = self.client.list_tags_of_resource(ResourceArn=table.table_arn)["Tags"]
        self.assertEqual({tag["Key"]: tag["Value"] for tag in tags}, {"a": "1", "b": "2"})
        self.assertIn("Temporary", self.client.list_tables()["TableNames"])
        table.delete()
        table.wait_until_not_exists()
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
            table.load()

    def test_writers_of_different_tags_lose_none(self):
        """Many writers at once, each with a tag of its own: all tags are there in the end."""
        arn = self.table.table_arn
        self.assertEqual([], self.client.list_tags_of_resource(ResourceArn=arn)["Tags"])
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: self.client.tag_resource(
                ResourceArn=arn, Tags=[{"Key": f"tag{number}", "Value": str(number)}]), range(40)))
            list(pool.map(lambda number: self.client.untag_resource(ResourceArn=arn, TagKeys=[f"tag{number}"]), range(10)))
        tags = {tag["Key"]: tag["Value"] for tag in self.client.list_tags_of_resource(ResourceArn=arn)["Tags"]}
        self.assertEqual({f"tag{number}": str(number) for number in range(10, 40)}, tags)

    def test_refuses_a_wrong_secret(self):
        """Proves that botocore's signature is checked, not just its shape."""
        client = boto3.client("dynamodb", aws_secret_access_key="wrong", **self.options)
        with self.assertRaises(ClientError) as caught:
            client.list_tables()
        self.assertEqual(caught.exception.response["Error"]["Code"], "InvalidSignatureException")


if __name__ == "__main__":
    unittest.main()
