"""The real server on a small real disk that photos fill: whatever they have filled, its users can make empty again.

The disk is a small tmpfs, which takes the right to mount; without it the test is skipped, and says so.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import Gallery, wait_until  # noqa: E402

MB = 1 << 20
DISK_MB, MIN_FREE_MB, RESERVE_MB = 400, 64, 32
CHUNK = 8 * MB


class DiskFullOfPhotos(unittest.TestCase):
    def setUp(self):
        self._mount = tempfile.mkdtemp(prefix="tintype-disk-")
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", self._mount], capture_output=True,
                                 text=True, check=False)
        if mounted.returncode != 0:
            os.rmdir(self._mount)
            self.skipTest(f"mounting a small disk is not allowed here: {mounted.stderr.strip()}")
        self.addCleanup(os.rmdir, self._mount)
        self.addCleanup(subprocess.run, ["umount", self._mount], check=True)
        self.gallery = Gallery(("--workers", "1", "--min-free-mb", str(MIN_FREE_MB), "--ballast-mb", "0",
                                "--photo-reserve-mb", str(RESERVE_MB), "--upload-kept", "6"), data_dir=f"{self._mount}/data")
        self.addCleanup(self.gallery.stop)
        self.ada = self.gallery.sign_up("ada")

    def _free(self):
        system = os.statvfs(self._mount)
        return system.f_bavail * system.f_frsize

    @staticmethod
    def _mark():
        return (MIN_FREE_MB * 9 // 8 + RESERVE_MB) * MB

    def _photos_refused(self):
        text = rest.request(self.gallery.server.addresses["metrics"], "GET", "/metrics").body.decode()
        return int(re.search(r"^tintype_disk_photos_refused (\d)$", text, re.MULTILINE).group(1))

    def _create(self, length):
        return self.ada.tus("POST", "/uploads", Upload_Length=length)

    def _path(self, length):
        created = self._create(length)
        self.assertEqual(created.status, 201, created.body)
        return created.headers["Location"].removeprefix("/api/v1")

    def _send_until_refused(self, path, length):
        """Sends parts until one is refused or all but the last are there; the last status."""
        chunk = photos.jpeg("a disk full", 640, 480).ljust(CHUNK, b"\0")
        for offset in range(0, length - CHUNK, CHUNK):
            answer = self.ada.tus("PATCH", path, chunk, Upload_Offset=offset)
            if answer.status != 204:
                break
        return answer.status

    def test_what_photos_filled_can_be_made_empty(self):
        """At the mark where photos are refused, uploads are cancelled, expire and images are deleted; then photos come
        in again."""
        limit = self.ada.limit()
        self.assertEqual(self._photos_refused(), 0)
        kept = self.ada.upload(photos.png("on a small disk", 30, 30))
        self.gallery.wait_developed(self.ada, kept)
        too_long = self._create(self._free())
        self.assertEqual((too_long.status, b"no room" in too_long.body), (503, True))

        length = 24 * CHUNK
        cancelled, forgotten = self._path(length), self._path(length)
        self.assertEqual(self._send_until_refused(cancelled, length), 204)
        self.assertEqual(self._send_until_refused(forgotten, length), 503)
        # A part did not fit, but there is room for less: another program takes that.
        filler = Path(self._mount, "filler")
        filler.write_bytes(bytes(max(0, self._free() - self._mark() + MB)))
        self.assertEqual(self._photos_refused(), 1)
        filler.unlink()
        self.assertGreater(self._free(), (MIN_FREE_MB + RESERVE_MB) * MB)
        self.assertLess(self._free(), self._mark() + CHUNK)
        small = photos.png("one more", 30, 31).ljust(CHUNK, b"\0")
        self.assertEqual(self.ada.post_image(small).status, 503)
        self.assertEqual(self._create(CHUNK).status, 503)
        link = self.ada.send("POST", "/uploads/direct", {"size": CHUNK})
        if link.status == 201:
            self.assertEqual(self.ada.send("DELETE", f"/uploads/{link.json['id']}").status, 204)

        self.assertEqual(self.ada.delete(kept).status, 202)
        self.gallery.wait_deleted(kept)
        self.assertEqual(self.ada.tus("DELETE", cancelled).status, 204)
        spool = Path(self.gallery.server.data_dir, "uploads")
        wait_until(lambda: not list(spool.iterdir()), "the end of what was cancelled and what was forgotten")
        wait_until(lambda: self.ada.limit() == limit, "the limit as it was")
        self.assertEqual(self.ada.post_image(small).status, 202)
        self.assertEqual(self._photos_refused(), 0)


    def _fill(self, free):
        """Another program leaves that much of the disk."""
        filler = Path(self._mount, "filler")
        filler.unlink(missing_ok=True)
        filler.write_bytes(bytes(max(0, self._free() - free)))
        return filler

    def _writes(self):
        ready = rest.request(self.gallery.address, "GET", "/readyz")
        self.assertEqual(ready.status, 200)
        return ready.json["writes"]

    def _log_in(self):
        return rest.request(self.gallery.address, "POST", "/api/v1/auth/login",
                            json.dumps({"username": "ada", "password": "correct horse battery"}),
                            {"Content-Type": "application/json"})

    def test_low_on_disk_people_log_in_and_delete(self):
        """A6: below --min-free-mb nobody is locked out: login, refresh, trash and deletions go on, and /readyz tells.
        What adds something is refused until there is room."""
        def upload(name):
            image_id = self.ada.upload(photos.png(name, 30, 30))
            self.gallery.wait_developed(self.ada, image_id)
            return image_id
        kept, trashed, emptied, deleted = (upload(f"low on disk {i}") for i in range(4))
        self.assertEqual(self.ada.delete(emptied, permanent=False).status, 202)
        self.gallery.wait_idle()
        self.assertEqual(self._writes(), "accepted")
        version = self.ada.send("GET", f"/images/{kept}").headers["ETag"]
        filler = self._fill(MIN_FREE_MB * MB * 5 // 8)
        wait_until(lambda: self._writes() == "limited", "a disk that is nearly full")

        tokens = self._log_in()
        self.assertEqual(tokens.status, 200, tokens.body)
        renewed = rest.request(self.gallery.address, "POST", "/api/v1/auth/refresh",
                               json.dumps({"refreshToken": tokens.json["refreshToken"]}),
                               {"Content-Type": "application/json"})
        self.assertEqual(renewed.status, 200, renewed.body)
        self.ada.log_in()
        change = self.ada.send("PATCH", f"/images/{kept}", {"title": "larger"}, {"If-Match": version})
        self.assertEqual((change.status, change.json["code"]), (503, "Unavailable"))
        self.assertIn("delete", change.json["detail"])
        self.assertGreater(int(change.headers["Retry-After"]), 0)
        job = {"imageId": kept, "provider": "local", "operations": [{"op": "rotate", "degrees": 90}]}
        self.assertEqual(self.ada.send("POST", "/jobs", job).status, 503)
        self.assertEqual(self.ada.post_image(photos.png("one more", 30, 31)).status, 503)
        with self.assertRaises(Exception) as refused:
            self.gallery.documents.put_item(TableName="tintype", Item={"PK": "x", "SK": "y"})
        self.assertIn("disk is full", str(refused.exception))

        self.assertEqual(self.ada.delete(trashed, permanent=False).status, 202)
        self.assertEqual(self.ada.send("POST", f"/images/{trashed}/restore").status, 200)
        self.assertEqual(self.ada.send("DELETE", "/images?state=trashed").status, 202)
        self.assertEqual(self.ada.delete(deleted).status, 202)
        self.gallery.wait_deleted(emptied)
        self.gallery.wait_deleted(deleted)
        self.assertEqual(self._writes(), "limited")

        filler = self._fill(MIN_FREE_MB * MB // 8)
        wait_until(lambda: self._writes() == "refused", "a full disk")
        self.assertEqual(self._log_in().status, 503)
        self.assertEqual(self.ada.send("GET", f"/images/{kept}").status, 200)
        filler.unlink()
        wait_until(lambda: self._writes() == "accepted", "room again")
        self.assertEqual(self.ada.send("PATCH", f"/images/{kept}", {"title": "larger"}, {"If-Match": version}).status, 200)
        self.assertEqual(self._log_in().status, 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
