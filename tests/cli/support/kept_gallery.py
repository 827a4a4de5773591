"""Makes the galleries in `formats/`: a data directory with photos in it, as one archive, and a list of its contents.

A new format gets a gallery of its own, made by the last binary that writes it, before anything changes:

    TINTYPE_BIN=build/release/tintype python3 tests/cli/support/kept_gallery.py tests/cli/formats/gallery-2

writes `gallery-2.tar.xz`, which holds the folder `data`, and `gallery-2.json`, which gallery_format_test.py reads.
Both accounts have the password in PASSWORD. The DynamoDB key is the one of the tests (tintype_server.py), which the
server takes from its environment. The master key and the secret lie in the archive: they protect nothing but this.
"""

import base64
import hashlib
import json
import os
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "mission" / "support"))
import photos  # noqa: E402
from gallery import BACKLOG, JOBS, SYSTEM, TABLES, Gallery  # noqa: E402

PASSWORD = "correct horse battery"
ARGUMENTS = ("--ballast-mb", "0", "--workers", "1")
# The server must find its work as it was left, in whatever year it is opened.
FAR_S = 4_102_444_800  # In the year 2100.
# These belong to the process that runs, not to the gallery: they change with every start or end by themselves.
PASSING = ("SESSION#", "POSITION#", "KEY#", "FOLLOWER#", "SCHEMA")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def plain(value):
    """An item as JSON has it: DynamoDB's numbers are whole ones or decimals."""
    return json.loads(json.dumps(value, default=lambda number: int(number) if number == int(number) else float(number),
                                 sort_keys=True))


def items_of(gallery):
    """All items of all tables that a later version has to find."""
    found = {}
    for table in TABLES:
        items = [plain(item) for item in gallery.scan(table)]
        if table == SYSTEM:
            items = [item for item in items if not item["PK"].startswith(PASSING)]
        found[table] = sorted(items, key=lambda item: json.dumps(item, sort_keys=True))
    return found


def upload_photos(gallery, ada, bob):
    """Photos in every state that there is. Returns their ids by name."""
    small = {"width": 96, "height": 72}
    ids = {
        "described": ada.upload(photos.jpeg("kept described", **small, exif=photos.place_exif()), "Häfen 1.jpg",
                                albumId="summer", title="Harbour at dawn"),
        "edited": ada.upload(photos.png("kept edited", 64, 48), "edited.png"),
        "shared": ada.upload(photos.webp("kept shared", **small), "shared.webp", visibility="shared"),
        "trashed": ada.upload(photos.jpeg("kept trashed", **small), "trashed.jpg", albumId="summer"),
        "bobs": bob.upload(photos.jpeg("kept of bob", **small), "bob.jpg", albumId="summer"),
    }
    owners = {"bobs": bob}
    for name, image_id in ids.items():
        gallery.wait_developed(owners.get(name, ada), image_id)
    ids["broken"] = ada.upload(photos.corrupt("kept broken")[:400], "broken.jpg")
    gallery.wait_developed(ada, ids["broken"], status="failed")
    return ids


def change_photos(gallery, ada, ids):
    """What people do to photos. Returns the ids of the edit jobs by how they ended."""
    version = ada.image(ids["described"])["version"]
    changed = ada.change(ids["described"], version, tags=["sea", "Boote"], description="Three boats, one of them red.",
                         altText="Boats in a harbour")
    assert changed.status == 200, changed.body
    jobs = {"COMPLETED": ada.create_job(ids["edited"], {"op": "rotate", "degrees": 90}, {"op": "auto_levels"})["jobId"],
            "FAILED": ada.create_job(ids["edited"], {"op": "crop", "left": 5000, "top": 0, "width": 9, "height": 9})["jobId"]}
    for status, job_id in jobs.items():
        ended = gallery.wait_job(ada, job_id)
        assert ended["status"] == status, ended
    version = ada.image(ids["trashed"])["version"]
    assert ada.change(ids["trashed"], version, tags=["sea"]).status == 200
    assert ada.delete(ids["trashed"], permanent=False).status == 202
    return jobs


def begin_upload(ada, data, sent):
    """A resumable upload of which some bytes have come. Returns its path."""
    created = ada.tus("POST", "/uploads", Upload_Length=len(data), Upload_Metadata="filename cmVzdW1lZC5wbmc=")
    assert created.status == 201, created.body
    path = created.headers["Location"].removeprefix("/api/v1")
    answer = ada.tus("PATCH", path, data[:sent], Upload_Offset=0)
    assert answer.status == 204, answer.body
    return path


def move_deadlines(gallery):
    """Nothing expires: neither the trash, nor the upload, nor the history of jobs."""
    for work in gallery.scan(BACKLOG):
        if work["status"] == "DELAYED":
            priority, _, work_id = work["order"].split("#", 2)
            gallery.documents.update_item(
                TableName=BACKLOG, Key={"id": work["id"]}, UpdateExpression="SET dueAt = :due, #order = :order",
                ExpressionAttributeNames={"#order": "order"},
                ExpressionAttributeValues={":due": FAR_S * 1000, ":order": f"{priority}#{FAR_S * 1000:015d}#{work_id}"})
    for job in gallery.scan(JOBS):
        gallery.documents.update_item(TableName=JOBS, Key={"jobId": job["jobId"]}, UpdateExpression="SET #ttl = :far",
                                      ExpressionAttributeNames={"#ttl": "ttl"}, ExpressionAttributeValues={":far": FAR_S})
    for item in gallery.scan(SYSTEM):
        if "expiresAt" in item:
            gallery.documents.update_item(
                TableName=SYSTEM, Key={"PK": item["PK"], "SK": item["SK"]}, UpdateExpression="SET expiresAt = :far",
                ExpressionAttributeValues={":far": FAR_S * 1000})


def fill(gallery):
    """Fills an empty gallery. Returns what gallery_format_test.py expects of it."""
    ada, bob = gallery.sign_up("ada"), gallery.sign_up("bob")
    ids = upload_photos(gallery, ada, bob)
    jobs = change_photos(gallery, ada, ids)
    resumed = photos.png("kept resumed", 48, 36)
    sent = len(resumed) // 3
    upload = begin_upload(ada, resumed, sent)
    gallery.wait_idle()
    limits = {"ada": ada.limit(), "bob": bob.limit()}
    # Once more, so that there are sorted files and a log, not a log alone.
    gallery.stop()
    gallery.start()
    move_deadlines(gallery)
    gallery.wait_idle()
    return {
        "password": PASSWORD, "images": ids, "jobs": jobs,
        "upload": {"path": upload, "sent": sent, "length": len(resumed), "sha256": sha256(resumed),
                   "rest": base64.b64encode(resumed[sent:]).decode()},
        "limit": limits,
        "blobs": {key: sha256(gallery.blob(key)) for key in gallery.blobs()},
        "items": items_of(gallery),
    }


def pack(directory, archive):
    """The files that matter, in an order and with attributes that do not depend on who packs them."""
    # RocksDB makes a new lock and a new log by itself; an option file is a note of what it was opened with.
    left_out = ("LOCK", "LOG", "admin.sock", "cache", "ballast")

    def clean(member):
        name = Path(member.name).name
        if name in left_out or name.startswith(("LOG.old", "OPTIONS-")):
            return None
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = 0
        return member

    with tarfile.open(archive, "w:xz", preset=9) as packed:
        packed.add(directory, "data", filter=clean)


def main():
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        gallery = Gallery(ARGUMENTS, data_dir=f"{folder}/data")
        try:
            expected = fill(gallery)
        finally:
            gallery.stop()
        pack(f"{folder}/data", f"{target}.tar.xz")
    Path(f"{target}.json").write_text(json.dumps(expected, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    print(f"{target}.tar.xz: {os.path.getsize(f'{target}.tar.xz')} bytes")


if __name__ == "__main__":
    main()
