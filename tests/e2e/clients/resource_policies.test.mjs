// The AWS SDK for JavaScript v3, unmodified: policies of tables and streams, as an administrator handles them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  CreateTableCommand,
  DeleteResourcePolicyCommand,
  DynamoDBClient,
  GetResourcePolicyCommand,
  PolicyNotFoundException,
  PutResourcePolicyCommand,
  ResourceNotFoundException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { clientConfig, skipUnlessTintype, startServer } from '../support/server.mjs';

describe('AWS SDK v3, resource policies', { skip: skipUnlessTintype }, () => {
  let server;
  let client;

  before(async () => {
    server = await startServer();
    client = new DynamoDBClient(clientConfig(server));
  });

  after(async () => {
    client?.destroy();
    await server?.stop();
  });

  const policy = (Action) => JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: '000000000000' }, Action, Resource: '*' }],
  });

  it('puts, gets, replaces and deletes the policies of a table and of its stream', async () => {
    const { TableDescription: table } = await client.send(
      new CreateTableCommand({
        TableName: 'policies',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
        ResourcePolicy: policy('dynamodb:GetItem'),
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.1, maxDelay: 0.5 }, { TableName: 'policies' });
    const given = await client.send(new GetResourcePolicyCommand({ ResourceArn: table.TableArn }));
    assert.equal(given.Policy, policy('dynamodb:GetItem'));
    for (const [ResourceArn, actions] of [
      [table.TableArn, ['dynamodb:Query', 'dynamodb:Scan']],
      [table.LatestStreamArn, ['dynamodb:GetRecords', 'dynamodb:DescribeStream']],
    ]) {
      const first = await client.send(new PutResourcePolicyCommand({ ResourceArn, Policy: policy(actions[0]) }));
      const second = await client.send(
        new PutResourcePolicyCommand({
          ResourceArn,
          Policy: policy(actions[1]),
          ExpectedRevisionId: first.RevisionId,
          ConfirmRemoveSelfResourceAccess: true,
        }),
      );
      const found = await client.send(new GetResourcePolicyCommand({ ResourceArn }));
      assert.deepEqual([found.Policy, found.RevisionId], [policy(actions[1]), second.RevisionId]);
      await assert.rejects(
        client.send(new DeleteResourcePolicyCommand({ ResourceArn, ExpectedRevisionId: first.RevisionId })),
        PolicyNotFoundException,
      );
      const deleted = await client.send(new DeleteResourcePolicyCommand({ ResourceArn }));
      assert.equal(deleted.RevisionId, second.RevisionId);
      await assert.rejects(client.send(new GetResourcePolicyCommand({ ResourceArn })), PolicyNotFoundException);
      assert.equal((await client.send(new DeleteResourcePolicyCommand({ ResourceArn }))).RevisionId, undefined);
    }
    await assert.rejects(
      client.send(new GetResourcePolicyCommand({ ResourceArn: `${table.TableArn}-none` })),
      ResourceNotFoundException,
    );
  });
});
