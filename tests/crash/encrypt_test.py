"""Kills `tintype encrypt` with SIGKILL at random moments, the command by itself or the server that does it, and looks
at every file after each kill: each blob is there as a whole, in plain or encrypted, and holds what it held. While a
server is at it, it shows photos, and what is deleted meanwhile does not come back. The same command then does the rest.

In between it kills each rotation of keys in the same way, by itself and with the server that does it: the next server
takes the root key from its file, and what was given out before is still good.
"""

import argparse
import configparser
import hashlib
import json
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
from signed_http import Connection, DynamoError, Signer  # noqa: E402

PHOTOS = 12
LARGE_BYTES = 6 << 20
# Tokens say who made them, and each start listens elsewhere.
ON = ("--workers", "1", "--ballast-mb", "0", "--public-url", "http://gallery.example")
OFF = (*ON, "--blob-encryption", "off")
PASSWORD = "correct horse battery"
# Each rotation, and those that a running server does.
ROTATIONS = {"links": ("rotate", "links"), "signing": ("rotate", "signing"), "root": ("rotate", "root"),
             "data-keys": ("rotate", "data-keys"), "master": ("keys", "rotate-master")}
OF_SERVERS = ("links", "signing", "root")
# At most 50 keys for links may be good at a time, and each is for a day.
ROUNDS_MAX = 200


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
        self._rotation_s = {}  # How long each takes, by its kind and by whether a server does it.
        self._given = None  # Out by the last server.
        # How often each was killed in the middle: the command, and the server that did it; and how often none was.
        self.killed_rotations = dict.fromkeys(ROTATIONS, 0)
        self.killed_rotating = dict.fromkeys(OF_SERVERS, 0)
        self.whole_rotations = 0

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
        self._prepare_rotations()

    def _prepare_rotations(self):
        """Measures each, so that most of the kills come before its end, and some at each moment before that."""
        for kind in ROTATIONS:
            self._rotation_s[kind, False] = min(self._time_rotation(kind) for _ in range(2))
        gallery = Gallery(ON, data_dir=str(self._data))
        try:
            for kind in OF_SERVERS:
                self._rotation_s[kind, True] = min(self._time_rotation(kind) for _ in range(2))
            session = self._post(gallery, "login", {"username": "ada", "password": PASSWORD, "session": "token"})
            assert session.status == 200, session.body
            self._give_out(gallery, session.json)
        finally:
            gallery.server.kill()

    def _time_rotation(self, kind):
        began = time.monotonic()
        assert self._rotation(kind).wait(timeout=60) == 0, kind
        return time.monotonic() - began

    def run_round(self, number):
        problems = self._kill_rotation(list(ROTATIONS)[number % len(ROTATIONS)], with_server=number // len(ROTATIONS) % 3 == 1)
        if problems:
            return problems
        problems = self._kill_server() if number % 3 == 2 else self._kill_command()
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

    def _kill_rotation(self, kind, with_server):
        """A rotation, or the server that does it, is killed: the next server takes up whatever that left."""
        if with_server and kind in OF_SERVERS:
            problems = self._kill_rotating_server(kind)
        else:
            process = self._rotation(kind)
            if self._is_still_at_it(process, kind, by_server=False):
                process.kill()
            code = process.wait()
            self.killed_rotations[kind] += code < 0
            self.whole_rotations += code == 0
            problems = [f"the rotation ended with code {code}"] if code > 0 else []
        problems += self._check_given()
        return [f"{kind}: {problem}" for problem in problems + self._check(ended=False)]

    def _kill_rotating_server(self, kind):
        gallery = Gallery(ON, data_dir=str(self._data))
        try:
            process = self._rotation(kind)
            is_at_it = self._is_still_at_it(process, kind, by_server=True)
            self.killed_rotating[kind] += is_at_it
            self.whole_rotations += not is_at_it
        finally:
            gallery.server.kill()
        # The command says that nobody answered, or has come so late that it did it by itself.
        code = process.wait(timeout=60)
        return [] if code in (0, 1) else [f"the command ended with code {code}"]

    def _is_still_at_it(self, process, kind, by_server):
        """Waits for a random part of the time that the rotation takes. Whether it goes on after that."""
        began = time.monotonic()
        try:
            process.wait(timeout=self._random.uniform(0, 1.1 * self._rotation_s[kind, by_server]))
        except subprocess.TimeoutExpired:
            return True
        # The machine was busier when it was measured.
        self._rotation_s[kind, by_server] = min(self._rotation_s[kind, by_server], time.monotonic() - began)
        return False

    def _rotation(self, kind):
        return subprocess.Popen([os.environ["TINTYPE_BIN"], *ROTATIONS[kind], "--data-dir", str(self._data)],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _give_out(self, gallery, session):
        """Keeps what people have of this server: a link, tokens and the root key, for after the next rotation."""
        image = self._images[0]  # Which is never deleted.
        answer = rest.request(gallery.address, "GET", f"/api/v1/images/{image}", headers=self._bearer(session))
        assert answer.status == 200, answer.body
        self._given = {"link": answer.json["sizes"]["SMALL"], "session": session, "root": self._root_key()}

    def _check_given(self):
        """Whether the next server takes all of that, and the root key that its file has now. Returns the problems."""
        given, problems = self._given, []
        gallery = Gallery(ON, data_dir=str(self._data))
        try:
            for key, which in ((self._root_key(), "that the file has"), (given["root"], "from before")):
                connection = Connection(gallery.server.address, Signer(*key))
                try:
                    connection.call("ListTables", {})
                except DynamoError as error:
                    problems.append(f"the root key {which} is refused: {error}")
                finally:
                    connection.close()
            shown = gallery.follow(given["link"])
            if not self._is_as_it_was(self._images[0], "SMALL", shown):
                problems.append(f"the link from before does not show its photo: {shown.status}, {len(shown.body)} bytes")
            status = rest.request(gallery.address, "GET", "/api/v1/me", headers=self._bearer(given["session"])).status
            if status != 200:
                problems.append(f"the access token from before is answered with {status}")
            session = self._post(gallery, "refresh", {"refreshToken": given["session"]["refreshToken"]})
            if session.status != 200:
                problems.append(f"the session from before does not go on: {session.status} {session.body[:200]!r}")
            if not problems:
                self._give_out(gallery, session.json)
        finally:
            gallery.server.kill()
        return problems

    def _root_key(self):
        """Its id and its secret. Fails when the file cannot be read, or has two of them."""
        profiles = configparser.ConfigParser(interpolation=None)
        profiles.read_string((self._data / "credentials").read_text())
        root = profiles["default"]
        return root["aws_access_key_id"], root["aws_secret_access_key"]

    @staticmethod
    def _bearer(session):
        return {"Authorization": f"Bearer {session['accessToken']}"}

    @staticmethod
    def _post(gallery, name, body):
        return rest.request(gallery.address, "POST", f"/api/v1/auth/{name}", json.dumps(body), {"Content-Type": "application/json"})

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
            if not self._is_as_it_was(image, size, answer):
                problems.append(f"{size} of {image} is not what it was: {answer.status}, {len(answer.body)} bytes")
        return problems

    def _is_as_it_was(self, image, size, answer):
        folder = f"images/images/{image}"
        expected = self._expected.get(f"{folder}/{size}", self._expected[f"{folder}/ORIGINAL"])
        return answer.status == 200 and digest(answer.body) == expected

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
        # Unlike rglob, it bears with folders that go meanwhile.
        found = sorted(Path(folder, name) for folder, _, names in os.walk(root) for name in names)
        for path in found:
            if path.relative_to(root).parts[0] != ".tmp":
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
    if options.rounds > ROUNDS_MAX:
        parser.error(f"at most {ROUNDS_MAX} rounds")
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        test = EncryptTest(options.seed, folder)
        test.prepare()
        for number in range(options.rounds):
            problems = test.run_round(number)
            if problems:
                print(f"round {number}, --seed {options.seed}:\n" + "\n".join(problems[:20]))
                return 1
    killed, rotating = test.killed_rotations, test.killed_rotating
    rotations = sum(killed.values()) + sum(rotating.values())
    print(f"{options.rounds} rounds, {test.kills} kills, {test.ends} times to the end, {test.shown} files shown, {test.deleted} photos deleted; "
          f"rotations killed: {killed}, servers killed while they rotated: {rotating}, {test.whole_rotations} rotations were quicker")
    # A test that kills nobody, or whose commands never come to their end, shows nothing.
    if test.kills < options.rounds // 3 or (options.rounds >= 20 and (test.ends == 0 or test.deleted == 0)):
        print("too few kills or ends to mean anything")
        return 1
    # Of 150 rounds: 100 in all, of the 20 or 30 of each kind 6, and of the 10 that a server does 2.
    few = [kind for kind, count in killed.items() if count < options.rounds // 25]
    few += [f"{kind} by a server" for kind, count in rotating.items() if count < options.rounds // 75]
    if rotations < (options.rounds * 2 // 3 if options.rounds >= 50 else options.rounds // 3) or few:
        print(f"too few rotations were killed in the middle: {rotations}, and least of {few}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
