"""Spoils a good request in one place, in ways that clients do."""

import re

from values import BAD_NUMBERS

EXPRESSIONS = ["UpdateExpression", "ConditionExpression", "FilterExpression", "ProjectionExpression", "KeyConditionExpression"]
RESERVED = ["name", "size", "status", "Comment", "DATE", "year", "user"]
BAD_VALUES = [{}, {"S": "a", "N": "1"}, {"S": 5}, {"N": 5}, {"SS": []}, {"SS": ["a", "a"]}, {"NS": ["1", "1.0"]}, {"BS": ["AA==", "AA=="]},
              {"NULL": False}, {"S": ""}, {"B": ""}, {"SS": [""]}, {"L": [{}]}, {"M": {"p": {}}}, {"M": {"": {"S": "a"}}},
              {"B": "not base64!"}, {"BOOL": "true"}, {"Z": "a"}, "a", None, {"L": {}}, {"M": []}, {"NS": ["a"]}]


def spoil(values, operation, request):
    """The request with one fault. Some turn out to be none, and the request stays good."""
    possible = [spoil_value, spoil_value, remove_member, spoil_option, spoil_limit]
    if find(request, EXPRESSIONS):
        possible += [spoil_expression, spoil_placeholder, spoil_expression]
    if "Key" in request or "Item" in request:
        possible += [spoil_key, spoil_key]
    values.pick(possible)(values, operation, request)
    return request


def find(node, members):
    """Every (parent, member) of the tree with one of those names."""
    found = []
    if isinstance(node, dict):
        found = [(node, member) for member in members if member in node]
        for child in node.values():
            found += find(child, members)
    elif isinstance(node, list):
        for child in node:
            found += find(child, members)
    return found


def attribute_values(node):
    """Every (parent, position) that holds an attribute value."""
    found = []
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for position, child in pairs:
        if isinstance(child, dict) and len(child) == 1 and next(iter(child)) in ("S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"):
            found.append((node, position))
        found += attribute_values(child)
    return found


def spoil_value(values, operation, request):
    places = attribute_values(request)
    if not places:
        return
    parent, position = values.pick(places)
    parent[position] = {"N": values.pick(BAD_NUMBERS)} if values.chance(0.3) else values.pick(BAD_VALUES)


def remove_member(values, operation, request):
    node = request
    while True:
        inner = [member for member in node if isinstance(node[member], dict) and node[member]]
        if not inner or values.chance(0.6):
            break
        node = node[values.pick(inner)]
    if node:
        del node[values.pick(sorted(node))]


def spoil_key(values, operation, request):
    holder = request.get("Key", request.get("Item"))
    names = sorted(holder)
    how = values.random.randint(0, 4)
    if how == 0:
        holder.pop(values.pick(names))
    elif how == 1:
        holder["extra"] = {"S": "a"}
    elif how == 2:
        holder[values.pick(names)] = values.any()
    elif how == 3:
        name = values.pick(names)
        kind = next(iter(holder[name]))
        holder[name] = {"N": values.pick(BAD_NUMBERS)} if kind == "N" else {kind: ""}
    else:
        name = values.pick(names)
        holder[name] = {"S": "k" * values.pick([1024, 1025, 2048, 2049])}


def spoil_option(values, operation, request):
    member, wrong = values.pick([
        ("ReturnValues", "SOME"), ("ReturnValues", "ALL_NEW"), ("ReturnValues", "UPDATED_OLD"), ("ReturnConsumedCapacity", "ALL"),
        ("ReturnItemCollectionMetrics", "YES"), ("TableName", "ab"), ("TableName", "no_such_table"), ("TableName", "bad name!"),
        ("Select", "NONE"), ("Select", "COUNT"), ("Select", "SPECIFIC_ATTRIBUTES"), ("IndexName", "no_such_index"), ("IndexName", "x"),
        ("ConsistentRead", "yes"), ("ScanIndexForward", 1), ("ConditionalOperator", "XOR"), ("ConditionalOperator", "AND"),
        ("Expected", {}), ("AttributesToGet", []), ("AttributesToGet", ["a", "a"]), ("AttributesToGet", ["a"]), ("ExpressionAttributeNames", {}),
        ("ExpressionAttributeValues", {}), ("ConditionExpression", ""), ("FilterExpression", ""), ("ProjectionExpression", ""),
        ("UpdateExpression", ""), ("KeyConditionExpression", ""), ("ExpressionAttributeNames", {"#unused": "a"}),
        ("ExpressionAttributeValues", {":unused": {"S": "a"}}), ("AttributeUpdates", {}), ("KeyConditions", {}), ("Unknown", 1)])
    request[member] = wrong


def spoil_limit(values, operation, request):
    if operation in ("Query", "Scan"):
        member, wrong = values.pick([("Limit", 0), ("Limit", -1), ("Limit", "2"), ("Segment", 5), ("Segment", -1), ("TotalSegments", 0),
                                     ("TotalSegments", 2), ("Segment", 0), ("TotalSegments", 1000001), ("ExclusiveStartKey", {}),
                                     ("ExclusiveStartKey", {"h": {"S": "a"}}), ("ExclusiveStartKey", {"zz": {"N": "1"}})])
        request[member] = wrong
    elif operation == "BatchWriteItem":
        writes = values.pick(list(request["RequestItems"].values()))
        if values.chance(0.5):
            writes *= 26
        elif values.chance(0.5):
            writes.clear()
        else:
            writes[0].clear()
    elif operation == "BatchGetItem":
        keys = values.pick(list(request["RequestItems"].values()))["Keys"]
        if values.chance(0.5):
            keys *= 101
        else:
            keys.clear()
    elif "TransactItems" in request:
        if values.chance(0.5):
            request["TransactItems"].clear()
        else:
            request["TransactItems"][0] = {}
    elif "Item" in request:
        request["Item"]["s"] = {"S": "x" * 409600}


def spoil_expression(values, operation, request):
    parent, member = values.pick(find(request, EXPRESSIONS))
    text = parent[member]
    tokens = re.findall(r"[\w#:.é]+|<>|<=|>=|\S", text)
    position = values.random.randrange(len(tokens))
    how = values.random.randint(0, 5)
    if how == 0:
        del tokens[position]
    elif how == 1:
        tokens.insert(position, values.pick(["AND", "(", ")", ",", "=", ":zz", "#zz", "SET", "a", "NOT", "[", "]", ".", "5", "+", "!", "\"", "size"]))
    elif how == 2:
        tokens[position] = values.pick(RESERVED)
    elif how == 3:
        tokens.append(tokens[position])
    elif how == 4:
        tokens[position] = values.pick(["begins_with", "contains", "nosuch", "attribute_exists", "list_append", "if_not_exists", "BETWEEN", "IN"])
    else:
        other = values.random.randrange(len(tokens))
        tokens[position], tokens[other] = tokens[other], tokens[position]
    parent[member] = " ".join(tokens)


def spoil_placeholder(values, operation, request):
    places = find(request, ["ExpressionAttributeNames", "ExpressionAttributeValues"])
    if not places:
        request["ExpressionAttributeValues"] = {":v": {"S": "a"}}
        return
    parent, member = values.pick(places)
    holder = parent[member]
    key = values.pick(sorted(holder)) if holder else None
    how = values.random.randint(0, 4)
    if how == 0:
        holder.pop(key, None)
    elif how == 1:
        holder[values.pick([":unused", "#unused"])] = "a" if member.endswith("Names") else {"S": "a"}
    elif how == 2 and key:
        holder[values.pick(["n", "#", ":", "#a-b", ":a b", ""])] = holder.pop(key)
    elif how == 3:
        parent[member] = {}
    elif key:
        holder[key] = "" if member.endswith("Names") else {"S": ""}
