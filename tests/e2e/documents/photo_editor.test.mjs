// The photo editor's jobs table as written, and every query printed in the document.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { attributes, pages, putAll, startWithTables } from '../support/tables.mjs';

const TableName = 'photoeditor-prod-jobs';

const jobsTable = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  SSESpecification: { Enabled: true },
  // Correction: the design as printed disables streams, but its live updates need them.
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  AttributeDefinitions: attributes({ jobId: 'S', userId: 'S', status: 'S', createdAt: 'N' }),
  KeySchema: [{ AttributeName: 'jobId', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'userId-createdAt-index',
      KeySchema: [
        { AttributeName: 'userId', KeyType: 'HASH' },
        { AttributeName: 'createdAt', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'status-createdAt-index',
      KeySchema: [
        { AttributeName: 'status', KeyType: 'HASH' },
        { AttributeName: 'createdAt', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
};

const firstJob = Date.parse('2025-10-05T00:00:00Z');

/** A job of the document's schema; every tenth has failed. */
function job(n, extra = {}) {
  const createdAt = firstJob + n;
  const failed = n % 10 === 0;
  return {
    jobId: `job-${String(n).padStart(5, '0')}`,
    userId: n % 2 ? 'user-12345' : 'user-67890',
    status: failed ? 'FAILED' : 'QUEUED',
    createdAt,
    updatedAt: createdAt,
    fileSize: 1_000_000 + n,
    fileType: 'image/jpeg',
    provider: 'stub',
    ...(failed && { error: { code: 'PROVIDER_TIMEOUT', message: 'no answer', retryCount: 3 } }),
    analysisResult: { labels: [{ name: 'castle', confidence: 0.97 }], safeSearch: { adult: 'UNLIKELY', violence: 'UNLIKELY' } },
    ttl: Math.floor(createdAt / 1000) + 90 * 24 * 60 * 60, // 90 days
    ...extra,
  };
}

describe('photo-editor.md', () => {
  let service;
  let dynamodb;

  before(async () => {
    service = await startWithTables(jobsTable);
    const { documents } = service;
    // The document calls `query` and `updateItem` with plain values; the document client says `update`.
    dynamodb = {
      query: (params) => documents.query(params),
      getItem: (params) => documents.get(params),
      updateItem: (params) => documents.update(params),
      deleteItem: (params) => documents.delete(params),
    };
    await putAll(documents, TableName, Array.from({ length: 125 }, (_, n) => job(n)));
  });
  after(() => service?.stop());

  it('GSI1: the newest 20 jobs of a user', async () => {
    // As printed.
    const result = await dynamodb.query({
      TableName: 'photoeditor-prod-jobs',
      IndexName: 'userId-createdAt-index',
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: {
        ':userId': 'user-12345',
      },
      ScanIndexForward: false, // Descending order (newest first)
      Limit: 20,
    });
    assert.deepEqual(result.Items, Array.from({ length: 20 }, (_, i) => job(123 - 2 * i)));
    const last = result.Items.at(-1);
    assert.deepEqual(result.LastEvaluatedKey, { userId: 'user-12345', createdAt: last.createdAt, jobId: last.jobId });
  });

  // Proves why the next test corrects the query: STATUS is a reserved word, and AWS refuses what is printed.
  it('GSI2: the query as printed is refused', async () => {
    await assert.rejects(
      // As printed.
      dynamodb.query({
        TableName: 'photoeditor-prod-jobs',
        IndexName: 'status-createdAt-index',
        KeyConditionExpression: 'status = :status',
        ExpressionAttributeValues: {
          ':status': 'FAILED',
        },
        ScanIndexForward: false,
        Limit: 100,
      }),
      {
        name: 'ValidationException',
        message: 'Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: status',
      },
    );
  });

  it('GSI2: the failed jobs, newest first', async () => {
    const result = await dynamodb.query({
      TableName: 'photoeditor-prod-jobs',
      IndexName: 'status-createdAt-index',
      // Correction: STATUS is a reserved word, so the attribute is named by a placeholder.
      KeyConditionExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':status': 'FAILED',
      },
      ScanIndexForward: false,
      Limit: 100,
    });
    assert.deepEqual(result.Items, Array.from({ length: 13 }, (_, i) => job(120 - 10 * i)));
    assert.equal(result.LastEvaluatedKey, undefined);
  });

  // The conditional write printed under "Idempotency", with the job's id as a parameter.
  const transition = (jobId, newStatus, expectedStatus) =>
    dynamodb.updateItem({
      TableName: 'photoeditor-prod-jobs',
      Key: { jobId },
      UpdateExpression: 'SET #status = :newStatus, updatedAt = :now',
      ConditionExpression: '#status = :expectedStatus',
      ExpressionAttributeNames: {
        '#status': 'status',
      },
      ExpressionAttributeValues: {
        ':newStatus': newStatus,
        ':expectedStatus': expectedStatus,
        ':now': Date.now(),
      },
    });

  // Proves that of two workers one wins, that a repeated message changes nothing, and that the index follows.
  it('moves a job through its states by conditional writes', async () => {
    const { jobId } = job(1);
    const outcomes = await Promise.allSettled([transition(jobId, 'PROCESSING', 'QUEUED'), transition(jobId, 'PROCESSING', 'QUEUED')]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected']);
    const lost = outcomes.find((outcome) => outcome.status === 'rejected');
    assert.ok(lost.reason instanceof ConditionalCheckFailedException);
    await transition(jobId, 'EDITING', 'PROCESSING');
    await transition(jobId, 'COMPLETED', 'EDITING');
    await assert.rejects(transition(jobId, 'EDITING', 'PROCESSING'), (error) => error instanceof ConditionalCheckFailedException);
    const found = await pages(dynamodb, {
      TableName,
      IndexName: 'status-createdAt-index',
      KeyConditionExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': 'COMPLETED' },
    });
    assert.deepEqual(found.flatMap((page) => page.Items.map((item) => item.jobId)), [jobId]);
    await assert.rejects(transition('job-12345', 'PROCESSING', 'QUEUED'), (error) => error instanceof ConditionalCheckFailedException);
  });

  // The access-pattern table's two operations by primary key that the queries above do not cover.
  it('gets and deletes a job by id', async () => {
    const { jobId } = job(2);
    assert.deepEqual((await dynamodb.getItem({ TableName, Key: { jobId } })).Item, job(2));
    await dynamodb.deleteItem({ TableName, Key: { jobId } });
    assert.equal((await dynamodb.getItem({ TableName, Key: { jobId } })).Item, undefined);
    const left = await pages(dynamodb, {
      TableName,
      IndexName: 'userId-createdAt-index',
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': 'user-67890' },
      Limit: 10,
    });
    const ids = left.flatMap((page) => page.Items.map((item) => item.jobId));
    assert.equal(ids.length, 62);
    assert.ok(!ids.includes(jobId));
  });
});
