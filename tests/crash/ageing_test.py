"""Kills the server while old data goes: records of the change log are trimmed, and data keys replaced by new ones.

The server's clock runs many thousand times as fast as the system's, so that a day passes in a second and records are
trimmed all the time, under load. After each kill, with a clock that stands at its moment:
- the tables are what was acknowledged, and their indexes agree;
- the change log on disk has lost its beginning and nothing else: no gaps, and every record that may still be read;
- the stream shows the records of the last day from TRIM_HORIZON on, and no others;
- recovery to a second within the window gives the state of that second, also one that the kill interrupted.

Half of the kills are SIGKILL, half are power cuts on a disk that loses what was not synced. Everything random follows
from the seed, but for how far the server gets.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
from ageing_model import (DAY_MS, FILLERS, HOUR_MS, INDEX, RECOVERY_DAYS, SERIES_PER_WRITER, STREAMED,  # noqa: E402
                          TABLES, WRITERS, Series, TurnedClock, Writer, definition, system_ms, version_in)
from fault_test import POWER_CUT  # noqa: E402
from maintenance_test import SIGNER, fill, read, wait_until  # noqa: E402
from rotation_test import kill_when, read_keyring  # noqa: E402
from signed_http import Connection, DynamoError  # noqa: E402
from stream_mirror import SERVICE  # noqa: E402

STREAM_MS = DAY_MS
# An iterator lives for a quarter of an hour, and what it points to with it.
ITERATOR_MS = HOUR_MS // 4
DATA_KEY_DAYS = 90


class AgeingTest:
    def __init__(self, seed, data_dir):
        self._seed = seed
        self._random = random.Random(seed)
        self._data_dir = data_dir
        self._series = [Series(f"s{writer}-{number}") for writer in range(WRITERS) for number in range(SERIES_PER_WRITER)]
        self._began_ms = 0
        self._now_ms = 0  # What the server's clock showed last.
        self._stream = ""
        self.trimmed = 0  # Versions whose records are gone.
        self.restores = 0
        self.new_keys = 0

    @property
    def written(self):
        return sum(series.last for series in self._series)

    def prepare(self):
        """With the real server, whose clock is the system's."""
        self._began_ms = system_ms()
        server = tintype_server.Server(data_dir=self._data_dir)
        connection = Connection(server.address, SIGNER)
        for table in TABLES:
            created = connection.call("CreateTable", definition(table))["TableDescription"]
            self._stream = self._stream or created["LatestStreamArn"]
        for table, days in RECOVERY_DAYS.items():
            fill(connection, table, FILLERS)
            connection.call("UpdateContinuousBackups", {"TableName": table, "PointInTimeRecoverySpecification": {
                "PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": days}})
        connection.close()
        server.kill()
        self._now_ms = system_ms()

    def run_round(self, number):
        """Returns the problems."""
        keys_wanted = None
        if number % 3 == 2:
            keys_wanted = self._age_data_keys()
        going, problems = self._live_fast(number)
        if keys_wanted and read_keyring(self._data_dir)[1] != keys_wanted:
            problems.append(f"{read_keyring(self._data_dir)[1]} data keys, {keys_wanted} expected")
        if self._random.random() < 0.5:
            problems += self._check_log()
            return problems + self._check_present(number, going)
        if self._random.random() < 0.7:
            # It stays down for longer than any records are kept; a restore still needs some.
            self._now_ms += 3 * DAY_MS
        for _ in range(self._random.randrange(1, 4)):  # What is due is trimmed at the start: die in it.
            server, _ = self._start(TurnedClock(self._now_ms))
            time.sleep(self._random.uniform(0, 0.03))
            server.kill()
        problems += self._check_log()
        return problems + self._check_present(number, going)

    def check_with_real_server(self):
        """Its clock is far behind, as if somebody had set it back."""
        server = tintype_server.Server(data_dir=self._data_dir)
        connection = Connection(server.address, SIGNER)
        problems = self._check_tables(connection)
        server.stop()
        return problems

    def _start(self, clock, arguments=()):
        server = tintype_server.Server(data_dir=self._data_dir, arguments=[*clock.flags, *arguments],
                                       binary=os.environ["TINTYPE_FAULT_SERVER"])
        return server, Connection(server.address, SIGNER)

    def _age_data_keys(self):
        """Lets so much time pass that the next start adds a data key, and kills some starts in it. Returns how many
        there must be after a start that was not killed."""
        _, count = read_keyring(self._data_dir)
        self._now_ms += (DATA_KEY_DAYS + 1) * DAY_MS
        for attempt in range(self._random.randrange(1, 4)):
            clock, fault, moment = TurnedClock(self._now_ms), [], lambda: False
            if attempt == 0 or self._random.random() < 0.3:
                # The keyring is what a start writes first: create, append, sync, rename, sync of the directory.
                fault = ["--seed", str(self._random.randrange(2**32)), "--cut-at", str(self._random.randrange(1, 7))]
            else:
                moment = self._while_keyring_is_written()
            command = tintype_server.command(self._data_dir, arguments=[*clock.flags, *fault],
                                             binary=os.environ["TINTYPE_FAULT_SERVER"])
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            limit = time.monotonic() + 1  # A key that is there already is not added again.
            kill_when(process, lambda moment=moment, limit=limit: moment() or time.monotonic() >= limit)
        self.new_keys += 1
        return count + 1

    def _while_keyring_is_written(self):
        """When to kill a start: right after a step that can be seen from outside, or any time."""
        keyring = Path(self._data_dir) / "tables" / "KEYS"
        before = keyring.stat()
        until = time.monotonic() + self._random.uniform(0, 0.05)
        return self._random.choice([
            keyring.with_suffix(".tmp").exists,
            lambda: (keyring.stat().st_ino, keyring.stat().st_mtime_ns) != (before.st_ino, before.st_mtime_ns),
            lambda: time.monotonic() >= until])

    def _live_fast(self, number):
        """A life of the server in which days pass, and its end. Returns the restore that was under way, if any, as its
        table and its time, and the problems."""
        clock = TurnedClock(self._now_ms, pace=self._random.randrange(30_000, 120_000))
        cut = self._random.random() < 0.5
        server, connection = self._start(clock, ["--seed", str(self._random.randrange(2**32))] if cut else [])
        writers = [Writer(server.address, SIGNER, self._series[n::WRITERS], clock, f"{self._seed}/{number}/{n}")
                   for n in range(WRITERS)]
        for writer in writers:
            writer.start()
        until_ms, enough = clock.now_ms() + self._random.randrange(30, 80) * HOUR_MS, self.written + 200
        wait_until(lambda: clock.now_ms() >= until_ms and self.written >= enough, "days with enough writes have passed")
        going = self._begin_restore(connection, number, clock)
        time.sleep(self._random.uniform(0, 0.03))
        if cut:
            server.process.terminate()
            code = server.process.wait(timeout=30)
        else:
            server.kill()
        self._now_ms = clock.now_ms()
        connection.close()
        for writer in writers:
            writer.join()
        # A write that the cut interrupts may still be answered, with an error: its outcome is unknown. A server that
        # fails before that ends with another code.
        problems = [f"a writer: {writer.failure!r}" for writer in writers
                    if writer.failure and not (cut and getattr(writer.failure, "status", 0) >= 500)]
        if cut and code != POWER_CUT:
            problems.append(f"ended with code {code}:\n{server.log}")
        return going, problems

    def _begin_restore(self, connection, number, clock):
        moment = clock.now_ms() // 1000 - self._random.randrange(3600, 40 * 3600)
        table = f"Going-{number}"
        try:
            connection.call("RestoreTableToPointInTime", {
                "SourceTableName": "KeptTwoDays", "TargetTableName": table, "RestoreDateTime": moment})
        except DynamoError as error:
            # While the request was on its way, a day may have passed.
            if error.name != "InvalidRestoreTimeException":
                raise
            return None
        return table, moment

    def _check_log(self):
        """Reads the stream with a clock that is set back to its beginning: then every record that is on disk is shown,
        and none is trimmed."""
        server, connection = self._start(TurnedClock(self._began_ms))
        problems = self._check_tables(connection)
        versions = self._read_stream(connection)
        for series in self._series:
            problems += series.check_records(versions[series.name], all_since_ms=self._now_ms - STREAM_MS - ITERATOR_MS)
        self.trimmed = sum(series.last - len(versions[series.name]) for series in self._series)
        connection.close()
        server.kill()
        return problems

    def _check_present(self, number, going):
        """What clients can see at the moment after the kill."""
        clock = TurnedClock(self._now_ms)
        server, connection = self._start(clock)
        problems = self._check_tables(connection)
        before_ms = clock.now_ms()
        versions = self._read_stream(connection)
        for series in self._series:
            problems += series.check_records(versions[series.name], all_since_ms=clock.now_ms() - STREAM_MS,
                                             none_before_ms=before_ms - STREAM_MS)
        restored = [going] if going else []
        window = connection.call("DescribeContinuousBackups", {"TableName": "KeptADay"})[
            "ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        earliest, latest = int(window["EarliestRestorableDateTime"]) + 60, int(window["LatestRestorableDateTime"])
        moment = self._random.randrange(earliest, latest) if earliest < latest else latest
        for table in RECOVERY_DAYS:
            target = f"{table}-{number}"
            connection.call("RestoreTableToPointInTime", {
                "SourceTableName": table, "TargetTableName": target, "RestoreDateTime": moment})
            restored.append((target, moment))
        rows = {}
        for table, at in restored:
            wait_until(lambda table=table: connection.call("DescribeTable", {"TableName": table})[
                "Table"]["TableStatus"] == "ACTIVE", f"{table} is restored")
            rows[table], found = self._check_rows(connection, table, at * 1000)
            problems += found
            connection.call("DeleteTable", {"TableName": table})
        self.restores += len(restored)
        if rows[f"KeptADay-{number}"] != rows[f"KeptTwoDays-{number}"]:
            problems.append(f"at {moment} a transaction over both tables had happened in one of them")
        connection.close()
        server.kill()
        self._now_ms = clock.now_ms()
        return problems

    def _check_tables(self, connection):
        """The tables as they are now. Returns the problems."""
        problems = []
        for table in TABLES:
            rows = read(connection, table)
            for series in self._series:
                problems += series.settle(rows.get(series.name), self._now_ms)
            problems += self._check_rows(connection, table, self._now_ms)[1]
        return problems

    def _check_rows(self, connection, table, time_ms):
        """Whether a table is as it was at a time. Returns its rows and the problems."""
        rows = read(connection, table)
        problems = []
        for series in self._series:
            earliest, latest = series.versions_at(time_ms)
            if rows.get(series.name) not in [series.item(version) for version in range(earliest, latest + 1)]:
                problems.append(f"{table}: {series.name} is {version_in(rows.get(series.name))}, "
                                f"not one of {earliest} to {latest}")
        if read(connection, table, INDEX) != {key: item for key, item in rows.items() if "group" in item}:
            problems.append(f"the index of {table} disagrees")
        fillers = [item for item in FILLERS if rows.get(item["pk"]["S"]) == item]
        if table != STREAMED and len(fillers) != len(FILLERS):
            problems.append(f"{table} has {len(fillers)} fillers")
        return rows, problems

    def _read_stream(self, connection):
        """The versions that the records from TRIM_HORIZON on tell of, by series."""
        versions = {series.name: [] for series in self._series}
        description = connection.call("DescribeStream", {"StreamArn": self._stream}, SERVICE)["StreamDescription"]
        for shard in description["Shards"]:
            iterator = connection.call("GetShardIterator", {
                "StreamArn": self._stream, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"},
                SERVICE)["ShardIterator"]
            while True:
                page = connection.call("GetRecords", {"ShardIterator": iterator, "Limit": 1000}, SERVICE)
                for record in page["Records"]:
                    change = record["dynamodb"]
                    version = version_in(change.get("NewImage")) or version_in(change["OldImage"]) + 1
                    versions[change["Keys"]["pk"]["S"]].append(version)
                if not page["Records"]:
                    break
                iterator = page["NextShardIterator"]
        return versions


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)

    directory = tempfile.mkdtemp(prefix="tintype-ageing-")
    # Both servers take it from here.
    key_file = os.path.join(directory, "master.key")
    with open(os.open(key_file, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        file.write(os.urandom(32))
    os.environ["TINTYPE_MASTER_KEY_FILE"] = key_file
    test = AgeingTest(options.seed, f"{directory}/data")
    test.prepare()
    for number in range(options.rounds + 1):
        started = time.monotonic()
        last = number == options.rounds
        try:
            problems = test.check_with_real_server() if last else test.run_round(number)
            if last and test.trimmed < test.written / 2:
                problems.append("hardly anything was trimmed")
        except (AssertionError, DynamoError, tintype_server.ServerFailed) as problem:
            problems = [str(problem)]
        print(f"round {number}: {test.written} versions so far, records of {test.trimmed} trimmed, {len(problems)} problems, "
              f"{time.monotonic() - started:.1f} s", flush=True)
        if problems:
            print("\n".join(problem[:2000] for problem in problems[:20]))
            print(f"failed with --seed {options.seed}; the data directory is kept in {directory}")
            return 1
    print(f"{options.rounds} kills, {test.written} versions, records of {test.trimmed} trimmed, {test.restores} tables "
          f"recovered, {test.new_keys} data keys added; nothing lost")
    shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
