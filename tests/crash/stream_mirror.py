"""A consumer of the table's stream that lives through all crashes and knows only what the records say."""

from workload import key_of

SERVICE = "DynamoDBStreams_20120810"


class StreamMirror:
    """Reads each shard on from the last sequence number that it saw, and keeps the table as the records describe it.

    Each record must fit what the ones before it left: a record that is missing, comes twice, in the wrong order or
    without its write shows as an old image that is not there.
    """

    def __init__(self, arn):
        self._arn = arn
        self._last = {}  # Sequence number by shard.
        self.rows = {}
        self.records = 0

    def follow(self, connection):
        """Reads all that there is. Returns the problems."""
        problems = []
        description = connection.call("DescribeStream", {"StreamArn": self._arn}, SERVICE)["StreamDescription"]
        for shard in description["Shards"]:
            problems += self._follow_shard(connection, shard["ShardId"])
        return problems

    def check(self, rows):
        """Compares with the table's items. Returns the problems."""
        stored = {key_of(item): item for item in rows}
        return [f"stream: {key} is {self.rows.get(key)} by its records, {stored.get(key)} in the table"
                for key in self.rows.keys() | stored.keys() if self.rows.get(key) != stored.get(key)]

    def _follow_shard(self, connection, shard):
        request = {"StreamArn": self._arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
        if shard in self._last:
            request.update(ShardIteratorType="AFTER_SEQUENCE_NUMBER", SequenceNumber=self._last[shard])
        iterator = connection.call("GetShardIterator", request, SERVICE)["ShardIterator"]
        problems = []
        while True:
            page = connection.call("GetRecords", {"ShardIterator": iterator, "Limit": 500}, SERVICE)
            for record in page["Records"]:
                problems += self._apply(shard, record)
            if not page["Records"]:
                return problems
            iterator = page["NextShardIterator"]

    def _apply(self, shard, record):
        change = record["dynamodb"]
        number = change["SequenceNumber"]
        problems = []
        if int(number) <= int(self._last.get(shard, "0")):
            problems.append(f"stream: {number} comes after {self._last[shard]} in {shard}")
        self._last[shard] = number
        self.records += 1
        key = key_of(change["Keys"])
        old, new = change.get("OldImage"), change.get("NewImage")
        event = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
        if record["eventName"] != event:
            problems.append(f"stream: {number} is called {record['eventName']}, not {event}")
        if self.rows.get(key) != old:
            problems.append(f"stream: before {number}, {key} was {self.rows.get(key)}, not {old}")
        if old == new:
            problems.append(f"stream: {number} tells of no change")
        if new is None:
            self.rows.pop(key, None)
        else:
            self.rows[key] = new
        return problems
