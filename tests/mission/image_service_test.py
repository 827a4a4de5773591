"""The image service: what people do over REST is what the document's queries return, sent by the AWS SDK as printed.

A query is in the shape in which the document prints it, with plain values or with DynamoDB's JSON. Corrections are
named where they are made.
"""

import concurrent.futures
import os
import re
import sys
import threading
import time
import unittest
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
from gallery import IMAGES, INGEST, PHOTOS, SPARKS, SYSTEM, GalleryTest, wait_until  # noqa: E402

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ISO_8601 = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")


class ImageServiceTest(GalleryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bob = cls.gallery.sign_up("bob")

    # The document's functions.

    def get_image(self, image_id):
        result = self.dynamodb.get_item(
            TableName="ImageMetadata",
            Key={
                "PK": {"S": f"IMAGE#{image_id}"},
                "SK": {"S": "METADATA"},
            })
        return result.get("Item")

    def newest_of(self, user_id):
        return self.documents.query(
            TableName="ImageMetadata",
            IndexName="UserIndex",
            KeyConditionExpression="GSI1PK = :userId",
            ExpressionAttributeValues={
                ":userId": f"USER#{user_id}",
            },
            ScanIndexForward=False,  # Descending order (newest first)
            Limit=20)

    def images_of_album(self, album_id):
        result = self.documents.query(
            TableName="ImageMetadata",
            IndexName="AlbumIndex",
            KeyConditionExpression="GSI2PK = :albumId",
            ExpressionAttributeValues={
                ":albumId": f"ALBUM#{album_id}",
            },
            ScanIndexForward=False,
            Limit=50)
        return [item["id"] for item in result["Items"]]

    def update_image(self, image_id, version, title, tags):
        return self.dynamodb.update_item(
            TableName="ImageMetadata",
            Key={
                "PK": {"S": f"IMAGE#{image_id}"},
                "SK": {"S": "METADATA"},
            },
            UpdateExpression="SET #title = :title, #tags = :tags, #version = #version + :inc",
            ConditionExpression="#version = :currentVersion",
            ExpressionAttributeNames={"#title": "title", "#tags": "tags", "#version": "version"},
            ExpressionAttributeValues={
                ":title": {"S": title},
                ":tags": {"L": [{"S": tag} for tag in tags]},
                ":inc": {"N": "1"},
                ":currentVersion": {"N": str(version)},
            },
            ReturnValues="ALL_NEW")["Attributes"]

    def delete_image(self, image_id, user_id):
        return self.dynamodb.delete_item(
            TableName="ImageMetadata",
            Key={
                "PK": {"S": f"IMAGE#{image_id}"},
                "SK": {"S": "METADATA"},
            },
            ConditionExpression="GSI1PK = :userId",
            ExpressionAttributeValues={
                ":userId": {"S": f"USER#{user_id}"},
            },
            ReturnValues="ALL_OLD")["Attributes"]

    def test_IMG_2_every_attribute_of_the_schema(self):
        """IMG-2: an uploaded photo's item has every attribute of the schema, each with its meaning."""
        original = photos.jpeg("IMG-2", 1200, 800, exif=photos.camera_exif())
        image_id = self.ada.upload(original, "Straße 1.jpg", title="A street", albumId="streets")
        self.gallery.wait_developed(self.ada, image_id)
        user_id = self.ada.user_id
        item = self.gallery.record(image_id)
        times = {name: item.pop(name) for name in ("createdAt", "uploadedAt", "updatedAt")}
        large = self.gallery.blob(f"images/images/{image_id}/LARGE")
        urls = [item.pop(name).removeprefix(f"http://{self.gallery.address}") for name in ("imageUrl", "thumbnailUrl")]
        # Beside the schema: what is ours, and what later versions of it add.
        ours = {name: item.pop(name) for name in
                ("sha256", "revision", "exifData", "blurhash", "dominantColors", "perceptualHash")}
        self.assertEqual(item, {
            "PK": f"IMAGE#{image_id}", "SK": "METADATA",
            "id": image_id, "userId": user_id, "albumId": "streets",
            "originalFilename": "Straße 1.jpg", "mimeType": "image/jpeg", "assetType": "IMAGE", "fileSize": len(original),
            "processedSize": len(large), "width": 1200, "height": 800, "aspectRatio": Decimal("1.5"),
            "s3Key": f"images/{user_id}/{image_id}.webp", "s3Bucket": "images",
            "thumbnailKey": f"images/{user_id}/thumbnails/{image_id}.webp",
            "processingStatus": "completed", "format": "webp", "quality": 85, "title": "A street", "version": 1,
            "GSI1PK": f"USER#{user_id}", "GSI1SK": f"UPLOADED#{times['uploadedAt']}",
            "GSI2PK": "ALBUM#streets", "GSI2SK": f"UPLOADED#{times['uploadedAt']}"})
        self.assertEqual(urls, [f"/media/images/{user_id}/{image_id}.webp?revision=0",
                                f"/media/images/{user_id}/thumbnails/{image_id}.webp?revision=0"])
        for name, text in times.items():
            self.assertRegex(text, ISO_8601, name)
        self.assertLessEqual(times["createdAt"], times["uploadedAt"])
        self.assertLessEqual(times["uploadedAt"], times["updatedAt"])
        self.assertEqual(ours["exifData"], {"camera": "ACME Box One", "lens": "ACME 50mm F1.8", "iso": 400,
                                            "shutterSpeed": "1/125", "takenAt": "2024-05-01T10:11:12"})
        self.assertRegex(ours["blurhash"], r"^L.{27}$")
        self.assertRegex(ours["perceptualHash"], r"^[0-9a-f]{16}$")
        self.assertTrue(1 <= len(ours["dominantColors"]) <= 5)
        for color in ours["dominantColors"]:
            self.assertRegex(color, r"^#[0-9a-f]{6}$")

    def test_IMG_2_what_a_person_says_and_how_the_camera_was_held(self):
        """IMG-2: the optional texts are there once they were said; dimensions are those of the upright picture."""
        image_id = self.ada.upload(photos.jpeg("IMG-2 upright", 400, 300, exif=photos.camera_exif(orientation=6)))
        image = self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual((image["width"], image["height"]), (300, 400))
        thumbnail = self.gallery.follow(image["thumbnailUrl"])
        self.assertEqual(photos.size_of(thumbnail.body), (192, 256))
        said = {"title": "Tower", "description": "A tower.", "altText": "A tall tower", "tags": ["tower", "stone"]}
        self.assertEqual(self.ada.change(image_id, image["version"], **said).status, 200)
        item = self.gallery.record(image_id)
        self.assertEqual({name: item[name] for name in said}, said)
        # Correction: the index of albums is sparse, so both of its keys are absent from an image without one.
        self.assertFalse({"albumId", "GSI2PK", "GSI2SK"} & set(item))

    def test_IMG_1_the_table(self):
        """IMG-1: the table of the document, on demand, recoverable, with a stream; what is written is encrypted."""
        image_id = self.ada.upload(photos.png("IMG-1", 40, 30), "IMG-1 in plain text.png")
        item = self.gallery.record(image_id)
        self.assertEqual((item["PK"], item["SK"]), (f"IMAGE#{image_id}", "METADATA"))
        table = self.dynamodb.describe_table(TableName=IMAGES)["Table"]
        self.assertEqual({key["KeyType"]: key["AttributeName"] for key in table["KeySchema"]}, {"HASH": "PK", "RANGE": "SK"})
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual(table["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        backups = self.dynamodb.describe_continuous_backups(TableName=IMAGES)["ContinuousBackupsDescription"]
        self.assertEqual(backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "ENABLED")
        files = [path for path in self.gallery.table_files().rglob("*") if path.is_file()]
        self.assertTrue(files)
        self.assertFalse([path for path in files if b"IMG-1 in plain text" in path.read_bytes()])

    def test_IMG_2_an_upload_by_a_form(self):
        """IMG-2: a form's file is the same upload, with the name it has there; the same bytes are the same image."""
        picture = photos.jpeg("IMG-2 form")
        answer = self.ada.post_form(picture, "from a form.jpg")
        self.assertEqual(answer.status, 202)
        item = self.gallery.record(answer.json["id"])
        self.assertEqual((item["originalFilename"], item["fileSize"], item["mimeType"]),
                         ("from a form.jpg", len(picture), "image/jpeg"))
        again = self.ada.post_image(picture, "another name.jpg")
        self.assertEqual((again.status, again.json["id"]), (200, answer.json["id"]))
        told = self.ada.post_form(photos.png("IMG-2 told", 40, 30), "told.png", before={"title": "A form", "albumId": ""},
                                  after={"visibility": "shared"})
        self.assertEqual((told.status, told.json["title"], told.json["visibility"]), (202, "A form", "shared"))
        self.assertNotIn("albumId", told.json)
        wrong = self.ada.post_form(photos.png("IMG-2 wrong", 40, 30), "wrong.png", after={"visibility": "nobody"})
        self.assertEqual((wrong.status, wrong.json["code"]), (400, "InvalidRequest"))

    def test_IMG_3_newest_first(self):
        """IMG-3: the newest 20 of a user, newest first, by the document's query."""
        cleo = self.gallery.sign_up("cleo")
        uploaded = [cleo.upload(photos.png(f"IMG-3 {n}", 40, 30)) for n in range(24)]
        self.bob.upload(photos.png("IMG-3 of somebody else", 40, 30))
        newest = self.newest_of(cleo.user_id)
        self.assertEqual([item["id"] for item in newest["Items"]], uploaded[:3:-1])
        self.assertIn("LastEvaluatedKey", newest)

    def listed_by_pages(self, account, limit):
        listed, cursor = [], ""
        while True:
            page = account.call("GET", f"/images?limit={limit}{cursor}")
            self.assertEqual(page["hasMore"], page["lastEvaluatedKey"] is not None)
            listed += [image["id"] for image in page["items"]]
            if not page["hasMore"]:
                return listed
            cursor = f"&cursor={page['lastEvaluatedKey']}"

    def test_IMG_6_pages(self):
        """IMG-6: a user's images over REST, in pages of any size: each image once though others come and go
        meanwhile."""
        carol = self.gallery.sign_up("carol")
        uploaded = [carol.upload(photos.png(f"IMG-6 lasting {n}", 40, 30)) for n in range(24)]
        self.bob.upload(photos.png("IMG-6 of somebody else", 40, 30))
        stop, others, failures = threading.Event(), [], []

        def come_and_go():
            try:
                while not stop.is_set():
                    others.append(carol.upload(photos.png(f"IMG-6 {len(others)}", 40, 30)))
                    carol.delete(others[-1], permanent=len(others) % 2 == 0)
            except Exception as failure:  # pylint: disable=broad-except
                failures.append(failure)

        thread = threading.Thread(target=come_and_go)
        thread.start()
        # Until somebody has come and gone meanwhile, which takes its time on a busy machine.
        deadline = time.monotonic() + 60
        while len(others) < 3 and not failures and time.monotonic() < deadline:
            for limit in (1, 5, 100):
                listed = self.listed_by_pages(carol, limit)
                self.assertEqual([image_id for image_id in listed if image_id in uploaded], uploaded[::-1], limit)
                self.assertEqual(len(listed), len(set(listed)))
        stop.set()
        thread.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(others), 1)
        # The cursor is sealed: nobody else can use it, and nobody can make one.
        cursor = carol.call("GET", "/images?limit=1")["lastEvaluatedKey"]
        self.assertEqual(self.bob.send("GET", f"/images?cursor={cursor}").status, 400)
        changed = ("A" if cursor[10] != "A" else "B").join((cursor[:10], cursor[11:]))
        self.assertEqual(carol.send("GET", f"/images?cursor={changed}").status, 400)

    def test_IMG_4_the_index_of_albums_follows(self):
        """IMG-4: an image is in the index of its album alone, wherever it is moved to; one without an album is in
        none."""
        first, second = (self.ada.upload(photos.png(f"IMG-4 {n}", 40, 30), albumId="spring") for n in range(2))
        alone = self.ada.upload(photos.png("IMG-4 alone", 40, 30))
        self.assertEqual(self.images_of_album("spring"), [second, first])
        for image_id, album, spring, summer in (
                (first, "summer", [second], [first]), (second, "summer", [], [second, first]),
                (alone, "spring", [alone], [second, first]), (first, None, [alone], [second]),
                (alone, None, [], [second]), (first, "spring", [first], [second])):
            version = self.ada.image(image_id)["version"]
            changed = self.ada.change(image_id, version, albumId=album)
            self.assertEqual((changed.status, changed.json.get("albumId")), (200, album))
            self.assertEqual((self.images_of_album("spring"), self.images_of_album("summer")), (spring, summer))

    def test_IMG_5_by_id(self):
        """IMG-5: the document's GetItem and REST answer the same image; what is not there is not found."""
        image_id = self.ada.upload(photos.webp("IMG-5"), "small.webp", title="By id")
        answered = self.gallery.wait_developed(self.ada, image_id)
        item = self.get_image(image_id)
        for name, value in item.items():
            if name in ("PK", "SK", "GSI1PK", "GSI1SK", "sha256", "imageUrl", "thumbnailUrl", "exifData"):
                continue
            kind, text = next(iter(value.items()))
            if kind == "L":
                self.assertEqual(answered[name], [member["S"] for member in text], name)
            else:
                self.assertEqual(answered[name], text if kind == "S" else float(text), name)
        for name in ("imageUrl", "thumbnailUrl"):
            self.assertTrue(answered[name].startswith(item[name]["S"] + "&expires="), name)
        self.assertIsNone(self.get_image("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        missing = self.ada.send("GET", "/images/01ARZ3NDEKTSV4RRFFQ69G5FAV")
        self.assertEqual((missing.status, missing.json["code"]), (404, "NotFound"))
        self.assertEqual(missing.headers["Content-Type"], "application/problem+json")

    def test_IMG_8_two_editors_one_wins(self):
        """IMG-8: of two who change the same version at once one wins, and the other is told; nothing is lost."""
        image_id = self.ada.upload(photos.png("IMG-8", 40, 30))
        self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(self.ada.send("PATCH", f"/images/{image_id}", {"title": "x"}).status, 428)
        with concurrent.futures.ThreadPoolExecutor(2) as editors:
            for version in range(1, 11):
                self.assertEqual(self.ada.send("GET", f"/images/{image_id}").headers["ETag"], f'"{version}"')
                answers = list(editors.map(lambda title, seen=version: self.ada.change(image_id, seen, title=title),
                                           (f"left {version}", f"right {version}")))
                self.assertEqual(sorted(answer.status for answer in answers), [200, 412])
                winner = next(answer for answer in answers if answer.status == 200)
                self.assertEqual(self.ada.image(image_id)["title"], winner.json["title"])
                self.assertEqual(winner.headers["ETag"], f'"{version + 1}"')

    def test_IMG_8_writers_of_different_tags_lose_none(self):
        """IMG-8: of eight who add one tag each to the same version at once, and who read the image again when they are
        refused, none loses a tag; each tag is a version."""
        image_id = self.ada.upload(photos.png("IMG-8 tags", 40, 30))
        read = self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(read["tags"], [])
        tags = [f"tag-{n}" for n in range(8)]
        start = threading.Barrier(len(tags))

        def add(tag):
            """Returns how often it was refused. Each refusal means that another tag came: there are at most seven."""
            image = read
            start.wait(60)
            for refusals in range(len(tags)):
                answer = self.ada.change(image_id, image["version"], tags=[*image["tags"], tag])
                if answer.status == 200:
                    return refusals
                self.assertEqual((answer.status, answer.json["code"]), (412, "VersionChanged"), answer.body)
                image = self.ada.image(image_id)
            self.fail(f"{tag} was refused {len(tags)} times")

        with concurrent.futures.ThreadPoolExecutor(len(tags)) as writers:
            refusals = sum(writers.map(add, tags))
        self.assertGreaterEqual(refusals, len(tags) - 1, "all but one began with a version that is no more")
        image = self.ada.image(image_id)
        self.assertEqual((sorted(image["tags"]), image["version"]), (tags, read["version"] + len(tags)))

    def test_IMG_8_the_document_s_update_takes_the_same_lock(self):
        """IMG-8: the document's update and REST refuse each other's stale versions; its tags end in the copies."""
        image_id = self.ada.upload(photos.png("IMG-8 printed", 40, 30))
        self.gallery.wait_developed(self.ada, image_id)
        updated = self.update_image(image_id, 1, "By the SDK", ["brick", "blue"])
        self.assertEqual((updated["version"], updated["title"]), ({"N": "2"}, {"S": "By the SDK"}))
        self.assertEqual(self.ada.change(image_id, 1, title="stale").status, 412)
        self.assertEqual(self.ada.change(image_id, 2, description="Three bricks").status, 200)
        with self.assertRaises(self.dynamodb.exceptions.ConditionalCheckFailedException):
            self.update_image(image_id, 2, "stale", [])
        item = self.gallery.record(image_id)
        self.assertEqual((item["version"], item["title"], item["tags"], item["description"]),
                         (3, "By the SDK", ["brick", "blue"], "Three bricks"))

        def copies():
            sparks = self.gallery.get(SPARKS, PK=image_id, SK=f"UPLOADED_BY#{self.ada.email}")
            photo = self.gallery.get(PHOTOS, username="ada", id=image_id)
            postings = [self.gallery.get("tintype", PK=f"TAG#{self.ada.user_id}#{tag}", SK=image_id)
                        for tag in ("brick", "blue")]
            return sparks["tags"] == ["brick", "blue"] and photo["description"] == "Three bricks" and all(postings)

        wait_until(copies, "the copies of tags and description")

    def test_IMG_9_only_the_owner(self):
        """IMG-9: somebody else gets 404 for whatever they try, and changes nothing."""
        image_id = self.ada.upload(photos.png("IMG-9", 40, 30), title="Mine")
        self.gallery.wait_developed(self.ada, image_id)
        before = self.gallery.record(image_id)
        job = {"imageId": image_id, "provider": "stub", "operations": [{"op": "rotate", "degrees": 90}]}
        for method, path, body in (
                ("GET", f"/images/{image_id}", None), ("PATCH", f"/images/{image_id}", {"title": "Theirs"}),
                ("DELETE", f"/images/{image_id}", None), ("DELETE", f"/images/{image_id}?permanent=true", None),
                ("POST", f"/images/{image_id}/share", None), ("POST", f"/images/{image_id}/unshare", None),
                ("POST", f"/images/{image_id}/restore", None), ("GET", f"/images/{image_id}/versions", None),
                ("POST", f"/images/{image_id}/revert", {"revision": 0}), ("GET", f"/media/{image_id}", None),
                ("GET", f"/media/{image_id}/analysis", None), ("POST", "/jobs", job)):
            answer = self.bob.send(method, path, body, {"If-Match": '"1"'})
            self.assertEqual((answer.status, answer.json["code"]), (404, "NotFound"), (method, path))
            self.assertNotIn(b"Mine", answer.body)
        self.assertEqual(self.gallery.record(image_id), before)

    def test_IMG_9_SPK_10_the_document_s_delete_ends_as_ours_does(self):
        """IMG-9 and SPK-10: the document's conditional delete returns the old item, and the reconciler removes the rest
        of the image; the limit comes back once."""
        limit = self.ada.limit()
        image_id = self.ada.upload(photos.png("IMG-9 printed", 300, 200))
        version = self.gallery.wait_developed(self.ada, image_id)["version"]
        self.ada.change(image_id, version, tags=["going", "gone"])
        with self.assertRaises(self.dynamodb.exceptions.ConditionalCheckFailedException):
            self.delete_image(image_id, self.bob.user_id)
        old = self.delete_image(image_id, self.ada.user_id)
        self.assertEqual((old["id"], old["processingStatus"]), ({"S": image_id}, {"S": "completed"}))
        self.gallery.wait_deleted(image_id)
        self.assertEqual(self.ada.limit(), limit)
        self.assertEqual(self.ada.send("GET", f"/images/{image_id}").status, 404)

    def test_IMG_11_ids_are_ulids(self):
        """IMG-11: ids are ULIDs of the moment, ascending also when many are made at once, and one id holds
        everywhere."""
        started = int(time.time() * 1000)
        ids = [self.ada.upload(photos.png(f"IMG-11 {n}", 40, 30)) for n in range(5)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            ids += pool.map(lambda n: self.ada.upload(photos.png(f"IMG-11 {n}", 40, 30)), range(5, 21))
        self.assertEqual(ids[:5], sorted(ids[:5]))
        self.assertLess(ids[4], min(ids[5:]))
        self.assertEqual(len(set(ids)), len(ids))
        for image_id in ids:
            self.assertRegex(image_id, rf"^[0-7][{CROCKFORD}]{{25}}$")
            made = 0
            for letter in image_id[:10]:
                made = made * 32 + CROCKFORD.index(letter)
            self.assertTrue(started - 1 <= made <= time.time() * 1000 + 1, image_id)
        self.assertEqual(self.gallery.get(PHOTOS, username="ada", id=ids[0])["id"], ids[0])
        self.assertEqual(self.gallery.get(INGEST, uuid=ids[0])["uuid"], ids[0])
        self.assertEqual(self.gallery.get(SPARKS, PK=ids[0], SK=f"UPLOADED_BY#{self.ada.email}")["imageId"], ids[0])

    def test_IMG_11_ascending_within_a_millisecond(self):
        """IMG-11: ids that were made in the same millisecond follow each other by one, as the specification of ULIDs
        has it; random ones would be far apart."""
        ids = set()

        def neighbours():
            """Pairs of the same millisecond, as the differences of their random parts."""
            numbers = sorted(int("".join(f"{CROCKFORD.index(letter):05b}" for letter in image_id), 2) for image_id in ids)
            return [second - first for first, second in zip(numbers, numbers[1:]) if first >> 80 == second >> 80]

        dana = self.gallery.sign_up("dana")
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            for _ in range(20):
                pictures = [photos.png(f"IMG-11 at once {len(ids) + n}", 8, 8) for n in range(16)]
                ids.update(pool.map(dana.upload, pictures))
                if len(neighbours()) >= 3:
                    break
        self.assertGreaterEqual(len(neighbours()), 3, "too few ids of the same millisecond")
        # Other work of the server may have taken an id between two.
        self.assertEqual([gap for gap in neighbours() if not 1 <= gap <= 16], [])

    def test_IMG_12_temporary_images(self):
        """IMG-12: a temporary image has its `ttl` and vanishes after it from every table, index and blob, and from the
        limit; a failed upload leaves nothing; what is to last, lasts."""
        limit = self.ada.limit()
        lasting = self.ada.upload(photos.png("IMG-12 lasting", 40, 30))
        started = int(time.time())
        temporary = self.ada.upload(photos.png("IMG-12", 40, 30), "temporary.png", expiresIn=4, albumId="IMG-12", visibility="shared")
        item = self.gallery.record(temporary)
        self.assertIn(int(item["ttl"]) - started, range(4, 10))
        self.assertIn(temporary, self.images_of_album("IMG-12"))
        self.assertIn(temporary, [image["id"] for image in self.newest_of(self.ada.user_id)["Items"]])
        self.assertEqual(self.ada.limit(), limit - 2)
        self.gallery.wait_deleted(temporary)
        self.assertGreaterEqual(time.time(), int(item["ttl"]))
        self.assertEqual(self.ada.send("GET", f"/images/{temporary}").status, 404)
        self.assertNotIn(temporary, self.images_of_album("IMG-12"))
        self.assertEqual(self.ada.limit(), limit - 1)

        # The table's own expiry, by whoever sets `ttl`, ends the same.
        expired = self.ada.upload(photos.png("IMG-12 by another", 40, 30))
        self.gallery.wait_developed(self.ada, expired)
        self.documents.update_item(TableName=IMAGES, Key={"PK": f"IMAGE#{expired}", "SK": "METADATA"},
                                   UpdateExpression="SET #ttl = :ttl", ExpressionAttributeNames={"#ttl": "ttl"},
                                   ExpressionAttributeValues={":ttl": int(time.time()) - 60})
        self.gallery.wait_deleted(expired)
        self.assertEqual(self.ada.limit(), limit - 1)

        # An upload that fails: nothing of it is anywhere.
        self.ada.fail_to_upload(b"no photo " * 1000)
        wait_until(lambda: self.ada.limit() == limit - 1, "the refused upload back in the limit")
        self.gallery.wait_idle()
        uploads = [item for item in self.gallery.scan(SYSTEM) if item["PK"].startswith("UPLOAD#")]
        self.assertEqual((uploads, self.gallery.blobs("uploads/")), ([], []))
        self.assertNotIn("ttl", self.gallery.record(lasting))
        for wrong in ("0", "-1", "soon", "999999999999"):
            self.assertEqual(self.ada.post_image(photos.png("IMG-12 wrong", 40, 30), expiresIn=wrong).status, 400, wrong)

    def test_IMG_17_the_states_of_processing(self):
        """IMG-17: pending while it waits, processing while a worker is at it, completed in the end."""
        warm = self.ada.upload(photos.png("IMG-17 warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        with self.gallery.paused():
            first, second = (self.ada.upload(photos.png(f"IMG-17 {n}", 40, 30)) for n in range(2))
            wait_until(lambda: self.ada.image(first)["processingStatus"] == "processing", "that it is being processed")
            self.assertEqual(self.ada.image(second)["processingStatus"], "pending")
        for image_id in (first, second):
            self.assertNotIn("processingError", self.gallery.wait_developed(self.ada, image_id))

    def test_IMG_17_bad_files(self):
        """IMG-17: an empty file is refused in words and costs nothing; a photo or a document that cannot be developed
        is failed with its reason and keeps its original; others are unharmed."""
        limit = self.ada.limit()
        answer = self.ada.post_image(b"", "empty.jpg")
        self.assertEqual((answer.status, answer.json["code"], self.ada.limit()), (400, "InvalidRequest", limit))
        self.assertTrue(answer.json["detail"])

        failing = {"corrupt": photos.corrupt("IMG-17"), "bomb": photos.bomb(), "document": b"%PDF-1.7\n" + bytes(200_000)}
        for name, data in failing.items():
            image_id = self.ada.upload(data, name)
            failed = self.gallery.wait_developed(self.ada, image_id, "failed")
            self.assertGreater(len(failed["processingError"]), 10, name)
            self.assertEqual(self.get_image(image_id)["processingError"]["S"], failed["processingError"])
            self.assertEqual(self.gallery.blob(f"images/images/{image_id}/ORIGINAL"), data, name)
            self.assertEqual(self.gallery.blobs(f"images/images/{image_id}/"), [f"images/images/{image_id}/ORIGINAL"])

        # The bytes say what it is, whatever the client says.
        pretended = self.ada.upload(photos.png("IMG-17 pretended"), "pretended.jpg")
        self.assertEqual(self.gallery.wait_developed(self.ada, pretended)["mimeType"], "image/png")

    def test_IMG_17_torn_files(self):
        """IMG-17: the first 40 KB of a photo are shown as far as they go, and the record says so, in a word that stays
        the same, in words for a person, and by how much of the picture there is; the whole file is another photo, of
        which nothing is said."""
        whole = photos.jpeg("IMG-17 torn", 1200, 900)
        self.assertGreater(len(whole), 100_000)
        torn_id = self.ada.upload(whole[:40_000], "torn.jpg")
        torn = self.gallery.wait_developed(self.ada, torn_id)
        self.assertEqual((torn["width"], torn["height"]), (1200, 900))
        warning = torn["processingWarning"]
        self.assertEqual(warning["code"], "truncated")
        self.assertIn(f"About {warning['percentThere']} % of the picture is there.", warning["message"])
        self.assertLess(abs(warning["percentThere"] - 100 * 40_000 / len(whole)), 12)
        self.assertEqual(self.gallery.record(torn_id)["processingWarning"], warning)
        self.assertNotIn("processingError", torn)
        self.assertIn(b'"truncated":true', self.gallery.blob(f"images/{torn_id}/image/properties.json"))
        self.assertEqual(self.gallery.blob(f"images/images/{torn_id}/ORIGINAL"), whole[:40_000])
        [listed] = [image for image in self.ada.call("GET", "/images?limit=100")["items"] if image["id"] == torn_id]
        self.assertEqual(listed["processingWarning"], warning)

        whole_id = self.ada.upload(whole, "torn.jpg")
        self.assertNotEqual(whole_id, torn_id)
        self.assertNotIn("processingWarning", self.gallery.wait_developed(self.ada, whole_id))

        # Others see the picture, and nothing of what is wrong with its file.
        self.ada.call("POST", f"/images/{torn_id}/share")
        bob = self.gallery.sign_up("bobtorn")
        [shown] = [image for image in bob.call("GET", "/feed?limit=100")["images"] if image["imageId"] == torn_id]
        self.assertNotIn("processingWarning", shown)

        # Without a row of pixels there is nothing to show.
        nothing = self.ada.upload(whole[:900], "nothing.jpg")
        failed = self.gallery.wait_developed(self.ada, nothing, "failed")
        self.assertGreater(len(failed["processingError"]), 10)
        self.assertNotIn("processingWarning", failed)
        self.assertEqual(self.gallery.follow(failed["sizes"]["ORIGINAL"]).body, whole[:900])


@unittest.skipIf("TINTYPE_TEST_S3_ENDPOINT" in os.environ, "tests/s3/serve_test.py does this with S3")
class BucketsByStageTest(GalleryTest):
    ARGUMENTS = (*GalleryTest.ARGUMENTS, "--images-bucket", "images-lego-moc-prod", "--uploads-bucket",
                 "uploads-lego-moc-prod")

    def test_IMG_20_buckets_by_stage(self):
        """IMG-20: photos in files are in the bucket of the stage, which every record names."""
        data = photos.jpeg("IMG-20", 80, 60)
        image_id = self.ada.upload(data, "stage.jpg")
        image = self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual("images-lego-moc-prod", image["s3Bucket"])
        self.assertEqual("images-lego-moc-prod", self.gallery.record(image_id)["s3Bucket"])
        ingest = self.gallery.get(INGEST, uuid=image_id)
        self.assertEqual(("images-lego-moc-prod", f"images/{image_id}/ORIGINAL"), (ingest["bucket"], ingest["key"]))
        self.assertEqual("images-lego-moc-prod", ingest["input"]["destination"]["bucket"])
        self.assertEqual(data, self.gallery.blob(f"images-lego-moc-prod/images/{image_id}/ORIGINAL"))
        self.assertEqual(self.gallery.blobs(), self.gallery.blobs("images-lego-moc-prod/"))
        self.assertEqual(200, self.gallery.follow(image["imageUrl"]).status)
        self.ada.delete(image_id)
        self.gallery.wait_deleted(image_id)


if __name__ == "__main__":
    unittest.main(verbosity=2)
