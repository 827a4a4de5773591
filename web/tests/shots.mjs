// node tests/shots.mjs FOLDER: a picture of every screen in light, dark and phone width, for people to look at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { paint } from '../mock/pictures.mjs'
import { startMock } from '../mock/server.mjs'
import { ADA, developed, drop, openBrowser, openPage, photo, signUp, until } from './support.mjs'

const folder = process.argv[2]
if (!folder) throw new Error('usage: node tests/shots.mjs FOLDER')
mkdirSync(folder, { recursive: true })

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  'phone-dark': { colorScheme: 'dark', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
}

function seed(store, user) {
  const shapes = [[600, 400], [400, 600], [640, 360], [500, 500], [600, 400]]
  for (let n = 0; n < 23; ++n) {
    const [width, height] = shapes[n % shapes.length]
    const uploadedAt = new Date(Date.UTC(2026, 4, 1) - n * 3_600_000).toISOString()
    const { image } = store.addImage(user, paint({ width, height, seed: n + 20 }), { filename: `IMG_${2000 + n}.png`, uploadedAt })
    store.develop(image)
    if (n % 3 === 0) Object.assign(image, { visibility: 'shared', title: `Walk ${n}`, tags: ['hills', 'evening'] })
  }
}

async function shoot(browser, look) {
  const mock = await startMock({ developMilliseconds: 60_000, jobMilliseconds: 60_000, uploadBytesPerSecond: 400_000, limit: 120 })
  const page = await openPage(browser, mock.url, LOOKS[look])
  const shot = (name) => page.screenshot({ path: join(folder, `${name}-${look}.png`), animations: 'disabled' })
  const viewer = page.locator('dialog.viewer')

  await page.getByLabel('Setup token').waitFor()
  await shot('1-sign-up')
  await signUp(page, ADA, mock.store.setupToken)
  await page.getByText('No photos yet').waitFor()
  await shot('2-empty')

  seed(mock.store, [...mock.store.users.values()][0])
  await page.reload()
  await until(async () => (await page.locator('.tile img').count()) === 23, 'the grid')
  await page.locator('.tile img').first().evaluate((img) => img.decode())
  await shot('3-grid')

  mock.settings.developError = 'The file ends too early: 4 of 9 parts are there.'
  const { image } = mock.store.addImage([...mock.store.users.values()][0], paint({ seed: 90 }), { filename: 'torn.png' })
  mock.store.develop(image)
  await page.reload()
  await drop(page, [photo('harbour.png', { seed: 7, width: 300, height: 200 }), photo('boats.png', { seed: 8, width: 200, height: 280 })])
  await page.locator('.tile canvas').nth(1).waitFor()
  await drop(page, [
    { name: 'holiday notes.txt', type: 'text/plain', bytes: Buffer.from('x') },
    photo('IMG_2001 copy.png', { seed: 7, width: 300, height: 200 }),
    ...[31, 32, 33, 34].map((n) => photo(`a-rather-long-name-of-a-photo-${n}.png`, { seed: n, width: 1200, height: 800, level: 0 })),
  ])
  await page.getByText('You have this photo already.').waitFor()
  await shot('4-uploads')
  await page.reload()

  await page.goto(`${mock.url}/#/photo/${[...mock.store.images.keys()][3]}`)
  await viewer.locator('.picture img').last().evaluate((img) => img.decode())
  await shot('5-viewer')
  await viewer.getByLabel('Title').fill('Evening over the hills')
  mock.store.changeImage([...mock.store.images.values()][3], { title: 'Night over the hills', tags: ['night'] })
  await viewer.getByRole('button', { name: 'Save' }).click()
  await viewer.getByText('Changed meanwhile.').scrollIntoViewIfNeeded()
  await shot('6-conflict')
  await viewer.getByRole('button', { name: 'Take the new state' }).click()
  await viewer.getByRole('button', { name: 'Edit' }).click()
  await viewer.getByRole('button', { name: 'Rotate right' }).click()
  await viewer.getByRole('button', { name: 'Crop' }).click()
  await until(() => viewer.locator('canvas').evaluate((canvas) => canvas.width > 300), 'the preview')
  await shot('7-editor')
  await page.keyboard.press('Escape')
  await viewer.getByRole('button', { name: 'Delete' }).click()
  await viewer.getByText('is in the trash').waitFor()
  await shot('8-deleted')
  mock.store.expire({ refreshToo: true }) // The next question after a developing photo meets it.
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor()
  await shot('9-session-ended')
  await page.getByLabel('Password').fill(ADA.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Shared', exact: true }).click()
  await developed(page, 7)
  await shot('a-feed')
  page.assertClean()
  await page.context().close()
  await mock.stop()
}

const browser = await openBrowser()
for (const look of Object.keys(LOOKS)) await shoot(browser, look)
await browser.close()
