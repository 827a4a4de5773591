// The Sparks data model: its single table as written, and every access pattern of the document.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { attributes, pages, putAll, startWithTables } from '../support/tables.mjs';

const TableName = 'sparks';

// The document prints keys only; a projection is not named, so the indexes project everything.
const sparksTable = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributes({ PK: 'S', SK: 'S', entityType: 'S', uploadedBy: 'S', limit: 'N' }),
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'entityType-PK-index',
      KeySchema: [
        { AttributeName: 'entityType', KeyType: 'HASH' },
        { AttributeName: 'PK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'uploadedBy-PK-index',
      KeySchema: [
        { AttributeName: 'uploadedBy', KeyType: 'HASH' },
        { AttributeName: 'PK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'PK-limit-index',
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'limit', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
};

// The six examples of the document, as printed.
const user = {
  PK: 'example@gmail.com',
  SK: 'example@gmail.com',
  entityType: 'USER',
  email: 'example@gmail.com',
  username: 'Ja',
  profilePicture: 'profile-pictures/example@gmail.com/profile.jpg',
  personId: 'person123',
};
const image = {
  PK: '02df423f-0d45-4d59-b987-2ade841d0fbf',
  SK: 'UPLOADED_BY#example@gmail.com',
  assetType: 'IMAGE',
  entityType: 'IMAGE',
  imageId: '02df423f-0d45-4d59-b987-2ade841d0fbf',
  s3Key: 'originals/02df423f-0d45-4d59-b987-2ade841d0fbf.jpg',
  uploadedBy: 'example@gmail.com',
  uploaded_datetime: '2025-08-01T09:24:22.159Z',
  lastModified: '2025-08-01T09:24:28.957Z',
  persons: [],
  tags: [],
};
const person = {
  PK: 'PERSON#person1',
  SK: 'person1',
  entityType: 'PERSON',
  displayName: 'person1',
  s3Key: 'persons/person1.jpg',
  createdAt: 1754040302,
};
const tagging = {
  PK: '02df423f-0d45-4d59-b987-2ade841d0fbf',
  SK: 'PERSON#person1',
  entityType: 'TAGGING#person1',
  s3Key: 'processed/02df423f-0d45-4d59-b987-2ade841d0fbf_large.webp',
  createdAt: 1754040302,
};
const uploadLimit = {
  PK: 'LIMIT#example@gmail.com',
  SK: 'example@gmail.com',
  entityType: 'DEFAULT_LIMIT',
  limit: 500,
};
const unknownPersons = {
  PK: 'UNKNOWN_PERSONS',
  SK: 'UNKNOWN_PERSONS',
  entityType: 'UNKNOWN_PERSONS',
  limit: 1,
};

describe('sparks.md', () => {
  let service;
  let dynamodb;

  before(async () => {
    service = await startWithTables(sparksTable);
    dynamodb = service.documents;
    await putAll(dynamodb, TableName, [user, person, tagging, uploadLimit, unknownPersons]);
  });
  after(() => service?.stop());

  const get = async (PK, SK) => (await dynamodb.get({ TableName, Key: { PK, SK } })).Item;
  const byEntityType = (entityType, extra = {}) =>
    dynamodb.query({
      TableName,
      IndexName: 'entityType-PK-index',
      KeyConditionExpression: 'entityType = :entityType',
      ExpressionAttributeValues: { ':entityType': entityType },
      ...extra,
    });
  const byUploader = (email) =>
    dynamodb.query({
      TableName,
      IndexName: 'uploadedBy-PK-index',
      KeyConditionExpression: 'uploadedBy = :email',
      ExpressionAttributeValues: { ':email': email },
    });
  const byPartition = (PK) =>
    dynamodb.query({
      TableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': PK },
    });

  it('user operations 1 to 3: by email, all users, upload limit', async () => {
    assert.deepEqual(await get('example@gmail.com', 'example@gmail.com'), user);
    assert.deepEqual((await byEntityType('USER')).Items, [user]);
    assert.deepEqual(await get('LIMIT#example@gmail.com', 'example@gmail.com'), uploadLimit);
  });

  // "Upload new image: PutItem with image metadata", then the three ways to find it.
  it('image operations 1 to 4: upload, by id, by uploader, the feed', async () => {
    const uploaded = {
      ...image,
      // Correction: the design prints type wrappers inside `images`; they are DynamoDB's JSON of a map of strings.
      images: {
        large: `processed/${image.imageId}_large.webp`,
        medium: `processed/${image.imageId}_medium.webp`,
        processedAt: '2025-08-01T09:24:28.957Z',
      },
    };
    await dynamodb.put({ TableName, Item: uploaded });
    // Correction: the design's feed would show everybody's images; it is the shared ones, and a private one has
    // another entityType.
    const hidden = { ...image, PK: 'private-image', imageId: 'private-image', entityType: 'IMAGE#PRIVATE' };
    await dynamodb.put({ TableName, Item: hidden });

    assert.deepEqual((await byPartition(image.imageId)).Items, [tagging, uploaded]);
    assert.deepEqual((await byUploader('example@gmail.com')).Items, [uploaded, hidden]);
    assert.deepEqual((await byUploader('nobody@gmail.com')).Items, []);
    assert.deepEqual((await byEntityType('IMAGE')).Items, [uploaded]);
  });

  it('person operations 1 to 3: by id, all persons, images of a person', async () => {
    assert.deepEqual(await get('PERSON#person1', 'person1'), person);
    assert.deepEqual((await byEntityType('PERSON')).Items, [person]);
    assert.deepEqual((await byEntityType('TAGGING#person1')).Items, [tagging]);
  });

  // Proves that the counter never gives a number twice, under 40 concurrent callers.
  it('person operation 4: a new person id from the counter', async () => {
    const next = async () => {
      const { Attributes } = await dynamodb.update({
        TableName,
        Key: { PK: 'UNKNOWN_PERSONS', SK: 'UNKNOWN_PERSONS' },
        UpdateExpression: 'SET #limit = #limit + :one',
        ExpressionAttributeNames: { '#limit': 'limit' },
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      });
      return Attributes.limit;
    };
    const ids = await Promise.all(Array.from({ length: 40 }, next));
    assert.deepEqual(ids.sort((a, b) => a - b), Array.from({ length: 40 }, (_, i) => i + 2));
  });

  // Proves the local index: items of one partition, sorted by limit as numbers; items without a limit are not in it.
  it('PK-limit-index: items under a partition key by limit', async () => {
    for (const [SK, limit] of [['c', 9], ['a', 100], ['b', -5], ['d', undefined]]) {
      await dynamodb.put({ TableName, Item: { PK: 'LIMITS', SK, entityType: 'DEFAULT_LIMIT', ...(limit && { limit }) } });
    }
    const params = {
      TableName,
      IndexName: 'PK-limit-index',
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': 'LIMITS' },
      ConsistentRead: true,
    };
    const { Items } = await dynamodb.query(params);
    assert.deepEqual(Items.map((item) => [item.SK, item.limit]), [['b', -5], ['c', 9], ['a', 100]]);
    const { Items: range } = await dynamodb.query({
      ...params,
      KeyConditionExpression: 'PK = :pk AND #limit > :zero',
      ExpressionAttributeNames: { '#limit': 'limit' },
      ExpressionAttributeValues: { ':pk': 'LIMITS', ':zero': 0 },
    });
    assert.deepEqual(range.map((item) => item.SK), ['c', 'a']);
  });

  // Proves the feed's pages: 60 images, 25 at a time, each once, in the order of the index.
  it('pages through the feed', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `feed-${String(n).padStart(4, '0')}`);
    const uploader = { SK: 'UPLOADED_BY#b@gmail.com', uploadedBy: 'b@gmail.com' };
    await putAll(dynamodb, TableName, ids.map((id) => ({ ...image, PK: id, imageId: id, ...uploader })));
    const feed = await pages(
      { query: (params) => byEntityType('IMAGE', params) },
      { Limit: 25 },
    );
    assert.deepEqual(feed.map((page) => page.Items.length), [25, 25, 11]);
    assert.deepEqual(feed.flatMap((page) => page.Items.map((item) => item.PK)), [image.PK, ...ids]);
    assert.deepEqual(feed[0].LastEvaluatedKey, { entityType: 'IMAGE', PK: ids[23], SK: 'UPLOADED_BY#b@gmail.com' });
  });

  // Proves the deletion lifecycle's four steps, and that doing them again harms nothing.
  it('deletion lifecycle, twice', async () => {
    const email = 'example@gmail.com';
    const deleteUpload = async (imageId) => {
      // 1. Authorization and lookup.
      const owned = await get(imageId, `UPLOADED_BY#${email}`);
      // 3. DynamoDB cleanup: the IMAGE item, then any related TAGGING records.
      await dynamodb.delete({ TableName, Key: { PK: imageId, SK: `UPLOADED_BY#${email}` } });
      const { Items } = await byPartition(imageId);
      for (const item of Items.filter((related) => related.entityType.startsWith('TAGGING#'))) {
        await dynamodb.delete({ TableName, Key: { PK: item.PK, SK: item.SK } });
      }
      // 4. Upload limit adjustment, for an image that was there.
      if (owned) {
        await dynamodb.update({
          TableName,
          Key: { PK: `LIMIT#${email}`, SK: email },
          UpdateExpression: 'ADD #limit :one',
          ExpressionAttributeNames: { '#limit': 'limit' },
          ExpressionAttributeValues: { ':one': 1 },
        });
      }
    };
    await deleteUpload(image.imageId);
    await deleteUpload(image.imageId);
    assert.deepEqual((await byPartition(image.imageId)).Items, []);
    assert.deepEqual((await byEntityType('TAGGING#person1')).Items, []);
    assert.equal((await get(`LIMIT#${email}`, email)).limit, 501);
  });

  // Proves that a limit of k admits exactly k of many parallel takers.
  it('takes the upload limit atomically', async () => {
    const Key = { PK: 'LIMIT#c@gmail.com', SK: 'c@gmail.com' };
    await dynamodb.put({ TableName, Item: { ...Key, entityType: 'DEFAULT_LIMIT', limit: 7 } });
    const take = () =>
      dynamodb.update({
        TableName,
        Key,
        UpdateExpression: 'SET #limit = #limit - :one',
        ConditionExpression: '#limit > :zero',
        ExpressionAttributeNames: { '#limit': 'limit' },
        ExpressionAttributeValues: { ':one': 1, ':zero': 0 },
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, take));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(outcomes.length - refused.length, 7);
    assert.ok(refused.every((outcome) => outcome.reason instanceof ConditionalCheckFailedException));
    assert.equal((await get(Key.PK, Key.SK)).limit, 0);
  });
});
