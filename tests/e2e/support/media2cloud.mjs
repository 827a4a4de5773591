// Media2Cloud's four tables, which two tests create: the printed schemas with `{stack-id}` filled in.
import { attributes } from './tables.mjs';

const table = (name, rest) => ({ TableName: `so0050-tintype-${name}`, BillingMode: 'PAY_PER_REQUEST', ...rest });

export const ingestTable = table('ingest', {
  KeySchema: [
    {
      AttributeName: 'uuid',
      KeyType: 'HASH', // Partition Key
    },
  ],
  AttributeDefinitions: [
    {
      AttributeName: 'uuid',
      AttributeType: 'S',
    },
    {
      AttributeName: 'timestamp',
      AttributeType: 'N',
    },
    {
      AttributeName: 'type',
      AttributeType: 'S',
    },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'type-timestamp-index',
      KeySchema: [
        {
          AttributeName: 'type',
          KeyType: 'HASH',
        },
        {
          AttributeName: 'timestamp',
          KeyType: 'RANGE',
        },
      ],
      Projection: {
        ProjectionType: 'ALL',
      },
    },
  ],
});

export const analysisTable = table('analysis', {
  KeySchema: [{ AttributeName: 'uuid', KeyType: 'HASH' }],
  AttributeDefinitions: attributes({ uuid: 'S', overallStatus: 'S', timestamp: 'N' }),
  GlobalSecondaryIndexes: [
    // Correction: the design prints this index without a table; it belongs to this one.
    {
      IndexName: 'status-timestamp-index',
      KeySchema: [
        { AttributeName: 'overallStatus', KeyType: 'HASH' },
        { AttributeName: 'timestamp', KeyType: 'RANGE' },
      ],
      Projection: {
        ProjectionType: 'INCLUDE',
        NonKeyAttributes: ['uuid', 'type', 'progress'],
      },
    },
  ],
});

// No projection is printed for the collection index, and AWS requires one: everything.
export const faceIndexerTable = table('face-indexer', {
  KeySchema: [
    { AttributeName: 'uuid', KeyType: 'HASH' },
    { AttributeName: 'faceId', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: attributes({ uuid: 'S', faceId: 'S', collectionId: 'S', timestamp: 'N' }),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'collection-timestamp-index',
      KeySchema: [
        { AttributeName: 'collectionId', KeyType: 'HASH' },
        { AttributeName: 'timestamp', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
});

export const backlogTable = table('backlog', {
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: attributes({ id: 'S', status: 'S', order: 'S' }),
  GlobalSecondaryIndexes: [
    // Correction: finding work needs one more index than the design prints.
    {
      IndexName: 'status-order-index',
      KeySchema: [
        { AttributeName: 'status', KeyType: 'HASH' },
        { AttributeName: 'order', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
});
