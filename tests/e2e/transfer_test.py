"""Exports and imports of tables as a user makes them: boto3, awscli and `tintype table` against the real server."""

import base64
import datetime
import gzip
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import boto3
from boto3.dynamodb.types import Binary
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
import tintype_server  # noqa: E402

KEYS = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}

ITEMS = [
    {"pk": {"S": "scalars"}, "s": {"S": "caf\u00e9 \"\\\n\u0001\U0001f600"}, "n": {"N": "-12.5"}, "b": {"B": b"\x00\xff\x10"},
     "yes": {"BOOL": True}, "no": {"BOOL": False}, "null": {"NULL": True}},
    {"pk": {"S": "empty"}, "s": {"S": ""}, "b": {"B": b""}, "l": {"L": []}, "m": {"M": {}}, "ss": {"SS": [""]}, "bs": {"BS": [b""]}},
    {"pk": {"S": "numbers"}, "digits": {"N": "12345678901234567890123456789012345678"}, "large": {"N": "9.9999999999999999999999999999999999999E+125"},
     "small": {"N": "1E-130"}, "ns": {"NS": ["0", "-1", "3.1415926535897932384626433832795028841"]}},
    {"pk": {"S": "nested"}, "l": {"L": [{"M": {"deep": {"L": [{"N": "1"}, {"S": "x"}]}}}, {"BS": [b"a", b"bc"]}]}, "ss": {"SS": ["a", "b"]}},
]


def wait_until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def connect(server):
    return boto3.client("dynamodb", endpoint_url=server.endpoint, region_name="us-east-1",
                        aws_access_key_id=tintype_server.ACCESS_KEY_ID,
                        aws_secret_access_key=tintype_server.SECRET_ACCESS_KEY,
                        config=Config(retries={"max_attempts": 0}))


def run(*arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TINTYPE_")}
    return subprocess.run([os.environ["TINTYPE_BIN"], *map(str, arguments)], env=environment, text=True,
                          capture_output=True, timeout=60, check=False)


def contents(client, table):
    """All items in an order and a form of their own, so that equal tables are equal lists."""
    def plain(value):
        (kind, inner), = value.items()
        if kind in ("SS", "NS", "BS"):
            return kind, sorted(inner)
        if kind == "L":
            return kind, [plain(member) for member in inner]
        if kind == "M":
            return kind, {name: plain(member) for name, member in inner.items()}
        return kind, inner.value if isinstance(inner, Binary) else inner
    items = [item for page in client.get_paginator("scan").paginate(TableName=table) for item in page["Items"]]
    return sorted(({name: plain(value) for name, value in item.items()} for item in items), key=lambda item: item["pk"])


class TransferTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tintype-transfer-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = self.folder / "data"
        self.exports = self.data / "exports"
        self.server = None
        self.serve()

    def serve(self, *arguments):
        self.server = tintype_server.Server(data_dir=str(self.data), arguments=["--ballast-mb", "0", *arguments])
        self.addCleanup(self.server.process.kill)
        self.client = connect(self.server)

    def create(self, name, recovery=True, items=()):
        self.client.create_table(TableName=name, **KEYS)
        if recovery:
            self.client.update_continuous_backups(
                TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        for item in items:
            self.client.put_item(TableName=name, Item=item)
        return self.client.describe_table(TableName=name)["Table"]["TableArn"]

    def export(self, arn, **parameters):
        """Exports and waits; returns the description at the end."""
        begun = self.client.export_table_to_point_in_time(TableArn=arn, **{"S3Bucket": "bucket", **parameters})["ExportDescription"]
        self.assertEqual("IN_PROGRESS", begun["ExportStatus"])
        return self.ended(lambda: self.client.describe_export(ExportArn=begun["ExportArn"])["ExportDescription"], "ExportStatus")

    def import_table(self, name, **source):
        begun = self.begin_import(name, **source)
        return self.ended(lambda: self.client.describe_import(ImportArn=begun["ImportArn"])["ImportTableDescription"], "ImportStatus")

    def begin_import(self, name, prefix="", bucket="bucket", compression="GZIP", **parameters):
        return self.client.import_table(
            S3BucketSource={"S3Bucket": bucket, "S3KeyPrefix": prefix}, InputFormat="DYNAMODB_JSON",
            InputCompressionType=compression, TableCreationParameters={"TableName": name, **KEYS},
            **parameters)["ImportTableDescription"]

    def ended(self, describe, status):
        self.assertTrue(wait_until(lambda: describe()[status] != "IN_PROGRESS"), "not done in time")
        return describe()

    def refused(self, code, call, *arguments, **parameters):
        with self.assertRaises(ClientError) as refused:
            call(*arguments, **parameters)
        self.assertEqual(code, refused.exception.response["Error"]["Code"])
        return refused.exception.response["Error"]["Message"]

    def source(self, name, content):
        path = self.exports / "bucket" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def tables(self):
        return self.client.list_tables()["TableNames"]

    def test_export_and_import_keep_every_type(self):
        """What is exported is imported as it was, with manifests that say the truth, and nothing is left behind."""
        arn = self.create("Source", items=ITEMS)
        before = contents(self.client, "Source")
        ended = self.export(arn, S3Prefix="monthly/june")
        self.assertEqual("COMPLETED", ended["ExportStatus"], ended)
        self.assertEqual(len(ITEMS), ended["ItemCount"])
        self.assertEqual(["Source"], self.tables())
        export_id = ended["ExportArn"].rpartition("/")[2]
        self.assertEqual(f"monthly/june/AWSDynamoDB/{export_id}/manifest-summary.json", ended["ExportManifest"])
        bucket = self.exports / "bucket"
        folder = bucket / "monthly/june/AWSDynamoDB" / export_id
        self.assertEqual({"_started", "data", "manifest-files.json", "manifest-files.md5", "manifest-summary.json",
                          "manifest-summary.md5", "table.json"}, {entry.name for entry in folder.iterdir()})
        for name in ("manifest-files", "manifest-summary"):
            digest = hashlib.md5((folder / f"{name}.json").read_bytes()).digest()
            self.assertEqual(base64.b64encode(digest).decode(), (folder / f"{name}.md5").read_text())
        summary = json.loads((folder / "manifest-summary.json").read_text())
        self.assertEqual(len(ITEMS), summary["itemCount"])
        self.assertEqual(ended["BilledSizeBytes"], summary["billedSizeBytes"])
        self.assertEqual((arn, "bucket", "monthly/june", "DYNAMODB_JSON", "2020-06-30"),
                         tuple(summary[name] for name in ("tableArn", "s3Bucket", "s3Prefix", "outputFormat", "version")))
        listed = [json.loads(line) for line in (bucket / summary["manifestFilesS3Key"]).read_text().splitlines()]
        lines = 0
        for file in listed:
            content = (bucket / file["dataFileS3Key"]).read_bytes()
            self.assertEqual(base64.b64encode(hashlib.md5(content).digest()).decode(), file["md5Checksum"])
            self.assertEqual(hashlib.md5(content).hexdigest(), file["etag"])
            of_file = gzip.decompress(content).splitlines()
            self.assertEqual(file["itemCount"], len(of_file))
            self.assertTrue(all(list(json.loads(line)) == ["Item"] for line in of_file))
            lines += len(of_file)
        self.assertEqual(len(ITEMS), lines)

        # By the export's folder, with its manifests in it, and by its data alone.
        for name, prefix in (("Copy", f"monthly/june/AWSDynamoDB/{export_id}"), ("Data", f"monthly/june/AWSDynamoDB/{export_id}/data/")):
            done = self.import_table(name, prefix=prefix)
            self.assertEqual("COMPLETED", done["ImportStatus"], done)
            self.assertEqual((len(ITEMS), len(ITEMS), 0),
                             (done["ProcessedItemCount"], done["ImportedItemCount"], done["ErrorCount"]))
            self.assertEqual(before, contents(self.client, name))

    def test_export_of_a_past_second(self):
        """The first write is in the export, the second is not."""
        arn = self.create("Past", items=[{"pk": {"S": "first"}}])
        time.sleep(1.1)
        moment = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        time.sleep(1.1)
        self.client.put_item(TableName="Past", Item={"pk": {"S": "second"}})
        self.client.delete_item(TableName="Past", Key={"pk": {"S": "first"}})
        ended = self.export(arn, ExportTime=moment)
        self.assertEqual(("COMPLETED", 1, moment), (ended["ExportStatus"], ended["ItemCount"], ended["ExportTime"]))
        self.import_table("Then", prefix="AWSDynamoDB/")
        self.assertEqual([{"pk": ("S", "first")}], contents(self.client, "Then"))
        self.refused("InvalidExportTimeException", self.client.export_table_to_point_in_time, TableArn=arn, S3Bucket="bucket",
                     ExportTime=moment - datetime.timedelta(days=1))

    def test_errors_are_those_of_dynamodb(self):
        """Exports need recovery and a table; a token stands for one request; unknown ARNs are told apart."""
        arn = self.create("Plain", recovery=False)
        export = self.client.export_table_to_point_in_time
        self.refused("PointInTimeRecoveryUnavailableException", export, TableArn=arn, S3Bucket="bucket")
        self.refused("TableNotFoundException", export, TableArn=arn + "x", S3Bucket="bucket")
        self.refused("TableNotFoundException", export, TableArn=arn.replace("us-east-1", "eu-west-1"), S3Bucket="bucket")
        self.refused("ExportNotFoundException", self.client.describe_export, ExportArn=arn + "/export/01695353076000-a1b2c3d4")
        self.refused("ImportNotFoundException", self.client.describe_import, ImportArn=arn + "/import/01695353076000-a1b2c3d4")
        self.refused("ResourceInUseException", self.begin_import, "Plain")
        self.refused("ValidationException", export, TableArn=arn, S3Bucket="bucket", ExportFormat="ION")
        arn = self.create("Tokens")
        first = export(TableArn=arn, S3Bucket="bucket", ClientToken="one")["ExportDescription"]
        again = export(TableArn=arn, S3Bucket="bucket", ClientToken="one")["ExportDescription"]
        self.assertEqual(first["ExportArn"], again["ExportArn"])
        self.refused("ExportConflictException", export, TableArn=arn, S3Bucket="other", ClientToken="one")
        self.source("a.json", b"")
        first = self.begin_import("Imported", compression="NONE", ClientToken="one")
        self.assertEqual(first["ImportArn"], self.begin_import("Imported", compression="NONE", ClientToken="one")["ImportArn"])
        self.refused("ImportConflictException", self.begin_import, "Other", compression="NONE", ClientToken="one")

    def test_paths_cannot_leave_the_bucket(self):
        """Neither an export nor an import reaches anything outside of its bucket."""
        arn = self.create("Guarded", items=[{"pk": {"S": "x"}}])
        (self.data / "outside.json").write_text('{"Item":{"pk":{"S":"secret"}}}\n')
        for prefix in ("../x", "a/../../x", "..", "a/./b", "/../x"):
            self.refused("ValidationException", self.client.export_table_to_point_in_time,
                         TableArn=arn, S3Bucket="bucket", S3Prefix=prefix)
            self.refused("ValidationException", self.begin_import, "Stolen", prefix=prefix, compression="NONE")
        for bucket in ("..", "a/b", ".", "a/../..", "/tmp"):
            self.refused("ValidationException", self.client.export_table_to_point_in_time, TableArn=arn, S3Bucket=bucket)
            self.refused("ValidationException", self.begin_import, "Stolen", bucket=bucket)
        self.assertEqual(["Guarded"], self.tables())
        self.source("inside.json", b'{"Item":{"pk":{"S":"mine"}}}\n')
        os.symlink(self.data, self.exports / "bucket" / "link")
        os.symlink(self.data / "outside.json", self.exports / "bucket" / "outside.json")
        for name, prefix in (("All", ""), ("Link", "link/")):
            done = self.import_table(name, prefix=prefix, compression="NONE")
            self.assertLessEqual(done["ImportedItemCount"], 1, done)
        self.assertEqual([{"pk": ("S", "mine")}], contents(self.client, "All"))
        # A leading slash means nothing: it stays within the bucket.
        self.assertEqual("COMPLETED", self.export(arn, S3Prefix="/absolute")["ExportStatus"])
        self.assertTrue((self.exports / "bucket" / "absolute" / "AWSDynamoDB").is_dir())

    def test_import_goes_on_after_bad_lines(self):
        """Lines that are no items are counted and fail the import; all others are imported. Of a repeated key the later
        line wins."""
        lines = [b'{"Item":{"pk":{"S":"a"},"v":{"N":"1"}}}', b'not json', b'', b'{"Item":{"v":{"N":"1"}}}',
                 b'{"Item":{"pk":{"N":"1"}}}', b'{"Item":{"pk":{"S":""}}}', b'{"Item":{"pk":{"S":"a"},"v":{"N":"2"}}}\r',
                 b'{"Item":{"pk":{"S":"big"},"v":{"S":"' + b"x" * 410_000 + b'"}}}', b'{"Item":{"pk":{"S":"last"}}}']
        self.source("lines.json", b"\n".join(lines))
        self.source("ignored.txt", b"not a data file")
        done = self.import_table("Lines", compression="NONE")
        self.assertEqual(("FAILED", 8, 3, 5), tuple(
            done[name] for name in ("ImportStatus", "ProcessedItemCount", "ImportedItemCount", "ErrorCount")), done)
        self.assertEqual([{"pk": ("S", "a"), "v": ("N", "2")}, {"pk": ("S", "last")}], contents(self.client, "Lines"))
        self.assertIn("lines.json, line 2", done["FailureMessage"])
        self.assertIn("a line was not imported", self.server.log)

    def test_items_need_no_line_of_their_own(self):
        """Items that follow one another without the end of a line are taken, and a bad one among them is counted."""
        items = [json.dumps({"Item": {"pk": {"S": f"{number} }}{{"}}}).encode() for number in range(5)]
        self.source("joined.json", b"\n".join([items[0], items[1] + items[2], b" ".join(items[3:])]))
        done = self.import_table("Joined", compression="NONE")
        self.assertEqual(("COMPLETED", 5, 5, 0), tuple(
            done[name] for name in ("ImportStatus", "ProcessedItemCount", "ImportedItemCount", "ErrorCount")), done)
        self.assertEqual(5, len(contents(self.client, "Joined")))
        self.source("half/joined.json", items[0] + b'{"Item":{}}' + items[1])
        done = self.import_table("Half", prefix="half/", compression="NONE")
        self.assertEqual(("FAILED", 3, 2, 1), tuple(
            done[name] for name in ("ImportStatus", "ProcessedItemCount", "ImportedItemCount", "ErrorCount")), done)
        self.assertEqual(2, len(contents(self.client, "Half")))

    def test_an_empty_bucket_makes_an_empty_table(self):
        """A prefix that nothing has is no error, a bucket that is not there is."""
        self.source("elsewhere/data.json", b"")
        done = self.import_table("Empty", prefix="nothing/", compression="NONE")
        self.assertEqual(("COMPLETED", 0, 0, 0, 0), tuple(done[name] for name in (
            "ImportStatus", "ProcessedItemCount", "ImportedItemCount", "ErrorCount", "ProcessedSizeBytes")), done)
        self.assertEqual([], contents(self.client, "Empty"))
        done = self.import_table("Nowhere", bucket="nowhere")
        self.assertEqual(("FAILED", "S3NoSuchBucket", "The specified bucket does not exist: nowhere"),
                         (done["ImportStatus"], done["FailureCode"], done["FailureMessage"]))
        self.assertNotIn("Nowhere", self.tables())

    def test_a_damaged_file_fails_the_import(self):
        """A truncated, changed or foreign file fails it with a reason; a table that got nothing is gone."""
        whole = gzip.compress(b"".join(b'{"Item":{"pk":{"S":"%d"}}}\n' % number for number in range(5000)))
        changed = bytearray(whole)
        changed[len(whole) // 2] ^= 0xff
        for name, content in (("cut", whole[:-5]), ("changed", bytes(changed)), ("foreign", b"plain"), ("empty", b"")):
            self.source(f"{name}/data.json.gz", content)
            done = self.import_table(name, prefix=f"{name}/")
            self.assertEqual("FAILED", done["ImportStatus"], name)
            self.assertIn(f"{name}/data.json.gz is damaged", done["FailureMessage"])
            self.assertEqual(done["ImportedItemCount"] > 0, name in self.tables())
        self.source("joined/data.json.gz", whole + gzip.compress(b'{"Item":{"pk":{"S":"more"}}}'))
        self.assertEqual(5001, self.import_table("joined", prefix="joined/")["ImportedItemCount"])

    @staticmethod
    def pages(operation, **parameters):
        page = operation(**parameters)
        yield page
        while "NextToken" in page:
            page = operation(NextToken=page["NextToken"], **parameters)
            yield page

    def test_lists_by_pages(self):
        """Every export and import is listed once, by pages and by table, also after a restart."""
        arns = [self.create(f"List{number}", items=ITEMS) for number in range(3)]
        exports = {self.export(arn)["ExportArn"] for arn in arns}
        imports = {self.import_table(f"New{number}", prefix="AWSDynamoDB/")["ImportArn"] for number in range(3)}
        for _ in range(2):
            pages = list(self.pages(self.client.list_exports, MaxResults=2))
            self.assertEqual([2, 1], [len(page["ExportSummaries"]) for page in pages])
            self.assertEqual(exports, {each["ExportArn"] for page in pages for each in page["ExportSummaries"]})
            one = self.client.list_exports(TableArn=arns[1])["ExportSummaries"]
            self.assertEqual([arns[1]], [each["ExportArn"].rpartition("/export/")[0] for each in one])
            found = [each["ImportArn"] for page in self.pages(self.client.list_imports, PageSize=1)
                     for each in page["ImportSummaryList"]]
            self.assertEqual(sorted(imports), sorted(found))
            self.server.stop()
            self.serve()

    def test_an_interrupted_export_is_failed_and_cleaned_up(self):
        """Killed in the middle, an export is FAILED after the restart, without its files and its table."""
        text = {"S": "x" * 30_000}
        arn = self.create("Large")
        for number in range(0, 400, 25):
            self.client.batch_write_item(RequestItems={"Large": [
                {"PutRequest": {"Item": {"pk": {"S": str(number + i)}, "text": text}}} for i in range(25)]})
        begun = self.client.export_table_to_point_in_time(TableArn=arn, S3Bucket="bucket")["ExportDescription"]
        self.server.process.kill()
        self.server.process.wait()
        self.serve()
        ended = self.client.describe_export(ExportArn=begun["ExportArn"])["ExportDescription"]
        if ended["ExportStatus"] != "COMPLETED":  # It may have been quicker than the signal.
            self.assertEqual(("FAILED", "Interrupted"), (ended["ExportStatus"], ended["FailureCode"]))
            self.assertTrue(wait_until(lambda: self.tables() == ["Large"]), self.tables())
            self.assertEqual([], list(self.exports.glob("bucket/AWSDynamoDB/*/*")))
        self.assertEqual("COMPLETED", self.export(arn)["ExportStatus"])

    def test_awscli(self):
        """The commands that AWS's documentation shows."""
        arn = self.create("Music", items=ITEMS)
        environment = {**os.environ, "AWS_ACCESS_KEY_ID": tintype_server.ACCESS_KEY_ID, "AWS_DEFAULT_REGION": "us-east-1",
                       "AWS_SECRET_ACCESS_KEY": tintype_server.SECRET_ACCESS_KEY, "AWS_PAGER": "", "AWS_EC2_METADATA_DISABLED": "true"}

        def aws(*arguments):
            result = subprocess.run(["aws", "--endpoint-url", self.server.endpoint, "--output", "json", "dynamodb", *arguments],
                                    env=environment, text=True, capture_output=True, timeout=60, check=False)
            self.assertEqual(0, result.returncode, result.stderr)
            return json.loads(result.stdout)

        begun = aws("export-table-to-point-in-time", "--table-arn", arn, "--s3-bucket", "ddb-export-musiccollection",
                    "--s3-prefix", "2020-Nov", "--export-format", "DYNAMODB_JSON")["ExportDescription"]
        export_arn = begun["ExportArn"]
        self.assertTrue(wait_until(lambda: aws("describe-export", "--export-arn", export_arn)["ExportDescription"]["ExportStatus"] == "COMPLETED"))
        self.assertEqual([export_arn], [each["ExportArn"] for each in aws("list-exports")["ExportSummaries"]])
        begun = aws("import-table", "--s3-bucket-source", "S3Bucket=ddb-export-musiccollection,S3KeyPrefix=2020-Nov",
                    "--input-format", "DYNAMODB_JSON", "--input-compression-type", "GZIP", "--table-creation-parameters",
                    json.dumps({"TableName": "MusicCopy", **KEYS}))["ImportTableDescription"]
        self.ended(lambda: aws("describe-import", "--import-arn", begun["ImportArn"])["ImportTableDescription"], "ImportStatus")
        self.assertEqual(1, len(aws("list-imports")["ImportSummaryList"]))
        self.assertEqual(contents(self.client, "Music"), contents(self.client, "MusicCopy"))

    def test_commands(self):
        """`tintype table` exports and imports with a server and without, creates the table, and merges into one."""
        self.client.create_table(
            TableName="Cli", BillingMode="PAY_PER_REQUEST", KeySchema=KEYS["KeySchema"],
            AttributeDefinitions=[*KEYS["AttributeDefinitions"], {"AttributeName": "s", "AttributeType": "S"}],
            GlobalSecondaryIndexes=[{"IndexName": "by-s", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}],
                                     "Projection": {"ProjectionType": "KEYS_ONLY"}}])
        for item in ITEMS[2:]:
            self.client.put_item(TableName="Cli", Item=item)
        before = contents(self.client, "Cli")
        for served in (True, False):
            to = self.folder / f"out-{served}"
            if not served:
                self.server.stop()
            result = run("table", "export", "--table", "Cli", "--to", to, "--data-dir", self.data)
            self.assertEqual(0, result.returncode, result.stderr)
            self.assertRegex(result.stdout, "^exported 2 items, .* to .*AWSDynamoDB")
            result = run("table", "import", "--table", f"Copy-{served}", "--from", to, "--data-dir", self.data, "--json")
            self.assertEqual(0, result.returncode, result.stderr)
            done = json.loads(result.stdout.splitlines()[-1])["done"]
            self.assertEqual((True, 2, 0), (done["created"], done["items"], done["errors"]))
        self.serve()
        for name in ("Copy-True", "Copy-False"):
            self.assertEqual(before, contents(self.client, name))
            self.assertEqual("by-s", self.client.describe_table(TableName=name)["Table"]["GlobalSecondaryIndexes"][0]["IndexName"])

        # With recovery the export has a time; what the table has got since stays when it is merged.
        arn = self.create("Timed", items=[{"pk": {"S": "old"}, "v": {"N": "1"}}])
        self.assertTrue(arn)
        time.sleep(1.1)
        moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        time.sleep(1.1)
        self.client.put_item(TableName="Timed", Item={"pk": {"S": "old"}, "v": {"N": "2"}})
        self.client.put_item(TableName="Timed", Item={"pk": {"S": "new"}})
        to = self.folder / "timed"
        result = run("table", "export", "--table", "Timed", "--to", to, "--time", moment, "--data-dir", self.data)
        self.assertEqual(0, result.returncode, result.stderr)
        result = run("table", "import", "--table", "Timed", "--from", to, "--data-dir", self.data)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual([{"pk": ("S", "new")}, {"pk": ("S", "old"), "v": ("N", "1")}], contents(self.client, "Timed"))
        self.assertEqual({"Cli", "Copy-True", "Copy-False", "Timed"}, set(self.tables()))

        for words, arguments in (
                ("not a time", ("export", "--table", "Timed", "--to", to, "--time", "yesterday")),
                ("not enabled", ("export", "--table", "Cli", "--to", to, "--time", moment)),
                ("not found", ("export", "--table", "None", "--to", to)),
                ("no files of DynamoDB JSON", ("import", "--table", "Cli", "--from", self.data / "tables")),
                ("There is no folder", ("import", "--table", "Cli", "--from", self.folder / "none"))):
            result = run("table", *arguments, "--data-dir", self.data)
            self.assertEqual(1, result.returncode, result.stdout)
            self.assertIn(words, result.stderr)
        # A file of the export that is missing is noticed, and so is a second export.
        run("table", "export", "--table", "Cli", "--to", to, "--data-dir", self.data)
        result = run("table", "import", "--table", "Timed", "--from", to, "--data-dir", self.data)
        self.assertIn("several exports", result.stderr)
        alone = self.folder / "out-True"
        next(alone.glob("AWSDynamoDB/*/data/*.gz")).rename(next(alone.glob("AWSDynamoDB/*")) / "data" / "renamed.gz")
        result = run("table", "import", "--table", "Cli", "--from", alone, "--data-dir", self.data)
        self.assertIn("is missing", result.stderr)


if __name__ == "__main__":
    unittest.main()
