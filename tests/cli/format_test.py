"""Opens a data directory of every format that was ever released, and finds in it what was put there.

Each is kept in `formats/`, beside the galleries of gallery_format_test.py. To make one of a new format:
`TINTYPE_BIN=build/release/tintype python3 tests/cli/format_test.py --write formats/2`
"""

import os
import shutil
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402

SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
STREAMS = "DynamoDBStreams_20120810"
FAR = "4102444800"  # In the year 2100.

TABLE = {
    "TableName": "Kept", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in
                             (("pk", "S"), ("sk", "N"), ("group", "S"))],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{"IndexName": "by-group", "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"},
                                                                       {"AttributeName": "sk", "KeyType": "RANGE"}],
                                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["text"]}}],
    "LocalSecondaryIndexes": [{"IndexName": "by-text", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                                                                     {"AttributeName": "group", "KeyType": "RANGE"}],
                               "Projection": {"ProjectionType": "ALL"}}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "Tags": [{"Key": "kept", "Value": "for good"}],
}


def item(number):
    """Every type of attribute, in a form that sorts and pads differently for each number."""
    return {"pk": {"S": f"p{number % 3}"}, "sk": {"N": str(number * 10 ** (number % 5) * (-1) ** number)},
            "group": {"S": f"g{number % 2}"}, "text": {"S": "Käse \U0001F4F7"}, "empty": {"S": ""},
            "number": {"N": "-12345678901234567890123456789012345678"}, "bytes": {"B": "AAEC/w=="},
            "yes": {"BOOL": True}, "nothing": {"NULL": True}, "list": {"L": [{"N": "1"}, {"M": {"deep": {"L": []}}}]},
            "map": {"M": {"a": {"S": "b"}}}, "strings": {"SS": ["a", "b"]}, "numbers": {"NS": ["1", "2.5"]},
            "binaries": {"BS": ["AA==", "AQ=="]}, "ttl": {"N": FAR}}


ITEMS = [item(number) for number in range(12)]


def write(directory):
    """A small directory that has of everything that is stored."""
    server = tintype_server.Server(data_dir=str(directory), arguments=("--ballast-mb", "0"))
    connection = Connection(server.address, SIGNER)
    connection.call("CreateTable", TABLE)
    connection.call("UpdateTimeToLive", {
        "TableName": "Kept", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}})
    connection.call("UpdateContinuousBackups", {
        "TableName": "Kept", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
    for each in ITEMS:
        connection.call("PutItem", {"TableName": "Kept", "Item": each})
    arn = connection.call("CreateBackup", {"TableName": "Kept", "BackupName": "kept"})["BackupDetails"]["BackupArn"]
    while connection.call("DescribeBackup", {"BackupArn": arn})["BackupDescription"]["BackupDetails"][
            "BackupStatus"] != "AVAILABLE":
        time.sleep(0.05)
    connection.close()
    server.stop()
    # Once more, so that there are sorted files and a log, not a log alone.
    server = tintype_server.Server(data_dir=str(directory), arguments=("--ballast-mb", "0"))
    connection = Connection(server.address, SIGNER)
    connection.call("TransactWriteItems", {"ClientRequestToken": "kept", "TransactItems": [
        {"Put": {"TableName": "Kept", "Item": {"pk": {"S": "late"}, "sk": {"N": "1"}}}}]})
    connection.close()
    server.kill()
    (directory / "tables" / "LOCK").unlink(missing_ok=True)
    (directory / "admin.sock").unlink(missing_ok=True)


def by_key(items):
    return {(each["pk"]["S"], each["sk"]["N"]): each for each in items}


class FormatTest(unittest.TestCase):
    def open(self, kept):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        shutil.copytree(kept, f"{directory.name}/data")
        for secret in ("master.key", "credentials"):
            os.chmod(f"{directory.name}/data/{secret}", 0o600)
        server = tintype_server.Server(data_dir=f"{directory.name}/data", arguments=("--ballast-mb", "0"))
        self.addCleanup(server.stop)
        connection = Connection(server.address, SIGNER)
        self.addCleanup(connection.close)
        return connection

    def test_every_format_opens(self):
        kept = sorted(path for path in (HERE / "formats").iterdir() if path.is_dir())
        self.assertTrue(kept)
        for directory in kept:
            with self.subTest(format=directory.name):
                self.check(self.open(directory))

    def check(self, connection):
        expected = by_key([*ITEMS, {"pk": {"S": "late"}, "sk": {"N": "1"}}])
        self.assertEqual(expected, by_key(connection.call("Scan", {"TableName": "Kept"})["Items"]))
        for index in ("by-group", "by-text"):
            entries = connection.call("Scan", {"TableName": "Kept", "IndexName": index})["Items"]
            self.assertEqual(by_key(ITEMS).keys(), by_key(entries).keys(), index)
        table = connection.call("DescribeTable", {"TableName": "Kept"})["Table"]
        self.assertEqual(len(expected), table["ItemCount"])
        self.assertEqual("NEW_AND_OLD_IMAGES", table["StreamSpecification"]["StreamViewType"])
        self.assertEqual(TABLE["Tags"], connection.call("ListTagsOfResource", {"ResourceArn": table["TableArn"]})["Tags"])
        ttl = connection.call("DescribeTimeToLive", {"TableName": "Kept"})["TimeToLiveDescription"]
        self.assertEqual({"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}, ttl)
        shards = connection.call("DescribeStream", {"StreamArn": table["LatestStreamArn"]}, STREAMS)["StreamDescription"]["Shards"]
        self.assertEqual(4, len(shards))
        backup = connection.call("ListBackups", {})["BackupSummaries"][0]
        connection.call("RestoreTableFromBackup", {"BackupArn": backup["BackupArn"], "TargetTableName": "Restored"})
        deadline = time.monotonic() + 20
        while connection.call("DescribeTable", {"TableName": "Restored"})["Table"]["TableStatus"] != "ACTIVE":
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(by_key(ITEMS), by_key(connection.call("Scan", {"TableName": "Restored"})["Items"]))
        connection.call("PutItem", {"TableName": "Kept", "Item": {"pk": {"S": "new"}, "sk": {"N": "1"}}})


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--write":
        write(HERE / sys.argv[2])
    else:
        unittest.main()
