// Who may come in, as the AWS SDK shows it: the exceptions that AWS gives for a wrong key, secret or clock.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { clientConfig, credentials, skipUnlessTintype, startServer } from '../support/server.mjs';

describe('authentication by the SDK', { skip: skipUnlessTintype }, () => {
  let server;
  const clients = [];

  before(async () => {
    server = await startServer();
  });
  after(async () => {
    for (const client of clients) client.destroy();
    await server?.stop();
  });

  function listTables(overrides) {
    const client = new DynamoDBClient(clientConfig(server, { maxAttempts: 1, ...overrides }));
    clients.push(client);
    return client.send(new ListTablesCommand({}));
  }

  // Proves that the other tests of this file fail for the reason they name.
  it('accepts the root key', async () => {
    assert.deepEqual((await listTables({})).TableNames, []);
  });

  // A service in one region does not take signatures for another, which tells a wrong endpoint early.
  it('refuses a signature for another region', async () => {
    await assert.rejects(listTables({ region: 'eu-central-1' }), { name: 'InvalidSignatureException' });
  });

  it('refuses a wrong secret', async () => {
    await assert.rejects(listTables({ credentials: { ...credentials, secretAccessKey: 'wrong' } }), (error) => {
      assert.equal(error.name, 'InvalidSignatureException');
      assert.equal(error.$metadata.httpStatusCode, 400);
      return true;
    });
  });

  it('refuses an unknown access key', async () => {
    await assert.rejects(listTables({ credentials: { ...credentials, accessKeyId: 'AKIANOSUCHKEY0000000' } }), {
      name: 'UnrecognizedClientException',
    });
  });

  // A root key is not a session, so AWS calls the token that comes with it invalid.
  it('refuses a session token that it never gave', async () => {
    await assert.rejects(listTables({ credentials: { ...credentials, sessionToken: 'not-a-session' } }), {
      name: 'UnrecognizedClientException',
    });
  });

  it('refuses a clock that is off by half an hour, in both directions', async () => {
    for (const minutes of [-30, 30]) {
      await assert.rejects(listTables({ systemClockOffset: minutes * 60_000 }), { name: 'InvalidSignatureException' });
    }
  });

  it('accepts a clock that is off by a minute', async () => {
    for (const minutes of [-1, 1]) {
      assert.deepEqual((await listTables({ systemClockOffset: minutes * 60_000 })).TableNames, []);
    }
  });

  // The SDK corrects its clock by the answer's Date header and tries again, which is why it works on machines with a wrong clock.
  it('lets the SDK correct its clock', async () => {
    assert.deepEqual((await listTables({ systemClockOffset: 30 * 60_000, maxAttempts: 3 })).TableNames, []);
  });
});
