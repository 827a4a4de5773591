// Small things that many tests do with tables.
import { CreateTableCommand, DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { clientConfig, startServer } from './server.mjs';

/** Creates the table and waits until it is active. */
export async function createTable(client, definition) {
  await client.send(new CreateTableCommand(definition));
  await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: definition.TableName });
}

/**
 * A server with these tables: `client` speaks to it with wrapped values and `documents` with plain ones, until `stop()`.
 */
export async function startWithTables(...definitions) {
  const server = await startServer();
  const client = new DynamoDB(clientConfig(server));
  const stop = async () => {
    client.destroy();
    await server.stop();
  };
  try {
    for (const definition of definitions) await createTable(client, definition);
  } catch (error) {
    await stop();
    throw error;
  }
  return { client, documents: DynamoDBDocument.from(client), stop };
}

/** Puts all the items into the table, by as many in a batch as DynamoDB takes. */
export async function putAll(documents, TableName, items) {
  for (let i = 0; i < items.length; i += 25) {
    const requests = items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } }));
    await documents.batchWrite({ RequestItems: { [TableName]: requests } });
  }
}

/** Every page of a query, in order: `pages(dynamodb, {...})` with a client that has `query`. */
export async function pages(dynamodb, params) {
  const result = [];
  let ExclusiveStartKey;
  do {
    const page = await dynamodb.query({ ...params, ExclusiveStartKey });
    result.push(page);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return result;
}

/** An attribute definition list from `{ name: type }`. */
export function attributes(types) {
  return Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}
