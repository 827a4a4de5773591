#!/usr/bin/env python3
"""Proves `tintype scrub`: with a server and without, interrupted, killed and continued, for people and for programs."""

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
import sealing  # noqa: E402
from gallery import Gallery, wait_until  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
PHOTOS = 4
MEGABYTE = 1 << 20
LABEL = b"scrub state"


class ScrubTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.data_dir = f"{folder.name}/data"
        cls.state = Path(cls.data_dir, "scrub.state")
        # Files in plain, in which a flipped bit is for the checksum to find: encrypted ones fail to open already
        # (tests/mission/sealed_photos_test.py).
        cls.gallery = Gallery(("--workers", "1", "--blob-encryption", "off"), data_dir=cls.data_dir)
        cls.addClassCleanup(lambda: cls.gallery.server.process.poll() is None and cls.gallery.stop())
        cls.ada = cls.gallery.sign_up("ada")
        # A megabyte each, so that at a megabyte a second there is time to interrupt it.
        cls.images = [cls.ada.upload(photos.jpeg(f"scrub {n}").ljust(MEGABYTE, b"\0")) for n in range(PHOTOS)]
        for image in cls.images:
            cls.gallery.wait_developed(cls.ada, image)
        cls.gallery.wait_idle()

    def setUp(self):
        self.state.unlink(missing_ok=True)
        if self.gallery.server.process.poll() is not None:
            self.gallery.start()

    def kept(self):
        """Where the scrub stopped."""
        return json.loads(sealing.unseal_text(self.data_dir, LABEL, self.state.read_bytes()))

    def command(self, *arguments):
        return [BINARY, "scrub", "--data-dir", self.data_dir, *arguments]

    def scrub(self, *arguments, code=0):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def begin(self, *arguments):
        return subprocess.Popen(self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def original(self, image):
        return Path(self.data_dir, "blobs", "images", "images", image, "ORIGINAL")

    def flip(self, *images):
        """Flips one bit in the originals until the end of the test, as a disk does: the length stays."""
        for image in images:
            path = self.original(image)
            whole = path.read_bytes()
            self.addCleanup(path.write_bytes, whole)
            path.write_bytes(whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])

    def assert_all_found(self, done):
        for image in self.images:
            self.assertIn(f"damaged-blob {image} images/{image}/ORIGINAL (its SHA-256 is ", done.stdout)
        self.assertIn(f": {PHOTOS} findings", done.stdout)
        self.assertFalse(self.state.exists())

    def test_help_and_errors(self):
        told = subprocess.run([BINARY, "scrub", "--help"], capture_output=True, text=True, check=True).stdout
        for words in ("--quick", "--restart", "--rate-mb", "--json", "Exit codes: 0 no findings, 1 findings"):
            self.assertIn(words, told)
        self.scrub("--rate-mb", "-1", code=2)
        self.scrub("--rate-mb", "much", code=2)
        done = subprocess.run([BINARY, "scrub", "--data-dir", "/nowhere"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere", done.stderr)

    def test_a_flipped_bit_is_found(self):
        """With a server and without; only by reading, and with a word on what to do."""
        self.assertIn(f"looked at {PHOTOS} images", self.scrub().stdout)
        self.flip(self.images[1])
        for serving in (True, False):
            if not serving:
                self.gallery.stop()
            done = self.scrub(code=1)
            self.assertIn(f"damaged-blob {self.images[1]} images/{self.images[1]}/ORIGINAL (its SHA-256 is ", done.stdout)
            self.assertIn("next: bring the file back from a backup", done.stdout)
            self.assertIn("1 things do not fit together", done.stderr)
            self.assertIn("read 0 bytes: 0 findings", self.scrub("--quick").stdout)
        lines = [json.loads(line) for line in self.scrub("--json", code=1).stdout.splitlines()]
        [finding] = [line["finding"] for line in lines if "finding" in line]
        self.assertEqual((finding["kind"], finding["id"]), ("damaged-blob", self.images[1]))
        self.assertIn("backup", finding["next"])
        done = lines[-1]["done"]
        self.assertEqual((done["images"], done["findings"], done["in_progress"]), (PHOTOS, 1, 0))
        # What does not fit is read twice.
        self.assertEqual(done["bytes_read"], (PHOTOS + 1) * MEGABYTE)

    def test_progress(self):
        """Lines with all that one wants to know, and an object a line for programs."""
        slow = self.begin("--rate-mb", "1", "--json")
        output, _ = slow.communicate(timeout=60)
        self.assertEqual(slow.returncode, 0)
        lines = [json.loads(line) for line in output.splitlines()]
        steps = [line["progress"] for line in lines if "progress" in line and line["progress"]["stage"] == "photos"]
        self.assertGreaterEqual(len(steps), 2, output)
        self.assertEqual({step["total"] for step in steps}, {PHOTOS * MEGABYTE})
        self.assertEqual(sorted(step["done"] for step in steps), [step["done"] for step in steps])
        self.assertRegex(steps[-1]["detail"], rf"^\d of {PHOTOS} photos, \d+ files$")
        self.flip(*self.images)  # Read twice, it takes long enough for a line of text.
        slow = self.begin("--rate-mb", "1")
        _, errors = slow.communicate(timeout=60)
        self.assertEqual(slow.returncode, 1)
        self.assertRegex(errors, rf"photos \d+ %, \d\.\d MB of 4\.0 MB, [\d.]+ [KM]B/s, \d:\d\d left, \d of {PHOTOS} photos")

    def test_interrupted_it_goes_on(self):
        """Ctrl-C, with a server and without: the same command goes on, and shows what was found before."""
        self.flip(*self.images)
        for serving in (True, False):
            if not serving:
                self.gallery.stop()
            process = self.begin("--rate-mb", "1")
            wait_until(self.state.exists, "that a part is done")
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1)
            self.assertIn("Interrupted. The same command goes on where this one ended", errors)
            kept = self.kept()["scrub"]
            self.assertEqual((kept["stage"], self.state.stat().st_mode & 0o777), ("images", 0o600))
            done = self.scrub(code=1)
            self.assertRegex(done.stderr, rf"continuing the scrub that began at 20\S+: [1-{PHOTOS - 1}] of {PHOTOS} photos done")
            self.assert_all_found(done)

    def test_killed_it_goes_on(self):
        """The server that does it is killed, and then a command that does it by itself."""
        self.flip(*self.images)
        process = self.begin("--rate-mb", "1")
        wait_until(self.state.exists, "that a part is done")
        self.gallery.server.kill()
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, "The server ended.*The same command goes on where this one ended")
        before = self.kept()["scrub"]["images"]
        process = self.begin("--rate-mb", "1")
        wait_until(lambda: self.kept()["scrub"]["images"] > before, "that more is done")
        process.kill()
        process.communicate(timeout=60)
        self.gallery.start()
        done = self.scrub(code=1)
        self.assertIn("continuing the scrub", done.stderr)
        self.assert_all_found(done)
        # Nothing is left to go on from.
        self.assertNotIn("continuing", self.scrub(code=1).stderr)

    def test_what_it_does_not_go_on_from(self):
        """--restart, other settings, another version, a torn file: it begins again, and says why; and no backup has the
        file."""
        self.gallery.stop()
        process = self.begin("--rate-mb", "1")
        wait_until(self.state.exists, "that a part is done")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        kept = self.state.read_bytes()
        backups = self.folder / "backups"
        subprocess.run([BINARY, "backup", "create", "--data-dir", self.data_dir, "--to", str(backups)], check=True,
                       capture_output=True)
        files = [path for path in backups.rglob("*") if path.is_file()]
        self.assertTrue(files)
        self.assertEqual([path for path in files if path.name == "scrub.state" or b"scrub.state" in path.read_bytes()], [])
        older = self.kept()
        older["scrub"]["version"] = "0.0.1"
        cases = (
            (kept, ("--restart",), None),
            (kept, ("--quick",), "not continuing the scrub that was interrupted: it had other settings"),
            (sealing.seal_text(self.data_dir, LABEL, json.dumps(older).encode()), (), "not continuing the scrub that was interrupted: it was one of version 0.0.1"),
            (kept[:100], (), "not continuing the scrub that was interrupted: its file cannot be read"),
        )
        for content, arguments, said in cases:
            self.state.write_bytes(content)
            done = self.scrub(*arguments)
            self.assertIn(f"looked at {PHOTOS} images", done.stdout)
            if said:
                self.assertEqual(done.stderr.splitlines()[0], said)
            else:
                self.assertNotIn("continuing", done.stderr)
            self.assertFalse(self.state.exists())
        self.state.write_bytes(kept)
        lines = [json.loads(line) for line in self.scrub("--json").stdout.splitlines()]
        self.assertIn("continuing the scrub", lines[0]["note"]["message"])

    def test_one_at_a_time(self):
        """While one is going on in the server, another is refused."""
        self.flip(*self.images)
        process = self.begin("--rate-mb", "1")
        self.addCleanup(lambda: process.communicate(timeout=60))
        wait_until(self.state.exists, "that a part is done")
        self.assertIn("Another scrub is in progress", self.scrub(code=1).stderr)
        process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    unittest.main(verbosity=2)
