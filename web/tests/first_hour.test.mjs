// The first hour of a new user, in a real browser on a server of their own: from the setup token to an edit that is taken
// back and a trash that is emptied, on a phone and on a desk. TINTYPE_SHOTS names a folder for pictures of each step.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startGallery } from '../../tests/e2e/support/gallery.mjs'
import { cameraExif, paint } from './pictures.mjs'
import { ADA, developed, drop, logOut, openBrowser, openPage, signUp, tiles, until } from './support.mjs'

const folder = process.env.TINTYPE_SHOTS
if (folder) mkdirSync(folder, { recursive: true })

let browser
before(async () => (browser = await openBrowser()))
after(() => browser?.close())

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

for (const [width, height] of [[375, 740], [1280, 800]]) {
  test(`the first hour at ${width} pixels`, async () => {
    const gallery = await startGallery()
    const page = await openPage(browser, `http://${gallery.address}`, { viewport: { width, height } })
    const viewer = page.getByRole('dialog')
    let step = 0
    const look = async (name) => {
      const [wide, inside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      assert.ok(wide <= inside, `${name}: ${wide} pixels wide`)
      step += 1
      if (folder) await page.screenshot({ path: join(folder, `${width}-${String(step).padStart(2, '0')}-${name}.png`), animations: 'disabled' })
    }
    try {
      await page.getByRole('heading', { name: 'Sign up' }).waitFor()
      await look('sign-up')
      await signUp(page, ADA, gallery.setupToken)
      await page.getByText('Nothing here yet').waitFor()
      await look('empty')

      const lake = paint({ width: 600, height: 400, seed: 1, exif: cameraExif() })
      await drop(page, [
        { name: 'lake.png', type: 'image/png', bytes: lake },
        { name: 'hills.png', type: 'image/png', bytes: paint({ width: 400, height: 600, seed: 2 }) },
        { name: 'panorama.png', type: 'image/png', bytes: paint({ width: 1600, height: 300, seed: 3 }) },
      ])
      await developed(page, 3)
      await look('library')

      // Out and in again, by the name that one remembers.
      await logOut(page)
      await page.getByLabel('Email or username').fill(ADA.username)
      await page.getByLabel('Password').fill(ADA.password)
      await page.getByRole('button', { name: 'Log in' }).click()
      await developed(page, 3)

      await tiles(page).getByRole('link', { name: 'lake.png' }).click()
      const facts = viewer.getByRole('region', { name: 'Facts' })
      await facts.getByText('ACME Box One').waitFor()
      await look('viewer')
      const openSide = async () => {
        const toggle = viewer.getByRole('button', { name: 'Details', exact: true })
        if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click()
      }
      await openSide()
      await look('details')

      const ada = await gallery.logIn(ADA)
      const original = async () => {
        const { sizes } = (await ada.images()).find(({ originalFilename }) => originalFilename === 'lake.png')
        const answer = await fetch(new URL(sizes.ORIGINAL, page.url()))
        return sha256(Buffer.from(await answer.arrayBuffer()))
      }
      await viewer.getByRole('button', { name: 'Edit' }).click()
      await viewer.getByRole('button', { name: 'Rotate right' }).click()
      await viewer.getByRole('button', { name: 'Black and white' }).click()
      await look('editor')
      await viewer.getByRole('button', { name: 'Apply' }).click()
      await viewer.getByText('The edit is done.').waitFor()
      await until(async () => (await facts.innerText()).includes('400 × 600'), 'the size of the edit')
      await look('edited')
      assert.equal(await original(), sha256(lake), 'the original is what was uploaded')

      await openSide()
      await viewer.getByRole('button', { name: 'Revert to original' }).click()
      await until(async () => (await facts.innerText()).includes('600 × 400'), 'the size of the original')
      await look('reverted')
      assert.equal(await original(), sha256(lake))

      await openSide()
      await viewer.getByRole('button', { name: 'Delete' }).click()
      await viewer.getByText('is in the trash').waitFor()
      await page.keyboard.press('Escape')
      await until(async () => (await tiles(page).count()) === 2, 'the tile goes')
      await page.getByRole('link', { name: 'Trash', exact: true }).click()
      await page.getByText('30 days left').waitFor()
      await look('trash')
      await page.getByRole('button', { name: 'Empty the trash' }).click()
      await look('asked')
      await page.getByRole('dialog', { name: 'Empty the trash?' }).getByRole('button', { name: 'Empty the trash' }).click()
      await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
      await look('emptied')
      await until(async () => (await ada.send('GET', '/images?state=trashed').then((answer) => answer.json())).items.length === 0, 'nothing is left')
      await page.getByRole('link', { name: 'Photos', exact: true }).click()
      await developed(page, 2)
      await page.assertClean()
    } finally {
      await page.context().close()
      await gallery.stop()
    }
  })
}
