"""People who sign in with another service: a real issuer of OpenID Connect beside the server, browsers that come back
from it, and bearer tokens of its."""

import base64
import http.cookies
import json
import os
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import rest  # noqa: E402
from gallery import SPARKS, SYSTEM, Gallery, wait_until  # noqa: E402
from outside import AUDIENCE, CLIENT_SECRET, Issuer  # noqa: E402

# Where browsers come back to. Nobody listens there: these tests are the browser.
PUBLIC_URL = "http://127.0.0.1:9"
PASSWORD = "correct horse battery"
# What ended stops within a second; the rest is what a busy machine takes for the requests that look.
STOPS_WITHIN_SECONDS = 1 + 0.5


class OutsideCase(unittest.TestCase):
    SIGN_UP = "invitation"

    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer(f"{PUBLIC_URL}/")
        cls.addClassCleanup(cls.issuer.stop)
        cls.gallery = Gallery(("--workers", "1", "--public-url", PUBLIC_URL, "--oidc-issuer", cls.issuer.url, "--oidc-client-id",
                               "tintype", "--oidc-name", "Example", "--oidc-sign-up", cls.SIGN_UP, "--oidc-audience", AUDIENCE,
                               "--oidc-roles-claim", "groups", "--oidc-administrator-role", "photo-admins"),
                              environment={"TINTYPE_OIDC_CLIENT_SECRET": CLIENT_SECRET})
        cls.addClassCleanup(cls.gallery.stop)
        cls.root = cls.gallery.sign_up_administrator()

    def post(self, path, body=None, cookie=None, token=None):
        headers = {"Content-Type": "application/json"}
        if cookie:
            headers["Cookie"] = cookie
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return rest.request(self.gallery.address, "POST", f"/api/v1{path}", None if body is None else json.dumps(body), headers)

    def get(self, path, token):
        return rest.request(self.gallery.address, "GET", f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"})

    def begin(self, **body):
        """Where the browser is sent, and the cookie that it takes along."""
        begun = self.post("/auth/outside", body)
        self.assertEqual(begun.status, 200, begun.body)
        return begun.json["url"], self.cookie_of(begun)

    @staticmethod
    def cookie_of(answer):
        [header] = [line for line in answer.headers.get_all("Set-Cookie") if line.startswith("tintype_outside=")]
        cookie = http.cookies.SimpleCookie(header)["tintype_outside"]
        assert cookie["httponly"] and cookie["samesite"] == "Strict" and cookie["path"] == "/api/v1/auth/outside", header
        return f"tintype_outside={cookie.value}"

    def finish(self, back, cookie, token=None):
        """What the page does when the browser is back; the answer whatever its status."""
        body = {"state": back.get("state", ""), "session": "token"}
        body.update({name: back[sent] for name, sent in (("code", "code"), ("error", "error"), ("issuer", "iss")) if sent in back})
        return self.post("/auth/outside/return", body, cookie, token)

    def sign_in(self, person, **body):
        url, cookie = self.begin(**body)
        return self.finish(self.issuer.walk(url, person), cookie)

    def signed_in(self, person, **body):
        answer = self.sign_in(person, **body)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def in_two_windows(self, person):
        """The answers to two browsers that come back for somebody at the same moment."""
        backs = [(self.issuer.walk(url, person), cookie) for url, cookie in [self.begin() for _ in range(2)]]
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(lambda pair: self.finish(*pair), backs))

    def assert_stops(self, token):
        began = time.monotonic()
        wait_until(lambda: self.get("/me", token).status == 401, "the token stops", seconds=2)
        took = time.monotonic() - began
        self.assertLess(took, STOPS_WITHIN_SECONDS, f"the token stopped after {took:.2f} s")

    def assert_refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.json["code"]), (status, code), answer.body)

    def made(self, username, **more):
        """An account that an administrator made for somebody of that address."""
        answer = self.root.send("POST", "/users", {"email": f"{username}@example.com", "username": username, "password": PASSWORD,
                                                   **more})
        self.assertEqual(answer.status, 201, answer.body)
        return answer.json["account"]["userId"]

    def invited(self, email, **more):
        answer = self.root.send("POST", "/invitations", {"email": email, **more} if email else more)
        self.assertEqual(answer.status, 201, answer.body)
        return answer.json["token"]

    def change(self, user_id, **change):
        answer = self.root.send("PATCH", f"/users/{user_id}", change)
        self.assertEqual(answer.status, 200, answer.body)

    def identities_of(self, user_id):
        return [item for item in self.gallery.scan(SYSTEM) if item["PK"].startswith("IDENTITY#") and item["accountId"] == user_id]


class SignInTest(OutsideCase):
    def test_SPK_13_an_account_that_was_made_for_them(self):
        """Proves that whoever an administrator made an account for comes to it, once the other service has verified
        the address, and from then on by who they are there, whatever becomes of the address."""
        user_id = self.made("ada")
        self.issuer.know("ada-there", email="Ada@Example.com")
        first = self.signed_in("ada-there")
        self.assertEqual((first["user"]["userId"], first["user"]["username"]), (user_id, "ada"))
        self.assertEqual(self.get("/me", first["accessToken"]).json["email"], "ada@example.com")
        self.issuer.know("ada-there", email="other@example.com", email_verified=False)
        self.assertEqual(self.signed_in("ada-there")["user"]["userId"], user_id)
        [linked] = self.identities_of(user_id)
        self.assertEqual((linked["issuer"], linked["subject"]), (self.issuer.url, "ada-there"))
        listed = self.get("/me/identities", first["accessToken"]).json["items"]
        self.assertEqual([(each["id"], each["issuer"], each["email"]) for each in listed],
                         [(linked["id"], self.issuer.url, "Ada@Example.com")])

    def test_the_page_is_told(self):
        state = rest.request(self.gallery.address, "GET", "/api/v1/auth/state").json
        self.assertEqual(state["outside"], {"name": "Example", "signUp": self.SIGN_UP})

    def test_an_invitation_to_the_address(self):
        """Proves that an invitation to a verified address brings an account without its link, and is used up."""
        self.issuer.know("bea", preferred_username="Bea B.", name="Bea Bee")
        self.assert_refused(self.sign_in("bea"), 403, "InvitationRequired")
        self.invited("bea@example.com")
        user = self.signed_in("bea")["user"]
        self.assertEqual((user["email"], user["username"], user["displayName"]), ("bea@example.com", "beab.", "Bea Bee"))
        self.assertFalse(user["administrator"])
        self.assertNotIn("bea@example.com", [each["email"] for each in self.root.call("GET", "/invitations")["items"]])
        # In Sparks' table, the user is as for every other account.
        self.assertEqual(self.gallery.get(SPARKS, PK="bea@example.com", SK="bea@example.com")["username"], "Bea Bee")

    def test_an_invitation_by_its_link(self):
        token = self.invited(None)
        self.issuer.know("carl")
        self.assertEqual(self.signed_in("carl", invitation=token)["user"]["email"], "carl@example.com")
        self.issuer.know("dora")
        self.assert_refused(self.sign_in("dora", invitation=token), 403, "InvalidInvitation")
        self.assert_refused(self.post("/auth/outside", {"invitation": "x" * 5000}), 400, "InvalidRequest")

    def test_two_windows_at_once(self):
        """Proves that somebody whose two windows come back at the same moment has one account, whether they are invited
        or vouched for."""
        self.invited("una@example.com")
        self.made("vera")
        for person in ("una", "vera"):
            self.issuer.know(person)
            answers = self.in_two_windows(person)
            self.assertEqual([answer.status for answer in answers], [200, 200], answers)
            self.assertEqual(len({answer.json["user"]["userId"] for answer in answers}), 1)

    def test_usernames_that_are_taken(self):
        """Proves that two of one name both get an account."""
        self.made("emil")
        self.issuer.know("emil-there", email="emil@elsewhere.example", preferred_username="emil")
        self.invited("emil@elsewhere.example")
        self.assertRegex(self.signed_in("emil-there")["user"]["username"], r"^emil-\d+$")

    def test_an_address_that_is_not_verified(self):
        self.made("fred")
        self.issuer.know("fred-there", email="fred@example.com", email_verified=False)
        self.assert_refused(self.sign_in("fred-there"), 403, "EmailNotVerified")
        self.issuer.control(users={"nobody-there": {}})
        self.assert_refused(self.sign_in("nobody-there"), 403, "EmailNotVerified")

    def test_an_account_that_somebody_made_with_their_address(self):
        """Proves that an account which anybody may have made with the address is not given to its owner, nor they to
        it; that its owner can link the two; and that they can take that back, but not their last way in."""
        gina = self.gallery.sign_up("gina")
        self.issuer.know("gina-there", email="gina@example.com")
        self.assert_refused(self.sign_in("gina-there"), 403, "LinkRequired")
        gina.log_in()
        began = gina.send("POST", "/me/identities")
        self.assertEqual(began.status, 200, began.body)
        back = self.issuer.walk(began.json["url"], "gina-there")
        # Nobody else who sits down at the browser is linked to the account.
        for somebody in (None, self.root.authorization.removeprefix("Bearer ")):
            self.assert_refused(self.finish(back, self.cookie_of(began), somebody), 403, "SignInExpired")
        linked = self.finish(back, self.cookie_of(began), gina.authorization.removeprefix("Bearer "))
        self.assertEqual(linked.status, 204, linked.body)
        self.assertEqual(self.signed_in("gina-there")["user"]["userId"], gina.user_id)
        # To another account, the same person cannot be linked.
        hugo = self.gallery.sign_up("hugo")
        began = hugo.send("POST", "/me/identities")
        again = self.finish(self.issuer.walk(began.json["url"], "gina-there"), self.cookie_of(began),
                            hugo.authorization.removeprefix("Bearer "))
        self.assert_refused(again, 409, "IdentityTaken")
        [identity] = gina.call("GET", "/me/identities")["items"]
        self.assertEqual(hugo.send("DELETE", f"/me/identities/{identity['id']}").status, 404)
        self.assertEqual(gina.send("DELETE", f"/me/identities/{identity['id']}").status, 204)
        self.assert_refused(self.sign_in("gina-there"), 403, "LinkRequired")

    def test_the_last_way_in(self):
        self.issuer.know("ines")
        self.invited("ines@example.com")
        token = self.signed_in("ines")["accessToken"]
        [identity] = self.get("/me/identities", token).json["items"]
        answer = rest.request(self.gallery.address, "DELETE", f"/api/v1/me/identities/{identity['id']}",
                              headers={"Authorization": f"Bearer {token}"})
        self.assert_refused(answer, 409, "LastSignIn")
        # With a password, there is another way.
        self.assertIs(self.get("/me", token).json["hasPassword"], False)
        self.assertEqual(self.post("/me/password", {"newPassword": PASSWORD}, token=token).status, 204)
        self.assertIs(self.get("/me", token).json["hasPassword"], True)
        self.assert_refused(self.post("/me/password", {"newPassword": PASSWORD}, token=token), 400, "InvalidRequest")
        self.assert_refused(self.post("/me/deletion", {}, token=token), 400, "InvalidRequest")
        answer = rest.request(self.gallery.address, "DELETE", f"/api/v1/me/identities/{identity['id']}",
                              headers={"Authorization": f"Bearer {token}"})
        self.assertEqual(answer.status, 204, answer.body)
        self.assertEqual(self.post("/auth/login", {"username": "ines", "password": PASSWORD}).status, 200)

    def test_an_administrator_takes_a_way_in(self):
        """Proves that administrators see how somebody signs in and take that away, the last way in too; that it is
        recorded; and that nothing of one account is reached by the name of another."""
        self.issuer.know("mona")
        self.invited("mona@example.com")
        mona = self.signed_in("mona")
        user_id, token = mona["user"]["userId"], mona["accessToken"]
        listed = self.root.call("GET", f"/users/{user_id}/identities")
        self.assertEqual(listed, self.get("/me/identities", token).json)
        [identity] = listed["items"]
        self.assertEqual((identity["issuer"], identity["email"]), (self.issuer.url, "mona@example.com"))
        other = self.made("not-mona")
        self.assertEqual(self.root.call("GET", f"/users/{other}/identities"), {"items": []})
        self.assertEqual(self.root.send("GET", "/users/nobody/identities").status, 404)
        for path in (f"/users/{other}/identities/{identity['id']}", f"/users/{user_id}/identities/another"):
            self.assertEqual(self.root.send("DELETE", path).status, 404, path)
        self.assertEqual(self.root.send("DELETE", f"/users/{user_id}/identities/{identity['id']}").status, 204)
        self.assertEqual(self.root.call("GET", f"/users/{user_id}/identities"), {"items": []})
        # Whoever has the address there does not come back by it, and by a password link they do.
        self.assert_refused(self.sign_in("mona"), 403, "LinkRequired")
        link = self.root.call("POST", f"/users/{user_id}/password-link")["token"]
        self.assertEqual(self.post("/auth/password", {"token": link, "password": PASSWORD}).status, 200)
        [entry] = self.root.call("GET", "/audit?kind=account.unlink-identity&outcome=done&subject=" + user_id)["items"]
        self.assertEqual(entry["accountId"], self.root.user_id)

    def test_an_account_without_a_password(self):
        """Proves that somebody without a password sets one, and deletes the account, only when they have just signed
        in."""
        self.issuer.know("iris")
        self.invited("iris@example.com")
        token = self.signed_in("iris")["accessToken"]
        [session] = [each["id"] for each in self.get("/me/sessions", token).json["items"] if each["current"]]
        self.gallery.documents.update_item(
            TableName=SYSTEM, Key={"PK": f"SESSION#{session}", "SK": "SESSION"}, UpdateExpression="SET createdAt = :then",
            ExpressionAttributeValues={":then": int((time.time() - 11 * 60) * 1000)})
        for path, body in (("/me/password", {"newPassword": PASSWORD}), ("/me/deletion", {})):
            refused = self.post(path, body, token=token)
            self.assert_refused(refused, 403, "SignInAgain")
            self.assertIn("sign in again", refused.json["detail"])
        token = self.signed_in("iris")["accessToken"]
        self.assertEqual(self.post("/me/deletion", {}, token=token).status, 202)

    def test_a_link_ends_with_the_session_that_began_it(self):
        jan = self.gallery.sign_up("jan")
        self.issuer.know("jan-there", email="jan@example.com")
        began = jan.send("POST", "/me/identities")
        back = self.issuer.walk(began.json["url"], "jan-there")
        self.assertEqual(jan.send("POST", "/auth/logout").status, 204)
        token = jan.authorization.removeprefix("Bearer ")
        self.assert_refused(self.finish(back, self.cookie_of(began), token), 401, "NotLoggedIn")
        self.assertEqual(self.identities_of(jan.user_id), [])

    def test_only_the_browser_that_left_comes_back(self):
        """Proves that a code is worth nothing without the cookie of the browser that went for it, with another's, with
        another state, or twice."""
        self.made("kim")
        self.issuer.know("kim-there", email="kim@example.com")
        url, cookie = self.begin()
        back = self.issuer.walk(url, "kim-there")
        _, others = self.begin()
        for wrong in (None, others, "tintype_outside=", f"{cookie[:-2]}xx", "tintype_outside=" + "A" * 8000):
            self.assert_refused(self.finish(back, wrong), 403, "SignInExpired")
        self.assert_refused(self.finish({**back, "state": back["state"][:-1]}, cookie), 403, "SignInExpired")
        self.assertEqual(self.finish(back, cookie).status, 200)
        self.assert_refused(self.finish(back, cookie), 403, "SignInExpired")
        url, cookie = self.begin()
        back = self.issuer.walk(url, "kim-there")
        self.assert_refused(self.finish({**back, "iss": "http://127.0.0.1:9"}, cookie), 403, "IssuerRefused")

    def test_what_the_other_service_refuses(self):
        url, cookie = self.begin()
        [state] = [part.partition("=")[2] for part in url.partition("?")[2].split("&") if part.startswith("state=")]
        self.assert_refused(self.finish({"state": state, "error": "access_denied"}, cookie), 403, "IssuerRefused")
        self.assert_refused(self.finish({"state": state}, cookie), 403, "IssuerRefused")  # No code.
        self.assert_refused(self.finish({"state": state, "code": "guessed", "iss": self.issuer.url}, cookie), 403, "IssuerRefused")

    def test_SPK_13_roles_from_a_claim(self):
        """Proves that accounts which were made here keep the role that they have here, and so does who was invited as
        an administrator; everybody else who was invited follows the claim."""
        self.issuer.know("lena", groups=["photo-admins"])
        self.made("mia")
        self.issuer.know("mia-there", email="mia@example.com", groups=["photo-admins"])
        self.assertFalse(self.signed_in("mia-there")["user"]["administrator"])
        self.invited("lena@example.com")
        self.assertTrue(self.signed_in("lena")["user"]["administrator"])
        self.issuer.know("lena")
        self.assertFalse(self.signed_in("lena")["user"]["administrator"])
        self.invited("lara@example.com", administrator=True)
        self.issuer.know("lara")
        for _ in range(2):
            self.assertTrue(self.signed_in("lara")["user"]["administrator"])

    def test_an_address_that_is_somebody_elses_now(self):
        """Proves that an account which somebody came to by its address is not handed to the next who has the address,
        neither while they are linked nor after they took that back."""
        user_id = self.made("quentin")
        self.issuer.know("quentin-there", email="quentin@example.com")
        first = self.signed_in("quentin-there")
        self.assertEqual(first["user"]["userId"], user_id)
        self.issuer.know("quentins-heir", email="quentin@example.com")
        self.assert_refused(self.sign_in("quentins-heir"), 403, "LinkRequired")
        [identity] = self.get("/me/identities", first["accessToken"]).json["items"]
        token = self.issuer.tokens("quentin-there")["id_token"]
        self.assertEqual(self.get("/me", token).status, 200)
        removed = rest.request(self.gallery.address, "DELETE", f"/api/v1/me/identities/{identity['id']}",
                               headers={"Authorization": f"Bearer {first['accessToken']}"})
        self.assertEqual(removed.status, 204)
        self.assert_stops(token)
        self.assert_refused(self.sign_in("quentin-there"), 403, "LinkRequired")

    def test_a_link_removed_before_it_was_used_up(self):
        """Proves that a vouch does not outlive a link that its owner made and took back."""
        self.made("rosa")
        rosa = rest.Account(lambda: self.gallery.address, "rosa")
        rosa.log_in()
        self.issuer.know("rosa-there", email="rosa@example.com")
        began = rosa.send("POST", "/me/identities")
        back = self.issuer.walk(began.json["url"], "rosa-there")
        self.assertEqual(self.finish(back, self.cookie_of(began), rosa.authorization.removeprefix("Bearer ")).status, 204)
        # Her address may be somebody else's later: the link has used up that somebody vouched for it.
        self.issuer.know("rosas-heir", email="rosa@example.com")
        self.assert_refused(self.sign_in("rosas-heir"), 403, "LinkRequired")
        [identity] = rosa.call("GET", "/me/identities")["items"]
        self.assertEqual(rosa.send("DELETE", f"/me/identities/{identity['id']}").status, 204)
        self.assert_refused(self.sign_in("rosa-there"), 403, "LinkRequired")

    def test_an_identity_that_comes_and_goes(self):
        """Proves that a link that is removed, made again and removed again is gone each time."""
        sara = self.gallery.sign_up("sara")
        self.issuer.know("sara-there", email="sara@example.com")
        for _ in range(3):
            sara.log_in()
            began = sara.send("POST", "/me/identities")
            back = self.issuer.walk(began.json["url"], "sara-there")
            linked = self.finish(back, self.cookie_of(began), sara.authorization.removeprefix("Bearer "))
            self.assertEqual(linked.status, 204, linked.body)
            [identity] = sara.call("GET", "/me/identities")["items"]
            self.assertEqual(sara.send("DELETE", f"/me/identities/{identity['id']}").status, 204)
            self.assertEqual(self.identities_of(sara.user_id), [])
            self.assert_refused(self.sign_in("sara-there"), 403, "LinkRequired")

    def test_an_issuer_whose_id_tokens_say_little(self):
        """Proves that who somebody is comes from the userinfo of an issuer whose ID tokens do not say it."""
        user_id = self.made("tina")
        self.issuer.control(userinfo=True)
        self.addCleanup(self.issuer.control, userinfo=False)
        self.issuer.know("tina-there", email="tina@example.com")
        self.assertEqual(self.signed_in("tina-there")["user"]["userId"], user_id)
        self.issuer.know("theo", groups=["photo-admins"])
        self.invited("theo@example.com")
        theo = self.signed_in("theo")["user"]
        self.assertEqual((theo["email"], theo["administrator"]), ("theo@example.com", True))
        self.issuer.know("theo")
        self.assertFalse(self.signed_in("theo")["user"]["administrator"])

    def test_a_disabled_account(self):
        user_id = self.made("nora")
        self.issuer.know("nora-there", email="nora@example.com")
        self.signed_in("nora-there")
        self.change(user_id, disabled=True)
        self.assert_refused(self.sign_in("nora-there"), 403, "AccountDisabled")
        self.change(user_id, disabled=False)
        self.signed_in("nora-there")

    def test_a_deleted_account(self):
        """Proves that nothing of the link is left, and that the person can come anew."""
        user_id = self.made("olga")
        self.issuer.know("olga-there", email="olga@example.com")
        self.signed_in("olga-there")
        self.assertEqual(self.root.send("DELETE", f"/users/{user_id}").status, 202)
        wait_until(lambda: not self.gallery.get(SYSTEM, PK=f"ACCOUNT#{user_id}", SK="ACCOUNT"), "the account is gone")
        self.assertEqual(self.identities_of(user_id), [])
        self.invited("olga@example.com")
        self.assertNotEqual(self.signed_in("olga-there")["user"]["userId"], user_id)

    def test_the_audit_tells(self):
        user_id = self.made("paul")
        self.issuer.know("paul-there", email="paul@example.com")
        self.signed_in("paul-there")
        self.issuer.know("stranger")
        self.assert_refused(self.sign_in("stranger"), 403, "InvitationRequired")

        def told():
            entries = self.root.call("GET", "/audit?limit=100")["items"]
            done = [each for each in entries if each["kind"] == "session.login" and each["outcome"] == "done" and
                    each["accountId"] == user_id]
            denied = [each for each in entries if each["outcome"] == "denied" and
                      each["details"].get("operation") == "finishOutsideSignIn"]
            return done and denied

        wait_until(told, "the audit tells of both")


class OpenTest(OutsideCase):
    SIGN_UP = "open"

    def test_SPK_13_everybody_whom_it_verified(self):
        """Proves that with open sign-up people get accounts by themselves, and follow the role that the claim says."""
        self.issuer.know("ada", groups=["users"])
        first = self.signed_in("ada")["user"]
        self.assertFalse(first["administrator"])
        self.issuer.know("ada", groups=["users", "photo-admins"])
        second = self.signed_in("ada")
        self.assertEqual((second["user"]["userId"], second["user"]["administrator"]), (first["userId"], True))
        self.assertEqual(self.get("/users", second["accessToken"]).status, 200)
        self.issuer.know("ada")
        self.assertFalse(self.signed_in("ada")["user"]["administrator"])
        wait_until(lambda: self.get("/users", second["accessToken"]).status == 403, "the role ends", seconds=2)
        self.issuer.know("bob", email_verified=False)
        self.assert_refused(self.sign_in("bob"), 403, "EmailNotVerified")

    def test_a_token_makes_nobody_an_administrator(self):
        """Proves that a token with the role opens nothing to somebody who has lost it since, or never signed in."""
        self.issuer.know("dora", groups=["photo-admins"])
        token = self.issuer.tokens("dora")["id_token"]
        me = self.get("/me", token)
        self.assertEqual((me.status, me.json["administrator"]), (200, False))
        self.assertTrue(self.signed_in("dora")["user"]["administrator"])
        wait_until(lambda: self.get("/users", token).status == 200, "the role is there", seconds=2)
        # Of somebody who is in no group any more, tokens have no such claim: the older one opens what it did until they
        # sign in, the newer one does not.
        self.issuer.know("dora")
        self.assertEqual(self.get("/users", self.issuer.tokens("dora")["id_token"]).status, 403)
        self.issuer.know("dora", groups=[])
        self.assertFalse(self.signed_in("dora")["user"]["administrator"])
        wait_until(lambda: self.get("/users", token).status == 403, "the role ends", seconds=2)

    def test_two_browsers_at_once(self):
        """Proves that a person whose two windows come back at the same moment has one account."""
        self.issuer.know("carl")
        answers = self.in_two_windows("carl")
        self.assertEqual([answer.status for answer in answers], [200, 200], answers)
        self.assertEqual(len({answer.json["user"]["userId"] for answer in answers}), 1)


class ClosedTest(OutsideCase):
    SIGN_UP = "closed"

    def test_nobody_who_is_new(self):
        self.issuer.know("ada")
        self.invited_before = self.root.send("POST", "/invitations", {"email": "ada@example.com"})
        self.assert_refused(self.sign_in("ada"), 403, "SignUpClosed")
        self.assert_refused(self.sign_in("ada", invitation=self.invited(None)), 403, "SignUpClosed")
        user_id = self.made("ada")
        self.assertEqual(self.signed_in("ada")["user"]["userId"], user_id)


class BearerTest(OutsideCase):
    def test_SPK_13_tokens_open_the_api(self):
        """Proves that ID tokens and access tokens of the other issuer open the API for the account that is theirs,
        but not what guards the account itself."""
        user_id = self.made("ada")
        self.issuer.know("ada-there", email="ada@example.com")
        tokens = self.issuer.tokens("ada-there")
        # Of somebody who is new, an access token of an API says too little.
        for kind in ("id_token", "access_token"):
            me = self.get("/me", tokens[kind])
            self.assertEqual((me.status, me.json["userId"]), (200, user_id), me.body)
            self.assertEqual(self.get("/images", tokens[kind]).status, 200)
            self.assert_refused(self.get("/me/sessions", tokens[kind]), 403, "SessionRequired")
            self.assert_refused(self.get("/users", tokens[kind]), 403, "AdministratorsOnly")

    def test_an_invitation_of_an_administrator(self):
        """Proves that a token does not use up an invitation that makes somebody an administrator."""
        self.invited("dana@example.com", administrator=True)
        self.issuer.know("dana")
        self.assert_refused(self.get("/me", self.issuer.tokens("dana")["id_token"]), 401, "NotLoggedIn")
        self.assertTrue(self.signed_in("dana")["user"]["administrator"])

    def test_SPK_13_cognitos_access_tokens(self):
        """Proves that access tokens in Cognito's form, which name no address, lead to the account of who they are of:
        the issuer is asked once."""
        user_id = self.made("bea")
        self.issuer.know("bea-there", email="bea@example.com", groups=["photo-admins"])
        claims = {"sub": "bea-there", "token_use": "access", "client_id": "tintype", "username": "bea-there", "cognito:groups": ["all"],
                  "scope": "openid email"}
        token = self.issuer.control(sign=claims)["token"]
        for _ in range(2):
            me = self.get("/me", token)
            self.assertEqual((me.status, me.json.get("userId")), (200, user_id), me.body)
        for wrong in ({"client_id": "another"}, {"token_use": "refresh"}, {"aud": "another"}):
            self.assert_refused(self.get("/me", self.issuer.control(sign={**claims, **wrong})["token"]), 401, "NotLoggedIn")
        # An ID token in Cognito's form brings its address along.
        carol = self.made("carol")
        self.issuer.know("carol-there", email="carol@example.com")
        token = self.issuer.control(sign={"sub": "carol-there", "token_use": "id", "aud": "tintype", "cognito:username": "carol-there",
                                          "email": "carol@example.com", "email_verified": True})["token"]
        self.assertEqual(self.get("/me", token).json["userId"], carol)

    def test_tokens_that_are_not_for_this_server(self):
        self.made("carl")
        self.issuer.know("carl-there", email="carl@example.com")
        tokens = self.issuer.tokens("carl-there", "another", "another secret")
        self.assert_refused(self.get("/me", tokens["id_token"]), 401, "NotLoggedIn")
        head, body, signature = self.issuer.tokens("carl-there")["id_token"].split(".")

        def encoded(value):
            return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

        def decoded(part):
            return json.loads(base64.urlsafe_b64decode(part + "=="))

        changed = encoded({**decoded(body), "sub": "somebody-else"})
        for forged in (f"{head}.{changed}.{signature}", f"{encoded({**decoded(head), 'alg': 'none'})}.{body}.",
                       f"{encoded({**decoded(head), 'alg': 'HS256'})}.{body}.{signature}",
                       f"{encoded({**decoded(head), 'kid': 'unknown'})}.{body}.{signature}", f"{head}.{body}.{signature[:-4]}AAAA"):
            self.assert_refused(self.get("/me", forged), 401, "NotLoggedIn")
        self.assertEqual(self.get("/me", f"{head}.{body}.{signature}").status, 200)

    @unittest.skipIf("TINTYPE_TEST_TABLES" in os.environ, "half a minute, and what is known of the issuer is in no table")
    def test_another_key(self):
        """Proves that tokens by a key that the issuer has made since are good once the server asks it again, which
        it does for an unknown key, but not more than twice a minute."""
        self.made("dora")
        self.issuer.know("dora-there", email="dora@example.com")
        self.assertEqual(self.get("/me", self.issuer.tokens("dora-there")["id_token"]).status, 200)
        self.issuer.control(rotate=True)
        token = self.issuer.tokens("dora-there")["id_token"]
        # Half a minute, and what a busy machine takes.
        wait_until(lambda: self.get("/me", token).status == 200, "the new key is known", seconds=30 + 5)

    def test_they_stop_within_a_second(self):
        """Proves that disabling the account ends what its tokens can do, until it is enabled again."""
        user_id = self.made("emil")
        self.issuer.know("emil-there", email="emil@example.com")
        token = self.issuer.tokens("emil-there")["id_token"]
        self.assertEqual(self.get("/me", token).status, 200)
        self.change(user_id, disabled=True)
        self.assert_stops(token)
        self.change(user_id, disabled=False)
        wait_until(lambda: self.get("/me", token).status == 200, "the token works again", seconds=2)

    def test_somebody_without_an_account(self):
        self.issuer.know("stranger")
        tokens = self.issuer.tokens("stranger")
        refused = self.get("/me", tokens["id_token"])
        self.assert_refused(refused, 401, "NotLoggedIn")
        self.assertIn("invitation", refused.json["detail"])


if __name__ == "__main__":
    unittest.main()
