"""What must be true of a gallery at rest, by its tables and its files. Each check returns the problems that it
found."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import ANALYSIS, BACKLOG, IMAGES, INGEST, JOBS, PHOTOS, SIZES, SPARKS, SYSTEM  # noqa: E402

LIMIT = 500
EDITED_SIZES = ["FULL", *(size for size in SIZES if size != "ORIGINAL")]


class Snapshot:
    """Everything there is: the records by the id of their image, and the keys of all blobs."""

    def __init__(self, gallery):
        self.gallery = gallery
        items = gallery.scan(IMAGES)
        self.images = {item["id"]: item for item in items if item["SK"] == "METADATA"}
        self.versions = {(item["PK"].removeprefix("IMAGE#"), int(item["revision"])): item
                         for item in items if item["SK"] != "METADATA"}
        system = gallery.scan(SYSTEM)
        self.uploads = {item["id"]: item for item in system if item["PK"].startswith("UPLOAD#") and item["SK"] == "UPLOAD"}
        self.checksums = {item["id"] for item in system if item["PK"].startswith("CHECKSUM#")}
        self.limits = {item["SK"]: item["limit"] for item in gallery.scan(SPARKS) if item["entityType"] == "DEFAULT_LIMIT"}
        # Uploads that were about to be given up: what is left of their bytes goes when their time has passed.
        self.abandoned = {item["uuid"] for item in gallery.scan(BACKLOG) if item["type"] == "abandon-upload"}
        self.jobs = {item["jobId"]: item for item in gallery.scan(JOBS)}
        self.blobs = set(gallery.blobs())
        self.spool = {path.name.removesuffix(".sealed") for path in Path(gallery.server.data_dir, "uploads").iterdir()}


def check(gallery, people):
    found = Snapshot(gallery)
    problems = [f"dead work: {work}" for work in gallery.scan(BACKLOG) if work["status"] == "DEAD"]
    for person in people:
        problems += check_acknowledged(found, person)
        problems += check_limit(found, person.account)
    for image_id, image in found.images.items():
        problems += check_image(found, image_id, image)
    problems += check_versions(found)
    problems += check_copies(found)
    problems += check_orphans(found)
    problems += [f"job {job_id} is {job['status']}" for job_id, job in found.jobs.items()
                 if job["status"] not in ("COMPLETED", "FAILED")]
    return problems


def check_acknowledged(found, person):
    problems = []
    for image_id, data in person.kept.items():
        original = f"images/images/{image_id}/ORIGINAL"
        if image_id not in found.images or original not in found.blobs:
            problems.append(f"{image_id}: the acknowledged upload is gone")
        elif found.gallery.blob(original) != data:
            problems.append(f"{image_id}: the original has other bytes")
    for image_id in person.deleted:
        problems += [f"{image_id}: deleted, but there is {place}" for place, _ in found.gallery.traces_of(image_id)]
    for job_id in person.jobs:
        job = found.jobs.get(job_id)
        if job is None:
            problems.append(f"job {job_id}: acknowledged, but it is gone")
            continue
        # A job whose image was deleted fails; so does one whose crop is outside of what another job left.
        failed = job["status"] == "FAILED" and job["imageId"] in person.kept
        if failed and job["error"]["code"] != "PROVIDER_INVALID_REQUEST":
            problems.append(f"job {job_id}: failed: {job['error']}")
    return problems


def check_limit(found, account):
    """What is taken from the limit is there: as an image, or as an upload that its time will end."""
    images = sum(image["userId"] == account.user_id for image in found.images.values())
    uploads = sum(upload["userId"] == account.user_id for upload in found.uploads.values())
    limit = found.limits[account.email]
    if limit != LIMIT - images - uploads:
        return [f"{account.username}: limit {limit}, but {images} images and {uploads} uploads"]
    return []


def check_image(found, image_id, image):
    """Developed, with every rendition, each of which can be decoded."""
    if image["processingStatus"] != "completed":
        return [f"{image_id}: {image['processingStatus']}: {image.get('processingError')}"]
    problems = []
    folder = f"images/images/{image_id}"
    keys = [f"{folder}/{size}" for size in SIZES]
    # A revert shows the pictures of another version, or of the upload.
    keys += [f"{folder}/v{revision}/{size}" for (of, revision), version in found.versions.items() for size in EDITED_SIZES
             if of == image_id and version["completed"] and "revertedTo" not in version]
    if image["revision"] != 0 and not found.versions.get((image_id, int(image["revision"])), {}).get("completed"):
        problems.append(f"{image_id}: there is no version {image['revision']}, which is the current one")
    for key in keys:
        try:
            photos.size_of(found.gallery.blob(key))
        except Exception as error:  # pylint: disable=broad-except
            problems.append(f"{image_id}: {key}: {error!r}")
    if f"images/{image_id}/image/properties.json" not in found.blobs:
        problems.append(f"{image_id}: the output of its analysis is missing")
    return problems


def check_versions(found):
    """A version belongs to an image; one that is not completed was taken by a job that failed."""
    problems = []
    for (image_id, revision), version in found.versions.items():
        if image_id not in found.images:
            problems.append(f"{image_id}: version {revision} without its image")
        elif not version["completed"] and found.jobs[version["jobId"]]["status"] != "FAILED":
            problems.append(f"{image_id}: version {revision} is not completed, but its job is")
    return problems


def check_copies(found):
    """Each context has one record of each image, and none of any other."""
    scan = found.gallery.scan
    records = {
        PHOTOS: [item["id"] for item in scan(PHOTOS)],
        SPARKS: [item["imageId"] for item in scan(SPARKS) if item.get("assetType") == "IMAGE"],
        INGEST: [item["uuid"] for item in scan(INGEST)],
        ANALYSIS: [item["uuid"] for item in scan(ANALYSIS)],
        "checksums": list(found.checksums),
    }
    problems = [f"{table}: {sorted(ids)} instead of {sorted(found.images)}"
                for table, ids in records.items() if sorted(ids) != sorted(found.images)]
    problems += [f"{item['id']}: sizes {item.get('sizes')}" for item in scan(PHOTOS) if item.get("sizes") != list(SIZES)]
    return problems


def check_orphans(found):
    """Each blob is one that a record asks for, and each file of the spool one of an upload on its way."""
    wanted = set()
    for image_id in found.images:
        wanted |= {f"images/images/{image_id}/{size}" for size in SIZES}
        wanted.add(f"images/{image_id}/image/properties.json")
    for (image_id, revision), version in found.versions.items():
        if version["completed"] and "revertedTo" not in version:
            wanted |= {f"images/images/{image_id}/v{revision}/{size}" for size in EDITED_SIZES}
    wanted |= {f"uploads/uploads/{upload_id}" for upload_id in found.uploads.keys() | found.abandoned}
    problems = [f"{key}: nothing asks for this blob" for key in sorted(found.blobs - wanted)]
    return problems + [f"{upload_id}: its bytes are in the spool" for upload_id in sorted(found.spool - found.uploads.keys())]
