"""Of a deleted image nothing stays but what support/leftovers.py names: cases of what is taken for a trace."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import leftovers  # noqa: E402

IMAGE, OTHER, NOW = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ", 1_800_000_000
DAY = 24 * 60 * 60


class LeftoversTest(unittest.TestCase):
    def test_tombstones(self):
        """The time of the deletion, and nothing of what the image was."""
        stone = {"PK": f"TOMBSTONE#{IMAGE}", "SK": "TOMBSTONE", "deletedAt": "2026-11-16T00:00:00.000Z"}
        self.assertTrue(leftovers.is_tombstone(stone, IMAGE))
        for wrong in ({**stone, "title": "Mine"}, {**stone, "PK": f"IMAGE#{IMAGE}"}, {**stone, "PK": f"TOMBSTONE#{OTHER}"}):
            self.assertFalse(leftovers.is_tombstone(wrong, IMAGE), wrong)

    def test_answers(self):
        """The id that an upload got, for a day at most."""
        answer = {"PK": f"UPLOAD#{OTHER}", "SK": "ANSWER", "userId": "u", "imageId": IMAGE, "length": 7, "ttl": NOW + DAY}
        self.assertTrue(leftovers.is_answer(answer, IMAGE, NOW))
        self.assertTrue(leftovers.is_answer({**answer, "restored": True}, IMAGE, NOW))
        self.assertTrue(leftovers.is_answer({**answer, "PK": f"UPLOAD#{IMAGE}"}, IMAGE, NOW))
        without_end = {name: value for name, value in answer.items() if name != "ttl"}
        for wrong in ({**answer, "filename": "mine.jpg"}, {**answer, "ttl": NOW + DAY + 1}, without_end,
                      {**answer, "imageId": OTHER}, {**answer, "SK": "UPLOAD"}, {**answer, "PK": f"CHECKSUM#{IMAGE}"}):
            self.assertFalse(leftovers.is_answer(wrong, IMAGE, NOW), wrong)

    def test_history(self):
        """A job that has ended, with the image's id and the place of its result."""
        job = {"jobId": "j", "imageId": IMAGE, "status": "COMPLETED", "ttl": NOW + 90 * DAY, "originalFileName": "mine.jpg",
               "s3FinalKey": f"images/{IMAGE}/v1/ORIGINAL", "editResult": {"s3Key": f"images/{IMAGE}/v1/ORIGINAL", "width": 3}}
        self.assertTrue(leftovers.is_history(job, IMAGE, NOW))
        self.assertTrue(leftovers.is_history({**job, "status": "FAILED"}, IMAGE, NOW))
        without_end = {name: value for name, value in job.items() if name != "ttl"}
        for wrong in ({**job, "status": "QUEUED"}, {**job, "status": "EDITING"}, {**job, "s3TempKey": "jobs/j"}, without_end,
                      {**job, "ttl": NOW + 91 * DAY}, {**job, "imageId": OTHER}, {**job, "source": f"images/{IMAGE}/ORIGINAL"},
                      {**job, "editResult": {"s3Key": "x", "thumbnail": f"images/{IMAGE}/THUMB"}}):
            self.assertFalse(leftovers.is_history(wrong, IMAGE, NOW), wrong)


if __name__ == "__main__":
    unittest.main(verbosity=2)
