"""Accounts by those who own and those who administrate them: passwords, sessions, API keys, invitations, one-time
links, accounts that are disabled and accounts that are deleted."""

import json
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import leftovers  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import SYSTEM, TABLES, Gallery, GalleryTest, wait_until  # noqa: E402
import tintype_server  # noqa: E402

PASSWORD = "correct horse battery"
OTHER = "another long password"


class AccountsCase(GalleryTest):
    def json_request(self, method, path, body=None, token=None, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        return rest.request(self.gallery.address, method, f"/api/v1{path}", None if body is None else json.dumps(body), sent)

    def log_in(self, username, password=PASSWORD, agent="test"):
        """The answer to a login, whatever its status."""
        return self.json_request("POST", "/auth/login", {"username": username, "password": password}, User_Agent=agent)

    def session(self, username, password=PASSWORD, agent="test"):
        answer = self.log_in(username, password, agent)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def made(self, username, **more):
        """A new account of that name, by the administrator; sign-ups are throttled."""
        answer = self.root.send("POST", "/users", {"email": f"{username}@example.com", "username": username,
                                                   "password": PASSWORD, **more})
        self.assertEqual(answer.status, 201, answer.body)
        account = rest.Account(lambda: self.gallery.address, username)
        account.log_in()
        return account

    def me(self, token):
        return self.json_request("GET", "/me", token=token).status

    def refresh(self, token):
        return self.json_request("POST", "/auth/refresh", {"refreshToken": token}).status

    def assert_refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.json["code"]), (status, code), answer.body)

    def assert_stops(self, token, path="/me"):
        """Within a second, by the clock of whoever asks."""
        began = time.monotonic()
        while self.json_request("GET", path, token=token).status != 401:
            self.assertLess(time.monotonic() - began, 1, "still good after a second")
            time.sleep(0.02)

    @property
    def root(self):
        return self.gallery.administrator


class OwnAccountTest(AccountsCase):
    def test_another_password_ends_other_sessions(self):
        """Proves that the session in which it was changed goes on, that all others end at once, and that it takes the
        current password."""
        bea = self.made("bea")
        here, elsewhere = self.session("bea"), self.session("bea")
        wrong = self.json_request("POST", "/me/password", {"currentPassword": "wrong", "newPassword": OTHER}, here["accessToken"])
        self.assert_refused(wrong, 403, "WrongPassword")
        short = self.json_request("POST", "/me/password", {"currentPassword": PASSWORD, "newPassword": "short"}, here["accessToken"])
        self.assertEqual(short.status, 400)
        self.assertEqual(self.me(elsewhere["accessToken"]), 200)
        changed = self.json_request("POST", "/me/password", {"currentPassword": PASSWORD, "newPassword": OTHER}, here["accessToken"])
        self.assertEqual(changed.status, 204)
        self.assert_stops(elsewhere["accessToken"])
        self.assert_stops(bea.authorization.removeprefix("Bearer "))
        self.assertEqual(self.refresh(elsewhere["refreshToken"]), 401)
        self.assertEqual((self.me(here["accessToken"]), self.refresh(here["refreshToken"])), (200, 200))
        self.assert_refused(self.log_in("bea"), 401, "InvalidCredentials")
        self.session("bea", OTHER)

    def test_sessions_are_listed_and_ended(self):
        """Proves that sessions are listed with their device and last use, that one ends and then all others, and that
        nobody ends somebody else's."""
        self.made("cleo")
        self.json_request("DELETE", "/me/sessions", token=self.session("cleo")["accessToken"])
        phone, laptop = self.session("cleo", agent="Phone/1.0"), self.session("cleo", agent="Laptop/1.0")
        here = self.session("cleo", agent="Here/1.0")

        def listed():
            items = self.json_request("GET", "/me/sessions", token=here["accessToken"]).json["items"]
            return {item["userAgent"]: item for item in items if item["userAgent"] != "test"}

        sessions = listed()
        self.assertEqual(set(sessions), {"Phone/1.0", "Laptop/1.0", "Here/1.0"})
        self.assertEqual([name for name, item in sessions.items() if item["current"]], ["Here/1.0"])
        for item in sessions.values():
            self.assertEqual(item["address"], "127.0.0.1")
            self.assertLessEqual(item["createdAt"], item["lastUsedAt"])
            self.assertLess(item["lastUsedAt"], item["endsAt"])
        before = sessions["Phone/1.0"]["lastUsedAt"]
        renewed = self.json_request("POST", "/auth/refresh", {"refreshToken": phone["refreshToken"]}, User_Agent="Phone/2.0")
        self.assertEqual(renewed.status, 200)
        self.assertLess(before, listed()["Phone/2.0"]["lastUsedAt"])

        session_id = sessions["Phone/1.0"]["id"]
        foreign = self.ada.send("DELETE", f"/me/sessions/{session_id}")
        self.assert_refused(foreign, 404, "NotFound")
        self.assertEqual(self.me(phone["accessToken"]), 200)
        self.assertEqual(self.json_request("DELETE", f"/me/sessions/{session_id}", token=here["accessToken"]).status, 204)
        self.assert_stops(phone["accessToken"])
        self.assertEqual(self.refresh(renewed.json["refreshToken"]), 401)
        self.assertEqual(self.me(laptop["accessToken"]), 200)
        self.assertEqual(self.json_request("DELETE", "/me/sessions", token=here["accessToken"]).status, 204)
        self.assert_stops(laptop["accessToken"])
        self.assertEqual(self.me(here["accessToken"]), 200)
        self.assertEqual(set(listed()), {"Here/1.0"})

    def test_logging_out_stops_the_access_token(self):
        """Proves that an access token ends with its session, and not a quarter of an hour later (A9); on an upload
        too."""
        session = self.session("ada")
        self.assertEqual(self.json_request("POST", "/auth/logout", {}, session["accessToken"]).status, 204)
        self.assert_stops(session["accessToken"])
        upload = rest.request(self.gallery.address, "POST", "/api/v1/images", photos.png("late", 40, 30),
                              {"Authorization": f"Bearer {session['accessToken']}", "Content-Type": "image/png"})
        self.assert_refused(upload, 401, "NotLoggedIn")

    def test_an_upload_of_nothing_is_looked_at_too(self):
        """Proves that a body in chunks of which there are none opens nothing to who may not upload: the caller is
        looked at though there is no piece of the body to look at them with."""
        upload = self.ada.tus("POST", "/uploads", Upload_Length=100).headers["Location"]
        ended = self.session("ada")["accessToken"]
        self.assertEqual(self.json_request("POST", "/auth/logout", {}, ended).status, 204)
        self.assert_stops(ended)
        reader = self.ada.call("POST", "/me/api-keys", {"name": "reader", "scopes": ["read"]})["key"]
        writer = self.ada.call("POST", "/me/api-keys", {"name": "writer", "scopes": ["upload"]})["key"]
        for token, status in ((ended, 401), (reader, 403), (writer, 204), (self.session("ada")["accessToken"], 204)):
            answer = rest.request(self.gallery.address, "PATCH", upload, b"0\r\n\r\n", {
                "Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0", "Upload-Offset": "0",
                "Content-Type": "application/offset+octet-stream", "Transfer-Encoding": "chunked"})
            self.assertEqual(answer.status, status, answer.body)

    def test_an_upload_by_a_key_is_its_accounts(self):
        """Proves that what comes in parts by an API key belongs to the key's account."""
        key = self.ada.call("POST", "/me/api-keys", {"name": "uploads", "scopes": ["upload"]})["key"]
        data = photos.png("by a key", 40, 30)
        answer = rest.request(self.gallery.address, "POST", "/api/v1/uploads", data, {
            "Authorization": f"Bearer {key}", "Tus-Resumable": "1.0.0", "Upload-Length": str(len(data)),
            "Content-Type": "application/offset+octet-stream"})
        self.assertEqual(answer.status, 201, answer.body)
        image_id = answer.headers["Location"].rpartition("/")[2]
        self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(self.gallery.record(image_id)["userId"], self.ada.user_id)

    def test_the_profile(self):
        """Proves that a display name is what others see of somebody, and that it can be taken away."""
        dora = self.made("dora")
        self.assertEqual(dora.call("PATCH", "/me", {"displayName": "Dora the Explorer"})["displayName"], "Dora the Explorer")
        self.assertEqual(dora.call("GET", "/me")["displayName"], "Dora the Explorer")
        self.assertIsNone(dora.call("PATCH", "/me", {"displayName": None})["displayName"])
        self.assertEqual(dora.send("PATCH", "/me", {"displayName": "x" * 1000}).status, 400)

    def test_an_owner_deletes_the_account(self):
        """Proves that it takes the password, that the account is closed within a second and gone in the end, and that
        an administrator cannot vanish that way."""
        finn = self.made("finn")
        finn.upload(photos.png("finn", 40, 30))
        self.assert_refused(finn.send("POST", "/me/deletion", {"password": "wrong"}), 403, "WrongPassword")
        self.assertEqual(finn.send("POST", "/me/deletion", {"password": PASSWORD}).status, 202)
        self.assert_stops(finn.authorization.removeprefix("Bearer "))
        wait_until(lambda: self.root.send("GET", f"/users/{finn.user_id}").status == 404, "the end of the account")
        self.assert_refused(self.log_in("finn"), 401, "InvalidCredentials")
        self.assertEqual(self.root.send("POST", "/me/deletion", {"password": PASSWORD}).status, 409)


class ApiKeysTest(AccountsCase):
    def key(self, account, *scopes, **more):
        return account.call("POST", "/me/api-keys", {"name": " ".join(scopes), "scopes": list(scopes), **more})

    def send(self, key, method, path, body=None):
        return self.json_request(method, path, body, key["key"])

    def test_a_key_does_what_its_scopes_say(self):
        """Proves that a key is shown once, works for its scopes alone, never on what guards the account, and stops when
        it is deleted."""
        reader = self.key(self.ada, "read")
        self.assertTrue(reader["key"].startswith("tintype_"))
        self.assertEqual(self.send(reader, "GET", "/images").status, 200)
        self.assertEqual(self.send(reader, "GET", "/me").json["username"], "ada")
        self.assert_refused(self.send(reader, "POST", "/jobs", {}), 403, "ScopeMissing")
        self.assert_refused(self.send(reader, "GET", "/me/sessions"), 403, "SessionRequired")
        self.assert_refused(self.send(reader, "POST", "/me/api-keys", {"name": "more", "scopes": ["delete"]}), 403, "SessionRequired")
        upload = rest.request(self.gallery.address, "POST", "/api/v1/images", photos.png("key", 40, 30),
                              {"Authorization": f"Bearer {reader['key']}", "Content-Type": "image/png"})
        self.assert_refused(upload, 403, "ScopeMissing")
        writer = self.key(self.ada, "upload", "delete")
        upload = rest.request(self.gallery.address, "POST", "/api/v1/images", photos.png("key", 40, 30),
                              {"Authorization": f"Bearer {writer['key']}", "Content-Type": "image/png"})
        self.assertEqual(upload.status, 202, upload.body)
        self.assert_refused(self.send(writer, "GET", f"/images/{upload.json['id']}"), 403, "ScopeMissing")
        self.assertEqual(self.send(writer, "DELETE", f"/images/{upload.json['id']}").status, 202)

        listed = self.ada.call("GET", "/me/api-keys")["items"]
        self.assertEqual({item["name"] for item in listed}, {"read", "upload delete"})
        self.assertFalse(any("key" in item for item in listed))
        self.assertTrue(all(item["lastUsedAt"] for item in listed))
        self.assertNotIn(reader["key"].partition(".")[2], json.dumps(self.gallery.scan(SYSTEM), default=str))
        self.assertNotIn(reader["key"].partition(".")[2], self.gallery.server.log)
        self.assert_refused(self.gallery.administrator.send("DELETE", f"/me/api-keys/{reader['id']}"), 404, "NotFound")
        self.assertEqual(self.ada.send("DELETE", f"/me/api-keys/{reader['id']}").status, 204)
        self.assert_stops(reader["key"])
        self.assert_refused(self.send(reader, "GET", "/images"), 401, "NotLoggedIn")

    def test_a_key_expires(self):
        """Proves that a key ends by its own time, whatever its scopes."""
        key = self.key(self.ada, "read", expiresInDays=1)
        self.assertEqual(self.send(key, "GET", "/images").status, 200)
        self.gallery.documents.update_item(
            TableName=SYSTEM, Key={"PK": f"APIKEY#{key['id']}", "SK": "APIKEY"}, UpdateExpression="SET expiresAt = :now",
            ExpressionAttributeValues={":now": int(time.time() * 1000) - 1})
        self.assert_stops(key["key"], "/images")

    def test_what_can_be_no_key(self):
        for body in ({"name": "x", "scopes": []}, {"name": "x", "scopes": ["everything"]}, {"name": "x", "scopes": ["session"]},
                     {"name": "", "scopes": ["read"]}, {"name": "x", "scopes": ["read", "read"]}, {"scopes": ["read"]},
                     {"name": "x", "scopes": ["read"], "expiresInDays": 0}):
            self.assertEqual(self.ada.send("POST", "/me/api-keys", body).status, 400, body)

    def test_an_administrators_key(self):
        """Proves that a key administers only with that scope, and only while its account is an administrator's."""
        gus = self.made("gus")
        self.root.call("PATCH", f"/users/{gus.user_id}", {"administrator": True})
        key, reader = self.key(gus, "administer"), self.key(gus, "read")
        self.assertEqual(self.send(key, "GET", "/users").status, 200)
        self.assert_refused(self.send(reader, "GET", "/users"), 403, "ScopeMissing")
        self.root.call("PATCH", f"/users/{gus.user_id}", {"administrator": False})
        self.assert_refused(self.send(key, "GET", "/users"), 403, "AdministratorsOnly")


class InvitationsTest(AccountsCase):
    ARGUMENTS = ("--workers", "1", "--sign-up", "invitation")

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(cls.ARGUMENTS)
        cls.addClassCleanup(cls.gallery.stop)
        cls.gallery.administrator = cls.gallery.sign_up_administrator()

    def join(self, username, invitation=None, email=None):
        body = {"email": email or f"{username}@example.com", "username": username, "password": PASSWORD}
        return self.json_request("POST", "/auth/signup", {**body, **({"invitation": invitation} if invitation else {})})

    def test_an_invitation_is_used_once(self):
        """Proves that nobody signs up without an invitation, that one makes one account, for its address alone, and
        that one which was taken back makes none."""
        self.assertEqual(self.json_request("GET", "/auth/state").json,
                         {"setupRequired": False, "signUpOpen": False, "signUp": "invitation"})
        self.assert_refused(self.join("eve"), 403, "InvitationRequired")
        self.assert_refused(self.join("eve", "01GUESS.guess"), 403, "InvalidInvitation")
        made = self.root.call("POST", "/invitations", {"email": "Bob@Example.com"})
        self.assertTrue(made["link"].endswith(f"/#invitation={made['token']}"), made["link"])
        self.assertEqual((made["email"], made["administrator"], made["createdBy"]), ("bob@example.com", False, self.root.user_id))
        self.assert_refused(self.join("eve", made["token"]), 403, "InvalidInvitation")
        joined = self.join("bob", made["token"])
        self.assertEqual((joined.status, joined.json["user"]["administrator"]), (201, False))
        self.assert_refused(self.join("bob2", made["token"], "bob@example.com"), 403, "InvalidInvitation")

        back = self.root.call("POST", "/invitations", {})
        self.assertEqual([item["id"] for item in self.root.call("GET", "/invitations")["items"]], [back["id"]])
        self.assertEqual(self.root.send("DELETE", f"/invitations/{back['id']}").status, 204)
        self.assert_refused(self.root.send("DELETE", f"/invitations/{back['id']}"), 404, "NotFound")
        self.assert_refused(self.join("eve", back["token"]), 403, "InvalidInvitation")
        self.assertNotIn(back["token"].partition(".")[2], json.dumps(self.gallery.scan(SYSTEM), default=str))

    def test_an_administrator_by_invitation(self):
        made = self.root.call("POST", "/invitations", {"administrator": True, "expiresInHours": 1})
        boss = self.join("boss", made["token"])
        self.assertEqual((boss.status, boss.json["user"]["administrator"]), (201, True))
        self.assertEqual(self.root.send("POST", "/invitations", {"expiresInHours": 10000}).status, 400)
        self.assertEqual(self.root.send("POST", "/invitations", {"email": "nowhere"}).status, 400)

    def test_the_default_is_by_invitation(self):
        """Proves that a server which is told nothing takes the first account by its token, and no other without an
        invitation."""
        server = tintype_server.Server(overrides={"TINTYPE_GALLERY": "on"})
        self.addCleanup(server.stop)
        first = rest.Account(lambda: server.addresses["http"], "first")
        first.sign_up(Path(server.data_dir, "setup-token").read_text(encoding="utf-8").strip())
        with self.assertRaisesRegex(rest.Refused, "InvitationRequired"):
            rest.Account(lambda: server.addresses["http"], "second").sign_up()


class ClosedTest(AccountsCase):
    ARGUMENTS = ("--workers", "1", "--sign-up", "closed")

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(cls.ARGUMENTS)
        cls.addClassCleanup(cls.gallery.stop)
        cls.gallery.administrator = cls.gallery.sign_up_administrator()

    def test_administrators_make_accounts(self):
        """Proves that where nobody signs up, an administrator makes an account whose owner sets the password by a link,
        once (U4)."""
        body = {"email": "eve@example.com", "username": "eve", "password": PASSWORD}
        self.assert_refused(self.json_request("POST", "/auth/signup", body), 403, "SignUpClosed")
        self.assertEqual(self.root.send("POST", "/invitations", {}).status, 409)
        made = self.root.call("POST", "/users", {"email": "eve@example.com", "username": "eve"})
        self.assertEqual((made["account"]["state"], made["account"]["administrator"]), ("active", False))
        self.assert_refused(self.log_in("eve", ""), 401, "InvalidCredentials")
        token = made["passwordLink"]["token"]
        self.assertTrue(made["passwordLink"]["link"].endswith(f"/#password={token}"))
        signed_in = self.json_request("POST", "/auth/password", {"token": token, "password": PASSWORD})
        self.assertEqual(signed_in.status, 200, signed_in.body)
        self.assertEqual(self.me(signed_in.json["accessToken"]), 200)
        again = self.json_request("POST", "/auth/password", {"token": token, "password": OTHER})
        self.assert_refused(again, 403, "InvalidOneTimeLink")
        self.session("eve")
        taken = self.root.send("POST", "/users", {"email": "eve@example.com", "username": "other"})
        self.assert_refused(taken, 409, "EmailTaken")
        self.assertIsNone(self.root.call("POST", "/users", body | {"email": "f@example.com", "username": "fred"})["passwordLink"])


class AdministratorsTest(AccountsCase):
    def test_links_of_a_disabled_account(self):
        """Proves that links made for the owner stop within a second when the account is disabled, in the trash too,
        that what it shares stays shared, and that enabling makes them good again."""
        gus = self.made("gus")
        private = gus.upload(photos.png("disabled private", 40, 30))
        shared = gus.upload(photos.png("disabled shared", 40, 30), visibility="shared")
        trashed = gus.upload(photos.png("disabled trashed", 40, 30))
        for image_id in (private, shared, trashed):
            self.gallery.wait_developed(gus, image_id)
        gus.delete(trashed, permanent=False)
        [in_trash] = gus.call("GET", "/images?state=trashed")["items"]
        own = [gus.image(private)["sizes"]["SMALL"], gus.image(private)["sizes"]["ORIGINAL"], gus.image(shared)["sizes"]["SMALL"],
               in_trash["sizes"]["SMALL"]]
        [others] = [image["sizes"]["SMALL"] for image in self.ada.call("GET", "/feed?limit=100")["images"] if image["imageId"] == shared]
        self.assertEqual({self.gallery.follow(link).status for link in [*own, others]}, {200})
        self.root.call("PATCH", f"/users/{gus.user_id}", {"disabled": True})
        began = time.monotonic()
        while {self.gallery.follow(link).status for link in own} != {404}:
            self.assertLess(time.monotonic() - began, 1, "still good after a second")
        self.assertEqual(self.gallery.follow(others).status, 200)
        self.root.call("PATCH", f"/users/{gus.user_id}", {"disabled": False})
        self.assertEqual({self.gallery.follow(link).status for link in own}, {200})

    def test_a_disabled_account_stops(self):
        """Proves that a disabled account's access tokens and keys stop within a second, that nobody logs in, who learns
        why only with the right password, and that enabling lets its owner in again."""
        hal = self.made("hal")
        key = hal.call("POST", "/me/api-keys", {"name": "key", "scopes": ["read"]})
        session = self.session("hal")
        self.assertEqual(self.me(session["accessToken"]), 200)
        changed = self.root.call("PATCH", f"/users/{hal.user_id}", {"disabled": True})
        self.assertEqual(changed["state"], "disabled")
        self.assert_stops(session["accessToken"])
        self.assert_stops(key["key"], "/images")
        self.assertEqual(self.refresh(session["refreshToken"]), 401)
        self.assert_refused(self.log_in("hal"), 403, "AccountDisabled")
        self.assert_refused(self.log_in("hal", "wrong"), 401, "InvalidCredentials")
        self.root.call("PATCH", f"/users/{hal.user_id}", {"disabled": False})
        self.assertEqual(self.me(session["accessToken"]), 401)
        self.assertEqual(self.me(self.session("hal")["accessToken"]), 200)
        self.assertEqual(self.json_request("GET", "/images", token=key["key"]).status, 200)

    def test_acts_of_administrators(self):
        """Proves that administrators see and change everybody, themselves excepted, that others cannot, and that the
        audit has all of it."""
        ivy = self.made("ivy")
        names, cursor = [], None
        while True:
            page = self.root.call("GET", f"/users?limit=2{f'&cursor={cursor}' if cursor else ''}")
            names += [item["username"] for item in page["items"]]
            cursor = page["lastEvaluatedKey"]
            if not page["hasMore"]:
                break
        self.assertEqual(names, sorted(names))
        self.assertLessEqual({"ada", "ivy", "root"}, set(names))
        self.assertEqual(self.root.call("GET", f"/users/{ivy.user_id}")["email"], "ivy@example.com")
        self.assertEqual(self.root.call("PATCH", f"/users/{ivy.user_id}", {"limit": 7})["limit"], 7)
        self.assertEqual(ivy.limit(), 7)
        self.assertIsNone(self.root.call("PATCH", f"/users/{ivy.user_id}", {"limit": None})["limit"])
        promoted = self.root.call("PATCH", f"/users/{ivy.user_id}", {"administrator": True})
        self.assertEqual((promoted["administrator"], promoted["limit"]), (True, None))
        self.assertEqual(ivy.send("GET", "/users").status, 200)
        self.root.call("PATCH", f"/users/{ivy.user_id}", {"administrator": False})
        self.assert_refused(ivy.send("GET", "/users"), 403, "AdministratorsOnly")
        for change in ({"disabled": True}, {"administrator": False}):
            self.assert_refused(self.root.send("PATCH", f"/users/{self.root.user_id}", change), 403, "OwnAccount")
        self.assert_refused(self.root.send("DELETE", f"/users/{self.root.user_id}"), 403, "OwnAccount")
        self.assert_refused(self.root.send("GET", "/users/nobody"), 404, "NotFound")
        link = self.root.call("POST", f"/users/{ivy.user_id}/password-link")
        signed_in = self.json_request("POST", "/auth/password", {"token": link["token"], "password": OTHER})
        self.assertEqual(signed_in.status, 200)
        self.assert_stops(ivy.authorization.removeprefix("Bearer "))
        self.session("ivy", OTHER)
        kinds = {entry["kind"] for entry in self.root.call("GET", "/audit?limit=100")["items"]}
        self.assertLessEqual({"account.create", "account.change", "account.password-link", "account.set-password"}, kinds)
        self.assertNotIn(link["token"].partition(".")[2], json.dumps(self.root.call("GET", "/audit?limit=100")))

    def test_a_deleted_account_is_gone(self):
        """Proves that photos, blobs, rows, jobs, sessions and keys of a deleted account are gone, nobody else's are,
        and that its names are free."""
        joe = self.made("joe")
        image_ids = [joe.upload(photos.png(f"joe {n}", 60, 40)) for n in range(3)]
        for image_id in image_ids:
            self.gallery.wait_developed(joe, image_id)
        joe.call("POST", f"/images/{image_ids[0]}/share")
        job = joe.create_job(image_ids[1], {"op": "rotate", "degrees": 90})
        self.gallery.wait_job(joe, job["jobId"])
        joe.delete(image_ids[2], permanent=False)
        joe.call("POST", "/me/api-keys", {"name": "key", "scopes": ["read"]})
        upload = joe.tus("POST", "/uploads", Upload_Length=100, Upload_Metadata="filename am9lLnBuZw==")
        self.assertEqual(upload.status, 201, upload.body)
        kept = self.ada.upload(photos.png("joe 0", 60, 40))
        self.gallery.wait_developed(self.ada, kept)
        user_id = joe.user_id

        deleting = self.root.send("DELETE", f"/users/{user_id}")
        self.assertEqual((deleting.status, deleting.json["state"]), (202, "deleting"))
        self.assert_stops(joe.authorization.removeprefix("Bearer "))
        wait_until(lambda: self.root.send("GET", f"/users/{user_id}").status == 404, "the end of the account")
        for image_id in image_ids:
            self.gallery.wait_deleted(image_id)
        now = time.time()
        traces = [(table, item) for table in TABLES for item in self.gallery.scan(table)
                  if (user_id in (text := json.dumps(item, default=str)) or "joe@example.com" in text) and
                  not any(leftovers.is_answer(item, image_id, now) for image_id in image_ids)]
        self.assertEqual(traces, [])
        self.assertEqual([blob for blob in self.gallery.blobs() if any(i in blob for i in image_ids) or "joe@" in blob], [])
        self.assertEqual(self.ada.image(kept)["processingStatus"], "completed")
        self.assertEqual(self.gallery.follow(self.ada.image(kept)["sizes"]["ORIGINAL"]).body, photos.png("joe 0", 60, 40))
        again = self.made("joe")
        self.assertNotEqual(again.user_id, user_id)
        self.assertEqual(again.call("GET", "/images")["items"], [])

    def test_password_hashes_are_sealed(self):
        """Proves that no stored hash can be tried with passwords, whether its owner or a command made it."""
        lea = self.made("lea")

        def stored():
            return self.gallery.get(SYSTEM, PK=f"ACCOUNT#{lea.user_id}", SK="ACCOUNT")["passwordHash"]

        lea.log_in()
        self.assertRegex(stored(), "^sealed:")
        sealed = stored()
        lea.log_in()
        self.assertEqual(sealed, stored())
        reset = self.gallery.run("users", "reset-password", "lea", "--password-file", "-", input=PASSWORD)
        self.assertEqual(reset.returncode, 0, reset.stderr)
        self.assertRegex(stored(), "^sealed:")
        self.assertNotEqual(sealed, stored())
        lea.log_in()


class KilledTest(unittest.TestCase):
    def test_a_deletion_goes_on_after_kills(self):
        """Proves that an account whose deletion was asked for is closed and goes with all that is its own, though the
        server is killed again and again meanwhile; and that the audit's chain holds."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        gallery = Gallery(("--workers", "1"), data_dir=f"{folder}/data")
        ada = gallery.sign_up("ada")
        images = [ada.upload(photos.png(f"killed {n}", 40, 30)) for n in range(12)]
        gallery.wait_idle()
        self.assertEqual(gallery.administrator.send("DELETE", f"/users/{ada.user_id}").status, 202)

        def gone():
            return gallery.get(SYSTEM, PK=f"ACCOUNT#{ada.user_id}", SK="ACCOUNT") is None

        kills = 0
        # Later each time, so that some of them come when it is being done.
        while not gone() and kills < 8:
            began = time.monotonic()
            wait_until(lambda: gone() or time.monotonic() > began + 0.4 * kills, "another moment")
            gallery.server.kill()
            kills += 1
            gallery.start()
        self.addCleanup(gallery.stop)
        self.assertGreater(kills, 2)
        wait_until(gone, "the end of the account")
        for image_id in images:
            gallery.wait_deleted(image_id)
        verified = gallery.run("audit", "verify") if not gallery.tables.data_dir else None
        self.assertTrue(verified is None or verified.returncode == 0, verified)


del AccountsCase  # Only those that derive from it are tests.

if __name__ == "__main__":
    unittest.main(verbosity=2)
