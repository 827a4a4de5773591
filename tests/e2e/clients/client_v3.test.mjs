// The AWS SDK for JavaScript v3, with its low-level client: what an application that was written
// for DynamoDB sends and expects.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  IdempotentParameterMismatchException,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  TransactionCanceledException,
  UpdateItemCommand,
  UpdateTableCommand,
  paginateListTables,
  paginateQuery,
  paginateScan,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { clientConfig, startServer } from '../support/server.mjs';

const TableName = 'Orders';

/** An order of a customer: 30 of them make several pages. */
function order(customer, number, extra = {}) {
  return {
    customer: { S: customer },
    number: { N: String(number) },
    cents: { N: String(1000 - number) },
    ...extra,
  };
}

async function collect(paginator, pick) {
  const items = [];
  let pages = 0;
  for await (const page of paginator) {
    items.push(...pick(page));
    pages += 1;
  }
  return { items, pages };
}

describe('AWS SDK v3, low-level client', () => {
  let server;
  let client;

  before(async () => {
    server = await startServer();
    client = new DynamoDBClient(clientConfig(server));
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'customer', AttributeType: 'S' },
          { AttributeName: 'number', AttributeType: 'N' },
          { AttributeName: 'cents', AttributeType: 'N' },
          { AttributeName: 'state', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'customer', KeyType: 'HASH' },
          { AttributeName: 'number', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-state',
            KeySchema: [
              { AttributeName: 'state', KeyType: 'HASH' },
              { AttributeName: 'cents', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
        LocalSecondaryIndexes: [
          {
            IndexName: 'by-cents',
            KeySchema: [
              { AttributeName: 'customer', KeyType: 'HASH' },
              { AttributeName: 'cents', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName });
  });
  after(async () => {
    client?.destroy();
    await server?.stop();
  });

  // Proves that a description comes back with what was declared, in the shape that the SDK parses.
  it('describes the table it created', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    assert.equal(Table.TableStatus, 'ACTIVE');
    assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
    assert.match(Table.TableArn, /^arn:aws:dynamodb:[^:]+:\d{12}:table\/Orders$/);
    assert.ok(Table.CreationDateTime instanceof Date);
    assert.ok(Math.abs(Date.now() - Table.CreationDateTime) < 60_000);
    assert.deepEqual(
      Table.GlobalSecondaryIndexes.map((index) => [index.IndexName, index.IndexStatus, index.Projection.ProjectionType]),
      [['by-state', 'ACTIVE', 'KEYS_ONLY']],
    );
    assert.deepEqual(
      Table.LocalSecondaryIndexes.map((index) => [index.IndexName, index.Projection.ProjectionType]),
      [['by-cents', 'ALL']],
    );
  });

  // Proves that all ten attribute types survive the way through JSON, the store and back.
  it('stores and returns every attribute type', async () => {
    const Item = {
      customer: { S: 'types' },
      number: { N: '1' },
      string: { S: 'füßchen 🎞' },
      empty: { S: '' },
      decimal: { N: '-12345678901234567890.123456789012345678' },
      bytes: { B: Uint8Array.of(0, 1, 254, 255) },
      yes: { BOOL: true },
      nothing: { NULL: true },
      strings: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '2.5'] },
      binaries: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
      list: { L: [{ S: 'x' }, { L: [{ N: '1' }] }] },
      map: { M: { inner: { M: { deep: { BOOL: false } } } } },
    };
    await client.send(new PutItemCommand({ TableName, Item }));
    const got = await client.send(
      new GetItemCommand({ TableName, Key: { customer: { S: 'types' }, number: { N: '1.0' } }, ConsistentRead: true }),
    );
    for (const set of ['SS', 'NS', 'BS']) {
      for (const attribute of Object.values(got.Item)) attribute[set]?.sort();
    }
    assert.deepEqual(got.Item, Item);
  });

  // Proves UpdateItem's four clauses, ReturnValues and that a failed condition is the typed exception with the item.
  it('updates under a condition', async () => {
    const Key = { customer: { S: 'updates' }, number: { N: '7' } };
    await client.send(
      new PutItemCommand({ TableName, Item: { ...Key, count: { N: '1' }, gone: { S: 'x' }, tags: { SS: ['a', 'b'] } } }),
    );
    const updated = await client.send(
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: 'SET title = if_not_exists(title, :title) REMOVE gone ADD #count :one DELETE tags :drop',
        ConditionExpression: '#count = :one',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':title': { S: 'first' }, ':one': { N: '1' }, ':drop': { SS: ['a'] } },
        ReturnValues: 'ALL_NEW',
      }),
    );
    assert.deepEqual(updated.Attributes, { ...Key, count: { N: '2' }, title: { S: 'first' }, tags: { SS: ['b'] } });

    await assert.rejects(
      client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: 'SET title = :title',
          ConditionExpression: 'attribute_not_exists(title)',
          ExpressionAttributeValues: { ':title': { S: 'second' } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
      (error) => {
        assert.ok(error instanceof ConditionalCheckFailedException);
        assert.equal(error.message, 'The conditional request failed');
        assert.equal(error.$metadata.httpStatusCode, 400);
        assert.deepEqual(error.Item, updated.Attributes);
        return true;
      },
    );

    const removed = await client.send(new DeleteItemCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }));
    assert.deepEqual(removed.Attributes, updated.Attributes);
    assert.equal((await client.send(new GetItemCommand({ TableName, Key }))).Item, undefined);
  });

  // Proves that a batch reaches every item, and that one read brings them back.
  it('writes and reads in batches', async () => {
    const items = Array.from({ length: 25 }, (_, number) => order('batch', number));
    const written = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }),
    );
    assert.deepEqual(written.UnprocessedItems, {});
    const keys = items.map(({ customer, number }) => ({ customer, number }));
    const read = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [TableName]: { Keys: [...keys, { customer: { S: 'nobody' }, number: { N: '0' } }] } },
      }),
    );
    assert.deepEqual(read.UnprocessedKeys, {});
    const found = read.Responses[TableName].sort((a, b) => Number(a.number.N) - Number(b.number.N));
    assert.deepEqual(found, items);
    await client.send(
      new BatchWriteItemCommand({ RequestItems: { [TableName]: keys.map((Key) => ({ DeleteRequest: { Key } })) } }),
    );
    const left = await client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys } } }));
    assert.deepEqual(left.Responses[TableName], []);
  });

  // Proves pages by Limit and by 1 MB, both directions, and that every item comes exactly once, by table and by index.
  it('pages through queries and scans', async () => {
    const filler = { S: 'x'.repeat(100_000) };
    const items = Array.from({ length: 30 }, (_, number) => order('pages', number, { filler, state: { S: 'open' } }));
    for (let i = 0; i < items.length; i += 10) {
      const PutRequests = items.slice(i, i + 10).map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: PutRequests } }));
    }
    const query = {
      TableName,
      KeyConditionExpression: 'customer = :c',
      ExpressionAttributeValues: { ':c': { S: 'pages' } },
    };
    // The paginators write the next start key into the input that they are given, hence the copies.
    const bySize = await collect(paginateQuery({ client }, { ...query }), (page) => page.Items);
    assert.ok(bySize.pages >= 3, `3 MB came in ${bySize.pages} pages`);
    assert.deepEqual(bySize.items, items);

    const byLimit = await collect(
      paginateQuery({ client, pageSize: 7 }, { ...query, IndexName: 'by-cents', ScanIndexForward: false }),
      (page) => page.Items,
    );
    assert.ok(byLimit.pages >= 5);
    assert.deepEqual(byLimit.items, items);

    const keysOnly = await collect(
      paginateQuery(
        { client, pageSize: 4 },
        {
          TableName,
          IndexName: 'by-state',
          KeyConditionExpression: '#state = :open AND cents BETWEEN :low AND :high',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':open': { S: 'open' }, ':low': { N: '980' }, ':high': { N: '2e3' } },
        },
      ),
      (page) => page.Items,
    );
    const expected = items.filter((item) => Number(item.cents.N) >= 980).reverse();
    assert.deepEqual(
      keysOnly.items,
      expected.map(({ customer, number, cents, state }) => ({ customer, number, cents, state })),
    );

    const scanned = [];
    for (const Segment of [0, 1, 2]) {
      const part = await collect(
        paginateScan(
          { client, pageSize: 5 },
          {
            TableName,
            Segment,
            TotalSegments: 3,
            FilterExpression: 'customer = :c',
            ExpressionAttributeValues: { ':c': { S: 'pages' } },
            ProjectionExpression: '#number',
            ExpressionAttributeNames: { '#number': 'number' },
          },
        ),
        (page) => page.Items,
      );
      scanned.push(...part.items.map((item) => Number(item.number.N)));
    }
    assert.deepEqual(scanned.sort((a, b) => a - b), items.map((_, number) => number));

    const counted = await collect(paginateScan({ client }, { TableName, IndexName: 'by-state', Select: 'COUNT' }), (page) => {
      assert.equal(page.Items, undefined);
      return [page.Count];
    });
    assert.equal(counted.items.reduce((sum, count) => sum + count), items.length);
  });

  // Proves that a transaction happens as a whole, that it says by position why it did not, and that a token makes it happen once.
  it('writes and reads transactions', async () => {
    const key = (number) => ({ customer: { S: 'transactions' }, number: { N: String(number) } });
    const add = {
      TableName,
      Key: key(1),
      UpdateExpression: 'ADD visits :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    };
    const request = {
      ClientRequestToken: 'e2e-transaction-token',
      TransactItems: [{ Update: add }, { Put: { TableName, Item: { ...key(2), state: { S: 'new' } } } }],
    };
    await client.send(new TransactWriteItemsCommand(request));
    await client.send(new TransactWriteItemsCommand(request));
    await assert.rejects(
      client.send(new TransactWriteItemsCommand({ ...request, TransactItems: [{ Update: add }] })),
      (error) => error instanceof IdempotentParameterMismatchException,
    );

    await assert.rejects(
      client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            { Update: add },
            {
              ConditionCheck: {
                TableName,
                Key: key(2),
                ConditionExpression: 'attribute_not_exists(customer)',
                ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              },
            },
            { Delete: { TableName, Key: key(3) } },
          ],
        }),
      ),
      (error) => {
        assert.ok(error instanceof TransactionCanceledException);
        assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ['None', 'ConditionalCheckFailed', 'None']);
        assert.deepEqual(error.CancellationReasons[1].Item, { ...key(2), state: { S: 'new' } });
        assert.match(error.message, /\[None, ConditionalCheckFailed, None\]/);
        return true;
      },
    );

    const read = await client.send(
      new TransactGetItemsCommand({ TransactItems: [1, 2, 3].map((number) => ({ Get: { TableName, Key: key(number) } })) }),
    );
    assert.deepEqual(
      read.Responses.map((response) => response.Item),
      [{ ...key(1), visits: { N: '1' } }, { ...key(2), state: { S: 'new' } }, undefined],
    );
  });

  // Proves that errors arrive as the exception classes that applications catch.
  it('throws the typed exceptions', async () => {
    const Key = { customer: { S: 'x' }, number: { N: '1' } };
    await assert.rejects(
      client.send(new GetItemCommand({ TableName: 'NoSuchTable', Key })),
      (error) => error instanceof ResourceNotFoundException && error.message === 'Requested resource not found',
    );
    const definition = {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'k', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'k', KeyType: 'HASH' }],
    };
    await assert.rejects(
      client.send(new CreateTableCommand(definition)),
      (error) => error instanceof ResourceInUseException,
    );
    await assert.rejects(
      client.send(new GetItemCommand({ TableName, Key: { customer: { S: 'x' } } })),
      (error) => error.name === 'ValidationException' && error.message === 'The provided key element does not match the schema',
    );
    await assert.rejects(
      client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'customer = :unknown',
          ExpressionAttributeValues: { ':c': { S: 'x' } },
        }),
      ),
      { name: 'ValidationException' },
    );
  });

  // Proves that an index can come to a table that has data, and go again.
  it('adds and removes an index', async () => {
    for (const number of [1, 2, 3]) {
      await client.send(new PutItemCommand({ TableName, Item: order('index', number, { city: { S: number === 2 ? 'Bern' : 'Ulm' } }) }));
    }
    await client.send(
      new UpdateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'city', AttributeType: 'S' }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: 'by-city',
              KeySchema: [{ AttributeName: 'city', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
            },
          },
        ],
      }),
    );
    await waitForIndex(client, 'by-city', (index) => index?.IndexStatus === 'ACTIVE');
    const { Items } = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'by-city',
        KeyConditionExpression: 'city = :city',
        ExpressionAttributeValues: { ':city': { S: 'Ulm' } },
      }),
    );
    assert.deepEqual(Items.map((item) => item.number.N).sort(), ['1', '3']);
    await client.send(
      new UpdateTableCommand({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-city' } }] }),
    );
    await waitForIndex(client, 'by-city', (index) => index === undefined);
  });

  // Proves ListTables by pages, DeleteTable, and both waiters.
  it('lists and deletes tables', async () => {
    const names = ['List-1', 'List-2', 'List-3'];
    for (const name of names) {
      await client.send(
        new CreateTableCommand({
          TableName: name,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'k', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'k', KeyType: 'HASH' }],
        }),
      );
      await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: name });
    }
    const listed = await collect(paginateListTables({ client, pageSize: 2 }, {}), (page) => page.TableNames);
    assert.deepEqual(listed.items.filter((name) => name.startsWith('List-')), names);
    for (const name of names) {
      await client.send(new DeleteTableCommand({ TableName: name }));
      await waitUntilTableNotExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: name });
    }
    const { TableNames } = await client.send(new ListTablesCommand({}));
    assert.ok(!TableNames.some((name) => name.startsWith('List-')));
  });
});

/** Asks for the description until the index is as wanted; DynamoDB has no waiter for that. */
async function waitForIndex(client, name, wanted) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const index = (Table.GlobalSecondaryIndexes ?? []).find((candidate) => candidate.IndexName === name);
    if (wanted(index) && Table.TableStatus === 'ACTIVE') return;
    assert.ok(Date.now() < deadline, `index ${name} never got there`);
  }
}
