"""Requests with two faults, of which each server tells another one.

That explains a difference only if the request can have both, by what is in it, and if Tintype tells the one that AWS
looks for first: the members of a request, then its values, parameters and expressions, then the table and its keys,
and last the item (AWS documents no order; this is the one that suites which were run on AWS have found).
"""

import decimal
import json
import re

from tables import TABLES

LEGACY = ("Expected", "AttributeUpdates", "KeyConditions", "QueryFilter", "ScanFilter", "ConditionalOperator", "AttributesToGet")
EXPRESSIONS = ("UpdateExpression", "ConditionExpression", "FilterExpression", "ProjectionExpression", "KeyConditionExpression")
UPDATES = ("UpdateExpression", "AttributeUpdates")
NUMBER_FAULTS = ("more than 38 digits", "number out of range")
KINDS = {"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"}


def explains(mine, other, request, message):
    """Whether a request can have one of our faults and one of theirs, ours being the first. `message` is ours."""
    return any(step_of(a, request) <= step_of(b, request) and can_have(a, request, message) and can_have(b, request)
               for a in mine for b in other)


def step_of(fault, request):
    # A number that was not sent is one that an update adds up to, from what is in the item.
    if fault in NUMBER_FAULTS and not any(map(is_bad_number, numbers(request))):
        return len(STEPS) - 1
    return next(number for number, faults in enumerate(STEPS) if fault in faults)


def can_have(fault, request, message=None):
    if fault == "missing or malformed member" and message:
        return is_malformed(request, message)
    return next(faults for faults in STEPS if fault in faults)[fault](request)


def members(node, *names):
    """What the members of those names hold, wherever they are."""
    if isinstance(node, dict):
        found = [node[name] for name in names if name in node]
        return found + [each for child in node.values() for each in members(child, *names)]
    return [each for child in node for each in members(child, *names)] if isinstance(node, list) else []


def has(*names):
    return lambda request: bool(members(request, *names))


def is_malformed(request, message):
    """Whether the values that our message complains of are in the request, and those it misses are not."""
    text = json.dumps(request, ensure_ascii=False)
    for value, path in re.findall(r"Value (null|'.*?'|\[.*?\]|\{.*?\}) at '([^']*)'", message):
        name = path.rpartition(".")[2]
        member = name[:1].upper() + name[1:]
        if value == "null":
            if "." not in path and request.get(member) is not None:
                return False
        elif value[0] == "'" and value[1:-1] not in text:
            return False
        elif value[0] in "[{" and "." not in path and member not in request:
            return False
    return True


def numbers(request):
    """Every number, as its text."""
    return [text for text in members(request, "N") + sum((each for each in members(request, "NS") if isinstance(each, list)), [])
            if isinstance(text, str)]


def is_bad_number(text):
    try:
        number = decimal.Decimal(text)
    except decimal.InvalidOperation:
        return True
    if not number.is_finite() or text != text.strip():
        return True
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    return bool(digits) and (len(digits) > 38 or not -130 <= number.adjusted() <= 125)


def has_bad_number(request):
    """One that was sent, or that an update may add up to."""
    return bool(members(request, *UPDATES)) or any(map(is_bad_number, numbers(request)))


def has_duplicates(request):
    sets = members(request, "SS", "BS") + [[str(decimal.Decimal(text).normalize()) for text in each if not is_bad_number(text)]
                                          for each in members(request, "NS") if isinstance(each, list)]
    return any(len(set(each)) < len(each) for each in sets if isinstance(each, list))


def has_odd_value(request):
    """A value of no type, of several, or of one that there is not."""
    holders = members(request, "Key", "Item", "ExpressionAttributeValues", "M", "ExclusiveStartKey")
    holders += sum((keys for keys in members(request, "Keys") if isinstance(keys, list)), [])
    values = [value for holder in holders if isinstance(holder, dict) for value in holder.values()]
    values += [value for each in members(request, "L", "AttributeValueList") if isinstance(each, list) for value in each]
    values += members(request, "Value")
    return any(not isinstance(value, dict) or len(value) != 1 or not set(value) <= KINDS for value in values)


def has_empty_name(request):
    return '"":' in json.dumps(request) or "" in sum((list(each.values()) for each in members(request, "ExpressionAttributeNames")
                                                     if isinstance(each, dict)), [])


def has_long_text(request):
    return any(isinstance(text, str) and len(text) > 1000 for text in members(request, "S", "B"))


def table_names(request):
    names = members(request, "TableName")
    for requests in members(request, "RequestItems"):
        names += list(requests)
    return names


def has_unknown_table(request):
    return not table_names(request) or any(name not in [table.name for table in TABLES] for name in table_names(request))


def has_bad_table_name(request):
    return any(not re.fullmatch(r"[\w.-]{3,255}", str(name)) for name in table_names(request))


def has_unknown_index(request):
    known = {index.name for table in TABLES if table.name == request.get("TableName") for index in table.indexes}
    return "IndexName" in request and request["IndexName"] not in known


def has_both_kinds(request):
    return bool(members(request, *EXPRESSIONS, "ExpressionAttributeNames", "ExpressionAttributeValues") and members(request, *LEGACY))


def has_attribute_twice(request):
    return any(isinstance(names, list) and len(set(map(str, names))) < len(names) for names in members(request, "AttributesToGet"))


def has_key(request):
    return bool(members(request, "Key", "Keys", "Item", "KeyConditions", "KeyConditionExpression", *UPDATES))


# What AWS looks for, step by step, each with what has to be in a request that has the fault.
STEPS = (
    {
        "missing or malformed member": lambda request: True,
        "name of a table": has_bad_table_name,
    },
    {
        "not a number": has_bad_number,
        "more than 38 digits": has_bad_number,
        "number out of range": has_bad_number,
        "duplicates in a set": has_duplicates,
        "empty set": lambda request: [] in members(request, "SS", "NS", "BS"),
        "no value": has_odd_value,
        "several values": has_odd_value,
        "null that is false": lambda request: False in members(request, "NULL"),
        "empty attribute name": has_empty_name,
        "empty text or bytes": lambda request: '""' in json.dumps(request),
        "segments": has("Segment", "TotalSegments"),
        "return values": has("ReturnValues"),
        "selection": has("Select", "AttributesToGet", "ProjectionExpression"),
        "attribute twice": has_attribute_twice,
        "no condition on keys": lambda request: not members(request, "KeyConditions", "KeyConditionExpression"),
        "expressions and legacy parameters": has_both_kinds,
        "legacy condition": has(*LEGACY),
        "legacy range": has(*LEGACY),
        "legacy operator": has("ConditionalOperator"),
        "legacy action": has("AttributeUpdates"),
        "update expression": has("UpdateExpression"),
        "condition expression": has("ConditionExpression"),
        "filter expression": has("FilterExpression"),
        "projection expression": has("ProjectionExpression"),
        "key condition expression": has("KeyConditionExpression"),
        "empty placeholder": has("ExpressionAttributeNames", "ExpressionAttributeValues"),
        "empty name in placeholders": has_empty_name,
        "placeholders": has("ExpressionAttributeNames", "ExpressionAttributeValues"),
        "item twice": has("TransactItems", "RequestItems"),
    },
    {
        "no such table": has_unknown_table,
        "no such index": has_unknown_index,
        "consistent read of a global index": has("ConsistentRead"),
        "attributes not projected": has("IndexName"),
        "start key does not fit": has("ExclusiveStartKey"),
        "condition on keys": has("KeyConditions", "KeyConditionExpression", "TableName"),
        "filter on a key": has("FilterExpression", "QueryFilter"),
        "empty key": lambda request: '""' in json.dumps(request),
        "key does not fit": has_key,
        "key too long": has_long_text,
        "key written": has(*UPDATES),
        "path into a key": has(*EXPRESSIONS),
        "time to live is on": has("TimeToLiveSpecification"),
        "time to live is off": has("TimeToLiveSpecification"),
        "time to live of another attribute": has("TimeToLiveSpecification"),
    },
    {
        "item too large": lambda request: has_long_text(request) or bool(members(request, *UPDATES)),
        "path leads nowhere": has(*UPDATES),
        "attribute not there": has(*UPDATES),
        "operand's type": has(*UPDATES),
        "condition failed": has("ConditionExpression", "Expected"),
    },
)
