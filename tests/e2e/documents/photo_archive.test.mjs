// The photo archive's table as written, with its two ways of finding a photo. The document prints no code; these are its
// retrieval patterns.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { attributes, putAll, startWithTables } from '../support/tables.mjs';

// Correction: the design as printed names neither its table nor the global index on `id`. Here they are `photos` and
// `id-index`, which projects ALL.
const TableName = 'photos';
const photosTable = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributes({ username: 'S', id: 'S' }),
  KeySchema: [
    { AttributeName: 'username', KeyType: 'HASH' },
    { AttributeName: 'id', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'id-index',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
};

/** The seven attributes, less `sizes`, whose absence says that the photo is new. */
function photo(username, id, uploadedAt) {
  return { username, id, filename: `${id}.jpg`, description: '', mimetype: 'image/jpeg', uploadedAt };
}

describe('photo-archive.md', () => {
  let service;
  let dynamodb;

  before(async () => {
    service = await startWithTables(photosTable);
    dynamodb = service.documents;
    // Upload times run against the ids, and two photos share a millisecond.
    const items = [photo('ann', 'p1', 1735689600002), photo('ann', 'p2', 1735689600001), photo('ann', 'p3', 1735689600001)];
    await putAll(dynamodb, TableName, [...items, photo('bob', 'p4', 1735689600000)]);
  });
  after(() => service?.stop());

  const listPhotos = async (username) => {
    const result = await dynamodb.query({
      TableName,
      KeyConditionExpression: 'username = :username',
      ExpressionAttributeValues: { ':username': username },
    });
    return result.Items;
  };
  const findPhoto = async (id) => {
    const result = await dynamodb.query({
      TableName,
      IndexName: 'id-index',
      KeyConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': id },
    });
    return result.Items;
  };

  // "It's easy enough to sort the array before returning it."
  it('lists the photos of a user', async () => {
    const photos = await listPhotos('ann');
    assert.deepEqual(photos.map((item) => item.id), ['p1', 'p2', 'p3']);
    photos.sort((a, b) => a.uploadedAt - b.uploadedAt || a.id.localeCompare(b.id));
    assert.deepEqual(photos.map((item) => item.id), ['p2', 'p3', 'p1']);
  });

  // Proves that the index gives the whole item, and at once after the write.
  it('finds a photo knowing only its id', async () => {
    assert.deepEqual(await findPhoto('p4'), [photo('bob', 'p4', 1735689600000)]);
    for (let n = 0; n < 20; n += 1) {
      await dynamodb.put({ TableName, Item: photo('cy', `fresh-${n}`, n) });
      assert.equal((await findPhoto(`fresh-${n}`)).length, 1);
    }
    assert.deepEqual(await findPhoto('none'), []);
  });

  // Proves the resizer's protocol: absent means new, ORIGINAL comes first, and two resizers do not both take a photo.
  it('records the sizes of a photo', async () => {
    const [fresh] = await findPhoto('p2');
    assert.ok(!('sizes' in fresh));
    const Key = { username: fresh.username, id: fresh.id };
    const claim = () =>
      dynamodb.update({
        TableName,
        Key,
        UpdateExpression: 'SET sizes = :original',
        ConditionExpression: 'attribute_not_exists(sizes)',
        ExpressionAttributeValues: { ':original': ['ORIGINAL'] },
      });
    await claim();
    await assert.rejects(claim(), (error) => error instanceof ConditionalCheckFailedException);
    for (const size of ['LARGE', 'THUMB']) {
      await dynamodb.update({
        TableName,
        Key,
        UpdateExpression: 'SET sizes = list_append(sizes, :size)',
        ExpressionAttributeValues: { ':size': [size] },
      });
    }
    assert.deepEqual((await findPhoto('p2'))[0].sizes, ['ORIGINAL', 'LARGE', 'THUMB']);
  });
});
