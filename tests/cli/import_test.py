#!/usr/bin/env python3
"""Proves `tintype import folder`: with a server and without, again and again, interrupted and killed."""

import itertools
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
from gallery import BACKLOG, SYSTEM, Gallery, wait_until  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]


class ImportTest(unittest.TestCase):
    ARGUMENTS = ("--workers", "1", "--upload-mb", "1")

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.data_dir = f"{folder.name}/data"
        cls.gallery = Gallery(cls.ARGUMENTS, data_dir=cls.data_dir)
        cls.addClassCleanup(lambda: cls.gallery.stop())
        cls.ada = cls.gallery.sign_up("ada")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name, "photos")
        self.folder.mkdir()

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def write_photos(self, count):
        for n in range(count):
            self.write(f"{n // 10:02}/{n:03}.png", photos.png(f"{self.id()} {n}", 24, 16))

    def command(self, *arguments, user=None):
        return [BINARY, "import", "folder", str(self.folder), "--user", user or self.ada.email, "--data-dir", self.data_dir,
                *arguments]

    def run_import(self, *arguments, code=0, **options):
        done = subprocess.run(self.command(*arguments, **options), capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def outcome(self, *arguments, **options):
        """The last line of --json, without what is 0 or empty."""
        lines = self.run_import("--json", *arguments, **options).stdout.splitlines()
        return {name: value for name, value in json.loads(lines[-1])["done"].items() if value}

    def names(self, account=None):
        found, cursor = [], ""
        while True:
            page = (account or self.ada).call("GET", f"/images?limit=100{cursor}")
            found += [image["originalFilename"] for image in page["items"]]
            if not page["hasMore"]:
                return sorted(found)
            cursor = f"&cursor={page['lastEvaluatedKey']}"

    def scrub(self):
        done = subprocess.run([BINARY, "scrub", "--data-dir", self.data_dir], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_says_what_came_back_from_the_trash(self):
        """A file whose photo is in the trash brings it back, and the summary counts it."""
        cora = self.gallery.sign_up("cora")
        files = [self.write(f"{n}.png", photos.png(f"import back {n}", 40, 30)) for n in range(2)]
        ids = [cora.upload(file.read_bytes(), file.name) for file in files]
        self.assertEqual(cora.delete(ids[0], permanent=False).status, 202)
        done = self.run_import(user=cora.email)
        self.assertIn("0 imported before, 2 duplicates (1 came back from the trash), ", done.stdout)
        self.assertEqual(self.names(cora), ["0.png", "1.png"])
        os.utime(files[0], (1, 1))
        cora.delete(ids[0], permanent=False)
        self.assertEqual(self.outcome(user=cora.email)["restored"], 1)

    def test_help_and_errors(self):
        told = subprocess.run([BINARY, "import", "folder", "--help"], capture_output=True, text=True, check=True).stdout
        self.assertIn("Examples", told)
        for missing in (["import"], ["import", "folder"], ["import", "folder", str(self.folder)]):
            self.assertEqual(subprocess.run([BINARY, *missing], capture_output=True, check=False).returncode, 2)
        self.assertIn("There is no account 'nobody@example.com'", self.run_import(user="nobody@example.com", code=1).stderr)
        self.assertIn("is in the data directory", self.with_folder(self.data_dir).stderr)
        self.assertIn("No such file", self.with_folder("/nowhere").stderr)
        self.assertIn("is not a folder", self.with_folder(BINARY).stderr)
        done = subprocess.run([BINARY, "import", "folder", str(self.folder), "--user", "x", "--data-dir", "/nowhere"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere", done.stderr)

    def with_folder(self, folder):
        done = subprocess.run([BINARY, "import", "folder", folder, "--user", self.ada.email, "--data-dir", self.data_dir],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        return done

    def test_takes_photos_once_and_names_what_it_leaves(self):
        bea = self.gallery.sign_up("bea")
        first = self.write("a/one.jpg", photos.jpeg("import one"))
        self.write("a/b/two.png", photos.png("import two", 40, 30))
        self.write("a/copy of one.jpg", first.read_bytes())
        self.write("notes.txt", b"no photo")
        self.write("empty.jpg", b"")
        self.write("a/.thumbnails/t.jpg", photos.jpeg("hidden"))
        self.write("too large.jpg", photos.jpeg("large") + bytes(1 << 20))
        (self.folder / "link").symlink_to("/etc")
        before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in self.folder.rglob("*.jpg")}

        dry = self.outcome("--dry-run", user=bea.email, code=1)
        self.assertEqual((dry["imported"], dry["unsupported"], dry["failed"]), (3, 2, 1))
        self.assertEqual(self.names(bea), [])
        done = self.run_import(user="bea", code=1)
        self.assertIn("6 files: 2 imported (", done.stdout)
        self.assertIn("0 imported before, 1 duplicates, 2 of other types (", done.stdout)
        self.assertIn("passed over: 1 hidden, 1 symbolic links, 0 special files", done.stdout)
        self.assertIn(f"{self.folder}/notes.txt: ", done.stdout)
        self.assertIn(f"{self.folder}/too large.jpg: it has ", done.stdout)
        self.assertIn("1 were not imported", done.stderr)
        self.assertEqual(len(self.names(bea)), 2)
        self.assertIn("two.png", self.names(bea))
        self.assertEqual(self.outcome("--dry-run", user=bea.email, code=1)["problems"][0].split(": ")[0],
                         f"{self.folder}/too large.jpg")
        limit = bea.limit()
        self.assertEqual({path: (path.stat().st_mtime_ns, path.read_bytes()) for path in before}, before)

        # Again: nothing is read that is as recorded. A file that was touched is read, and found to be there.
        (self.folder / "too large.jpg").unlink()
        self.assertEqual(self.outcome(user=bea.email)["known"], 3)
        os.utime(first, (1, 1))
        self.write("c/new.png", photos.png("import new", 40, 30))
        again = self.outcome("--album", "summer", user=bea.email)
        self.assertEqual((again["known"], again["duplicates"], again["imported"]), (2, 1, 1))
        self.assertEqual(bea.limit(), limit - 1)
        [new] = [image for image in bea.call("GET", "/images?limit=100")["items"] if image["originalFilename"] == "new.png"]
        self.assertEqual(new["albumId"], "summer")
        # What the account has deleted since is not brought back.
        self.assertEqual(bea.delete(new["id"]).status, 202)
        wait_until(lambda: self.gallery.record(new["id"]) is None, "the end of deleting it")
        self.assertEqual(self.outcome(user=bea.email)["known"], 4)
        self.gallery.wait_idle()
        self.scrub()

    def test_names_damaged_files(self):
        """A file that ends early is imported and named, with how much of it is there; so is one that cannot be
        developed. Neither is a failure of the import."""
        gil = self.gallery.sign_up("gil")
        whole = photos.jpeg("import damaged", 640, 480)
        self.write("fine.jpg", whole)
        torn = self.write("torn.jpg", whole[:len(whole) // 2])
        corrupt = self.write("corrupt.jpg", photos.corrupt("import"))
        told = self.run_import(user="gil").stdout
        self.assertIn("imported, but damaged:\n", told)
        self.assertRegex(told, rf"(?m)^{torn}: This file ends in the middle\. About \d+ % of the picture is there\.")
        self.assertRegex(told, rf"(?m)^{corrupt}: The image is damaged")
        self.assertIn("3 files: 3 imported", told)
        states = {image["originalFilename"]: image["processingStatus"] for image in gil.call("GET", "/images")["items"]}
        self.assertEqual(states, {"fine.jpg": "completed", "torn.jpg": "completed", "corrupt.jpg": "failed"})
        hana = self.gallery.sign_up("hana")
        done = self.outcome(user=hana.email)
        self.assertEqual((done["imported"], done["damaged"], len(done["damaged_files"])), (3, 2, 2))
        self.assertNotIn("undeveloped", done)

    def test_tells_how_far_it_is(self):
        """In bytes and files, of what is in the folder, to the very end; photos that are no news count as well."""
        self.write_photos(12)
        total = sum(path.stat().st_size for path in self.folder.rglob("*.png"))
        for _ in range(2):
            lines = [json.loads(line) for line in self.run_import("--json").stdout.splitlines()]
            steps = [line["progress"] for line in lines[:-1] if line["progress"]["stage"] == "import"]
            self.assertEqual([step["done"] for step in steps], sorted(step["done"] for step in steps))
            self.assertEqual((steps[-1]["done"], steps[-1]["total"], steps[-1]["detail"]), (total, total, "12 of 12 files"))

    def test_files_that_cannot_be_had(self):
        """One that may not be read, and one that somebody writes to meanwhile, are told and leave nothing; the others
        come."""
        ivy = self.gallery.sign_up("ivy")
        limit = ivy.limit()
        self.write("fine.png", photos.png(self.id(), 24, 16))
        locked = self.write("locked.png", photos.png("locked", 24, 16))
        locked.chmod(0)
        # Large, so that somebody comes to write while it is read.
        changing = self.write("changing.png", photos.png("changing", 24, 16) + bytes(40 << 20))
        self.gallery.stop()
        # Without the right of root to read everything.
        powerless = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
        process = subprocess.Popen([*powerless, *self.command("--json", user="ivy")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env={**os.environ, "TINTYPE_UPLOAD_MB": "64"})
        for second in itertools.count(1):
            if process.poll() is not None:
                break
            os.utime(changing, (second, second))
        told, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, told + errors)
        done = json.loads(told.splitlines()[-1])["done"]
        self.assertEqual((done["imported"], done["failed"]), (1, 2))
        problems = dict(problem.split(": ", 1) for problem in done["problems"])
        self.assertEqual(problems[str(changing)], "it was changed while it was read")
        self.assertIn("Permission denied", problems[str(locked)])
        self.gallery.start()
        ivy.log_in()
        self.ada.log_in()
        self.assertEqual((self.names(ivy), ivy.limit()), (["fine.png"], limit - 1))
        self.gallery.wait_idle()
        self.scrub()

    def test_names_are_told_without_what_a_terminal_would_obey(self):
        names = ("two\nlines.txt", "\x1b[2Jclear.txt", "\u009b2Jclear.txt", os.fsdecode(b"\x9b\xff.txt"))
        for name in names:
            self.write(name, b"no photo")
        lines = self.run_import().stdout.splitlines()
        self.assertEqual(len(lines), len(names) + 2, lines)
        self.assertRegex("\n".join(lines), rf"(?m)^{self.folder}/two lines\.txt: ")
        self.assertNotRegex("".join(lines), "[\x00-\x1f\x7f-\x9f]")
        told = self.outcome()["unsupported_files"]
        self.assertEqual(len(told), len(names))
        self.assertIn(f"{self.folder}/two\nlines.txt", [each.rpartition(": ")[0] for each in told])

    def test_albums(self):
        """An album begins with the photos that name it; a name that cannot be is refused before anything is read."""
        self.write("photo.png", photos.png(self.id(), 24, 16))
        self.run_import("--album", "", code=2)
        self.assertIn("albumId", self.run_import("--album", "x" * 129, "--dry-run", code=1).stderr)
        self.assertEqual(self.outcome("--album", "no such/album")["imported"], 1)

    def test_the_limit_ends_it(self):
        cyd = self.gallery.sign_up("cyd")
        self.gallery.documents.update_item(
            TableName="sparks", Key={"PK": f"LIMIT#{cyd.email}", "SK": cyd.email}, UpdateExpression="SET #limit = :two, setAt = :now",
            ExpressionAttributeNames={"#limit": "limit"}, ExpressionAttributeValues={":two": 2, ":now": "2026-01-01"})
        self.write_photos(5)
        self.assertIn("3 of them would not fit the account's upload limit", self.run_import("--dry-run", user=cyd.email).stdout)
        self.assertEqual(self.outcome("--dry-run", user=cyd.email)["over_limit"], 3)
        done = self.run_import(user=cyd.email, code=1)
        self.assertIn("2 imported", done.stdout)
        self.assertIn("It ended before it was through: ", done.stderr)
        self.assertIn("The upload limit of cyd is used up. 'tintype users limit cyd +NUMBER'", done.stderr)
        self.assertEqual((len(self.names(cyd)), cyd.limit()), (2, 0))

    def test_without_a_server(self):
        dan = self.gallery.sign_up("dan")
        self.write_photos(12)
        self.gallery.stop()
        process = subprocess.Popen(self.command("--json", user="dan"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.send_signal(signal.SIGINT)  # At whatever moment: what was taken stays, and nothing is left over.
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (1, -signal.SIGINT))
        self.outcome(user="dan")
        self.gallery.start()
        dan.log_in()
        self.ada.log_in()
        self.assertEqual(self.names(dan), [f"{n:03}.png" for n in range(12)])
        self.gallery.wait_idle()
        self.scrub()

    def test_without_a_server_the_settings_are_those_of_the_server(self):
        """Proves that an import into a directory that nobody serves makes of photos what the server would."""
        hal = self.gallery.sign_up("hal")
        self.write("photo.png", photos.png(self.id(), 24, 16))
        self.write("too large.png", photos.png("large", 24, 16) + bytes(1 << 20))
        self.gallery.stop()
        settings = self.write(".tintype.toml", b'upload-mb = 1\nrendition-quality = 70\npublic-url = "https://photos.example.com"\n')
        done = self.outcome("--config", str(settings), user="hal", code=1)
        self.assertEqual((done["imported"], done["failed"]), (1, 1))
        self.assertIn("at most 1048576", "".join(done["problems"]))
        self.gallery.start()
        hal.log_in()
        self.ada.log_in()
        [image] = hal.call("GET", "/images")["items"]
        record = self.gallery.record(image["id"])
        self.assertTrue(record["imageUrl"].startswith("https://photos.example.com/"), record["imageUrl"])
        self.gallery.wait_developed(hal, image["id"])

    def test_photos_elsewhere_are_refused(self):
        """Proves that neither a command nor a server uses another storage than the one that the photos are in."""
        self.write("photo.png", photos.png(self.id(), 24, 16))
        self.gallery.stop()
        self.assertEqual(Path(self.data_dir, "BLOBS").read_text(), "files\n")
        elsewhere = ("--blobs", "s3://else", "--s3-endpoint", "http://127.0.0.1:1", "--s3-access-key-id", "x")
        secret = {**os.environ, "TINTYPE_S3_SECRET_ACCESS_KEY": "x", "TINTYPE_HTTP_ADDRESS": "127.0.0.1:0"}
        for command in (self.command(*elsewhere), [BINARY, "scrub", "--data-dir", self.data_dir, *elsewhere],
                        [BINARY, "serve", "--data-dir", self.data_dir, *elsewhere]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=secret)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("are in files of the data directory, but the settings say in the buckets else-uploads", done.stderr)
            self.assertIn("Set --blobs files. If the photos were moved, put the line 's3 else-uploads else-images'", done.stderr)
        self.gallery.start()
        self.ada.log_in()

    def test_killed_in_the_middle(self):
        """The server is killed at some file; the next run takes the rest, nothing twice, and the limit is right."""
        eve = self.gallery.sign_up("eve")
        limit = eve.limit()
        self.write_photos(60)
        process = subprocess.Popen(self.command(user="eve"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: len(self.records(eve)) > 15, "a part of the files")
        self.gallery.server.kill()
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, "The server ended before it had answered.*The same command goes on")
        self.gallery.start()
        eve.log_in()
        self.ada.log_in()
        done = self.outcome(user="eve")
        self.assertGreater(done["known"], 10)
        self.assertEqual(done["known"] + done["imported"] + done.get("duplicates", 0), 60)
        self.assertEqual(self.names(eve), [f"{n:03}.png" for n in range(60)])
        # One that had begun, and was not in the records of the import yet, is given up when its time has passed.
        begun = self.uploads(eve)
        self.assertLessEqual(len(begun), 1)
        self.assertEqual(eve.limit(), limit - 60 - len(begun))
        self.gallery.wait_idle()
        self.scrub()

    def uploads(self, account):
        """Those that have begun and not ended."""
        return [item for item in self.gallery.scan(SYSTEM)
                if item["PK"].startswith("UPLOAD#") and item["SK"] == "UPLOAD" and item["userId"] == account.user_id]

    def records(self, account):
        return self.gallery.documents.query(
            TableName=SYSTEM, KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues={":pk": f"IMPORTED#{account.user_id}"})["Items"]

    def test_waits_while_photos_wait_to_be_developed(self):
        """At most some hundred wait behind those of others; a second import is refused meanwhile; going away ends
        it."""
        warm = self.ada.upload(photos.png("import warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        fay = self.gallery.sign_up("fay")
        self.write_photos(160)
        with self.gallery.paused():
            process = subprocess.Popen(self.command("--json", user="fay"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True)
            for line in process.stdout:
                if "waiting for photos to be developed" in line:
                    break
            waiting = self.gallery.documents.query(
                TableName=BACKLOG, IndexName="status-order-index", KeyConditionExpression="#status = :status", Select="COUNT",
                ExpressionAttributeNames={"#status": "status"}, ExpressionAttributeValues={":status": "PENDING"})["Count"]
            self.assertTrue(100 <= waiting < 130, waiting)
            self.assertIn("Another import is in progress", self.run_import(user="fay", code=1).stderr)
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            self.assertEqual(process.wait(timeout=60), 1, rest)
            process.stdout.close()
            self.assertIn("The same command goes on", rest)
        wait_until(lambda: self.ended(fay), "the rest", 120)
        self.assertEqual(len(self.names(fay)), 160)
        self.gallery.wait_idle(120)
        self.assertEqual(self.uploads(fay), [])

    def ended(self, account):
        """Whether a run comes to its end: the one before may still be noticing that nobody waits for it."""
        done = subprocess.run(self.command(user=account.username), capture_output=True, text=True, timeout=150, check=False)
        return done.returncode == 0


if __name__ == "__main__":
    unittest.main(verbosity=2)
