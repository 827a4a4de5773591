"""Kills `tintype encrypt` with SIGKILL at random moments, the command by itself or the server that does it, and looks
at every file after each kill: each blob is there as a whole, in plain or encrypted, and holds what it held. While a
server is at it, it shows photos, and what is deleted meanwhile does not come back. The same command then does the rest.
"""

import argparse
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
import sealing  # noqa: E402
from gallery import Gallery, wait_until  # noqa: E402

PHOTOS = 12
LARGE_BYTES = 6 << 20
OFF, ON = ("--workers", "1", "--ballast-mb", "0", "--blob-encryption", "off"), ("--workers", "1", "--ballast-mb", "0")


def digest(data):
    return hashlib.sha256(data).hexdigest()


class EncryptTest:
    def __init__(self, seed, folder):
        self._random = random.Random(seed)
        self._folder = Path(folder)
        self._before = self._folder / "before"  # The gallery in plain, to begin again from.
        self._data = self._folder / "data"
        self._images = []
        self._expected = {}  # Digests of all blobs, by key.
        self._longest_s = 1.0
        self.kills = self.ends = self.shown = self.deleted = 0
        self.rotations = {False: 0, True: 0}  # Killed, and not.

    def prepare(self):
        gallery = Gallery(OFF, data_dir=str(self._before))
        try:
            ada = gallery.sign_up("ada")
            for number in range(PHOTOS):
                data = photos.png(f"photo {number}", 300 + number, 200)
                if number == 0:
                    data += bytes(LARGE_BYTES)  # Decoders take no offence at what comes behind a picture.
                self._images.append(ada.upload(data, f"{number}.png"))
            for image in self._images:
                gallery.wait_developed(ada, image)
            # Its key has an address, so that it gets another name as well.
            answer = ada.send("PUT", "/me/picture", photos.jpeg("portrait", 200, 200), {"Content-Type": "application/octet-stream"})
            assert answer.status == 200, answer.body
        finally:
            gallery.stop()
        self._expected = {key: digest(data) for key, data in self._stored(self._before)}
        assert len(self._expected) >= 6 * PHOTOS, self._expected.keys()
        self._begin_again()
        began = time.monotonic()
        assert self._command().wait(timeout=60) == 0
        self._longest_s = time.monotonic() - began
        problems = self._check(ended=True)
        assert not problems, problems
        self._begin_again()

    def run_round(self, with_server):
        problems = self._kill_rotation() if self._random.random() < 0.5 else []
        problems += self._kill_server() if with_server else self._kill_command()
        # Whatever the kill left, the next one opens it and goes on.
        if self._random.random() < 0.3 and not problems:
            code = self._command().wait(timeout=60)
            problems += [] if code == 0 else [f"the command after the kill ended with {code}"]
            problems += self._check(ended=True)
        if problems or not self._plain_left():
            self._begin_again()
        return problems

    def _command(self):
        return subprocess.Popen([os.environ["TINTYPE_BIN"], "encrypt", "--data-dir", str(self._data)], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _kill_command(self):
        process = self._command()
        try:
            process.wait(timeout=self._random.uniform(0, self._longest_s))
        except subprocess.TimeoutExpired:
            process.kill()
        code = process.wait()
        self.kills += code < 0
        self.ends += code == 0
        problems = [] if code <= 0 else [f"the command ended with {code}"]
        return problems + self._check(ended=code == 0)

    def _kill_rotation(self):
        """`tintype rotate`, without a server: whatever the kill left, the next server signs, and knows its root key."""
        process = subprocess.Popen([os.environ["TINTYPE_BIN"], "rotate", self._random.choice(["links", "signing", "root"]),
                                    "--data-dir", str(self._data)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=self._random.uniform(0, 0.5))
        except subprocess.TimeoutExpired:
            process.kill()
        code = process.wait()
        self.rotations[code == 0] += 1
        # The root key was made by the first server.
        roots = (self._data / "credentials").read_text().count("[default]")
        return [f"rotate ended with code {code}"] * (code > 0) + [f"{roots} root keys"] * (roots != 1)

    def _kill_server(self):
        gallery = Gallery(ON, data_dir=str(self._data))
        problems = []
        try:
            ada = rest.Account(lambda: gallery.address, "ada")
            ada.log_in()
            process = self._command()
            until = time.monotonic() + self._random.uniform(0, self._longest_s)
            if len(self._images) > PHOTOS // 2 and self._random.random() < 0.5:
                self._delete(gallery, ada, self._random.choice(self._images[1:]))
            while time.monotonic() < until and process.poll() is None:
                problems += self._show(gallery, ada, self._random.choice(self._images))
            process.poll()  # Whether it ended before the server did.
            self.kills += 1
        finally:
            gallery.server.kill()
        process.wait(timeout=30)
        self.ends += process.returncode == 0
        return problems + self._check(ended=process.returncode == 0)

    def _show(self, gallery, ada, image):
        """Each size of a photo, as it was before anything was encrypted."""
        problems = []
        for size, url in ada.image(image)["sizes"].items():
            answer = gallery.follow(url)
            self.shown += 1
            if answer.status != 200 or digest(answer.body) != self._expected.get(f"images/images/{image}/{size}",
                                                                                self._expected[f"images/images/{image}/ORIGINAL"]):
                problems.append(f"{size} of {image} is not what it was: {answer.status}, {len(answer.body)} bytes")
        return problems

    def _delete(self, gallery, ada, image):
        """For good, and waits until its files are gone: from then on they must not come back."""
        ada.call("DELETE", f"/images/{image}?permanent=true")
        self._images.remove(image)
        self._expected = {key: value for key, value in self._expected.items() if image not in key}
        wait_until(lambda: not [key for key, _ in self._stored(self._data) if image in key], "its files are gone")
        self.deleted += 1

    def _stored(self, data_dir, opened=False):
        """The keys of all blobs with what is on the disk, or with what they hold."""
        root = data_dir / "blobs"
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.relative_to(root).parts[0] != ".tmp":
                try:
                    stored = path.read_bytes()
                except FileNotFoundError:  # It has just been deleted.
                    continue
                is_sealed = opened and stored.startswith(sealing.MAGIC)
                key = sealing.shown(data_dir, str(path.relative_to(root)))
                yield key, sealing.unseal(data_dir, stored) if is_sealed else stored

    def _plain_left(self):
        return [key for key, stored in self._stored(self._data) if not stored.startswith(sealing.MAGIC)]

    def _check(self, ended):
        found = {key: digest(data) for key, data in self._stored(self._data, opened=True)}
        problems = [f"{key} is missing" for key in self._expected.keys() - found.keys()]
        problems += [f"{key} has come back, or from nowhere" for key in found.keys() - self._expected.keys()]
        problems += [f"{key} holds something else" for key in self._expected.keys() & found.keys() if found[key] != self._expected[key]]
        if ended and self._plain_left():
            problems.append(f"all are said to be encrypted, but not {self._plain_left()[:5]}")
        return problems

    def _begin_again(self):
        """With all that is not deleted in plain; the tables stay, which know of deletions."""
        if not self._data.exists():
            shutil.copytree(self._before, self._data)
            return
        for key in self._expected:
            (self._data / "blobs" / key).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self._before / "blobs" / key, self._data / "blobs" / key)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        test = EncryptTest(options.seed, folder)
        test.prepare()
        for number in range(options.rounds):
            problems = test.run_round(with_server=number % 3 == 2)
            if problems:
                print(f"round {number}, --seed {options.seed}:\n" + "\n".join(problems[:20]))
                return 1
    print(f"{options.rounds} rounds, {test.kills} kills, {test.ends} times to the end, {test.shown} files shown, {test.deleted} photos deleted; "
          f"{test.rotations[False]} rotations killed, {test.rotations[True]} not")
    # A test that kills nobody, or whose commands never come to their end, shows nothing.
    if test.kills < options.rounds // 3 or (options.rounds >= 20 and (test.ends == 0 or test.deleted == 0)):
        print("too few kills or ends to mean anything")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
