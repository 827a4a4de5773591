"""Kills the server with SIGKILL while it makes backups, restores tables, removes expired items and fills indexes, and
checks that every table is whole afterwards and that the work that was accepted gets done.

Everything random follows from the seed, but for how far the server gets before it is killed.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, DynamoError, Signer  # noqa: E402

SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
ITEMS = 3000
SOURCE = "Source"


def definition(name):
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{"IndexName": "by-n", "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
                                        "Projection": {"ProjectionType": "ALL"}}]}


def fill(connection, table, items):
    for start in range(0, len(items), 25):
        connection.call("BatchWriteItem", {"RequestItems": {
            table: [{"PutRequest": {"Item": item}} for item in items[start:start + 25]]}})


def read(connection, table, index=None):
    request = {"TableName": table, **({"IndexName": index} if index else {})}
    items = {}
    while True:
        page = connection.call("Scan", request)
        items.update((item["pk"]["S"], item) for item in page["Items"])
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def wait_until(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not in time: {what}")
        time.sleep(0.01)


class MaintenanceTest:
    def __init__(self, seed, data_dir):
        self._random = random.Random(seed)
        self._data_dir = data_dir
        self._round = 0
        self.expected = {}

    def start(self):
        server = tintype_server.Server(data_dir=self._data_dir)
        return server, Connection(server.address, SIGNER)

    def prepare(self):
        server, connection = self.start()
        connection.call("CreateTable", definition(SOURCE))
        items = [{"pk": {"S": f"k{i}"}, "n": {"N": str(i % 97)}, "note": {"S": "x" * self._random.randrange(300)}}
                 for i in range(ITEMS)]
        fill(connection, SOURCE, items)
        connection.call("UpdateContinuousBackups", {
            "TableName": SOURCE, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
        self.expected = {item["pk"]["S"]: item for item in items}
        server.stop()

    def run_round(self, number):
        """Begins one kind of work, kills the server in the midst of it, and lets the next one finish it."""
        self._round = number
        kinds = [self._backup, self._restore_backup, self._recover, self._expire, self._fill_index]
        finish = None
        server, connection = self.start()
        try:
            finish = kinds[number % len(kinds)](connection)
        finally:
            time.sleep(self._random.uniform(0, 0.05))
            server.kill()
        for _ in range(self._random.randrange(2)):  # And perhaps once more, while it goes on with it.
            server, _ = self.start()
            time.sleep(self._random.uniform(0, 0.05))
            server.kill()
        server, connection = self.start()
        finish(connection)
        self.check_equal(connection, SOURCE, self.expected)
        server.stop()

    def check_equal(self, connection, table, expected):
        rows = read(connection, table)
        assert rows == expected, f"{table} has {len(rows)} items, {len(expected)} expected, or others"
        entries = read(connection, table, "by-n")
        assert entries == {key: item for key, item in rows.items() if "n" in item}, f"the index of {table} disagrees"
        description = connection.call("DescribeTable", {"TableName": table})["Table"]
        assert description["ItemCount"] == len(rows), f"{table} is said to have {description['ItemCount']} items"

    def _name(self, what):
        return f"{what}-{self._round}"

    def _wait_active(self, connection, table):
        wait_until(lambda: connection.call("DescribeTable", {"TableName": table})["Table"]["TableStatus"] == "ACTIVE",
                   f"{table} is active")

    def _make_backup(self, connection):
        details = connection.call("CreateBackup", {"TableName": SOURCE, "BackupName": self._name("backup")})["BackupDetails"]
        return details["BackupArn"]

    def _wait_available(self, connection, arn):
        def available():
            description = connection.call("DescribeBackup", {"BackupArn": arn})["BackupDescription"]
            return description["BackupDetails"]["BackupStatus"] == "AVAILABLE"
        wait_until(available, "the backup is available")

    def _backup(self, connection):
        arn = self._make_backup(connection)

        def finish(connection):
            self._wait_available(connection, arn)
            target = self._name("FromBackup")
            connection.call("RestoreTableFromBackup", {"TargetTableName": target, "BackupArn": arn})
            self._wait_active(connection, target)
            self.check_equal(connection, target, self.expected)
            connection.call("DeleteTable", {"TableName": target})
            connection.call("DeleteBackup", {"BackupArn": arn})
        return finish

    def _restore_backup(self, connection):
        arn = self._make_backup(connection)
        self._wait_available(connection, arn)
        target = self._name("Restored")
        connection.call("RestoreTableFromBackup", {"TargetTableName": target, "BackupArn": arn})

        def finish(connection):
            self._wait_active(connection, target)
            self.check_equal(connection, target, self.expected)
        return finish

    def _recover(self, connection):
        """To a moment before some changes."""
        before = dict(self.expected)
        time.sleep(1.1)  # Times in requests are whole seconds.
        moment = int(time.time())
        time.sleep(1.1)
        for i in range(50):
            key = f"k{self._random.randrange(ITEMS)}"
            item = {"pk": {"S": key}, "n": {"N": str(1000 + i)}}
            connection.call("PutItem", {"TableName": SOURCE, "Item": item})
            self.expected[key] = item
        target = self._name("Recovered")
        connection.call("RestoreTableToPointInTime", {
            "SourceTableName": SOURCE, "TargetTableName": target, "RestoreDateTime": moment})

        def finish(connection):
            self._wait_active(connection, target)
            self.check_equal(connection, target, before)
        return finish

    def _expire(self, connection):
        table = self._name("Expiring")
        connection.call("CreateTable", definition(table))
        now = int(time.time())
        items = [{"pk": {"S": f"k{i}"}, "n": {"N": "1"}, "ttl": {"N": str(now - 10 if i % 2 else now + 10_000)}}
                 for i in range(1000)]
        fill(connection, table, items)
        connection.call("UpdateTimeToLive", {
            "TableName": table, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}})
        left = {item["pk"]["S"]: item for item in items if int(item["ttl"]["N"]) > now}

        def finish(connection):
            wait_until(lambda: read(connection, table) == left, "what is due has gone")
            self.check_equal(connection, table, left)
        return finish

    def _fill_index(self, connection):
        name = self._name("late")
        connection.call("UpdateTable", {
            "TableName": SOURCE,
            "AttributeDefinitions": [{"AttributeName": "note", "AttributeType": "S"}],
            "GlobalSecondaryIndexUpdates": [{"Create": {
                "IndexName": name, "KeySchema": [{"AttributeName": "note", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"}}}]})

        def finish(connection):
            self._wait_active(connection, SOURCE)
            entries = read(connection, SOURCE, name)
            expected = {key for key, item in self.expected.items() if item.get("note", {}).get("S")}
            assert set(entries) == expected, f"{name} has {len(entries)} entries, {len(expected)} expected"
            connection.call("UpdateTable", {
                "TableName": SOURCE, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": name}}]})
        return finish


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    directory = tempfile.mkdtemp(prefix="tintype-maintenance-")
    test = MaintenanceTest(options.seed, f"{directory}/data")
    test.prepare()
    for number in range(options.rounds):
        started = time.monotonic()
        try:
            test.run_round(number)
        except (AssertionError, DynamoError, tintype_server.ServerFailed) as problem:
            print(f"round {number}: {str(problem)[:2000]}")
            print(f"failed with --seed {options.seed}; the data directory is kept in {directory}")
            return 1
        print(f"round {number}: whole, {time.monotonic() - started:.1f} s", flush=True)
    print(f"{options.rounds} crashes, every table whole")
    shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
