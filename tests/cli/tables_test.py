#!/usr/bin/env python3
"""Proves that a gallery runs on the tables of another server (`--tables`), and what it says when it cannot: no key, a
wrong one, nobody there, something else there, a directory that belongs to other tables, tables that belong to the
gallery of another directory."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mission" / "support"))
os.environ["TINTYPE_TEST_TABLES"] = "elsewhere"
import photos  # noqa: E402
from gallery import IMAGES, SYSTEM, Gallery, wait_until  # noqa: E402
from tables import Elsewhere  # noqa: E402
import tintype_server  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
KEY = Elsewhere.overrides


class TablesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("TINTYPE_", "AWS_"))}
        self.environment["HOME"] = folder.name

    def run_to_end(self, *arguments):
        return subprocess.run([BINARY, *arguments], cwd=self.folder, env=self.environment, text=True, capture_output=True,
                              timeout=60, check=False)

    def serve(self, *arguments):
        """What a server says that does not start."""
        done = self.run_to_end("serve", "--data-dir", "data", "--http-address", "127.0.0.1:0", "--metrics-address",
                               "127.0.0.1:0", *arguments)
        self.assertNotEqual(0, done.returncode, done.stdout)
        return done.stderr

    def start_and_stop(self, *arguments, data_dir="data"):
        """Runs a gallery, which has to start."""
        tintype_server.Server(data_dir=str(self.folder / data_dir), arguments=("--workers", "1", *arguments),
                              overrides={"TINTYPE_GALLERY": "on", **KEY}).stop()

    def use_key(self, key=KEY):
        self.environment.update(key)

    def start_tables(self):
        server = tintype_server.Server(arguments=("--ballast-mb", "0"))
        self.addCleanup(server.stop)
        return server

    def test_a_gallery_runs_on_them_and_stays_with_them(self):
        gallery = Gallery(("--workers", "1"), data_dir=str(self.folder / "data"))
        self.addCleanup(lambda: gallery.server and gallery.stop())
        ada = gallery.sign_up("ada")
        image_id = ada.upload(photos.jpeg("elsewhere", width=64, height=48), "a.jpg")
        gallery.wait_developed(ada, image_id)
        self.assertEqual("completed", gallery.record(image_id)["processingStatus"])
        self.assertFalse((self.folder / "data" / "tables").exists())
        self.assertEqual(f"{gallery.server.endpoint}\n", (self.folder / "data" / "TABLES").read_text())
        # Whoever writes to the tables is followed there as well.
        gallery.documents.delete_item(TableName=IMAGES, Key={"PK": f"IMAGE#{image_id}", "SK": "METADATA"})
        gallery.wait_deleted(image_id)
        self.assertTrue([item for item in gallery.scan(SYSTEM) if item["PK"] == "FOLLOWER#reconciler"])
        # Commands on photos are done by the server; those on tables belong to the other one.
        scrubbed = self.run_to_end("scrub", "--data-dir", "data")
        self.assertEqual(0, scrubbed.returncode, scrubbed.stdout + scrubbed.stderr)
        for command in (("backup", "create", "--to", "backups"), ("table", "export", "--table", IMAGES, "--to", "exported"),
                        ("keys", "list")):
            refused = self.run_to_end(*command, "--data-dir", "data")
            self.assertNotEqual(0, refused.returncode, command)
            self.assertIn("Run it there.", refused.stderr, command)
        # The directory knows where its tables are, and they may move.
        gallery.stop()
        self.assertIn("belong to the tables at", self.serve())
        gallery.start()
        ada.log_in()  # Its tokens name the address that the server had.
        again = ada.upload(photos.jpeg("again", width=64, height=48), "b.jpg")
        gallery.wait_developed(ada, again)

    def test_says_which_key_is_missing_or_refused(self):
        tables = self.start_tables()
        self.assertIn("AWS_ACCESS_KEY_ID", self.serve("--tables", tables.endpoint))
        self.use_key({"AWS_ACCESS_KEY_ID": "AKIAUNKNOWNUNKNOWN00", "AWS_SECRET_ACCESS_KEY": "wrong"})
        said = self.serve("--tables", tables.endpoint)
        self.assertIn("refuses the access key AKIAUNKNOWNUNKNOWN00", said)
        self.assertIn("Use its root key", said)

    def test_says_when_nobody_or_somebody_else_is_there(self):
        self.use_key()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            said = self.serve("--tables", f"http://127.0.0.1:{free.getsockname()[1]}")
        self.assertIn("--gallery off", said)
        tables = self.start_tables()
        self.assertIn("Check --tables", self.serve("--tables", f"http://{tables.addresses['metrics']}"))
        self.assertIn("http://HOST:PORT", self.serve("--tables", "here"))
        self.assertIn("gallery off", self.serve("--tables", tables.endpoint, "--gallery", "off"))

    def test_a_directory_with_tables_keeps_them(self):
        tables = self.start_tables()
        self.use_key()
        own = tintype_server.Server(data_dir=str(self.folder / "data"), arguments=("--ballast-mb", "0"))
        own.stop()
        self.assertIn("has tables of its own", self.serve("--tables", tables.endpoint))

    def test_tables_of_another_gallery_are_refused_until_its_secret_is_here(self):
        tables, other_tables = self.start_tables(), self.start_tables()
        self.use_key()
        self.start_and_stop("--tables", tables.endpoint, data_dir="first")
        said = self.serve("--tables", tables.endpoint)
        self.assertIn(f"The tables at {tables.endpoint} belong to the gallery of another data directory", said)
        for remedy in ("--data-dir", "copy its 'secret' to data/secret", "name other tables (--tables)"):
            self.assertIn(remedy, said)
        # Each remedy works. The refused directory belongs to no gallery yet.
        self.start_and_stop("--tables", tables.endpoint, data_dir="first")
        shutil.copytree(self.folder / "data", self.folder / "second")
        self.start_and_stop("--tables", other_tables.endpoint)
        shutil.copy(self.folder / "first" / "secret", self.folder / "second" / "secret")
        self.start_and_stop("--tables", tables.endpoint, data_dir="second")

    def test_a_lost_secret_is_missed(self):
        directory = self.folder / "data"
        self.start_and_stop()
        secret = (directory / "secret").read_bytes()
        (directory / "secret").unlink()
        self.assertIn("data/secret is not the file that the gallery in data/tables was made with", self.serve())
        (directory / "secret").write_bytes(secret)
        (directory / "secret").chmod(0o600)
        self.start_and_stop()

    def test_one_process_has_the_directory(self):
        gallery = Gallery(("--workers", "1"), data_dir=str(self.folder / "data"))
        self.addCleanup(gallery.stop)
        self.use_key()
        wait_until(lambda: (self.folder / "data" / "TABLES").exists(), "a note of where the tables are")
        self.assertIn("in use by another process", self.serve("--tables", gallery.server.endpoint))


if __name__ == "__main__":
    unittest.main()
