"""Uploads whose lines, clients and servers die at the worst moments, and requests for the same upload at the same time:
what came is kept, what is given up leaves nothing, and every answer is true."""

import os
import random
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import IMAGES, Gallery, wait_until  # noqa: E402
from upload_lines import MB, PIECE, UploadsCase, begin, large, status_of  # noqa: E402


class InterruptedUploadsTest(UploadsCase):
    ARGUMENTS = ("--workers", "1", "--uploads-per-minute", "100000", "--upload-limit", "5000")

    def test_silent_lines(self):
        """What came on a line that died without a word is kept, however little it is, and told to who asks; others
        change nothing."""
        data = large("a silent line", 5 * MB)
        path = self.create(len(data))
        lines, offset = [], 0
        for slowly in (False, True):
            lines.append(self.patch(path, offset, len(data)))
            if slowly:
                # Less than a piece of the server's, which therefore waits for more, but not for long.
                for start in range(offset, offset + 200_000, 10_000):
                    lines[-1].sendall(data[start:start + 10_000])
                    time.sleep(0.08)
                at_least = offset + 1
            else:
                lines[-1].sendall(data[:MB])
                at_least = MB - PIECE
            offset = wait_until(lambda: self.resumed(path), "another line that goes on", seconds=15)
            self.assertGreaterEqual(offset, at_least)
        # While this one waits, nobody else's request, nor one with another offset, takes it over.
        last = self.patch(path, offset, len(data))
        last.sendall(data[offset:offset + MB])
        until = time.monotonic() + 5.5
        while time.monotonic() < until:
            self.assertEqual(self.bob.tus("PATCH", path, b"x", Upload_Offset=offset).status, 404)
            self.assertEqual(self.bob.send("POST", f"{path}/complete").status, 404)
            self.assertEqual(self.ada.tus("PATCH", path, b"x", Upload_Offset=offset + 1).status, 409)
        last.sendall(data[offset + MB:])
        self.assertEqual(status_of(last), 204)
        image = self.ada.tus("HEAD", path).headers["X-Image-Id"]
        self.gallery.wait_developed(self.ada, image)
        self.assertEqual(self.gallery.blob(f"images/images/{image}/ORIGINAL"), data)
        for line in lines:
            line.close()

    def test_killed_server(self):
        """A killed server has all but the last eight megabytes of a request that was going on, without its end."""
        with tempfile.TemporaryDirectory() as directory:
            gallery = Gallery(self.ARGUMENTS, data_dir=directory)
            try:
                ada = gallery.sign_up("ada")
                data = large("a killed server", 40 * MB)
                path = self.create(len(data), account=ada)
                line = self.patch(path, 0, len(data), ada, gallery)
                line.sendall(data[:30 * MB])
                spooled = Path(directory, "uploads", path.rpartition("/")[2] + ".sealed")
                wait_until(lambda: spooled.stat().st_size >= 30 * MB - PIECE, "all that was sent in the spool")
                wait_until(lambda: self.offset(path, ada) >= 22 * MB - PIECE, "all but the last megabytes kept")
                gallery.server.process.kill()
                gallery.server.process.wait()
                line.close()
                gallery.start()
                ada.log_in()
                self.assertGreaterEqual(self.offset(path, ada), 22 * MB - PIECE)
            finally:
                gallery.stop()

    def test_cancelled_at_once(self):
        """Who closes the line and cancels at once is not told to wait, and gets back what was taken."""
        limit = self.ada.limit()
        data = large("cancelled", 3 * MB)
        for _ in range(10):
            path = self.create(len(data))
            line = self.patch(path, 0, len(data))
            line.sendall(data[:MB])
            spooled = Path(self.gallery.server.data_dir, "uploads", path.rpartition("/")[2] + ".sealed")
            wait_until(lambda: spooled.stat().st_size >= MB - PIECE, "what was sent in the spool")
            line.close()
            self.assertEqual(self.ada.tus("DELETE", path).status, 204)
            self.assertEqual(self.ada.tus("DELETE", path).status, 404)
        self.assertEqual(self.ada.limit(), limit)
        self.assertEqual(os.listdir(Path(self.gallery.server.data_dir, "uploads")), [])

    def test_asked_while_it_ends(self):
        """Who asks for an upload just when it becomes an image is told how far it is, to wait, or of the image."""
        size = 8 * MB
        for turn in range(5):
            data = large(f"asked {turn}", size)
            path = self.create(size)
            self.assertEqual(self.ada.tus("PATCH", path, data[:-1], Upload_Offset=0).status, 204)
            ended = []

            def ask():
                statuses = set()
                while not ended:
                    statuses.add(self.ada.tus("HEAD", path).status)
                return statuses

            with ThreadPoolExecutor(4) as pool:
                asking = [pool.submit(ask) for _ in range(3)]
                try:
                    self.assertEqual(self.ada.tus("PATCH", path, data[-1:], Upload_Offset=size - 1).status, 204)
                finally:
                    ended.append(True)
                for statuses in asking:
                    self.assertLessEqual(statuses.result(), {200, 423})

    def test_one_put_at_a_time(self):
        """A link takes one file at a time."""
        data = large("put twice", 2 * MB)
        link = self.direct(data)
        first = self.put(link, data)
        first.sendall(data[:MB])
        content = Path(self.gallery.server.data_dir, "blobs", ".tmp")
        wait_until(lambda: any(file.stat().st_size for file in content.iterdir()), "the first put begun")
        second = self.put(link, data)
        second.sendall(data[:MB])
        self.assertEqual(status_of(second), 423)
        first.sendall(data[MB:])
        self.assertEqual(status_of(first), 200)
        self.assertEqual(self.ada.send("POST", f"/uploads/{link['id']}/complete").status, 202)

    def test_completed_and_cancelled_at_once(self):
        """Of an upload that is completed and cancelled at once, one succeeds, and no bytes are left without an
        image."""
        limit = self.ada.limit()
        images, choose = [], random.Random(1)
        for turn in range(60):
            data = photos.png(f"both {turn}", 30, 30)
            link = self.direct(data)
            line = self.put(link, data)
            line.sendall(data)
            self.assertEqual(status_of(line), 200)
            path, wait = f"/uploads/{link['id']}", choose.uniform(-0.004, 0.004)

            def after(seconds, method, target):
                time.sleep(max(0, seconds))
                return self.ada.send(method, target).status

            with ThreadPoolExecutor(2) as pool:
                completed = pool.submit(after, wait, "POST", path + "/complete")
                cancelled = pool.submit(after, -wait, "DELETE", path)
                answers = completed.result(), cancelled.result()
            self.assertIn(answers, ((202, 404), (202, 423), (404, 204), (423, 204)), link["id"])
            if answers[0] == 202:
                images.append(link["id"])
        self.gallery.wait_idle()
        known = {item["id"] for item in self.gallery.scan(IMAGES) if item["SK"] == "METADATA"}
        self.assertLessEqual(set(images), known)
        self.assertEqual(self.ada.limit(), limit - len(images))
        self.assertEqual(self.gallery.blobs("uploads/"), [])


class HastyServerTest(UploadsCase):
    """A server that soon gives up what it hears nothing of, and has room for few uploads."""

    ARGUMENTS = ("--workers", "1", "--uploads-in-progress", "5", "--upload-kept", "1")

    def test_beginnings_at_once(self):
        """However many begin at once, no more are admitted than may be on their way."""
        def one(turn):
            if turn % 2:
                return self.bob.tus("POST", "/uploads", Upload_Length=1000).status
            return self.bob.send("POST", "/uploads/direct", {"size": 1000}).status

        with ThreadPoolExecutor(20) as pool:
            statuses = list(pool.map(one, range(40)))
        self.assertEqual((statuses.count(201), statuses.count(429)), (5, 35))

    def test_longer_than_it_is_kept(self):
        """A request that lasts longer than an upload is kept, but goes on, succeeds."""
        def send_slowly(line, data):
            parts = 20
            for part in range(parts):
                line.sendall(data[part * len(data) // parts:(part + 1) * len(data) // parts])
                time.sleep(0.2)  # The point of the test: it takes time.

        posted, put = large("slowly posted", MB), large("slowly put", MB)
        link = self.direct(put)
        lines = (begin(self.gallery.address, self.ada, "POST", "/api/v1/images", **{"Content-Length": len(posted)}), self.put(link, put))
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(send_slowly, lines, (posted, put)))
        self.assertEqual([status_of(line) for line in lines], [202, 200])
        self.assertEqual(self.ada.send("POST", f"/uploads/{link['id']}/complete").status, 202)


if __name__ == "__main__":
    unittest.main(verbosity=2)
