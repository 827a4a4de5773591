"""The server with its photos on S3, when the storage hangs, refuses its key, or loses an object. Run by ceph.py."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import BACKLOG, Gallery, tintype_server, wait_until  # noqa: E402


def scrub(data_dir):
    """What the scrub of a running server finds: its exit code, and its lines."""
    done = subprocess.run([os.environ["TINTYPE_BIN"], "scrub", "--data-dir", data_dir], capture_output=True, text=True,
                          timeout=60, check=False)
    return done.returncode, done.stdout


class Standstill:
    """While it lasts, the gateway's backend does not answer."""

    def __enter__(self):
        self._osd = int(os.environ["TINTYPE_TEST_S3_OSD_PID"])
        os.kill(self._osd, signal.SIGSTOP)
        wait_until(lambda: "State:\tT" in Path(f"/proc/{self._osd}/status").read_text(), "that it stands still")

    def __exit__(self, *_):
        os.kill(self._osd, signal.SIGCONT)


class ServeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(("--workers", "1", "--s3-timeout", "3", "--upload-mb", "10000"))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def test_photos_are_objects(self):
        """Proves that nothing of a photo stays in the data directory, and that the scrub sees an object that is
        gone."""
        image_id = self.ada.upload(photos.png("objects", 60, 40))
        self.gallery.wait_developed(self.ada, image_id)
        link = self.gallery.sign(f"images/{image_id}/LARGE")
        self.assertIn(f"images/images/{image_id}/ORIGINAL", self.gallery.blobs())
        self.assertEqual(list(Path(self.gallery.server.data_dir, "blobs").iterdir()), [])
        answer = self.gallery.follow(link)
        self.assertEqual((answer.status, photos.format_of(answer.body)), (200, "WEBP"))
        code, lines = scrub(self.gallery.server.data_dir)
        self.assertEqual(code, 0, lines)

        self.gallery.storage.remove(f"images/images/{image_id}/LARGE")
        code, lines = scrub(self.gallery.server.data_dir)
        self.assertEqual(code, 1)
        self.assertIn(f"missing-blob {image_id} images/{image_id}/LARGE", lines)
        self.assertEqual(self.gallery.follow(link).status, 404)
        self.ada.delete(image_id)
        self.gallery.wait_deleted(image_id)

    def test_a_hanging_storage_is_an_outage(self):
        """Proves that while the storage hangs uploads are answered 503 and background work waits without being counted
        as failed, and that afterwards all is well."""
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("before", 60, 40)))
        with contextlib.ExitStack() as stack:
            with self.gallery.paused():
                waiting = self.ada.upload(photos.png("waiting", 60, 40))
                stack.enter_context(Standstill())
            begun = time.monotonic()
            answer = self.ada.post_image(photos.png("refused", 60, 40))
            self.assertEqual(answer.status, 503, answer.body)
            self.assertLess(time.monotonic() - begun, 20)
            self.assertIn("storage", answer.json["detail"])
            wait_until(lambda: "lastError" in self.gallery.get(BACKLOG, id=f"develop-{waiting}"), "that developing fails")
        work = self.gallery.get(BACKLOG, id=f"develop-{waiting}")
        self.assertEqual((work["status"], work["retryCount"]), ("DELAYED", 0), work["lastError"])
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("refused", 60, 40)))

    def test_photos_stay_in_the_buckets(self):
        """Proves that a command which opens the directory itself is refused without the settings of S3, and says which
        it wants; that with them it puts photos where the server finds them; and that a server with other buckets does
        not start."""
        with tempfile.TemporaryDirectory() as folder:
            gallery = Gallery(("--workers", "1"), data_dir=folder + "/data")
            self.addCleanup(lambda: gallery.server.process.poll() is None and gallery.stop())
            bob = gallery.sign_up("bob")
            gallery.stop()
            Path(folder, "photos").mkdir()
            Path(folder, "photos", "one.png").write_bytes(photos.png("stays", 60, 40))
            self.assertEqual(Path(folder, "data", "BLOBS").read_text(), "s3 uploads images\n")
            command = [os.environ["TINTYPE_BIN"], "import", "folder", folder + "/photos", "--user", "bob", "--data-dir",
                       folder + "/data"]
            refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(refused.returncode, 1, refused.stdout)
            self.assertIn("Set --blobs s3:// --uploads-bucket uploads --images-bucket images.", refused.stderr)
            overrides = {**os.environ, **gallery.storage.overrides}
            done = subprocess.run([*command, *gallery.storage.arguments], capture_output=True, text=True, timeout=60, check=False,
                                  env=overrides)
            self.assertEqual(done.returncode, 0, done.stderr)
            with self.assertRaises(tintype_server.ServerFailed) as failed:
                tintype_server.Server(data_dir=folder + "/data", overrides={"TINTYPE_GALLERY": "on", **gallery.storage.overrides},
                                      arguments=["others" if each == "images" else each for each in gallery.storage.arguments])
            self.assertIn("the settings say in the buckets uploads and others", str(failed.exception))
            gallery.start()
            bob.log_in()
            [image] = bob.call("GET", "/images")["items"]
            gallery.wait_developed(bob, image["id"])
            code, lines = scrub(folder + "/data")
            self.assertEqual(code, 0, lines)
            gallery.stop()

    def test_IMG_20_buckets_by_stage(self):
        """IMG-20: the buckets have the names of the stage, and every record says so."""
        stage = {"uploads": "uploads-lego-moc-prod", "images": "images-lego-moc-prod"}
        with tempfile.TemporaryDirectory() as folder:
            server = tintype_server.Server(
                data_dir=folder + "/data", overrides={"TINTYPE_GALLERY": "on", **self.gallery.storage.overrides},
                arguments=[stage.get(each, each) for each in self.gallery.storage.arguments])
            carol = rest.Account(lambda: server.addresses["http"], "carol")
            carol.sign_up(Path(folder, "data", "setup-token").read_text().strip())
            image_id = carol.upload(photos.png("stage", 60, 40))
            wait_until(lambda: carol.image(image_id)["processingStatus"] == "completed", "that it is developed")
            self.assertEqual("images-lego-moc-prod", carol.image(image_id)["s3Bucket"])
            self.assertTrue(self.gallery.storage.read(f"images-lego-moc-prod/images/{image_id}/LARGE"))
            server.stop()
            self.assertEqual("s3 uploads-lego-moc-prod images-lego-moc-prod\n", Path(folder, "data", "BLOBS").read_text())
        for bucket in stage.values():
            self.gallery.storage.remove_bucket(bucket)

    def test_direct_uploads(self):
        """Proves that what a client says of an object that it puts is not said of the photo, and that more than the
        storage takes at once is refused with a word of what does."""
        data = photos.png("direct", 60, 40)
        link = self.ada.call("POST", "/uploads/direct", {"size": len(data), "filename": "d.png", "contentType": "image/png"})
        url = urllib.parse.urlsplit(link["url"])
        odd = {"Content-Encoding": "gzip", "Cache-Control": "public", "x-amz-meta-x": "y"}
        put = rest.request(url.netloc, "PUT", f"{url.path}?{url.query}", data, {**link["headers"], **odd})
        self.assertEqual(put.status, 200, put.body)
        self.assertEqual(self.ada.send("POST", f"/uploads/{link['id']}/complete").status, 202)
        self.gallery.wait_developed(self.ada, link["id"])
        kept = self.gallery.storage.head(f"images/images/{link['id']}/ORIGINAL")
        self.assertEqual((kept.get("ContentEncoding"), kept.get("CacheControl"), kept["Metadata"]), (None, None, {}))
        self.assertEqual(self.gallery.blob(f"images/images/{link['id']}/ORIGINAL"), data)

        before = self.ada.limit()
        answer = self.ada.send("POST", "/uploads/direct", {"size": (5 << 30) + 1, "filename": "d.png"})
        self.assertEqual((answer.status, answer.json["code"]), (413, "TooLarge"))
        self.assertIn("tus", answer.json["detail"])
        self.assertEqual(self.ada.limit(), before)

    def test_a_bucket_that_is_gone_is_an_outage(self):
        """Proves that nothing is taken for missing because its bucket is."""
        link = self.ada.call("POST", "/uploads/direct", {"size": 5, "filename": "d.png"})
        self.gallery.storage.remove_bucket("uploads")
        try:
            answer = self.ada.send("POST", f"/uploads/{link['id']}/complete")
        finally:
            self.gallery.storage.make_bucket("uploads")
        self.assertEqual((answer.status, answer.json["detail"]), (503, "A bucket of the blob storage is missing"))
        answer = self.ada.send("POST", f"/uploads/{link['id']}/complete")
        self.assertEqual(answer.status, 409, answer.body)

    def test_a_key_that_is_refused_is_told(self):
        """Proves that a server whose key is wrong does not start, and says why."""
        overrides = {"TINTYPE_GALLERY": "on", "TINTYPE_S3_SECRET_ACCESS_KEY": "wrong"}
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(tintype_server.ServerFailed) as failed:
            tintype_server.Server(data_dir=folder + "/data", arguments=self.gallery.storage.arguments, overrides=overrides)
        self.assertIn("the secret access key is wrong", str(failed.exception))


class StoppedTest(unittest.TestCase):
    def test_what_needs_no_storage_is_answered(self):
        """Proves that uploads that wait for a storage that hangs, more than there are threads, hold up nothing else;
        and that those that wait behind them are refused when the server stops, instead of being tried one after the
        other."""
        gallery = Gallery(("--workers", "1", "--s3-timeout", "5"))
        try:
            ada, answers = gallery.sign_up("ada"), []

            def post(number):
                with contextlib.suppress(OSError, rest.http.client.HTTPException):
                    answers.append(ada.post_image(photos.png(f"many {number}", 60, 40)).status)

            posts = [threading.Thread(target=post, args=(number,)) for number in range(12 * os.cpu_count())]
            with Standstill():
                for thread in posts:
                    thread.start()
                begun = time.monotonic()
                while time.monotonic() < begun + 3:
                    asked = time.monotonic()
                    self.assertEqual(rest.request(gallery.address, "GET", "/api/v1/auth/state").status, 200)
                    self.assertEqual(ada.send("GET", "/images").status, 200)
                    self.assertLess(time.monotonic() - asked, 2)
                self.assertTrue(any(thread.is_alive() for thread in posts))
                begun = time.monotonic()
                gallery.stop()
                # The server's patience with its clients, and that of one call.
                self.assertLess(time.monotonic() - begun, 20)
                for thread in posts:
                    thread.join()
            self.assertEqual(set(answers) - {503}, set())
        finally:
            gallery.server.process.kill()


if __name__ == "__main__":
    unittest.main(verbosity=2)
