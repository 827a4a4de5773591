#!/usr/bin/env python3
"""Sends the same random requests to Tintype and to AWS's DynamoDB Local, and compares every answer.

    TINTYPE_BIN=build/release/tintype tests/differential/differential_test.py [--seed N] [--count N] [--seconds N]

A difference is either explained by a rule of known_differences.py or a failure, which prints the request, the item it
met, and both answers. The requests follow from the seed alone; --seed and --count repeat a run.
"""

import argparse
import collections
import contextlib
import decimal
import json
import pathlib
import random
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # Nothing is written into the source tree.
sys.path[:0] = [str(HERE), str(HERE.parent / "peers"), str(HERE.parent / "e2e" / "support")]

import peers  # noqa: E402
import signed_http  # noqa: E402
import tintype_server  # noqa: E402
from compare import Answer, LocalServer, Server, ask, content, name_of  # noqa: E402
from generator import Generator  # noqa: E402
from known_differences import explain  # noqa: E402
from streams import StreamReader  # noqa: E402
from tables import TABLES  # noqa: E402
from time_to_live import TimeToLive  # noqa: E402

# So many requests pass between two looks at the whole content.
CONTENT_EVERY = 250
# And so many between two looks at the streams: more would be left out, since an item that differed once is not
# compared.
STREAMS_EVERY = 25
# On a busy machine, DynamoDB Local's records come a little later than its answers: so long, in seconds, a look waits.
STREAMS_WAIT_MAX = 3
# A record of a stream for each so many requests is the least that has to be compared: a run with fewer shows nothing.
REQUESTS_PER_RECORD_MAX = 20
# And so many between two about time to live.
TIME_TO_LIVE_EVERY = 20
WRITES = ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems")


class Run:
    def __init__(self, seed, ours, theirs, features):
        self.ours = ours
        self.theirs = theirs
        self.seed = seed
        self.features = features  # Streams and time to live.
        self.generator = Generator(seed)
        self.time_to_live = TimeToLive(seed)
        self.streams = []  # (table, our reader, their reader)
        self.records = 0  # Of streams, that were alike.
        self.differed = set()  # (table, name_of the key) of items whose records since the last look are not comparable.
        self.differed_before = set()  # The same, of the look before that.
        self.requests = 0
        self.equal = 0
        self.refused = collections.Counter()  # By message, None for answers without error.
        self.explained = collections.Counter()
        self.unexplained = {}  # By signature: [count, text of the first].

    def create_tables(self):
        for table in TABLES:
            for connection in (self.ours, self.theirs):
                connection.call("CreateTable", table.create_request(self.features))
            if self.features:
                self.streams.append((table, StreamReader(self.ours, table), StreamReader(self.theirs, table)))

    def step(self):
        self.requests += 1
        self.send(*self.generator.next())
        if self.features and self.requests % TIME_TO_LIVE_EVERY == 0:
            self.send(*self.time_to_live.next())

    def send(self, operation, request):
        before = self.items(self.ours, operation, request)
        ours, theirs = ask(self.ours, operation, request), ask(self.theirs, operation, request)
        if ours == theirs:
            # The same answer may hide a different effect.
            items = [self.items(connection, operation, request) for connection in (self.ours, self.theirs)]
            if items[0] == items[1]:
                self.equal += 1
                self.refused[f"{ours.error}: {ours.message}" if ours.error else None] += 1
                return
            ours, theirs = (Answer(200, None, None, {"items after": after}) for after in items)
        reason = explain(operation, request, before, ours, theirs)
        if reason:
            self.explained[reason] += 1
        else:
            self.report(operation, request, before, ours, theirs)
        self.heal(operation, request)

    def report(self, operation, request, before, ours, theirs):
        text = (f"request {self.requests} of seed {self.seed}\n  {operation} {json.dumps(request, ensure_ascii=False)}\n"
                f"  items before: {json.dumps(before, ensure_ascii=False)}\n  Tintype:        {ours}\n  DynamoDB Local: {theirs}")
        self.unexplained.setdefault(signature(operation, ours, theirs), [0, text])[0] += 1

    def compare_content(self):
        for table in TABLES:
            ours, theirs = content(self.ours, table), content(self.theirs, table)
            for index in ours:
                if ours[index] == theirs[index]:
                    continue
                only_ours = [item for item in ours[index] if item not in theirs[index]]
                only_theirs = [item for item in theirs[index] if item not in ours[index]]
                where = f"{table.name} {index}".strip()
                text = (f"content of {where} after request {self.requests} of seed {self.seed}\n  only in Tintype: "
                        f"{json.dumps(only_ours, ensure_ascii=False)}\n  only in DynamoDB Local: {json.dumps(only_theirs, ensure_ascii=False)}")
                self.unexplained.setdefault(f"content of {where}", [0, text])[0] += 1
                for item in only_ours + only_theirs:
                    self.delete(table, {name: item[name] for name in table.key_names})

    def compare_streams(self):
        """What the streams tell of each item since the last look."""
        deadline = time.monotonic() + STREAMS_WAIT_MAX
        for table, ours, theirs in self.streams:
            left_out = {key for name, key in self.differed | self.differed_before if name == table.name}
            mine, other = ours.new_records(), theirs.new_records()
            while time.monotonic() < deadline and any(
                    len(other.get(key, [])) < len(mine[key]) for key in mine.keys() - left_out):
                time.sleep(0.05)
                for key, late in theirs.new_records().items():
                    other.setdefault(key, []).extend(late)
            for key in (mine.keys() | other.keys()) - left_out:
                records = mine.get(key, []), other.get(key, [])
                if records[0] == records[1]:
                    self.records += len(records[0])
                    continue
                text = (f"stream of {table.name}, item {key}, before request {self.requests} of seed {self.seed}\n  Tintype:        "
                        f"{json.dumps(records[0], ensure_ascii=False)}\n  DynamoDB Local: {json.dumps(records[1], ensure_ascii=False)}")
                self.unexplained.setdefault(f"stream of {table.name}", [0, text])[0] += 1
        # Nobody knows how many records of those to wait for.
        self.differed_before, self.differed = self.differed, set()

    def items(self, connection, operation, request):
        """The items that a write is about to meet, or has left."""
        found = []
        for table, key in keys_of(operation, request):
            answer = ask(connection, "GetItem", {"TableName": table.name, "Key": key, "ConsistentRead": True})
            found.append((answer.body or {}).get("Item"))
        return found

    def heal(self, operation, request):
        """Removes the items that a write with different outcomes left different, so that one difference stays one."""
        if operation not in WRITES:
            return
        for table, key in keys_of(operation, request):
            self.delete(table, key)
        # A key that only one server understood is not among them.
        for table in TABLES:
            ours, theirs = (ask(connection, "Scan", {"TableName": table.name}).body["Items"] for connection in (self.ours, self.theirs))
            for item in ours + theirs:
                if item not in ours or item not in theirs:
                    self.delete(table, {name: item[name] for name in table.key_names})

    def delete(self, table, key):
        with contextlib.suppress(decimal.InvalidOperation):  # Neither server takes what is no number.
            self.differed.add((table.name, name_of(key)))
        for connection in (self.ours, self.theirs):
            ask(connection, "DeleteItem", {"TableName": table.name, "Key": key})


def keys_of(operation, request):
    """(table, key) of each item that the request may write; spoiled requests give what can be understood."""
    if operation in ("PutItem", "UpdateItem", "DeleteItem"):
        writes = [request]
    elif operation == "TransactWriteItems":
        writes = [write for action in request.get("TransactItems", []) for write in action.values()]
    elif operation == "BatchWriteItem":
        writes = [{"TableName": name, **write} for name, requests in request.get("RequestItems", {}).items()
                  for entry in requests for write in entry.values()]
    else:
        return []
    by_name = {table.name: table for table in TABLES}
    found = []
    for write in writes:
        table, holder = by_name.get(write.get("TableName")), write.get("Key", write.get("Item"))
        if table and holder and all(name in holder for name in table.key_names):
            found.append((table, {name: holder[name] for name in table.key_names}))
    return found


def signature(operation, ours, theirs):
    """Differences with the same one are shown once."""
    def outline(answer):
        return f"{answer.error}: {re.sub(r'[:#]?[a-z0-9_]*[0-9][a-z0-9_]*', '*', answer.message or '')[:90]}" if answer.error else "OK"

    if not ours.error and not theirs.error:
        members = {*ours.body, *theirs.body}
        differing = sorted(name for name in members if ours.body.get(name) != theirs.body.get(name))
        return f"{operation} {differing}"
    if outline(ours) == outline(theirs):
        return f"{operation} {outline(ours)}: details"
    return f"{outline(ours)} | {outline(theirs)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--count", type=int, default=5000, help="requests to send")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long, even with requests left")
    parser.add_argument("--show", type=int, default=25, help="kinds of unexplained differences to print")
    parser.add_argument("--plain", action="store_true", help="tables without streams, and no requests about time to live")
    parser.add_argument("--refusals", action="store_true", help="count the messages of requests that both refused")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)

    server = tintype_server.Server()
    with peers.DynamoDbLocal() as peer:
        signer = signed_http.Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
        run = Run(arguments.seed, Server(server.address, signer), LocalServer(peer.address, signer), not arguments.plain)
        run.create_tables()
        started = time.monotonic()
        while run.requests < arguments.count:
            run.step()
            if run.requests % STREAMS_EVERY == 0:
                run.compare_streams()
            if run.requests % CONTENT_EVERY == 0:
                run.compare_content()
                if arguments.seconds and time.monotonic() - started > arguments.seconds:
                    break
        run.compare_streams()
        run.compare_content()
        took = time.monotonic() - started
    server.stop()

    for text, (count, example) in list(run.unexplained.items())[:arguments.show]:
        print(f"\n{count} x unexplained: {text}\n{example}")
    print(f"\n{run.requests} requests in {took:.0f} s, {run.equal} answered alike ({run.equal - run.refused[None]} of them refused)")
    if arguments.refusals:
        for message, count in run.refused.most_common():
            print(f"{count:6} {message}")
    if not arguments.plain:
        print(f"{run.records} records of streams alike")
    for reason, count in run.explained.most_common():
        print(f"{count:6} explained: {reason}")
    print(f"{sum(count for count, _ in run.unexplained.values())} unexplained, of {len(run.unexplained)} kinds")
    if run.unexplained:
        print(f"again: differential_test.py --seed {arguments.seed} --count {run.requests}")
    too_few = not arguments.plain and run.records < run.requests // REQUESTS_PER_RECORD_MAX
    if too_few:
        print("too few records of streams were compared")
    return 1 if run.unexplained or too_few else 0


if __name__ == "__main__":
    sys.exit(main())
