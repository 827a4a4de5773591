// A browser on a page of its own, and the gestures that the tests share.
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'
import { paint } from '../mock/pictures.mjs'

const WAIT_MILLISECONDS = 15_000

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // Root has no sandbox; nothing here talks to anything but loopback.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  })
}

/** A fresh page (own cookies). `page.assertClean()` fails when a script threw, the content policy was broken, or the page asked
 * anybody else than the server, or `storage` if links to photos lead there. */
export async function openPage(browser, url, { storage, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MILLISECONDS)
  const faults = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (![url, storage ?? url, 'data:'].some((known) => request.url().startsWith(known))) faults.push(`asked ${request.url()}`)
  })
  page.assertClean = () => assert.deepEqual(faults, [])
  await page.goto(url)
  return page
}

export const ADA = { email: 'ada@example.com', username: 'ada', password: 'correct horse battery' }

export async function signUp(page, { email, username, password }, setupToken) {
  if (setupToken !== undefined) await page.getByLabel('Setup token').fill(setupToken)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('button', { name: 'Log out' }).waitFor()
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

/** Waits until `check` returns something true. */
export async function until(check, what) {
  const end = Date.now() + WAIT_MILLISECONDS
  while (!(await check())) {
    assert.ok(Date.now() < end, `never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
