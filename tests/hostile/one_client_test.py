"""One client that takes all it can get of what is shared: connections, and memory for bodies. Others must get in."""

import http.client
import json
import re
import socket
import unittest
import urllib.request

from hostile import HEALTH, HostileTest, RawClient

MEGABYTE = 1 << 20


def refusals(server, listener, what):
    with urllib.request.urlopen(f"http://{server.addresses['metrics']}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    found = re.search(rf'tintype_http_client_refusals_total{{listener="{listener}",what="{what}"}} (\d+)', text)
    return int(found.group(1))


class OneClientTest(HostileTest):
    """The bystander and the attacker share an address, so that the attacker leaves it a few connections."""

    ARGUMENTS = ("--connections-max", "400", "--header-timeout", "60")

    def ask(self, listener, source):
        """The status of a health check from an address of this machine."""
        host, port = self.server.addresses[listener].rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=10, source_address=(source, 0))
        self.addCleanup(connection.close)
        connection.request("GET", "/healthz" if listener == "http" else "/")
        return connection.getresponse().status

    def test_idle_connections_of_one_address_do_not_fill_the_listeners(self):
        """A8: as many idle connections as one address gets, and more; another address is served at once."""
        for listener in ("http", "dynamodb"):
            with self.subTest(listener):
                host, port = self.server.addresses[listener].rsplit(":", 1)
                idle = []
                for _ in range(500):
                    client = socket.create_connection((host, int(port)), timeout=10, source_address=("127.0.0.3", 0))
                    idle.append(client)
                    self.addCleanup(client.close)
                self.assertEqual(200, self.ask(listener, "127.0.0.2"))
                self.assertGreater(refusals(self.server, listener, "connection"), 0)
                for client in idle:
                    client.close()

    def test_the_refused_are_told_when_to_come_back(self):
        """Nobody has to ask first: the refusal comes at once, and the connection ends."""
        host, port = self.server.addresses["http"].rsplit(":", 1)
        clients = []
        for _ in range(300):
            clients.append(RawClient((host, int(port)), source="127.0.0.4"))
            self.addCleanup(clients[-1].close)
        self.assertTrue(self.wait_until(lambda: refusals(self.server, "http", "connection") > 0))

        def told():
            for client in clients:
                client.receive(0)
            return [client.received for client in clients if client.received]

        # Only so many are told at the same time; all others are just closed.
        self.assertTrue(self.wait_until(told))
        answer = told()[0]
        self.assertIn(b"HTTP/1.1 503", answer)
        self.assertIn(b"Retry-After: 1", answer)
        self.assertIn("from your address", json.loads(answer.partition(b"\r\n\r\n")[2])["detail"])
        # Another one gets in when the first ones have gone.
        for client in clients:
            client.close()
        self.assertTrue(self.wait_until(lambda: self.ask("http", "127.0.0.4") == 200))

    def test_unsigned_bodies_take_no_memory(self):
        """A8: 64 unsigned bodies of 15 MB. Each is refused before it is sent, and signed requests go on being taken."""
        before, attackers = self.memory(), []
        for _ in range(64):
            client = self.connect()
            client.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\n"
                        b"X-Amz-Target: DynamoDB_20120810.PutItem\r\nContent-Length: 15728640\r\n\r\n")
            attackers.append(client)
        for client in attackers:
            self.assertEqual([400], client.read_responses(1))
            self.assertIn(b"MissingAuthenticationTokenException", client.received)
        self.assertLess(self.memory() - before, 32 * MEGABYTE)
        large = b'{"TableName":"Things","Key":' + b" " * (8 * MEGABYTE) + b'{"k":{"S":"here"}}}'
        client = self.connect()
        client.send(self.signed("GetItem", large))
        self.assertEqual([200], client.read_responses(1))

    def test_half_read_bodies_of_a_known_key_leave_others_room(self):
        """Whoever knows the name of a key has bodies read before the signature can be checked: up to its share."""
        attackers = []
        body = b"x" * (15 * MEGABYTE)
        request = self.signed("PutItem", body)
        for _ in range(20):
            client = RawClient(self.server.address, source="127.0.0.5")
            self.addCleanup(client.close)
            client.send(request[:-1])
            attackers.append(client)
        self.assertTrue(self.wait_until(lambda: refusals(self.server, "dynamodb", "body") > 0))
        client = self.connect()
        client.send(self.signed("GetItem", b'{"TableName":"Things","Key":' + b" " * (8 * MEGABYTE) + b'{"k":{"S":"here"}}}'))
        self.assertEqual([200], client.read_responses(1))
        self.assertEqual([200], self.health())

    def health(self):
        client = self.connect()
        client.send(HEALTH)
        return client.read_responses(1)


if __name__ == "__main__":
    unittest.main()
