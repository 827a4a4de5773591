#!/usr/bin/env python3
"""Proves `tintype rebuild renditions` on a real server: which photos, with progress, across kills, and without a
server."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import BACKLOG, SIZES, Gallery, wait_until  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
MADE = [size for size in SIZES if size != "ORIGINAL"]


class RebuildTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.data_dir = f"{folder.name}/data"
        cls.gallery = Gallery(("--workers", "1"), data_dir=cls.data_dir)
        cls.addClassCleanup(lambda: cls.gallery.stop())
        cls.ada = cls.gallery.sign_up("ada")
        cls.bea = cls.gallery.sign_up("bea")
        cls.images = [cls.ada.upload(photos.png(f"rebuild {n}", 40, 30)) for n in range(6)]
        cls.other = cls.bea.upload(photos.jpeg("rebuild other", 300, 200))
        for account, image in [(cls.ada, image) for image in cls.images] + [(cls.bea, cls.other)]:
            cls.gallery.wait_developed(account, image)
        job = cls.bea.create_job(cls.other, {"op": "rotate", "degrees": 90})
        assert cls.gallery.wait_job(cls.bea, job["jobId"])["status"] == "COMPLETED"
        cls.gallery.wait_idle()

    def rebuild(self, *arguments, code=0):
        done = subprocess.run([BINARY, "rebuild", "renditions", *arguments, "--data-dir", self.data_dir], capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def path(self, image, size, revision=0):
        folder = f"images/images/{image}" + (f"/v{revision}" if revision else "")
        return Path(self.data_dir, "blobs", folder, size)

    def spoil(self, *paths):
        for path in paths:
            path.write_bytes(b"spoilt")

    def held(self, path):
        """What the file holds, opened if it is encrypted."""
        return self.gallery.blob(str(path.relative_to(Path(self.data_dir, "blobs"))))

    def assert_whole(self, *paths):
        for path in paths:
            self.assertEqual(photos.format_of(self.held(path)), "WEBP", path)

    def test_help_and_errors(self):
        self.assertIn("Examples", self.rebuild("--help").stdout)
        self.rebuild(code=2)
        self.rebuild("--all", "--missing", code=2)
        for nothing in (("--user", ""), ("--image", ""), ("--image", self.other, "--image", ""), ("--all=false",),
                        ("--missing=false",), ("--failed=false",)):
            self.rebuild(*nothing, code=2)
        self.assertIsNone(self.gallery.get(BACKLOG, id="rebuild-renditions"))
        self.assertIn("There is no account 'nobody'", self.rebuild("--user", "nobody", code=1).stderr)
        self.assertIn("There is no image nothing", self.rebuild("--image", "nothing", code=1).stderr)
        done = subprocess.run([BINARY, "rebuild", "renditions", "--all", "--data-dir", "/nowhere"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere", done.stderr)

    def test_some_photos_and_their_edits(self):
        spoilt = [self.path(self.other, size, revision) for size in MADE for revision in (0, 1)]
        self.spoil(*spoilt)
        before = self.gallery.record(self.other)
        self.assertIn("1 of 7 images would be rebuilt", self.rebuild("--user", "bea", "--dry-run").stdout)
        self.assertEqual(spoilt[0].read_bytes(), b"spoilt")
        self.assertIn("1 of 7 images were chosen: 1 rebuilt, 0 failed", self.rebuild("--user", "bea").stdout)
        self.assert_whole(*spoilt)
        self.assertEqual(photos.size_of(self.held(self.path(self.other, "LARGE", 1))), (200, 300))
        after = self.gallery.record(self.other)
        for name in ("width", "height", "revision", "version", "processedSize", "processingStatus"):
            self.assertEqual(after[name], before[name], name)

        missing = self.path(self.images[0], "THUMB")
        missing.unlink()
        kept = self.path(self.images[1], "THUMB")
        self.spoil(kept)
        lines = [json.loads(line) for line in self.rebuild("--missing", "--json").stdout.splitlines()]
        self.assertEqual(lines[-1]["done"], {"state": "ended", "images": 7, "seen": 7, "chosen": 1, "rebuilt": 1, "failed": 0})
        self.assertEqual({line["progress"]["unit"] for line in lines[:-1] if "progress" in line}, {"images"})
        self.assert_whole(missing)
        self.assertEqual(kept.read_bytes(), b"spoilt")
        self.rebuild("--image", self.images[2], "--image", self.images[1], "--image", self.images[2])
        self.assert_whole(kept)

    def test_goes_on_after_a_kill(self):
        """The server is killed in the middle. The next one goes on by itself, and the same command shows how it
        ends."""
        spoilt = [self.path(image, "LARGE") for image in self.images]
        self.spoil(*spoilt)
        warm = self.ada.upload(photos.png("rebuild warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        with self.gallery.paused():
            process = subprocess.Popen([BINARY, "rebuild", "renditions", "--all", "--data-dir", self.data_dir],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            wait_until(lambda: self.gallery.get(BACKLOG, id=f"rebuild-image-{self.images[-1]}"), "queued images")
            self.assertIn("Another choice of images", self.rebuild("--missing", code=1).stderr)
            self.gallery.server.kill()
        self.assertRegex(process.communicate(timeout=60)[1], "The server ended.*the same command shows how far it is")
        self.assertEqual(process.returncode, 1)
        self.gallery.start()
        self.ada.log_in()
        self.bea.log_in()
        wait_until(lambda: all(path.read_bytes() != b"spoilt" for path in spoilt), "a rebuild that goes on by itself")
        self.rebuild("--all")
        self.assert_whole(*spoilt)
        self.ada.delete(warm)
        self.gallery.wait_deleted(warm)
        self.gallery.wait_idle()

    def test_interrupting_the_command_does_not_stop_it(self):
        spoilt = [self.path(image, "MEDIUM") for image in self.images]
        self.spoil(*spoilt)
        process = subprocess.Popen([BINARY, "rebuild", "renditions", "--user", "ada", "--data-dir", self.data_dir],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: self.gallery.get(BACKLOG, id="rebuild-renditions"), "that it has begun")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("The rebuild goes on in the server", errors)
        wait_until(lambda: all(path.read_bytes() != b"spoilt" for path in spoilt), "the rebuilt photos")
        self.gallery.wait_idle()

    def test_giving_it_up_is_told(self):
        """Proves that a command whose rebuild an operator takes out of the backlog does not call it done."""
        self.gallery.wait_idle()
        with self.gallery.paused():
            process = subprocess.Popen([BINARY, "rebuild", "renditions", "--user", "ada", "--data-dir", self.data_dir],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            purge = [BINARY, "work", "purge", "rebuild-renditions", "--yes", "--data-dir", self.data_dir]
            wait_until(lambda: self.gallery.get(BACKLOG, id=f"rebuild-image-{self.images[-1]}"), "queued images")
            wait_until(lambda: subprocess.run(purge, capture_output=True, check=False).returncode == 0, "that it is given up")
            output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, output)
        self.assertIn("The rebuild was given up when it had looked at", errors)
        self.gallery.wait_idle()

    def test_without_a_server_it_is_queued(self):
        spoilt = self.path(self.images[3], "SMALL")
        self.spoil(spoilt)
        self.gallery.stop()
        self.assertIn("queued: 1 images are looked at when a server runs", self.rebuild("--image", self.images[3]).stdout)
        self.assertEqual(spoilt.read_bytes(), b"spoilt")
        self.gallery.start()
        self.ada.log_in()
        self.bea.log_in()
        wait_until(lambda: spoilt.read_bytes() != b"spoilt", "what was queued")
        self.assert_whole(spoilt)
        self.gallery.wait_idle()

    def test_what_cannot_be_rebuilt_is_told(self):
        failed = self.ada.upload(photos.corrupt("rebuild"))
        self.gallery.wait_developed(self.ada, failed, "failed")
        told = self.rebuild("--failed", code=1)
        self.assertIn("1 could not be rebuilt and keep what they had", told.stderr)
        self.assertIn("1 of 8 images were chosen: 0 rebuilt, 1 failed", told.stdout)
        self.assertIn("1 rebuilt, 0 failed", self.rebuild("--image", self.images[0]).stdout)  # Whatever failed before.
        work = [BINARY, "work", "list", "--data-dir", self.data_dir]
        self.assertIn(f"rebuild-image-{failed}", subprocess.run(work, capture_output=True, text=True, check=True).stdout)
        self.assertEqual(self.ada.image(failed)["processingStatus"], "failed")
        subprocess.run([BINARY, "work", "purge", "--all-dead", "--yes", "--data-dir", self.data_dir], capture_output=True,
                       check=True)
        self.ada.delete(failed)
        self.gallery.wait_deleted(failed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
