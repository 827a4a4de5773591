// The AWS SDK for JavaScript v3's streams client, unmodified: what a consumer of a table's changes sends and expects.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb-streams';
import { clientConfig, skipUnlessTintype, startServer } from '../support/server.mjs';

describe('AWS SDK v3, streams client', { skip: skipUnlessTintype }, () => {
  let server;
  let client;
  let streams;

  before(async () => {
    server = await startServer();
    client = new DynamoDBClient(clientConfig(server));
    streams = new DynamoDBStreamsClient(clientConfig(server));
  });

  after(async () => {
    client?.destroy();
    streams?.destroy();
    await server?.stop();
  });

  async function createTable(TableName, StreamViewType) {
    const created = await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType },
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.1, maxDelay: 0.5 }, { TableName });
    return created.TableDescription.LatestStreamArn;
  }

  /** An iterator for each shard of a stream. */
  async function iterators(StreamArn, ShardIteratorType) {
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
    return Promise.all(
      StreamDescription.Shards.map(async ({ ShardId }) => {
        const answer = await streams.send(new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType }));
        return answer.ShardIterator;
      }),
    );
  }

  /** Reads each shard until it has nothing more; the records, and where to go on. */
  async function drain(shardIterators) {
    const records = [];
    const next = [];
    for (let iterator of shardIterators) {
      for (;;) {
        const page = await streams.send(new GetRecordsCommand({ ShardIterator: iterator }));
        records.push(...page.Records);
        iterator = page.NextShardIterator;
        if (page.Records.length === 0 || !iterator) break;
      }
      next.push(iterator);
    }
    return { records, next };
  }

  it('tells of every change, with both images', async () => {
    const arn = await createTable('Both', 'NEW_AND_OLD_IMAGES');
    const put = (v) => client.send(new PutItemCommand({ TableName: 'Both', Item: { pk: { S: 'a' }, v: { N: v } } }));
    await put('1');
    await put('1'); // Changes nothing: no record.
    await put('2');
    await client.send(new DeleteItemCommand({ TableName: 'Both', Key: { pk: { S: 'a' } } }));
    const { records } = await drain(await iterators(arn, 'TRIM_HORIZON'));
    assert.deepEqual(
      records.map((record) => [record.eventName, record.dynamodb.OldImage?.v.N, record.dynamodb.NewImage?.v.N]),
      [
        ['INSERT', undefined, '1'],
        ['MODIFY', '1', '2'],
        ['REMOVE', '2', undefined],
      ],
    );
    for (const record of records) {
      assert.equal(record.eventSource, 'aws:dynamodb');
      assert.equal(record.awsRegion, 'us-east-1');
      assert.deepEqual(record.dynamodb.Keys, { pk: { S: 'a' } });
      assert.ok(record.dynamodb.SizeBytes > 0);
      assert.ok(Math.abs(record.dynamodb.ApproximateCreationDateTime - Date.now()) < 60_000);
      assert.equal(record.userIdentity, undefined);
    }
  });

  it('lets several consumers share the shards, and goes on where each of them was', async () => {
    const arn = await createTable('Shared', 'NEW_IMAGE');
    const starts = await iterators(arn, 'LATEST');
    assert.ok(starts.length > 1);
    const keys = Array.from({ length: 40 }, (_, i) => `k${i}`);
    const putAll = (round) =>
      Promise.all(
        keys.map((pk) =>
          client.send(new PutItemCommand({ TableName: 'Shared', Item: { pk: { S: pk }, round: { N: round } } })),
        ),
      );
    await putAll('1');
    const shares = await Promise.all(starts.map((start) => drain([start])));
    assert.ok(shares.filter(({ records }) => records.length > 0).length > 1);
    const seen = shares.flatMap(({ records }) => records.map((record) => record.dynamodb.NewImage.pk.S));
    assert.deepEqual(seen.sort(), [...keys].sort());
    await putAll('2');
    const later = await Promise.all(shares.map(({ next }) => drain(next)));
    assert.deepEqual(
      later.flatMap(({ records }) => records.map((record) => record.dynamodb.NewImage.round.N)),
      keys.map(() => '2'),
    );
  });

  it('lists streams, ends those that are disabled, and begins anew', async () => {
    const first = await createTable('Toggled', 'KEYS_ONLY');
    await client.send(new PutItemCommand({ TableName: 'Toggled', Item: { pk: { S: 'a' } } }));
    await client.send(
      new UpdateTableCommand({ TableName: 'Toggled', StreamSpecification: { StreamEnabled: false } }),
    );
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: first }));
    assert.equal(StreamDescription.StreamStatus, 'DISABLED');
    const { records, next } = await drain(await iterators(first, 'TRIM_HORIZON'));
    assert.equal(records.length, 1);
    assert.ok(next.every((iterator) => iterator === undefined));
    await client.send(
      new UpdateTableCommand({
        TableName: 'Toggled',
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      }),
    );
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'Toggled' }));
    assert.notEqual(Table.LatestStreamArn, first);
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: 'Toggled' }));
    assert.deepEqual(Streams.map(({ StreamArn }) => StreamArn).sort(), [first, Table.LatestStreamArn].sort());
  });

  it('refuses a stream that is not there', async () => {
    const StreamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/None/stream/2026-01-01T00:00:00.000';
    await assert.rejects(streams.send(new DescribeStreamCommand({ StreamArn })), ResourceNotFoundException);
  });

  it('names the service as the one that removed an expired item', async () => {
    // IMG-12, JOB-5: at the level of tables.
    const arn = await createTable('Expiring', 'OLD_IMAGE');
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: 'Expiring',
        TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
      }),
    );
    const ttl = String(Math.floor(Date.now() / 1000) - 1);
    await client.send(new PutItemCommand({ TableName: 'Expiring', Item: { pk: { S: 'a' }, ttl: { N: ttl } } }));
    let shards = await iterators(arn, 'TRIM_HORIZON');
    const records = [];
    const deadline = Date.now() + 20_000;
    while (records.length < 2 && Date.now() < deadline) {
      const read = await drain(shards);
      records.push(...read.records);
      shards = read.next;
    }
    assert.deepEqual(
      records.map(({ eventName }) => eventName),
      ['INSERT', 'REMOVE'],
    );
    assert.deepEqual(records[1].userIdentity, { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' });
    assert.equal(records[1].dynamodb.OldImage.ttl.N, ttl);
  });
});
