"""What the crash test writes, and what it knows about every write.

Each writer owns its items, so that what an item should be follows from that writer's acknowledged operations and, after
a crash, the one operation that was under way. The accounts are shared: their balances follow from everybody's
transfers, each of which also counts up an item of its writer in the same transaction, which tells whether it happened.
"""

import random
import threading
from dataclasses import dataclass, field

from signed_http import Connection, DynamoError

TABLE_NAME = "Crash"
WRITERS = 8
ACCOUNTS = 10
OPENING_BALANCE = 1000

TABLE = {
    "TableName": TABLE_NAME,
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in
                             (("pk", "S"), ("sk", "N"), ("team", "S"), ("score", "N"), ("flag", "S"))],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [
        {"IndexName": "by-team",
         "KeySchema": [{"AttributeName": "team", "KeyType": "HASH"}, {"AttributeName": "score", "KeyType": "RANGE"}],
         "Projection": {"ProjectionType": "ALL"}},
        # Only flagged items are in it.
        {"IndexName": "by-flag",
         "KeySchema": [{"AttributeName": "flag", "KeyType": "HASH"}],
         "Projection": {"ProjectionType": "KEYS_ONLY"}},
    ],
    "LocalSecondaryIndexes": [
        {"IndexName": "by-score",
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "score", "KeyType": "RANGE"}],
         "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]}},
    ],
}

# An index that comes and goes while the table is written.
LATE_INDEX = {
    "IndexName": "late",
    "KeySchema": [{"AttributeName": "note", "KeyType": "HASH"}, {"AttributeName": "score", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "ALL"},
}
LATE_INDEX_ATTRIBUTES = [{"AttributeName": "note", "AttributeType": "S"}, {"AttributeName": "score", "AttributeType": "N"}]


def key_of(item):
    """An item's key as a dictionary key of ours."""
    return item["pk"]["S"], item["sk"]["N"]


def dynamo_key(key):
    return {"pk": {"S": key[0]}, "sk": {"N": key[1]}}


def account_key(number):
    return "account", str(number)


def opening_accounts():
    return [{**dynamo_key(account_key(n)), "balance": {"N": str(OPENING_BALANCE)}} for n in range(ACCOUNTS)]


@dataclass
class Operation:
    """One request. Each of `effects` happens as a whole or not at all, and is the new item (None: no item) by key."""

    name: str
    request: dict
    effects: list
    # What a transfer adds to accounts, beside its effect on the writer's counter.
    transfer: dict = field(default_factory=dict)


class Writer(threading.Thread):
    """Writes until the server goes away or it is told to stop. Afterwards `items` is what was acknowledged, and
    `pending` the operation whose outcome is unknown. `failure` is any problem that is not the server's death."""

    def __init__(self, number, seed, address, signer, items, transfers, acknowledged):
        super().__init__(daemon=True)
        self.number = number
        self.items = items
        self.transfers = transfers  # Acknowledged transfers, each a change by account number.
        self.pending = None
        self.failure = None
        self.count = 0
        self._random = random.Random(f"{seed}/{number}")
        self._connection = Connection(address, signer)
        self._acknowledged = acknowledged
        self._stopping = threading.Event()

    def stop(self):
        self._stopping.set()

    def run(self):
        try:
            while not self._stopping.is_set():
                self._write(self._choose())
        except OSError:
            pass
        except Exception as problem:  # The round reports it.
            self.failure = problem
        finally:
            self._connection.close()
            # Whoever waits for acknowledgements must not wait for a writer that is gone.
            self._acknowledged()

    def _write(self, operation):
        self.pending = operation
        try:
            answer = self._connection.call(operation.name, operation.request)
        except DynamoError as error:
            # A transfer from an account that is too poor is refused as a whole; nothing else may be refused.
            if error.name != "TransactionCanceledException":
                raise
            self.pending = None
            return
        if answer.get("UnprocessedItems"):
            raise AssertionError(f"unprocessed items: {answer}")
        self.settle(operation.effects)
        if operation.transfer:
            self.transfers.append(operation.transfer)
        self.pending = None
        self.count += 1
        self._acknowledged()

    def settle(self, effects):
        """Takes effects as having happened."""
        for effect in effects:
            for key, item in effect.items():
                if item is None:
                    self.items.pop(key, None)
                else:
                    self.items[key] = item

    def _choose(self):
        kinds = [self._put, self._update, self._delete, self._batch, self._pair, self._transfer]
        return self._random.choices(kinds, weights=[5, 5, 2, 2, 3, 3])[0]()

    def _key(self):
        return f"w{self.number}#{self._random.randrange(6)}", str(self._random.randrange(10))

    def _item(self, key):
        r = self._random
        # A few large items, so that files get written out and not only the log.
        length = 30_000 if r.random() < 0.02 else r.randrange(20, 400)
        item = {**dynamo_key(key), "team": {"S": f"t{r.randrange(5)}"}, "score": {"N": str(r.randrange(1000))},
                "note": {"S": f"n{r.randrange(100)}"}, "payload": {"S": "x" * length}}
        if r.random() < 0.3:
            item["flag"] = {"S": f"f{r.randrange(3)}"}
        if r.random() < 0.2:
            del item["team"]
        return item

    def _put(self):
        item = self._item(self._key())
        return Operation("PutItem", {"TableName": TABLE_NAME, "Item": item}, [{key_of(item): item}])

    def _delete(self):
        key = self._key()
        return Operation("DeleteItem", {"TableName": TABLE_NAME, "Key": dynamo_key(key)}, [{key: None}])

    def _update(self):
        """Moves the item in every index, and flags or unflags it."""
        key = self._key()
        new = dict(self.items.get(key, dynamo_key(key)))
        score, note = str(self._random.randrange(1000)), f"n{self._random.randrange(100)}"
        new["score"], new["note"] = {"N": score}, {"S": note}
        new["edits"] = {"N": str(int(new.get("edits", {"N": "0"})["N"]) + 1)}
        values = {":score": {"N": score}, ":note": {"S": note}, ":one": {"N": "1"}}
        expression = "SET score = :score, note = :note"
        if self._random.random() < 0.5:
            new["flag"] = values[":flag"] = {"S": f"f{self._random.randrange(3)}"}
            expression += ", flag = :flag"
        else:
            new.pop("flag", None)
            expression += " REMOVE flag"
        expression += " ADD edits :one"
        request = {"TableName": TABLE_NAME, "Key": dynamo_key(key), "UpdateExpression": expression,
                   "ExpressionAttributeValues": values}
        return Operation("UpdateItem", request, [{key: new}])

    def _batch(self):
        """Puts and deletes, each on its own: a batch is not a transaction."""
        keys = {self._key() for _ in range(self._random.randrange(1, 8))}
        requests, effects = [], []
        for key in sorted(keys):
            if self._random.random() < 0.7:
                item = self._item(key)
                requests.append({"PutRequest": {"Item": item}})
                effects.append({key: item})
            else:
                requests.append({"DeleteRequest": {"Key": dynamo_key(key)}})
                effects.append({key: None})
        return Operation("BatchWriteItem", {"RequestItems": {TABLE_NAME: requests}}, effects)

    def _pair(self):
        """A transaction that puts one item and deletes another."""
        first, second = self._key(), self._key()
        while second == first:
            second = self._key()
        item = self._item(first)
        request = {"TransactItems": [{"Put": {"TableName": TABLE_NAME, "Item": item}},
                                     {"Delete": {"TableName": TABLE_NAME, "Key": dynamo_key(second)}}]}
        return Operation("TransactWriteItems", request, [{first: item, second: None}])

    def _transfer(self):
        """Moves money between two accounts, and counts it in an item of this writer."""
        source, target = self._random.sample(range(ACCOUNTS), 2)
        amount = self._random.randrange(1, 100)
        counter = f"counter#{self.number}", "0"
        count = {**dynamo_key(counter), "transfers": {"N": str(len(self.transfers) + 1)}}

        def change(account, delta, **extra):
            values = {":delta": {"N": str(delta)}, **extra.pop("values", {})}
            return {"Update": {"TableName": TABLE_NAME, "Key": dynamo_key(account_key(account)),
                               "UpdateExpression": "ADD balance :delta", "ExpressionAttributeValues": values, **extra}}

        request = {"TransactItems": [
            change(source, -amount, ConditionExpression="balance >= :amount", values={":amount": {"N": str(amount)}}),
            change(target, amount),
            {"Put": {"TableName": TABLE_NAME, "Item": count}}]}
        return Operation("TransactWriteItems", request, [{counter: count}], {source: -amount, target: amount})
