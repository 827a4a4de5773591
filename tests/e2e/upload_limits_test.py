"""What an upload may not do: be larger than the settings allow. It is told so, and leaves nothing behind."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
from gallery import SYSTEM, wait_until  # noqa: E402
from upload_lines import MB, UploadsCase, answer_of, begin, large  # noqa: E402

FORM = 1 << 20  # What the fields around a file may take: so much more than a file may have is read before it is refused.


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


if __name__ == "__main__":
    unittest.main(verbosity=2)
