#!/usr/bin/env python3
"""M2C-11: encryption at rest as an operator meets it. Where the master key comes from, what is said when it is missing
or wrong, that nothing legible is on the disk, and that the key can be replaced. TINTYPE_BIN names the executable."""

import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
# Stands in the names of the table and of attributes, in keys and in values.
MARKER = "LegibleMarker"
# Words of a client's, by what they are. Odd, so that none is anywhere by chance, and without parts in common, so that
# compression leaves each legible at least once.
WORDS = {"table": b"Quagmirelle", "attribute": b"bixwhortle", "key": b"OpsimathyZed", "value": b"fnarkledust",
         "old value": b"vlumpetry", "deleted key": b"Ghyljackdaw", "index": b"Tzompanweft", "backup": b"Snickerbund",
         "tag": b"cwmprothoy"}


class EncryptionTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = self.folder / "data"
        for name in [name for name in os.environ if name.startswith("TINTYPE_MASTER_KEY")]:
            del os.environ[name]

    def start(self, *arguments, **overrides):
        server = tintype_server.Server(data_dir=str(self.data), arguments=arguments, overrides=overrides)
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def refusal(self, *arguments, **overrides):
        """What a server says that must not start."""
        with self.assertRaises(tintype_server.ServerFailed) as failed:
            self.start(*arguments, **overrides)
        self.assertIn("code 1", str(failed.exception))
        return str(failed.exception)

    def run_to_end(self, *arguments):
        return subprocess.run([BINARY, *arguments], cwd=self.folder, text=True, capture_output=True, timeout=60,
                              check=False)

    def key_file(self, name, mode=0o600):
        path = self.folder / name
        path.write_text(secrets.token_hex(32) + "\n")
        path.chmod(mode)
        return str(path)

    @staticmethod
    def write_items(server, first=0, last=300):
        connection = Connection(server.address, SIGNER)
        if first == 0:
            connection.call("CreateTable", {
                "TableName": MARKER, "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": MARKER, "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": MARKER, "KeyType": "HASH"}]})
        for number in range(first, last):
            connection.call("PutItem", {"TableName": MARKER, "Item": {
                MARKER: {"S": f"{MARKER}-{number}"}, "text": {"S": MARKER * 20}}})
        connection.close()

    @staticmethod
    def count_items(server):
        connection = Connection(server.address, SIGNER)
        count = connection.call("Scan", {"TableName": MARKER, "Select": "COUNT"})["Count"]
        connection.close()
        return count

    def legible_files(self):
        """Files below the tables that hold what was written, or words of RocksDB's."""
        found = []
        for path in (self.data / "tables").rglob("*"):
            content = path.read_bytes() if path.is_file() else b""
            found += [f"{path}: {words}" for words in (MARKER.encode(), b"rocksdb", b"MANIFEST") if words in content]
        return found

    def write_words(self, server):
        """A table with everything that keeps something on disk: an index, a stream, recovery, tags, and a backup."""
        words = {what: word.decode() for what, word in WORDS.items()}
        table, attribute = words["table"], words["attribute"]
        connection = Connection(server.address, SIGNER)
        connection.call("CreateTable", {
            "TableName": table, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"},
                                     {"AttributeName": attribute, "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{"IndexName": words["index"], "Projection": {"ProjectionType": "ALL"},
                                        "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"}]}],
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
            "Tags": [{"Key": words["tag"], "Value": words["tag"]}]})
        connection.call("UpdateContinuousBackups", {
            "TableName": table, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
        for value in (words["old value"], words["value"]):
            for number in range(50):
                connection.call("PutItem", {"TableName": table, "Item": {
                    "id": {"S": f"{words['key']}{number}"}, attribute: {"S": f"{value}{number}"}}})
        deleted = {"id": {"S": words["deleted key"]}}
        connection.call("PutItem", {"TableName": table, "Item": deleted})
        connection.call("DeleteItem", {"TableName": table, "Key": deleted})
        backup = connection.call("CreateBackup", {"TableName": table, "BackupName": words["backup"]})
        arn = {"BackupArn": backup["BackupDetails"]["BackupArn"]}
        deadline = time.monotonic() + 30
        while connection.call("DescribeBackup", arn)["BackupDescription"]["BackupDetails"]["BackupStatus"] != "AVAILABLE":
            self.assertLess(time.monotonic(), deadline, "the backup is not available in time")
        connection.close()

    def back_up(self, to):
        """Copies the data directory, whether a server runs or not."""
        done = self.run_to_end("backup", "create", "--data-dir", str(self.data), "--to", str(to))
        self.assertEqual(0, done.returncode, done.stderr)

    @staticmethod
    def legible_words(folder):
        """What of the client's words can be read in the files of a folder or in their names."""
        found = set()
        for path in folder.rglob("*"):
            content = str(path).encode() + (path.read_bytes() if path.is_file() else b"")
            found |= {what for what, word in WORDS.items() if word in content}
        return found

    def test_backups_are_not_legible_either(self):
        """The whole data directory, with the backups of tables in it, and copies of it that a server and the command
        made."""
        server = self.start()
        self.write_words(server)
        by_server, by_command = self.folder / "by-server", self.folder / "by-command"
        self.back_up(by_server)
        server.kill()
        self.assertEqual(set(), self.legible_words(self.data))
        self.start().stop()  # Which writes the log out to sorted files.
        self.back_up(by_command)
        for folder in (self.data, by_server, by_command):
            self.assertEqual(set(), self.legible_words(folder), folder)
        # What was looked at is all there: rows and description of the table's backup, and a copy of them in each.
        backup = {path.name: path for path in (self.data / "backups").glob("*/*.sst")}
        self.assertEqual({"1.sst", "MANIFEST.sst"}, set(backup))
        for path in backup.values():
            self.assertNotIn(b"rocksdb", path.read_bytes())
            for copy in (by_server, by_command):
                self.assertIn(path.read_bytes(), [each.read_bytes() for each in (copy / "files").glob("*/*")])

    def test_without_encryption_every_word_is_found(self):
        """So that the test above can fail, for each word and in each place."""
        server = self.start("--encryption", "off")
        self.write_words(server)
        server.stop()
        server = self.start("--encryption", "off")
        copy = self.folder / "copy"
        self.back_up(copy)
        server.stop()
        every = set(WORDS)
        in_a_backup = every - {"old value", "deleted key"}
        self.assertEqual(every, self.legible_words(self.data / "tables"))
        self.assertEqual(in_a_backup, self.legible_words(self.data / "backups"))
        self.assertEqual(every, self.legible_words(copy / "tables"))
        self.assertEqual(in_a_backup, self.legible_words(copy / "files"))

    def test_M2C_11_nothing_is_legible_after_a_kill_or_a_clean_end(self):
        server = self.start()
        self.write_items(server)
        server.kill()
        self.assertEqual([], self.legible_files())
        # Recovery writes the log out to sorted files.
        server = self.start()
        self.assertEqual(300, self.count_items(server))
        server.stop()
        self.assertGreater(len(list((self.data / "tables").glob("*.sst"))), 0)
        self.assertEqual([], self.legible_files())

    def test_without_encryption_it_is_legible_and_the_log_says_so(self):
        server = self.start("--encryption", "off")
        self.write_items(server, last=1)
        server.stop()
        self.assertNotEqual([], self.legible_files())
        self.assertIn("--encryption off", server.log)
        self.assertFalse((self.data / "master.key").exists())
        # Neither kind of directory is opened as the other.
        self.assertIn("written with encryption off", self.refusal())
        self.assertFalse((self.data / "master.key").exists())
        shutil.rmtree(self.data)
        self.start().stop()
        self.assertIn("cannot be opened without encryption", self.refusal("--encryption", "off"))

    def test_the_key_lies_beside_the_data_until_it_is_moved_out(self):
        server = self.start()
        self.write_items(server)
        server.stop()
        key = self.data / "master.key"
        self.assertEqual(0o600, key.stat().st_mode & 0o777)
        self.assertEqual(0o600, (self.data / "tables" / "KEYS").stat().st_mode & 0o777)
        warnings = [line for line in server.log.splitlines() if "level=warning" in line and "master key" in line]
        self.assertEqual(1, len(warnings), server.log)
        self.assertIn(str(key), warnings[0])

        moved = self.folder / "moved.key"
        key.rename(moved)
        refusal = self.refusal()
        self.assertRegex(refusal, r"encrypted under the master key [0-9a-f]{16}, but the file .*master\.key is missing")
        self.assertFalse(key.exists())
        server = self.start("--master-key-file", str(moved))
        self.assertEqual(300, self.count_items(server))
        server.stop()
        self.assertNotIn("lies beside", server.log)

    def test_every_source_of_the_key(self):
        file = self.key_file("a.key")
        text = pathlib.Path(file).read_text().strip()
        self.start("--master-key-file", file).stop()
        for arguments, overrides in (([], {"TINTYPE_MASTER_KEY": text}), ([], {"TINTYPE_MASTER_KEY_FILE": file}),
                                     (["--master-key-command", f"cat '{file}'"], {})):
            server = self.start(*arguments, **overrides)
            server.stop()
        self.assertFalse((self.data / "master.key").exists())
        self.assertIn("exit code 5", self.refusal("--master-key-command", "exit 5"))
        self.assertIn("no master key in", self.refusal("--master-key-command", "echo hello"))
        os.chmod(file, 0o644)
        self.assertIn("open to others", self.refusal("--master-key-file", file))
        self.start("--master-key-file", file, "--master-key-file-mode", "any").stop()

    def test_a_wrong_key_is_a_clear_error_that_names_both(self):
        right, wrong = self.key_file("right.key"), self.key_file("wrong.key")
        self.start("--master-key-file", right).stop()
        refusal = self.refusal("--master-key-file", wrong)
        keys = re.search(r"tintype: Wrong master key: the tables are encrypted under the key ([0-9a-f]{16}) \(see .*KEYS\), "
                         r"but the one given is ([0-9a-f]{16})\.", refusal)
        self.assertIsNotNone(keys, refusal)
        self.assertNotEqual(keys[1], keys[2])
        for path in (right, wrong):
            self.assertNotIn(pathlib.Path(path).read_text().strip(), refusal)
        self.start("--master-key-file", right).stop()

    def test_a_damaged_or_missing_key_file_is_named(self):
        self.start().stop()
        path = self.data / "tables" / "KEYS"
        content = path.read_bytes()
        for damaged in (content[:-1], content[:40] + b"x" + content[41:], b""):
            path.write_bytes(damaged)
            self.assertIn(str(path), self.refusal())
        path.unlink()
        self.assertIn(str(path), self.refusal())
        self.assertFalse(path.exists())
        path.write_bytes(content)
        self.start().stop()

    def test_M2C_11_the_master_key_is_rotated_while_the_server_is_stopped(self):
        server = self.start()
        self.write_items(server)
        running = self.run_to_end("keys", "rotate-master", "--data-dir", str(self.data))
        self.assertEqual(1, running.returncode)
        self.assertIn("Stop the server first", running.stderr)
        server.stop()
        first = (self.data / "master.key").read_text()
        tables = {path: path.read_bytes() for path in (self.data / "tables").glob("*.sst")}

        rotated = self.run_to_end("keys", "rotate-master", "--data-dir", str(self.data))
        self.assertEqual(0, rotated.returncode, rotated.stderr)
        self.assertRegex(rotated.stdout, r"^master key [0-9a-f]{16} replaced by [0-9a-f]{16}\n")
        self.assertNotEqual(first, (self.data / "master.key").read_text())
        for path, content in tables.items():
            self.assertEqual(content, path.read_bytes())
        server = self.start()
        self.assertEqual(300, self.count_items(server))
        self.write_items(server, 300, 400)
        server.kill()

        # Out of the data directory, into a file that does not exist yet.
        moved = str(self.folder / "moved.key")
        rotated = self.run_to_end("keys", "rotate-master", "--data-dir", str(self.data), "--new-master-key-file", moved)
        self.assertEqual(0, rotated.returncode, rotated.stderr)
        self.assertIn(f"--master-key-file {moved}", rotated.stdout)
        self.assertIn("is missing", self.refusal())
        server = self.start("--master-key-file", moved)
        self.assertEqual(400, self.count_items(server))
        server.stop()

    def test_M2C_11_data_keys_are_rotated_while_the_server_is_stopped(self):
        """Files from before keep their key, and new ones get another, which the master key opens as well."""
        server = self.start()
        self.write_items(server)
        running = self.run_to_end("rotate", "data-keys", "--data-dir", str(self.data))
        self.assertEqual((1, ""), (running.returncode, running.stdout))
        self.assertIn("Stop the server first", running.stderr)
        server.stop()
        keys = self.data / "tables" / "KEYS"
        master, count = (self.data / "master.key").read_text(), int.from_bytes(keys.read_bytes()[16:24], "big")
        rotated = self.run_to_end("rotate", "data-keys", "--data-dir", str(self.data))
        self.assertEqual(0, rotated.returncode, rotated.stderr)
        self.assertIn("from the next start on", rotated.stdout)
        self.assertEqual(count + 1, int.from_bytes(keys.read_bytes()[16:24], "big"))
        self.assertEqual(master, (self.data / "master.key").read_text())
        server = self.start()
        self.assertEqual(300, self.count_items(server))
        self.write_items(server, 300, 400)
        server.kill()
        server = self.start()
        self.assertEqual(400, self.count_items(server))
        server.stop()

    def test_rotation_killed_at_any_time_leaves_a_key_that_opens(self):
        server = self.start()
        self.write_items(server, last=20)
        server.stop()
        command = [BINARY, "keys", "rotate-master", "--data-dir", str(self.data)]
        outcomes = set()
        for number in range(12):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=0.002 * number)
            except subprocess.TimeoutExpired:
                process.kill()
            outcomes.add(process.wait())
            self.assertLessEqual(outcomes, {0, -signal.SIGKILL})
            server = self.start()
            self.assertEqual(20, self.count_items(server))
            server.kill()

    def test_two_sources_are_too_many(self):
        result = subprocess.run([BINARY, "serve", "--master-key-file", "a"], cwd=self.folder, text=True, capture_output=True,
                                timeout=30, check=False, env={**os.environ, "TINTYPE_MASTER_KEY": "b"})
        self.assertEqual(2, result.returncode)
        self.assertIn("comes from one place", result.stderr)


if __name__ == "__main__":
    unittest.main()
