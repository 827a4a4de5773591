#!/usr/bin/env python3
"""What known_differences.py explains, and what it does not: each rule takes its own difference, and no other."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e" / "support")]

import two_faults  # noqa: E402
from compare import Answer, name_of  # noqa: E402
from json_types import has_other_types  # noqa: E402
from known_differences import explain  # noqa: E402
from wording import FAULTS, faults  # noqa: E402

GET = {"TableName": "only_hash", "Key": {"h": {"S": "a"}}}
INTERNAL = Answer(500, "InternalFailure", "The request processing has failed because of an unknown error.", {})


def answered(**body):
    return Answer(200, None, None, body)


def refused(message, error="ValidationException"):
    return Answer(400, error, message, {})


class InternalErrorsTest(unittest.TestCase):
    def explained(self, operation, request, ours):
        return explain(operation, request, [], ours, INTERNAL)

    def test_only_of_known_requests(self):
        """An internal error of DynamoDB Local excuses Tintype's answer to a request that is known to cause it."""
        self.assertIn("other types", self.explained("Scan", {"TableName": "only_hash", "ConsistentRead": "yes"}, answered()))
        self.assertIn("what was updated", self.explained("UpdateItem", {**GET, "ReturnValues": "UPDATED_NEW"}, answered()))
        mismatch = refused("One or more parameter values were invalid: Type mismatch for Index Key k Expected: B Actual: M")
        self.assertIn("index key", self.explained("UpdateItem", {**GET, "UpdateExpression": "SET k = :v"}, mismatch))
        wrong = refused("1 validation error detected: Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: "
                        "Member must satisfy enum value set: [OR, AND]")
        self.assertIn("options", self.explained("Query", {"TableName": "only_hash", "ConditionalOperator": "XOR"}, wrong))

    def test_of_an_index_key_behind_another_fault(self):
        """A transaction that sets an index key to an attribute of another type, beside a fault that comes first."""
        def explained(ours, **item):
            update = {"TableName": "number_range", "Key": {"h": {"S": "b"}, "r": {"N": "1"}},
                      "UpdateExpression": "REMOVE x SET g = if_not_exists(t, :v)", "ExpressionAttributeValues": {":v": {"S": "a"}}}
            return explain("TransactWriteItems", {"TransactItems": [{"Update": update}]}, [item], ours, INTERNAL)

        fault = refused("Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD")
        self.assertIn("index key", explained(fault, t={"BOOL": True}))
        self.assertIsNone(explained(fault, t={"S": "a"}))
        self.assertIsNone(explained(fault))
        self.assertIsNone(explained(answered(), t={"BOOL": True}))

    def test_of_numbers_with_space_around(self):
        self.assertTrue(two_faults.is_bad_number("1 "))
        self.assertFalse(two_faults.is_bad_number("1"))

    def test_of_no_other(self):
        """A good request that DynamoDB Local fails on is a difference; so is a complaint about what is not there."""
        self.assertIsNone(self.explained("GetItem", GET, answered(Item={"h": {"S": "a"}})))
        self.assertIsNone(self.explained("UpdateItem", {**GET, "ReturnValues": "ALL_NEW"}, answered()))
        self.assertIsNone(self.explained("UpdateItem", {**GET, "UpdateExpression": "SET a = :v", "ReturnValues": "UPDATED_NEW"},
                                         answered()))
        wrong = refused("1 validation error detected: Value 'XOR' at 'conditionalOperator' failed to satisfy constraint: "
                        "Member must satisfy enum value set: [OR, AND]")
        self.assertIsNone(self.explained("Query", {"TableName": "only_hash", "ConditionalOperator": "AND"}, wrong))


class SerializationTest(unittest.TestCase):
    def test_an_expected_value_of_another_type(self):
        request = {**GET, "Expected": {"b": {"Exists": True, "Value": "a"}}}
        ours = refused("Unexpected field type", "SerializationException")
        theirs = refused("The conditional request failed", "ConditionalCheckFailedException")
        self.assertIn("JSON of other types", explain("UpdateItem", request, [], ours, theirs))
        good = {**GET, "Expected": {"b": {"Exists": True, "Value": {"S": "a"}}}}
        self.assertIsNone(explain("UpdateItem", good, [], ours, theirs))

    def test_types(self):
        for value in ({"S": 5}, {"N": 5}, {"B": "not base64!"}, {"BOOL": "true"}, "a", None, {"L": {}}, {"M": []}, {"SS": "a"}):
            self.assertTrue(has_other_types({**GET, "ExpressionAttributeValues": {":v": value}}), value)
        for value in ({"S": "5"}, {"N": "x"}, {"B": "AA=="}, {"BOOL": True}, {}, {"L": []}, {"M": {}}, {"SS": []}, {"Z": "a"}):
            self.assertFalse(has_other_types({**GET, "ExpressionAttributeValues": {":v": value}}), value)

    def test_types_of_several_keys(self):
        for keys, other in (([{"h": {"S": "a"}, "r": "a"}], True), (["a"], True), ({}, True), ([{"h": {"S": "a"}}], False)):
            self.assertEqual(other, has_other_types({"RequestItems": {"only_hash": {"Keys": keys}}}), keys)

    def test_only_of_other_types(self):
        """A SerializationException is right for JSON of other types, and a difference for all else."""
        complaint = refused("NUMBER_VALUE cannot be converted to String", "SerializationException")
        self.assertIsNotNone(explain("GetItem", {"TableName": "only_hash", "Key": {"h": {"S": 5}}}, [], complaint, answered()))
        self.assertIsNone(explain("GetItem", GET, [], complaint, answered()))


class OlderWordsTest(unittest.TestCase):
    QUERY = {"TableName": "only_hash", "KeyConditionExpression": "NOT h = :v", "ExpressionAttributeValues": {":v": {"S": "a"}}}

    def test_an_operator_that_keys_cannot_have(self):
        """The same operator without the expression's name is the same fault; another operator is not."""
        ours = refused("Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: NOT")
        for theirs, same in (("Invalid operator used in KeyConditionExpression: NOT", True),
                             ("Invalid operator used in KeyConditionExpression: OR", False)):
            self.assertEqual(same, explain("Query", self.QUERY, [], ours, refused(theirs)) is not None, theirs)

    def test_no_value_in_a_starting_key(self):
        """DynamoDB Local does not say that it is the starting key."""
        ours = refused("The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one of the "
                       "supported datatypes")
        theirs = refused("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
        self.assertIn("older words", explain("Query", {**self.QUERY, "ExclusiveStartKey": {"h": {"M": {"p": {}}}}}, [], ours, theirs))


class FetchesTest(unittest.TestCase):
    def explained(self, mine, other, scanned=2, operation="Scan", index="local_keys"):
        request = {"TableName": "text_range", "IndexName": index, "Select": "ALL_ATTRIBUTES", "ReturnConsumedCapacity": "TOTAL"}
        answers = [answered(ConsumedCapacity={"TableName": "text_range", "CapacityUnits": units}, ScannedCount=scanned, Count=scanned,
                            Items=[GET["Key"]] * scanned) for units in (mine, other)]
        return explain(operation, request, [], *answers)

    def test_each_item_is_fetched(self):
        self.assertIn("for free", self.explained(1.5, 0.5))
        for refused in (self.explained(2.0, 0.5), self.explained(1.0, 0.5), self.explained(0.5, 1.5),
                        self.explained(1.5, 0.5, index="local_all"), self.explained(1.5, 0.5, operation="Query")):
            self.assertIsNone(refused)


class NamesTest(unittest.TestCase):
    def test_one_for_all_forms_of_a_key(self):
        name = name_of({"h": {"S": "a"}, "r": {"N": "0"}})
        for key in ({"h": "a", "r": {"N": "0.00"}}, {"h": {"S": "a"}, "r": {"N": 0}}):
            self.assertEqual(name, name_of(key))
        self.assertNotEqual(name, name_of({"h": {"B": "a"}, "r": {"N": "0"}}))


class BytesTakenForTextTest(unittest.TestCase):
    def explained(self, operand, **filters):
        request = {"TableName": "only_hash", **filters, "ExpressionAttributeValues": {":v": {"B": operand}}}
        return explain("Scan", request, [], answered(Items=[GET["Key"]], Count=1), answered(Items=[], Count=0))

    def test_only_bytes_that_are_none(self):
        self.assertIn("no UTF-8", self.explained("gA==", FilterExpression="NOT contains(x, :v)"))
        self.assertIn("no UTF-8", self.explained("gA==", ScanFilter={"x": {"ComparisonOperator": "NOT_CONTAINS"}}))
        self.assertIsNone(self.explained("YQ==", FilterExpression="NOT contains(x, :v)"))
        self.assertIsNone(self.explained("gA==", FilterExpression="x = :v"))


class TransactionCapacityTest(unittest.TestCase):
    WRITE = {"TransactItems": [{"Delete": {"TableName": "text_range", "Key": {"h": {"S": "a"}, "r": {"S": "b"}}}}],
             "ReturnConsumedCapacity": "INDEXES"}

    def explained(self, mine, other, operation="TransactWriteItems", request=None, before=(None,)):
        return explain(operation, request or self.WRITE, list(before), answered(ConsumedCapacity=[mine]),
                       answered(ConsumedCapacity=[other]))

    @staticmethod
    def entry(units, table=None, **more):
        entry = {"TableName": "text_range", "CapacityUnits": units, "WriteCapacityUnits": units}
        if table:
            entry["Table"] = {"CapacityUnits": table, "WriteCapacityUnits": table}
        return {**entry, **more}

    # Of an item that has an entry in one index.
    MET = [{"h": {"S": "a"}, "r": {"S": "b"}}]
    INDEX = {"GlobalSecondaryIndexes": {"global_turned": {"CapacityUnits": 1.0, "WriteCapacityUnits": 1.0}}}

    def test_writes_that_are_counted_as_documented(self):
        """Two units an action of ours and one for each entry, whatever theirs are."""
        self.assertIn("several times", self.explained(self.entry(2.0, 2.0), self.entry(4.0, 4.0)))
        for other in (self.entry(8.0, 4.0), self.entry(2.0, 2.0), self.entry(1.0, 1.0)):
            self.assertIn("not at all", self.explained(self.entry(3.0, 2.0, **self.INDEX), other, before=self.MET))
        self.assertIn("several times", self.explained(self.entry(3.0), self.entry(8.0), before=self.MET))
        put = {"TransactItems": [{"Put": {"TableName": "text_range", "Item": self.MET[0]}}]}
        self.assertIn("several times", self.explained(self.entry(3.0), self.entry(8.0), request=put))
        update = {"TransactItems": [{"Update": {"TableName": "text_range", "Key": self.MET[0], "UpdateExpression": "REMOVE a"}}]}
        for units in (2.0, 3.0, 7.0):
            self.assertIn("several times", self.explained(self.entry(units), self.entry(8.0), request=update, before=self.MET))
        self.assertIsNone(self.explained(self.entry(9.0), self.entry(8.0), request=update, before=self.MET))

    def test_writes_that_are_not(self):
        """Too few or too many units, or parts that do not add up."""
        for mine in (self.entry(1.0, 1.0), self.entry(4.0, 4.0), self.entry(2.0, 2.0, **self.INDEX), self.entry(100.0), self.entry(0.0),
                     self.entry(3.0, 2.0, **self.INDEX), {**self.entry(2.0, 2.0), "WriteCapacityUnits": 1.0}):
            self.assertIsNone(self.explained(mine, self.entry(200.0, 200.0)), mine)
        self.assertIsNone(self.explained(self.entry(2.0, 2.0), self.entry(3.0, 3.0), before=self.MET))
        check = {"TransactItems": [{"ConditionCheck": {"TableName": "text_range", "Key": self.MET[0]}}]}
        self.assertIsNone(self.explained(self.entry(3.0), self.entry(2.0), request=check, before=self.MET))
        self.assertIsNone(self.explained(self.entry(2.0, 2.0), {**self.entry(4.0, 4.0), "TableName": "only_hash"}))

    def test_of_large_items(self):
        """The larger of the items before and after counts."""
        large = [{"s": {"S": "x" * 2100}}]
        self.assertIn("several times", self.explained(self.entry(6.0, 6.0), self.entry(12.0, 12.0), before=large))
        self.assertIsNone(self.explained(self.entry(4.0, 4.0), self.entry(12.0, 12.0), before=large))
        for item, units in (({"s": {"S": "é" * 600}}, 4.0), ({"l": {"L": [{"B": "AAAA" * 400}] * 3}}, 8.0)):
            put = {"TransactItems": [{"Put": {"TableName": "only_hash", "Item": item}}]}
            for more in (0.0, 2.0):
                mine = {**self.entry(units + more), "TableName": "only_hash"}
                explained = self.explained(mine, {**mine, "CapacityUnits": 1.0}, request=put)
                self.assertEqual(more == 0, explained is not None, (units, more))

    def test_reads(self):
        """The kind of units may be missing from their breakdown; the units are compared."""
        request = {"TransactItems": [{"Get": GET}], "ReturnConsumedCapacity": "INDEXES"}
        mine = {"TableName": "only_hash", "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0,
                "Table": {"CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}}
        other = {**mine, "Table": {"CapacityUnits": 2.0}}
        self.assertIn("kind", self.explained(mine, other, "TransactGetItems", request))
        more = {**mine, "CapacityUnits": 4.0, "Table": {"CapacityUnits": 4.0}}
        self.assertIsNone(self.explained(mine, more, "TransactGetItems", request))


def small(number):
    return {"h": {"S": "a"}, "r": {"S": str(number)}, "a": {"S": "x" * 200}}


class ReadCapacityTest(unittest.TestCase):
    """Of Query and Scan: `mine` and `other` are the units of both."""

    def explained(self, mine, other, items=(), scanned=None, operation="Scan", table="text_range", **request):
        def body(units):
            return answered(**{"Items": list(items), "has Items": True, "Count": len(items),
                               "ScannedCount": len(items) if scanned is None else scanned, "pages": [0],
                               "ConsumedCapacity": {"TableName": table, "CapacityUnits": units}})

        return explain(operation, {"TableName": table, **request}, [], body(mine), body(other))

    def test_of_nothing(self):
        """Nothing was read, and ours is the least."""
        self.assertIn("for free", self.explained(0.5, 0.0))
        self.assertIn("for free", self.explained(1.0, 0.0, ConsistentRead=True))
        self.assertIn("for free", self.explained(1.0, 0.5, ConsistentRead=True))
        self.assertIsNone(self.explained(1.0, 0.0))
        self.assertIsNone(self.explained(0.5, 1.0))
        self.assertIsNone(self.explained(0.5, 0.0, [small(1)]))
        self.assertIsNone(self.explained(1.0, 0.5, [small(1)]))

    def test_of_what_a_filter_leaves_out(self):
        self.assertIn("for free", self.explained(0.5, 0.0, scanned=1, FilterExpression="a = :v"))
        self.assertIn("for free", self.explained(1.0, 0.5, [small(1)], 9, ScanFilter={"a": {}}))
        self.assertIsNone(self.explained(1.0, 0.5, [small(1)], 1, FilterExpression="a = :v"))
        self.assertIsNone(self.explained(2.0, 0.5, [small(1)], 2, FilterExpression="a = :v"))

    def pages(self, mine, other, count, **request):
        def body(units):
            return answered(**{"Items": [small(n) for n in range(count)], "has Items": True, "Count": count, "ScannedCount": count,
                               "LastEvaluatedKeys": [small(n) for n in range(len(units) - 1)] + [None],
                               "ConsumedCapacity": [{"TableName": "text_range", "CapacityUnits": each} for each in units]})

        return explain("Query", {"TableName": "text_range", **request}, [], body(mine), body(other))

    def test_of_pages(self):
        """Only the last page can have read nothing."""
        self.assertIn("for free", self.pages([0.5, 0.5], [0.5, 0.0], 2, Limit=2))
        self.assertIsNone(self.pages([0.5, 0.5], [0.5, 0.0], 2, Limit=1))
        self.assertIsNone(self.pages([0.5, 0.5], [0.5, 0.0], 3, Limit=2))
        self.assertIsNone(self.pages([0.5, 0.5], [0.0, 0.5], 2, Limit=2))

    def batch(self, mine, other, found, keys, **get):
        def body(units):
            return answered(Responses={"text_range": [{}] * found if get else [small(n) for n in range(found)]}, UnprocessedKeys={},
                            ConsumedCapacity=[{"TableName": "text_range", "CapacityUnits": units}])

        asked = {"Keys": [{"h": {"S": "a"}, "r": {"S": str(n)}} for n in range(keys)], **get}
        return explain("BatchGetItem", {"RequestItems": {"text_range": asked}}, [], body(mine), body(other))

    def test_of_batches(self):
        """A key that is not there, and ours counts each."""
        self.assertIn("for free", self.batch(1.5, 1.0, 2, 3))
        self.assertIn("for free", self.batch(3.0, 0.0, 0, 3, ConsistentRead=True))
        self.assertIn("for free", self.batch(1.5, 1.0, 2, 3, ProjectionExpression="nothing"))
        self.assertIsNone(self.batch(2.0, 1.0, 2, 3))
        self.assertIsNone(self.batch(1.0, 0.5, 2, 3))
        self.assertIsNone(self.batch(2.5, 1.0, 2, 3, ProjectionExpression="nothing"))
        self.assertIsNone(self.batch(0.5, 0.0, 1, 1))

    def test_rounded_together(self):
        """Items that were all found, or fetched for the entries of a local index."""
        self.assertIn("rounds up", self.batch(1.5, 0.5, 3, 3))
        self.assertIsNone(self.batch(2.0, 0.5, 3, 3))
        self.assertIsNone(self.batch(1.5, 0.0, 3, 3))
        items = [small(1), small(2)]
        self.assertIn("rounds up", self.explained(1.5, 1.0, items, IndexName="local_keys", Select="ALL_ATTRIBUTES"))
        self.assertIn("rounds up", self.explained(1.5, 1.0, items, IndexName="local_keys", ProjectionExpression="k, #a.b",
                                                  ExpressionAttributeNames={"#a": "a"}))
        self.assertIsNone(self.explained(1.5, 1.0, items, IndexName="local_keys", ProjectionExpression="k, h"))
        self.assertIsNone(self.explained(1.5, 1.0, items, IndexName="local_some", AttributesToGet=["a"]))
        self.assertIsNone(self.explained(1.0, 0.5, items, IndexName="local_keys", Select="ALL_ATTRIBUTES"))
        self.assertIsNone(self.explained(1.5, 1.0, items, IndexName="local_all", Select="ALL_ATTRIBUTES"))

    def test_sizes_of_numbers(self):
        """Both have to be units that the items may have."""
        numbers = [{**small(1), "ns": {"NS": [str(n) for n in range(200)]}}]
        self.assertIn("numbers", self.explained(1.0, 0.5, numbers))
        self.assertIsNone(self.explained(2.0, 0.5, numbers))
        self.assertIsNone(self.explained(1.0, 0.5, [small(n) for n in range(9)]))
        self.assertIn("numbers", self.explained(1.0, 0.5, [{}] * 9, ProjectionExpression="nothing"))
        self.assertIsNone(self.explained(1.0, 0.5, [{}] * 7, ProjectionExpression="nothing"))
        self.assertIsNone(self.explained(1.5, 0.5, [{}] * 9, ProjectionExpression="nothing"))

    def test_of_entries(self):
        """Ours is of the entries that were answered, and theirs is more."""
        entries = [{"h": {"S": "a"}, "r": {"S": str(n)}, "k": {"B": "AA=="}} for n in range(3)]
        for index, operation in (("local_keys", "Scan"), ("local_some", "Query")):
            self.assertIn("whole item", self.explained(0.5, 1.0, entries, operation=operation, IndexName=index))
            self.assertIsNone(self.explained(1.0, 1.5, entries, operation=operation, IndexName=index))
        self.assertIn("whole item", self.explained(0.5, 1.0, entries, 9, IndexName="local_keys", FilterExpression="a = :v"))
        self.assertIn("whole item", self.explained(2.0, 2.5, entries, IndexName="local_keys", Select="ALL_ATTRIBUTES"))
        self.assertIsNone(self.explained(1.5, 2.5, entries, IndexName="local_keys", Select="ALL_ATTRIBUTES"))
        self.assertIsNone(self.explained(0.5, 1.0, IndexName="local_keys"))
        self.assertIsNone(self.explained(0.5, 1.0, entries, IndexName="local_all"))
        self.assertIsNone(self.explained(0.5, 1.0, entries))
        self.assertIsNone(self.explained(1.0, 1.5, entries, 9, IndexName="local_keys", FilterExpression="a = :v"))


class WriteCapacityTest(unittest.TestCase):
    KEY = {"h": {"S": "a"}, "r": {"S": "b"}}

    def explained(self, mine, other, operation, before, table="text_range", **request):
        def body(units):
            entry = {"TableName": table, "CapacityUnits": units}
            return answered(ConsumedCapacity=[entry] if operation == "BatchWriteItem" else entry)

        if operation != "BatchWriteItem":
            request["TableName"] = table
        return explain(operation, request, before, body(mine), body(other))

    def test_of_one_item(self):
        """The item's KB and those of its entries, by the item that was there."""
        self.assertIn("no entry", self.explained(2.0, 4.0, "PutItem", [None], Item=self.KEY))
        self.assertIn("no entry", self.explained(1.0, 4.0, "PutItem", [self.KEY], Item=self.KEY))
        self.assertIn("no entry", self.explained(3.0, 4.0, "PutItem", [self.KEY], Item={**self.KEY, "k": {"B": "AA=="}}))
        self.assertIn("no entry", self.explained(3.0, 4.0, "UpdateItem", [self.KEY], Key=self.KEY, UpdateExpression="SET k = :v"))
        self.assertIn("no entry", self.explained(6.0, 9.0, "PutItem", [None], Item={**self.KEY, "s": {"S": "x" * 2100}}))
        self.assertIsNone(self.explained(1.0, 4.0, "PutItem", [None], Item=self.KEY))
        self.assertIsNone(self.explained(3.0, 4.0, "PutItem", [None], Item=self.KEY))
        self.assertIsNone(self.explained(1.0, 4.0, "PutItem", [self.KEY], Item={**self.KEY, "k": {"B": "AA=="}}))
        self.assertIsNone(self.explained(7.0, 9.0, "UpdateItem", [self.KEY], Key=self.KEY, UpdateExpression="SET k = :v"))
        self.assertIsNone(self.explained(4.0, 9.0, "PutItem", [None], Item={**self.KEY, "s": {"S": "x" * 2100}}))
        self.assertIsNone(self.explained(2.0, 1.0, "PutItem", [None], Item=self.KEY))

    def test_where_there_is_no_index(self):
        hash_key = {"h": {"S": "a"}}
        self.assertIsNone(self.explained(1.0, 2.0, "PutItem", [None], "only_hash", Item=hash_key))

    def test_of_batches(self):
        hash_key = {"h": {"S": "a"}}

        def explained(mine, other, before, *writes, table="only_hash"):
            return self.explained(mine, other, "BatchWriteItem", before, table, RequestItems={table: list(writes)})

        delete, put = {"DeleteRequest": {"Key": hash_key}}, {"PutRequest": {"Item": {"h": {"S": "b"}}}}
        self.assertIn("delete of nothing", explained(1.0, 2.0, [None], delete))
        self.assertIn("delete of nothing", explained(2.0, 3.0, [None, None], delete, put))
        self.assertIsNone(explained(1.0, 2.0, [hash_key], delete))
        self.assertIsNone(explained(2.0, 3.0, [None], delete))
        self.assertIsNone(explained(2.0, 3.0, [hash_key, None], delete, put))
        delete = {"DeleteRequest": {"Key": self.KEY}}
        self.assertIn("no entry", explained(2.0, 5.0, [self.KEY], delete, table="text_range"))
        self.assertIsNone(explained(3.0, 5.0, [self.KEY], delete, table="text_range"))


class IndexFilterTest(unittest.TestCase):
    ENTRY = {"h": {"S": "a"}, "r": {"S": "b"}, "k": {"B": "AA=="}}

    def explained(self, mine, other, scanned=2, index="local_keys", **request):
        def body(items):
            return answered(**{"Items": items, "has Items": True, "Count": len(items), "ScannedCount": scanned})

        return explain("Scan", {"TableName": "text_range", "IndexName": index, **request}, [], body(mine), body(other))

    def test_only_of_what_is_not_projected(self):
        """The filter looks at an attribute that the entries do not have."""
        for request in ({"FilterExpression": "attribute_exists(s) AND NOT #h IN (:v0, :v1)", "ExpressionAttributeNames": {"#h": "h"}},
                        {"FilterExpression": "size(#s.p[1]) > :h", "ExpressionAttributeNames": {"#s": "s"}}, {"ScanFilter": {"s": {}}}):
            self.assertIn("whole item", self.explained([], [self.ENTRY], **request), request)
        for request in ({"FilterExpression": "begins_with(h, :s) OR k BETWEEN :a AND :b"}, {"ScanFilter": {"r": {}}}, {}):
            self.assertIsNone(self.explained([], [self.ENTRY], **request), request)
        self.assertIsNone(self.explained([], [self.ENTRY], index="local_all", FilterExpression="s = :v"))
        self.assertIsNone(self.explained([], [self.ENTRY], index="local_some", FilterExpression="a = :v AND m.p = :w"))
        self.assertIsNone(self.explained([], [self.ENTRY], FilterExpression="s = :v", Select="ALL_ATTRIBUTES"))

    def test_only_some_of_the_entries(self):
        """Both have answered with entries of the index, and no more than were scanned."""
        self.assertIsNone(self.explained([], [{**self.ENTRY, "s": {"S": "x"}}], FilterExpression="s = :v"))
        self.assertIsNone(self.explained([{**self.ENTRY, "s": {"S": "x"}}], [], FilterExpression="s = :v"))
        self.assertIsNone(self.explained([self.ENTRY] * 3, [], FilterExpression="s = :v"))


class ScanStartTest(unittest.TestCase):
    def explained(self, mine, other, changed=(), **request):
        def body(items):
            return {"Items": items, "has Items": True, "Count": len(items), "ScannedCount": len(items), "pages": [len(items)],
                    "ConsumedCapacity": None}

        request = {"TableName": "only_hash", "ExclusiveStartKey": {"h": {"S": "a"}}, **request}
        return explain("Scan", request, [], answered(**body(mine)), answered(**{**body(other), **dict(changed)}))

    def test_only_of_what_may_follow(self):
        """Neither has the item that the scan starts after, and both have the same item for a key."""
        b, c = {"h": {"S": "b"}}, {"h": {"S": "c"}}
        self.assertIn("order", self.explained([b], [b, c]))
        self.assertIn("order", self.explained([b], []))
        self.assertIn("order", self.explained([b], [b, c], Limit=2))
        self.assertIsNone(self.explained([b], [b, {"h": {"S": "a"}}]))
        self.assertIsNone(self.explained([{"h": {"S": "a"}}], [b]))
        self.assertIsNone(self.explained([b], [{**b, "a": {"S": "x"}}, c]))
        self.assertIsNone(self.explained([b], [b, b]))
        self.assertIsNone(self.explained([b], [b, c], {"Count": 1}))
        self.assertIsNone(self.explained([b], [b, c], {"ScannedCount": 3}))
        self.assertIsNone(self.explained([b], [b, c], {"pages": [1, 1]}, Limit=2))
        self.assertIsNone(self.explained([b], [b, c], {"has Items": False}))
        self.assertIsNone(self.explained([b], [b, c], {"ConsumedCapacity": {"TableName": "number_hash", "CapacityUnits": 0.5}}))


class UpdatedPartsTest(unittest.TestCase):
    ITEM = {"m": {"M": {"p": {"N": "1"}, "q": {"M": {"a": {"S": "x"}, "b": {"S": "y"}}}}}, "l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]}}

    def explained(self, expression, mine, values="UPDATED_OLD", names=None):
        """Whether it explains `mine` of Tintype against the whole attributes of DynamoDB Local."""
        request = {**GET, "UpdateExpression": expression, "ReturnValues": values, "ExpressionAttributeNames": names or {}}
        theirs = {name: self.ITEM[name] for name in mine}
        return explain("UpdateItem", request, [self.ITEM], answered(Attributes=mine), answered(Attributes=theirs)) is not None

    def test_the_parts_that_were_updated(self):
        p = {"m": {"M": {"p": {"N": "1"}}}}
        self.assertTrue(self.explained("SET m.p = :v", p))
        self.assertTrue(self.explained("set a = if_not_exists(m.q, :v), m . p= :v", p, "UPDATED_NEW"))
        self.assertTrue(self.explained("ADD b :v, #m.#p :w", p, names={"#m": "m", "#p": "p"}))
        self.assertTrue(self.explained("REMOVE m.p, m.z", p))
        self.assertTrue(self.explained("SET m.p = :v REMOVE m.q", p, "UPDATED_NEW"))
        self.assertTrue(self.explained("SET m.q.b = :v", {"m": {"M": {"q": {"M": {"b": {"S": "y"}}}}}}))
        self.assertTrue(self.explained("REMOVE l[0], l[ 2 ], l[7]", {"l": {"L": [{"N": "0"}, {"N": "2"}]}}))
        self.assertTrue(self.explained("REMOVE l[1]", {"l": {"L": [{"N": "1"}]}}, "UPDATED_NEW"))

    def test_other_parts(self):
        """Too little, too much, or a part of what was updated as a whole."""
        p = {"m": {"M": {"p": {"N": "1"}}}}
        self.assertFalse(self.explained("SET m.p = :v", {"m": {"M": {}}}))
        self.assertFalse(self.explained("SET l[0] = :v", {"l": {"L": []}}))
        self.assertFalse(self.explained("SET m.p = :v, m.q.a = :v", p))
        self.assertFalse(self.explained("SET m.q.a = :v", p))
        self.assertFalse(self.explained("SET m = :v", p))
        self.assertFalse(self.explained("SET a = m.p", p))
        self.assertFalse(self.explained("REMOVE m.p", p, "UPDATED_NEW"))
        self.assertFalse(self.explained("SET m.p = :v", p, "ALL_NEW"))
        self.assertFalse(self.explained("SET l[0] = :v", {"l": {"L": [{"N": "0"}, {"N": "1"}]}}))
        self.assertFalse(self.explained("SET l[0] = :v", {"l": {"L": [{"N": "1"}]}}))


class AcceptedTest(unittest.TestCase):
    def test_a_reserved_word(self):
        """Of the reserved words DynamoDB Local takes `size` alone, whichever way the refusal begins."""
        request = {**GET, "UpdateExpression": "SET size = :v"}
        told = "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: "
        for before in ("", "1 validation error detected: "):
            self.assertIn("reserved", explain("UpdateItem", request, [], refused(f"{before}{told}size"), answered()))
            self.assertIsNone(explain("UpdateItem", request, [], refused(f"{before}{told}status"), answered()))


class TransactionRefusalsTest(unittest.TestCase):
    KEY = {"h": {"S": "a"}, "r": {"S": "b"}}
    INTO_KEY = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "

    def test_one_item_twice(self):
        ours = refused("Transaction request cannot include multiple operations on one item")

        def explained(*keys):
            actions = [{"Delete": {"TableName": "number_hash", "Key": {"h": {"N": key}}}} for key in keys]
            return explain("TransactWriteItems", {"TransactItems": actions}, [], ours, answered())

        self.assertIn("two forms", explained("10e-1", "10e-1"))
        self.assertIn("two forms", explained("1.0", "2", "1"))
        self.assertIsNone(explained("1", "1"))
        self.assertIsNone(explained("1.0", "2"))

    def test_a_condition_that_looks_into_a_key(self):
        """The key has to be one of the table, and the condition has to look into it."""
        for condition, told, explained in (
                ("attribute_exists(h.p)", "Key: h", True), ("size(#h[0]) > :v", "Key: h", True), ("k.p = :v", "IndexKey: k", True),
                ("attribute_exists(h)", "Key: h", False), ("a.p = :v", "Key: a", False), ("r.p = :v", "Key: h", False),
                ("h.p = :v", "IndexKey: h", False), ("k.p = :v", "Key: k", False)):
            check = {"TableName": "text_range", "Key": self.KEY, "ConditionExpression": condition, "ExpressionAttributeNames": {"#h": "h"}}
            request = {"TransactItems": [{"ConditionCheck": check}]}
            reason = explain("TransactWriteItems", request, [], refused(self.INTO_KEY + told), answered())
            self.assertEqual(explained, reason is not None, (condition, told))

    def cancelled(self, mine, other, request):
        codes = [{"Code": "None"}, {"Code": "ValidationError", "Message": mine}]
        ours = Answer(400, "TransactionCanceledException", "Transaction cancelled, please refer cancellation reasons for specific "
                      "reasons [None, ValidationError]", {"CancellationReasons": codes})
        return explain("TransactWriteItems", request, [], ours, refused(other))

    def test_a_bad_action(self):
        """The reason has to be DynamoDB Local's, or one of two faults of the request."""
        key = "The provided key element does not match the schema"
        delete = {"Delete": {"TableName": "text_range", "Key": {"h": {"S": "a"}}}}
        request = {"TransactItems": [{"Delete": {"TableName": "text_range", "Key": self.KEY}}, delete]}
        self.assertIn("bad action", self.cancelled(key, key, request))
        self.assertIsNone(self.cancelled(key, "Item size has exceeded the maximum allowed size", request))
        self.assertIsNone(self.cancelled(key, "Invalid UpdateExpression: Syntax error; token: \"zz\", near: \"zz\"", request))
        self.assertIsNone(self.cancelled("Something else entirely", key, request))
        update = {"Update": {"TableName": "text_range", "Key": self.KEY, "UpdateExpression": "SET a.b = :v"}}
        nowhere = "The document path provided in the update expression is invalid for update"
        self.assertIn("bad action", self.cancelled(key, nowhere, {"TransactItems": [delete, update]}))
        self.assertIsNone(self.cancelled(nowhere, key, {"TransactItems": [delete, update]}))


class TwoFaultsTest(unittest.TestCase):
    def test_an_attribute_twice_beside_an_expression(self):
        """Both faults have to be in the request."""
        ours = refused("Can not use both expression and non-expression parameters in the same request: Non-expression "
                       "parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}")
        theirs = refused("Cannot have two attributes with the same name")
        request = {**GET, "ProjectionExpression": "x", "AttributesToGet": ["a", "a"]}
        self.assertIn("two faults", explain("GetItem", request, [], ours, theirs))
        self.assertIsNone(explain("GetItem", {**request, "AttributesToGet": ["a", "b"]}, [], ours, theirs))

    NO_TABLE = refused("Cannot do operations on a non-existent table", "ResourceNotFoundException")
    FAILED = refused("The conditional request failed", "ConditionalCheckFailedException")
    BAD_UPDATE = refused("Invalid UpdateExpression: Syntax error; token: \"zz\", near: \"zz\"")

    def explained(self, operation, request, ours, theirs):
        return explain(operation, request, [], ours, theirs)

    def test_every_fault_has_a_step(self):
        self.assertEqual(set(FAULTS), {fault for step in two_faults.STEPS for fault in step})

    def test_both_are_in_the_request_and_ours_is_the_first(self):
        request = {**GET, "TableName": "no_such_table", "UpdateExpression": "zz"}
        self.assertIn("two faults", self.explained("UpdateItem", request, self.BAD_UPDATE, self.NO_TABLE))
        request = {**GET, "UpdateExpression": "zz", "ConditionExpression": "attribute_exists(h)"}
        self.assertIn("two faults", self.explained("UpdateItem", request, self.BAD_UPDATE, self.FAILED))

    def test_a_fault_that_the_request_cannot_have(self):
        """A complaint about an expression, a table or a condition that is not there is nobody's second fault."""
        self.assertIsNone(self.explained("UpdateItem", {**GET, "TableName": "no_such_table"}, self.BAD_UPDATE, self.NO_TABLE))
        self.assertIsNone(self.explained("UpdateItem", {**GET, "UpdateExpression": "zz"}, self.BAD_UPDATE, self.NO_TABLE))
        self.assertIsNone(self.explained("UpdateItem", {**GET, "UpdateExpression": "zz"}, self.BAD_UPDATE, self.FAILED))

    def test_no_value_in_one_of_several_keys(self):
        """Keys of a batch are values too; which of two faults is told depends on both being there."""
        ours = refused("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
        theirs = refused("Provided list of item keys contains duplicates")
        good = {"h": {"N": "1"}}
        request = {"RequestItems": {"number_hash": {"Keys": [good, good, {"h": {"Z": "a"}}]}}}
        self.assertIn("two faults", self.explained("BatchGetItem", request, ours, theirs))
        self.assertIsNone(self.explained("BatchGetItem", {"RequestItems": {"number_hash": {"Keys": [good, good]}}}, ours, theirs))

    def test_a_number_that_an_update_adds_up_to(self):
        """Nobody sent it, so it is looked at when the item is, where no fault comes before another."""
        missing = refused("The provided expression refers to an attribute that does not exist in the item")
        digits = refused("DynamoDB only supports precision up to 38 digits")
        request = {**GET, "UpdateExpression": "SET a = b, c = c - :v", "ExpressionAttributeValues": {":v": {"N": "42"}}}
        self.assertIn("two faults", self.explained("UpdateItem", request, missing, digits))
        request["ExpressionAttributeValues"] = {":v": {"N": "1" * 39}}
        self.assertIsNone(self.explained("UpdateItem", request, missing, digits))

    def test_a_fault_that_comes_too_late(self):
        """Tintype has to tell the fault that AWS looks for first."""
        request = {**GET, "UpdateExpression": "zz", "ConditionExpression": "attribute_exists(h)"}
        self.assertIsNone(self.explained("UpdateItem", request, self.FAILED, self.BAD_UPDATE))
        missing = refused("Requested resource not found", "ResourceNotFoundException")
        request = {**GET, "TableName": "no_such_table", "UpdateExpression": "zz"}
        self.assertIsNone(self.explained("UpdateItem", request, missing, self.BAD_UPDATE))

    def test_a_member_that_is_not_as_we_say(self):
        """What we call malformed has to be in the request as we quote it."""
        message = "1 validation error detected: Value 'YES' at 'returnItemCollectionMetrics' failed to satisfy constraint: x"
        request = {**GET, "TableName": "no_such_table", "ReturnItemCollectionMetrics": "YES"}
        self.assertIn("two faults", self.explained("DeleteItem", request, refused(message), self.NO_TABLE))
        request["ReturnItemCollectionMetrics"] = "SIZE"
        self.assertIsNone(self.explained("DeleteItem", request, refused(message), self.NO_TABLE))
        message = "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null"
        self.assertIsNone(self.explained("GetItem", {**GET, "TableName": "no_such_table"}, refused(message), self.NO_TABLE))
        self.assertIn("two faults", self.explained("GetItem", {"TableName": "no_such_table"}, refused(message), self.NO_TABLE))

    def test_words_that_nobody_knows(self):
        self.assertEqual(set(), faults("Something else entirely", 0))
        self.assertIsNone(self.explained("GetItem", GET, refused("Something else entirely"), self.NO_TABLE))


if __name__ == "__main__":
    unittest.main()
