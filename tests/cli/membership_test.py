"""Proves that a data directory and its tables stay one gallery with the names that it was made with: `--stack`,
`--environment` and the buckets hold from the first start on, commands know them, and whoever says otherwise or brings
the tables of another gallery is refused before anything is removed. Galleries from before there were records, copies
and restored backups start as they did."""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import boto3

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "support"))
sys.path.insert(0, str(HERE.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import SYSTEM, Gallery  # noqa: E402
from kept_gallery import begin_upload  # noqa: E402
import tintype_server  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
# The key for tables at another server, where AWS's clients find theirs.
os.environ.update(AWS_ACCESS_KEY_ID=tintype_server.ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY=tintype_server.SECRET_ACCESS_KEY)

ARGUMENTS = ("--workers", "1", "--ballast-mb", "0")
NAMED = ("--stack", "lego", "--environment", "prod", "--uploads-bucket", "uploads-lego-prod",
         "--images-bucket", "images-lego-prod")
NAMED_TABLES = {"so0050-lego-ingest", "so0050-lego-analysis", "so0050-lego-face-indexer", "so0050-lego-backlog",
                "photoeditor-prod-jobs"}
DEFAULT_TABLES = {"so0050-tintype-ingest", "so0050-tintype-analysis", "so0050-tintype-face-indexer",
                  "so0050-tintype-backlog", "photoeditor-dev-jobs"}
COMMON_TABLES = {"ImageMetadata", "photos", "sparks", "tintype"}
GALLERY = {"PK": "GALLERY", "SK": "GALLERY"}


class MembershipTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = self.folder / "data"

    def start(self, *arguments, data=None):
        gallery = Gallery((*ARGUMENTS, *arguments), data_dir=str(data or self.data))
        self.addCleanup(lambda: gallery.server.process.poll() is None and gallery.stop())
        return gallery

    def start_tables(self):
        server = tintype_server.Server(arguments=("--ballast-mb", "0"))
        self.addCleanup(server.stop)
        return server

    def refusal(self, *arguments, data=None):
        """What a server says that does not start. It must have changed nothing of the directory but for the engine's
        own files."""
        data = data or self.data
        before = self.files_of(data)
        with self.assertRaises(tintype_server.ServerFailed) as failed:
            Gallery((*ARGUMENTS, *arguments), data_dir=str(data))
        said = str(failed.exception)
        self.assertIn("code 1:", said)
        self.assertEqual(before, self.files_of(data))
        return said

    @staticmethod
    def files_of(data):
        """What is in the files of a directory that belong to the gallery."""
        return {str(path.relative_to(data)): path.read_bytes() for path in sorted(data.rglob("*"))
                if path.is_file() and path.relative_to(data).parts[0] not in ("tables", "backups", "transfers", "NODE")}

    @staticmethod
    def log_in(gallery):
        account = rest.Account(lambda: gallery.address, "ada")
        account.log_in()
        return account

    def run_command(self, *arguments):
        return subprocess.run([BINARY, *arguments, "--data-dir", str(self.data)], capture_output=True, text=True, timeout=60,
                              check=False)

    @staticmethod
    def tables_of(gallery):
        # The audit of a gallery on tables elsewhere is no part of it, and its table is protected.
        return set(gallery.dynamodb.list_tables()["TableNames"]) - {"tintype-audit-clients"}

    def record_of(self, gallery):
        return gallery.get(SYSTEM, **GALLERY)

    def test_the_first_start_decides_the_names(self):
        gallery = self.start(*NAMED)
        ada = gallery.sign_up("ada")
        image_id = ada.upload(photos.jpeg("named", width=64, height=48), "a.jpg")
        gallery.wait_developed(ada, image_id)
        self.assertEqual(NAMED_TABLES | COMMON_TABLES, self.tables_of(gallery))
        record = self.record_of(gallery)
        self.assertEqual({**GALLERY, "id": record["id"], "stack": "lego", "environment": "prod",
                          "blobs": "files uploads-lego-prod images-lego-prod"}, record)
        self.assertEqual(record["id"] + "\n", (self.data / "GALLERY").read_text())
        self.assertEqual("files uploads-lego-prod images-lego-prod\n", (self.data / "BLOBS").read_text())
        gallery.stop()

        # Another name is refused, by the server and by commands that open the directory themselves.
        (self.folder / "photos").mkdir()
        commands = (("scrub",), ("work", "list"), ("rebuild", "renditions", "--all", "--dry-run"),
                    ("import", "folder", str(self.folder / "photos"), "--user", "ada"))
        for flag, said, recorded in (("--stack", "tintype", "lego"), ("--environment", "dev", "prod"),
                                     ("--images-bucket", "images", "images-lego-prod"),
                                     ("--uploads-bucket", "uploads", "uploads-lego-prod")):
            for text in (self.refusal(flag, said), *(self.run_command(*command, flag, said).stderr for command in commands)):
                self.assertIn(f"{flag} {recorded}", text)
                self.assertIn(said, text)
        # Who says nothing gets what there is.
        for command in commands:
            done = self.run_command(*command)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("looked at 1 images", self.run_command("scrub").stdout)
        gallery = self.start()
        self.assertEqual(NAMED_TABLES | COMMON_TABLES, self.tables_of(gallery))
        ada = self.log_in(gallery)
        self.assertEqual(200, gallery.follow(ada.image(image_id)["imageUrl"]).status)
        self.assertEqual("images-lego-prod", ada.image(image_id)["s3Bucket"])
        self.assertEqual(record, self.record_of(gallery))

    def test_photos_that_were_moved(self):
        gallery = self.start()
        ada = gallery.sign_up("ada")
        image_id = ada.upload(photos.jpeg("moved", width=64, height=48), "a.jpg")
        gallery.wait_developed(ada, image_id)
        gallery.stop()
        (self.data / "blobs" / "images").rename(self.data / "blobs" / "pictures")
        self.assertIn("put the line 'files uploads pictures' into", self.refusal("--images-bucket", "pictures"))
        (self.data / "BLOBS").write_text("files uploads pictures\n")
        gallery = self.start()
        self.assertEqual("files uploads pictures", self.record_of(gallery)["blobs"])
        ada = self.log_in(gallery)
        self.assertEqual(200, gallery.follow(ada.image(image_id)["imageUrl"]).status)

    def test_a_gallery_from_before(self):
        """A directory of format 1 has recorded nothing: it has the names that all had, whatever is said first."""
        with tarfile.open(HERE / "formats" / "gallery-1.tar.xz") as packed:
            packed.extractall(self.folder)
        spooled = [name for name in self.files_of(self.data) if name.startswith("uploads/")]
        self.assertTrue(spooled)
        for flag, said, counted in (("--stack", "lego", "tintype"), ("--environment", "prod", "dev")):
            text = self.refusal(flag, said)
            self.assertIn(f"The gallery was made with {flag} {counted}, but the settings say '{said}'", text)
            self.assertIn(f"Leave {flag} out, or set it to {counted}", text)
        self.assertIn("Set --blobs files.", self.refusal("--images-bucket", "pictures"))
        self.assertFalse((self.data / "GALLERY").exists())
        gallery = self.start()
        self.assertEqual(DEFAULT_TABLES | COMMON_TABLES, self.tables_of(gallery))
        record = self.record_of(gallery)
        self.assertEqual(("tintype", "dev", "files"), (record["stack"], record["environment"], record["blobs"]))
        self.assertEqual(record["id"] + "\n", (self.data / "GALLERY").read_text())
        self.assertLessEqual(set(spooled), set(self.files_of(self.data)))
        gallery.stop()
        self.assertIn("--stack tintype", self.refusal("--stack", "lego"))
        self.start("--stack", "tintype", "--environment", "dev", "--images-bucket", "images")

    def test_tables_of_another_gallery_or_none(self):
        tables, others, empty = (self.start_tables() for _ in range(3))
        other = self.start("--tables", others.endpoint, data=self.folder / "other")
        other_id = self.record_of(other)["id"]
        other.stop()
        gallery = self.start("--tables", tables.endpoint)
        ada = gallery.sign_up("ada")
        data = photos.png("unfinished", 64, 48)
        path = begin_upload(ada, data, 100)
        own_id = self.record_of(gallery)["id"]
        gallery.stop()
        self.assertTrue([name for name in self.files_of(self.data) if name.startswith("uploads/")])

        for endpoint, words in ((empty.endpoint, ("have no gallery", own_id)), (others.endpoint, (own_id, other_id))):
            said = self.refusal("--tables", endpoint)
            for word in (f"The tables at {endpoint}", f"set --tables {tables.endpoint}", "Nothing was changed", *words):
                self.assertIn(word, said)
            scrubbed = self.run_command("scrub", "--tables", endpoint)
            self.assertEqual(1, scrubbed.returncode)
            self.assertIn(own_id, scrubbed.stderr)
        client = boto3.client("dynamodb", endpoint_url=empty.endpoint, region_name="us-east-1")
        self.assertEqual([], client.list_tables()["TableNames"])

        # The same directory as a version that recorded nothing left it.
        (self.data / "GALLERY").unlink()
        said = self.refusal("--tables", empty.endpoint)
        self.assertIn("has photos of one", said)
        self.assertIn(f"set --tables {tables.endpoint}", said)
        self.refusal("--tables", others.endpoint)
        gallery = self.start("--tables", tables.endpoint)
        ada = self.log_in(gallery)
        self.assertEqual("100", ada.tus("HEAD", path).headers["Upload-Offset"])
        self.assertEqual(204, ada.tus("PATCH", path, data[100:], Upload_Offset=100).status)
        self.assertEqual(own_id + "\n", (self.data / "GALLERY").read_text())

    def test_nodes_agree(self):
        tables = self.start_tables()
        first = self.start("--tables", tables.endpoint, *NAMED)
        record = self.record_of(first)
        first.stop()
        second = self.folder / "second"
        second.mkdir(mode=0o700)
        for name in ("FORMAT", "TABLES", "secret"):
            shutil.copy(self.data / name, second)
        for flag, said, recorded in (("--environment", "dev", "prod"), ("--images-bucket", "images", "images-lego-prod")):
            text = self.refusal("--tables", tables.endpoint, flag, said, data=second)
            self.assertIn(f"{flag} {recorded}", text)
        gallery = self.start("--tables", tables.endpoint, data=second)
        self.assertEqual(record, self.record_of(gallery))
        self.assertEqual((self.data / "BLOBS").read_text(), (second / "BLOBS").read_text())
        self.assertEqual((self.data / "GALLERY").read_text(), (second / "GALLERY").read_text())
        self.assertNotEqual((self.data / "NODE").read_text(), (second / "NODE").read_text())

    def test_a_first_start_that_was_interrupted(self):
        """A crash after the first table, before the record: nothing has a name yet."""
        tables = self.start_tables()
        gallery = self.start("--tables", tables.endpoint)
        for table in self.tables_of(gallery) - {SYSTEM}:
            gallery.dynamodb.delete_table(TableName=table)
        for item in gallery.scan(SYSTEM):
            gallery.documents.delete_item(TableName=SYSTEM, Key={"PK": item["PK"], "SK": item["SK"]})
        gallery.server.kill()
        gallery = self.start("--tables", tables.endpoint, *NAMED, data=self.folder / "again")
        self.assertEqual("prod", self.record_of(gallery)["environment"])
        self.assertEqual(NAMED_TABLES | COMMON_TABLES, self.tables_of(gallery))

    def test_lost_tables_copies_and_backups(self):
        gallery = self.start("--environment", "prod")
        ada = gallery.sign_up("ada")
        begin_upload(ada, photos.png("lost", 64, 48), 100)
        backups = self.folder / "backups"
        made = self.run_command("backup", "create", "--to", str(backups))
        self.assertEqual(0, made.returncode, made.stderr)
        gallery.stop()
        own_id = (self.data / "GALLERY").read_text()

        shutil.copytree(self.data, self.folder / "copy", ignore=lambda _, names: [n for n in names if n == "admin.sock"])
        self.start(data=self.folder / "copy").stop()
        restored = subprocess.run([BINARY, "restore", str(backups), "--data-dir", str(self.folder / "restored")],
                                  capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(0, restored.returncode, restored.stderr)
        shutil.copy(self.data / "master.key", self.folder / "restored")
        again = self.start(data=self.folder / "restored")
        self.assertEqual(own_id, (self.folder / "restored" / "GALLERY").read_text())
        self.assertEqual("prod", self.record_of(again)["environment"])

        (self.data / "tables").rename(self.folder / "tables")
        said = self.refusal()
        self.assertIn(f"have no gallery, but the data directory {self.data} belongs to the gallery {own_id.strip()}", said)
        self.assertIn("from a backup", said)
        shutil.rmtree(self.data / "tables")
        (self.folder / "tables").rename(self.data / "tables")
        self.start()


if __name__ == "__main__":
    unittest.main(verbosity=2)
