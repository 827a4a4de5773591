#!/usr/bin/env python3
"""One account that asks for more than the server can do waits for it; the others hardly notice."""

import statistics
import struct
import sys
import threading
import time
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import GalleryTest, wait_until  # noqa: E402

EDITS, LARGE_PICTURES, CONNECTIONS, WAITING = 1500, 30, 8, 200
VERSIONS_MAX = 100
ROTATE = [{"op": "rotate", "degrees": 90}]


def large_pngs(count, side=14_000):
    """Pictures of 196 megapixels in a few hundred kilobytes, no two the same."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    packer = zlib.compressobj(1)
    row = b"\0" + b"\x80" * side
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    tail = chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return [head + chunk(b"tEXt", b"Comment\0" + str(number).encode()) + tail for number in range(count)]


class FairnessTest(GalleryTest):
    ARGUMENTS = ("--jobs-waiting", str(WAITING))

    def seconds_until_developed(self, account, data):
        began = time.monotonic()
        self.gallery.wait_developed(account, account.upload(data))
        return time.monotonic() - began

    def test_an_account_that_queues_without_end_keeps_nobody_waiting(self):
        """Others wait at most for the longest piece of work that has begun already, and then take their turn."""
        eve = self.gallery.sign_up("eve")
        usual = statistics.median(self.seconds_until_developed(self.ada, photos.jpeg(f"usual {n}", 2000, 1500)) for n in range(3))
        first, second, *others = large_pngs(2 + LARGE_PICTURES)
        # As long as it takes while all workers are busy, which they will be.
        began = time.monotonic()
        for image_id in [eve.upload(first), eve.upload(second)]:
            self.gallery.wait_developed(eve, image_id)
        longest = time.monotonic() - began
        edited = [eve.upload(photos.jpeg(f"edited {n}", 2000, 1500)) for n in range(3)]
        for image_id in edited:
            self.gallery.wait_developed(eve, image_id)
        for picture in others:
            eve.upload(picture)
        statuses, lock, numbers = [], threading.Lock(), iter(range(EDITS))

        def queue():
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                answer = eve.send("POST", "/jobs", {"imageId": edited[number % len(edited)], "provider": "local", "operations": ROTATE})
                with lock:
                    statuses.append(answer.status)
                    if answer.status == 429:
                        self.assertIn("Retry-After", answer.headers)

        attackers = [threading.Thread(target=queue) for _ in range(CONNECTIONS)]
        for attacker in attackers:
            attacker.start()
        # An image has 100 versions at the most, so that three images take 300 edits, of which 200 may wait.
        wait_until(lambda: 429 in statuses, "an edit that is one too many")
        waited = [self.seconds_until_developed(self.ada, photos.jpeg(f"meanwhile {n}", 2000, 1500)) for n in range(3)]
        for attacker in attackers:
            attacker.join()
        print(f"usual {usual:.2f} s, longest piece of work {longest:.2f} s, meanwhile {max(waited):.2f} s; "
              f"{statuses.count(202)} edits queued, {statuses.count(429)} refused", file=sys.stderr)
        # Twice the usual time and the longest piece of work; a quarter more, since the attackers' own programs and
        # their refused requests share the cores here. First come, first served would be the whole queue.
        self.assertLessEqual(max(waited), 1.25 * (2 * usual + longest))
        self.assertEqual(EDITS, statuses.count(202) + statuses.count(429))
        self.assertGreaterEqual(statuses.count(202), WAITING // 2)
        left = [work for work in self.gallery.work_at_hand() if work.get("accountId") == eve.user_id]
        self.assertTrue(left, "the attack was over before it was measured")


class VersionsTest(GalleryTest):
    ARGUMENTS = ("--workers", "1", "--jobs-waiting", "200")

    def test_edits_that_wait_count_as_versions(self):
        """A2: an image gets 100 versions at the most, however many edits are asked for before the first is done."""
        image_id = self.ada.upload(photos.png("versions", 40, 30))
        self.gallery.wait_developed(self.ada, image_id)
        edit = {"imageId": image_id, "provider": "local", "operations": ROTATE}
        # Whatever is asked for waits, so that hardly one of the versions is there.
        with self.gallery.paused():
            statuses = [self.ada.send("POST", "/jobs", edit).status for _ in range(VERSIONS_MAX + 50)]
        self.assertEqual(statuses, [202] * VERSIONS_MAX + [429] * 50)


if __name__ == "__main__":
    unittest.main()
