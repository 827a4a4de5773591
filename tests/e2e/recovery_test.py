"""Backups, recovery, expiry and their settings as the designs ask for them, by boto3 and awscli against the running
server."""

import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402


def wait_until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


class RecoveryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = tintype_server.Server()
        cls.addClassCleanup(cls.server.stop)
        cls.client = boto3.client("dynamodb", endpoint_url=cls.server.endpoint, region_name="us-east-1",
                                  aws_access_key_id=tintype_server.ACCESS_KEY_ID,
                                  aws_secret_access_key=tintype_server.SECRET_ACCESS_KEY,
                                  config=Config(retries={"max_attempts": 0}))

    def create(self, name):
        self.client.create_table(
            TableName=name, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "day", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            GlobalSecondaryIndexes=[{"IndexName": "by-day", "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}],
                                     "Projection": {"ProjectionType": "ALL"}}])
        self.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})

    def put(self, table, pk, day):
        self.client.put_item(TableName=table, Item={"pk": {"S": pk}, "day": {"S": day}})

    def items(self, table, **options):
        items = self.client.scan(TableName=table, **options)["Items"]
        return {item["pk"]["S"]: item["day"]["S"] for item in items}

    def wait_active(self, table):
        def active():
            return self.client.describe_table(TableName=table)["Table"]["TableStatus"] == "ACTIVE"
        self.assertTrue(wait_until(active), f"{table} is not restored in time")

    def enable_recovery(self, table):
        return self.client.update_continuous_backups(
            TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def test_M2C_13_recovers_a_second_between_two_writes(self):
        """M2C-13: the first write is there, the second is not, for items, deletions and indexes."""
        self.create("Seconds")
        description = self.enable_recovery("Seconds")["ContinuousBackupsDescription"]
        self.assertEqual("ENABLED", description["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"])
        self.put("Seconds", "first", "monday")
        self.put("Seconds", "moves", "monday")
        self.put("Seconds", "goes", "monday")
        time.sleep(1.1)
        moment = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        time.sleep(1.1)
        self.put("Seconds", "second", "tuesday")
        self.put("Seconds", "moves", "tuesday")
        self.client.delete_item(TableName="Seconds", Key={"pk": {"S": "goes"}})
        answer = self.client.restore_table_to_point_in_time(
            SourceTableName="Seconds", TargetTableName="Recovered", RestoreDateTime=moment)
        self.assertEqual("CREATING", answer["TableDescription"]["TableStatus"])
        self.wait_active("Recovered")
        expected = {"first": "monday", "moves": "monday", "goes": "monday"}
        self.assertEqual(expected, self.items("Recovered"))
        self.assertEqual(expected, self.items("Recovered", IndexName="by-day"))
        restored = self.client.describe_table(TableName="Recovered")["Table"]
        self.assertFalse(restored["RestoreSummary"]["RestoreInProgress"])
        self.assertEqual(moment, restored["RestoreSummary"]["RestoreDateTime"])
        self.assertEqual({"first": "monday", "moves": "tuesday", "second": "tuesday"}, self.items("Seconds"))

    def test_JOB_9_window_of_recovery(self):
        """JOB-9: 35 days unless asked otherwise; a time outside of the window is refused."""
        self.create("Window")
        with self.assertRaises(ClientError) as refused:
            self.client.restore_table_to_point_in_time(
                SourceTableName="Window", TargetTableName="None", UseLatestRestorableTime=True)
        self.assertEqual("PointInTimeRecoveryUnavailableException", refused.exception.response["Error"]["Code"])
        self.enable_recovery("Window")
        recovery = self.client.describe_continuous_backups(
            TableName="Window")["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        # Newer than Debian's boto3, which leaves it out.
        connection = Connection(self.server.address, Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY))
        described = connection.call("DescribeContinuousBackups", {"TableName": "Window"})
        connection.close()
        self.assertEqual(
            35, described["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]["RecoveryPeriodInDays"])
        self.assertLessEqual(recovery["EarliestRestorableDateTime"], recovery["LatestRestorableDateTime"])
        with self.assertRaises(ClientError) as refused:
            self.client.restore_table_to_point_in_time(
                SourceTableName="Window", TargetTableName="None",
                RestoreDateTime=datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1))
        self.assertEqual("InvalidRestoreTimeException", refused.exception.response["Error"]["Code"])

    def test_M2C_13_JOB_9_backup_on_demand(self):
        """M2C-13, JOB-9: a backup shows its moment, expires in a year, is restored to a new table, and can be
        deleted."""
        self.create("Saved")
        self.put("Saved", "before", "monday")
        details = self.client.create_backup(TableName="Saved", BackupName="nightly")["BackupDetails"]
        self.put("Saved", "after", "tuesday")
        arn = details["BackupArn"]

        def available():
            return self.client.describe_backup(
                BackupArn=arn)["BackupDescription"]["BackupDetails"]["BackupStatus"] == "AVAILABLE"
        self.assertTrue(wait_until(available))
        kept = details["BackupExpiryDateTime"] - details["BackupCreationDateTime"]
        self.assertEqual(365, kept.days)
        self.client.restore_table_from_backup(TargetTableName="FromBackup", BackupArn=arn)
        self.wait_active("FromBackup")
        self.assertEqual({"before": "monday"}, self.items("FromBackup"))
        listed = self.client.list_backups(TableName="Saved")["BackupSummaries"]
        self.assertEqual([arn], [backup["BackupArn"] for backup in listed])
        self.client.delete_backup(BackupArn=arn)
        with self.assertRaises(ClientError) as refused:
            self.client.describe_backup(BackupArn=arn)
        self.assertEqual("BackupNotFoundException", refused.exception.response["Error"]["Code"])

    def test_deleted_table_comes_back(self):
        self.create("Deleted")
        self.enable_recovery("Deleted")
        self.put("Deleted", "kept", "monday")
        self.client.delete_table(TableName="Deleted")
        backups = self.client.list_backups(TableName="Deleted", BackupType="SYSTEM")["BackupSummaries"]
        self.assertEqual(1, len(backups))
        self.client.restore_table_from_backup(TargetTableName="Deleted", BackupArn=backups[0]["BackupArn"])
        self.wait_active("Deleted")
        self.assertEqual({"kept": "monday"}, self.items("Deleted"))


class SettingsTest(unittest.TestCase):
    """Tables with the settings that their designs ask for, by the calls that terraform would make, sent with `aws`."""

    @classmethod
    def setUpClass(cls):
        cls.server = tintype_server.Server()
        cls.addClassCleanup(cls.server.stop)
        home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(home.cleanup)
        cls.environment = {"PATH": os.environ["PATH"], "HOME": home.name,
                           "AWS_SHARED_CREDENTIALS_FILE": f"{cls.server.data_dir}/credentials"}

    def aws(self, *arguments):
        done = subprocess.run(["aws", "--endpoint-url", self.server.endpoint, "dynamodb", *arguments],
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout) if done.stdout.strip() else None

    def test_image_metadata_table(self):
        """The table of images: on demand, encrypted, recoverable, with a stream."""
        self.aws("create-table", "--table-name", "ImageMetadata", "--billing-mode", "PAY_PER_REQUEST",
                 "--attribute-definitions", "AttributeName=PK,AttributeType=S", "AttributeName=SK,AttributeType=S",
                 "--key-schema", "AttributeName=PK,KeyType=HASH", "AttributeName=SK,KeyType=RANGE",
                 "--sse-specification", "Enabled=true,SSEType=KMS",
                 "--stream-specification", "StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES")
        self.aws("update-continuous-backups", "--table-name", "ImageMetadata",
                 "--point-in-time-recovery-specification", "PointInTimeRecoveryEnabled=true")
        table = self.aws("describe-table", "--table-name", "ImageMetadata")["Table"]
        self.assertEqual("ENABLED", table["SSEDescription"]["Status"])
        self.assertEqual({"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}, table["StreamSpecification"])
        self.assertTrue(table["LatestStreamArn"].startswith(table["TableArn"] + "/stream/"))
        recovery = self.aws("describe-continuous-backups", "--table-name", "ImageMetadata")["ContinuousBackupsDescription"]
        self.assertEqual("ENABLED", recovery["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"])

    def test_jobs_table(self):
        """The photo editor's terraform file: on demand, expiring, recoverable, encrypted, tagged."""
        name = "photoeditor-dev-jobs"
        self.aws("create-table", "--table-name", name, "--billing-mode", "PAY_PER_REQUEST",
                 "--attribute-definitions", "AttributeName=jobId,AttributeType=S",
                 "--key-schema", "AttributeName=jobId,KeyType=HASH", "--sse-specification", "Enabled=true",
                 "--tags", f"Key=Name,Value={name}")
        self.aws("wait", "table-exists", "--table-name", name)
        self.aws("update-time-to-live", "--table-name", name,
                 "--time-to-live-specification", "Enabled=true,AttributeName=ttl")
        self.aws("update-continuous-backups", "--table-name", name,
                 "--point-in-time-recovery-specification", "PointInTimeRecoveryEnabled=true")

        table = self.aws("describe-table", "--table-name", name)["Table"]
        self.assertEqual("ENABLED", table["SSEDescription"]["Status"])
        self.assertEqual("KMS", table["SSEDescription"]["SSEType"])
        self.assertEqual("PAY_PER_REQUEST", table["BillingModeSummary"]["BillingMode"])
        self.assertTrue(wait_until(lambda: self.aws("describe-time-to-live", "--table-name", name)[
            "TimeToLiveDescription"] == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}))
        recovery = self.aws("describe-continuous-backups", "--table-name", name)["ContinuousBackupsDescription"]
        self.assertEqual("ENABLED", recovery["ContinuousBackupsStatus"])
        self.assertEqual("ENABLED", recovery["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"])

        # 90 days from creation, and one whose time has come.
        now = int(time.time())
        for job, ttl in (("new", now + 90 * 24 * 60 * 60), ("old", now - 1)):
            self.aws("put-item", "--table-name", name, "--item", json.dumps({"jobId": {"S": job}, "ttl": {"N": str(ttl)}}))
        self.assertTrue(wait_until(lambda: self.aws("scan", "--table-name", name)["Count"] == 1))
        self.assertEqual("new", self.aws("scan", "--table-name", name)["Items"][0]["jobId"]["S"])


if __name__ == "__main__":
    unittest.main()
