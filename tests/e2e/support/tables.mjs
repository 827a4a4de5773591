// Small things that many tests do with tables.
import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';

/** Creates the table and waits until it is active. */
export async function createTable(client, definition) {
  await client.send(new CreateTableCommand(definition));
  await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: definition.TableName });
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
