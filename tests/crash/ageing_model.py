"""What the ageing test writes, and what must be left of it at any time of the server's clock.

A series is an item that exists in three tables and gets one version after the other, in transactions over all of them.
Each version is written by one writer after the one before was answered, so that its place in the order is known; and
since the test can tell what the server's clock shows, so is the time of its change, but for the moment between request
and answer.
"""

import bisect
import random
import threading
import time

from signed_http import Connection

HOUR_MS = 60 * 60 * 1000
DAY_MS = 24 * HOUR_MS
# One with a stream, two with recovery, so that the records of each are needed for another time.
STREAMED = "Streamed"
RECOVERY_DAYS = {"KeptADay": 1, "KeptTwoDays": 2}
TABLES = (STREAMED, *RECOVERY_DAYS)
INDEX = "by-group"
# Items that never change, so that recovering a table takes a while.
FILLERS = [{"pk": {"S": f"filler{number}"}, "payload": {"S": "x" * 100}} for number in range(2000)]
WRITERS = 3
SERIES_PER_WRITER = 6
# Such versions are deletions.
DELETED_EVERY = 7
# Positions can be ahead of the clock by a millisecond or two; requests name whole seconds.
SLACK_MS = 2000


def definition(table):
    created = {"TableName": table, "BillingMode": "PAY_PER_REQUEST",
               "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "group")],
               "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
               "GlobalSecondaryIndexes": [{"IndexName": INDEX, "Projection": {"ProjectionType": "ALL"},
                                           "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"}]}]}
    if table == STREAMED:
        created["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    return created


def system_ms():
    return time.time_ns() // 1_000_000


def version_in(item):
    """None: there is no item."""
    return item and int(item["version"]["N"])


class TurnedClock:
    """What fault_server's clock shows when it is started with `flags`."""

    def __init__(self, shows_ms, pace=1):
        self._shows_ms = int(shows_ms)
        self._from_ms = system_ms()
        self._pace = pace

    def now_ms(self):
        return self._shows_ms + (system_ms() - self._from_ms) * self._pace

    @property
    def flags(self):
        return ["--clock", f"{self._shows_ms}:{self._from_ms}:{self._pace}"]


class Series:
    """One item's versions, from 1 on: when each was sent and when it was answered."""

    def __init__(self, name):
        self.name = name
        self._sent = []
        self._answered = []

    @property
    def last(self):
        return len(self._sent)

    def item(self, version):
        """None: there is none, before the first version and after a deletion."""
        if version % DELETED_EVERY == 0:
            return None
        return {"pk": {"S": self.name}, "version": {"N": str(version)}, "group": {"S": f"g{version % 5}"},
                "payload": {"S": f"{self.name}/{version} " * 40}}

    def send(self, now_ms):
        self._sent.append(now_ms)

    def answer(self, now_ms):
        self._answered.append(now_ms)

    def settle(self, stored, now_ms):
        """Decides from what is stored whether a version that was sent and not answered was written. Returns the
        problems."""
        if len(self._answered) < self.last:
            if stored == self.item(self.last):
                self.answer(now_ms)
            else:
                self._sent.pop()
        if stored != self.item(self.last):
            return [f"{self.name} is {version_in(stored)}, not {self.last}"]
        return []

    def versions_at(self, time_ms):
        """The earliest and the latest version that the item can have had."""
        return (bisect.bisect_right(self._answered, time_ms - SLACK_MS), bisect.bisect_right(self._sent, time_ms + SLACK_MS))

    def check_records(self, versions, all_since_ms, none_before_ms=0):
        """Checks the versions that records tell of: without gaps up to the last one, every one that was written since a
        time, none that was before another. Returns the problems."""
        if versions != list(range(self.last - len(versions) + 1, self.last + 1)):
            return [f"{self.name}: records of the versions {versions}, and {self.last} was the last"]
        first = self.last - len(versions) + 1
        first_needed = self.versions_at(all_since_ms)[1] + 1
        problems = []
        if first > first_needed:
            problems.append(f"{self.name}: records from version {first} on, {first_needed} is not old enough to go")
        if versions and first <= self.versions_at(none_before_ms)[0]:
            problems.append(f"{self.name}: version {first} is too old to be shown")
        return problems


class Writer(threading.Thread):
    """Writes versions until the server goes away. `failure` is any problem that is not the server's death."""

    def __init__(self, address, signer, series, clock, seed):
        super().__init__(daemon=True)
        self.failure = None
        self._connection = Connection(address, signer)
        self._series = series
        self._clock = clock
        self._random = random.Random(seed)

    def run(self):
        try:
            while True:
                self._write(self._random.choice(self._series))
        except OSError:
            pass
        except Exception as problem:  # The round reports it.
            self.failure = problem
        finally:
            self._connection.close()

    def _write(self, series):
        item = series.item(series.last + 1)
        change = {"Put": {"Item": item}} if item else {"Delete": {"Key": {"pk": {"S": series.name}}}}
        series.send(self._clock.now_ms())
        self._connection.call("TransactWriteItems", {"TransactItems": [
            {kind: {"TableName": table, **what} for kind, what in change.items()} for table in TABLES]})
        series.answer(self._clock.now_ms())
