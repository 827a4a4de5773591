// One photo's way through the page of the server that TINTYPE_URL names. TINTYPE_SETUP_TOKEN holds the token when it has
// no account yet, TINTYPE_STORAGE_URL the storage that its photos are had from.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { developed, drop, EMPTY_ZIP, logOut, openBrowser, openPage, photo, signUp, tiles, until } from './support.mjs'

const url = process.env.TINTYPE_URL
let browser, page
before(async () => {
  assert.ok(url, 'TINTYPE_URL has to name a server')
  browser = await openBrowser()
  page = await openPage(browser, url, { storage: process.env.TINTYPE_STORAGE_URL })
})
after(() => browser?.close())

// A name of its own each time, so that it can run twice against one server.
const name = `live${Date.now().toString(36)}`
const person = { email: `${name}@example.com`, username: name, password: 'correct horse battery' }
const viewer = () => page.getByRole('dialog')
const sizeShown = () => viewer().getByRole('region', { name: 'Facts' }).innerText()

test('one photo through the page', async (context) => {
  await context.test('sign up', async () => {
    const setup = (await (await fetch(`${url}/api/v1/auth/state`)).json()).setupRequired
    await page.getByRole('heading', { name: setup ? 'Sign up' : 'Log in' }).waitFor()
    if (!setup) await page.getByRole('button', { name: 'Sign up' }).click()
    await signUp(page, person, setup ? process.env.TINTYPE_SETUP_TOKEN : undefined)
    if (!setup) await page.getByText(/\d+ uploads left/).waitFor() // The first account has no limit.
  })
  await context.test('drop two photos and see them developed', async () => {
    const seed = Date.now() % 100_000 // Bytes that this server has never seen.
    await drop(page, [photo('first.png', { seed, width: 600, height: 400 }), photo('größte.png', { seed: seed + 1, width: 300, height: 450 })])
    await developed(page, 2)
  })
  await context.test('a file without a preview is kept', async () => {
    await drop(page, [{ name: 'letters.zip', type: 'application/zip', bytes: EMPTY_ZIP }])
    await page.getByRole('link', { name: 'letters.zip ZIP · 22 bytes' }).waitFor()
  })
  await context.test('title, tags and alternative text', async () => {
    await page.getByRole('img', { name: 'first.png' }).click()
    await viewer().getByLabel('Title').fill('First')
    await viewer().getByLabel('Tags').fill('hills, sun')
    await viewer().getByLabel('Alternative text').fill('Hills under the sun')
    await viewer().getByRole('button', { name: 'Save' }).click()
    await viewer().getByText('Saved.').waitFor()
  })
  await context.test('rotate', async () => {
    assert.match(await sizeShown(), /600 × 400/)
    await viewer().getByRole('button', { name: 'Edit' }).click()
    await viewer().getByRole('button', { name: 'Rotate right' }).click()
    const preview = viewer().getByRole('img', { name: 'Preview of the edit' })
    await until(async () => await preview.evaluate((canvas) => canvas.height > canvas.width), 'a preview that is turned')
    await viewer().getByRole('button', { name: 'Apply' }).click()
    await viewer().getByText('The edit is done.').waitFor()
    await until(async () => /400 × 600/.test(await sizeShown()), 'the turned size')
  })
  await context.test('share, and see it in the feed', async () => {
    await viewer().getByRole('button', { name: 'Share' }).click()
    await viewer().getByRole('button', { name: 'Unshare' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Shared', exact: true }).click()
    await page.getByRole('list', { name: 'Shared photos' }).getByRole('img', { name: 'Hills under the sun' }).first().waitFor()
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
  })
  await context.test('download the original', async () => {
    await page.getByRole('img', { name: 'größte.png' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), viewer().getByRole('link', { name: 'Original' }).click()])
    assert.equal(download.suggestedFilename(), 'größte.png')
    assert.equal(await download.failure(), null)
  })
  await context.test('delete and undo', async () => {
    await viewer().getByRole('button', { name: 'Delete' }).click()
    await until(async () => (await tiles(page).count()) === 2, 'the tile goes')
    await viewer().getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await tiles(page).count()) === 3, 'the tile is back')
    await page.keyboard.press('Escape')
  })
  await context.test('all of it is there after a reload', async () => {
    await page.reload()
    await developed(page, 2)
    await page.getByRole('img', { name: 'Hills under the sun' }).click()
    assert.equal(await viewer().getByLabel('Tags').inputValue(), 'hills, sun')
    await page.keyboard.press('Escape')
    await logOut(page)
  })
  await page.assertClean()
})
