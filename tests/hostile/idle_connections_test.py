"""Ten thousand clients that are connected and do nothing: they cost a little memory each, and others no time."""

import unittest

import hostile
from hostile import HEALTH, HostileTest, RawClient

WANTED = 10_000
SPARE = 64  # Files for all else, here and in the server.
BYTES_EACH = 8 * 1024


class IdleConnectionsTest(HostileTest):
    ARGUMENTS = ("--connections-max", str(WANTED + SPARE), "--connections-per-client", str(WANTED + SPARE), "--idle-timeout", "300", "--header-timeout", "300")

    @classmethod
    def setUpClass(cls):
        # The server takes connections up to half of its files.
        cls.count = min(WANTED, hostile.raise_file_limit() // 2 - SPARE)
        if cls.count < WANTED // 2:
            raise unittest.SkipTest(f"the file limit allows for {cls.count} connections of {WANTED}")
        super().setUpClass()

    def test_idle_connections_cost_little(self):
        """Half of them have sent a request before, half never do."""
        before, slept = self.memory(), []
        self.addCleanup(lambda: [client.close() for client in slept])
        for i in range(self.count):
            client = RawClient(self.server.address)
            slept.append(client)
            if i % 2 == 0:
                client.send(HEALTH)
                self.assertEqual([200], client.read_responses(1))
        self.assertGreaterEqual(self.open_connections(), self.count)
        each = (self.memory() - before) / self.count
        print(f"{self.count} idle connections, {each:.0f} bytes each, slowest answer {self.bystander.slowest:.3f} s")
        self.assertLess(each, BYTES_EACH)
        # They are still there, and awake when they are needed.
        for client in slept[::100]:
            client.received = b""
            client.send(HEALTH)
            self.assertEqual([200], client.read_responses(1))


if __name__ == "__main__":
    unittest.main()
