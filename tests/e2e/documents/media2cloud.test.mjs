// Media2Cloud's four tables as written, and every query printed in the document.
//
// Correction: the queries as printed name `ingest-table` and `analysis-table`, which the design does not create; they are
// read as its real table names with `{stack-id}` filled in. The printed calls end in `.promise()`, aws-sdk v2's way; here the same requests go through
// v3, and aws_sdk_v2.test.mjs runs the printed code itself.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { createTable, putAll, startWithTables } from '../support/tables.mjs';
import { analysisTable, backlogTable, faceIndexerTable, ingestTable } from '../support/media2cloud.mjs';

const ingest = ingestTable.TableName;
const analysis = analysisTable.TableName;
const faceIndexer = faceIndexerTable.TableName;
const backlog = backlogTable.TableName;

const start = 1640995200000;
const types = ['video', 'audio', 'image', 'document'];

/** The document's basic attributes; every type has a file each minute. */
function ingestItem(n) {
  return {
    uuid: `12345678-1234-1234-1234-${String(n).padStart(12, '0')}`,
    timestamp: start + Math.floor(n / 4) * 60_000,
    type: types[n % 4],
    bucket: 'ingest-bucket-name',
    key: `files/${n}`,
    fileSize: 104857600,
    duration: 120.5,
    overallStatus: 'COMPLETED',
    progress: 100,
    data: { video: { width: 1920, height: 1080, frameRate: 29.97, codec: 'h264' }, audio: { channels: 2, sampleRate: 48000 } },
  };
}

function analysisItem(n, extra = {}) {
  return {
    uuid: `analysis-${n}`,
    timestamp: start + n,
    type: 'video',
    overallStatus: n % 3 ? 'COMPLETED' : 'ERROR',
    progress: 100,
    startTime: '2024-01-01T00:00:00Z',
    endTime: '2024-01-01T00:05:00Z',
    data: { rekognition: { celeb: { status: 'COMPLETED', output: 's3://bucket/uuid/rekognition/celeb.json' } } },
    ...extra,
  };
}

describe('media2cloud.md', () => {
  let service;
  let dynamodb;

  before(async () => {
    service = await startWithTables(ingestTable, analysisTable, faceIndexerTable, backlogTable);
    dynamodb = service.documents;
    await putAll(dynamodb, ingest, Array.from({ length: 200 }, (_, n) => ingestItem(n)));
  });
  after(() => service?.stop());

  it('2.4 type-timestamp-index: the newest files of a type', async () => {
    // As printed but for the table's name (see the top).
    const params = {
      TableName: ingest,
      IndexName: 'type-timestamp-index',
      KeyConditionExpression: '#type = :type',
      ExpressionAttributeNames: {
        '#type': 'type',
      },
      ExpressionAttributeValues: {
        ':type': 'video',
      },
      ScanIndexForward: false,
      Limit: 20,
    };
    const { Items } = await dynamodb.query(params);
    assert.deepEqual(Items, Array.from({ length: 20 }, (_, i) => ingestItem(196 - 4 * i)));
  });

  it('6.1 gets an ingest item', async () => {
    // As printed but for the table's name and `.promise()` (see the top).
    const getIngestItem = async (uuid) => {
      const params = {
        TableName: ingest,
        Key: { uuid },
      };

      return dynamodb.get(params);
    };
    assert.deepEqual((await getIngestItem(ingestItem(17).uuid)).Item, ingestItem(17));
  });

  // Proves BETWEEN on a numeric sort key, both ends included.
  it('6.1 queries the videos of a period', async () => {
    // As printed but for the table's name and `.promise()` (see the top).
    const getVideosByDateRange = async (startDate, endDate) => {
      const params = {
        TableName: ingest,
        IndexName: 'type-timestamp-index',
        KeyConditionExpression: '#type = :type AND #timestamp BETWEEN :start AND :end',
        ExpressionAttributeNames: {
          '#type': 'type',
          '#timestamp': 'timestamp',
        },
        ExpressionAttributeValues: {
          ':type': 'video',
          ':start': startDate,
          ':end': endDate,
        },
      };

      return dynamodb.query(params);
    };
    const { Items } = await getVideosByDateRange(start + 10 * 60_000, start + 20 * 60_000);
    assert.deepEqual(Items, Array.from({ length: 11 }, (_, i) => ingestItem(40 + 4 * i)));
  });

  // As printed but for the table's name and `.promise()` (see the top).
  const batchWriteAnalysisResults = async (items) => {
    const params = {
      RequestItems: {
        [analysis]: items.map((item) => ({
          PutRequest: { Item: item },
        })),
      },
    };

    return dynamodb.batchWrite(params);
  };

  // As printed but for the table's name and `.promise()` (see the top).
  const updateStatus = async (uuid, newStatus, currentStatus) => {
    const params = {
      TableName: analysis,
      Key: { uuid },
      UpdateExpression: 'SET #status = :newStatus, #updatedAt = :now',
      ConditionExpression: '#status = :currentStatus',
      ExpressionAttributeNames: {
        '#status': 'overallStatus',
        '#updatedAt': 'updatedAt',
      },
      ExpressionAttributeValues: {
        ':newStatus': newStatus,
        ':currentStatus': currentStatus,
        ':now': Date.now(),
      },
    };

    return dynamodb.update(params);
  };

  const byStatus = async (overallStatus) => {
    const { Items } = await dynamodb.query({
      TableName: analysis,
      IndexName: 'status-timestamp-index',
      KeyConditionExpression: 'overallStatus = :status',
      ExpressionAttributeValues: { ':status': overallStatus },
      ScanIndexForward: false,
    });
    return Items;
  };

  // Proves 6.2's batch write, and 7.2's INCLUDE projection: keys and the three named attributes, nothing else.
  it('6.2 and 7.2 writes analysis results and lists them by status', async () => {
    const results = Array.from({ length: 25 }, (_, n) => analysisItem(n));
    const answer = await batchWriteAnalysisResults(results);
    assert.deepEqual(answer.UnprocessedItems, {});
    const expected = results
      .filter((item) => item.overallStatus === 'ERROR')
      .reverse()
      .map(({ uuid, timestamp, type, overallStatus, progress }) => ({ uuid, timestamp, type, overallStatus, progress }));
    assert.deepEqual(await byStatus('ERROR'), expected);
  });

  // Proves the conditional status update, and that the index entry moves with the status.
  it('6.2 updates a status only from the expected one', async () => {
    await batchWriteAnalysisResults([analysisItem(100, { uuid: 'status-test', overallStatus: 'IN_PROGRESS' })]);
    await updateStatus('status-test', 'COMPLETED', 'IN_PROGRESS');
    await assert.rejects(
      updateStatus('status-test', 'ERROR', 'IN_PROGRESS'),
      (error) => error instanceof ConditionalCheckFailedException,
    );
    const { Item } = await dynamodb.get({ TableName: analysis, Key: { uuid: 'status-test' } });
    assert.equal(Item.overallStatus, 'COMPLETED');
    assert.equal(typeof Item.updatedAt, 'number');
    assert.deepEqual(await byStatus('IN_PROGRESS'), []);
    assert.ok((await byStatus('COMPLETED')).some((item) => item.uuid === 'status-test'));
  });

  // Proves 4.4: faces of a collection in time order, and the faces of one file by its key.
  it('4.4 finds the faces of a collection', async () => {
    const face = (n) => ({
      uuid: '12345678-1234-1234-1234-123456789012',
      faceId: `face-${n}`,
      collectionId: n % 2 ? 'media2cloud-faces' : 'others',
      boundingBox: { Width: 0.123, Height: 0.456, Left: 0.234, Top: 0.567 },
      confidence: 0.95,
      landmarks: [{ Type: 'eyeLeft', X: 0.345, Y: 0.678 }],
      attributes: { Gender: { Value: 'Female', Confidence: 0.92 }, AgeRange: { Low: 25, High: 35 } },
      timestamp: start - n,
    });
    for (const n of [1, 2, 3]) await dynamodb.put({ TableName: faceIndexer, Item: face(n) });
    const { Items } = await dynamodb.query({
      TableName: faceIndexer,
      IndexName: 'collection-timestamp-index',
      KeyConditionExpression: 'collectionId = :collection',
      ExpressionAttributeValues: { ':collection': 'media2cloud-faces' },
    });
    assert.deepEqual(Items, [face(3), face(1)]);
    const { Items: ofFile } = await dynamodb.query({
      TableName: faceIndexer,
      KeyConditionExpression: '#uuid = :uuid AND begins_with(faceId, :prefix)',
      ExpressionAttributeNames: { '#uuid': 'uuid' },
      ExpressionAttributeValues: { ':uuid': face(1).uuid, ':prefix': 'face-' },
    });
    assert.equal(ofFile.length, 3);
  });

  // Proves the index that the backlog has beyond the printed ones: pending work in the order of priority, then due time.
  it('5 finds pending work by status and order', async () => {
    const item = (id, status, order) => ({ id, type: 'custom-labels', status, order, priority: 1, retryCount: 0, maxRetries: 3 });
    await dynamodb.put({ TableName: backlog, Item: item('backlog-1', 'PENDING', '5#1640995200000#backlog-1') });
    await dynamodb.put({ TableName: backlog, Item: item('backlog-2', 'PENDING', '1#1640995200009#backlog-2') });
    await dynamodb.put({ TableName: backlog, Item: item('backlog-3', 'DEAD', '0#1640995200000#backlog-3') });
    const { Items } = await dynamodb.query({
      TableName: backlog,
      IndexName: 'status-order-index',
      KeyConditionExpression: '#status = :pending',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':pending': 'PENDING' },
    });
    assert.deepEqual(Items.map(({ id }) => id), ['backlog-2', 'backlog-1']);
  });

  // Proves that 7.3's other billing mode and 8.1's encryption setting are accepted and described.
  it('7.3 and 8.1 creates a provisioned, encrypted table', async () => {
    await createTable(service.client, {
      TableName: 'so0050-provisioned-ingest',
      KeySchema: ingestTable.KeySchema,
      AttributeDefinitions: ingestTable.AttributeDefinitions.filter(({ AttributeName }) => AttributeName === 'uuid'),
      // As printed.
      ProvisionedThroughput: {
        ReadCapacityUnits: 5,
        WriteCapacityUnits: 5,
      },
      SSESpecification: {
        Enabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: 'alias/aws/dynamodb',
      },
    });
    await dynamodb.put({ TableName: 'so0050-provisioned-ingest', Item: ingestItem(0) });
    const { Item } = await dynamodb.get({ TableName: 'so0050-provisioned-ingest', Key: { uuid: ingestItem(0).uuid } });
    assert.deepEqual(Item, ingestItem(0));
  });
});
