// A browser on a page of its own, and the gestures that the tests share.
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'
import { ContractCheck } from '../../tests/e2e/support/contract.mjs'
import { paint } from './pictures.mjs'

const WAIT_MILLISECONDS = 15_000

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // Root has no sandbox; nothing here talks to anything but loopback.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  })
}

/** Compares what a page asks of the API, and what it is answered, with the contract, until the returned function is called. */
function checkCalls(page, url) {
  const check = new ContractCheck()
  const pending = []
  const take = async (response) => {
    const request = response.request()
    const [requestHeaders, headers, body] = await Promise.all([request.allHeaders(), response.allHeaders(), response.body()])
    const sent = requestHeaders['content-type'] === 'application/json' ? request.postDataBuffer() : null
    check.take({ method: request.method(), url: response.url(), requestHeaders, requestBody: sent ?? undefined, status: response.status(), headers, body })
  }
  page.on('response', (response) => {
    // An answer that nobody waited for has no body.
    if (response.url().startsWith(`${url}/api/`) && !response.headers()['x-bent']) pending.push(take(response).catch(() => undefined))
  })
  return async () => {
    await Promise.all(pending)
    await check.end()
  }
}

/** A fresh page (own cookies). `page.assertClean()` fails when a script threw, the content policy was broken, the page asked
 * anybody else than the server, `storage` if links to photos lead there, or `page.mayVisit`; or something that the contract
 * does not have.
 * `path` is what it opens. */
export async function openPage(browser, url, { storage, ...options } = {}, path = '/') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MILLISECONDS)
  const faults = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  page.on('request', (request) => {
    const known = [url, storage ?? url, page.mayVisit ?? url, 'data:', 'blob:']
    if (!known.some((place) => request.url().startsWith(place))) faults.push(`asked ${request.url()}`)
  })
  const endCheck = checkCalls(page, url)
  page.assertClean = async () => {
    await endCheck()
    assert.deepEqual(faults, [])
  }
  await page.goto(`${url}${path}`)
  return page
}

export const ADA = { email: 'ada@example.com', username: 'ada', password: 'correct horse battery' }

export async function signUp(page, { email, username, password }, setupToken) {
  if (setupToken !== undefined) await page.getByLabel('Setup token').fill(setupToken)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await accountMenu(page).waitFor()
}

/** The button of the signed-in person's menu. */
export const accountMenu = (page) => page.getByRole('button', { name: /^Account: / })

export async function logIn(page, { email, password }) {
  await page.getByLabel('Email or username').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await accountMenu(page).waitFor()
}

export async function logOut(page) {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
}

/** Nothing on the page sticks out sideways. */
export async function assertFits(page, what) {
  const [wide, inside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.ok(wide <= inside, `${what}: ${wide} pixels wide`)
}

/** A painted photo as a file to drop. */
export function photo(name, options = {}) {
  return { name, type: 'image/png', bytes: paint(options) }
}

/** Drops files on the middle of the page, as a person does who drags them from a folder. */
export async function drop(page, files) {
  const encoded = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }))
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer()
    for (const { name, type, base64 } of list) {
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }))
    }
    return data
  }, encoded)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer: transfer })
}

export const tiles = (page) => page.getByRole('list', { name: 'Your photos' }).getByRole('listitem')

/** Waits until so many tiles show developed pictures. */
export async function developed(page, count) {
  await page.waitForFunction(
    (want) => [...document.querySelectorAll('.tile.completed img')].filter((img) => img.complete && img.naturalWidth > 0).length === want,
    count,
  )
}

/** Sends no faster than so many bytes a second; without a number as fast as it goes. */
export async function setLine(page, { bytesPerSecond = -1 } = {}) {
  page.line ??= await page.context().newCDPSession(page)
  await page.line.send('Network.enable')
  await page.line.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond })
}

/** Changes the JSON of each answer of the API to GETs that `matches` before the page sees it, until the returned function is called. */
export async function bendAnswers(page, matches, bend) {
  const answer = async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    return route.fulfill({ response, json: bend(await response.json()), headers: { ...response.headers(), 'x-bent': 'yes' } })
  }
  // A page that is loaded again meanwhile waits for no answer.
  const handler = (route) => answer(route).catch(() => undefined)
  await page.route(matches, handler)
  return () => page.unroute(matches, handler)
}

/** As the server shows a photo that it has not developed. */
export function undeveloped({ sizes, blurhash, ...image }) {
  return { ...image, processingStatus: 'processing', width: 0, height: 0 }
}

/** Waits until `check` returns something true, and returns that. */
export async function until(check, what) {
  const end = Date.now() + WAIT_MILLISECONDS
  for (;;) {
    const found = await check()
    if (found) return found
    assert.ok(Date.now() < end, `never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** Answers an address in the server's place. */
function answerWith(page, matches, { json, body = JSON.stringify(json), type = 'application/json' }) {
  return page.route(matches, (route) => route.fulfill({ body, contentType: type, headers: { 'x-bent': 'yes' } }).catch(() => undefined))
}

/** Nothing in a zip: no preview of it is possible. */
export const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])

/** A tone of so many seconds that comes and goes, as WAV, which every browser plays. */
function tone(seconds, rate = 8000) {
  const samples = Buffer.from(Array.from({ length: seconds * rate }, (_, n) =>
    128 + Math.round(90 * Math.sin((n / rate) * 2 * Math.PI * 220) * Math.abs(Math.sin((n / rate) * 1.3)))))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

const SECONDS = 12
const PLAYED = '/media/bent/PROXY'

/** What somebody says in it, as Amazon Transcribe has it. */
export const SPOKEN = [
  ['0.5', '2.5', 'Look, now it touches the water.'], ['2.8', '4.6', 'Every minute another colour.'],
  ['5.0', '7.2', 'How late was it when we left the island?'], ['7.4', '9.4', 'We took the boat back to Lindau.'],
  ['9.6', '10.6', 'The last one, nearly missed it.'], ['10.8', '11.8', 'Next year we stay the night.'],
].map(([start_time, end_time, transcript], id) => ({ id, transcript, start_time, end_time }))

const VTT = `WEBVTT\n\n${SPOKEN.map(({ transcript, start_time, end_time }) =>
  `${[start_time, end_time].map((time) => `00:${Number(time).toFixed(3).padStart(6, '0')}`).join(' --> ')}\n${transcript}\n`).join('\n')}`

const WAVEFORM = {
  version: 2, channels: 1, sample_rate: 1000, samples_per_pixel: 20, bits: 8, length: 600,
  data: Array.from({ length: 600 }, (_, n) => Math.round(110 * Math.abs(Math.sin(n / 40)) * (0.6 + 0.4 * Math.sin(n * 7.3)))).flatMap((peak) => [-peak, peak]),
}

const DONE = { status: 'COMPLETED' }
const BOX = { Left: 0.1, Top: 0.1, Width: 0.3, Height: 0.4 }
const label = (Timestamp, Name) => ({ Timestamp, Label: { Name, Confidence: 91, Instances: [{ BoundingBox: BOX, Confidence: 91 }], Parents: [] } })
const RESULTS = {
  'rekognition.label': { Labels: [label(0, 'Person'), label(2000, 'Person'), label(4000, 'Boat'), label(6000, 'Bench'), label(8000, 'Boat'), label(10_000, 'Person')] },
  'rekognition.text': { TextDetections: [{ Timestamp: 4000, TextDetection: { DetectedText: 'MS LINDAU', Type: 'LINE', Id: 0, Confidence: 97, Geometry: { BoundingBox: BOX, Polygon: [] } } }] },
  'rekognition.moderation': { ModerationLabels: [{ Timestamp: 6000, ModerationLabel: { Name: 'Tobacco', Confidence: 74, ParentName: '' } }] },
  transcribe: { jobName: '1', status: 'COMPLETED', results: { language_code: 'en', transcripts: [], items: [], audio_segments: SPOKEN } },
  'comprehend.keyphrase': { KeyPhrases: [{ Text: 'last boat', Score: 1 }, { Text: 'next year', Score: 0.8 }, { Text: 'another colour', Score: 0.5 }] },
  'comprehend.entity': { Entities: [{ Text: 'Lindau', Type: 'LOCATION', Score: 0.9 }, { Text: 'Mira', Type: 'PERSON', Score: 0.8 }, { Text: 'next year', Type: 'DATE', Score: 0.7 }] },
  'comprehend.sentiment': { Sentiment: 'POSITIVE', SentimentScore: { Positive: 0.42, Negative: 0.1, Neutral: 0.48, Mixed: 0 }, Method: 'AFINN-165 lexicon with negation' },
}

/** Serves the tone by ranges, as the server does. */
async function serveTone(page) {
  const bytes = tone(SECONDS)
  await page.route(`**${PLAYED}`, (route) => {
    const [, first = '0', last] = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers().range ?? '') ?? []
    const end = last ? Number(last) : bytes.length - 1
    return route.fulfill({
      status: 206, body: bytes.subarray(Number(first), end + 1), contentType: 'audio/wav',
      headers: { 'accept-ranges': 'bytes', 'content-range': `bytes ${first}-${end}/${bytes.length}` },
    }).catch(() => undefined)
  })
}

/** Has the page see an image as another asset of which those kinds were analysed, until the returned function is called. */
async function seeAs(page, name, change, kinds) {
  if (page.seen === undefined) {
    // One for all: an answer is bent once.
    page.seen = new Map()
    const bend = (image) => {
      const as = page.seen.get(image.originalFilename)
      if (as) as.id = image.id
      return as ? { ...image, ...as.change(image) } : image
    }
    await bendAnswers(page, /\/api\/v1\/images/, (answer) => (answer.items ? { ...answer, items: answer.items.map(bend) } : bend(answer)))
    await bendAnswers(page, /\/analysis$/, (record) => {
      const as = [...page.seen.values()].find(({ id }) => id === record.uuid)
      return as ? { ...record, data: dataOf(as.kinds) } : record
    })
    for (const [kind, json] of Object.entries(RESULTS)) await answerWith(page, new RegExp(`/analysis/${kind}$`), { json })
  }
  page.seen.set(name, { change, kinds })
  return () => page.seen.delete(name)
}

/** A record's part in which each kind was done. */
function dataOf(kinds) {
  const data = {}
  for (const kind of kinds) {
    const [service, part] = kind.split('.')
    data[service] = part === undefined ? DONE : { ...data[service], [part]: DONE }
  }
  return data
}

const WORDS = ['comprehend.keyphrase', 'comprehend.entity', 'comprehend.sentiment']

/** Shows the photo of that name as a video of twelve seconds in which somebody speaks. */
export async function asVideo(page, name, { sizes = {}, ...more } = {}) {
  await serveTone(page)
  await answerWith(page, /\/captions$/, { body: VTT, type: 'text/vtt' })
  return seeAs(page, name, (image) => ({
    assetType: 'VIDEO', duration: SECONDS, playback: 'proxy', sizes: image.sizes && { ...image.sizes, POSTER: image.sizes.LARGE, PROXY: PLAYED, ...sizes }, ...more,
  }), ['rekognition.label', 'rekognition.text', 'rekognition.moderation', 'transcribe', ...WORDS])
}

export async function asSound(page, name) {
  await serveTone(page)
  await answerWith(page, /\/captions$/, { body: VTT, type: 'text/vtt' })
  await answerWith(page, /\/waveform$/, { json: WAVEFORM })
  return seeAs(page, name, (image) => ({
    assetType: 'AUDIO', duration: SECONDS, playback: 'proxy', width: 1600, height: 900, sizes: image.sizes && { ...image.sizes, PROXY: PLAYED },
  }), ['transcribe', ...WORDS])
}

/** Shows the photo of that name as a document with that text. */
export async function asDocument(page, name, text) {
  await answerWith(page, /\/media\/[^/]+\/text$/, { body: text, type: 'text/plain' })
  return seeAs(page, name, () => ({ assetType: 'DOCUMENT', pages: text.split('\f').length, mimeType: 'application/pdf' }), WORDS)
}
