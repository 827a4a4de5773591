"""Who may call what, by the contract itself: every operation that it has (`x-access` says for whom it is), called by
every kind of caller. An operation that is added to the contract is in the matrix by that."""

import json
import re
import sys
import time
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import SYSTEM, GalleryTest, wait_until  # noqa: E402
from outside import AUDIENCE, Issuer  # noqa: E402

PASSWORD = "correct horse battery"
DOCUMENT = json.loads(rest.contract.FILE.read_text(encoding="utf-8"))
METHODS = {"get", "put", "post", "delete", "options", "head", "patch"}
SCOPES = ("read", "upload", "edit", "delete", "administer")
NOBODY_HAS_IT = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
# The codes by which somebody is turned away for who they are.
DENIALS = {"NotLoggedIn", "ScopeMissing", "SessionRequired", "AdministratorsOnly"}
TUS = {"Tus-Resumable": "1.0.0"}
PART = {**TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"}

# Bodies of uploads, which are refused before they are kept. Other operations get an empty object: whoever may call them
# is told that it is wrong, or that there is no such thing, and whoever may not is told that first.
BODIES = {
    "uploadImage": (b"no photo at all", {"Content-Type": "image/png"}),
    "createUpload": (b"no photo at all", {**PART, "Upload-Length": "15"}),
    "appendUpload": (b"no photo at all", PART),
    "putUploadContent": (b"no photo at all", {"Content-Type": "image/png"}),
    "setPicture": (b"no photo at all", {"Content-Type": "image/png"}),
}


def operations():
    """Each operation as (method, path, operation)."""
    found = [(method.upper(), path, operation) for path, item in DOCUMENT["paths"].items()
             for method, operation in item.items() if method in METHODS]
    assert len(found) > 50, "this is not the contract"
    return found


class Caller:
    """Somebody with a token, and what the matrix expects of them."""

    def __init__(self, name, token, expected):
        """`expected` is what an access of the contract leads to: None if it is permitted, else status and code."""
        self.name, self.token, self.expected = name, token, expected


def by_session(administrator):
    return lambda access: (403, "AdministratorsOnly") if access == "administer" and not administrator else None


def by_key(scopes, administrator):
    def expected(access):
        if access == "session":
            return 403, "SessionRequired"
        if access not in scopes:
            return 403, "ScopeMissing"
        return by_session(administrator)(access)
    return expected


def nobody(_access):
    return 401, "NotLoggedIn"


def by_outside_token(administrator):
    return lambda access: (403, "SessionRequired") if access == "session" else by_session(administrator)(access)


class AccessMatrixTest(GalleryTest):
    @classmethod
    def setUpClass(cls):
        cls.issuer, cls.other_issuer = Issuer("http://127.0.0.1:9/"), Issuer("http://127.0.0.1:9/")
        cls.addClassCleanup(cls.issuer.stop)
        cls.addClassCleanup(cls.other_issuer.stop)
        cls.ARGUMENTS = (*GalleryTest.ARGUMENTS, "--oidc-issuer", cls.issuer.url, "--oidc-client-id", "tintype", "--oidc-audience", AUDIENCE,
                         "--oidc-roles-claim", "groups", "--oidc-administrator-role", "photo-admins")
        super().setUpClass()
        cls.root = cls.gallery.administrator

    def setUp(self):
        # The matrix ends their sessions.
        self.ada.log_in()
        self.root.log_in()

    def request(self, method, path, token, body=None, headers=None):
        sent = {**({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        return rest.request(self.gallery.address, method, path, body, sent)

    def call(self, caller, method, path, operation, parameter=NOBODY_HAS_IT):
        """The answer to one cell of the matrix."""
        name, body, headers = operation["operationId"], None, {}
        if name in BODIES:
            body, headers = BODIES[name]
        elif "/uploads" in path and method in ("HEAD", "PATCH", "DELETE"):
            headers = TUS
        elif "requestBody" in operation:
            body, headers = "{}", {"Content-Type": "application/json"}
        return self.request(method, re.sub(r"{\w+}", parameter, path), caller.token, body, headers)

    def session(self, username):
        answer = self.request("POST", "/api/v1/auth/login", None, json.dumps({"username": username, "password": PASSWORD}),
                              {"Content-Type": "application/json"})
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json["accessToken"]

    def made(self, username):
        """A new account, by the administrator; sign-ups are throttled. Its id."""
        return self.root.call("POST", "/users", {"email": f"{username}@example.com", "username": username,
                                                 "password": PASSWORD})["account"]["userId"]

    def key(self, token, *scopes):
        made = self.request("POST", "/api/v1/me/api-keys", token, json.dumps({"name": "key", "scopes": scopes, "expiresInDays": 1}),
                            {"Content-Type": "application/json"})
        self.assertEqual(made.status, 201, made.body)
        return made.json

    def set_item(self, kind, item_id, name, value):
        """Changes what the tables say of a session or a key, as time would."""
        self.gallery.documents.update_item(
            TableName=SYSTEM, Key={"PK": f"{kind}#{item_id}", "SK": kind}, UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name}, ExpressionAttributeValues={":value": value})

    def session_id(self, token):
        sessions = self.request("GET", "/api/v1/me/sessions", token).json["items"]
        return next(item["id"] for item in sessions if item["current"])

    def strangers(self):
        """Those who may do only what anyone may."""
        ended, expired = self.session("ada"), self.session("ada")
        self.assertEqual(self.request("POST", "/api/v1/auth/logout", ended).status, 204)
        self.set_item("SESSION", self.session_id(expired), "ttl", int(time.time()) - 1)
        disabled_id = self.made("disabled")
        disabled = self.session("disabled")
        disabled_key = self.key(disabled, *SCOPES)["key"]
        self.root.call("PATCH", f"/users/{disabled_id}", {"disabled": True})
        deleted_id = self.made("deleted")
        deleted = self.session("deleted")
        deleted_key = self.key(deleted, *SCOPES)["key"]
        self.root.call("DELETE", f"/users/{deleted_id}")
        root = self.session("root")
        expired_key, deleted_alone = self.key(root, *SCOPES), self.key(root, *SCOPES)
        self.set_item("APIKEY", expired_key["id"], "expiresAt", int(time.time() * 1000) - 1)
        self.assertEqual(self.request("DELETE", f"/api/v1/me/api-keys/{deleted_alone['id']}", root).status, 204)
        head, claims, signature = self.session("root").split(".")
        outside_id = self.made("outside-disabled")
        outside_disabled = self.outside_token("outside-disabled")
        self.assertEqual(self.request("GET", "/api/v1/me", outside_disabled).status, 200)
        self.root.call("PATCH", f"/users/{outside_id}", {"disabled": True})
        self.made("outside-stranger")
        of_another_client = self.issuer.tokens("outside-stranger", "another", "another secret")["id_token"]
        stranger = {"sub": "outside-stranger", "email": "outside-stranger@example.com", "email_verified": True}
        # The clocks of the two may be a minute apart.
        outside_expired = self.issuer.control(sign={**stranger, "aud": "tintype", "exp": int(time.time()) - 90})["token"]
        of_another_audience = self.issuer.control(sign={**stranger, "aud": "another-api", "token_use": "access"})["token"]
        outside_head, outside_claims, outside_signature = self.outside_token("outside-stranger").split(".")
        for issuer in (self.issuer, self.other_issuer):
            issuer.know("outside-stranger")
        tokens = {
            "a disabled account, by another issuer": outside_disabled,
            "an expired token of the other issuer": outside_expired,
            "the other issuer's token for another client": of_another_client,
            "the other issuer's access token for another audience": of_another_audience,
            "another issuer that is not trusted": self.other_issuer.tokens("outside-stranger")["id_token"],
            "another issuer, another signature": ".".join((outside_head, outside_claims, outside_signature[::-1])),
            "another issuer, no algorithm": ".".join(("eyJhbGciOiJub25lIn0", outside_claims, "AAAA")),
            "another issuer, a secret's algorithm": ".".join(("eyJhbGciOiJIUzI1NiJ9", outside_claims, outside_signature)),
            "anonymous": None,
            "an ended session": ended,
            "an expired session": expired,
            "a disabled account": disabled,
            "a key of a disabled account": disabled_key,
            "a deleted account": deleted,
            "a key of a deleted account": deleted_key,
            "an expired key": expired_key["key"],
            "a deleted key": deleted_alone["key"],
            "a key with another secret": expired_key["key"].partition(".")[0] + ".guess",
            "no token at all": "guess",
            "another signature": ".".join((head, claims, signature[::-1])),
            "another algorithm": ".".join(("eyJhbGciOiJub25lIn0", claims, "")),
        }
        return [Caller(name, token, nobody) for name, token in tokens.items()]

    def outside_token(self, person, **claims):
        self.issuer.know(person, **claims)
        return self.issuer.tokens(person)["id_token"]

    def by_role(self):
        """An administrator whose role comes from the other issuer: with it, and by a token that does not have it."""
        self.root.call("POST", "/invitations", {"email": "outside-role@example.com"})
        token = self.outside_token("outside-role", groups=["photo-admins"])
        made = self.request("GET", "/api/v1/me", token).json
        self.assertFalse(made["administrator"])
        self.root.call("PATCH", f"/users/{made['userId']}", {"administrator": True})
        wait_until(lambda: self.request("GET", "/api/v1/users", token).status == 200, "the role is there", 1)
        return [Caller("an administrator by the other issuer's role", token, by_outside_token(True)),
                Caller("the same without the role", self.outside_token("outside-role"), by_outside_token(False))]

    def people(self):
        """Those who are somebody: accounts, and keys with one scope and with all but one."""
        self.made("other")
        ada, root = self.session("ada"), self.session("root")
        self.made("outside")
        self.root.call("PATCH", f"/users/{self.made('outside-root')}", {"administrator": True})
        callers = [Caller("an account, by another issuer", self.outside_token("outside"), by_outside_token(False)),
                   Caller("an account, by another issuer's access token", self.issuer.tokens("outside")["access_token"],
                          by_outside_token(False)),
                   Caller("an administrator, by another issuer", self.outside_token("outside-root"), by_outside_token(True)),
                   *self.by_role(),
                   Caller("an account", ada, by_session(False)), Caller("another account", self.session("other"), by_session(False)),
                   Caller("an administrator", root, by_session(True)),
                   Caller("an ordinary key with every scope", self.key(ada, *SCOPES)["key"], by_key(SCOPES, False))]
        for scope in SCOPES:
            others = tuple(each for each in SCOPES if each != scope)
            callers.append(Caller(f"a key for {scope}", self.key(root, scope)["key"], by_key((scope,), True)))
            callers.append(Caller(f"a key for all but {scope}", self.key(root, *others)["key"], by_key(others, True)))
        return callers

    def check(self, caller, method, path, operation, answer):
        access = operation["x-access"]
        expected = None if access == "anyone" else caller.expected(access)
        cell = f"{operation['operationId']} ({access}) by {caller.name}: {answer.status} {answer.body[:200]!r}"
        if method == "HEAD":  # Has no body to tell a code in.
            self.assertEqual(answer.status in (401, 403), expected is not None, cell)
            self.assertTrue(expected is None or answer.status == expected[0], cell)
        elif expected:
            self.assertEqual((answer.status, answer.json["code"]), expected, cell)
        elif access == "anyone":
            # What they bring may be refused, such as a wrong password; not that they come.
            code = answer.json.get("code") if answer.status >= 400 else None
            self.assertNotIn(code, DENIALS - {"NotLoggedIn"}, cell)
            self.assertTrue(code != "NotLoggedIn" or operation["operationId"] == "refresh", cell)
        else:
            self.assertNotIn(answer.status, (401, 403), cell)
            self.assertLess(answer.status, 500, cell)

    def test_SPK_9_every_operation_by_every_caller(self):
        """Proves that each operation is refused to all for whom it is not, with the code that says why, and to nobody
        else."""
        strangers = self.strangers()
        for caller in strangers:
            # What has just ended is known for half a second at the most.
            wait_until(lambda: self.request("GET", "/api/v1/me", caller.token).status == 401, caller.name, 1)
        callers = strangers + self.people()
        cells = 0
        for method, path, operation in operations():
            for caller in callers:
                if operation["operationId"] == "logOut" and caller.expected("session") is None:
                    continue  # It would be somebody else from then on: the last test.
                with self.subTest(operation=operation["operationId"], caller=caller.name):
                    self.check(caller, method, path, operation, self.call(caller, method, path, operation))
                    cells += 1
        self.assertGreater(cells, 50 * len(callers))
        print(f"{cells} cells", file=sys.stderr)

    def test_SPK_9_nobody_reaches_what_is_somebody_elses(self):
        """Proves that whatever is named by an id is there for its owner alone: others, administrators among them, are
        told that there is no such thing."""
        owner = self.session("ada")
        image = self.ada.upload(photos.png("matrix", 60, 40))
        self.gallery.wait_developed(self.ada, image)
        job = self.ada.create_job(image, {"op": "rotate", "degrees": 90})["jobId"]
        self.gallery.wait_job(self.ada, job)
        upload = self.ada.tus("POST", "/uploads", Upload_Length=100).headers["Location"].rpartition("/")[2]
        things = {"/api/v1/images/": image, "/api/v1/media/": image, "/api/v1/jobs/": job, "/api/v1/uploads/": upload,
                  "/api/v1/me/sessions/": self.session_id(owner), "/api/v1/me/api-keys/": self.key(owner, "read")["id"]}
        bodies = {"changeImage": {"title": "mine"}, "revertImage": {"revision": 0}, "makeLink": {"size": "THUMB"}}
        self.made("stranger")
        strangers = {"another account": self.session("stranger"), "an administrator": self.session("root"),
                     "an administrator's key": self.key(self.session("root"), *SCOPES)["key"]}
        reached = 0
        for method, path, operation in operations():
            thing = next((thing for prefix, thing in things.items() if path.startswith(prefix + "{id}")), None)
            if thing is None or operation["x-access"] == "anyone":
                continue
            body, headers = BODIES.get(operation["operationId"], (None, {}))
            if operation["operationId"] in bodies:
                body, headers = json.dumps(bodies[operation["operationId"]]), {"Content-Type": "application/json", "If-Match": '"1"'}
            elif "/uploads/" in path:
                headers = {**TUS, **headers}
            for name, token in strangers.items():
                with self.subTest(operation=operation["operationId"], caller=name):
                    answer = self.request(method, re.sub(r"{\w+}", "rekognition.label", path.replace("{id}", thing)), token, body, headers)
                    refused = 403 if operation["x-access"] == "session" and token.startswith("tintype_") else 404
                    self.assertEqual(answer.status, refused, answer.body[:200])
                    reached += 1
        self.assertGreater(reached, 3 * 18)
        self.assertEqual(self.ada.image(image)["processingStatus"], "completed")
        self.assertEqual(self.request("GET", "/api/v1/me", owner).status, 200)
        self.assertEqual(self.ada.tus("HEAD", f"/uploads/{upload}").status, 200)

    def test_SPK_9_blobs_by_signed_links(self):
        """Proves that the stored files of a private image answer to links alone that the server signed, unchanged and
        within their time, whoever asks."""
        image = self.ada.upload(photos.png("signed", 60, 40))
        sizes = self.gallery.wait_developed(self.ada, image)["sizes"]
        self.assertIn("ORIGINAL", sizes)
        for size, url in sizes.items():
            path, _, query = url[url.index("/media/"):].partition("?")
            parameters = dict(urllib.parse.parse_qsl(query))
            self.assertEqual(self.gallery.follow(url).status, 200, size)
            for name, value in {"signature": "A" * 43, "expires": int(parameters["expires"]) + 1, "revision": 7, "for": "everyone"}.items():
                changed = urllib.parse.urlencode({**parameters, name: value})
                self.assertEqual(self.gallery.follow(f"{path}?{changed}").status, 403, (size, name))
            self.assertEqual(self.gallery.follow(path, Authorization=self.ada.authorization).status, 403, size)
            past = self.gallery.sign(path.removeprefix("/media/"), int(parameters["revision"]), int(time.time()) - 1)
            self.assertEqual(self.gallery.follow(past).status, 403, size)

    def test_the_owner_logs_out(self):
        """Proves the one cell that the matrix leaves out: whoever has a session may end it."""
        for username in ("ada", "root"):
            self.assertEqual(self.request("POST", "/api/v1/auth/logout", self.session(username)).status, 204)


if __name__ == "__main__":
    unittest.main(verbosity=2)
