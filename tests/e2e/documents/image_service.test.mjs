// The image service's data model: its table as written, and every query printed in the document.
// Functions between "as printed" comments are the document's code, word for word.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { attributes, putAll, startWithTables } from '../support/tables.mjs';

// Correction: the indexes as printed carry a ProvisionedThroughput of 0 and 0, which AWS refuses on an on-demand table;
// it is left out.
const imageMetadataTable = {
  TableName: 'ImageMetadata',
  BillingMode: 'PAY_PER_REQUEST',
  SSESpecification: { Enabled: true },
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  AttributeDefinitions: attributes({ PK: 'S', SK: 'S', GSI1PK: 'S', GSI1SK: 'S', GSI2PK: 'S', GSI2SK: 'S' }),
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'UserIndex',
      KeySchema: [
        { AttributeName: 'GSI1PK', KeyType: 'HASH' }, // USER#<userId>
        { AttributeName: 'GSI1SK', KeyType: 'RANGE' }, // UPLOADED#<uploadedAt>
      ],
      Projection: {
        ProjectionType: 'ALL', // Include all attributes
      },
    },
    {
      IndexName: 'AlbumIndex',
      KeySchema: [
        { AttributeName: 'GSI2PK', KeyType: 'HASH' }, // ALBUM#<albumId>
        { AttributeName: 'GSI2SK', KeyType: 'RANGE' }, // UPLOADED#<uploadedAt>
      ],
      Projection: {
        ProjectionType: 'ALL',
      },
    },
  ],
};

const firstUpload = Date.parse('2025-01-15T10:30:00.000Z');

/** A whole item of the document's schema; upload n is n minutes after the first. */
function imageItem(n, { userId = 'u1', albumId, ...extra } = {}) {
  const id = `01JHM0000000000000000${String(n).padStart(5, '0')}`;
  const uploadedAt = new Date(firstUpload + n * 60_000).toISOString();
  const s3Key = `images/${userId}/${id}.webp`;
  const thumbnailKey = `images/${userId}/thumbnails/${id}.webp`;
  return {
    PK: `IMAGE#${id}`,
    SK: 'METADATA',
    GSI1PK: `USER#${userId}`,
    GSI1SK: `UPLOADED#${uploadedAt}`,
    // Correction: the schema as printed has GSI2SK on every item, but by the design's own ADR 007 both album keys are
    // there or neither is.
    ...(albumId && {
      albumId,
      GSI2PK: `ALBUM#${albumId}`,
      GSI2SK: `UPLOADED#${uploadedAt}`,
    }),
    id,
    userId,
    originalFilename: `IMG_${n}.jpg`,
    mimeType: 'image/jpeg',
    fileSize: 2_500_000 + n,
    processedSize: 400_000,
    width: 4032,
    height: 3024,
    aspectRatio: 4032 / 3024,
    s3Key,
    s3Bucket: 'images-lego-moc-dev',
    thumbnailKey,
    imageUrl: `https://d123.cloudfront.net/${s3Key}`,
    thumbnailUrl: `https://d123.cloudfront.net/${thumbnailKey}`,
    processingStatus: 'completed',
    format: 'webp',
    quality: 85,
    title: `Image ${n}`,
    tags: n % 10 === 0 ? ['minifig', 'castle'] : ['castle'],
    createdAt: uploadedAt,
    updatedAt: uploadedAt,
    uploadedAt,
    version: 1,
    ...extra,
  };
}

describe('image-service.md', () => {
  let service;
  let dynamodb; // What the access patterns call dynamodb: attribute values are wrapped.
  let documents; // What the index examples call dynamodb: plain values.

  before(async () => {
    service = await startWithTables(imageMetadataTable);
    ({ client: dynamodb, documents } = service);
    // u1 has 130 images, of which every other one is in album a1; u2 has one.
    const items = Array.from({ length: 130 }, (_, n) => imageItem(n, { albumId: n % 2 ? 'a1' : undefined }));
    items.push(imageItem(900, { userId: 'u2', ttl: Math.floor(Date.now() / 1000) + 3600 }));
    await putAll(documents, 'ImageMetadata', items);
  });
  after(() => service?.stop());

  const uploaded = (n) => `UPLOADED#${new Date(firstUpload + n * 60_000).toISOString()}`;
  const descending = (from, count, step = 1) => Array.from({ length: count }, (_, i) => uploaded(from - i * step));

  // Proves GSI 1's example: the newest 20 of a user, newest first, with all attributes.
  it('UserIndex: a user\'s 20 most recent images', async () => {
    const userId = 'u1';
    // As printed (index example, plain values).
    const result = await documents.query({
      TableName: 'ImageMetadata',
      IndexName: 'UserIndex',
      KeyConditionExpression: 'GSI1PK = :userId',
      ExpressionAttributeValues: {
        ':userId': `USER#${userId}`,
      },
      ScanIndexForward: false, // Descending order (newest first)
      Limit: 20,
    });
    assert.deepEqual(result.Items.map((item) => item.GSI1SK), descending(129, 20));
    assert.deepEqual(result.Items[0], imageItem(129, { albumId: 'a1' }));
  });

  // Proves GSI 2's example and that the index is sparse: 65 of 130 images are in it.
  it('AlbumIndex: an album\'s images, newest first', async () => {
    const albumId = 'a1';
    // As printed (index example, plain values).
    const result = await documents.query({
      TableName: 'ImageMetadata',
      IndexName: 'AlbumIndex',
      KeyConditionExpression: 'GSI2PK = :albumId',
      ExpressionAttributeValues: {
        ':albumId': `ALBUM#${albumId}`,
      },
      ScanIndexForward: false,
      Limit: 50,
    });
    assert.deepEqual(result.Items.map((item) => item.GSI2SK), descending(129, 50, 2));
    const scan = await documents.scan({ TableName: 'ImageMetadata', IndexName: 'AlbumIndex', Select: 'COUNT' });
    assert.equal(scan.Count, 65);
  });

  // Access pattern 1, as printed.
  const getImage = async (imageId) => {
    const result = await dynamodb.getItem({
      TableName: 'ImageMetadata',
      Key: {
        PK: { S: `IMAGE#${imageId}` },
        SK: { S: 'METADATA' },
      },
    });

    return result.Item;
  };

  // Access pattern 2, as printed.
  const listUserImages = async (userId, limit = 20, lastEvaluatedKey) => {
    const result = await dynamodb.query({
      TableName: 'ImageMetadata',
      IndexName: 'UserIndex',
      KeyConditionExpression: 'GSI1PK = :userId',
      ExpressionAttributeValues: {
        ':userId': { S: `USER#${userId}` },
      },
      ScanIndexForward: false, // Newest first
      Limit: limit,
      ExclusiveStartKey: lastEvaluatedKey,
    });

    return {
      items: result.Items,
      lastEvaluatedKey: result.LastEvaluatedKey,
      hasMore: !!result.LastEvaluatedKey,
    };
  };

  // Access pattern 3, as printed.
  const listAlbumImages = async (albumId) => {
    const result = await dynamodb.query({
      TableName: 'ImageMetadata',
      IndexName: 'AlbumIndex',
      KeyConditionExpression: 'GSI2PK = :albumId',
      ExpressionAttributeValues: {
        ':albumId': { S: `ALBUM#${albumId}` },
      },
      ScanIndexForward: false,
    });

    return result.Items;
  };

  // Access pattern 4, as printed.
  const updateImage = async (imageId, updates) => {
    const updateExpression = [];
    const expressionAttributeNames = {};
    const expressionAttributeValues = {};

    if (updates.title) {
      updateExpression.push('#title = :title');
      expressionAttributeNames['#title'] = 'title';
      expressionAttributeValues[':title'] = { S: updates.title };
    }

    if (updates.tags) {
      updateExpression.push('#tags = :tags');
      expressionAttributeNames['#tags'] = 'tags';
      expressionAttributeValues[':tags'] = { L: updates.tags.map((t) => ({ S: t })) };
    }

    // Optimistic locking
    updateExpression.push('#version = #version + :inc');
    expressionAttributeNames['#version'] = 'version';
    expressionAttributeValues[':inc'] = { N: '1' };
    expressionAttributeValues[':currentVersion'] = { N: String(updates.version) };

    const result = await dynamodb.updateItem({
      TableName: 'ImageMetadata',
      Key: {
        PK: { S: `IMAGE#${imageId}` },
        SK: { S: 'METADATA' },
      },
      UpdateExpression: `SET ${updateExpression.join(', ')}`,
      ConditionExpression: '#version = :currentVersion',
      ExpressionAttributeNames: expressionAttributeNames,
      ExpressionAttributeValues: expressionAttributeValues,
      ReturnValues: 'ALL_NEW',
    });

    return result.Attributes;
  };

  // Access pattern 5, as printed.
  const deleteImage = async (imageId, userId) => {
    // Verify ownership before delete
    const result = await dynamodb.deleteItem({
      TableName: 'ImageMetadata',
      Key: {
        PK: { S: `IMAGE#${imageId}` },
        SK: { S: 'METADATA' },
      },
      ConditionExpression: 'GSI1PK = :userId',
      ExpressionAttributeValues: {
        ':userId': { S: `USER#${userId}` },
      },
      ReturnValues: 'ALL_OLD',
    });

    return result.Attributes;
  };

  it('1. gets an image by id', async () => {
    const { id } = imageItem(5);
    const item = await getImage(id);
    assert.equal(item.originalFilename.S, 'IMG_5.jpg');
    assert.equal(item.aspectRatio.N, String(4032 / 3024));
    assert.equal(await getImage('01JHMNOSUCHIMAGE0000000000'), undefined);
  });

  // Proves that pages chain by LastEvaluatedKey and hold each image exactly once, in order.
  it('2. lists a user\'s images in pages', async () => {
    const seen = [];
    let lastEvaluatedKey;
    let pages = 0;
    let hasMore = true;
    while (hasMore) {
      const page = await listUserImages('u1', undefined, lastEvaluatedKey);
      seen.push(...page.items.map((item) => item.GSI1SK.S));
      ({ lastEvaluatedKey, hasMore } = page);
      pages += 1;
      if (hasMore) {
        assert.deepEqual(Object.keys(lastEvaluatedKey).sort(), ['GSI1PK', 'GSI1SK', 'PK', 'SK']);
      }
    }
    assert.deepEqual(seen, descending(129, 130));
    assert.equal(pages, 7);
  });

  it('3. lists an album, newest first', async () => {
    const items = await listAlbumImages('a1');
    assert.deepEqual(items.map((item) => item.GSI2SK.S), descending(129, 65, 2));
    assert.deepEqual(await listAlbumImages('no-such-album'), []);
  });

  // Proves that a stale writer is refused and changes nothing.
  it('4. updates under optimistic locking', async () => {
    const { id } = imageItem(7);
    const changed = await updateImage(id, { title: 'Castle gate', tags: ['gate'], version: 1 });
    assert.equal(changed.version.N, '2');
    assert.equal(changed.title.S, 'Castle gate');
    assert.deepEqual(changed.tags, { L: [{ S: 'gate' }] });
    await assert.rejects(
      updateImage(id, { title: 'Stale', version: 1 }),
      (error) => error instanceof ConditionalCheckFailedException,
    );
    const after = await getImage(id);
    assert.deepEqual(after, changed);
    // The index copy has the change too.
    const { items } = await listUserImages('u1', 1000);
    assert.deepEqual(items.find((item) => item.id.S === id), changed);
  });

  // Proves deletion by the owner alone, and that the item leaves both indexes.
  it('5. deletes only for the owner', async () => {
    const { id } = imageItem(9);
    await assert.rejects(deleteImage(id, 'u2'), (error) => error instanceof ConditionalCheckFailedException);
    assert.equal((await getImage(id)).id.S, id);
    const old = await deleteImage(id, 'u1');
    assert.equal(old.id.S, id);
    assert.equal(await getImage(id), undefined);
    assert.ok(!(await listAlbumImages('a1')).some((item) => item.id.S === id));
    assert.ok(!(await listUserImages('u1', 1000)).items.some((item) => item.id.S === id));
    // A second delete finds nothing to own.
    await assert.rejects(deleteImage(id, 'u1'), (error) => error instanceof ConditionalCheckFailedException);
    await documents.put({ TableName: 'ImageMetadata', Item: imageItem(9, { albumId: 'a1' }) });
  });

  // Option A filters on the client. The printed `includes` wants plain values, so the items come by the document client.
  it('6. searches by tag on the client', async () => {
    const listPlain = async (userId, limit) => {
      const result = await documents.query({
        TableName: 'ImageMetadata',
        IndexName: 'UserIndex',
        KeyConditionExpression: 'GSI1PK = :userId',
        ExpressionAttributeValues: { ':userId': `USER#${userId}` },
        ScanIndexForward: false,
        Limit: limit,
      });
      return { items: result.Items };
    };
    // As printed.
    const allImages = await listPlain('u1', 1000);
    const filtered = allImages.items.filter((img) => img.tags?.includes('minifig'));
    assert.equal(allImages.items.length, 130);
    assert.deepEqual(filtered.map((img) => img.GSI1SK), descending(120, 13, 10));
  });

  // Proves ADR 007: an image that moves into, between and out of albums moves its index entry.
  it('moves between albums', async () => {
    const item = imageItem(4);
    const album = (albumId) =>
      documents.update({
        TableName: 'ImageMetadata',
        Key: { PK: item.PK, SK: item.SK },
        UpdateExpression: albumId ? 'SET GSI2PK = :pk, GSI2SK = :sk' : 'REMOVE GSI2PK, GSI2SK',
        ...(albumId && { ExpressionAttributeValues: { ':pk': `ALBUM#${albumId}`, ':sk': item.GSI1SK } }),
      });
    const holds = async (albumId) => (await listAlbumImages(albumId)).some((entry) => entry.id.S === item.id);
    await album('b1');
    assert.deepEqual([await holds('b1'), await holds('b2')], [true, false]);
    await album('b2');
    assert.deepEqual([await holds('b1'), await holds('b2')], [false, true]);
    await album(undefined);
    assert.deepEqual([await holds('b1'), await holds('b2')], [false, false]);
  });

  // Proves why the table above leaves out the printed index throughput: AWS refuses it.
  it('refuses the printed index throughput of zero', async () => {
    const [index] = imageMetadataTable.GlobalSecondaryIndexes;
    await assert.rejects(
      dynamodb.createTable({
        ...imageMetadataTable,
        TableName: 'AsPrinted',
        AttributeDefinitions: attributes({ PK: 'S', SK: 'S', GSI1PK: 'S', GSI1SK: 'S' }),
        GlobalSecondaryIndexes: [{ ...index, ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 } }],
      }),
      { name: 'ValidationException' },
    );
  });
});
