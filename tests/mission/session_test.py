"""Who gets in, over HTTP: the first account, tokens for programs, cookies for browsers."""

import http.cookies
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import Gallery  # noqa: E402

PASSWORD = "correct horse battery"


class SessionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery()
        cls.addClassCleanup(cls.gallery.stop)

    def post(self, path, body, **headers):
        sent = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
        return rest.request(self.gallery.address, "POST", f"/api/v1{path}", json.dumps(body), sent)

    def get(self, path, **headers):
        return rest.request(self.gallery.address, "GET", f"/api/v1{path}", headers=headers)

    def sign_up(self, username, **more):
        return self.post("/auth/signup", {"email": f"{username}@example.com", "username": username, "password": PASSWORD, **more})

    def assert_refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.json["code"]), (status, code))
        self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
        self.assertTrue(answer.json["requestId"])

    # The tests run in the order of their names: this one is for a server without an account.
    def test_a_first_account_needs_the_token(self):
        """Proves that only who can read the server's directory becomes its administrator, once."""
        self.assertEqual(self.get("/auth/state").json, {"setupRequired": True, "signUpOpen": True, "signUp": "open"})
        self.assert_refused(self.sign_up("mallory"), 403, "InvalidSetupToken")
        self.assert_refused(self.sign_up("mallory", setupToken="guessed"), 403, "InvalidSetupToken")
        token = Path(self.gallery.server.data_dir, "setup-token").read_text(encoding="utf-8").strip()
        first = self.sign_up("first", setupToken=token)
        self.assertEqual((first.status, first.json["user"]["administrator"]), (201, True))
        self.assertEqual(self.get("/auth/state").json["setupRequired"], False)
        second = self.sign_up("second")
        self.assertEqual((second.status, second.json["user"]["administrator"]), (201, False))
        self.assert_refused(self.sign_up("second"), 409, "EmailTaken")
        self.assert_refused(self.post("/auth/signup", {"email": "other@example.com", "username": "second", "password": PASSWORD}),
                            409, "UsernameTaken")

    def test_bearer_tokens(self):
        """Proves that a token opens what it should, a changed one nothing; refreshing replaces it and logging out ends
        it."""
        tokens = self.sign_up("ada").json
        me = self.get("/me", Authorization=f"Bearer {tokens['accessToken']}")
        self.assertEqual((me.status, me.json["email"]), (200, "ada@example.com"))
        # Another account in the claims, the old signature.
        head, claims, signature = tokens["accessToken"].split(".")
        changed = ".".join((head, claims[:-2] + ("AA" if claims[-2:] != "AA" else "BB"), signature))
        for value in (f"Bearer {changed}", f"Bearer {head}.{claims}.", "Bearer x", f"Basic {tokens['accessToken']}"):
            self.assert_refused(self.get("/me", Authorization=value), 401, "NotLoggedIn")
        for path in ("/me", "/me/limit", "/images", "/feed", "/jobs", "/images/01ARZ3NDEKTSV4RRFFQ69G5FAV"):
            self.assert_refused(self.get(path), 401, "NotLoggedIn")
        upload = rest.request(self.gallery.address, "POST", "/api/v1/images", photos.png("session"), {"Content-Type": "image/png"})
        self.assert_refused(upload, 401, "NotLoggedIn")

        renewed = self.post("/auth/refresh", {"refreshToken": tokens["refreshToken"]})
        self.assertEqual(renewed.status, 200)
        self.assertNotEqual(renewed.json["refreshToken"], tokens["refreshToken"])
        self.assert_refused(self.post("/auth/refresh", {"refreshToken": "x"}), 401, "NotLoggedIn")
        ended = self.post("/auth/logout", {}, Authorization=f"Bearer {renewed.json['accessToken']}")
        self.assertEqual(ended.status, 204)
        for token in (tokens["refreshToken"], renewed.json["refreshToken"]):
            self.assert_refused(self.post("/auth/refresh", {"refreshToken": token}), 401, "NotLoggedIn")

    def test_cookies_and_forgery(self):
        """Proves that a browser's session lies in cookies that no script reads, and that a change needs the token that
        only the page knows."""
        answer = self.sign_up("bea", session="cookie")
        self.assertEqual((answer.status, set(answer.json)), (201, {"user", "csrfToken"}))
        cookies = http.cookies.SimpleCookie()
        for header in answer.headers.get_all("Set-Cookie"):
            cookies.load(header)
        for name, path in (("tintype_access", "/"), ("tintype_refresh", "/api/v1/auth"), ("tintype_device", "/api/v1/auth")):
            self.assertEqual((cookies[name]["path"], cookies[name]["httponly"], cookies[name]["samesite"], cookies[name]["secure"]),
                             (path, True, "Strict", ""), name)
        cookie, token = f"tintype_access={cookies['tintype_access'].value}", answer.json["csrfToken"]
        self.assertEqual(self.get("/me", Cookie=cookie).json["csrfToken"], token)

        upload = {"Cookie": cookie, "Content-Type": "image/png"}
        for forged in (upload, {**upload, "X-CSRF-Token": "x"}, {**upload, "X-CSRF-Token": token[:-1]}):
            refused = rest.request(self.gallery.address, "POST", "/api/v1/images", photos.png("forged", 40, 30), forged)
            self.assert_refused(refused, 403, "InvalidCsrfToken")
        good = rest.request(self.gallery.address, "POST", "/api/v1/images", photos.png("forged", 40, 30),
                            {**upload, "X-CSRF-Token": token})
        self.assertEqual(good.status, 202)
        self.assert_refused(self.post("/auth/logout", {}, Cookie=cookie), 403, "InvalidCsrfToken")

        refresh = f"tintype_refresh={cookies['tintype_refresh'].value}"
        self.assertEqual(self.post("/auth/refresh", {"session": "cookie"}, Cookie=refresh).status, 200)
        ended = self.post("/auth/logout", {}, Cookie=cookie, X_CSRF_Token=token)
        self.assertEqual(ended.status, 204)
        removed = ended.headers.get_all("Set-Cookie")
        self.assertTrue(all("Max-Age=0" in header for header in removed))
        self.assertFalse(any("tintype_device" in header for header in removed), "whoever was here is known again")
        self.assert_refused(self.post("/auth/refresh", {"session": "cookie"}, Cookie=refresh), 401, "NotLoggedIn")

    def test_wrong_passwords_are_slowed_down(self):
        """Proves that guessing gets a few attempts, and then has to wait; it says the same for a name that nobody
        has."""
        self.sign_up("carl")
        answers = [self.post("/auth/login", {"email": name, "password": "wrong"})
                   for name in ("carl@example.com", "nobody@example.com")]
        self.assertEqual({(answer.status, answer.json["code"], answer.json["detail"]) for answer in answers},
                         {(401, "InvalidCredentials", answers[0].json["detail"])})
        statuses = [self.post("/auth/login", {"email": "carl@example.com", "password": f"wrong {n}"}).status for n in range(12)]
        self.assertEqual(statuses, sorted(statuses))
        self.assertEqual((statuses[0], statuses[-1]), (401, 429))


if __name__ == "__main__":
    unittest.main(verbosity=2)
