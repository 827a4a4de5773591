"""What of a deleted image may stay in the tables, and for how long. Everything else that names it is a trace of it."""

import json

# So that a deletion is not counted twice.
TOMBSTONE = {"PK", "SK", "deletedAt"}
# So that an upload whose answer was lost can be asked for again.
ANSWER = {"PK", "SK", "userId", "imageId", "length", "ttl"}
# Of an answer that tells that the image was in the trash.
RESTORED = {"restored"}
ANSWER_SECONDS_MAX = 24 * 60 * 60
# The history of a user's jobs, which goes by its own `ttl`.
JOB_SECONDS_MAX = 90 * 24 * 60 * 60
ENDED = ("COMPLETED", "FAILED")


def names(item, image_id):
    """Whether anything in an item names an image."""
    return image_id in json.dumps(item, default=str)


def is_tombstone(item, image_id):
    return item.get("PK") == f"TOMBSTONE#{image_id}" and set(item) == TOMBSTONE


def is_answer(item, image_id, now):
    """The answer to an upload that is over: of the image it has the id, and is there for a day."""
    return (set(item) - RESTORED == ANSWER and item["PK"].startswith("UPLOAD#") and item["SK"] == "ANSWER" and
            item["imageId"] == image_id and item["ttl"] <= now + ANSWER_SECONDS_MAX)


def is_history(item, image_id, now):
    """A job of the image that has ended. It says which image it was and where its result lay, and nothing else of it
    that names it; a temporary file is not among that."""
    if item.get("imageId") != image_id or item.get("status") not in ENDED or not 0 < item.get("ttl", 0) <= now + JOB_SECONDS_MAX:
        return False
    rest = {name: value for name, value in item.items() if name not in ("imageId", "s3FinalKey", "editResult")}
    result = {name: value for name, value in item.get("editResult", {}).items() if name != "s3Key"}
    return "s3TempKey" not in item and not names(rest, image_id) and not names(result, image_id)
