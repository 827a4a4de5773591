"""Photos that the storage encrypts, each way that it can be asked to. Run by ceph.py."""

import base64
import hashlib
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from botocore.exceptions import ClientError  # noqa: E402
from gallery import Gallery  # noqa: E402
from loot import Loot  # noqa: E402
from tintype_server import ServerFailed  # noqa: E402

OWN_KEY = base64.b64encode(hashlib.sha256(b"a key of the tests").digest()).decode()


class EncryptionTest:
    """A gallery's whole way with photos, and what the storage says of the objects."""

    HOW, ENVIRONMENT = None, {}

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(("--workers", "1", "--s3-encryption", cls.HOW), environment=cls.ENVIRONMENT)
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def check(self, key):
        raise NotImplementedError

    def test_photos(self):
        original = photos.encode(photos.paint("encrypted there", 3000, 2000), "JPEG", quality=97)
        image = self.ada.upload(original, "photo.jpg")
        self.gallery.wait_developed(self.ada, image)
        job = self.ada.create_job(image, {"op": "rotate", "degrees": 90})
        self.gallery.wait_job(self.ada, job["jobId"])
        keys = self.gallery.blobs("images/")
        self.assertGreaterEqual(len(keys), 6)
        for key in keys:
            self.check(key)
        for size, link in self.ada.image(image)["sizes"].items():
            answer = self.gallery.follow(link)
            self.assertIn(answer.status, (200, 302), size)
            if size == "ORIGINAL" and answer.status == 200:
                self.assertEqual(answer.body, original)
                part = self.gallery.follow(link, Range="bytes=1000-1999")
                self.assertEqual((part.status, part.body), (206, original[1000:2000]))
        resized = self.ada.call("POST", f"/images/{image}/links", {"w": 100, "format": "jpeg"})["url"]
        self.assertEqual(photos.size_of(self.gallery.follow(resized).body)[0], 100)
        self.assertEqual(self.gallery.run("scrub").returncode, 0)
        self.ada.delete(image)
        self.gallery.wait_deleted(image)


class ManagedKeyTest(EncryptionTest, unittest.TestCase):
    HOW = "sse-kms:photos-key"

    def check(self, key):
        head = self.gallery.storage.head(key)
        self.assertEqual((head["ServerSideEncryption"], head["SSEKMSKeyId"]), ("aws:kms", "photos-key"), key)


class OwnKeyTest(EncryptionTest, unittest.TestCase):
    HOW, ENVIRONMENT = "sse-c", {"TINTYPE_S3_ENCRYPTION_KEY": OWN_KEY}

    def check(self, key):
        with self.assertRaises(ClientError):
            self.gallery.storage.head(key)
        head = self.gallery.storage.head(key, SSECustomerAlgorithm="AES256", SSECustomerKey=base64.b64decode(OWN_KEY))
        self.assertEqual(head["SSECustomerAlgorithm"], "AES256", key)

    def test_links_lead_nowhere_else(self):
        """Nobody but the server has the key, so it passes the bytes on, and takes them itself."""
        image = self.ada.upload(photos.jpeg("own key", 300, 200))
        self.gallery.wait_developed(self.ada, image)
        for link in self.ada.image(image)["sizes"].values():
            self.assertEqual(self.gallery.follow(link).status, 200)
        begun = self.ada.call("POST", "/uploads/direct", {"size": 5})
        self.assertIn("/api/v1/uploads/", begun["url"])

    def test_the_key_is_nowhere(self):
        """Neither the log nor any file of the directory, nor a backup of it, has the key, though each request did."""
        image = self.ada.upload(photos.jpeg("a key to look for", 300, 200))
        self.gallery.wait_developed(self.ada, image)
        loot = Loot()
        loot.add_secret("the key as it was given", OWN_KEY)
        loot.add_key("the key", base64.b64decode(OWN_KEY))
        with tempfile.TemporaryDirectory() as folder:
            backup = self.gallery.run("backup", "create", "--to", str(Path(folder, "backup")))
            self.assertEqual(backup.returncode, 0, backup.stderr)
            self.assertEqual(loot.find(folder), [])
        self.assertEqual(loot.find(self.gallery.server.data_dir), [])
        self.assertIn("event=", self.gallery.server.log)
        self.assertEqual(loot.secrets_in(self.gallery.server.log.encode()), [])


class PreferredTest(unittest.TestCase):
    def test_what_the_storage_cannot(self):
        """What is only preferred is forgone with a warning for each bucket, or done without one, and the objects are as
        that says; an unknown key stops the start."""
        gallery = Gallery(("--workers", "1"))
        try:
            ada = gallery.sign_up("ada")
            original = photos.jpeg("preferred", 300, 200)
            image = ada.upload(original)
            gallery.wait_developed(ada, image)
            keys = gallery.blobs("images/")
            kept = {key: gallery.storage.head(key).get("ServerSideEncryption") for key in keys}
            self.assertEqual(gallery.blob(f"images/images/{image}/ORIGINAL"), original)
        finally:
            gallery.stop()
        self.assertGreaterEqual(len(kept), 5)
        warnings = [line for line in gallery.server.log.splitlines()
                    if "the storage does not encrypt with keys of its own" in line or "the storage does not say that it encrypts" in line]
        if warnings:
            self.assertEqual(set(kept.values()), {None})
            for bucket in ("uploads", "images"):
                self.assertTrue([line for line in warnings if f"bucket={bucket}" in line], warnings)
        else:
            self.assertEqual(set(kept.values()), {"AES256"})
        with self.assertRaises(ServerFailed) as failed:
            Gallery(("--s3-encryption", "sse-kms:nobody-knows-it"))
        self.assertIn("Cannot use the bucket", str(failed.exception))


if __name__ == "__main__":
    unittest.main(verbosity=2)
