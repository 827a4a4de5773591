"""The tables of the differential test: each kind of key, of index, and of stream."""

import collections

# key and index keys: [(attribute, type)], the partition key first. sources: how an index is projected.
Index = collections.namedtuple("Index", "name kind key projection included")


class Table:
    def __init__(self, name, key, stream, indexes=()):
        self.name = name
        self.key = key
        self.stream = stream  # The view of its stream.
        self.indexes = indexes

    @property
    def key_names(self):
        return [name for name, _ in self.key]

    def attribute_types(self):
        """The attributes that are keys of the table or of an index, with their types."""
        return dict(self.key + [part for index in self.indexes for part in index.key])

    def create_request(self, with_stream):
        request = {
            "TableName": self.name,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind}
                                     for name, kind in self.attribute_types().items()],
            "KeySchema": key_schema(self.key),
        }
        for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
            described = [describe(index) for index in self.indexes if index.kind == kind]
            if described:
                request[kind] = described
        if with_stream:
            request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": self.stream}
        return request


def key_schema(key):
    return [{"AttributeName": name, "KeyType": role} for (name, _), role in zip(key, ("HASH", "RANGE"))]


def describe(index):
    projection = {"ProjectionType": index.projection}
    if index.included:
        projection["NonKeyAttributes"] = list(index.included)
    return {"IndexName": index.name, "KeySchema": key_schema(index.key), "Projection": projection}


LOCAL, GLOBAL = "LocalSecondaryIndexes", "GlobalSecondaryIndexes"

TABLES = [
    Table("only_hash", [("h", "S")], "KEYS_ONLY"),
    Table("number_hash", [("h", "N")], "NEW_IMAGE", [
        Index("by_name", GLOBAL, [("g", "S")], "ALL", ()),
    ]),
    Table("text_range", [("h", "S"), ("r", "S")], "NEW_AND_OLD_IMAGES", [
        Index("local_all", LOCAL, [("h", "S"), ("n", "N")], "ALL", ()),
        Index("local_keys", LOCAL, [("h", "S"), ("k", "B")], "KEYS_ONLY", ()),
        Index("local_some", LOCAL, [("h", "S"), ("g", "S")], "INCLUDE", ("a", "m")),
        Index("global_turned", GLOBAL, [("r", "S"), ("h", "S")], "ALL", ()),
    ]),
    Table("number_range", [("h", "S"), ("r", "N")], "NEW_AND_OLD_IMAGES", [
        Index("global_all", GLOBAL, [("g", "S"), ("n", "N")], "ALL", ()),
        Index("global_keys", GLOBAL, [("n", "N")], "KEYS_ONLY", ()),
        Index("global_some", GLOBAL, [("g", "S"), ("r", "N")], "INCLUDE", ("a", "l")),
    ]),
    Table("binary_range", [("h", "B"), ("r", "B")], "OLD_IMAGE", [
        Index("local_all", LOCAL, [("h", "B"), ("n", "N")], "ALL", ()),
        Index("global_binary", GLOBAL, [("r", "B"), ("k", "B")], "ALL", ()),
        Index("global_some", GLOBAL, [("k", "B"), ("g", "S")], "INCLUDE", ("b",)),
    ]),
]
