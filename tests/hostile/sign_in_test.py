#!/usr/bin/env python3
"""Strangers who sign up and log in all the time, from one address and from many. Whoever was here before logs in all
the same, nobody else waits for them, and they learn nothing."""

import asyncio
import http.client
import json
import multiprocessing
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import rest  # noqa: E402
from gallery import GalleryTest, wait_until  # noqa: E402

PASSWORD = "correct horse battery"
ATTACKERS = 200
LOGINS = 100
SECONDS_MAX = 2.0


async def attack(address, number, source, answers):
    """One connection that never stops: wrong passwords for a name that there is, for names that there are not, and
    accounts that nobody needs."""
    host, port = address.rsplit(":", 1)
    turn = 0
    while True:
        try:
            reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
            while True:
                turn += 1
                bodies = (("login", {"username": "ada", "password": f"wrong {turn}"}),
                          ("signup", {"email": f"a{number}.{turn}@example.com", "username": f"a{number}.{turn}", "password": PASSWORD}),
                          ("login", {"email": f"nobody{number}.{turn}@example.com", "password": PASSWORD}))
                path, body = bodies[(turn + number) % 3]
                text = json.dumps(body)
                writer.write(f"POST /api/v1/auth/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                             f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
                await reader.readexactly(length)
                answers[int(head[9:12])] += 1
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.01)


async def attack_all(address, sources, answers):
    await asyncio.gather(*(attack(address, number, source, answers) for number, source in enumerate(sources)))


def attacking(address, sources, answers):
    asyncio.run(attack_all(address, sources, answers))


class Attack:
    """A connection from each source, all from a process of their own, for as long as the block lasts."""

    def __init__(self, address, sources, begun=50):
        """The block begins when so many requests were answered."""
        # By status. That process alone writes, so it takes no lock: it is killed, and would keep one for ever.
        self.answers = multiprocessing.Array("i", 600, lock=False)
        self._begun = begun
        self._process = multiprocessing.Process(target=attacking, args=(address, sources, self.answers), daemon=True)

    def __enter__(self):
        self._process.start()
        deadline = time.monotonic() + 30
        while sum(self.answers) < self._begun and time.monotonic() < deadline:
            self._process.join(0.05)
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()


class SignInTest(GalleryTest):
    def setUp(self):
        def logged_in():
            try:
                self.ada.log_in()
                return True
            except rest.Refused as refused:
                if " 503 " not in str(refused):
                    raise
                return False

        # Without a device token one waits behind the strangers that the attack before has left.
        wait_until(logged_in, "the end of the queue")

    def log_in(self, device=None, password=PASSWORD, name="ada", source=None):
        """The answer to a login, and how long it took."""
        connection = http.client.HTTPConnection(self.gallery.address, timeout=60, source_address=(source, 0) if source else None)
        headers = {"Content-Type": "application/json", **({"X-Device-Token": device} if device else {})}
        started = time.monotonic()
        connection.request("POST", "/api/v1/auth/login", json.dumps({"username": name, "password": password}), headers)
        answer = connection.getresponse()
        answer = rest.Answer(answer.status, answer.headers, answer.read())
        connection.close()
        return answer, time.monotonic() - started

    def assert_owner_gets_in(self, sources):
        first, _ = self.log_in()
        self.assertEqual(first.status, 200, first.body)
        device = first.json.get("deviceToken")
        failures, slowest, slowest_other = [], 0, 0
        with Attack(self.gallery.address, sources) as strangers:
            for n in range(LOGINS):
                # Each time from elsewhere: what counts is the device.
                answer, seconds = self.log_in(device, source=f"127.88.{n}.1")
                if answer.status != 200 or seconds > SECONDS_MAX:
                    failures.append((answer.status, round(seconds, 2)))
                slowest = max(slowest, seconds)
                started = time.monotonic()
                self.ada.call("GET", "/images")
                slowest_other = max(slowest_other, time.monotonic() - started)
        counts = {status: count for status, count in enumerate(strangers.answers) if count}
        print(f"slowest login {slowest:.2f} s, slowest other request {slowest_other:.2f} s, strangers: {counts}")
        self.assertEqual(failures, [])
        self.assertLess(slowest_other, SECONDS_MAX)
        self.assertGreater(sum(counts.values()), ATTACKERS, "there was hardly an attack")
        self.assertNotIn(500, counts)

    def accounts(self):
        return len([user for user in self.gallery.scan("sparks") if user.get("entityType") == "USER"])

    def test_an_attack_from_one_address(self):
        before = self.accounts()
        self.assert_owner_gets_in(["127.0.0.9"] * ATTACKERS)
        # One address made 188 accounts in 13 seconds.
        self.assertLess(self.accounts() - before, 30)

    def test_an_attack_from_many_networks(self):
        self.assert_owner_gets_in([f"127.{10 + n // 100}.{n % 100}.{n + 1}" for n in range(ATTACKERS)])

    def sign_up(self, name, source, email=None):
        """The status of a sign-up."""
        connection = http.client.HTTPConnection(self.gallery.address, timeout=60, source_address=(source, 0))
        body = {"email": email or f"{name}@example.com", "username": name, "password": PASSWORD}
        connection.request("POST", "/api/v1/auth/signup", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    def test_accounts_by_one_address(self):
        """A1: an address that does nothing else makes a few accounts and is refused from then on; others are not."""
        statuses = [self.sign_up(f"many{n}", "127.41.0.1") for n in range(40)]
        self.assertEqual(set(statuses), {201, 429})
        self.assertLess(statuses.count(201), 30)
        self.assertEqual(self.sign_up("another", "127.42.0.1"), 201)

    def test_names_that_are_taken_beside_an_attack(self):
        """A1: who asks for a name that is taken is told so, also while others take all places in which passwords are
        hashed."""
        with Attack(self.gallery.address, [f"127.30.{n}.1" for n in range(3)], begun=3):
            statuses = [self.sign_up(f"other{n}", f"127.43.{n}.1", email="ada@example.com") for n in range(30)]
        self.assertEqual(set(statuses), {409})

    def test_the_owner_beside_somebody_who_guesses(self):
        """A4: who goes on guessing from many addresses keeps the owner out at no time."""
        # An account that nobody has guessed at before.
        self.assertEqual(self.sign_up("olive", "127.97.0.1"), 201)
        self.assertEqual(self.log_in(name="olive", source="127.97.0.1")[0].status, 200)
        statuses = []
        for n in range(130 + 10):
            self.log_in(name="olive", password="wrong", source=f"127.{140 + n % 14}.0.1")
            if n >= 130:
                statuses.append(self.log_in(name="olive", source="127.97.0.1")[0].status)
        self.assertEqual(set(statuses), {200})

    def test_a_lock_that_tells_nothing(self):
        """126 wrong attempts from 14 addresses: the account that there is and the one that there is not are refused
        alike, one by one, with the same time to wait; and the owner still gets in where they logged in before."""
        self.assertEqual(self.log_in(source="127.99.0.1")[0].status, 200)
        answers = {"ada": [], "nobody-at-all": []}
        for name, of_name in answers.items():
            for n in range(126):
                answer, _ = self.log_in(name=name, password="wrong", source=f"127.{120 + len(name)}.{n % 14}.1")
                of_name.append((answer.status, answer.headers["Retry-After"], answer.json["detail"]))
        # By the clock, one or the other may have got an attempt back meanwhile.
        self.assertEqual(answers["ada"][:100], answers["nobody-at-all"][:100])
        self.assertEqual(set(answers["ada"]), set(answers["nobody-at-all"]))
        self.assertIn((429, "30", "Too many wrong attempts. Try again in 30 s."), answers["ada"])
        stranger, _ = self.log_in(source="127.98.0.1")
        self.assertEqual((stranger.status, stranger.json["code"]), (429, "TooManyRequests"))
        self.assertEqual(self.log_in(source="127.99.0.1")[0].status, 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
