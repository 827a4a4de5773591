"""Runs the crash test's workload on a disk that misbehaves, and checks with the real server what is left.

A round starts fault_server, whose power is cut before a random operation on a file, or whose n-th write or sync of some
kind of file fails. In either case what was not synced is lost at the end, in part or as a whole. Then the data
directory must open, nothing acknowledged may be missing, and no index may disagree with its table. The tables are
encrypted (M2C-11), so that a cut right after a file was created, or within the first bytes of one, is among what they
survive.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

import crash_test
import tintype_server
import verify
import workload
from signed_http import Connection, DynamoError

POWER_CUT = 88
GAVE_UP = 3

# What is made to fail. The first ones are those that the server may not survive: what they lose was not yet
# acknowledged, and must not be.
FATAL = ["log:append", "log:sync"]
FAULTS = FATAL + ["log:create", "table:create", "table:append", "table:sync", "manifest:append", "manifest:sync",
                  "other:rename", "other:syncdir"]


class Writer(workload.Writer):
    """A writer that takes an internal error for what it is here: the server is about to go, the outcome is unknown."""

    def run(self):
        super().run()
        if isinstance(self.failure, DynamoError) and self.failure.status >= 500:
            self.failure = None


class FaultTest(crash_test.CrashTest):
    def run_round(self, number, fault):
        """One life of the server with `fault`, flags of fault_server. Returns as CrashTest.run_round does, and whether
        the server ended by itself."""
        arguments = ["--seed", str(self._random.randrange(2**32)), *fault]
        try:
            server = tintype_server.Server(data_dir=self._data_dir, arguments=arguments,
                                           binary=os.environ["TINTYPE_FAULT_SERVER"])
        except tintype_server.ServerFailed as failed:
            # The fault came while it opened.
            problems = [] if f"code {POWER_CUT}" in str(failed) or f"code {GAVE_UP}" in str(failed) else [str(failed)]
            return 0, problems + self._verify(self._writers(number, ("", 0), None)), True

        acknowledgements = crash_test.Acknowledgements()
        writers = self._writers(number, server.address, acknowledgements.add)
        for writer in writers:
            writer.start()
        if self._random.random() < 0.3:
            self._try_toggle_late_index(server)
        enough = self._random.randrange(500, 2000)
        deadline = time.monotonic() + 60
        while not acknowledgements.wait_for(enough, timeout=0.1) and server.process.poll() is None:
            if time.monotonic() > deadline:
                return 0, [f"the server neither acknowledged {enough} writes nor ended:\n{server.log}"], False
        ended = server.process.poll() is not None
        server.process.terminate()
        for writer in writers:
            writer.join()
        code = server.process.wait(timeout=30)
        problems = [f"writer {writer.number}: {writer.failure!r}" for writer in writers if writer.failure]
        if code not in (POWER_CUT, GAVE_UP):
            problems.append(f"ended with code {code}:\n{server.log}")
        if code == GAVE_UP and "gave up: IO error: " not in server.log:
            problems.append(f"gave up without saying why:\n{server.log}")
        return sum(writer.count for writer in writers), problems + self._verify(writers), ended or code == GAVE_UP

    def _writers(self, number, address, acknowledged):
        return [Writer(n, f"{self._seed}/{number}", address, crash_test.SIGNER, self._items[n], self._transfers[n],
                       acknowledged) for n in range(workload.WRITERS)]

    def _try_toggle_late_index(self, server):
        try:
            self._toggle_late_index(server)
        except (OSError, DynamoError):
            self._late_index = None  # Unknown; _verify finds out.

    def _verify(self, writers):
        if self._late_index is None:
            server = tintype_server.Server(data_dir=self._data_dir)
            connection = Connection(server.address, crash_test.SIGNER)
            self._late_index = verify.wait_for_late_index(connection)
            connection.close()
            server.kill()
        return super()._verify(writers)


def faults(seed, rounds):
    """For each round, what goes wrong."""
    choose = random.Random(f"faults {seed}")
    for number in range(rounds):
        if number % 2 == 0:
            # Spread over the orders of magnitude: opening is a hundred operations, a round some thousands.
            yield ["--cut-at", str(int(10 ** choose.uniform(0, 3.7)))]
        else:
            what = FAULTS[number // 2 % len(FAULTS)]
            often = what in FATAL
            yield ["--fail", f"{what}:{int(10 ** choose.uniform(0, 2.5 if often else 1.2))}"]


def check_that_loss_is_found(test, rounds):
    """Answers before the sync, as `--durability relaxed` does: a power cut must then lose what was acknowledged."""
    for number in range(rounds):
        _, problems, _ = test.run_round(number, ["--durability", "relaxed"])
        if any("is missing" in problem or "expected" in problem for problem in problems):
            print(f"round {number}: the loss was found")
            return 0
    print(f"{rounds} power cuts without a sync, and no loss was found")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--must-lose", action="store_true", help="check that the test finds a loss")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)

    directory = tempfile.mkdtemp(prefix="tintype-fault-")
    # Both servers take it from here.
    key_file = os.path.join(directory, "master.key")
    with open(os.open(key_file, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        file.write(os.urandom(32))
    os.environ["TINTYPE_MASTER_KEY_FILE"] = key_file
    test = FaultTest(options.seed, f"{directory}/data")
    test.prepare()
    if options.must_lose:
        result = check_that_loss_is_found(test, options.rounds)
        shutil.rmtree(directory)
        return result
    total = 0
    for number, fault in enumerate(faults(options.seed, options.rounds)):
        started = time.monotonic()
        count, problems, ended = test.run_round(number, fault)
        if fault[0] == "--fail" and count > 0 and not ended and any(word in fault[1] for word in FATAL) and \
                int(fault[1].rpartition(":")[2]) <= count // workload.WRITERS:
            problems.append("went on after the log could not be written")
        total += count
        print(f"round {number}: {' '.join(fault)}: {count} writes acknowledged, {'ended' if ended else 'went on'}, "
              f"{len(problems)} problems, {time.monotonic() - started:.1f} s", flush=True)
        if problems:
            print("\n".join(problem[:2000] for problem in problems[:20]))
            print(f"failed with --seed {options.seed}; the data directory is kept in {directory}")
            return 1
    print(f"{options.rounds} faults, {total} acknowledged writes, none lost")
    shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
