"""What is around the page and the REST API: the names it answers to, the pages that may send requests, the proxies that
it believes, and the headers that protect browsers."""

import http.client
import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
from gallery import Gallery  # noqa: E402

PASSWORD = "correct horse battery"


class SurroundingsTest(unittest.TestCase):
    ARGUMENTS = ("--workers", "1")

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(cls.ARGUMENTS)
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def send(self, method, path, body=None, headers=None, source="127.0.0.1"):
        """The status, the headers and the body of an answer, to exactly these headers."""
        connection = http.client.HTTPConnection(self.gallery.address, timeout=30, source_address=(source, 0))
        self.addCleanup(connection.close)
        data = b"" if body is None else json.dumps(body).encode()
        given = {"Host": self.gallery.address, "Content-Type": "application/json", **(headers or {})}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def problem(self, *arguments, **more):
        status, _, body = self.send(*arguments, **more)
        return status, json.loads(body).get("code")

    def log_in(self, name, password, headers=None, source="127.0.0.1"):
        return self.send("POST", "/api/v1/auth/login", {"username": name, "password": password}, headers, source)


class HostTest(SurroundingsTest):
    ARGUMENTS = ("--workers", "1", "--public-url", "https://photos.example.org", "--allowed-hosts", "nas,*.home.arpa")

    def test_other_names_get_nothing(self):
        """A9: a page that gives its own name this machine's address cannot sign anybody up, log in or read anything."""
        sign_up = {"email": "eve@example.com", "username": "eve", "password": PASSWORD}
        port = self.gallery.address.rpartition(":")[2]
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}"):
            evil = {"Host": host, "Origin": f"http://{host}"}
            self.assertEqual((421, "UnknownHost"), self.problem("POST", "/api/v1/auth/signup", sign_up, evil))
            self.assertEqual((421, "UnknownHost"), self.problem("GET", "/api/v1/auth/state", headers={"Host": host}))
            for path in ("/", "/api/v1/openapi.json", "/media/any/thing"):
                self.assertEqual(421, self.send("GET", path, headers={"Host": host})[0], path)
        detail = json.loads(self.send("GET", "/", headers={"Host": "evil.example"})[2])["detail"]
        self.assertRegex(detail, "--public-url.*--allowed-hosts")
        log = [line for line in self.gallery.server.log.splitlines() if "a request was refused" in line]
        self.assertEqual(1, len(log), log)

    def test_its_own_names_work(self):
        port = self.gallery.address.rpartition(":")[2]
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}", "photos.example.org", "nas", "a.home.arpa",
                     f"{os.uname().nodename}:{port}"):
            self.assertEqual(200, self.send("GET", "/api/v1/auth/state", headers={"Host": host})[0], host)

    def test_health_checks_may_use_any_name(self):
        for path in ("/healthz", "/readyz"):
            self.assertEqual(200, self.send("GET", path, headers={"Host": "node-7.balancer.internal"})[0])

    def test_pages_of_other_origins_change_nothing(self):
        """A9: with a Host that is right, the Origin tells a foreign page."""
        body = {"username": "ada", "password": PASSWORD}
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "https://photos.example.org.evil.example"):
            self.assertEqual((403, "ForeignOrigin"),
                             self.problem("POST", "/api/v1/auth/login", body, {"Origin": origin}), origin)
        for origin in ("https://photos.example.org", f"http://{self.gallery.address}", "http://nas:8080"):
            self.assertEqual(200, self.send("POST", "/api/v1/auth/login", body, {"Origin": origin})[0], origin)
        cookies = {"Origin": "https://evil.example", "Cookie": "tintype_access=x"}
        self.assertEqual((403, "ForeignOrigin"), self.problem("GET", "/api/v1/me", headers=cookies))
        self.assertEqual((403, "ForeignOrigin"), self.problem(
            "POST", "/api/v1/images", headers={"Origin": "https://evil.example", "Authorization": self.ada.authorization}))


class HeadersTest(SurroundingsTest):
    ARGUMENTS = ("--workers", "1", "--trusted-proxies", "127.0.0.9", "--header-timeout", "0.3")

    def test_every_answer_forbids_guessing_its_type(self):
        """A9: `nosniff` and Referrer-Policy on whatever is answered, refusals included."""
        cases = {"the page": ("GET", "/"), "no page": ("GET", "/nope"), "JSON": ("GET", "/api/v1/auth/state"),
                 "not logged in": ("GET", "/api/v1/me"), "no such link": ("GET", "/media/a/b"),
                 "health": ("GET", "/healthz"), "no such method": ("PUT", "/api/v1/me")}
        for name, (method, path) in cases.items():
            with self.subTest(name):
                headers = self.send(method, path)[1]
                self.assertEqual(["nosniff"], headers.get_all("X-Content-Type-Options"))
                self.assertEqual(["same-origin"], headers.get_all("Referrer-Policy"))
                self.assertIsNone(headers["Strict-Transport-Security"])
        connection = http.client.HTTPConnection(self.gallery.address, timeout=30)
        self.addCleanup(connection.close)
        connection.connect()
        connection.sock.sendall(b"GET / HTTP/1.1\r\n")
        answer = http.client.HTTPResponse(connection.sock)
        answer.begin()
        self.assertEqual((408, "nosniff"), (answer.status, answer.headers["X-Content-Type-Options"]))

    def test_strict_transport_security_is_for_https(self):
        """Said to those who came by TLS: a trusted proxy knows, others may claim what they like."""
        proxied = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}
        told = self.send("GET", "/", headers=proxied, source="127.0.0.9")[1]
        self.assertEqual("max-age=31536000", told["Strict-Transport-Security"])
        claimed = self.send("GET", "/", headers=proxied, source="127.0.0.8")[1]
        self.assertIsNone(claimed["Strict-Transport-Security"])

    def test_the_policy_of_the_page(self):
        policy = self.send("GET", "/")[1]["Content-Security-Policy"] or ""
        if not policy:
            self.skipTest("this build has no page in it")
        for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
            self.assertIn(part, policy)
        self.assertNotIn("unsafe", policy)


class ProxyTest(SurroundingsTest):
    ARGUMENTS = ("--workers", "1", "--trusted-proxies", "127.0.0.9")

    def too_many(self, headers, source):
        """Wrong passwords until they are refused for their number; the refusal."""
        for _ in range(30):
            answer = self.log_in("nobody", "wrong password", headers, source)
            if answer[0] == 429:
                return answer
        return self.fail("any number of attempts is free")

    def test_clients_behind_a_proxy_are_told_apart(self):
        """Who guesses behind the proxy is slowed down; others behind it are not, and lies about the address do not
        help."""
        guesser = {"X-Forwarded-For": "203.0.113.1, 198.51.100.1"}
        _, headers, _ = self.too_many(guesser, "127.0.0.9")
        self.assertGreater(int(headers["Retry-After"]), 0)
        self.assertRegex(headers["RateLimit"], r'^"[a-z-]+";r=0;t=\d+$')
        self.assertRegex(headers["RateLimit-Policy"], r'^"[a-z-]+";q=\d+(;w=\d+)?$')
        lying = {"X-Forwarded-For": "203.0.113.77, 198.51.100.1"}
        self.assertEqual(429, self.log_in("nobody", "wrong password", lying, "127.0.0.9")[0])
        other = {"X-Forwarded-For": "198.51.100.2"}
        self.assertEqual(200, self.log_in("ada", PASSWORD, other, "127.0.0.9")[0])

    def test_strangers_cannot_choose_their_address(self):
        """Another one each time, from a peer that is no proxy: counted as one all the same."""
        for number in range(30):
            claim = {"X-Forwarded-For": f"198.51.100.{100 + number}", "Forwarded": f"for=198.51.100.{100 + number}"}
            status = self.log_in("nobody", "wrong password", claim, "127.0.0.7")[0]
            if status == 429:
                return
        self.fail("any number of attempts is free to who claims other addresses")


if __name__ == "__main__":
    unittest.main()
