"""The real server on a real disk that fills up, and on one that fails.

The full disk is a small tmpfs, which takes the right to mount; without it that part is skipped, and says so. The
failing one is a limit on the size of files, which needs no rights: the system refuses to make the log any longer.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, DynamoError, Signer  # noqa: E402

SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
EXIT_DISK_FAILED = 3
MB = 1 << 20


def create_table(connection, name):
    connection.call("CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})


def put(connection, table, number, size):
    # Random, since files are compressed.
    text = os.urandom(size // 2).hex()
    connection.call("PutItem", {"TableName": table, "Item": {"pk": {"N": str(number)}, "text": {"S": text}}})


def get(connection, table, number):
    return connection.call("GetItem", {"TableName": table, "Key": {"pk": {"N": str(number)}}}).get("Item")


def eventually(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class FullDisk(unittest.TestCase):
    def setUp(self):
        self._mount = tempfile.mkdtemp(prefix="tintype-disk-")
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", self._mount], capture_output=True,
                                 text=True, check=False)
        if mounted.returncode != 0:
            os.rmdir(self._mount)
            self.skipTest(f"mounting a small disk is not allowed here: {mounted.stderr.strip()}")
        self.addCleanup(os.rmdir, self._mount)
        self.addCleanup(subprocess.run, ["umount", self._mount], check=True)
        self._server = None
        self.addCleanup(self._kill)
        self._start()

    def _kill(self):
        if self._server.process.poll() is None:
            self._server.kill()

    def _start(self):
        self._server = tintype_server.Server(data_dir=f"{self._mount}/data",
                                             arguments=["--min-free-mb", "120", "--ballast-mb", "16"])
        self._connection = Connection(self._server.address, SIGNER)

    def _free(self):
        system = os.statvfs(self._mount)
        return system.f_bavail * system.f_frsize

    def _fill(self, table):
        """Puts items until they are refused; returns how many were accepted."""
        for number in range(10_000):
            try:
                put(self._connection, table, number, 300_000)
            except DynamoError as refused:
                self.assertEqual((refused.status, refused.name), (503, "ServiceUnavailableException"))
                self.assertIn("disk", refused.body["message"])
                return number
        self.fail("the disk never got full")

    def _accepts(self, table):
        try:
            put(self._connection, table, 0, 100)
            return True
        except DynamoError as refused:
            self.assertEqual(refused.status, 503)
            return False

    def test_our_own_data_fills_the_disk(self):
        """Filled by tables: refused in time, reads and a restart work, and removing a table makes room by itself."""
        for table in ("old", "new"):
            create_table(self._connection, table)
        put(self._connection, "new", 1, 1000)
        count = self._fill("old")
        self.assertGreater(count, 100)
        for number in (0, count // 2, count - 1):
            self.assertIsNotNone(get(self._connection, "old", number))
        self._connection.call("DeleteItem", {"TableName": "old", "Key": {"pk": {"N": "0"}}})
        self.assertIsNone(get(self._connection, "old", 0))
        with urllib.request.urlopen(f"http://{self._server.addresses['metrics']}/metrics") as answer:
            self.assertIn("tintype_disk_writes_refused 1\n", answer.read().decode())

        self._server.stop()
        self._start()
        self.assertIsNotNone(get(self._connection, "old", count - 1))
        self.assertIsNotNone(get(self._connection, "new", 1))

        self._connection.call("DeleteTable", {"TableName": "old"})
        self.assertTrue(eventually(lambda: self._accepts("new")), self._server.log)
        self._server.stop()

    def test_another_program_fills_the_disk(self):
        """Filled to the last byte by others: the ballast goes, nothing dies, and writes come back with the room."""
        create_table(self._connection, "items")
        put(self._connection, "items", 1, 1000)
        ballast = Path(self._mount, "data", "tables", "BALLAST")
        self.assertTrue(eventually(ballast.exists))
        other = Path(self._mount, "other")
        with other.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(MB))
            except OSError:
                pass
        self.assertTrue(eventually(lambda: not ballast.exists()), self._server.log)
        self.assertTrue(eventually(lambda: not self._accepts("items")))
        self.assertIsNotNone(get(self._connection, "items", 1))
        self._server.stop()
        self._start()
        self.assertIsNotNone(get(self._connection, "items", 1))
        self.assertFalse(self._accepts("items"))
        other.unlink()
        self.assertTrue(eventually(lambda: self._accepts("items")), self._server.log)
        self.assertTrue(eventually(ballast.exists), self._server.log)
        self._server.stop()


class FailingDisk(unittest.TestCase):
    def test_a_log_that_cannot_be_written_ends_the_server(self):
        """The server ends with a code of its own and names the file; what it had answered is there afterwards."""
        directory = tempfile.mkdtemp(prefix="tintype-disk-")
        self.addCleanup(shutil.rmtree, directory)
        server = tintype_server.Server(data_dir=f"{directory}/data", arguments=["--ballast-mb", "0"])
        connection = Connection(server.address, SIGNER)
        create_table(connection, "items")
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4 * MB, 4 * MB))
        answered = 0
        try:
            for number in range(100):
                put(connection, "items", number, 300_000)
                answered += 1
        except (OSError, DynamoError):
            pass
        self.assertEqual(server.process.wait(timeout=30), EXIT_DISK_FAILED, server.log)
        self.assertRegex(server.log, r"tintype: the tables in \S+ cannot be written: .*/tables/\d+\.log: File too large")
        self.assertGreater(answered, 3)

        server = tintype_server.Server(data_dir=f"{directory}/data")
        connection = Connection(server.address, SIGNER)
        for number in range(answered):
            self.assertIsNotNone(get(connection, "items", number))
        server.stop()


if __name__ == "__main__":
    unittest.main()
