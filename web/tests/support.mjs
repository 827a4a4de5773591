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
