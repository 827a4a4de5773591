"""How much accounts may store, from both sides: what is counted, who is refused, and what comes back."""

import concurrent.futures
import contextlib
import http.client
import json
import os
import select
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import BACKLOG, IMAGES, GalleryTest, wait_until  # noqa: E402

SYSTEM = "tintype"
QUOTA_MB = 64
ROTATE = {"op": "rotate", "degrees": 90}


class QuotaTest(GalleryTest):
    ARGUMENTS = ("--workers", "1", "--quota-mb", str(QUOTA_MB), "--jobs-per-minute", "20")

    def use(self, account):
        limit = account.call("GET", "/me/limit")
        return limit["usedBytes"], limit["quotaBytes"]

    def used(self, account):
        return self.use(account)[0]

    def set_quota(self, account, quota):
        changed = self.root.call("PATCH", f"/users/{account.user_id}", {"quotaBytes": quota})
        self.assertEqual(changed["quotaBytes"], quota)
        return changed

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.root = cls.gallery.administrator

    def charged(self, account):
        """The sum over the account's images and uploads, by the table."""
        items = self.documents.query(TableName=SYSTEM, KeyConditionExpression="PK = :quota",
                                     ExpressionAttributeValues={":quota": f"QUOTA#{account.user_id}"})["Items"]
        return sum(int(item["bytes"]) for item in items if item["SK"] != "QUOTA")

    def test_what_is_counted_and_given_back(self):
        """Proves that originals, renditions and edits count, in the table too, and that deletion gives it all back."""
        amy = self.gallery.sign_up("amy")
        self.assertEqual(self.use(amy), (0, QUOTA_MB << 20))
        picture = photos.jpeg("counted", 800, 600)
        image_id = amy.upload(picture)
        self.gallery.wait_developed(amy, image_id)
        developed = self.used(amy)
        self.assertGreater(developed, len(picture))
        amy.create_job(image_id, ROTATE)
        wait_until(lambda: len(amy.versions(image_id)) > 1, "the edit")
        edited = self.used(amy)
        self.assertGreater(edited, developed)
        self.assertEqual(self.charged(amy), edited)
        form = amy.post_form(photos.jpeg("by a form", 800, 600), "form.jpg")
        self.assertEqual(form.status, 202)
        self.gallery.wait_developed(amy, form.json["id"])
        self.assertEqual(self.charged(amy), self.used(amy))
        amy.delete(form.json["id"])
        self.gallery.wait_deleted(form.json["id"])
        self.assertEqual(self.used(amy), edited)
        amy.delete(image_id)
        self.gallery.wait_deleted(image_id)
        self.assertEqual((self.use(amy), self.charged(amy)), ((0, QUOTA_MB << 20), 0))

    def test_what_does_not_fit_is_refused(self):
        """Proves that an upload over the quota is refused however it comes, and that nothing of it stays; that an edit
        is refused too; and that no quota takes any amount."""
        ben = self.gallery.sign_up("ben")
        picture = photos.jpeg("refused", 800, 600)
        self.set_quota(ben, len(picture) - 1)
        limit = ben.limit()
        answers = [ben.post_image(picture), ben.post_form(picture, "form.jpg"),
                   ben.tus("POST", "/uploads", Upload_Length=len(picture)),
                   ben.send("POST", "/uploads/direct", {"size": len(picture)})]
        for answer in answers:
            self.assertEqual((answer.status, answer.json["code"]), (403, "QuotaExceeded"), answer.body)
        self.assertIn("Delete photos for good", answers[0].json["detail"])
        wait_until(lambda: (self.used(ben), self.charged(ben), ben.limit()) == (0, 0, limit), "nothing of it left")
        self.set_quota(ben, len(picture))
        image_id = ben.upload(picture)
        self.gallery.wait_developed(ben, image_id)
        self.assertGreater(self.used(ben), len(picture), "what was let in is finished")
        refused = ben.send("POST", "/jobs", {"imageId": image_id, "provider": "local", "operations": [ROTATE]})
        self.assertEqual((refused.status, refused.json["code"]), (403, "QuotaExceeded"))
        changed = self.set_quota(ben, None)
        self.assertEqual(changed["usedBytes"], self.used(ben))
        self.assertEqual(ben.send("POST", "/jobs", {"imageId": image_id, "provider": "local", "operations": [ROTATE]}).status, 202)
        self.assertEqual(self.root.send("PATCH", f"/users/{ben.user_id}", {"quotaBytes": -1}).status, 400)
        self.assertEqual(self.root.send("PATCH", f"/users/{ben.user_id}", {"quotaBytes": "much"}).status, 400)
        listed = {user["username"]: user for user in self.root.call("GET", "/users")["items"]}
        self.assertEqual((listed["ben"]["quotaBytes"], listed["root"]["quotaBytes"]), (None, None))

    def test_what_does_not_say_how_long_it_is(self):
        """Proves that an upload that announces no length is refused soon after the room is used up, and not at its end,
        which never comes; and that nothing of it stays."""
        fay = self.gallery.sign_up("fay")
        self.set_quota(fay, 1 << 20)
        connection = http.client.HTTPConnection(self.gallery.address, timeout=60)
        self.addCleanup(connection.close)
        headers = {"Authorization": fay.authorization, "Content-Type": "image/jpeg", "Transfer-Encoding": "chunked"}
        connection.putrequest("POST", "/api/v1/images")
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        piece = photos.jpeg("endless", 80, 60).ljust(1 << 20, b"\0")
        sent_mb = 0
        with contextlib.suppress(ConnectionError):  # The answer tells why.
            while sent_mb < 100 and not select.select([connection.sock], [], [], 0)[0]:
                connection.send(b"%x\r\n%b\r\n" % (len(piece), piece))
                sent_mb += 1
        self.assertLess(sent_mb, 100)
        answer = rest.read_answer(connection, "POST", "/api/v1/images", None, headers)
        self.assertEqual((answer.status, answer.json["code"]), (403, "QuotaExceeded"))
        wait_until(lambda: (self.used(fay), self.charged(fay)) == (0, 0), "nothing of it left")

    def test_as_many_at_once_as_fit(self):
        """Proves that of more uploads at once than fit, no more are admitted."""
        cal = self.gallery.sign_up("cal")
        pictures = [photos.png(f"quota {n}", 40, 30) for n in range(24)]
        quota = sum(sorted(len(picture) for picture in pictures)[:10])
        self.set_quota(cal, quota)
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(cal.post_image, pictures))
        admitted = [len(picture) for picture, answer in zip(pictures, answers) if answer.status == 202]
        self.assertEqual({answer.json["code"] for answer in answers if answer.status != 202}, {"QuotaExceeded"})
        # Fewer than fit, since renditions of those that came first count too.
        self.assertLessEqual(sum(admitted), quota)
        self.assertGreaterEqual(len(admitted), 1)

    def test_galleries_from_before_are_counted(self):
        """Proves that `tintype rebuild usage` counts what was there before anybody did."""
        dot = self.gallery.sign_up("dot")
        image_id = dot.upload(photos.jpeg("before", 800, 600))
        self.gallery.wait_developed(dot, image_id)
        used = self.used(dot)
        for sort in ("QUOTA", image_id):
            self.documents.delete_item(TableName=SYSTEM, Key={"PK": f"QUOTA#{dot.user_id}", "SK": sort})
        self.assertEqual(self.use(dot), (0, None))
        self.gallery.wait_idle()
        images = sum(item["SK"] == "METADATA" for item in self.gallery.scan(IMAGES))
        counted = self.gallery.run("rebuild", "usage")
        self.assertEqual(counted.returncode, 0, counted.stderr)
        self.assertIn(f"{images} images were counted", counted.stdout)
        self.assertEqual((self.used(dot), self.charged(dot)), (used, used))
        again = self.gallery.run("rebuild", "usage", "--json")
        self.assertEqual(json.loads(again.stdout.splitlines()[-1])["done"], {"state": "ended", "images": images})
        self.assertEqual(self.used(dot), used)
        wait_until(lambda: self.gallery.get(BACKLOG, id="recount-storage") is None, "the end of the work")

    def test_a_count_that_is_given_up_is_told(self):
        """Proves that a command whose count is dead, or was taken out of the backlog, does not call it done."""
        wait_until(lambda: self.gallery.get(BACKLOG, id="recount-storage") is None, "the end of other counts")
        for ending in ("dead", "purged"):
            # One that is not due yet, so that the command waits for it.
            due = int((time.time() + 3600) * 1000)
            self.documents.put_item(TableName=BACKLOG, Item={
                "id": "recount-storage", "type": "recount-storage", "uuid": "", "input": {"seen": "7"}, "priority": 9,
                "status": "DELAYED", "order": f"9#{due:015}#recount-storage", "dueAt": due, "createdAt": due, "updatedAt": due,
                "retryCount": 0, "maxRetries": 5})
            command = subprocess.Popen([os.environ["TINTYPE_BIN"], "rebuild", "usage", "--json", "--data-dir",
                                        self.gallery.server.data_dir], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(json.loads(command.stdout.readline())["progress"]["done"], 7)
            if ending == "dead":
                self.documents.update_item(TableName=BACKLOG, Key={"id": "recount-storage"},
                                           UpdateExpression="SET #status = :dead", ExpressionAttributeNames={"#status": "status"},
                                           ExpressionAttributeValues={":dead": "DEAD"})
            else:
                self.assertEqual(self.gallery.run("work", "purge", "recount-storage", "--yes").returncode, 0)
            output, errors = command.communicate(timeout=60)
            self.assertEqual(command.returncode, 1, output)
            self.assertEqual(json.loads(output.splitlines()[-1])["done"], {"state": "given up", "images": 7})
            self.assertIn("The count was given up before its end", errors)
            self.documents.delete_item(TableName=BACKLOG, Key={"id": "recount-storage"})

    def test_edits_are_limited_per_minute(self):
        """Proves that edits that are asked for too often are refused before anything is read, with what to wait for."""
        eli = self.gallery.sign_up("eli")
        answers = [eli.send("POST", "/jobs", {"imageId": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "provider": "local",
                                              "operations": [ROTATE]}) for _ in range(21)]
        self.assertEqual([answer.status for answer in answers], [404] * 20 + [429])
        self.assertEqual(answers[-1].json["code"], "TooManyRequests")
        self.assertGreaterEqual(int(answers[-1].headers["Retry-After"]), 1)
        self.assertEqual(answers[-1].headers["RateLimit-Policy"], '"jobs";q=20;w=60')
        self.assertRegex(answers[-1].headers["RateLimit"], r'^"jobs";r=0;t=\d+$')
        self.assertEqual(self.ada.send("GET", "/jobs").status, 200)


if __name__ == "__main__":
    unittest.main()
