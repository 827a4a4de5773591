"""Kills the server and its image helpers with SIGKILL at random moments while people upload, edit and delete photos,
and checks in the end that everything acknowledged is whole and everything else is gone: each photo has every rendition
once, each deletion left nothing in any table or blob, the limits add up, and nothing is without its other half.

What a request that got no answer did is not known; whichever it was, it must have been done whole. Everything random
follows from the seed, but for how threads and the server interleave.
"""

import argparse
import http.client
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photo_crash_verify  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import Gallery  # noqa: E402

PEOPLE = 3
LARGE_BYTES, LARGE_EVERY = 18 << 20, 6  # More than the 16 MiB of a part on S3, so that it goes there in several.
EDITS = ({"op": "rotate", "degrees": 90}, {"op": "black_and_white"}, {"op": "auto_levels"},
         {"op": "crop", "left": 3, "top": 5, "width": 60, "height": 50})


class Pace:
    """How many operations were done, which the killer waits for, and how many are still allowed."""

    def __init__(self, total):
        self._changed = threading.Condition()
        self._left = total
        self.done = 0
        self.stopped = False

    def take(self):
        with self._changed:
            if self._left == 0 or self.stopped:
                return False
            self._left -= 1
            return True

    def add(self):
        with self._changed:
            self.done += 1
            self._changed.notify_all()

    def wait_for(self, count, seconds=60):
        with self._changed:
            return self._changed.wait_for(lambda: self.done >= count or self.stopped, seconds)

    def stop(self):
        with self._changed:
            self.stopped = True
            self._changed.notify_all()


class Person:
    """Uploads, edits, reverts and deletes photos of its own in a thread, and remembers what it was told."""

    def __init__(self, gallery, account, seed, pace):
        self.thread = threading.Thread(target=self._run, daemon=True)
        self._gallery = gallery
        self._random = random.Random(f"{seed}/{account.username}")
        self._pace = pace
        self._uploads = 0
        self.large = 0  # Photos that storage takes in parts.
        self.in_parts = 0  # Images that came by tus.
        self.left = 0  # Uploads by tus that were given up.
        self.account = account
        self.kept = {}  # Acknowledged uploads: id to the bytes.
        self.deleted = set()  # Acknowledged deletions.
        self.unsure = set()  # Deletions that got no answer.
        self.jobs = []  # Acknowledged edits.
        self.reverts = 0  # Acknowledged reverts.
        self.failure = None

    def _run(self):
        try:
            while self._pace.take():
                self._operate()
                self._pace.add()
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure
            self._pace.stop()

    def _operate(self):
        choice = self._random.random()
        if choice < 0.55 or not self.kept:
            self._upload()
        elif choice < 0.72:
            self._edit(self._random.choice(sorted(self.kept)))
        elif choice < 0.8:
            self._revert(self._random.choice(sorted(self.kept)))
        else:
            self._delete(self._random.choice(sorted(self.kept)))

    def _upload(self):
        # Now and then what is there already: that is the same image.
        again = self._random.random() < 0.15 and bool(self.kept)
        data = self.kept[self._random.choice(sorted(self.kept))] if again else self._new_photo()
        image_id = self._upload_in_parts(data) if self._random.random() < 0.5 else self._upload_at_once(data)
        if image_id is None:
            return
        if again and self.kept.get(image_id) != data:
            raise rest.Refused(f"{image_id} was made of bytes that were there already")
        self.kept[image_id] = data

    def _new_photo(self):
        self._uploads += 1
        seed = f"{self.account.username} {self._uploads}"
        if self._uploads % LARGE_EVERY == 1:
            self.large += 1
            photo = photos.jpeg(seed, 160, 120)
            return photo + self._random.randbytes(LARGE_BYTES - len(photo))
        return self._random.choice((photos.jpeg, photos.png, photos.webp))(seed, 160, 120)

    def _upload_at_once(self, data):
        answer = self._send(lambda: self.account.post_image(data))
        # A repeated upload finds the image that the unanswered one made, if it did.
        if answer is None:
            answer = self._insist(lambda: self.account.post_image(data))
        return self._expect(answer, (200, 202)).json["id"]

    def _upload_in_parts(self, data):
        """By tus, going on where the server says that it is whenever an answer is missing. Some are left before they
        are complete. Returns the id of the image, or None."""
        # One that was begun without an answer stays, as one that was left.
        created = self._insist(lambda: self.account.tus("POST", "/uploads", Upload_Length=len(data)))
        path = self._expect(created, (201,)).headers["Location"].removeprefix("/api/v1")
        leave_at = self._random.uniform(0, 5) * len(data)
        offset = 0
        while offset < len(data):
            if offset > leave_at:
                return self._leave(path)
            part = data[offset:offset + self._random.randrange(1, len(data))]
            answer = self._send(lambda: self.account.tus("PATCH", path, part, Upload_Offset=offset))
            # 409, 423: the server has more than was acknowledged, or still waits for a client that it lost.
            while answer is None or answer.status in (409, 423):
                answer = self._send(lambda: self.account.tus("HEAD", path))
            reached = int(self._expect(answer, (200, 204)).headers["Upload-Offset"])
            if reached < offset:
                raise rest.Refused(f"{path}: {offset} bytes were acknowledged, {reached} are there")
            offset = reached
        self.in_parts += 1
        return answer.headers["X-Image-Id"]

    def _leave(self, path):
        """Gives an upload up, or forgets it."""
        if self._random.random() < 0.5:
            # 404: it was given up, and the answer got lost.
            self._expect(self._insist(lambda: self.account.tus("DELETE", path)), (204, 404))
            self.left += 1

    def _edit(self, image_id):
        self._wait_developed(image_id)
        body = {"imageId": image_id, "provider": "local", "operations": [self._random.choice(EDITS)]}
        answer = self._send(lambda: self.account.send("POST", "/jobs", body))
        # 409: it is not developed yet.
        if answer is not None and self._expect(answer, (202, 409)).status == 202:
            self.jobs.append(answer.json["jobId"])

    def _revert(self, image_id):
        """To the upload, or to the first edit if it is there by now; whatever becomes of it is looked at in the end."""
        image = self._expect(self._insist(lambda: self.account.send("GET", f"/images/{image_id}")), (200,)).json
        revision = self._random.choice((0, 1))
        answer = self._send(lambda: self.account.revert(image_id, revision, image["version"]))
        if answer is not None and self._expect(answer, (200, 404, 409, 412)).status == 200:
            self.reverts += 1

    def _wait_developed(self, image_id):
        """A moment only: what was at work when the server died waits for a minute."""
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            answer = self._send(lambda: self.account.send("GET", f"/images/{image_id}"))
            if answer is not None and self._expect(answer, (200,)).json["processingStatus"] == "completed":
                return
            time.sleep(0.02)

    def _delete(self, image_id):
        del self.kept[image_id]
        answer = self._send(lambda: self.account.delete(image_id))
        if answer is None:
            self.unsure.add(image_id)
        else:
            self._expect(answer, (202,))
            self.deleted.add(image_id)

    @staticmethod
    def _expect(answer, statuses):
        if answer.status not in statuses:
            raise rest.Refused(f"{answer.status} {answer.body[:500]!r}")
        return answer

    def _send(self, request):
        """The answer, or None when the server died before it came. What it was too busy for is asked again."""
        while True:
            try:
                answer = request()
            except (OSError, http.client.HTTPException):
                self._wait_for_server()
                return None
            if answer.status == 401:
                self.account.log_in()
            elif answer.status == 429:
                time.sleep(0.05)
            elif answer.status != 503:
                return answer

    def _insist(self, request):
        while True:
            answer = self._send(request)
            if answer is not None:
                return answer

    def _wait_for_server(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if rest.request(self._gallery.address, "GET", "/readyz").status == 200:
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.02)
        raise TimeoutError("the server does not come back")


class PhotoCrashTest:
    def __init__(self, seed, data_dir, operations):
        self._random = random.Random(seed)
        # One public address for all of its lives, since tokens and links name it.
        self.gallery = Gallery(("--public-url", "http://photos.example.com", "--workers", "2"), data_dir)
        self.started_at = time.time()  # The life of the server that runs now.
        self._pace = Pace(operations)
        self.people = [Person(self.gallery, self.gallery.sign_up(f"person{n}"), seed, self._pace) for n in range(PEOPLE)]
        self._operations = operations

    def run(self, kills):
        """Kills so many processes, at moments spread over all operations. Returns how many of each, and how many
        servers left something in the storage that had begun and not ended."""
        killed = {"server": 0, "helper": 0, "writing": 0}
        for person in self.people:
            person.thread.start()
        for number in range(kills):
            self._pace.wait_for((number + self._random.random()) * self._operations / (kills + 1))
            # The operation has just ended; a moment that has nothing to do with it is wanted.
            time.sleep(self._random.uniform(0, 0.1))
            # Helpers only once a server was killed while it wrote, which few kills may miss otherwise.
            helpers = self.gallery.helpers(templates=True)
            if killed["writing"] and self._random.random() < 0.4 and helpers:
                os.kill(self._random.choice(helpers), signal.SIGKILL)
                killed["helper"] += 1
            else:
                self._wait_for_writing()
                self.gallery.server.kill()
                killed["writing"] += bool(self.gallery.storage.unfinished(self.started_at))
                self.started_at = time.time()
                self.gallery.start()
                killed["server"] += 1
        for person in self.people:
            person.thread.join()
        return killed

    def _wait_for_writing(self):
        """For a moment in which a blob has begun and not ended, which on S3 only large ones do; but not for long."""
        deadline = time.monotonic() + 3
        while not self.gallery.storage.unfinished(self.started_at) and time.monotonic() < deadline:
            time.sleep(0.005)


def check_run(people, killed):
    """That the test did what it is for."""
    happened = {**killed, **{name: sum(getattr(person, name) for person in people) for name in ("large", "in_parts")}}
    return [f"never happened: {name}" for name in ("server", "writing", "large", "in_parts") if not happened[name]]


def check_unfinished(gallery, started_at):
    """Nothing that the living server has begun is unfinished. In files it has also removed what the dead ones left; on
    S3 the first start after a day does, as docs/operations.md says."""
    return [f"{key}: begun and not ended" for key in gallery.storage.unfinished(started_at)]


def scrub(data_dir):
    """What the program itself finds, by the server that runs."""
    result = subprocess.run([os.environ["TINTYPE_BIN"], "scrub", "--data-dir", data_dir], capture_output=True, text=True,
                            timeout=120, check=False)
    return [] if result.returncode == 0 else [f"scrub: {result.stdout}{result.stderr}"]


def test_ARC_4_SPK_7_SPK_10_whole_after_any_crash(options, directory):
    """ARC-4, SPK-7, SPK-10: what was acknowledged is whole, once; what was deleted is gone; the limits add up."""
    started = time.monotonic()
    test = PhotoCrashTest(options.seed, f"{directory}/data", options.operations)
    killed = test.run(options.kills)
    print(f"{options.operations} operations, killed {killed}, {time.monotonic() - started:.1f} s", flush=True)
    problems = [f"{person.account.username}: {person.failure!r}" for person in test.people if person.failure]
    problems += check_run(test.people, killed)
    # What was at work when the server died is taken up when its lease has ended, after a minute.
    test.gallery.wait_idle(seconds=240)
    problems += photo_crash_verify.check(test.gallery, test.people)
    problems += scrub(f"{directory}/data")
    problems += check_unfinished(test.gallery, test.started_at)
    test.gallery.stop()
    counts = {name: sum(len(getattr(person, name)) for person in test.people) for name in ("kept", "deleted", "unsure", "jobs")}
    counts |= {name: sum(getattr(person, name) for person in test.people) for name in ("large", "in_parts", "left")}
    print(f"{counts}, {len(problems)} problems, {time.monotonic() - started:.1f} s")
    assert not problems, "\n".join(problem[:1000] for problem in problems[:20])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--operations", type=int, default=45)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    directory = tempfile.mkdtemp(prefix="tintype-photo-crash-")
    try:
        test_ARC_4_SPK_7_SPK_10_whole_after_any_crash(options, directory)
    except AssertionError as failure:
        print(failure)
        print(f"failed with --seed {options.seed}; the data directory is kept in {directory}")
        return 1
    shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
