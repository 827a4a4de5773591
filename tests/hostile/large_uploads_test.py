"""Many large files at once: what the server needs does not grow with them.

TINTYPE_LARGE_FILES and TINTYPE_LARGE_MB make it smaller; as it is it takes 20 GB of disk for a few minutes, and says so
where there is less.
"""

import concurrent.futures
import http.client
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
from gallery import Gallery  # noqa: E402

FILES = int(os.environ.get("TINTYPE_LARGE_FILES", "20"))
BYTES = int(os.environ.get("TINTYPE_LARGE_MB", "1024")) << 20
PARTS = 8
MEMORY_MAX = 150 << 20
BLOCK = bytes(range(256)) * 4096


def content(number, begin, end):
    """A file from one block to another: the beginning of a JPEG, of its own for each number, then bytes without end."""
    for block in range(begin // len(BLOCK), end // len(BLOCK)):
        first = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + number.to_bytes(8, "big")
        yield first + BLOCK[len(first):] if block == 0 else BLOCK


class LargeUploadsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        needed, free = (FILES + 5) * BYTES, shutil.disk_usage(tempfile.gettempdir()).free
        if free < needed:
            raise unittest.SkipTest(f"needs {needed >> 30} GB of disk, but {free >> 30} GB are free")
        cls.gallery = Gallery(("--workers", "1", "--upload-mb", str(BYTES >> 20)))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def stream(self, method, path, number, headers, begin=0, end=BYTES):
        connection = http.client.HTTPConnection(self.gallery.address, timeout=600)
        try:
            headers = {"Authorization": self.ada.authorization, "Content-Length": str(end - begin), **headers}
            connection.request(method, path, body=content(number, begin, end), headers=headers)
            answer = connection.getresponse()
            answer.read()
            return answer
        finally:
            connection.close()

    def upload(self, number):
        """By turns in one request and by tus, in several. Returns the status."""
        if number % 2 == 0:
            return self.stream("POST", "/api/v1/images", number, {"Content-Type": "image/jpeg"}).status
        created = self.ada.tus("POST", "/uploads", Upload_Length=BYTES)
        headers = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}
        part = BYTES // PARTS
        for begin in range(0, BYTES, part):
            answer = self.stream("PATCH", created.headers["Location"], number, {**headers, "Upload-Offset": str(begin)},
                                 begin, begin + part)
        return answer.status if answer.headers["X-Image-Id"] else None

    def peak(self):
        status = Path(f"/proc/{self.gallery.server.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM:"))

    def test_memory_stays_flat(self):
        # Hashing a password took more than all that follows.
        Path(f"/proc/{self.gallery.server.process.pid}/clear_refs").write_text("5", encoding="ascii")
        before = self.peak()
        with concurrent.futures.ThreadPoolExecutor(FILES) as pool:
            statuses = list(pool.map(self.upload, range(FILES)))
        self.assertEqual(statuses, [202 if number % 2 == 0 else 204 for number in range(FILES)])
        print(f"{FILES} files of {BYTES >> 20} MB: {before >> 20} MB before, {self.peak() >> 20} MB at most", flush=True)
        self.assertLess(self.peak(), MEMORY_MAX)
        self.assertEqual(list(Path(self.gallery.server.data_dir, "uploads").iterdir()), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
