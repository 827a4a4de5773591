"""Kills the server with SIGKILL under load and then, again and again, the rotation of its master key, at each step of
it and at random moments, and that of its data keys. The keyring must be sealed by the old key or by the new one, that
key must be where the manual says, and with it the tables must open with nothing acknowledged missing.

`tintype keys rotate-master` is refused while a server runs (tests/cli/encryption_test.py), so the load comes before it:
what it leaves in the write-ahead log is encrypted by data keys from before the rotation, what the next server writes by
new ones.
"""

import argparse
import hashlib
import hmac
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import crash_test
import tintype_server

# Where the key is, if not in the data directory. Servers and commands that the test starts inherit it.
SETTING = "TINTYPE_MASTER_KEY_FILE"


def fingerprint(key_file):
    """As docs/formats/encryption.md says."""
    key = bytes.fromhex(key_file.read_text())
    extracted = hmac.new(bytes(32), key, hashlib.sha256).digest()
    return hmac.new(extracted, b"tintype master key fingerprint\x01", hashlib.sha256).digest()[:8].hex()


def read_keyring(data_dir):
    """The fingerprint of the key that sealed it, and how many data keys it has."""
    content = (Path(data_dir) / "tables" / "KEYS").read_bytes()
    return content[8:16].hex(), int.from_bytes(content[16:24], "big")


def kill_when(process, condition):
    """Kills a process as soon as the condition holds, unless it ends before. Returns its exit code."""
    while process.poll() is None:
        if condition():
            process.kill()
            break
    return process.wait()


class RotationTest(crash_test.CrashTest):
    def __init__(self, seed, folder):
        super().__init__(seed, f"{folder}/data")
        self._folder = Path(folder)
        self._data = self._folder / "data"
        self._key_file = None  # Where the key is; None: in the data directory.
        self._round = 0
        self._longest_s = 0
        # Killed before or after the decisive step, or not; and data keys that were added by themselves.
        self.outcomes = {"before": 0, "after": 0, "not": 0, "data keys": 0}

    def prepare(self):
        super().prepare()
        began = time.monotonic()
        problems = self._rotate(killed=False)
        assert not problems, problems
        self._longest_s = time.monotonic() - began

    def run_round(self, number):
        self._round = number
        return super().run_round(number)

    def _verify(self, writers):
        """Called when the server has been killed."""
        problems = []
        for _ in range(self._random.randrange(1, 5)):
            problems += self._rotate()
            if self._random.random() < 0.5:
                problems += self._add_data_key()
        if self._random.random() < 0.5:
            self._die_while_starting()
        problems += super()._verify(writers)
        if self._key_file is None:
            # Whatever was begun is finished by the start.
            sealed_by, _ = read_keyring(self._data)
            if fingerprint(self._data / "master.key") != sealed_by:
                problems.append("master.key is not the one that the server opened the tables with")
        elif self._round % 3 == 2:
            # The operator moves it back, so that every kind of rotation gets its turn.
            self._key_file.rename(self._data / "master.key")
            self._use(None)
        return problems

    def _use(self, key_file):
        """Where servers take the key from."""
        self._key_file = key_file
        os.environ.pop(SETTING, None)
        if key_file:
            os.environ[SETTING] = str(key_file)

    def _rotate(self, killed=True):
        """One rotation, which is killed unless it is quicker. Returns the problems."""
        to_file = self._round % 3 > 0
        old, old_count = read_keyring(self._data)
        new_place = self._folder / f"after-{old}.key" if to_file else self._data / "master.key.new"
        command = [os.environ["TINTYPE_BIN"], "keys", "rotate-master", "--data-dir", str(self._data)]
        if to_file:
            command += ["--new-master-key-file", str(new_place)]
        moment = self._moment(new_place, old) if killed else lambda: False
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        code = kill_when(process, moment)
        said, _ = process.communicate()
        if code > 0:
            return [f"rotate-master ended with code {code}: {said}"]

        sealed_by, count = read_keyring(self._data)
        decided = sealed_by != old
        self.outcomes["not" if code == 0 else "after" if decided else "before"] += 1
        problems = []
        if count != old_count + decided:
            problems.append(f"{count} data keys after {old_count}")
        if code == 0 and not (decided and f"master key {old} replaced by {sealed_by}\n" in said):
            problems.append(f"done without doing it: {said}")
        before = self._key_file
        if decided:
            self._use(new_place if to_file else None)
        problems += self._check_places(sealed_by)
        if decided and before is None:
            problems += self._check_own_key(old, sealed_by, ended=code == 0)
        if to_file:
            kept = before or self._data / f"master.key.{old}"
            problems += self._check_refusal(kept if decided else new_place, sealed_by)
        return problems

    def _add_data_key(self):
        """`tintype rotate data-keys`, killed at any moment: one key more, or none. Returns the problems."""
        sealed_by, count = read_keyring(self._data)
        process = subprocess.Popen([os.environ["TINTYPE_BIN"], "rotate", "data-keys", "--data-dir", str(self._data)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        until = time.monotonic() + self._random.uniform(0, 2 * self._longest_s)
        code = kill_when(process, lambda: time.monotonic() >= until)
        said, _ = process.communicate()
        if code > 0:
            return [f"rotate data-keys ended with code {code}: {said}"]
        sealed_by_now, more = read_keyring(self._data)
        if sealed_by_now != sealed_by or not count + (code == 0) <= more <= count + 1:
            return [f"{more} data keys after {count}, sealed by {sealed_by_now} after {sealed_by}; code {code}"]
        self.outcomes["data keys"] += more - count
        return []

    def _moment(self, new_place, old):
        """When to kill a rotation: right after a step that can be seen from outside, or any time."""
        keyring = self._data / "tables" / "KEYS"
        steps = [new_place.exists, (self._data / f"master.key.{old}").exists, keyring.with_suffix(".tmp").exists,
                 lambda inode=keyring.stat().st_ino: keyring.stat().st_ino != inode]
        steps = [step for step in steps if not step()]  # Without what an earlier one left.
        step = self._random.choice([*steps, None, None])
        until = time.monotonic() + self._random.uniform(0, self._longest_s)
        return step or (lambda: time.monotonic() >= until)

    def _check_places(self, sealed_by):
        """Whether the key that the tables need is where a server will look for it. Returns the problems."""
        places = [self._key_file] if self._key_file else [self._data / "master.key", self._data / "master.key.new"]
        if sealed_by in [fingerprint(place) for place in places if place.exists()]:
            return []
        return [f"the key {sealed_by} is not in {places}"]

    def _check_own_key(self, old, sealed_by, ended):
        """What a rotation of the data directory's own key must leave once the keyring is sealed by another."""
        problems = []
        kept, own = self._data / f"master.key.{old}", self._data / "master.key"
        if not kept.exists() or fingerprint(kept) != old:
            problems.append(f"the old key {old} was not kept for the backups of its time")
        if ended and self._key_file and own.exists():
            problems.append("master.key is still in the data directory")
        if ended and not self._key_file and fingerprint(own) != sealed_by:
            problems.append("master.key was not replaced")
        return problems

    def _check_refusal(self, wrong, sealed_by):
        """A server with the other key of a rotation must say which one it wants. Returns the problems."""
        if not wrong.exists() or fingerprint(wrong) == sealed_by:
            return []
        try:
            tintype_server.Server(data_dir=str(self._data), overrides={SETTING: str(wrong)}).kill()
        except tintype_server.ServerFailed as failed:
            wanted = f"encrypted under the key {sealed_by}.* but the one given is {fingerprint(wrong)}"
            return [] if re.search(wanted, str(failed)) else [f"refused with other words: {failed}"]
        return [f"opened with {wrong}, which is not the key"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)

    os.environ.pop(SETTING, None)
    directory = tempfile.mkdtemp(prefix="tintype-rotation-")
    test = RotationTest(options.seed, directory)
    test.prepare()
    total = 0
    for number in range(options.rounds):
        started = time.monotonic()
        try:
            count, problems = test.run_round(number)
        except tintype_server.ServerFailed as failed:
            count, problems = 0, [str(failed)]
        total += count
        print(f"round {number}: {count} writes acknowledged, {len(problems)} problems, "
              f"{time.monotonic() - started:.1f} s", flush=True)
        if problems:
            print("\n".join(problem[:1000] for problem in problems[:20]))
            print(f"failed with --seed {options.seed}; the data directory is kept in {directory}")
            return 1
    outcomes = test.outcomes
    print(f"{total} acknowledged writes, none lost; of the rotations {outcomes['before']} were killed before the keyring was "
          f"sealed by the new key, {outcomes['after']} after, {outcomes['not']} were not; {outcomes['data keys']} data keys were added")
    shutil.rmtree(directory)
    if outcomes["before"] + outcomes["after"] == 0:
        print("no rotation was killed")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
