// A stand-in for the server: the REST shapes that the page uses, in memory, able to fail on purpose.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal, Store } from './store.mjs'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/** What can be set when it is made, in `mock.settings` later, or by PATCH /mock/settings. */
export const DEFAULTS = {
  limit: 500,
  bytesMax: 50_000_000,
  developMilliseconds: 1500,
  /** Every photo fails to develop with this reason. */
  developError: '',
  jobMilliseconds: 1500,
  jobError: '',
  /** Reads uploads this slowly; 0 is as fast as they come. */
  uploadBytesPerSecond: 0,
  /** The line is cut when so many bytes of an upload have come, once; 0 is never. */
  cutUploadAt: 0,
  /** `{method, path, status, code, detail, times}`: the next `times` calls whose path holds `path` fail so. */
  failures: [],
}

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

const jsonOf = async (request) => JSON.parse((await bodyOf(request)).toString() || '{}')

function page(list, query, base, shape) {
  const limit = Number(query.get('limit') ?? 20)
  const from = Number(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || 0)
  const more = from + limit < list.length
  const lastEvaluatedKey = more ? Buffer.from(String(from + limit)).toString('base64url') : null
  return { part: list.slice(from, from + limit).map((image) => shape(image, base)), lastEvaluatedKey, hasMore: more }
}

const newestFirst = (a, b) => (a.uploadedAt === b.uploadedAt ? (a.id < b.id ? 1 : -1) : a.uploadedAt < b.uploadedAt ? 1 : -1)
const accountOf = ({ userId, email, username }) => ({ userId, email, username })

function startSession(context, user, status) {
  const session = context.store.openSession(user)
  context.response.setHeader('Set-Cookie', [
    `tintype_access=${session.access}; HttpOnly; SameSite=Strict; Path=/`,
    `tintype_refresh=${session.refresh}; HttpOnly; SameSite=Strict; Path=/api/v1/auth`,
  ])
  return { status, body: { user: accountOf(user), csrfToken: session.csrfToken } }
}

function metadataOf(request) {
  return Object.fromEntries((request.headers['upload-metadata'] ?? '').split(',').map((pair) => {
    const [name, value = ''] = pair.trim().split(' ')
    return [name, Buffer.from(value, 'base64').toString()]
  }))
}

function createUpload({ request, settings, store, user }) {
  const length = Number(request.headers['upload-length'])
  if (length > settings.bytesMax) throw new Refusal(413, 'RequestTooLarge', `The limit is ${settings.bytesMax} bytes`)
  const id = store.addUpload(user, { length, filename: metadataOf(request).filename ?? 'photo' })
  return { status: 201, headers: { Location: `/api/v1/uploads/${id}` } }
}

/** How far an upload is, and once it is whole, which image it has become. */
function describeUpload(upload, status) {
  const headers = { 'Upload-Offset': upload.bytes.length, 'Upload-Length': upload.length }
  if (upload.image) headers['X-Image-Id'] = upload.image.id
  if (upload.duplicate) headers['X-Image-Duplicate'] = 'true'
  return { status, headers }
}

async function appendUpload({ request, settings, store, user, id }) {
  const upload = store.uploadOf(user, id)
  if (Number(request.headers['upload-offset']) !== upload.bytes.length) throw new Refusal(409, 'WrongOffset', 'It is elsewhere')
  for await (const part of request) {
    upload.bytes = Buffer.concat([upload.bytes, part])
    if (settings.uploadBytesPerSecond) await new Promise((resolve) => setTimeout(resolve, (part.length / settings.uploadBytesPerSecond) * 1000))
    if (settings.cutUploadAt > 0 && upload.bytes.length >= settings.cutUploadAt) {
      settings.cutUploadAt = 0
      request.socket.destroy()
    }
  }
  store.completeUpload(user, upload)
  return describeUpload(upload, 204)
}

async function patch({ request, store, user, id, base }) {
  const image = store.imageOf(user, id)
  const match = request.headers['if-match']
  if (match === undefined) throw new Refusal(428, 'PreconditionRequired', 'If-Match is missing')
  const change = await jsonOf(request)
  if (match !== `"${image.version}"`) throw new Refusal(412, 'PreconditionFailed', 'The image has another version')
  store.changeImage(image, change)
  return { body: store.shown(image, base) }
}

function imageAction(change, options) {
  return ({ store, user, id, base }) => {
    const image = store.imageOf(user, id, options)
    store.changeImage(image, change)
    return { body: store.shown(image, base) }
  }
}

// `:id` stands for one part of a path. `open` routes need no session.
const ROUTES = [
  ['GET', '/auth/state', ({ store }) => ({ body: { setupRequired: store.users.size === 0 } }), 'open'],
  ['POST', '/auth/signup', async (context) => startSession(context, context.store.addUser(await jsonOf(context.request)), 201), 'open'],
  ['POST', '/auth/login', async (context) => startSession(context, context.store.login(await jsonOf(context.request)), 200), 'open'],
  ['POST', '/auth/refresh', (context) => {
    const session = [...context.store.sessions.values()].find(({ refresh }) => refresh !== undefined && refresh === context.cookies.tintype_refresh)
    if (!session) throw new Refusal(401, 'InvalidRefreshToken', 'Log in again')
    session.refresh = undefined // It works once.
    return startSession(context, session.user, 200)
  }, 'open'],
  ['POST', '/auth/logout', ({ store, session }) => {
    store.sessions.delete(session.access)
    return { status: 204 }
  }],
  ['GET', '/me', ({ user, session }) => ({ body: { ...accountOf(user), csrfToken: session.csrfToken } })],
  ['GET', '/me/limit', ({ user }) => ({ body: { limit: user.limit } })],
  ['POST', '/uploads', createUpload],
  ['HEAD', '/uploads/:id', ({ store, user, id }) => describeUpload(store.uploadOf(user, id), 200)],
  ['PATCH', '/uploads/:id', appendUpload],
  ['DELETE', '/uploads/:id', ({ store, user, id }) => {
    store.uploads.delete(store.uploadOf(user, id).id)
    return { status: 204 }
  }],
  ['GET', '/images', ({ store, user, query, base }) => {
    const own = [...store.images.values()].filter((image) => image.userId === user.userId && !image.trashed).sort(newestFirst)
    const { part, ...rest } = page(own, query, base, (image) => store.shown(image, base))
    return { body: { items: part, ...rest } }
  }],
  ['GET', '/images/:id', ({ store, user, id, base }) => ({ body: store.shown(store.imageOf(user, id), base) })],
  ['PATCH', '/images/:id', patch],
  ['DELETE', '/images/:id', ({ store, user, id }) => {
    store.imageOf(user, id, { trashed: true }).trashed = true
    return { status: 202, body: { id } }
  }],
  ['POST', '/images/:id/share', imageAction({ visibility: 'shared' })],
  ['POST', '/images/:id/unshare', imageAction({ visibility: 'private' })],
  ['POST', '/images/:id/restore', imageAction({ trashed: false }, { trashed: true })],
  ['GET', '/feed', ({ store, query, base }) => {
    const shared = [...store.images.values()].filter((image) => image.visibility === 'shared' && !image.trashed).sort(newestFirst)
    const { part, lastEvaluatedKey } = page(shared, query, base, (image) => store.shownInFeed(image, base))
    return { body: { images: part, lastEvaluatedKey } }
  }],
  ['POST', '/jobs', async ({ request, store, user }) => ({ status: 202, body: store.addJob(user, await jsonOf(request)) })],
  ['GET', '/jobs/:id', ({ store, id }) => {
    if (!store.jobs.has(id)) throw new Refusal(404, 'NotFound', 'No such job')
    return { body: store.jobs.get(id) }
  }],
].map(([method, path, handle, open]) => ({ method, pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`), handle, open }))

function authenticate(context) {
  const session = context.store.sessions.get(context.cookies.tintype_access)
  if (!session || session.expired) throw new Refusal(401, 'Unauthorized', 'Log in first')
  if (!['GET', 'HEAD'].includes(context.request.method) && context.request.headers['x-csrf-token'] !== session.csrfToken) {
    throw new Refusal(403, 'InvalidCsrfToken', 'X-CSRF-Token is missing or wrong')
  }
  Object.assign(context, { session, user: session.user })
}

function failOnPurpose({ settings, request, path }) {
  const failure = settings.failures.find(({ method, path: part, times = 1 }) =>
    times > 0 && (method ?? request.method) === request.method && path.includes(part))
  if (!failure) return
  failure.times = (failure.times ?? 1) - 1
  throw new Refusal(failure.status, failure.code, failure.detail)
}

async function answerApi(context) {
  failOnPurpose(context)
  for (const { method, pattern, handle, open } of ROUTES) {
    const match = method === context.request.method && pattern.exec(context.path)
    if (!match) continue
    if (!open) authenticate(context)
    return handle({ ...context, id: match[1] && decodeURIComponent(match[1]) })
  }
  throw new Refusal(404, 'NotFound', 'No such route')
}

function sendJson(response, status, type, body, headers = {}) {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', 'Tus-Resumable': '1.0.0', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

async function serveApi(context) {
  const { request, response } = context
  try {
    const { status = 200, body, headers } = await answerApi(context)
    sendJson(response, status, 'application/json', body, headers)
  } catch (error) {
    if (error.code === 'ECONNRESET') {
      context.store.canceled += 1 // The browser went away in the middle of its request.
      return
    }
    const { status = 500, code = 'Internal', message } = error
    if (!(error instanceof Refusal)) console.error(error)
    request.resume() // The browser reads no answer before its body is taken.
    sendJson(response, status, 'application/problem+json', { type: 'about:blank', title: code, status, detail: message, code, requestId: 'mock' })
  }
}

function serveMedia({ response, store, path }) {
  const image = store.images.get(path.split('/')[3])
  if (!image) return response.writeHead(404).end()
  response.writeHead(200, { 'Content-Type': image.mimeType, 'Cache-Control': 'private, max-age=3600' })
  response.end(image.bytes)
}

async function serveFile({ response, path }) {
  const name = path === '/' ? '/index.html' : normalize(path)
  try {
    const bytes = await readFile(join(DIST, name))
    response.writeHead(200, {
      'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': "default-src 'self'",
      'X-Content-Type-Options': 'nosniff',
    })
    response.end(bytes)
  } catch {
    response.writeHead(404).end('not found; was the page built?')
  }
}

function cookiesOf(request) {
  return Object.fromEntries((request.headers.cookie ?? '').split('; ').map((pair) => pair.split('=', 2)))
}

/** Starts a mock on loopback. Answers its address, its settings, its store, and how to stop it. */
export async function startMock({ port = 0, ...changed } = {}) {
  const settings = { ...structuredClone(DEFAULTS), ...changed }
  const store = new Store(settings)
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`)
    const context = { request, response, settings, store, query: url.searchParams, base: url.origin, path: url.pathname, cookies: cookiesOf(request) }
    if (url.pathname.startsWith('/api/v1/')) return serveApi({ ...context, path: url.pathname.slice('/api/v1'.length) })
    if (url.pathname.startsWith('/media/')) return serveMedia(context)
    if (url.pathname === '/mock/settings' && request.method === 'PATCH') {
      return sendJson(response, 200, 'application/json', Object.assign(settings, await jsonOf(request)))
    }
    return serveFile(context)
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${server.address().port}`, settings, store, stop }
}
