// A real issuer of OpenID Connect for tests: npm's oidc-provider on a free port of this machine. Prints its address
// when it is ready, and ends with its standard input.
//
// People sign in with a form that asks for nothing but who they are; a request that names them (login_hint) is not
// asked. POST /control changes what is known of them, and the keys:
//   {"users": {"ada": {"email": "...", "email_verified": true, "groups": [...]}}}   what the tokens say of a person
//   {"rotate": true}                                                                 sign with another key from now on
//   {"forget": true}                                                                 whoever is signed in there is not
//   {"userinfo": true}                                                               tell of people by userinfo alone
//   {"sign": {"sub": "ada", ...}}                                                    answers a token of these claims, for
//                                                                                    forms that oidc-provider has not
import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';

const [redirectUri = 'http://127.0.0.1:9/'] = process.argv.slice(2);
const AUDIENCE = 'media-api';
const people = new Map();
const signed = new Set(); // Tokens that this program made, and not the provider.

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

function client(client_id, more) {
  return {
    client_id,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    ...more,
  };
}

let key = newKey();
let userInfoAlone = false;

function newProvider(issuer) {
  return new Provider(issuer, {
    jwks: { keys: [key] },
    clients: [
      client('tintype', { client_secret: 'a/secret+of:tests' }),
      client('another', { client_secret: 'another secret' }),
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'media'],
    claims: {
      openid: ['sub', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
    },
    // As most issuers do it, the ID token says what was asked for; or nothing but who they are.
    conformIdTokenClaims: userInfoAlone,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (context, client, oneOf) => (oneOf?.length ? oneOf[0] : undefined),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid email media',
          audience: AUDIENCE,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
        }),
      },
    },
    findAccount: (context, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    interactions: { url: (context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: [randomUUID()] },
    ttl: { AccessToken: 600, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
  });
}

async function readBody(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const FORM = `<!doctype html><html lang="en"><title>The other service</title>
<form method="post"><label>Who are you? <input name="login" autofocus></label>
<button>Continue</button> <button name="refuse" value="yes">Do not continue</button></form>`;

/** Asks who somebody is, unless that is known; whatever this server asks for is granted. */
async function interact(request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  const form = new URLSearchParams(request.method === 'POST' ? await readBody(request) : '');
  let result;
  if (form.get('refuse')) {
    result = { error: 'access_denied', error_description: 'They would not.' };
  } else if (prompt.name === 'login') {
    const login = form.get('login') || params.login_hint;
    if (!login) return response.setHeader('Content-Type', 'text/html').end(FORM);
    result = { login: { accountId: login, remember: false } };
  } else {
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    if (params.resource) grant.addResourceScope(params.resource, params.scope);
    result = { consent: { grantId: await grant.save() } };
  }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}

/** Whose a token is that the provider does not know. */
function userInfo(request, response) {
  const { sub } = JSON.parse(Buffer.from(bearerOf(request).split('.')[1], 'base64url'));
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...people.get(sub), sub }));
}

const bearerOf = (request) => request.headers.authorization?.replace('Bearer ', '') ?? '';

/** Who handles a request. */
function handlerOf(request) {
  const { url } = request;
  if (url === '/control') return control;
  if (url === '/me' && signed.has(bearerOf(request))) return userInfo;
  return url.startsWith('/interaction/') ? interact : provider.callback();
}

async function control(request, response) {
  const change = JSON.parse(await readBody(request));
  for (const [id, claims] of Object.entries(change.users ?? {})) people.set(id, claims);
  if (change.rotate) key = newKey();
  userInfoAlone = change.userinfo ?? userInfoAlone;
  if (change.rotate || change.forget || 'userinfo' in change) provider = newProvider(issuer);
  let token;
  if (change.sign) {
    const claims = new SignJWT({ iss: issuer, ...change.sign }).setIssuedAt();
    if (!('exp' in change.sign)) claims.setExpirationTime('10m');
    token = await claims.setProtectedHeader({ alg: key.alg, kid: key.kid }).sign(await importJWK(key));
    signed.add(token);
  }
  response.end(JSON.stringify({ token }));
}

const server = createServer((request, response) => {
  Promise.resolve(handlerOf(request)(request, response)).catch((error) => {
    console.error(error);
    response.statusCode ||= 500;
    response.end();
  });
});
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
let provider = newProvider(issuer);
console.log(issuer);
process.stdin.on('end', () => process.exit(0)).resume();
