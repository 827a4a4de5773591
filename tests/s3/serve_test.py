"""The server with its photos on S3, when the storage hangs, refuses its key, or loses an object. Run by ceph.py."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import BACKLOG, Gallery, tintype_server, wait_until  # noqa: E402


def scrub(data_dir):
    """What the scrub of a running server finds: its exit code, and its lines."""
    done = subprocess.run([os.environ["TINTYPE_BIN"], "scrub", "--data-dir", data_dir], capture_output=True, text=True,
                          timeout=60, check=False)
    return done.returncode, done.stdout


class ServeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(("--workers", "1", "--s3-timeout", "3"))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def test_photos_are_objects(self):
        """Proves that nothing of a photo stays in the data directory, and that the scrub sees an object that is gone."""
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
        """Proves that while the storage hangs uploads are answered 503 and background work waits without being counted as
        failed, and that afterwards all is well."""
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("before", 60, 40)))
        osd = int(os.environ["TINTYPE_TEST_S3_OSD_PID"])
        with self.gallery.paused():
            waiting = self.ada.upload(photos.png("waiting", 60, 40))
            os.kill(osd, signal.SIGSTOP)
        try:
            wait_until(lambda: "State:\tT" in Path(f"/proc/{osd}/status").read_text(), "that it stands still")
            begun = time.monotonic()
            answer = self.ada.post_image(photos.png("refused", 60, 40))
            self.assertEqual(answer.status, 503, answer.body)
            self.assertLess(time.monotonic() - begun, 20)
            self.assertIn("storage", answer.json["detail"])
            wait_until(lambda: "lastError" in self.gallery.get(BACKLOG, id=f"develop-{waiting}"), "that developing fails")
        finally:
            os.kill(osd, signal.SIGCONT)
        work = self.gallery.get(BACKLOG, id=f"develop-{waiting}")
        self.assertEqual((work["status"], work["retryCount"]), ("DELAYED", 0), work["lastError"])
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("refused", 60, 40)))

    def test_photos_stay_in_the_buckets(self):
        """Proves that a command which opens the directory itself is refused without the settings of S3, and says which it wants;
        that with them it puts photos where the server finds them; and that a server with other buckets does not start."""
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

    def test_a_key_that_is_refused_is_told(self):
        """Proves that a server whose key is wrong does not start, and says why."""
        overrides = {"TINTYPE_GALLERY": "on", "TINTYPE_S3_SECRET_ACCESS_KEY": "wrong"}
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(tintype_server.ServerFailed) as failed:
            tintype_server.Server(data_dir=folder + "/data", arguments=self.gallery.storage.arguments, overrides=overrides)
        self.assertIn("the secret access key is wrong", str(failed.exception))


if __name__ == "__main__":
    unittest.main(verbosity=2)
