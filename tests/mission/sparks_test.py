"""Sparks: users, limits, images and the feed as the product writes them, by the document's access patterns and the AWS
SDK.

The document prints its access patterns as operations with their keys; each is sent as such.
"""

import concurrent.futures
import http.client
import io
import json
import sys
import tempfile
import time
import unittest
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import SPARKS, Gallery, GalleryTest, wait_until  # noqa: E402

LIMIT = 30


class SparksTest(GalleryTest):
    ARGUMENTS = ("--workers", "1", "--upload-limit", str(LIMIT), "--rendition-quality", "70")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bob = cls.gallery.sign_up("bob")

    # The document's access patterns.

    def get_item(self, pk, sk):
        return self.documents.get_item(TableName="sparks", Key={"PK": pk, "SK": sk}).get("Item")

    def query(self, condition, value, index=None):
        request = {"TableName": "sparks", "KeyConditionExpression": condition, "ExpressionAttributeValues": {":value": value}}
        if index:
            request["IndexName"] = index
        return self.documents.query(**request)["Items"]

    def image_by_id(self, image_id):
        return self.query("PK = :value", image_id)

    def all_of_type(self, entity_type):
        return self.query("entityType = :value", entity_type, "entityType-PK-index")

    def feed(self):
        return [item["imageId"] for item in self.all_of_type("IMAGE")]

    def images_by_user(self, email):
        return [item["imageId"] for item in self.query("uploadedBy = :value", email, "uploadedBy-PK-index")]

    def test_SPK_1_the_items(self):
        """SPK-1: the items of a user, its limit and an image are the document's."""
        dora = self.gallery.sign_up("dora")
        image_id = dora.upload(photos.jpeg("SPK-1"), visibility="shared")
        self.gallery.wait_developed(dora, image_id)
        user = self.get_item(dora.email, dora.email)
        self.assertAlmostEqual(float(user.pop("createdAt")), time.time(), delta=60)
        self.assertRegex(user.pop("lastModified"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual(user, {"PK": dora.email, "SK": dora.email, "entityType": "USER", "email": dora.email, "username": "dora",
                                "userId": dora.user_id})
        self.assertEqual(self.get_item(f"LIMIT#{dora.email}", dora.email),
                         {"PK": f"LIMIT#{dora.email}", "SK": dora.email, "entityType": "DEFAULT_LIMIT", "limit": LIMIT - 1})
        self.assertEqual(dora.image(image_id)["quality"], 70, "--rendition-quality is not what was used")
        [image] = self.image_by_id(image_id)
        processed_at = image["images"]["processedAt"]
        for name in ("uploaded_datetime", "lastModified"):
            self.assertRegex(image.pop(name), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", name)
        self.assertEqual(image, {
            "PK": image_id, "SK": f"UPLOADED_BY#{dora.email}", "entityType": "IMAGE", "assetType": "IMAGE",
            "imageId": image_id, "uploadedBy": dora.email, "s3Key": f"originals/{image_id}.jpg",
            "images": {"large": f"processed/{image_id}_large.webp", "medium": f"processed/{image_id}_medium.webp",
                       "processedAt": processed_at},
            "persons": [], "tags": [],
            # Ours: what the image is when it comes out of the trash again.
            "visibility": "shared"})

    def test_SPK_2_the_indexes(self):
        """SPK-2: both global indexes and the local one return what the product wrote."""
        image_id = self.ada.upload(photos.png("SPK-2", 40, 30), visibility="shared")
        [item] = [item for item in self.all_of_type("IMAGE") if item["imageId"] == image_id]
        self.assertEqual(item["uploadedBy"], self.ada.email)
        self.assertIn(self.ada.email, [user["email"] for user in self.all_of_type("USER")])
        self.assertIn(image_id, self.images_by_user(self.ada.email))
        [limit] = self.query("PK = :value", f"LIMIT#{self.ada.email}", "PK-limit-index")
        self.assertEqual(limit["limit"], self.ada.limit())
        table = self.dynamodb.describe_table(TableName="sparks")["Table"]
        keys = {index["IndexName"]: [key["AttributeName"] for key in index["KeySchema"]]
                for index in table["GlobalSecondaryIndexes"] + table["LocalSecondaryIndexes"]}
        self.assertEqual(keys, {"entityType-PK-index": ["entityType", "PK"], "uploadedBy-PK-index": ["uploadedBy", "PK"],
                                "PK-limit-index": ["PK", "limit"]})

    def test_SPK_3_users(self):
        """SPK-3: a user by email, all users, and the limit that is left."""
        erin = self.gallery.sign_up("erin")
        self.assertEqual(self.get_item(erin.email, erin.email)["username"], "erin")
        users = {item["email"] for item in self.all_of_type("USER")}
        self.assertLessEqual({self.ada.email, self.bob.email, erin.email}, users)
        self.assertEqual(self.get_item(f"LIMIT#{erin.email}", erin.email)["limit"], LIMIT)
        self.assertEqual(erin.limit(), LIMIT)
        erin.upload(photos.png("SPK-3", 40, 30))
        self.assertEqual(self.get_item(f"LIMIT#{erin.email}", erin.email)["limit"], LIMIT - 1)

    def test_SPK_4_images(self):
        """SPK-4: by id, by uploader, and the feed, which has an image while it is shared and not in the trash."""
        first, second = (self.bob.upload(photos.png(f"SPK-4 {n}", 40, 30)) for n in range(2))
        self.gallery.wait_developed(self.bob, second)
        [item] = self.image_by_id(first)
        self.assertEqual(item["uploadedBy"], self.bob.email)
        self.assertLessEqual({first, second}, set(self.images_by_user(self.bob.email)))
        self.assertNotIn(first, self.images_by_user(self.ada.email))
        # Correction: the feed is of all shared images, and what is not shared is IMAGE#PRIVATE.
        self.assertNotIn(second, self.feed())
        self.bob.call("POST", f"/images/{second}/share")
        self.assertIn(second, self.feed())
        [shown] = [image for image in self.ada.call("GET", "/feed?limit=100")["images"] if image["imageId"] == second]
        [stored] = self.image_by_id(second)
        for name in ("uploaded_datetime", "s3Key", "images", "persons", "tags"):
            self.assertEqual(shown[name], stored[name], name)
        # Correction: others are shown by their usernames.
        self.assertEqual((shown["uploadedBy"], shown["username"]), (self.bob.username, self.bob.username))
        self.assertNotIn(self.bob.email.encode(), self.ada.send("GET", "/feed?limit=100").body)
        [own] = [image for image in self.bob.call("GET", "/feed?limit=100")["images"] if image["imageId"] == second]
        self.assertEqual((own["uploadedBy"], own["username"]), (self.bob.email, self.bob.username))
        self.assertNotIn("ORIGINAL", shown["sizes"])
        self.assertEqual(self.gallery.follow(shown["sizes"]["MEDIUM"]).status, 200)
        self.bob.delete(second, permanent=False)
        self.assertNotIn(second, self.feed())
        self.bob.call("POST", f"/images/{second}/restore")
        self.assertIn(second, self.feed())
        self.bob.call("POST", f"/images/{second}/unshare")
        self.assertNotIn(second, self.feed())
        self.assertNotIn(second, [image["imageId"] for image in self.ada.call("GET", "/feed?limit=100")["images"]])

    def test_SPK_6_every_spelling_of_a_key(self):
        """SPK-6: the document's keys, the other documents' and the stored ones are names of the same bytes."""
        original = photos.jpeg("SPK-6", 2400, 1600)
        image_id = self.ada.upload(original, "Größe.jpg")
        image = self.gallery.wait_developed(self.ada, image_id)
        user_id, folder = self.ada.user_id, f"images/images/{image_id}"
        for key, size, dimensions in (
                (f"originals/{image_id}.jpg", "ORIGINAL", (2400, 1600)),
                (f"processed/{image_id}_large.webp", "LARGE", (2048, 1365)),
                (f"processed/{image_id}_medium.webp", "MEDIUM", (1024, 683)),
                (f"images/{user_id}/{image_id}.webp", "LARGE", (2048, 1365)),
                (f"images/{user_id}/thumbnails/{image_id}.webp", "THUMB", (256, 171)),
                (f"images/{image_id}/SMALL", "SMALL", (512, 341))):
            answer = self.gallery.follow(self.gallery.sign(key))
            self.assertEqual((answer.status, answer.body == self.gallery.blob(f"{folder}/{size}")), (200, True), key)
            self.assertEqual(photos.size_of(answer.body), dimensions, key)
            self.assertEqual(answer.headers["Content-Type"], "image/jpeg" if size == "ORIGINAL" else "image/webp", key)
        self.assertEqual(set(image["sizes"]), {"ORIGINAL", "LARGE", "MEDIUM", "SMALL", "THUMB"})
        downloaded = self.gallery.follow(image["sizes"]["ORIGINAL"])
        self.assertEqual(downloaded.body, original)
        self.assertIn("filename*=UTF-8''Gr%C3%B6%C3%9Fe.jpg", downloaded.headers["Content-Disposition"])
        self.assertEqual(self.gallery.follow(self.gallery.sign("originals/01ARZ3NDEKTSV4RRFFQ69G5FAV.jpg")).status, 404)
        self.assertEqual(self.gallery.follow(self.gallery.sign("../secret")).status, 404)

    def test_keys_of_portraits(self):
        """The keys of persons' pictures answer what lies there, and need a link. Nothing of the product writes such
        pictures yet, so that the test does. What lies at the key of a profile picture that the account does not know
        of is shown to nobody."""
        portrait = photos.jpeg("SPK-6 portrait", 64, 64)
        key = "persons/person1.jpg"
        self.assertEqual(self.gallery.follow(self.gallery.sign(key)).status, 404)
        self.gallery.storage.write(f"images/{key}", portrait)
        answer = self.gallery.follow(self.gallery.sign(key))
        self.assertEqual((answer.status, answer.body, answer.headers["Content-Type"]), (200, portrait, "image/jpeg"))
        self.assertEqual(self.gallery.follow(self.gallery.sign(key)[:-1]).status, 403)
        key = f"profile-pictures/{self.ada.email}/profile.jpg"
        self.gallery.storage.write(f"images/{key}", portrait)
        for audience in ("people", "owner"):
            self.assertEqual(self.gallery.follow(self.gallery.sign(key, audience=audience)).status, 404, audience)

    def user_item(self, account):
        return self.get_item(account.email, account.email)

    def made(self, username):
        """A new account of that name, by the administrator; sign-ups are throttled."""
        account = rest.Account(lambda: self.gallery.address, username)
        self.gallery.administrator.call("POST", "/users", {"email": account.email, "username": username,
                                                           "password": "correct horse battery"})
        account.log_in()
        return account

    def pictures(self, account):
        """The keys of everything that is stored as the account's profile picture."""
        blobs = self.gallery.blobs("images/profile-pictures/")
        return [blob.removeprefix("images/") for blob in blobs if account.email in blob or account.user_id in blob]

    def put_picture(self, account, data):
        return account.send("PUT", "/me/picture", data, {"Content-Type": "application/octet-stream"})

    def test_SPK_14_the_profile(self):
        """SPK-14: the USER item carries the display name, which can change and be taken away, and further attributes of
        the profile; whoever looks at the account by REST sees the same."""
        grace = self.made("grace")
        made = self.user_item(grace)
        self.assertEqual((made["userId"], made["username"]), (grace.user_id, "grace"))
        self.assertAlmostEqual(float(made["createdAt"]), time.time(), delta=60)
        for name, about in (("Grace Hopper", "Finds bugs."), ("Amazing Grace", "Found them: \u866b, \U0001f41b")):
            me = grace.call("PATCH", "/me", {"displayName": name, "about": about})
            self.assertEqual((me["displayName"], me["about"]), (name, about))
            item = self.user_item(grace)
            self.assertEqual((item["username"], item["displayName"], item["about"]), (name, name, about))
            self.assertGreater(item["lastModified"], made["lastModified"])
            self.assertEqual((item["userId"], item["createdAt"], item["email"]), (grace.user_id, made["createdAt"], grace.email))
            # By the document's access pattern too.
            self.assertIn(name, [user["username"] for user in self.all_of_type("USER")])
            listed = self.gallery.administrator.call("GET", f"/users/{grace.user_id}")
            self.assertEqual((listed["displayName"], listed["about"]), (name, about))
        grace.call("PATCH", "/me", {"displayName": None, "about": None})
        item = self.user_item(grace)
        self.assertEqual(item["username"], "grace")
        self.assertFalse({"displayName", "about"} & set(item))
        for body in ({"about": "x" * 501}, {"about": ""}, {"displayName": "x" * 81}, {"about": 7}, {"picture": "mine"}):
            self.assertEqual(grace.send("PATCH", "/me", body).status, 400, body)

    def test_SPK_14_the_picture(self):
        """SPK-14: the profile picture is at the key that the USER item names, square, upright and without metadata; its
        link is signed, shows one picture for ever, and nothing once that is replaced or removed."""
        grace = self.made("gracie")
        key = f"profile-pictures/{grace.email}/profile.jpg"
        self.assertNotIn("profilePicture", self.user_item(grace))
        self.assertIsNone(grace.call("GET", "/me")["picture"])
        # Red above, blue below, lying on its side, with a camera's name and the place in it.
        painted = Image.new("RGB", (900, 600), (200, 20, 20))
        painted.paste((20, 20, 200), (0, 300, 900, 600))
        exif = photos.place_exif()
        exif[photos.ORIENTATION] = 6
        data = photos.encode(painted.transpose(Image.ROTATE_90), "JPEG", exif=exif, quality=95)
        answer = self.put_picture(grace, data)
        self.assertEqual(answer.status, 200, answer.body)
        first = answer.json["picture"]
        self.assertEqual(self.user_item(grace)["profilePicture"], key)
        shown = self.gallery.follow(first)
        self.assertEqual((shown.status, shown.headers["Content-Type"]), (200, "image/jpeg"))
        # Another one comes under the same key, so browsers ask again after a while.
        self.assertEqual(shown.headers["Cache-Control"], "private, max-age=600")
        self.assertEqual(self.gallery.blob(f"images/{key}"), shown.body)
        self.assertNotIn(b"Exif", shown.body)
        self.assertNotIn(b"ACME", shown.body)
        self.assertNotIn(grace.email, first)
        with Image.open(io.BytesIO(shown.body)) as picture:
            self.assertEqual((picture.format, picture.size, picture.mode), ("JPEG", (512, 512), "RGB"))
            upper, lower = picture.getpixel((256, 100)), picture.getpixel((256, 412))
        self.assertTrue(upper[0] > 150 > upper[2] and lower[2] > 150 > lower[0], (upper, lower))

        # The same again is the same; its link is as good as before.
        again = self.put_picture(grace, data).json["picture"]
        self.assertEqual(again.partition("&")[0], first.partition("&")[0])
        for make in (photos.png, photos.webp, photos.gif, lambda seed, *size: photos.by_vips(photos.paint(seed, *size), ".heic")):
            answer = self.put_picture(grace, make("SPK-14", 300, 200))
            self.assertEqual(answer.status, 200, answer.body)
            link = answer.json["picture"]
            with Image.open(io.BytesIO(self.gallery.follow(link).body)) as picture:
                self.assertEqual((picture.format, picture.size), ("JPEG", (200, 200)))
        self.assertEqual(grace.call("GET", "/me")["picture"].partition("&")[0], link.partition("&")[0])
        # Of a long picture the square is as large as there is, from its middle.
        for width, height, side in ((6000, 400, 400), (500, 8000, 500), (16000, 16, 16)):
            painted = Image.new("RGB", (width, height), (200, 20, 20))
            left, top = (width - side) // 2, (height - side) // 2
            painted.paste((20, 20, 200), (left, top, left + side, top + side))
            answer = self.put_picture(grace, photos.encode(painted, "PNG"))
            self.assertEqual(answer.status, 200, answer.body)
            link = answer.json["picture"]
            with Image.open(io.BytesIO(self.gallery.follow(link).body)) as picture:
                self.assertEqual(picture.size, (side, side))
                self.assertGreater(picture.getpixel((side // 2, side // 2))[2], 150)
        wait_until(lambda: self.gallery.follow(first).status == 404, "the end of the first link", 2)
        self.assertEqual(self.pictures(grace), [key])

        # Links are signed, for one revision, and for profile pictures alone.
        for changed in (link.replace("revision=", "revision=1"), link[:link.index("&signature")], link.replace("expires=", "expires=9")):
            self.assertEqual(self.gallery.follow(changed).status, 403, changed)
        revision = int(link.partition("revision=")[2].partition("&")[0])
        self.assertEqual(self.gallery.follow(self.gallery.sign(key, revision, audience="people")).status, 200)
        self.assertEqual(self.gallery.follow(self.gallery.sign(key, revision, audience="owner")).status, 404)
        self.assertEqual(self.gallery.follow(self.gallery.sign(key, revision + 1, audience="people")).status, 404)

        # Others see it beside what she shares, administrators in their list.
        shared = grace.upload(photos.png("SPK-14 shared", 40, 30), visibility="shared")
        grace.call("PATCH", "/me", {"displayName": "Gracie"})
        [seen] = [image for image in self.bob.call("GET", "/feed")["images"] if image["imageId"] == shared]
        self.assertEqual(seen["displayName"], "Gracie")
        self.assertEqual(self.gallery.follow(seen["picture"]).status, 200)
        self.assertNotIn(grace.email, json.dumps(seen))
        listed = self.gallery.administrator.call("GET", f"/users/{grace.user_id}")
        self.assertEqual(self.gallery.follow(listed["picture"]).status, 200)

        removed = grace.send("DELETE", "/me/picture")
        self.assertEqual((removed.status, removed.json["picture"]), (200, None))
        self.assertNotIn("profilePicture", self.user_item(grace))
        self.assertEqual(self.pictures(grace), [])
        wait_until(lambda: self.gallery.follow(link).status == 404, "the end of the link", 2)
        self.assertEqual(grace.send("DELETE", "/me/picture").status, 200)

    def test_SPK_14_what_can_be_no_picture(self):
        """SPK-14: what is torn, hostile or no picture is refused with a reason, and the picture that was there
        stays."""
        heidi = self.made("heidi")
        before = self.put_picture(heidi, photos.png("heidi", 100, 100)).json["picture"]
        whole = photos.jpeg("torn", 640, 480)
        for what, data, status, code in (
                ("nothing", b"", 400, "InvalidRequest"),
                ("a text", b"no photo at all", 415, "UnsupportedMediaType"),
                ("a page", b"<svg xmlns='http://www.w3.org/2000/svg'/>", 415, "UnsupportedMediaType"),
                ("torn", whole[:len(whole) // 2], 422, "CannotUsePicture"),
                ("nonsense", photos.corrupt("heidi"), 422, "CannotUsePicture"),
                ("a bomb", photos.bomb(), 413, "TooLarge"),
                ("tiny", photos.png("tiny", 8, 8), 422, "CannotUsePicture")):
            with self.subTest(what):
                answer = self.put_picture(heidi, data)
                self.assertEqual((answer.status, answer.json["code"]), (status, code), answer.body)
                self.assertTrue(answer.json["detail"])
        # By its length alone, before a byte of it is sent.
        connection = http.client.HTTPConnection(self.gallery.address, timeout=60)
        self.addCleanup(connection.close)
        headers = {"Authorization": heidi.authorization, "Content-Length": "20000001"}
        connection.putrequest("PUT", "/api/v1/me/picture")
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = rest.read_answer(connection, "PUT", "/api/v1/me/picture", None, headers)
        self.assertEqual((answer.status, answer.json["code"]), (413, "TooLarge"))
        self.assertEqual(self.gallery.follow(before).status, 200)
        self.assertEqual(self.pictures(heidi), [f"profile-pictures/{heidi.email}/profile.jpg"])
        heidi.call("DELETE", "/me/picture")

    def test_SPK_14_many_pictures_at_once(self):
        """SPK-14: of many who set a picture at once, one has theirs, and link, item and file agree; one is made at a
        time for an account, and others are told at once to come back; one account sends no more than so many a
        minute."""
        ivan = self.made("ivan")
        pictures = [photos.png(f"ivan {n}", 64, 64) for n in range(6)]
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda data: self.put_picture(ivan, data), pictures))
            self.assertLessEqual({200}, {answer.status for answer in answers}, [answer.body for answer in answers])
            self.assertLessEqual({answer.status for answer in answers}, {200, 503}, [answer.body for answer in answers])
            with self.gallery.paused():
                both = [pool.submit(self.put_picture, ivan, data) for data in pictures[:2]]
                [refused], _ = concurrent.futures.wait(both, 30, concurrent.futures.FIRST_COMPLETED)
            refused = refused.result()
            self.assertEqual((refused.status, refused.json["code"]), (503, "Overloaded"), refused.body)
            self.assertGreaterEqual(int(refused.headers["Retry-After"]), 1)
            self.assertEqual(sorted(answer.result().status for answer in both), [200, 503])
        key = self.user_item(ivan)["profilePicture"]
        shown = self.gallery.follow(ivan.call("GET", "/me")["picture"])
        self.assertEqual((shown.status, shown.body), (200, self.gallery.blob(f"images/{key}")))
        refused = next(answer for answer in (self.put_picture(ivan, b"nothing") for _ in range(500)) if answer.status != 415)
        self.assertEqual((refused.status, refused.json["code"]), (429, "TooManyRequests"))
        self.assertIn("Retry-After", refused.headers)
        ivan.call("DELETE", "/me/picture")

    def test_SPK_14_it_goes_with_the_account(self):
        """SPK-14: with the account goes its picture, and the links to it."""
        judy = self.made("judy")
        link = self.put_picture(judy, photos.png("judy", 64, 64)).json["picture"]
        self.assertEqual(judy.send("POST", "/me/deletion", {"password": "correct horse battery"}).status, 202)
        wait_until(lambda: self.gallery.follow(link).status == 404, "the end of the link", 2)
        wait_until(lambda: self.user_item(judy) is None, "the end of the account")
        self.assertEqual(self.pictures(judy), [])

    def test_SPK_6_links(self):
        """SPK-6: a link is good as it is and until it expires; the transfer has ranges, validators and headers."""
        image_id = self.ada.upload(photos.jpeg("SPK-6 links", 640, 480))
        url = self.gallery.wait_developed(self.ada, image_id)["imageUrl"]
        whole = self.gallery.follow(url)
        self.assertEqual((whole.status, whole.headers["Accept-Ranges"]), (200, "bytes"))
        size, etag = len(whole.body), whole.headers["ETag"]

        head = self.gallery.follow(url, "HEAD")
        self.assertEqual((head.status, head.body, head.headers["Content-Length"]), (200, b"", str(size)))
        for given, status, expected in (("bytes=0-99", 206, whole.body[:100]), (f"bytes={size - 5}-", 206, whole.body[-5:]),
                                        ("bytes=-7", 206, whole.body[-7:]), (f"bytes={size}-", 416, None)):
            part = self.gallery.follow(url, Range=given)
            self.assertEqual(part.status, status, given)
            if expected is not None:
                self.assertEqual(part.body, expected, given)
        self.assertEqual(self.gallery.follow(url, Range="bytes=0-9", If_Range=etag).status, 206)
        self.assertEqual(self.gallery.follow(url, Range="bytes=0-9", If_Range='"other"').body, whole.body)
        unchanged = self.gallery.follow(url, If_None_Match=etag)
        self.assertEqual((unchanged.status, unchanged.body), (304, b""))
        self.assertIn("immutable", whole.headers["Cache-Control"])

        changed = (url.replace("expires=", "expires=9"), url.replace("revision=0", "revision=1"),
                   url.replace(".webp", ".webp2"), url[:-1] + ("A" if url[-1] != "A" else "B"), url[:url.index("&signature")],
                   url[:url.index("?")])
        for link in changed:
            refused = self.gallery.follow(link)
            self.assertEqual((refused.status, refused.json["code"]), (403, "InvalidSignature"), link)
        key = f"originals/{image_id}.jpg"
        self.assertEqual(self.gallery.follow(self.gallery.sign(key, expires=int(time.time()) + 60)).status, 200)
        expired = self.gallery.follow(self.gallery.sign(key, expires=int(time.time()) - 1))
        self.assertEqual((expired.status, expired.json["code"]), (403, "LinkExpired"))

    def test_SPK_7_the_limit_admits_as_many_as_it_says(self):
        """SPK-7: of more uploads at once than the limit allows, exactly the limit are admitted; deleting gives one
        back, and so does an upload that ends without an image."""
        frank = self.gallery.sign_up("frank")
        pictures = [photos.png(f"SPK-7 {n}", 40, 30) for n in range(LIMIT + 12)]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(frank.post_image, pictures))
        admitted = [answer.json["id"] for answer in answers if answer.status == 202]
        refused = [answer.json["code"] for answer in answers if answer.status != 202]
        self.assertEqual((len(admitted), refused), (LIMIT, ["UploadLimitReached"] * 12))
        self.assertEqual(self.get_item(f"LIMIT#{frank.email}", frank.email)["limit"], 0)
        self.assertEqual(len(self.images_by_user(frank.email)), LIMIT)

        frank.delete(admitted[0])
        wait_until(lambda: frank.limit() == 1, "the deleted image back in the limit")
        frank.fail_to_upload()
        wait_until(lambda: frank.limit() == 1, "the failed upload back in the limit")
        uploaded = {answer.json["id"]: picture for answer, picture in zip(answers, pictures) if answer.status == 202}
        again = frank.post_image(uploaded[admitted[1]])
        self.assertEqual((again.status, again.json["id"]), (200, admitted[1]))
        self.assertEqual(frank.limit(), 1)

    def test_SPK_7_an_administrator_has_no_limit(self):
        """SPK-7: an account without a limit uploads any number, and nothing counts; once it is given one, while uploads
        go on, exactly so many more are admitted. Correction: the number stands for no limit."""
        unlimited = 9007199254740991
        # With a server of its own, whose administrator nobody else is.
        gallery = Gallery(("--workers", "1", "--upload-limit", "3"))
        self.addCleanup(gallery.stop)
        root = gallery.sign_up_administrator()
        key = {"PK": f"LIMIT#{root.email}", "SK": root.email}
        images = [root.upload(photos.png(f"SPK-7 free {n}", 40, 30)) for n in range(6)]
        self.assertEqual((root.limit(), gallery.get(SPARKS, **key)["limit"]), (None, unlimited))
        root.delete(images[0])
        gallery.wait_deleted(images[0])
        root.fail_to_upload()
        gallery.wait_idle()
        self.assertEqual((root.limit(), gallery.get(SPARKS, **key)["limit"]), (None, unlimited))

        admitted = []

        def upload_until_refused(n):
            for attempt in range(200):
                answer = root.post_image(photos.png(f"SPK-7 free {n} {attempt}", 40, 30))
                if answer.status != 202:
                    return answer.json
                admitted.append(answer.json["id"])
            return None

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            uploading = [pool.submit(upload_until_refused, n) for n in range(4)]
            wait_until(lambda: len(admitted) >= 8, "uploads without a limit")
            self.assertIsNone(root.limit())
            set_to = gallery.run("users", "limit", "root", "5")
            # The others may have taken some of them before the command reads what is left.
            self.assertRegex(set_to.stdout, r"^root \(root@example\.com\): ([02345] uploads|1 upload) left\n$")
            self.assertEqual(set_to.returncode, 0)
            refused = [one.result() for one in uploading]
        self.assertEqual([answer["code"] for answer in refused], ["UploadLimitReached"] * 4)
        self.assertIn("'tintype users limit root none'", refused[0]["detail"])
        self.assertEqual((root.limit(), gallery.get(SPARKS, **key)["limit"]), (0, 0))
        # Whatever it took once, each image that goes gives one back.
        for image_id in (images[1], admitted[-1]):
            root.delete(image_id)
            gallery.wait_deleted(image_id)
        self.assertEqual(root.limit(), 2)
        # Everybody else has what the server was told, and is told to ask.
        eve = gallery.sign_up("eve")
        answers = [eve.post_image(photos.png(f"SPK-7 eve {n}", 40, 30)) for n in range(4)]
        self.assertEqual([answer.status for answer in answers], [202, 202, 202, 403])
        self.assertRegex(answers[3].json["detail"], "Delete photos for good, or ask the person who runs this server")

    def test_SPK_10_deletion_leaves_nothing(self):
        """SPK-10: after a deletion nothing in any table or blob names the image, however much hung on it; it may be
        asked for again; the limit comes back once."""
        limit = self.ada.limit()
        image_id = self.ada.upload(photos.jpeg("SPK-10", 400, 300), visibility="shared", albumId="going")
        version = self.gallery.wait_developed(self.ada, image_id)["version"]
        self.assertEqual(self.ada.change(image_id, version, tags=["one", "two"], description="Going").status, 200)
        job = self.ada.create_job(image_id, {"op": "rotate", "degrees": 90})
        self.assertEqual(self.gallery.wait_job(self.ada, job["jobId"])["status"], "COMPLETED")
        # Nothing of the product writes these yet. Whoever wrote them, they have to go with the image.
        for n in range(3):
            self.documents.put_item(TableName="sparks", Item={
                "PK": image_id, "SK": f"PERSON#person{n}", "entityType": f"TAGGING#person{n}",
                "s3Key": f"processed/{image_id}_large.webp", "createdAt": 1754040302})
        self.assertEqual(len(self.image_by_id(image_id)), 4)
        # Five sizes of two revisions, and what analysis found.
        self.assertEqual(len([key for key in self.gallery.blobs() if image_id in key]), 11)
        link = self.ada.image(image_id)["imageUrl"]

        self.assertEqual(self.ada.delete(image_id).status, 202)
        self.assertIn(self.ada.delete(image_id).status, (202, 404))
        self.assertEqual(self.ada.send("GET", f"/images/{image_id}").status, 404)
        self.gallery.wait_deleted(image_id)
        self.assertEqual(self.image_by_id(image_id), [])
        self.assertEqual(self.gallery.follow(link).status, 404)
        self.assertEqual(self.ada.delete(image_id).status, 404)
        self.assertEqual(self.ada.limit(), limit)
        self.assertEqual(self.get_item(f"LIMIT#{self.ada.email}", self.ada.email)["limit"], limit)
        # The same bytes are a new image.
        again = self.ada.upload(photos.jpeg("SPK-10", 400, 300))
        self.assertNotEqual(again, image_id)

    def test_SPK_10_an_image_in_the_trash_can_come_back(self):
        """SPK-10: the trash keeps everything but the listing; uploading the same bytes, or asking, takes it out
        again."""
        picture = photos.png("SPK-10 trash", 40, 30)
        image_id = self.ada.upload(picture, albumId="kept")
        self.gallery.wait_developed(self.ada, image_id)
        limit, blobs = self.ada.limit(), self.gallery.blobs(f"images/images/{image_id}/")
        self.assertEqual(self.ada.delete(image_id, permanent=False).status, 202)
        self.assertEqual(self.ada.send("GET", f"/images/{image_id}").status, 404)
        item = self.gallery.record(image_id)
        self.assertFalse({"GSI1SK", "GSI2PK", "GSI2SK"} & set(item))
        self.assertEqual(self.image_by_id(image_id)[0]["entityType"], "IMAGE#TRASHED")
        self.assertEqual(self.gallery.blobs(f"images/images/{image_id}/"), blobs)
        back = self.ada.post_image(picture)
        self.assertEqual((back.status, back.json["id"]), (200, image_id))
        self.assertEqual(self.gallery.record(image_id)["GSI2PK"], "ALBUM#kept")
        self.assertEqual(self.ada.limit(), limit)

    def test_SPK_12_the_upload_answers_first(self):
        """SPK-12: an upload is answered and listed while its renditions wait for a worker, and they come when there is
        one."""
        warm = self.ada.upload(photos.png("SPK-12 warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        with self.gallery.paused():
            answer = self.ada.post_image(photos.jpeg("SPK-12"))
            image_id = answer.json["id"]
            self.assertEqual((answer.status, answer.json["processingStatus"]), (202, "pending"))
            self.assertNotIn("sizes", answer.json)
            self.assertIn(image_id, self.images_by_user(self.ada.email))
            self.assertNotIn("images", self.image_by_id(image_id)[0])
            self.assertFalse([key for key in self.gallery.blobs() if image_id in key and "LARGE" in key])
        self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(self.image_by_id(image_id)[0]["images"]["large"], f"processed/{image_id}_large.webp")


class DurableQueueTest(unittest.TestCase):
    def test_SPK_12_M2C_7_the_queue_survives_a_kill(self):
        """SPK-12, M2C-7: what was answered while the worker was busy is processed by the next server, when this one is
        killed: all of it, once."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        gallery = Gallery(("--workers", "1"), data_dir=f"{folder}/data")
        ada = gallery.sign_up("ada")
        warm = ada.upload(photos.png("SPK-12 warm again", 40, 30))
        gallery.wait_developed(ada, warm)
        gallery.wait_idle()
        with gallery.paused():
            uploaded = [ada.upload(photos.png(f"SPK-12 queued {n}", 40, 30)) for n in range(6)]
            limit = ada.limit()
            gallery.server.kill()
        gallery.start()
        self.addCleanup(gallery.stop)
        ada.log_in()
        for image_id in uploaded:
            gallery.wait_developed(ada, image_id)
        gallery.wait_idle()
        self.assertEqual((ada.limit(), gallery.work_at_hand()), (limit, []))
        for image_id in uploaded:
            [item] = [item for item in gallery.scan(SPARKS) if item["PK"] == image_id]
            self.assertEqual(item["images"]["large"], f"processed/{image_id}_large.webp")


class OpenGalleryTest(GalleryTest):
    """A gallery whose operator shows addresses and shares what does not say otherwise."""

    ARGUMENTS = (*GalleryTest.ARGUMENTS, "--show-addresses", "on", "--visibility", "shared")

    def test_SPK_4_a_feed_with_addresses(self):
        """SPK-4: an upload that says nothing is in the feed at once, a private one is not, and `uploadedBy` is the
        address, as the document prints it."""
        bob = self.gallery.sign_up("bob")
        shared = self.ada.upload(photos.png("SPK-4 open", 40, 30))
        private = self.ada.upload(photos.png("SPK-4 private", 40, 30), visibility="private")
        self.assertEqual(["shared", "private"], [self.ada.image(each)["visibility"] for each in (shared, private)])
        [shown] = bob.call("GET", "/feed")["images"]
        self.assertEqual((shown["imageId"], shown["uploadedBy"], shown["username"]), (shared, self.ada.email, "ada"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
