#!/usr/bin/env python3
"""Proves `tintype backup` and `tintype restore` with the real program: with and without a running server, under load,
on a full disk, with damaged files, and killed at random moments. TINTYPE_BIN names the executable."""

import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "e2e" / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
import sealing  # noqa: E402
import tintype_server  # noqa: E402
from gallery import Gallery  # noqa: E402
from signed_http import Connection, DynamoError, Signer  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]
SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
ROUNDS = int(os.environ.get("TINTYPE_BACKUP_ROUNDS", "5"))
MB = 1 << 20
# Of so many rounds, half at least must have killed something before its end.
ROUNDS_THAT_COUNT = 20


def run(*arguments, **options):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TINTYPE_")}
    return subprocess.run([BINARY, *map(str, arguments)], env=environment, text=True, capture_output=True, timeout=60,
                          check=False, **options)


def create_table(connection, name):
    connection.call("CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})


def load(connection, table, megabytes, first=0):
    """Items that do not compress, 16 KB each."""
    for batch in range(first, first + megabytes * 64, 16):
        puts = [{"PutRequest": {"Item": {"pk": {"N": str(number)}, "text": {"S": os.urandom(8192).hex()}}}}
                for number in range(batch, batch + 16)]
        connection.call("BatchWriteItem", {"RequestItems": {table: puts}})


def scan(connection, table, attribute):
    """Every item's attribute, by key."""
    found, start = {}, {}
    while True:
        page = connection.call("Scan", {"TableName": table, **start})
        found.update((int(item["pk"]["N"]), item[attribute]) for item in page["Items"])
        if "LastEvaluatedKey" not in page:
            return found
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


class BackupTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tintype-backup-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data = self.folder / "data"
        self.to = self.folder / "backup"
        self.restored = 0
        self.longest = 0  # How long what is to be killed takes, in seconds.
        self.seed = random.randrange(1 << 30)
        self.random = random.Random(self.seed)

    def serve(self, data=None, arguments=()):
        """A server, which is killed should the test fail, and a connection to it."""
        server = tintype_server.Server(data_dir=str(data or self.data), arguments=["--ballast-mb", "0", *arguments])
        self.addCleanup(server.process.kill)
        return server, Connection(server.address, SIGNER)

    def json_of(self, *arguments):
        """The last line of a command that must succeed."""
        result = run(*arguments, "--json")
        self.assertEqual(0, result.returncode, result.stderr)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertTrue(all(next(iter(line)) == "progress" for line in lines[:-1]), lines)
        return lines[-1]["done"]

    def create(self, *arguments):
        return self.json_of("backup", "create", "--data-dir", self.data, "--to", self.to, *arguments)

    def ids(self):
        result = run("backup", "list", self.to, "--json")
        self.assertEqual(0, result.returncode, result.stderr)
        return [json.loads(line)["backup"]["id"] for line in result.stdout.splitlines()]

    def verify(self, *arguments):
        return self.json_of("backup", "verify", self.to, "--data-dir", self.data, *arguments)

    def restore(self, *arguments):
        """Restores to a new directory and returns it."""
        self.restored += 1
        new = self.folder / f"restored{self.restored}"
        self.json_of("restore", self.to, "--data-dir", new, *arguments)
        return new

    def serve_restored(self, *arguments):
        return self.serve(self.restore(*arguments), ["--master-key-file", str(self.data / "master.key")])

    def fails(self, words, *arguments):
        result = run(*arguments)
        self.assertEqual(1, result.returncode, result.stdout)
        self.assertIn(words, result.stdout + result.stderr)
        self.assertRegex(result.stderr.splitlines()[-1], "^tintype: ")
        return result.stdout

    def test_without_a_server(self):
        """The command opens the directory itself; what it restores is served with the old master key and a
        root key that is not in the backup."""
        server, connection = self.serve()
        create_table(connection, "items")
        load(connection, "items", 1)
        before = scan(connection, "items", "text")
        server.stop()
        (self.data / "BLOBS").write_text("s3 photos-uploads photos-images\n")
        (self.data / "BLOBS").chmod(0o600)
        result = run("backup", "create", "--data-dir", self.data, "--to", self.to)
        self.assertEqual(0, result.returncode, result.stderr)
        made, needed, elsewhere = result.stdout.splitlines()
        self.assertRegex(made, r"^backup 1 in \S+: \d+ files, \d+\.\d MB, of which \d+\.\d MB are new$")
        self.assertRegex(needed, "^To open it takes the master key [0-9a-f]{16}, which is not in it: ")
        self.assertRegex(elsewhere, "^The photos are not in it: .*photos-uploads and photos-images")
        self.assertIs(True, self.verify()["tables_read"])
        listed = run("backup", "list", self.to).stdout.splitlines()
        self.assertEqual(2, len(listed))
        self.assertRegex(listed[1], r"^1 +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ +\d+ +\d+\.\d MB +\d+\.\d MB$")

        server, connection = self.serve_restored()
        self.assertEqual(before, scan(connection, "items", "text"))
        server.stop()
        # It still knows where the photos are.
        self.assertEqual("s3 photos-uploads photos-images\n", (self.folder / "restored1" / "BLOBS").read_text())
        for path in (self.folder / "restored1").rglob("*"):
            self.assertEqual(0, path.stat().st_mode & 0o077, path)
        # The command says what is needed besides, since nobody can serve the directory without.
        again = self.folder / "again"
        result = run("restore", self.to, "--data-dir", again)
        self.assertEqual(0, result.returncode, result.stderr)
        restored, key, root, photos = result.stdout.splitlines()
        self.assertRegex(restored, r"^restored backup 1 to \S+: \d+ files, \d+\.\d MB$")
        self.assertRegex(key, f"^Still needed: the master key [0-9a-f]{{16}}, .*{again}/master.key, or name it with --master-key-file")
        self.assertEqual(f"The first start makes a new root key, {again}/credentials: that of before is not in the backup.", root)
        self.assertFalse((again / "credentials").exists())
        self.assertRegex(photos, "^Still needed: the photos, .*photos-uploads and photos-images .*--blobs s3://photos ")
        done = self.json_of("restore", self.to, "--data-dir", self.folder / "for-programs")
        self.assertIs(True, done["needs_master_key"])
        self.assertIn(done["master_key"], needed)
        self.assertEqual(["photos-uploads", "photos-images"], done["needs_buckets"])
        for path in [self.to, *self.to.rglob("*")]:
            self.assertEqual(0, path.stat().st_mode & 0o077, path)

    def test_while_the_server_runs(self):
        """The server makes it, without stopping; a second one copies little; --keep removes older ones."""
        server, connection = self.serve()
        create_table(connection, "items")
        load(connection, "items", 8)
        first = self.create()
        self.assertEqual(first["bytes"], first["new_bytes"])
        self.assertGreater(first["bytes"], 8 * MB)
        load(connection, "items", 1, first=100_000)
        # What is in memory is in the log, which is copied each time; a restart writes it out.
        server.stop()
        server, connection = self.serve()
        third_least = self.create()
        again = self.create()
        self.assertGreater(again["bytes"], 8 * MB)
        self.assertLess(again["new_bytes"], again["bytes"] / 20)
        self.assertEqual([1, third_least["id"], again["id"]], self.ids())
        expected = scan(connection, "items", "text")
        last = self.create("--keep", "2")
        self.assertEqual(2, last["removed"])
        self.assertEqual([again["id"], last["id"]], self.ids())
        for number in self.ids():
            self.verify("--id", number)
        server.stop()
        server, connection = self.serve_restored()
        self.assertEqual(expected, scan(connection, "items", "text"))
        server.stop()

    def test_restored_state_is_of_one_moment(self):
        """Money that moves between accounts in transactions is neither lost nor made, whenever the backup is taken."""
        accounts, total, writers = 20, 20 * 1000, 4
        server, connection = self.serve()
        create_table(connection, "accounts")
        for number in range(accounts):
            connection.call("PutItem", {"TableName": "accounts", "Item": {"pk": {"N": str(number)},
                                                                          "money": {"N": str(total // accounts)}}})
        stop, moves, problems = threading.Event(), [0] * writers, []

        def move(writer):
            mine, chance = Connection(server.address, SIGNER), random.Random(self.seed + writer)
            while not stop.is_set():
                source, target = chance.sample(range(accounts), 2)
                changes = [{"Update": {"TableName": "accounts", "Key": {"pk": {"N": str(number)}},
                                       "UpdateExpression": "ADD money :amount",
                                       "ExpressionAttributeValues": {":amount": {"N": str(amount)}}}}
                           for number, amount in ((source, -7), (target, 7))]
                try:
                    mine.call("TransactWriteItems", {"TransactItems": changes})
                    moves[writer] += 1
                except DynamoError as error:
                    problems.append(error)
                    return
            mine.close()

        threads = [threading.Thread(target=move, args=(writer,)) for writer in range(writers)]
        for thread in threads:
            thread.start()
        seen = []
        for _ in range(3):
            seen.append(sum(moves))
            self.create()
        seen.append(sum(moves))
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual([], problems)
        self.assertEqual(sorted(set(seen)), seen, "nothing was written meanwhile")
        server.stop()
        states = []
        for number in self.ids():
            server, connection = self.serve_restored("--id", number)
            money = scan(connection, "accounts", "money")
            self.assertEqual(total, sum(int(each["N"]) for each in money.values()))
            states.append(money)
            server.stop()
        self.assertEqual(3, len(states))
        self.assertFalse(states[0] == states[1] == states[2])

    def test_damage_is_named(self):
        """Of every kind of file in a backup directory; nothing is restored from it."""
        server, connection = self.serve()
        create_table(connection, "items")
        load(connection, "items", 1)
        server.stop()
        self.create()
        server, connection = self.serve()  # Which writes the log out to a sorted file.
        server.stop()
        self.create()
        kinds = ["tables/meta/2", "tables/private/2/MANIFEST-*", "tables/private/2/CURRENT", "tables/shared_checksum/*.sst",
                 "files/*/*", "manifests/2"]
        for kind in kinds:
            path = next(iter(sorted(self.to.glob(kind))))
            content = path.read_bytes()
            middle = len(content) // 2
            for damaged in (content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1:], content[:-1]):
                path.write_bytes(damaged)
                self.fails(str(path), "backup", "verify", self.to, "--id", "2")
            if not kind.startswith("tables/meta"):
                self.fails(str(path), "restore", self.to, "--id", "2", "--data-dir", self.folder / "new")
            path.write_bytes(content)
        path = next(self.to.glob("tables/shared_checksum/*.sst"))
        path.rename(self.folder / "aside")
        self.assertIn("is missing", self.fails(str(path), "backup", "verify", self.to))
        self.fails(str(path), "restore", self.to, "--data-dir", self.folder / "new")
        (self.folder / "aside").rename(path)
        self.assertEqual([], [entry.name for entry in self.folder.iterdir() if entry.name.startswith("new")])
        self.assertEqual(2, self.verify()["id"])

    def test_refusals_say_what_is_wrong(self):
        server, _ = self.serve()
        photos = self.folder / "photos"
        photos.mkdir()
        (photos / "a.jpg").write_text("")
        create = ["backup", "create", "--data-dir", self.data, "--to"]
        self.fails("inside the data directory", *create, self.data / "backup")
        self.fails("'a.jpg'", *create, photos)
        self.fails("No such file", *create, self.folder / "not" / "mounted")
        self.fails("not a data directory", "backup", "create", "--data-dir", self.folder / "none", "--to", self.to)
        self.fails("not a backup directory", "backup", "list", photos)
        self.fails("not a backup directory", "restore", photos, "--data-dir", self.folder / "new")
        self.create()
        self.fails("is not an empty directory", "restore", self.to, "--data-dir", self.data)
        self.fails("no complete backup 7", "restore", self.to, "--id", "7", "--data-dir", self.folder / "new")
        self.fails("no complete backup 7", "backup", "verify", self.to, "--id", "7")
        server.stop()
        for words, arguments in (("--to is required", ["backup", "create"]),
                                 ("--data-dir is required", ["restore", self.to]),
                                 ("'tintype backup' needs a command", ["backup"]),
                                 ("--keep", ["backup", "create", "--to", self.to, "--keep", "0"])):
            result = run(*arguments)
            self.assertEqual(2, result.returncode)
            self.assertIn(words, result.stderr)
        for arguments in (["backup"], ["backup", "create"], ["backup", "list"], ["backup", "verify"], ["restore"]):
            self.assertEqual(0, run(*arguments, "--help").returncode)
        failed = run("backup", "verify", self.to, "--id", "7", "--json")
        self.assertIn("no complete backup 7", json.loads(failed.stdout)["error"]["message"])

    def test_admin_socket_comes_and_goes_with_the_server(self):
        path = self.data / "admin.sock"
        server, _ = self.serve()
        self.assertEqual(0o600, path.stat().st_mode & 0o777)
        server.kill()
        self.assertTrue(path.exists())
        self.create()  # Nobody answers there, so the directory is opened.
        server, _ = self.serve()
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(30)
            client.connect(str(path))
            client.sendall(b'{"dance": {}}\n')
            self.assertIn("no command 'dance'", json.loads(client.makefile().readline())["error"]["message"])
        server.stop()
        self.assertFalse(path.exists())

    def killed(self, arguments):
        """Runs a command and kills it after a random part of the time that it takes, unless it was quicker. Returns
        whether it was killed."""
        began = time.monotonic()
        process = subprocess.Popen([BINARY, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            code = process.wait(timeout=self.random.uniform(0, self.longest))
            # The machine was busier when that was measured.
            self.longest = min(self.longest, time.monotonic() - began)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self.assertIn(code, (0, -signal.SIGKILL))
        return code != 0

    def check_kills(self, kills):
        print(f"{kills} of {ROUNDS} were killed before their end", file=sys.stderr)
        self.assertGreaterEqual(kills, ROUNDS // 2 if ROUNDS >= ROUNDS_THAT_COUNT else 1)

    def fill_with_a_photo(self):
        """A gallery with a photo, each file of which is encrypted, and a table of 8 MB. Returns the photo's id and its
        sizes."""
        gallery = Gallery(("--workers", "1", "--ballast-mb", "0"), data_dir=str(self.data))
        self.addCleanup(gallery.server.process.kill)
        ada = gallery.sign_up("ada")
        image = ada.upload(photos.jpeg("backed up", 1200, 900))
        gallery.wait_developed(ada, image)
        gallery.wait_idle()
        connection = Connection(gallery.server.address, SIGNER)
        create_table(connection, "items")
        load(connection, "items", 8)
        shown = {size: gallery.follow(link).body for size, link in ada.image(image)["sizes"].items()}
        gallery.stop()
        self.assertGreaterEqual(len(shown), 5)
        stored = self.blobs_of(self.data)
        self.assertGreaterEqual(len(stored), 5)
        self.assertEqual([], [name for name, content in stored.items() if not content.startswith(sealing.MAGIC)])
        return image, shown

    @staticmethod
    def blobs_of(data):
        """What is stored of photos, by the paths."""
        return {str(path.relative_to(data)): path.read_bytes() for path in (data / "blobs").rglob("*")
                if path.is_file() and ".tmp" not in path.parts}

    def check_restored_photo(self, image, shown):
        """Each size of the photo is shown by a server on the restored directory, byte for byte."""
        new = self.restore()
        gallery = Gallery(("--workers", "1", "--ballast-mb", "0", "--master-key-file", str(self.data / "master.key")),
                          data_dir=str(new))
        self.addCleanup(gallery.server.process.kill)
        ada = rest.Account(lambda: gallery.address, "ada")
        ada.log_in()
        self.assertEqual(shown, {size: gallery.follow(link).body for size, link in ada.image(image)["sizes"].items()})
        self.assertEqual(512, len(scan(Connection(gallery.server.address, SIGNER), "items", "text")))
        gallery.stop()

    def timed(self, function, *arguments):
        started = time.monotonic()
        function(*arguments)
        return time.monotonic() - started

    def test_killed_backups_are_not_listed_and_cleaned_up(self):
        """SIGKILL at any moment: what is listed is whole, the tables are unharmed, nothing stays behind, and the next
        backup restores every encrypted photo as it was."""
        print("seed", self.seed, file=sys.stderr)
        image, shown = self.fill_with_a_photo()
        stored_photos = self.blobs_of(self.data)
        self.longest = self.timed(self.create)
        kills = 0
        for _ in range(ROUNDS):
            # A backup that copies everything, so that there is time to be killed.
            for path in self.to.iterdir():
                subprocess.run(["rm", "-rf", str(path)], check=True)
            kills += self.killed(["backup", "create", "--data-dir", self.data, "--to", self.to])
            complete = self.ids() if (self.to / "FORMAT").exists() else []
            self.assertLessEqual(len(complete), 1)
            for number in complete:
                self.verify("--id", number)
            self.assertGreaterEqual(self.create("--keep", "1")["id"], 1)
            self.verify()
            stored = {"FORMAT", "LOCK", *(f"manifests/{number}" for number in self.ids())}
            for number in self.ids():
                lines = (self.to / "manifests" / str(number)).read_text().splitlines()
                stored |= {line.split("\t")[3] for line in lines if line.startswith("file\t")}
            self.assertEqual(stored, {str(path.relative_to(self.to)) for path in self.to.rglob("*") if path.is_file()})
            new = self.restore()
            self.assertEqual(stored_photos, self.blobs_of(new))
            subprocess.run(["rm", "-rf", str(new)], check=True)
        self.check_kills(kills)
        self.check_restored_photo(image, shown)

    def test_killed_server_leaves_whole_backups(self):
        server, connection = self.serve()
        create_table(connection, "items")
        load(connection, "items", 8)
        self.create()
        for _ in range(2):
            load(connection, "items", 2, first=self.random.randrange(1 << 30))
            client = subprocess.Popen([BINARY, "backup", "create", "--data-dir", self.data, "--to", self.to],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(self.random.uniform(0, 0.2))  # Any moment will do.
            server.kill()
            _, errors = client.communicate(timeout=60)
            # It may have been finished, or the directory was free again and the command did it itself.
            if client.returncode != 0:
                self.assertRegex(errors, "ended before it had answered|is in use by")
            for number in self.ids():
                self.verify("--id", number)
            server, connection = self.serve()
        self.create()
        self.verify()
        server.stop()

    def test_killed_restores_leave_no_directory_that_looks_whole(self):
        print("seed", self.seed, file=sys.stderr)
        server, connection = self.serve()
        create_table(connection, "items")
        load(connection, "items", 8)
        server.stop()
        self.create()
        self.longest = self.timed(self.restore)
        new, kills = self.folder / "new", 0
        for _ in range(ROUNDS):
            kills += self.killed(["restore", self.to, "--data-dir", new])
            if new.exists():
                self.assertFalse((self.folder / "new.restoring").exists())
            else:
                self.json_of("restore", self.to, "--data-dir", new)
                self.assertFalse((self.folder / "new.restoring").exists())
            server, connection = self.serve(new, ["--master-key-file", str(self.data / "master.key")])
            self.assertEqual(512, len(scan(connection, "items", "text")))
            server.stop()
            subprocess.run(["rm", "-rf", str(new)], check=True)
        self.check_kills(kills)

    def test_a_client_that_goes_away_cancels(self):
        """Ctrl-C of the command ends the server's work on it, and nothing else."""
        server, connection = self.serve()
        create_table(connection, "items")
        load(connection, "items", 16)
        for attempt in range(20):
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(self.data / "admin.sock"))
                client.sendall(json.dumps({"backup": {"to": str(self.to), "keep": 0}}).encode() + b"\n")
                client.recv(1)  # It has begun.
            deadline = time.monotonic() + 30
            while server.log.count("admin command failed") + server.log.count("backup created") <= attempt:
                self.assertLess(time.monotonic(), deadline, server.log)
                time.sleep(0.01)
            if "cancelled" in server.log:
                break
        self.assertIn("cancelled", server.log)
        load(connection, "items", 1)
        self.create()
        self.verify()
        server.stop()

    def test_full_backup_disk_leaves_the_server_alone(self):
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", small], capture_output=True, text=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest(f"mounting a small disk is not allowed here: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", str(small)], check=True)
        self.to = small / "backup"
        server, connection = self.serve()
        create_table(connection, "items")
        self.create()
        load(connection, "items", 8)
        for _ in range(2):
            self.fails("No space left on device", "backup", "create", "--data-dir", self.data, "--to", self.to)
            self.assertEqual([1], self.ids())
            self.verify()
            load(connection, "items", 1, first=self.random.randrange(1 << 30))
        self.fails("No space left on device", "restore", self.big_backup(), "--data-dir", small / "new")
        self.assertFalse((small / "new").exists())
        self.assertFalse((small / "new.restoring").exists())
        server.stop()

    def big_backup(self):
        big = self.folder / "big"
        self.json_of("backup", "create", "--data-dir", self.data, "--to", big)
        return big


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    unittest.main()
