"""The photo editor: jobs that the product makes and works off, by the document's calls on `photoeditor-prod-jobs`, as
they are printed: the gallery here is made with `--environment prod`.
"""

import concurrent.futures
import sys
import time
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "support"), str(Path(__file__).parent.parent / "e2e" / "support")]
import photos  # noqa: E402
import tintype_server  # noqa: E402
from gallery import GalleryTest, wait_until  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402

ROTATE = {"op": "rotate", "degrees": 90}
NINETY_DAYS = 90 * 24 * 60 * 60
JOBS = "photoeditor-prod-jobs"


class PhotoEditorTest(GalleryTest):
    ARGUMENTS = (*GalleryTest.ARGUMENTS, "--environment", "prod")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.image_id = cls.ada.upload(photos.jpeg("JOB", 400, 300), "editable.jpg")
        cls.gallery.wait_developed(cls.ada, cls.image_id)

    # The document's queries.

    def jobs_of(self, user_id):
        return self.documents.query(
            TableName="photoeditor-prod-jobs",
            IndexName="userId-createdAt-index",
            KeyConditionExpression="userId = :userId",
            ExpressionAttributeValues={
                ":userId": user_id,
            },
            ScanIndexForward=False,  # Descending order (newest first)
            Limit=20)["Items"]

    def jobs_in_as_printed(self, status):
        return self.documents.query(
            TableName="photoeditor-prod-jobs",
            IndexName="status-createdAt-index",
            KeyConditionExpression="status = :status",
            ExpressionAttributeValues={
                ":status": status,
            },
            ScanIndexForward=False,
            Limit=100)["Items"]

    def jobs_in(self, status):
        """Correction: STATUS is a reserved word, so the attribute is named by a placeholder."""
        return self.documents.query(
            TableName="photoeditor-prod-jobs",
            IndexName="status-createdAt-index",
            KeyConditionExpression="#status = :status",
            ExpressionAttributeNames={"#status": "status"},
            ExpressionAttributeValues={
                ":status": status,
            },
            ScanIndexForward=False,
            Limit=100)["Items"]

    def move(self, job_id, expected_status, new_status):
        return self.documents.update_item(
            TableName="photoeditor-prod-jobs",
            Key={"jobId": job_id},
            UpdateExpression="SET #status = :newStatus, updatedAt = :now",
            ConditionExpression="#status = :expectedStatus",
            ExpressionAttributeNames={
                "#status": "status",
            },
            ExpressionAttributeValues={
                ":newStatus": new_status,
                ":expectedStatus": expected_status,
                ":now": int(time.time() * 1000),
            })

    def states_of(self, job_id):
        """Every state that the job was in, by the stream of the table."""
        return [state["status"] if state else "removed" for state in self.gallery.history(JOBS, jobId=job_id)]

    def run_job(self, *operations, provider="local"):
        job = self.ada.create_job(self.image_id, *operations, provider=provider)
        return self.gallery.wait_job(self.ada, job["jobId"])

    def test_JOB_1_the_item(self):
        """JOB-1: a job that has run is an item of the document's schema, in a table of the document's settings."""
        started, before, size = int(time.time() * 1000), self.ada.image(self.image_id), (400, 300)
        job_id = self.run_job(ROTATE)["jobId"]
        job = self.documents.get_item(TableName="photoeditor-prod-jobs", Key={"jobId": job_id})["Item"]
        created = int(job["createdAt"])
        self.assertTrue(started <= created <= job["processingStartedAt"] <= job["processingCompletedAt"] <= job["updatedAt"])
        self.assertEqual(job["ttl"], created // 1000 + NINETY_DAYS)
        self.assertEqual(
            {name: job[name] for name in ("userId", "status", "fileType", "originalFileName", "provider", "imageId")},
            {"userId": self.ada.user_id, "status": "COMPLETED", "fileType": "image/jpeg", "originalFileName": "editable.jpg",
             "provider": "local", "imageId": self.image_id})
        self.assertEqual(job["fileSize"], len(self.gallery.blob(f"images/images/{self.image_id}/ORIGINAL")))
        image = self.ada.image(self.image_id)
        key = f"images/{self.image_id}/v{image['revision']}/FULL"
        result = self.gallery.blob(f"images/{key}")
        self.assertEqual(job["editResult"], {"s3Key": key, "width": size[1], "height": size[0], "size": len(result),
                                             "format": photos.format_of(result).lower()})
        # The result is a new revision of the image, under links of its own.
        self.assertGreater(image["revision"], before["revision"])
        self.assertEqual((image["width"], image["height"]), size[::-1])
        self.assertIn(f"revision={image['revision']}&", image["imageUrl"])
        self.assertEqual(photos.size_of(self.gallery.follow(image["imageUrl"]).body), size[::-1])
        self.assertEqual(self.gallery.follow(self.gallery.sign(image["s3Key"], 0)).status, 200)

        table = self.dynamodb.describe_table(TableName="photoeditor-prod-jobs")["Table"]
        self.assertEqual([key["AttributeName"] for key in table["KeySchema"]], ["jobId"])
        # With a billing mode of its own in production (JOB-8). Nothing scales yet.
        units = [each["ProvisionedThroughput"] for each in (table, *table["GlobalSecondaryIndexes"])]
        self.assertEqual([(each["ReadCapacityUnits"], each["WriteCapacityUnits"]) for each in units], [(25, 10)] * 3)
        self.assertNotEqual(table.get("BillingModeSummary", {}).get("BillingMode"), "PAY_PER_REQUEST")
        expiry = self.dynamodb.describe_time_to_live(TableName="photoeditor-prod-jobs")["TimeToLiveDescription"]
        self.assertEqual((expiry["TimeToLiveStatus"], expiry["AttributeName"]), ("ENABLED", "ttl"))

    def test_JOB_2_the_queries(self):
        """JOB-2: a user's newest jobs and the jobs in a state; the query as printed gets the answer that AWS gives."""
        done = [self.run_job(ROTATE, provider="stub")["jobId"] for _ in range(3)]
        failed = self.run_job({"op": "crop", "left": 5000, "top": 0, "width": 10, "height": 10})
        newest = [job["jobId"] for job in self.jobs_of(self.ada.user_id)]
        self.assertEqual(newest[:4], [failed["jobId"], *done[::-1]])
        self.assertEqual([job["jobId"] for job in self.jobs_in("FAILED")][0], failed["jobId"])
        self.assertEqual([job["jobId"] for job in self.jobs_in("COMPLETED")][:3], done[::-1])
        with self.assertRaises(self.dynamodb.exceptions.ClientError) as refused:
            self.jobs_in_as_printed("FAILED")
        self.assertEqual(refused.exception.response["Error"], {
            "Code": "ValidationException",
            "Message": "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: status"})
        listed = self.ada.call("GET", "/jobs?limit=4")
        self.assertEqual([job["jobId"] for job in listed["items"]], newest[:4])

    def test_JOB_3_only_the_document_s_arrows(self):
        """JOB-3: a job goes through the document's states in their order, and out of the last ones no arrow leads."""
        completed = self.run_job(ROTATE)["jobId"]
        self.assertEqual(self.states_of(completed), ["QUEUED", "PROCESSING", "EDITING", "COMPLETED"])
        failed = self.run_job({"op": "crop", "left": 5000, "top": 0, "width": 10, "height": 10})
        self.assertEqual(self.states_of(failed["jobId"]), ["QUEUED", "PROCESSING", "EDITING", "FAILED"])
        self.assertEqual(set(failed["error"]), {"code", "message", "retryCount"})
        self.assertEqual(failed["error"]["code"], "PROVIDER_INVALID_REQUEST")
        for job_id in (completed, failed["jobId"]):
            refused = self.ada.send("DELETE", f"/jobs/{job_id}")
            self.assertEqual((refused.status, refused.json["code"]), (409, "Conflict"))
        for body, word in (({"provider": "local", "operations": [{"op": "melt"}]}, "op"),
                           ({"provider": "nobody", "operations": [ROTATE]}, "provider"),
                           ({"provider": "local", "operations": []}, "operations")):
            refused = self.ada.send("POST", "/jobs", {"imageId": self.image_id, **body})
            self.assertEqual(refused.status, 400)
            self.assertIn(word, refused.json["detail"])

    def test_JOB_4_a_transition_is_a_conditional_write(self):
        """JOB-4: of two workers that take a job by the document's update one wins; a repeated message changes nothing;
        the product goes on from there. What another worker has ended stays as it is. A queued job can be cancelled,
        once."""
        self.gallery.wait_idle()
        revision = self.ada.image(self.image_id)["revision"]
        with self.gallery.paused(), concurrent.futures.ThreadPoolExecutor(2) as workers:
            at_work = self.ada.create_job(self.image_id, ROTATE)["jobId"]
            wait_until(lambda: [job["jobId"] for job in self.jobs_in("EDITING")] == [at_work], "a job at work")
            taken, cancelled = (self.ada.create_job(self.image_id, ROTATE)["jobId"] for _ in range(2))

            def take(_):
                try:
                    self.move(taken, "QUEUED", "PROCESSING")
                    return "taken"
                except self.dynamodb.exceptions.ConditionalCheckFailedException:
                    return "refused"

            self.assertEqual(sorted(workers.map(take, range(2))), ["refused", "taken"])
            self.assertEqual(take(None), "refused")
            self.move(at_work, "EDITING", "FAILED")
            self.assertEqual(self.ada.send("DELETE", f"/jobs/{cancelled}").status, 204)
            self.assertEqual(self.ada.send("DELETE", f"/jobs/{cancelled}").status, 404)
        self.assertEqual(self.gallery.wait_job(self.ada, taken)["status"], "COMPLETED")
        self.gallery.wait_idle()
        self.assertEqual(self.states_of(at_work), ["QUEUED", "PROCESSING", "EDITING", "FAILED"])
        versions = self.documents.query(
            TableName="ImageMetadata", KeyConditionExpression="PK = :image AND begins_with(SK, :version)",
            ExpressionAttributeValues={":image": f"IMAGE#{self.image_id}", ":version": "VERSION#"})["Items"]
        self.assertEqual([version["jobId"] for version in versions if version["completed"] and version["revision"] > revision],
                         [taken])
        self.assertEqual(self.states_of(taken), ["QUEUED", "PROCESSING", "EDITING", "COMPLETED"])
        self.assertEqual(self.states_of(cancelled), ["QUEUED", "removed"])
        self.assertEqual(take(None), "refused")

    def test_JOB_5_jobs_expire(self):
        """JOB-5: a job is to go 90 days after its creation; once its `ttl` has passed, it is in no index and not over
        REST, and others are."""
        kept, expired = (self.run_job(ROTATE, provider="stub")["jobId"] for _ in range(2))
        for job_id in (kept, expired):
            job = self.gallery.get(JOBS, jobId=job_id)
            self.assertEqual(job["ttl"], int(job["createdAt"]) // 1000 + NINETY_DAYS)
        # Nobody waits for 90 days: the item is made as old as that.
        self.documents.update_item(TableName=JOBS, Key={"jobId": expired}, UpdateExpression="SET #ttl = :past",
                                   ExpressionAttributeNames={"#ttl": "ttl"},
                                   ExpressionAttributeValues={":past": int(time.time()) - 1})
        wait_until(lambda: self.gallery.get(JOBS, jobId=expired) is None, "the end of an expired job")
        for listed in (self.jobs_of(self.ada.user_id), self.jobs_in("COMPLETED"), self.ada.call("GET", "/jobs")["items"]):
            ids = [job["jobId"] for job in listed]
            self.assertIn(kept, ids)
            self.assertNotIn(expired, ids)
        self.assertEqual(self.ada.send("GET", f"/jobs/{expired}").status, 404)

    def test_JOB_9_the_jobs_can_be_restored(self):
        """JOB-9: the table of jobs can be recovered as it was at any second of 35 days; a backup of it is kept for a
        year, and holds the jobs of its moment."""
        before = self.run_job(ROTATE, provider="stub")["jobId"]
        connection = Connection(self.gallery.server.address,
                                Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY))
        self.addCleanup(connection.close)
        # Debian's boto3 leaves out the number of days.
        recovery = connection.call("DescribeContinuousBackups", {"TableName": JOBS})[
            "ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.assertEqual((recovery["PointInTimeRecoveryStatus"], recovery["RecoveryPeriodInDays"]), ("ENABLED", 35))
        details = self.dynamodb.create_backup(TableName=JOBS, BackupName="jobs")["BackupDetails"]
        self.assertEqual((details["BackupExpiryDateTime"] - details["BackupCreationDateTime"]).days, 365)
        job, after = self.gallery.get(JOBS, jobId=before), self.run_job(ROTATE, provider="stub")["jobId"]

        def backup_status():
            described = self.dynamodb.describe_backup(BackupArn=details["BackupArn"])["BackupDescription"]
            return described["BackupDetails"]["BackupStatus"]

        wait_until(lambda: backup_status() == "AVAILABLE", "a complete backup")
        self.dynamodb.restore_table_from_backup(TargetTableName="restored-jobs", BackupArn=details["BackupArn"])
        self.addCleanup(self.dynamodb.delete_table, TableName="restored-jobs")
        wait_until(lambda: self.dynamodb.describe_table(TableName="restored-jobs")["Table"]["TableStatus"] == "ACTIVE",
                   "a restored table")
        self.assertEqual(self.gallery.get("restored-jobs", jobId=before), job)
        self.assertIsNone(self.gallery.get("restored-jobs", jobId=after))

    def test_JOB_12_temporary_files(self):
        """JOB-12: a job at work names its temporary file; when it has ended, well or not, neither name nor file is
        left."""
        self.gallery.wait_idle()
        with self.gallery.paused():
            job_id = self.ada.create_job(self.image_id, ROTATE)["jobId"]
            wait_until(lambda: self.gallery.get(JOBS, jobId=job_id)["status"] == "EDITING", "a job at work")
            self.assertEqual(self.gallery.get(JOBS, jobId=job_id)["s3TempKey"], f"jobs/{job_id}")
            self.assertNotIn("s3FinalKey", self.gallery.get(JOBS, jobId=job_id))
            # On files one sees that it has begun; to S3 it goes when it is whole.
            if self.gallery.storage.shows_begun:
                self.assertNotEqual(self.gallery.storage.unfinished(), [])
        self.gallery.wait_job(self.ada, job_id)
        job = self.gallery.get(JOBS, jobId=job_id)
        self.assertNotIn("s3TempKey", job)
        self.assertEqual(job["s3FinalKey"], job["editResult"]["s3Key"])
        self.assertTrue(self.gallery.blob(f"images/{job['s3FinalKey']}"))
        failed = self.run_job({"op": "crop", "left": 5000, "top": 0, "width": 10, "height": 10})
        self.assertFalse({"s3TempKey", "s3FinalKey"} & set(failed))
        wait_until(lambda: self.gallery.blobs("uploads/") == [], "that no temporary file is left")
        self.assertEqual(self.gallery.storage.unfinished(), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
