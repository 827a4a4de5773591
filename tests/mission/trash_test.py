"""The trash over REST: its list, what comes out of it, what ends in it, and what an upload says that brings a photo
back (rows SPK-7 and SPK-10: a place in the limit comes back once, and nothing stays of what is deleted)."""

import datetime
import hashlib
import sys
import threading
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import BACKLOG, SPARKS, SYSTEM, GalleryTest, wait_until  # noqa: E402

LIMIT = 300


def small(seed):
    return photos.png(f"trash {seed}", 40, 30)


def when(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class TrashTest(GalleryTest):
    ARGUMENTS = ("--workers", "1", "--upload-limit", str(LIMIT))

    def somebody(self, name):
        """An account of a test's own, whose trash holds nothing else."""
        return self.gallery.sign_up(name)

    def trash(self, account, **parameters):
        return account.call("GET", "/images?" + urllib.parse.urlencode({"state": "trashed", **parameters}))

    def ids(self, account):
        return [image["id"] for image in self.trash(account, limit=100)["items"]]

    def trashed(self, account, seed):
        image_id = account.upload(small(seed), f"{seed}.png")
        self.gallery.wait_developed(account, image_id)
        self.assertEqual(account.delete(image_id, permanent=False).status, 202)
        return image_id

    def test_the_list(self):
        """What came last comes first, with its pictures and its days; nobody sees another's."""
        cleo = self.somebody("cleo")
        self.assertEqual(self.trash(cleo), {"items": [], "lastEvaluatedKey": None, "hasMore": False, "complete": True})
        first, second = self.trashed(cleo, "first"), self.trashed(cleo, "second")
        page = self.trash(cleo)
        self.assertEqual([second, first], [image["id"] for image in page["items"]])
        self.assertEqual((page["hasMore"], page["complete"]), (False, True))
        for image in page["items"]:
            self.assertEqual(self.gallery.record(image["id"])["trashedAt"], image["trashedAt"])
            self.assertEqual(datetime.timedelta(days=30), when(image["deletesAt"]) - when(image["trashedAt"]))
            due = self.gallery.get(BACKLOG, id=f"delete-image-{image['id']}")["dueAt"]
            self.assertEqual(int(due), round(when(image["deletesAt"]).timestamp() * 1000))
            self.assertEqual(self.gallery.follow(image["sizes"]["SMALL"]).status, 200)
            posting = self.gallery.get(SYSTEM, PK=f"TRASH#{cleo.user_id}", SK=f"{image['trashedAt']}#{image['id']}")
            self.assertEqual(int(posting["deletesAt"]), int(due))
        self.assertEqual([], self.ids(self.ada))
        self.assertEqual(404, cleo.send("GET", f"/images/{first}").status)

    def test_SPK_10_another_user_s_trash(self):
        """SPK-10: nobody else lists, restores, deletes or empties what somebody has in the trash."""
        dora = self.somebody("dora")
        image_id = self.trashed(dora, "dora's")
        self.assertEqual([], self.ids(self.ada))
        self.assertEqual(404, self.ada.send("POST", f"/images/{image_id}/restore").status)
        self.assertEqual(404, self.ada.delete(image_id).status)
        self.ada.call("DELETE", "/images?state=trashed")
        self.gallery.wait_idle()
        self.assertEqual([image_id], self.ids(dora))
        cursor = self.trash(dora, limit=1)["lastEvaluatedKey"]
        if cursor:
            self.assertEqual(400, self.ada.send("GET", f"/images?state=trashed&cursor={cursor}").status)

    def test_what_is_refused(self):
        """Another state, a cursor of another list, and an emptying that does not say what."""
        erin = self.somebody("erin")
        for _ in range(2):
            erin.upload(small(f"refused {_}"))
        cursor = erin.call("GET", "/images?limit=1")["lastEvaluatedKey"]
        for method, path in (("GET", "/images?state=deleted"), ("GET", "/images?state="), ("DELETE", "/images"),
                             ("DELETE", "/images?state=all"), ("GET", f"/images?state=trashed&cursor={cursor}"),
                             ("GET", "/images?state=trashed&limit=0"), ("GET", "/images?state=trashed&limit=101")):
            answer = erin.send(method, path)
            self.assertEqual((400, "InvalidRequest"), (answer.status, answer.json["code"]), path)
        anonymous = rest.request(self.gallery.address, "DELETE", "/api/v1/images?state=trashed")
        self.assertEqual(401, anonymous.status)
        self.assertEqual(2, len(erin.call("GET", "/images")["items"]))

    def test_pages_while_others_come_and_go(self):
        """A page goes on where the one before ended: nothing twice, and nothing left out that stayed."""
        fay = self.somebody("fay")
        ids = [self.trashed(fay, f"page {n}") for n in range(7)]
        page = self.trash(fay, limit=2)
        seen = [image["id"] for image in page["items"]]
        fay.call("POST", f"/images/{ids[6]}/restore")
        fay.call("POST", f"/images/{ids[2]}/restore")
        fay.delete(ids[1])
        self.trashed(fay, "page late")
        while page["hasMore"]:
            page = self.trash(fay, limit=2, cursor=page["lastEvaluatedKey"])
            seen += [image["id"] for image in page["items"]]
        self.assertEqual([ids[n] for n in (6, 5, 4, 3, 0)], seen)

    def test_SPK_7_SPK_10_restore_and_delete(self):
        """SPK-7, SPK-10: what is restored leaves the trash as it was, and what is deleted leaves nothing, and gives its
        upload back once."""
        gina = self.somebody("gina")
        kept, gone = self.trashed(gina, "restored"), self.trashed(gina, "deleted")
        self.assertEqual(LIMIT - 2, gina.limit())
        self.assertNotIn("trashedAt", gina.call("POST", f"/images/{kept}/restore"))
        self.assertEqual([gone], self.ids(gina))
        for _ in range(2):
            self.assertIn(gina.delete(gone).status, (202, 404))
        self.assertEqual([], self.ids(gina), "it is gone from the list at once")
        self.gallery.wait_deleted(gone)
        self.assertEqual((LIMIT - 1, [kept]), (gina.limit(), [image["id"] for image in gina.call("GET", "/images")["items"]]))

    def test_SPK_7_emptying_gives_uploads_back(self):
        """SPK-7: more than the work does in one turn goes by one call, which waits for nothing; every upload comes back
        once, however often that is asked for; what comes into the trash later stays."""
        hana = self.somebody("hana")
        count = 130
        ids = [hana.upload(small(f"many {n}")) for n in range(count)]
        threads = [threading.Thread(target=lambda part: [hana.delete(each, permanent=False) for each in part], args=(ids[n::4],))
                   for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(LIMIT - count, hana.limit())
        for _ in range(3):
            answer = hana.send("DELETE", "/images?state=trashed")
            self.assertEqual((202, "deleting"), (answer.status, answer.json["state"]))
        late = hana.upload(small("many late"))
        hana.delete(late, permanent=False)
        self.assertLess(answer.json["trashedUntil"], self.gallery.record(late)["trashedAt"])
        wait_until(lambda: hana.limit() == LIMIT - 1, "all uploads back but one")
        self.gallery.wait_idle()
        self.assertEqual([late], self.ids(hana))
        self.assertEqual(LIMIT - 1, self.gallery.get(SPARKS, PK=f"LIMIT#{hana.email}", SK=hana.email)["limit"])
        self.assertFalse([image_id for image_id in (ids[0], ids[-1]) if self.gallery.traces_of(image_id)])

    def test_SPK_7_the_limit_tells_of_the_trash(self):
        """SPK-7: who has no uploads left hears of the trash if something is in it, and has uploads when it is empty."""
        ines = self.somebody("ines")
        image_id = ines.upload(small("limit"))
        self.gallery.wait_developed(ines, image_id)
        self.documents.update_item(TableName=SPARKS, Key={"PK": f"LIMIT#{ines.email}", "SK": ines.email},
                                   UpdateExpression="SET #limit = :none", ExpressionAttributeNames={"#limit": "limit"},
                                   ExpressionAttributeValues={":none": 0})
        refused = ines.post_image(small("limit more"))
        self.assertEqual((403, "UploadLimitReached"), (refused.status, refused.json["code"]))
        self.assertNotIn("trash", refused.json["detail"])
        ines.delete(image_id, permanent=False)
        begun = ines.tus("POST", "/uploads", Upload_Length=1000)
        for answer in (ines.post_image(small("limit more")), begun):
            self.assertEqual(403, answer.status)
            self.assertIn("emptying it gives uploads back", answer.json["detail"])
        ines.call("DELETE", "/images?state=trashed")
        wait_until(lambda: ines.limit() == 1, "the upload is back")
        ines.upload(small("limit more"))

    def sent_again(self, account, data, send):
        """What `send` tells that uploads the bytes of an image while it is in the trash, and once more when it is out:
        whether it is that image, whether it was restored, and whether it was a duplicate."""
        image_id = account.upload(data)
        self.gallery.wait_developed(account, image_id)
        limit = account.limit()
        account.delete(image_id, permanent=False)
        told = []
        for _ in range(2):
            sent_id, *rest_told = send()
            told.append((sent_id == image_id, *rest_told))
            self.assertEqual(([], limit), (self.ids(account), account.limit()))
        return told

    # In the trash, and out of it.
    TOLD = [(True, True, True), (True, False, True)]

    def answered(self, answer):
        return answer.json["id"], answer.json.get("restored", False), answer.status == 200

    def test_SPK_10_an_upload_says_that_it_came_back(self):
        """SPK-10: as the body of a request, and as a form."""
        jana = self.somebody("jana")
        plain, form = small("back plain"), small("back form")
        self.assertEqual(self.TOLD, self.sent_again(jana, plain, lambda: self.answered(jana.post_image(plain))))
        self.assertEqual(self.TOLD, self.sent_again(jana, form, lambda: self.answered(jana.post_form(form, "again.png"))))

    def test_SPK_10_a_resumable_upload_says_that_it_came_back(self):
        """SPK-10: with its last byte, and whenever it is asked for later."""
        kim = self.somebody("kim")
        data = small("back tus")

        def headers(answer):
            return (answer.headers["X-Image-Id"], answer.headers.get("X-Image-Restored") == "true",
                    answer.headers.get("X-Image-Duplicate") == "true")

        def send():
            path = kim.tus("POST", "/uploads", Upload_Length=len(data)).headers["Location"].removeprefix("/api/v1")
            told = headers(kim.tus("PATCH", path, data, Upload_Offset=0))
            self.assertEqual(told, headers(kim.tus("HEAD", path)))
            return told

        self.assertEqual(self.TOLD, self.sent_again(kim, data, send))

    def test_SPK_10_a_direct_upload_says_that_it_came_back(self):
        """SPK-10: when it is told that the file is there, and again."""
        lea = self.somebody("lea")
        data = small("back direct")

        def send():
            link = lea.call("POST", "/uploads/direct", {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()})
            url = urllib.parse.urlsplit(link["url"])
            put = rest.request(url.netloc, link["method"], f"{url.path}?{url.query}", data, link["headers"])
            self.assertEqual(200, put.status)
            told = self.answered(lea.send("POST", f"/uploads/{link['id']}/complete"))
            self.assertEqual(told, self.answered(lea.send("POST", f"/uploads/{link['id']}/complete")))
            return told

        self.assertEqual(self.TOLD, self.sent_again(lea, data, send))

    def test_what_others_write(self):
        """An SDK that puts an image into the trash, takes it out or removes it is followed by the list."""
        mona = self.somebody("mona")
        image_id = mona.upload(small("by others"))
        self.gallery.wait_developed(mona, image_id)
        key = {"PK": f"IMAGE#{image_id}", "SK": "METADATA"}
        update = dict(TableName="ImageMetadata", Key=key)
        self.documents.update_item(UpdateExpression="SET trashedAt = :now", **update,
                                   ExpressionAttributeValues={":now": "2026-01-01T00:00:00.000Z"})
        wait_until(lambda: self.ids(mona) == [image_id], "the image in the list")
        self.documents.update_item(UpdateExpression="REMOVE trashedAt", **update)
        wait_until(lambda: not self.gallery.get(SYSTEM, PK=f"TRASH#{mona.user_id}", SK=f"2026-01-01T00:00:00.000Z#{image_id}"),
                   "the posting is gone")
        wait_until(lambda: not self.gallery.get(BACKLOG, id=f"delete-image-{image_id}"), "nothing deletes it any more")
        mona.delete(image_id, permanent=False)
        self.assertEqual([image_id], self.ids(mona))
        self.documents.delete_item(TableName="ImageMetadata", Key=key)
        self.gallery.wait_deleted(image_id)
        self.assertEqual([], self.ids(mona))


if __name__ == "__main__":
    unittest.main(verbosity=2)
