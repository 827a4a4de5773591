"""A table that is backed up or recovered while it is written comes back as it was at one moment: with whole
transactions, with nothing missing that was acknowledged before, with nothing that was sent after, and with an index
that agrees."""

import random
import sys
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402

SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
TABLE = "Accounts"
ACCOUNTS = 2000  # Enough that reading them all takes longer than a transfer.
OPENING_BALANCE = 1000
TELLERS = 4
# How far the position of a change may be ahead of the clock: some requests take a millisecond for themselves.
AHEAD_S = 0.005


def account(number, balance):
    return {"pk": {"S": f"account{number}"}, "branch": {"S": f"branch{number % 7}"}, "balance": {"N": str(balance)},
            "note": {"S": f"{number}" * 100}}


class Teller(threading.Thread):
    """Moves money between accounts, in transactions that also count its transfers. What it has sent and what was
    acknowledged is known at any time."""

    def __init__(self, number, address, seed):
        super().__init__(daemon=True)
        self.number = number
        self.transfers = []  # As (source, target, amount).
        self.sent = []  # When, by transfer.
        self.acknowledged = []
        self.failure = None
        self._random = random.Random(f"{seed}/{number}")
        self._connection = Connection(address, SIGNER)
        self._stopping = threading.Event()

    def stop(self):
        self._stopping.set()
        self.join()

    def run(self):
        try:
            while not self._stopping.is_set():
                self._transfer()
        except Exception as problem:  # The test reports it.
            self.failure = problem
        finally:
            self._connection.close()

    def _transfer(self):
        source, target = self._random.sample(range(ACCOUNTS), 2)
        amount = self._random.randrange(1, 100)
        changes = [{"Update": {"TableName": TABLE, "Key": {"pk": {"S": f"account{number}"}},
                               "UpdateExpression": "ADD balance :change",
                               "ExpressionAttributeValues": {":change": {"N": str(change)}}}}
                   for number, change in ((source, -amount), (target, amount))]
        count = {"pk": {"S": f"teller{self.number}"}, "transfers": {"N": str(len(self.transfers) + 1)}}
        self.transfers.append((source, target, amount))
        self.sent.append(time.time())
        self._connection.call("TransactWriteItems", {
            "TransactItems": [*changes, {"Put": {"TableName": TABLE, "Item": count}}]})
        self.acknowledged.append(time.time())


class ConsistencyTest(unittest.TestCase):
    def setUp(self):
        self.seed = random.randrange(1 << 30)
        self.server = tintype_server.Server()
        self.addCleanup(self.server.process.kill)
        self.connection = Connection(self.server.address, SIGNER)
        self.connection.call("CreateTable", {
            "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "branch", "AttributeType": "S"},
                                     {"AttributeName": "balance", "AttributeType": "N"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            # Every transfer moves two of its entries.
            "GlobalSecondaryIndexes": [{"IndexName": "by-balance", "Projection": {"ProjectionType": "ALL"},
                                        "KeySchema": [{"AttributeName": "branch", "KeyType": "HASH"},
                                                      {"AttributeName": "balance", "KeyType": "RANGE"}]}]})
        for first in range(0, ACCOUNTS, 25):
            self.connection.call("BatchWriteItem", {"RequestItems": {TABLE: [
                {"PutRequest": {"Item": account(number, OPENING_BALANCE)}} for number in range(first, first + 25)]}})
        self.connection.call("UpdateContinuousBackups", {
            "TableName": TABLE, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
        self.tellers = [Teller(number, self.server.address, self.seed) for number in range(TELLERS)]
        for teller in self.tellers:
            self.addCleanup(teller.stop)
            teller.start()

    def wait_until(self, condition, what):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"not in time: {what}")
            for teller in self.tellers:
                self.assertIsNone(teller.failure)
            time.sleep(0.005)

    def wait_for_transfers(self):
        """Until every teller has made some more."""
        before = [len(teller.acknowledged) for teller in self.tellers]
        self.wait_until(lambda: all(len(teller.acknowledged) >= count + 5 for teller, count in zip(self.tellers, before)),
                        "transfers")

    def read(self, table, **options):
        items, request = {}, {"TableName": table, **options}
        while True:
            page = self.connection.call("Scan", request)
            for item in page["Items"]:
                self.assertNotIn(item["pk"]["S"], items)
                items[item["pk"]["S"]] = item
            if "LastEvaluatedKey" not in page:
                return items
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def wait_active(self, table):
        self.wait_until(lambda: self.connection.call("DescribeTable", {"TableName": table})["Table"]["TableStatus"] == "ACTIVE",
                        f"{table} is restored")

    def check_restored(self, table, least, most):
        """The table is as some number of each teller's transfers left it, between `least` and `most`."""
        items = self.read(table)
        counts = [int(items[f"teller{number}"]["transfers"]["N"]) for number in range(TELLERS)]
        for number, count in enumerate(counts):
            self.assertLessEqual(least[number], count, f"teller {number} in {table}, seed {self.seed}")
            self.assertLessEqual(count, most[number], f"teller {number} in {table}, seed {self.seed}")
        money = [int(item["balance"]["N"]) for item in items.values() if "balance" in item]
        self.assertEqual(ACCOUNTS * OPENING_BALANCE, sum(money), f"all money in {table}, seed {self.seed}")

        balances = [OPENING_BALANCE] * ACCOUNTS
        for teller, count in zip(self.tellers, counts):
            for source, target, amount in teller.transfers[:count]:
                balances[source] -= amount
                balances[target] += amount
        expected = {f"account{number}": account(number, balance) for number, balance in enumerate(balances)}
        tellers = {key: item for key, item in items.items() if key.startswith("teller")}
        self.assertEqual(expected | tellers, items)
        self.assertEqual(expected, self.read(table, IndexName="by-balance"))
        self.assertEqual(len(items), self.connection.call("DescribeTable", {"TableName": table})["Table"]["ItemCount"])

    def check_all(self, restored):
        """`restored` holds, by table, the fewest and the most transfers of each teller."""
        for table in restored:
            self.wait_active(table)
        for teller in self.tellers:
            teller.stop()
            self.assertIsNone(teller.failure)
        for table, (least, most) in restored.items():
            self.check_restored(table, least, most)
        every = [len(teller.transfers) for teller in self.tellers]
        self.check_restored(TABLE, every, every)
        self.server.stop()

    def test_M2C_13_backups_under_load(self):
        """M2C-13: several backups, one after the other and two at a time, restored while the load goes on."""
        backups = {}
        self.wait_for_transfers()
        for number in range(6):
            least = [len(teller.acknowledged) for teller in self.tellers]
            details = self.connection.call("CreateBackup", {"TableName": TABLE, "BackupName": f"backup{number}"})["BackupDetails"]
            backups[f"FromBackup{number}"] = details["BackupArn"], least, [len(teller.sent) for teller in self.tellers]
            if number % 2 == 0:
                self.wait_for_transfers()
        for table, (arn, _, _) in backups.items():
            self.wait_until(lambda arn=arn: self.connection.call("DescribeBackup", {"BackupArn": arn})[
                "BackupDescription"]["BackupDetails"]["BackupStatus"] == "AVAILABLE", "the backup is available")
            self.connection.call("RestoreTableFromBackup", {"TargetTableName": table, "BackupArn": arn})
        self.wait_for_transfers()
        for table, (_, _, most) in backups.items():
            self.assertLess(sum(most), sum(len(teller.acknowledged) for teller in self.tellers), f"nothing came after {table}")
        self.check_all({table: (least, most) for table, (_, least, most) in backups.items()})

    def test_M2C_13_recovery_to_a_second_under_load(self):
        """M2C-13: to whole seconds in the midst of the load, restored while it goes on."""
        self.wait_for_transfers()
        first = int(time.time()) + 1
        moments = {f"AsOf{moment}": moment for moment in (first, first + 1)}
        for table, moment in moments.items():
            self.wait_until(lambda moment=moment: time.time() > moment + 0.1, "the moment has passed")
            self.wait_for_transfers()
            self.connection.call("RestoreTableToPointInTime", {
                "SourceTableName": TABLE, "TargetTableName": table, "RestoreDateTime": moment})
        restored = {}
        for table, moment in moments.items():
            least = [sum(at <= moment - AHEAD_S for at in teller.acknowledged) for teller in self.tellers]
            most = [sum(at < moment + 0.001 for at in teller.sent) for teller in self.tellers]
            self.assertGreater(sum(least), 0, "nothing came before")
            self.assertLess(sum(most), sum(len(teller.acknowledged) for teller in self.tellers), "nothing came after")
            restored[table] = least, most
        self.check_all(restored)


if __name__ == "__main__":
    unittest.main()
