// The AWS SDK for JavaScript v3 with the document client (plain JavaScript values).
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument, NumberValue, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { clientConfig, startServer } from '../support/server.mjs';
import { createTable } from '../support/tables.mjs';

const TableName = 'Readings';

describe('AWS SDK v3, document client', () => {
  let server;
  let client;
  let documents;

  before(async () => {
    server = await startServer();
    client = new DynamoDBClient(clientConfig(server));
    documents = DynamoDBDocument.from(client, { marshallOptions: { removeUndefinedValues: true } });
    await createTable(client, {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'sensor', AttributeType: 'S' },
        { AttributeName: 'at', AttributeType: 'N' },
        { AttributeName: 'room', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'sensor', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'room-index',
          KeySchema: [{ AttributeName: 'room', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['celsius'] },
        },
      ],
    });
  });
  after(async () => {
    client?.destroy();
    await server?.stop();
  });

  // Proves that JavaScript values come back as they went in, sets, bytes and big numbers included.
  it('round-trips values', async () => {
    const Item = {
      sensor: 'values',
      at: 1,
      nested: { list: [1, 'two', null, { deep: true }], empty: {} },
      letters: new Set(['a', 'b']),
      bytes: Uint8Array.of(1, 2, 3),
      absent: undefined,
      exact: NumberValue.from('12345678901234567890.5'),
    };
    await documents.put({ TableName, Item });
    const got = await documents.get({ TableName, Key: { sensor: 'values', at: 1 }, ProjectionExpression: 'nested, letters, bytes' });
    assert.deepEqual(got.Item, { nested: Item.nested, letters: Item.letters, bytes: Item.bytes });
    // Document clients that share a client share its options, hence another one.
    const precise = DynamoDBDocument.from(new DynamoDBClient(clientConfig(server)), { unmarshallOptions: { wrapNumbers: true } });
    const { Item: item } = await precise.get({ TableName, Key: { sensor: 'values', at: 1 } });
    precise.destroy();
    // A later scan could not read that number without wrapping.
    await documents.delete({ TableName, Key: { sensor: 'values', at: 1 } });
    assert.equal(item.exact.value, '12345678901234567890.5');
    assert.ok(!('absent' in item));
  });

  // Proves update, query and delete with plain values, and what ReturnValues gives.
  it('updates, queries and deletes', async () => {
    for (const at of [3, 1, 2]) await documents.put({ TableName, Item: { sensor: 's1', at, room: 'attic', celsius: 20 + at, note: 'n' } });
    const updated = await documents.update({
      TableName,
      Key: { sensor: 's1', at: 2 },
      UpdateExpression: 'SET celsius = celsius + :one, seen = list_append(if_not_exists(seen, :none), :me)',
      ExpressionAttributeValues: { ':one': 1, ':none': [], ':me': ['me'] },
      ReturnValues: 'UPDATED_NEW',
    });
    assert.deepEqual(updated.Attributes, { celsius: 23, seen: ['me'] });
    const newestFirst = await documents.query({
      TableName,
      KeyConditionExpression: 'sensor = :s AND #at > :at',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':s': 's1', ':at': 1 },
      ScanIndexForward: false,
    });
    assert.deepEqual(newestFirst.Items.map((item) => item.at), [3, 2]);
    const included = await documents.query({
      TableName,
      IndexName: 'room-index',
      KeyConditionExpression: 'room = :room',
      FilterExpression: 'celsius >= :limit',
      ExpressionAttributeValues: { ':room': 'attic', ':limit': 23 },
    });
    assert.equal(included.ScannedCount, 3);
    assert.deepEqual(
      included.Items.sort((a, b) => a.at - b.at),
      [
        { sensor: 's1', at: 2, room: 'attic', celsius: 23 },
        { sensor: 's1', at: 3, room: 'attic', celsius: 23 },
      ],
    );
    const removed = await documents.delete({ TableName, Key: { sensor: 's1', at: 1 }, ReturnValues: 'ALL_OLD' });
    assert.equal(removed.Attributes.celsius, 21);
  });

  // Proves batches, transactions with reasons by position, and the paginators with plain keys.
  it('batches, transacts and paginates', async () => {
    const items = Array.from({ length: 25 }, (_, at) => ({ sensor: 's2', at }));
    await documents.batchWrite({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } });
    const read = await documents.batchGet({ RequestItems: { [TableName]: { Keys: items.slice(0, 3) } } });
    assert.equal(read.Responses[TableName].length, 3);

    const paged = [];
    const query = { TableName, KeyConditionExpression: 'sensor = :s', ExpressionAttributeValues: { ':s': 's2' } };
    for await (const page of paginateQuery({ client: documents, pageSize: 10 }, query)) paged.push(...page.Items);
    assert.deepEqual(paged, items);
    let scanned = 0;
    for await (const page of paginateScan({ client: documents, pageSize: 6 }, { TableName })) {
      scanned += page.Items.filter((item) => item.sensor === 's2').length;
    }
    assert.equal(scanned, items.length);

    const move = (at) => ({
      TransactItems: [
        { Delete: { TableName, Key: { sensor: 's2', at }, ConditionExpression: 'attribute_exists(sensor)' } },
        { Put: { TableName, Item: { sensor: 's3', at } } },
      ],
    });
    await documents.transactWrite(move(0));
    await assert.rejects(
      documents.transactWrite(move(0)),
      (error) =>
        error instanceof TransactionCanceledException &&
        error.CancellationReasons.map((reason) => reason.Code).join() === 'ConditionalCheckFailed,None',
    );
    const both = await documents.transactGet({
      TransactItems: ['s2', 's3'].map((sensor) => ({ Get: { TableName, Key: { sensor, at: 0 } } })),
    });
    assert.deepEqual(both.Responses.map((response) => response.Item), [undefined, { sensor: 's3', at: 0 }]);
  });
});
