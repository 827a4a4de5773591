"""Kills the server with SIGKILL at random moments under load, and checks after every restart that nothing acknowledged
is missing, that nothing happened in part, that no index disagrees with its table and that the table's stream tells of
exactly what happened.

A killed process leaves its writes in the system's cache, so this does not prove that they were synced; the fault tests
do. Everything random follows from the seed, but for how the threads interleave.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e" / "support"))
import tintype_server  # noqa: E402
import verify  # noqa: E402
import workload  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402
from stream_mirror import StreamMirror  # noqa: E402

SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)


class Acknowledgements:
    """Lets the round wait for a number of acknowledged writes, so that its length follows the server's speed."""

    def __init__(self):
        self._changed = threading.Condition()
        self._count = 0

    def add(self):
        with self._changed:
            self._count += 1
            self._changed.notify()

    def wait_for(self, target, timeout=30):
        with self._changed:
            return self._changed.wait_for(lambda: self._count >= target, timeout)


class CrashTest:
    def __init__(self, seed, data_dir):
        self._seed = seed
        self._random = random.Random(seed)
        self._data_dir = data_dir
        # What the writers know goes from round to round.
        self._items = [{} for _ in range(workload.WRITERS)]
        self._transfers = [[] for _ in range(workload.WRITERS)]
        self._late_index = False
        self._mirror = None

    def prepare(self):
        """Creates the table and opens the accounts, acknowledged before the first crash."""
        server = tintype_server.Server(data_dir=self._data_dir)
        connection = Connection(server.address, SIGNER)
        table = connection.call("CreateTable", workload.TABLE)["TableDescription"]
        self._mirror = StreamMirror(table["LatestStreamArn"])
        puts = [{"PutRequest": {"Item": item}} for item in workload.opening_accounts()]
        connection.call("BatchWriteItem", {"RequestItems": {workload.TABLE_NAME: puts}})
        connection.close()
        server.kill()

    @property
    def records(self):
        return self._mirror.records

    def run_round(self, number):
        """One life of the server. Returns how many writes it acknowledged, and the problems found after its death."""
        if self._random.random() < 0.2:
            self._die_while_starting()
        server = tintype_server.Server(data_dir=self._data_dir)
        acknowledgements = Acknowledgements()
        writers = [workload.Writer(n, f"{self._seed}/{number}", server.address, SIGNER, self._items[n], self._transfers[n],
                                   acknowledgements.add) for n in range(workload.WRITERS)]
        for writer in writers:
            writer.start()
        if self._random.random() < 0.3:
            self._toggle_late_index(server)
        enough = acknowledgements.wait_for(self._random.randrange(1, 3000))
        # An acknowledgement has just gone out; a moment that has nothing to do with it is wanted.
        time.sleep(self._random.uniform(0, 0.01))
        server.kill()
        for writer in writers:
            writer.join()
        failures = [f"writer {writer.number}: {writer.failure!r}" for writer in writers if writer.failure]
        if not enough:
            failures.append("the server did not acknowledge writes in time")
        return sum(writer.count for writer in writers), failures + self._verify(writers)

    def _verify(self, writers):
        server = tintype_server.Server(data_dir=self._data_dir)
        connection = Connection(server.address, SIGNER)
        rows, problems = verify.check_table(connection, writers)
        problems += verify.check_indexes(connection, rows, self._late_index)
        problems += self._mirror.follow(connection)
        problems += self._mirror.check(rows)
        connection.close()
        # Half of the lives end cleanly, since that leaves other files behind.
        if self._random.random() < 0.5:
            server.stop()
        else:
            server.kill()
        return problems

    def _toggle_late_index(self, server):
        """Adds the index that comes and goes, or removes it. The crash may come while it is being filled."""
        connection = Connection(server.address, SIGNER)
        request = {"TableName": workload.TABLE_NAME}
        if self._late_index:
            request["GlobalSecondaryIndexUpdates"] = [{"Delete": {"IndexName": workload.LATE_INDEX["IndexName"]}}]
        else:
            request["GlobalSecondaryIndexUpdates"] = [{"Create": workload.LATE_INDEX}]
            request["AttributeDefinitions"] = workload.LATE_INDEX_ATTRIBUTES
        connection.call("UpdateTable", request)
        connection.close()
        self._late_index = not self._late_index

    def _die_while_starting(self):
        """Starts a server and kills it before or while it recovers."""
        process = subprocess.Popen(tintype_server.command(self._data_dir), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=tintype_server.environment())
        time.sleep(self._random.uniform(0, 0.1))
        process.kill()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)

    directory = tempfile.mkdtemp(prefix="tintype-crash-")
    test = CrashTest(options.seed, f"{directory}/data")
    test.prepare()
    total = 0
    for number in range(options.rounds):
        started = time.monotonic()
        count, problems = test.run_round(number)
        total += count
        print(f"round {number}: {count} writes acknowledged, {len(problems)} problems, "
              f"{time.monotonic() - started:.1f} s", flush=True)
        if problems:
            print("\n".join(problem[:1000] for problem in problems[:20]))
            print(f"failed with --seed {options.seed}; the data directory is kept in {directory}")
            return 1
    print(f"{options.rounds} crashes, {total} acknowledged writes, none lost; {test.records} stream records, each once")
    shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
