"""Random requests of every data operation. The same seed gives the same requests, whatever the answers are."""

import copy
import random

import faults
from expressions import Expressions
from legacy import Legacy
from tables import GLOBAL
from values import Values

RETURN_VALUES = {
    "PutItem": ["NONE", "ALL_OLD"],
    "DeleteItem": ["NONE", "ALL_OLD"],
    "UpdateItem": ["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"],
}
# How often each operation is drawn.
WEIGHTS = {"PutItem": 18, "UpdateItem": 26, "DeleteItem": 6, "GetItem": 6, "Query": 16, "Scan": 8, "BatchGetItem": 3,
           "BatchWriteItem": 4, "TransactWriteItems": 6, "TransactGetItems": 2}
# DynamoDB Local of 2020 knows transactions of 10 actions only.
TRANSACTION_ACTIONS_MAX = 10


class Generator:
    def __init__(self, seed, faulty=0.12):
        self.random = random.Random(seed)
        self.values = Values(self.random)
        self.faulty = faulty

    def next(self):
        """(operation, request)"""
        operation = self.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        request = getattr(self, operation)()
        if operation not in ("BatchWriteItem", "TransactWriteItems") or self.values.chance(0.5):
            self.capacity(request)
        if self.values.chance(self.faulty):
            request = faults.spoil(self.values, operation, copy.deepcopy(request))
        return operation, request

    def capacity(self, request):
        if self.values.chance(0.4):
            request["ReturnConsumedCapacity"] = self.values.pick(["TOTAL", "INDEXES", "NONE"])

    # Writes of one item.

    def PutItem(self):
        table = self.values.table()
        return self.write(table, "PutItem", {"TableName": table.name, "Item": self.values.item(table)})

    def DeleteItem(self):
        table = self.values.table()
        return self.write(table, "DeleteItem", {"TableName": table.name, "Key": self.values.key(table)})

    def UpdateItem(self):
        table = self.values.table()
        request = {"TableName": table.name, "Key": self.values.key(table)}
        if self.values.chance(0.15):
            Legacy(self.values, table).update(request)
            return self.write(table, "UpdateItem", request, legacy=True)
        if self.values.chance(0.02):
            return self.write(table, "UpdateItem", request)
        return self.write(table, "UpdateItem", request, update=True)

    def write(self, table, operation, request, legacy=None, update=False):
        """Adds what the three operations have in common."""
        if self.values.chance(0.6):
            request["ReturnValues"] = self.values.pick(RETURN_VALUES[operation])
        if self.values.chance(0.1):
            request["ReturnItemCollectionMetrics"] = "SIZE"
        if legacy is None and not update:
            legacy = self.values.chance(0.15)
        if legacy:
            if self.values.chance(0.5):
                Legacy(self.values, table).expected(request)
            return request
        expressions = Expressions(self.values, table)
        if update:
            request["UpdateExpression"] = expressions.update()
        if self.values.chance(0.5):
            request["ConditionExpression"] = expressions.condition()
        expressions.fill_in(request)
        return request

    # Reads.

    def GetItem(self):
        table = self.values.table()
        return {"TableName": table.name, **self.get(table, self.values.chance(0.15))}

    def get(self, table, legacy=False):
        """The members of a read of one item, without the table."""
        request = {"Key": self.values.key(table)}
        if self.values.chance(0.3):
            request["ConsistentRead"] = self.values.chance(0.5)
        self.project(table, request, 0.5, legacy)
        return request

    def project(self, table, request, probability, legacy=False):
        if not self.values.chance(probability):
            return
        if legacy:
            request["AttributesToGet"] = self.values.attributes(table, 4) or ["a"]
            return
        expressions = Expressions(self.values, table)
        request["ProjectionExpression"] = expressions.projection()
        if expressions.names:
            request["ExpressionAttributeNames"] = expressions.names

    def Query(self):
        table = self.values.table()
        index = self.values.pick([None, *table.indexes])
        request = {"TableName": table.name}
        key = index.key if index else table.key
        legacy = self.values.chance(0.12)
        if legacy:
            Legacy(self.values, table).key_conditions(request, key)
        else:
            expressions = Expressions(self.values, table)
            request["KeyConditionExpression"] = expressions.key_condition(key)
        if self.values.chance(0.4):
            request["ScanIndexForward"] = self.values.chance(0.5)
        if index is None and self.values.chance(0.08):
            request["ExclusiveStartKey"] = self.values.key(table)
        return self.read(table, index, request, None if legacy else expressions, key)

    def Scan(self):
        table = self.values.table()
        index = self.values.pick([None, *table.indexes])
        request = {"TableName": table.name}
        if self.values.chance(0.2):
            request["TotalSegments"] = self.random.randint(1, 4)
            request["Segment"] = self.random.randint(0, request["TotalSegments"] - 1)
        return self.read(table, index, request, None if self.values.chance(0.12) else Expressions(self.values, table))

    def read(self, table, index, request, expressions, queried=()):
        """Adds what Query and Scan have in common; legacy parameters if there are no expressions."""
        if index:
            request["IndexName"] = index.name
        if self.values.chance(0.3):
            request["Limit"] = self.random.randint(1, 4)
        if self.values.chance(0.15) and (index is None or index.kind != GLOBAL or self.values.chance(0.05)):
            request["ConsistentRead"] = True
        if expressions is None:
            if self.values.chance(0.5):
                Legacy(self.values, table).filter(request, "QueryFilter" if queried else "ScanFilter", queried)
            self.project(table, request, 0.3, legacy=True)
        else:
            if self.values.chance(0.4):
                request["FilterExpression"] = expressions.filter(queried)
            if self.values.chance(0.3):
                request["ProjectionExpression"] = expressions.projection()
            expressions.fill_in(request)
        if self.values.chance(0.2):
            fitting = (["SPECIFIC_ATTRIBUTES"] if "ProjectionExpression" in request or "AttributesToGet" in request else
                       ["ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "COUNT"] if index else ["ALL_ATTRIBUTES", "COUNT"])
            request["Select"] = self.values.pick(fitting)
        return request

    # Batches and transactions.

    def distinct(self, most):
        """(table, key) pairs, seldom with one twice."""
        pairs, known = [], set()
        for _ in range(self.random.randint(1, most)):
            table = self.values.table()
            key = self.values.key(table)
            identity = (table.name, *(float(content) if kind == "N" else content
                                      for value in key.values() for kind, content in value.items()))
            if identity not in known or self.values.chance(0.02):
                pairs.append((table, key))
            known.add(identity)
        return pairs

    def BatchGetItem(self):
        request = {}
        for table, key in self.distinct(8):
            if table.name not in request:
                read = self.get(table, self.values.chance(0.1))
                del read["Key"]
                request[table.name] = {"Keys": [], **read}
            request[table.name]["Keys"].append(key)
        return {"RequestItems": request}

    def BatchWriteItem(self):
        request = {}
        for table, key in self.distinct(8):
            write = ({"DeleteRequest": {"Key": key}} if self.values.chance(0.3) else
                     {"PutRequest": {"Item": {**self.values.item(table), **key}}})
            request.setdefault(table.name, []).append(write)
        return {"RequestItems": request}

    def TransactGetItems(self):
        return {"TransactItems": [{"Get": self.transact_get(table, key)} for table, key in self.distinct(5)]}

    def transact_get(self, table, key):
        get = {"TableName": table.name, "Key": key}
        self.project(table, get, 0.4)
        return get

    def TransactWriteItems(self):
        actions = []
        for table, key in self.distinct(self.values.pick([2, 4, TRANSACTION_ACTIONS_MAX])):
            kind = self.values.pick(["Put", "Update", "Delete", "ConditionCheck"])
            action = {"TableName": table.name}
            expressions = Expressions(self.values, table)
            if kind == "Put":
                action["Item"] = {**self.values.item(table), **key}
            else:
                action["Key"] = key
            if kind == "Update":
                action["UpdateExpression"] = expressions.update()
            if kind == "ConditionCheck" or self.values.chance(0.2):
                action["ConditionExpression"] = expressions.condition(2)
                if self.values.chance(0.4):
                    action["ReturnValuesOnConditionCheckFailure"] = self.values.pick(["ALL_OLD", "NONE"])
            expressions.fill_in(action)
            actions.append({kind: action})
        return {"TransactItems": actions}
