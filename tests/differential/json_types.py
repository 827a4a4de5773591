"""Whether the JSON of a request has the types that the API gives to its members."""

import base64
import binascii

BOOLEANS = ("ConsistentRead", "ScanIndexForward", "Enabled", "Exists")
INTEGERS = ("Limit", "Segment", "TotalSegments")
# Members that hold attribute values by name, and those that hold a list of them or one.
HOLDERS = ("Key", "Item", "ExpressionAttributeValues", "ExclusiveStartKey", "M")
LISTS = ("L", "AttributeValueList")


def has_other_types(node):
    """Whether anything in a request is of another type than the API's, or bytes that are not base64."""
    if isinstance(node, list):
        return any(has_other_types(child) for child in node)
    if not isinstance(node, dict):
        return False
    return any(is_of_other_type(name, child) or has_other_types(child) for name, child in node.items())


def is_of_other_type(name, content):
    if content is None:
        return True
    if name in BOOLEANS or name in ("BOOL", "NULL"):
        return not isinstance(content, bool)
    if name in INTEGERS:
        return not isinstance(content, int) or isinstance(content, bool)
    if name in HOLDERS:
        return not holds_values(content)
    if name == "Keys":
        return not isinstance(content, list) or not all(map(holds_values, content))
    if name == "Value":
        return not isinstance(content, dict)
    if name in LISTS:
        return not isinstance(content, list) or any(not isinstance(value, dict) for value in content)
    if name in ("S", "N"):
        return not isinstance(content, str)
    if name == "B":
        return not is_base64(content)
    if name in ("SS", "NS"):
        return not isinstance(content, list) or any(not isinstance(text, str) for text in content)
    if name == "BS":
        return not isinstance(content, list) or not all(map(is_base64, content))
    return False


def holds_values(content):
    return isinstance(content, dict) and all(isinstance(value, dict) for value in content.values())


def is_base64(text):
    try:
        base64.b64decode(text, validate=True)
        return True
    except (TypeError, ValueError, binascii.Error):
        return False
