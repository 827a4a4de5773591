// The documents' printed aws-sdk v2 code (`.promise()`, DocumentClient), run with npm's aws-sdk v2 itself: the image
// service's migration script, and Media2Cloud's access patterns.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

// v2 announces its end of maintenance on standard error otherwise.
process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE = '1';
const { default: AWS } = await import('aws-sdk');
const { clientConfig, startServer } = await import('../support/server.mjs');
const { attributes } = await import('../support/tables.mjs');
const { analysisTable, ingestTable } = await import('../support/media2cloud.mjs');

const imageMetadataTable = {
  TableName: 'ImageMetadata',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributes({ PK: 'S', SK: 'S', GSI1PK: 'S', GSI1SK: 'S', GSI2PK: 'S', GSI2SK: 'S' }),
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    ['UserIndex', 'GSI1'],
    ['AlbumIndex', 'GSI2'],
  ].map(([IndexName, keys]) => ({
    IndexName,
    KeySchema: [
      { AttributeName: `${keys}PK`, KeyType: 'HASH' },
      { AttributeName: `${keys}SK`, KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType: 'ALL' },
  })),
};

/** Rows as the script's PostgreSQL client returns them: 60 images, every third one in an album. */
function galleryRows() {
  return Array.from({ length: 60 }, (_, n) => ({
    id: `0b6ff5de-0000-4000-8000-${String(n).padStart(12, '0')}`,
    userId: 'user-1',
    albumId: n % 3 ? null : 'album-1',
    originalFilename: `IMG_${n}.jpg`,
    mimeType: 'image/jpeg',
    fileSize: 1000 + n,
    width: 400,
    height: 300,
    s3Key: `images/user-1/${n}.webp`,
    thumbnailKey: `images/user-1/thumbnails/${n}.webp`,
    title: `Title ${n}`,
    description: null,
    altText: '',
    tags: ['a', 'b'],
    createdAt: new Date(Date.UTC(2025, 0, 1, 0, n)),
    updatedAt: new Date(Date.UTC(2025, 0, 2, 0, n)),
  }));
}

describe('printed aws-sdk v2 code', () => {
  let server;
  let service;
  let dynamodb;

  before(async () => {
    server = await startServer();
    const config = clientConfig(server);
    service = new AWS.DynamoDB(config);
    dynamodb = new AWS.DynamoDB.DocumentClient(config);
    for (const table of [imageMetadataTable, ingestTable, analysisTable]) {
      await service.createTable(table).promise();
      await service.waitFor('tableExists', { TableName: table.TableName, $waiter: { delay: 0.2 } }).promise();
    }
  });
  after(() => server?.stop());

  it('migrates gallery_images to ImageMetadata', async () => {
    const rows = galleryRows();
    // What the script imports: a database client whose select gives the rows.
    const galleryImages = 'gallery_images';
    const db = { select: () => ({ from: async () => rows }) };
    const console = { log: () => {} };
    const process = { env: { S3_BUCKET_NAME: 'images-lego-moc-dev', CLOUDFRONT_DOMAIN: 'd123.cloudfront.net' } };

    // As printed.
    async function migrateGalleryImages() {
      console.log('Starting migration...');

      // Fetch all images from PostgreSQL
      const images = await db.select().from(galleryImages);

      console.log(`Migrating ${images.length} images...`);

      // Batch write to DynamoDB (25 items at a time)
      for (let i = 0; i < images.length; i += 25) {
        const batch = images.slice(i, i + 25);

        const putRequests = batch.map((img) => ({
          PutRequest: {
            Item: {
              PK: `IMAGE#${img.id}`,
              SK: 'METADATA',
              GSI1PK: `USER#${img.userId}`,
              GSI1SK: `UPLOADED#${img.createdAt.toISOString()}`,
              ...(img.albumId && {
                GSI2PK: `ALBUM#${img.albumId}`,
                GSI2SK: `UPLOADED#${img.createdAt.toISOString()}`,
              }),

              id: img.id,
              userId: img.userId,
              albumId: img.albumId,
              originalFilename: img.originalFilename,
              mimeType: img.mimeType,
              fileSize: img.fileSize,
              width: img.width,
              height: img.height,
              aspectRatio: img.width && img.height ? img.width / img.height : 1,
              s3Key: img.s3Key,
              s3Bucket: process.env.S3_BUCKET_NAME,
              thumbnailKey: img.thumbnailKey,
              imageUrl: `https://${process.env.CLOUDFRONT_DOMAIN}/${img.s3Key}`,
              thumbnailUrl: `https://${process.env.CLOUDFRONT_DOMAIN}/${img.thumbnailKey}`,
              processingStatus: 'completed',
              format: 'webp',
              quality: 85,
              title: img.title,
              description: img.description,
              altText: img.altText,
              tags: img.tags,
              createdAt: img.createdAt.toISOString(),
              updatedAt: img.updatedAt.toISOString(),
              uploadedAt: img.createdAt.toISOString(),
              version: 1,
            },
          },
        }));

        await dynamodb
          .batchWrite({
            RequestItems: {
              ImageMetadata: putRequests,
            },
          })
          .promise();

        console.log(`Migrated ${i + batch.length}/${images.length} images`);
      }

      console.log('Migration complete!');
    }
    await migrateGalleryImages();

    const byUser = await dynamodb
      .query({
        TableName: 'ImageMetadata',
        IndexName: 'UserIndex',
        KeyConditionExpression: 'GSI1PK = :userId',
        ExpressionAttributeValues: { ':userId': 'USER#user-1' },
        ScanIndexForward: false,
      })
      .promise();
    assert.deepEqual(byUser.Items.map((item) => item.id), rows.map((row) => row.id).reverse());
    assert.equal(byUser.Items[0].description, null);
    assert.equal(byUser.Items[0].albumId, null);
    const byAlbum = await dynamodb
      .query({
        TableName: 'ImageMetadata',
        IndexName: 'AlbumIndex',
        KeyConditionExpression: 'GSI2PK = :albumId',
        ExpressionAttributeValues: { ':albumId': 'ALBUM#album-1' },
        ScanIndexForward: false,
        Limit: 50,
      })
      .promise();
    assert.equal(byAlbum.Items.length, 20);
  });

  it('runs Media2Cloud\'s access patterns', async () => {
    const ingest = ingestTable.TableName;
    const analysis = analysisTable.TableName;

    // Below as printed, but for the tables' names: the design prints `ingest-table` and `analysis-table`, which it does not create.
    const getIngestItem = async (uuid) => {
      const params = {
        TableName: ingest,
        Key: { uuid },
      };

      return dynamodb.get(params).promise();
    };

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

      return dynamodb.query(params).promise();
    };

    const batchWriteAnalysisResults = async (items) => {
      const params = {
        RequestItems: {
          [analysis]: items.map((item) => ({
            PutRequest: { Item: item },
          })),
        },
      };

      return dynamodb.batchWrite(params).promise();
    };

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

      return dynamodb.update(params).promise();
    };
    // Above as printed.

    const video = { uuid: 'u-1', type: 'video', timestamp: 1640995200000, overallStatus: 'COMPLETED', duration: 120.5 };
    await dynamodb.put({ TableName: ingest, Item: video }).promise();
    assert.deepEqual((await getIngestItem('u-1')).Item, video);
    assert.deepEqual((await getVideosByDateRange(1640995200000, 1640995200000)).Items, [video]);
    assert.deepEqual((await getVideosByDateRange(0, 1640995199999)).Items, []);

    await batchWriteAnalysisResults([{ uuid: 'u-1', timestamp: 1, overallStatus: 'IN_PROGRESS', progress: 10 }]);
    await updateStatus('u-1', 'COMPLETED', 'IN_PROGRESS');
    await assert.rejects(updateStatus('u-1', 'ERROR', 'IN_PROGRESS'), { code: 'ConditionalCheckFailedException' });
    const { Item } = await dynamodb.get({ TableName: analysis, Key: { uuid: 'u-1' } }).promise();
    assert.equal(Item.overallStatus, 'COMPLETED');
  });
});
