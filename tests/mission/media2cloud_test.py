"""Media2Cloud: the ingest and analysis records and the backlog, as the product writes them, by the document's own
calls.

Correction throughout: the document's calls name `ingest-table` and `analysis-table`, which stand for the real names.
"""

import concurrent.futures
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

import botocore.exceptions

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
from breakable_helper import BreakableHelper  # noqa: E402
from gallery import ANALYSIS, BACKLOG, FACES, INGEST, SYSTEM, Gallery, GalleryTest, wait_until  # noqa: E402

KINDS = {"rekognition": ("celeb", "face", "label"), "comprehend": ("keyphrase", "entity", "sentiment")}


def leaves(data):
    """The jobs of an analysis: whatever carries a status."""
    if "status" in data:
        return [data]
    return [leaf for value in data.values() for leaf in leaves(value)]


def calculate_progress(data):
    """The document's formula. Corrections: jobs are the leaves that carry a status; skipped ones do not count; nothing
    to do is 100."""
    jobs = [job for job in leaves(data) if job["status"] != "SKIPPED"]
    completed = [job for job in jobs if job["status"] == "COMPLETED"]
    return round(len(completed) / len(jobs) * 100) if jobs else 100


class Media2CloudTest(GalleryTest):
    # The document's functions.

    def get_ingest_item(self, uuid):
        return self.documents.get_item(TableName=INGEST, Key={"uuid": uuid}).get("Item")

    def newest(self, kind):
        return self.documents.query(
            TableName=INGEST,
            IndexName="type-timestamp-index",
            KeyConditionExpression="#type = :type",
            ExpressionAttributeNames={
                "#type": "type"
            },
            ExpressionAttributeValues={
                ":type": kind
            },
            ScanIndexForward=False,
            Limit=20)["Items"]

    def by_date_range(self, kind, start, end):
        return self.documents.query(
            TableName=INGEST,
            IndexName="type-timestamp-index",
            KeyConditionExpression="#type = :type AND #timestamp BETWEEN :start AND :end",
            ExpressionAttributeNames={
                "#type": "type",
                "#timestamp": "timestamp"
            },
            ExpressionAttributeValues={
                ":type": kind,
                ":start": start,
                ":end": end
            })["Items"]

    def update_status(self, uuid, new_status, current_status):
        return self.documents.update_item(
            TableName=ANALYSIS,
            Key={"uuid": uuid},
            UpdateExpression="SET #status = :newStatus, #updatedAt = :now",
            ConditionExpression="#status = :currentStatus",
            ExpressionAttributeNames={
                "#status": "overallStatus",
                "#updatedAt": "updatedAt"
            },
            ExpressionAttributeValues={
                ":newStatus": new_status,
                ":currentStatus": current_status,
                ":now": int(time.time() * 1000)
            })

    def developed(self, name, status="completed"):
        data = photos.corrupt(name) if status == "failed" else photos.jpeg(name)
        image_id = self.ada.upload(data, f"{name}.jpg")
        self.gallery.wait_developed(self.ada, image_id, status)
        return image_id, data

    def test_M2C_1_the_four_tables(self):
        """M2C-1: the four tables exist by their names, with the document's keys and indexes."""
        expected = {
            INGEST: (["uuid"], {"type-timestamp-index": ["type", "timestamp"]}),
            ANALYSIS: (["uuid"], {"status-timestamp-index": ["overallStatus", "timestamp"]}),
            FACES: (["uuid", "faceId"], {"collection-timestamp-index": ["collectionId", "timestamp"]}),
            # Correction: one index more, by which work is found.
            BACKLOG: (["id"], {"status-order-index": ["status", "order"]}),
        }
        for name, (keys, indexes) in expected.items():
            table = self.dynamodb.describe_table(TableName=name)["Table"]
            self.assertEqual([key["AttributeName"] for key in table["KeySchema"]], keys, name)
            self.assertEqual({index["IndexName"]: [key["AttributeName"] for key in index["KeySchema"]]
                              for index in table["GlobalSecondaryIndexes"]}, indexes, name)
            self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST", name)

    def test_M2C_2_the_ingest_record(self):
        """M2C-2: a photo's ingest record has the document's attributes, with its checksum. (Other media come later.)"""
        before = int(time.time() * 1000)
        image_id, data = self.developed("M2C-2")
        item = self.get_ingest_item(image_id)
        timestamp = item.pop("timestamp")
        options = item["input"].pop("aiOptions")
        self.assertLessEqual({"celeb", "face", "label", "transcribe"}, set(options))
        self.assertTrue(before <= timestamp <= time.time() * 1000)
        self.assertEqual(item, {
            "uuid": image_id, "type": "image", "bucket": "images", "key": f"images/{image_id}/ORIGINAL",
            "fileSize": len(data), "overallStatus": "COMPLETED", "progress": 100,
            "input": {"destination": {"bucket": "images", "prefix": f"{image_id}/"}},
            "data": {"checksum": {"algorithm": "md5", "fileSize": len(data), "computed": hashlib.md5(data).hexdigest(),
                                  "storeClass": "STANDARD"}}})
        self.assertEqual(self.gallery.blob(f"{item['bucket']}/{item['key']}"), data)
        shown = self.ada.call("GET", f"/media/{image_id}")
        self.assertEqual((shown["uuid"], shown["data"]), (image_id, json.loads(json.dumps(item["data"], default=int))))

    def test_attributes_of_other_programs(self):
        """What another program adds to the records is shown with them, and the contract allows it."""
        image_id, _ = self.developed("M2C-2 others")
        for table, path in ((INGEST, f"/media/{image_id}"), (ANALYSIS, f"/media/{image_id}/analysis")):
            self.documents.update_item(TableName=table, Key={"uuid": image_id}, UpdateExpression="SET #other = :other",
                                       ExpressionAttributeNames={"#other": "mediainfo"},
                                       ExpressionAttributeValues={":other": {"container": ["JPEG"]}})
            self.assertEqual(self.ada.call("GET", path)["mediainfo"], {"container": ["JPEG"]})

    def test_M2C_3_newest_and_by_date(self):
        """M2C-3: the newest of a type and those of a range of time, by the index of the document."""
        uploaded = [self.ada.upload(photos.png(f"M2C-3 {n}", 40, 30)) for n in range(22)]
        self.assertEqual([item["uuid"] for item in self.newest("image")], uploaded[:1:-1])
        self.assertEqual(self.newest("video"), [])
        start, end = (self.get_ingest_item(uploaded[n])["timestamp"] for n in (5, 9))
        self.assertEqual([item["uuid"] for item in self.by_date_range("image", start, end)], uploaded[5:10])

    def test_M2C_5_every_kind_and_its_status(self):
        """M2C-5: an analysis names every kind, done, skipped with the reason or failed as it is; progress follows the
        document's formula."""
        image_id, _ = self.developed("M2C-5")
        item = self.documents.get_item(TableName=ANALYSIS, Key={"uuid": image_id})["Item"]
        data = item["data"]
        for service, kinds in KINDS.items():
            self.assertEqual({kind: data[service][kind]["status"] for kind in kinds}, {kind: "SKIPPED" for kind in kinds})
            for kind in kinds:
                self.assertIn("no model" if service == "rekognition" else "The media type", data[service][kind]["reason"])
        self.assertEqual(data["transcribe"]["status"], "SKIPPED")
        self.assertIn("The media type", data["transcribe"]["reason"])
        properties = data["image"]["properties"]
        self.assertEqual(properties["status"], "COMPLETED")
        self.assertLessEqual(properties["startTime"], properties["endTime"])
        self.assertEqual(properties["output"], f"s3://images/{image_id}/image/properties.json")
        found = json.loads(self.gallery.blob(properties["output"].removeprefix("s3://")))
        self.assertEqual((found["width"], found["height"]), (320, 240))
        self.assertGreater(len(found["dominantColors"]), 0)
        self.assertEqual((item["overallStatus"], item["progress"], calculate_progress(data)), ("COMPLETED", 100, 100))
        self.assertEqual(self.ada.call("GET", f"/media/{image_id}/analysis")["data"]["image"]["properties"], properties)

        failed, _ = self.developed("M2C-5 failed", "failed")
        item = self.documents.get_item(TableName=ANALYSIS, Key={"uuid": failed})["Item"]
        self.assertEqual(item["data"]["image"]["properties"]["status"], "ERROR")
        self.assertEqual((item["overallStatus"], item["progress"]), ("ERROR", calculate_progress(item["data"])))
        self.assertEqual(self.get_ingest_item(failed)["overallStatus"], "ERROR")

    def test_M2C_5_progress_while_work_goes_on(self):
        """M2C-5: the ingest record is not started, then in progress, then completed."""
        self.developed("M2C-5 warm")
        self.gallery.wait_idle()
        with self.gallery.paused():
            first, second = (self.ada.upload(photos.png(f"M2C-5 {n}", 40, 30)) for n in range(2))

            def at_work():
                item = self.get_ingest_item(first)
                return item["overallStatus"] == "IN_PROGRESS" and 0 < item["progress"] < 100

            wait_until(at_work, "a photo in progress")
            item = self.get_ingest_item(second)
            self.assertEqual((item["overallStatus"], item["progress"]), ("NOT_STARTED", 0))
        for image_id in (first, second):
            self.gallery.wait_developed(self.ada, image_id)
            item = self.get_ingest_item(image_id)
            self.assertEqual((item["overallStatus"], item["progress"]), ("COMPLETED", 100))

    def test_M2C_8_conditional_updates(self):
        """M2C-8: the document's update changes the status of a record only from the one expected, and REST shows it."""
        image_id, _ = self.developed("M2C-8")
        with self.assertRaises(self.dynamodb.exceptions.ConditionalCheckFailedException):
            self.update_status(image_id, "IN_PROGRESS", "NOT_STARTED")
        self.update_status(image_id, "IN_PROGRESS", "COMPLETED")
        self.assertEqual(self.ada.call("GET", f"/media/{image_id}/analysis")["overallStatus"], "IN_PROGRESS")
        with self.assertRaises(self.dynamodb.exceptions.ConditionalCheckFailedException):
            self.update_status(image_id, "IN_PROGRESS", "COMPLETED")

    def test_M2C_9_the_index_returns_what_it_projects(self):
        """M2C-9: `status-timestamp-index` has of each analysis its keys and what it includes, and nothing else. The
        results, which the table has, are not there; asking for them by the index is refused."""
        image_id, _ = self.developed("M2C-9")
        table = self.dynamodb.describe_table(TableName=ANALYSIS)["Table"]
        [index] = [index for index in table["GlobalSecondaryIndexes"] if index["IndexName"] == "status-timestamp-index"]
        self.assertEqual((index["Projection"]["ProjectionType"], set(index["Projection"]["NonKeyAttributes"])),
                         ("INCLUDE", {"uuid", "type", "progress"}))
        record = self.gallery.get(ANALYSIS, uuid=image_id)
        self.assertIn("data", record)
        request = dict(TableName=ANALYSIS, IndexName="status-timestamp-index", ScanIndexForward=False,
                       KeyConditionExpression="overallStatus = :status AND #timestamp = :timestamp",
                       ExpressionAttributeNames={"#timestamp": "timestamp"},
                       ExpressionAttributeValues={":status": "COMPLETED", ":timestamp": record["timestamp"]})
        [found] = [item for item in self.documents.query(**request)["Items"] if item["uuid"] == image_id]
        self.assertEqual(found, {name: record[name] for name in ("uuid", "overallStatus", "timestamp", "type", "progress")})
        with self.assertRaises(self.dynamodb.exceptions.ClientError) as refused:
            self.documents.query(**request, Select="ALL_ATTRIBUTES")
        self.assertEqual(refused.exception.response["Error"]["Code"], "ValidationException")


class BacklogTest(unittest.TestCase):
    """The backlog of a server whose image helper dies of every picture while a certain file exists."""

    @classmethod
    def setUpClass(cls):
        helper = BreakableHelper()
        cls.addClassCleanup(helper.cleanup)
        cls.broken = helper.broken
        cls.gallery = Gallery(("--workers", "1", "--darkroom", str(helper.path)))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def work(self, *arguments):
        """The command `tintype work`: what it printed."""
        done = subprocess.run([os.environ["TINTYPE_BIN"], "work", *arguments, "--data-dir", self.gallery.server.data_dir],
                              capture_output=True, text=True, check=True)
        return done.stdout

    def work_in(self, status):
        """Correction: `status` is reserved, and the index is the one that the errata add."""
        return self.gallery.documents.query(
            TableName=BACKLOG, IndexName="status-order-index", KeyConditionExpression="#status = :status",
            ExpressionAttributeNames={"#status": "status"}, ExpressionAttributeValues={":status": status})["Items"]

    def test_M2C_7_work_that_waits(self):
        """M2C-7: work is an item of the document's shape while it waits, leased by one worker at a time, and gone when
        done."""
        warm = self.ada.upload(photos.png("M2C-7 warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        with self.gallery.paused():
            uploaded = [self.ada.upload(photos.png(f"M2C-7 {n}", 40, 30)) for n in range(4)]
            wait_until(lambda: self.work_in("LEASED"), "a worker with a lease")
            [leased] = self.work_in("LEASED")
            self.assertEqual((leased["uuid"], leased["retryCount"]), (uploaded[0], 0))
            self.assertGreater(leased["leaseUntil"], time.time() * 1000)
            self.assertEqual([work["uuid"] for work in self.work_in("PENDING")], uploaded[1:])
            work = self.gallery.get(BACKLOG, id=self.work_in("PENDING")[0]["id"])
            self.assertLessEqual({"id", "type", "status", "priority", "uuid", "input", "createdAt", "updatedAt", "retryCount",
                                  "maxRetries"}, set(work))
            self.assertEqual((work["status"], work["uuid"], work["retryCount"]), ("PENDING", uploaded[1], 0))
        for image_id in uploaded:
            self.gallery.wait_developed(self.ada, image_id)
        self.gallery.wait_idle()
        self.assertFalse([work for work in self.gallery.scan(BACKLOG) if work["uuid"] in uploaded])

    def test_M2C_7_priorities(self):
        """M2C-7: what has the higher priority is done first, whenever it came, also when somebody gave it that by the
        table; a rebuild of renditions comes last of all."""
        warm = self.ada.upload(photos.png("M2C-7 warm for priorities", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        with self.gallery.paused():
            first = self.ada.upload(photos.png("M2C-7 at work", 40, 30))
            wait_until(lambda: self.work_in("LEASED"), "a worker with a lease")
            rebuild = subprocess.Popen([os.environ["TINTYPE_BIN"], "rebuild", "renditions", "--image", warm, "--data-dir",
                                        self.gallery.server.data_dir], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until(lambda: self.gallery.get(BACKLOG, id="rebuild-renditions"), "a rebuild that waits")
            normal, urgent = (self.ada.upload(photos.png(f"M2C-7 {name}", 40, 30)) for name in ("normal", "urgent"))
            work = self.gallery.get(BACKLOG, id=f"develop-{urgent}")
            self.assertEqual((work["priority"], work["order"][0]), (5, "5"))
            self.assertEqual(self.gallery.get(BACKLOG, id="rebuild-renditions")["priority"], 9)
            self.gallery.documents.update_item(
                TableName=BACKLOG, Key={"id": work["id"]}, UpdateExpression="SET priority = :one, #order = :order",
                ExpressionAttributeNames={"#order": "order"},
                ExpressionAttributeValues={":one": 1, ":order": "1" + work["order"][1:]})
            self.assertEqual([work["uuid"] for work in self.work_in("PENDING") if work["uuid"] in (normal, urgent)],
                             [urgent, normal])
        self.assertEqual(rebuild.wait(timeout=60), 0)
        self.gallery.wait_idle()
        ended = sorted((first, normal, urgent, warm), key=lambda image_id: self.gallery.record(image_id)["updatedAt"])
        self.assertEqual(ended, [first, urgent, normal, warm])

    def test_M2C_7_retries_then_a_dead_letter(self):
        """M2C-7: work that fails is tried again, ever later, as often as it says; then it is dead and tells why, and
        the photo is failed with its original kept. Once the cause is mended, an operator has it tried again."""
        warm = self.ada.upload(photos.png("M2C-7 warm again", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.broken.touch()
        self.addCleanup(self.broken.unlink, missing_ok=True)
        for process in self.gallery.helpers(templates=True):
            os.kill(process, signal.SIGKILL)
        picture = photos.png("M2C-7 dead", 40, 30)
        image_id = self.ada.upload(picture)
        [work] = wait_until(lambda: self.work_in("DELAYED"), "a first attempt that failed")
        # As often as the item says, which is less than usual here, so that the test is quick.
        self.gallery.documents.update_item(TableName=BACKLOG, Key={"id": work["id"]}, UpdateExpression="SET maxRetries = :two",
                                           ExpressionAttributeValues={":two": 2})
        waits = {}

        def dead():
            for work in self.work_in("DELAYED"):
                waits[int(work["retryCount"])] = int(work["dueAt"] - work["updatedAt"])
                self.assertTrue(work["lastError"])
            return self.work_in("DEAD")

        [letter] = wait_until(dead, "a dead letter")
        self.assertEqual((letter["type"], letter["uuid"], letter["retryCount"]), ("develop", image_id, 3))
        self.assertIn("helper", letter["lastError"])
        self.assertEqual(waits, {1: 1000, 2: 2000})
        image = self.ada.image(image_id)
        self.assertEqual((image["processingStatus"], image["processingError"]), ("failed", letter["lastError"]))
        self.assertEqual(self.gallery.blob(f"images/images/{image_id}/ORIGINAL"), picture)

        self.assertRegex(self.work("list"), f"(?m)^{letter['id']}  develop  .*  3  .*helper")
        self.assertIn("1 dead", self.work("list"))
        self.broken.unlink()
        self.assertEqual(self.work("replay", letter["id"]), "1 will be tried again\n")
        wait_until(lambda: self.ada.image(image_id)["processingStatus"] == "completed", "the replayed development")
        self.assertEqual(self.work("list"), "0 dead\n")
        self.assertEqual(self.work("replay", "--all"), "0 will be tried again\n")


# The document's policy, as it is printed. Corrections: the region and the account, and the table's real name.
INGEST_POLICY = """{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": [
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:Query"
      ],
      "Resource": [
        "arn:aws:dynamodb:us-east-1:000000000000:table/%(table)s",
        "arn:aws:dynamodb:us-east-1:000000000000:table/%(table)s/index/*"
      ],
      "Condition": {
        "ForAllValues:StringEquals": {
          "dynamodb:Attributes": ["uuid", "timestamp", "type"]
        }
      }
    }
  ]
}""" % {"table": INGEST}


class PolicyTest(GalleryTest):
    """Access keys with policies, on what the product wrote when somebody uploaded a photo."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.uuid = cls.ada.upload(photos.png("M2C-12", 40, 30))
        cls.gallery.wait_developed(cls.ada, cls.uuid)

    def key(self, name, policy):
        file = self.enterContext(tempfile.NamedTemporaryFile("w", suffix=".json"))
        file.write(policy if isinstance(policy, str) else json.dumps(policy))
        file.flush()
        return self.gallery.access_key(name, file.name)

    def denied(self, call, **request):
        with self.assertRaises(botocore.exceptions.ClientError) as refused:
            call(**request)
        self.assertEqual("AccessDeniedException", refused.exception.response["Error"]["Code"])
        return refused.exception.response["Error"]["Message"]

    def query(self, client, projection, **more):
        return client.query(
            TableName=INGEST, IndexName="type-timestamp-index", KeyConditionExpression="#type = :type",
            ProjectionExpression=projection, ExpressionAttributeNames={"#type": "type", "#timestamp": "timestamp"},
            ExpressionAttributeValues={":type": "image"}, **more)["Items"]

    def test_M2C_12_the_printed_policy(self):
        """M2C-12: the document's policy lets a key do what it lists, on the table and its indexes, by the attributes
        that it lists, and nothing else."""
        client = self.key("printed", INGEST_POLICY)
        key = {"uuid": self.uuid}
        item = client.get_item(TableName=INGEST, Key=key, ProjectionExpression="#t",
                               ExpressionAttributeNames={"#t": "type"})["Item"]
        self.assertEqual({"type": "image"}, item)
        found = self.query(client, "#type, #timestamp")
        self.assertEqual([self.documents.get_item(TableName=INGEST, Key=key)["Item"]["timestamp"]],
                         [each["timestamp"] for each in found])
        said = self.denied(client.get_item, TableName=INGEST, Key=key, ProjectionExpression="#key",
                           ExpressionAttributeNames={"#key": "key"})
        self.assertEqual(said, "User: arn:aws:iam::000000000000:user/printed is not authorized to perform: dynamodb:GetItem "
                               f"on resource: arn:aws:dynamodb:us-east-1:000000000000:table/{INGEST} because no "
                               "identity-based policy allows the dynamodb:GetItem action")
        self.denied(client.update_item, TableName=INGEST, Key=key, UpdateExpression="SET #status = :s",
                    ExpressionAttributeNames={"#status": "status"}, ExpressionAttributeValues={":s": "FAILED"})
        self.denied(client.scan, TableName=INGEST)
        self.denied(client.delete_item, TableName=INGEST, Key=key)
        self.denied(client.get_item, TableName=ANALYSIS, Key=key)
        self.denied(client.list_tables)
        self.assertEqual("COMPLETED", self.documents.get_item(TableName=INGEST, Key=key)["Item"]["overallStatus"])

    def test_M2C_12_wildcards_indexes_and_explicit_denials(self):
        """M2C-12: actions and resources with wildcards, an index without its table, a denial that wins."""
        table = f"arn:aws:dynamodb:us-east-1:000000000000:table/{INGEST}"
        index_only = self.key("index-only", {"Version": "2012-10-17", "Statement": {
            "Effect": "Allow", "Action": "dynamodb:Q*", "Resource": f"{table}/index/type-*"}})
        self.assertTrue(self.query(index_only, "#type, #timestamp"))
        self.denied(index_only.query, TableName=INGEST, KeyConditionExpression="#u = :u",
                    ExpressionAttributeNames={"#u": "uuid"}, ExpressionAttributeValues={":u": self.uuid})
        careful = self.key("careful", {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": "dynamodb:*", "Resource": "arn:aws:dynamodb:*:*:table/so0050-*"},
            {"Sid": "NoDeletion", "Effect": "Deny", "Action": ["dynamodb:Delete*", "dynamodb:BatchWriteItem"],
             "Resource": "*"}]})
        self.assertEqual(self.uuid, careful.get_item(TableName=INGEST, Key={"uuid": self.uuid})["Item"]["uuid"])
        self.assertIn("explicit deny", self.denied(careful.delete_item, TableName=INGEST, Key={"uuid": self.uuid}))
        # Nor as a part of a transaction.
        self.denied(careful.transact_write_items, TransactItems=[
            {"Delete": {"TableName": INGEST, "Key": {"uuid": self.uuid}}}])

    def test_M2C_12_keys_that_come_with_the_program(self):
        """M2C-12: what the named policies allow on the product's tables; the accounts answer none of them."""
        key = {"uuid": self.uuid}
        reader, tables, admin = (self.gallery.access_key(f"plain-{name}", name) for name in ("read-only", "tables", "admin"))
        self.assertTrue(reader.scan(TableName=INGEST)["Items"])
        self.denied(reader.update_item, TableName=INGEST, Key=key)
        self.denied(tables.get_item, TableName=INGEST, Key=key)
        tables.create_table(TableName="own", BillingMode="PAY_PER_REQUEST",
                            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
                            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}])
        tables.put_item(TableName="own", Item={"id": "1"})
        self.assertTrue(admin.scan(TableName=INGEST)["Items"])
        for client in (reader, tables, admin):
            self.denied(client.scan, TableName=SYSTEM)
            self.denied(client.batch_get_item, RequestItems={SYSTEM: {"Keys": [{"PK": "SETUP", "SK": "SETUP"}]}})
            self.denied(client.create_backup, TableName=SYSTEM, BackupName="stolen")
            self.denied(client.restore_table_to_point_in_time, SourceTableName=SYSTEM, TargetTableName="copy",
                        UseLatestRestorableTime=True)
        self.assertTrue(self.documents.scan(TableName=SYSTEM)["Items"])


class ManyWorkersTest(unittest.TestCase):
    def test_M2C_7_many_workers(self):
        """M2C-7: of many workers one gets each piece of work: all of it is done, nothing twice, nothing lost."""
        gallery = Gallery(("--workers", "8"))
        self.addCleanup(gallery.stop)
        ada = gallery.sign_up("ada")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            uploaded = list(pool.map(lambda n: ada.upload(photos.png(f"M2C-7 many {n}", 40, 30)), range(40)))
        for image_id in uploaded:
            gallery.wait_developed(ada, image_id)
        gallery.wait_idle()
        with urllib.request.urlopen(f"http://{gallery.server.addresses['metrics']}/metrics", timeout=10) as answer:
            metrics = answer.read().decode()
        self.assertIn('tintype_work_completed_total{type="develop"} 40\n', metrics)
        for name in ("lost", "dead"):
            self.assertIn(f'tintype_work_{name}_total{{type="develop"}} 0\n', metrics)
        self.assertNotIn("tintype_work_failed_total{", metrics)


if __name__ == "__main__":
    unittest.main(verbosity=2)
