"""What the streams of a server tell: the records of each item, in order."""

import json

from compare import canonical, name_of, send

API = "DynamoDBStreams_20120810"


class StreamReader:
    """Reads the stream of one table on one server, each record once."""

    def __init__(self, connection, table):
        self.connection = connection
        _, described = send(connection, "DescribeTable", {"TableName": table.name})
        self.stream = {"StreamArn": described["Table"]["LatestStreamArn"]}
        self.read_to = {}  # The last sequence number that was read, by shard.

    def new_records(self):
        """By name_of the key, what was not read before: [(event, view, new image, old image)].

        Numbers, times, sizes and shards are each server's own, and so is the order of different items.
        """
        found = {}
        for shard in self.call("DescribeStream", self.stream)["StreamDescription"]["Shards"]:
            for record in self.shard_records(shard["ShardId"]):
                change = record["dynamodb"]
                item = found.setdefault(name_of(change["Keys"]), [])
                item.append((record["eventName"], change["StreamViewType"],
                             canonical(change.get("NewImage")), canonical(change.get("OldImage"))))
        return found

    def shard_records(self, shard):
        start = ({"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": self.read_to[shard]}
                 if shard in self.read_to else {"ShardIteratorType": "TRIM_HORIZON"})
        page = {"NextShardIterator": self.call("GetShardIterator", {**self.stream, "ShardId": shard, **start})["ShardIterator"]}
        while "NextShardIterator" in page:
            page = self.call("GetRecords", {"ShardIterator": page["NextShardIterator"]})
            if not page["Records"]:
                return
            self.read_to[shard] = page["Records"][-1]["dynamodb"]["SequenceNumber"]
            yield from page["Records"]

    def call(self, operation, request):
        status, body = send(self.connection, operation, request, API)
        if status != 200:
            raise RuntimeError(f"{operation} {json.dumps(request)}: {body}")
        return body
