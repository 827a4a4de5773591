"""The faults a request can have, in the words of both servers.

DynamoDB Local of 2020 words many refusals in its own way. Tintype's words are AWS's: where the public documentation
or a suite that was checked against AWS has them, tests/conformance pins them.
"""

import re

from compare import plain_number

# Fault: (Tintype's words, DynamoDB Local's words); one pattern where both use the same.
FAULTS = {
    # Numbers, sets and values.
    "not a number": (r"The parameter cannot be converted to a numeric value.*", r"A value provided cannot be converted into a number"),
    "more than 38 digits": (r"Attempting to store more than 38 significant digits in a Number", r"DynamoDB only supports precision up to 38 digits"),
    "number out of range": r"Number (over|under)flow\. .*",
    "duplicates in a set": (r"(One or more parameter values were invalid: )?Input collection .*contains duplicates\.?",
                            r"(One or more parameter values were invalid: )?Input collection .*contains duplicates\.?"),
    "empty set": r"One or more parameter values were invalid: An (string|number|binary) set  may not be empty",
    "no value": (r"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
                 r"(Supplied AttributeValue is empty, must contain exactly one of the supported datatypes|"
                 # Of a null within a list of an item; a put has no key.
                 r"Value null at 'transactItems\.\d+\.member\.put\.key' failed to satisfy constraint: Member must not be null|"
                 r"The supplied Item contains a null AttributeValue.*)"),
    "several values": r"Supplied AttributeValue has more than one datatypes set, .*",
    "null that is false": r"One or more parameter values were invalid: Null attribute value types must have the value of true",
    "empty attribute name": (r"One or more parameter values were invalid: Empty attribute name",
                             r"Empty attribute name"),
    "empty key": (r"One or more parameter values are not valid\. The AttributeValue for a key attribute cannot contain an empty .*", None),
    # Tintype accepts these; the rule for values that may be empty looks for them.
    "empty text or bytes": (None, r"One or more parameter values were invalid: An (AttributeValue may not contain (an empty string|a null or "
                                  r"empty binary type\.)|string set may not have a empty string as a member)"),
    # Keys.
    "key does not fit": (r"(The provided key element does not match the schema|"
                         r"One or more parameter values were invalid: (Type mismatch for key .*|Missing the key .* in the item|"
                         r"Condition parameter type does not match schema type|Type mismatch for Index Key .*))",
                         r"(The provided key element does not match the schema|The number of conditions on the keys is invalid|"
                         r"One of the required keys was not given a value|Type mismatch for (attribute to update|Index Key.*)|"
                         r"Invalid attribute value type|Updates on index keys must be of the same data type as the key attribute|"
                         r"One or more parameter values were invalid: (Condition parameter type does not match schema type|"
                         r"Type mismatch for .*))"),
    "key too long": (r"One or more parameter values were invalid: (Size of hashkey|Aggregated size of all range keys) has exceeded .*",
                     r"Hash primary key values must be under 2048 bytes, and range primary key values must be under 1024 bytes|"
                     r"One or more parameter values were invalid: Size limit exceeded"),
    "key written": (r"One or more parameter values were invalid: Cannot update attribute .* This attribute is part of the key",
                    r"This attribute is part of the key"),
    "path into a key": r"Key attributes must be scalars; .*",
    "item twice": (r"Provided list of item keys contains duplicates|Transaction request cannot include multiple operations on one item"),
    "start key does not fit": (r"The provided starting key is .*|The provided starting key does not match .*",
                               r"The provided starting key .*|Exclusive Start Key must have same size as table's key schema|Cannot have two attributes with the same name"),
    "no condition on keys": r"Either the KeyConditions or .*",
    "condition on keys": (r"Query (condition missed key schema element.*|key condition not supported)|"
                          r"Invalid KeyConditionExpression: (Invalid (condition|operator used) in KeyConditionExpression: |KeyConditionExpressions ).*|"
                          r"The number of query conditions .* exceeds the number of key attributes defined in the schema .*",
                          r"Query (condition missed key schema element|key condition not supported)|"
                          r"Invalid (condition|operator used) in KeyConditionExpression: .*"),
    # Tintype's words for it are those of a legacy condition.
    "attribute twice": (None, r"Cannot have two attributes with the same name"),
    "filter on a key": r"(Filter Expression|QueryFilter) can only contain non-primary key attributes: .*",
    "item too large": r"Item size (to update )?has exceeded the maximum allowed size",
    # Parameters.
    "name of a table": (r"TableName must be at least .*", r"Invalid table/index name\. .*"),
    "missing or malformed member": (r"\d+ validation errors? detected: .*|The requestItems parameter is required for .*",
                                    r"\d+ validation errors? detected: .*|Value (null|\[.*\]) at .* failed to satisfy constraint: .*|"
                                    r"(BatchGetItem must have some|BatchWriteItem cannot have a null or no) requests set|"
                                    r"Cannot have null key for .*|Item to put in PutItem cannot be null|Limit must be greater than or equal to 1|"
                                    r"Return values set to invalid value|Select must be ALL_ATTRIBUTES, .*|AttributesToGet cannot be empty|"
                                    r"The batch write request list for a table cannot be null or empty: .*|Comparison type does not exist in DynamoDB|"
                                    r"The list of keys in RequestItems for BatchGetItem is required: .*|Invalid table/index name\. .*|"
                                    r"Too many items requested for the .* call|TimeToLiveSpecification cannot be null|"
                                    r"AttributeName cannot be null when time to live is being enabled|"
                                    r"Names of key attributes and attributes projected into an index must be between .*|"
                                    r"If (segment is specified, total segment|total segments is specfied, a particular segment) must also be specified.*"),
    "segments": (r"The (TotalSegments|Segment) parameter is required but was not present .*|The Segment parameter is zero-based .*",
                 r"If (segment is specified, total segment|total segments is specfied, a particular segment) must also be specified.*|"
                 r"The Segment parameter is zero-based .*|"
                 r"1 validation error detected: Value '\d+' at 'segment' failed to satisfy constraint: Member must have value less than .*"),
    "return values": (r"ReturnValues can only be ALL_OLD or NONE", r"Return values set to invalid value"),
    "no such index": r"The table does not have the specified index.*",
    "no such table": (r"Requested resource not found.*", r"(Cannot do operations on a non-existent table|Requested resource not found.*)"),
    "consistent read of a global index": (r"Consistent reads are not supported on global secondary indexes",
                                          r"Consistent read cannot be true when (querying|scaning) a GSI"),
    "selection": (r"(Cannot specify the (ProjectionExpression|AttributesToGet) when choosing to get .*|"
                  r"(1 validation error detected: )?Must specify the AttributesToGet or ProjectionExpression .*|ALL_PROJECTED_ATTRIBUTES can be used only .*)",
                  r"(Cannot specify the (ProjectionExpression|AttributesToGet) when choosing to get .*|"
                  r"Must specify the AttributesToGet or ProjectionExpression .*|ALL_PROJECTED_ATTRIBUTES can be used only .*)"),
    "attributes not projected": r"One or more parameter values were invalid: (Global secondary index .* does not project .*|"
                                r"Secondary index .* does not project .*|Select type ALL_ATTRIBUTES is not supported .*)",
    "expressions and legacy parameters": r"Can not use both expression and non-expression parameters .*",
    "legacy condition": r"(One or more parameter values were invalid: )?(ComparisonOperator .*|Duplicate value in attribute name: .*|"
                        r"AttributeValues inside AttributeValueList .*|Invalid number of argument.*|Value or AttributeValueList must be used .*|"
                        r"AttributeValueList can only be used with .*|.*must be (null|provided).*|Exists .*)",
    "legacy range": r"The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
    "legacy operator": r"ConditionalOperator cannot be used without .*|.*ConditionalOperator can only be used .*",
    "legacy action": (r"One or more parameter values were invalid: (ADD|DELETE) action (with value )?is not supported for the type .*|"
                      r"One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified",
                      r"One or more parameter values were invalid: (ADD|DELETE) action (with value )?is not supported for the type .*|"
                      r"One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"),
    # Time to live.
    "time to live is on": r"TimeToLive is already enabled",
    "time to live is off": r"TimeToLive is already disabled",
    "time to live of another attribute": (r"TimeToLive is active on a different AttributeName: current AttributeName is .*",
                                          r"TimeToLive is active on a different AttributeName"),
    # Expressions.
    "update expression": r"Invalid UpdateExpression: .*",
    "condition expression": r"Invalid ConditionExpression: .*",
    "filter expression": r"Invalid FilterExpression: .*",
    "projection expression": r"Invalid ProjectionExpression: .*",
    "key condition expression": r"Invalid KeyConditionExpression: .*",
    "empty placeholder": r"ExpressionAttribute(Names|Values) contains invalid key: .*",
    "empty name in placeholders": r"ExpressionAttributeNames contains invalid value: .*",
    "placeholders": r"ExpressionAttribute(Names|Values) (must not be empty|can only be specified when using expressions.*)|"
                    r"Value provided in ExpressionAttribute(Names|Values) unused in expressions: .*",
    # Met while working on the item.
    "path leads nowhere": r"The document path provided in the update expression is invalid for update",
    "attribute not there": r"The provided expression refers to an attribute that does not exist in the item",
    "operand's type": r"An operand in the update expression has an incorrect data type|Type mismatch for attribute to update",
    "condition failed": r"The conditional request failed\.?|Transaction cancelled, please refer cancellation reasons .*",
}


# Since 2026, AWS announces most faults of a write, and those of Select in a query, as it does broken constraints.
ANNOUNCED = re.compile(r"1 validation error detected: (?!Value (null|'|\[|\{|at ))")


# DynamoDB Local does not always say where it found an operator that keys cannot have.
KEY_OPERATOR = re.compile(r"(?:Invalid KeyConditionExpression: )?Invalid operator used in KeyConditionExpression: (.*)")


def same_in_expression(ours, theirs):
    """Whether two messages on one expression tell the same; true of any other message."""
    ours = ANNOUNCED.sub("", ours, count=1)
    operators = [KEY_OPERATOR.fullmatch(message) for message in (ours, theirs)]
    if all(operators):
        return operators[0][1] == operators[1][1]
    if not re.match(r"Invalid \w+Expression: ", ours) or not re.match(r"Invalid \w+Expression: ", theirs):
        return True
    return plain(ours) == plain(theirs)


def plain(message):
    """A message on an expression without what DynamoDB Local does not say, or says in another form."""
    message = re.sub(r", typeSet: ALLOWED_FOR_\w+$", "", message)
    message = re.sub(r"; path one: .*", "", message)  # It tells the first paths, not those that overlap.
    # Types that an operand may have are in any order.
    message = re.sub(r"(?<=operand type: )\{[A-Z,]+\}", lambda types: ",".join(sorted(types[0][1:-1].split(","))), message)
    # Of several undefined names, each server mentions another one.
    message = re.sub(r"(is not defined; attribute (name|value): ).*", r"\1", message)
    return re.sub(r"(?:AttributeValue: )?\{(\w+): ?(.*?),?\}(?=, upper|$)", plain_operand, message)


def plain_operand(match):
    kind, content = match.groups()
    return f"{kind} {plain_number(content) if kind == 'N' else content}"


def faults(message, side):
    """The names of the faults that a message may tell of; side 0 is Tintype, 1 is DynamoDB Local."""
    message = ANNOUNCED.sub("", message, count=1)
    wrapped = re.fullmatch(r"ExpressionAttributeValues contains invalid value: (.*) for key \S*", message, re.DOTALL)
    message = wrapped[1] if wrapped else message
    # A value in a starting key may be wrong as any other is, which DynamoDB Local says without naming the place.
    tells = {message, message.removeprefix("The provided starting key is invalid: ")}
    found = set()
    for name, patterns in FAULTS.items():
        pattern = patterns[side] if isinstance(patterns, tuple) else patterns
        if pattern is not None and any(re.fullmatch(pattern, told, re.DOTALL) for told in tells):
            found.add(name)
    return found
