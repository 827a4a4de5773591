"""What an upload may not do: be larger or slower than the settings allow. It is told so, and leaves nothing behind."""

import select
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import SPARKS, SYSTEM, wait_until  # noqa: E402
from upload_lines import MB, UploadsCase, answer_of, begin, large, status_of  # noqa: E402

# The fields of a form around its file may be this large: a file may be exceeded by so much before it is refused.
FORM = 1 << 20


class UnlimitedTest(UploadsCase):
    ARGUMENTS = ("--workers", "1")

    def test_an_administrator_s_limit_is_null(self):
        """Whichever way photos come in, nothing is counted of somebody without a limit, and the answer stays null."""
        root = self.gallery.administrator
        self.assertEqual(root.limit(), None)
        self.assertEqual(self.ada.limit(), 500)
        image_id = root.upload(photos.png("plain", 40, 30), "plain.png")
        self.assertEqual(root.post_form(photos.png("form", 40, 30), "form.png").status, 202)
        self.assertEqual(root.post_image(photos.png("plain", 40, 30)).status, 200)
        resumable = photos.png("resumable", 40, 30)
        created = root.tus("POST", "/uploads", Upload_Length=len(resumable))
        self.assertEqual(created.status, 201)
        path = created.headers["Location"].removeprefix("/api/v1")
        self.assertEqual(root.limit(), None)
        self.assertEqual(root.tus("PATCH", path, resumable, Upload_Offset=0).status, 204)
        given_up = root.tus("POST", "/uploads", Upload_Length=10)
        self.assertEqual(root.tus("DELETE", given_up.headers["Location"].removeprefix("/api/v1")).status, 204)
        self.assertEqual(root.delete(image_id).status, 202)
        self.gallery.wait_deleted(image_id)
        self.assertEqual(root.limit(), None)
        item = self.gallery.get(SPARKS, PK=f"LIMIT#{root.email}", SK=root.email)
        self.assertEqual(item, {"PK": f"LIMIT#{root.email}", "SK": root.email, "entityType": "DEFAULT_LIMIT",
                                "limit": 9007199254740991})


class SizeTest(UploadsCase):
    ARGUMENTS = ("--workers", "1", "--upload-mb", "1")

    def chunked(self, data):
        """Posts a file without saying how long it is."""
        line = begin(self.gallery.address, self.ada, "POST", "/api/v1/images", **{"Transfer-Encoding": "chunked"})
        for start in range(0, len(data), 100_000):
            piece = data[start:start + 100_000]
            line.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
        line.sendall(b"0\r\n\r\n")
        return answer_of(line)

    def ways(self):
        return {"plain": self.ada.post_image, "chunked": self.chunked, "a form": lambda data: self.ada.post_form(data, "large.jpg")}

    def test_a_file_that_is_too_large(self):
        """One byte too many is refused, in whichever way it comes; the limit is given back, and no bytes stay."""
        limit = self.ada.limit()
        for name, post in self.ways().items():
            for size in (MB + 1, MB + FORM + 1000):
                with self.subTest(name, size=size):
                    answer = post(large(f"{name} {size}", size))
                    self.assertEqual((answer.status, answer.json["code"]), (413, "TooLarge"))
                    wait_until(lambda: self.ada.limit() == limit, "the limit as it was")
        wait_until(lambda: not [item for item in self.gallery.scan(SYSTEM) if item["PK"].startswith("UPLOAD#")], "no upload is left")
        self.assertEqual(self.gallery.blobs(), [])
        self.assertEqual(self.gallery.storage.unfinished(), [])

    def test_a_file_that_just_fits(self):
        for name, post in self.ways().items():
            with self.subTest(name):
                data = large(f"{name} fits", MB)
                answer = post(data)
                self.assertEqual(answer.status, 202, answer.body)
                self.gallery.wait_developed(self.ada, answer.json["id"])
                self.assertEqual(self.gallery.blob(f"images/images/{answer.json['id']}/ORIGINAL"), data)
                self.assertEqual(self.ada.delete(answer.json["id"]).status, 202)
                self.gallery.wait_deleted(answer.json["id"])


class RateTest(UploadsCase):
    """A server that wants 100 kB a second, after the first one."""

    GRACE, RATE = 1, 100_000
    ARGUMENTS = ("--workers", "1", "--upload-rate-min", str(RATE), "--body-timeout", str(GRACE))

    def trickle(self, line, data, seconds=20):
        """Sends a tenth of what is wanted until the server answers, or there is no more. Returns how much was sent."""
        sent, until = 0, time.monotonic() + seconds
        while sent < len(data) and not select.select([line], [], [], 0.05)[0]:
            # Whoever stops sending is refused for that.
            self.assertLess(time.monotonic(), until, "the server goes on reading")
            line.sendall(data[sent:sent + self.RATE // 200])
            sent += self.RATE // 200
        return min(sent, len(data))

    def test_a_trickle(self):
        """It is refused when the first second is over, however steadily it comes; an upload in one request is gone with
        it."""
        limit = self.ada.limit()
        data = large("a trickle", MB)
        started = time.monotonic()
        line = begin(self.gallery.address, self.ada, "POST", "/api/v1/images", **{"Content-Length": len(data)})
        self.assertLess(self.trickle(line, data), len(data))
        self.assertEqual(status_of(line), 408)
        self.assertGreater(time.monotonic() - started, self.GRACE * 0.9)
        wait_until(lambda: self.ada.limit() == limit, "the limit as it was")
        self.assertEqual(self.gallery.blobs("uploads/"), [])

    def test_a_resumable_trickle(self):
        """What came of a resumable upload is kept, and the upload goes on from there."""
        data = large("a resumable trickle", MB)
        path = self.create(len(data))
        line = self.patch(path, 0, len(data))
        sent = self.trickle(line, data)
        self.assertEqual(status_of(line), 408)
        # What was under way when the server answered may not have been read.
        offset = wait_until(lambda: self.resumed(path), "that it can go on")
        self.assertGreaterEqual(offset, sent - 5 * self.RATE // 200)
        self.assertLess(offset, len(data))
        done = self.ada.tus("PATCH", path, data[offset:], Upload_Offset=offset)
        self.assertEqual(done.status, 204)
        self.gallery.wait_developed(self.ada, done.headers["X-Image-Id"])
        self.assertEqual(self.gallery.blob(f"images/images/{done.headers['X-Image-Id']}/ORIGINAL"), data)

    def test_the_average_counts(self):
        """What came quickly at first may trickle for as long as the average lasts, far beyond the first second."""
        data = large("quick at first", 10 * self.RATE)
        line = begin(self.gallery.address, self.ada, "POST", "/api/v1/images", **{"Content-Length": len(data)})
        first = len(data) - self.RATE // 4
        line.sendall(data[:first])
        started = time.monotonic()
        self.assertEqual(self.trickle(line, data[first:]), len(data) - first)
        self.assertGreater(time.monotonic() - started, 2 * self.GRACE)
        self.assertEqual(status_of(line), 202)


if __name__ == "__main__":
    unittest.main(verbosity=2)
