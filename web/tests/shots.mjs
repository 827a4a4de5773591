// node tests/shots.mjs FOLDER: a picture of every screen in light, dark and phone width, for people to look at. The server
// is the one that TINTYPE_BIN names.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startGallery } from '../../tests/e2e/support/gallery.mjs'
import { cameraExif, paint } from './pictures.mjs'
import {
  accountMenu, ADA, asDocument, asSound, asVideo, bendAnswers, drop, EMPTY_ZIP, openBrowser, openPage, photo, setLine, signUp, SPOKEN, undeveloped,
  until,
} from './support.mjs'

const folder = process.argv[2]
if (!folder) throw new Error('usage: node tests/shots.mjs FOLDER')
mkdirSync(folder, { recursive: true })

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  'phone-dark': { colorScheme: 'dark', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
}

const SHAPES = [[600, 400], [400, 600], [640, 360], [500, 500], [600, 400]]

/** 23 photos, the newest first. */
async function seed(ada) {
  const images = []
  for (let n = 22; n >= 0; --n) {
    const [width, height] = SHAPES[n % SHAPES.length]
    const { id } = await ada.upload(paint({ width, height, seed: n + 20, exif: cameraExif() }), `IMG_${2000 + n}.png`)
    images.unshift(await ada.developed(id))
    if (n % 3 !== 0) continue
    await ada.change(images[0], { title: `Walk ${n}`, tags: ['hills', 'evening'] })
    await ada.send('POST', `/images/${id}/share`)
  }
  return images
}

/** Settings and administration, with somebody else on the server. */
async function shootAccounts(page, ada, shot) {
  await ada.send('POST', '/users', { body: { email: 'mira@example.com', username: 'mira' } })
  await ada.send('POST', '/invitations', { body: { email: 'liv@example.com' } })
  await ada.send('POST', '/me/api-keys', { body: { name: 'Backup script', scopes: ['read'], expiresInDays: 365 } })
  await accountMenu(page).click()
  await shot('d-account-menu')
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByText('Backup script').waitFor()
  await shot('e-settings')
  await page.getByRole('button', { name: 'New API key' }).click()
  await shot('f-new-api-key')
  await page.keyboard.press('Escape')
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await page.getByText('mira@example.com').waitFor()
  await shot('g-users')
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByText('liv@example.com').waitFor()
  await shot('h-invitations')
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByText('created the account of mira').waitFor()
  await shot('i-audit')
}

/** Videos, sounds, documents and what has no preview: in the grid, and each by itself. */
async function shootAssets(page, ada, url, shot) {
  const viewer = page.locator('dialog.viewer')
  const named = {}
  for (const [n, name] of ['Evening on the lake.mp4', 'Waves.mp3', 'Sailing club, statutes.pdf', 'Not ready yet.mov'].entries()) {
    const { id } = await ada.upload(paint({ width: n === 2 ? 420 : 640, height: n === 2 ? 594 : 360, seed: 60 + n }), name)
    await ada.developed(id)
    named[name] = id
  }
  const { id: zip } = await ada.upload(EMPTY_ZIP, 'letters of the year 1987.zip')
  await ada.developed(zip)
  const ends = [
    await asVideo(page, 'Evening on the lake.mp4'), await asSound(page, 'Waves.mp3'),
    await asDocument(page, 'Sailing club, statutes.pdf', 'The club is called “Segelclub Lindau”.\fIts seat is Lindau.'),
    await asVideo(page, 'Not ready yet.mov', { sizes: { PROXY: undefined }, playback: undefined }),
  ]
  const open = async (id) => {
    await page.goto(`${url}/#/photo/${id}`)
    await page.reload()
  }
  await page.goto(`${url}/#/`)
  await page.reload()
  await page.locator('.tile .kind').nth(3).waitFor()
  await page.locator('.tile img').first().evaluate((img) => img.decode())
  await shot('j-every-type')
  await open(named['Evening on the lake.mp4'])
  await viewer.getByText(SPOKEN[1].transcript).click()
  await until(() => viewer.locator('video').evaluate((video) => video.currentTime > 1 && !video.seeking), 'the sentence')
  await shot('k-video')
  await viewer.getByText('Mood').scrollIntoViewIfNeeded()
  await shot('k-video-found')
  await open(named['Waves.mp3'])
  await viewer.getByRole('slider', { name: 'Position' }).click()
  await shot('l-sound')
  await open(named['Sailing club, statutes.pdf'])
  await viewer.locator('.picture img').last().evaluate((img) => img.decode())
  await shot('m-document')
  await open(named['Not ready yet.mov'])
  await viewer.getByText('Being made ready').waitFor()
  await shot('n-not-ready')
  await open(zip)
  await viewer.getByText('There is no preview').waitFor()
  await shot('o-no-preview')
  await page.goto(`${url}/#/`)
  for (const end of ends) end()
}

async function shoot(browser, look) {
  const gallery = await startGallery('--upload-limit', '120')
  const url = `http://${gallery.address}`
  const page = await openPage(browser, url, LOOKS[look])
  const shot = (name) => page.screenshot({ path: join(folder, `${name}-${look}.png`), animations: 'disabled' })
  const viewer = page.locator('dialog.viewer')

  await page.getByLabel('Setup token').waitFor()
  await shot('1-sign-up')
  await signUp(page, ADA, gallery.setupToken)
  await page.getByText('Nothing here yet').waitFor()
  await shot('2-empty')

  const ada = await gallery.logIn(ADA)
  const images = await seed(ada)
  await page.reload()
  await until(async () => (await page.locator('.tile img').count()) === images.length, 'the grid')
  await page.locator('.tile img').first().evaluate((img) => img.decode())
  await shot('3-grid')

  await ada.upload(paint({ seed: 90 }).subarray(0, 200), 'torn.png')
  const half = paint({ seed: 91, level: 0 })
  const { id: halfId } = await ada.upload(half.subarray(0, half.length * 0.6), 'half.png')
  await ada.developed(halfId)
  const develop = await bendAnswers(page, /\/api\/v1\/images\//, (image) =>
    (image.originalFilename === 'harbour.png' || image.originalFilename === 'boats.png' ? undeveloped(image) : image))
  await page.reload()
  await drop(page, [photo('harbour.png', { seed: 7, width: 300, height: 200 }), photo('boats.png', { seed: 8, width: 200, height: 280 })])
  await page.locator('.tile canvas').nth(1).waitFor()
  await setLine(page, { bytesPerSecond: 400_000 })
  await drop(page, [
    { name: 'holiday notes.txt', type: 'text/plain', bytes: Buffer.from('x') },
    photo('IMG_2001 copy.png', { seed: 7, width: 300, height: 200 }),
    ...[31, 32, 33, 34].map((n) => photo(`a-rather-long-name-of-a-photo-${n}.png`, { seed: n, width: 1200, height: 800, level: 0 })),
  ])
  await page.getByText('You have this photo already.').waitFor()
  await shot('4-uploads')
  await setLine(page)
  await develop()
  await page.reload()

  const [, , , shown] = images
  await page.goto(`${url}/#/photo/${shown.id}`)
  await viewer.locator('.picture img').last().evaluate((img) => img.decode())
  await shot('5-viewer')
  await page.keyboard.press('i')
  await shot('5-viewer-i')
  await page.keyboard.press('i')
  await page.goto(`${url}/#/photo/${halfId}`)
  await viewer.getByText('This file ends in the middle.').waitFor()
  await shot('5-viewer-torn')
  await page.goto(`${url}/#/photo/${shown.id}`)
  await viewer.locator('.picture img').last().evaluate((img) => img.decode())
  await viewer.getByLabel('Title').fill('Evening over the hills')
  await ada.change(await ada.image(shown.id), { title: 'Night over the hills', tags: ['night'] })
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
  await page.context().clearCookies()
  await viewer.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor()
  await shot('9-session-ended')
  await page.getByLabel('Password').fill(ADA.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('dialog', { name: 'Log in again' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Shared', exact: true }).click()
  await page.getByRole('list', { name: 'Shared photos' }).getByRole('img').nth(6).waitFor()
  await shot('a-feed')
  for (const { id } of images.slice(0, 7)) await ada.send('DELETE', `/images/${id}`)
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  await page.getByRole('list', { name: 'Photos in the trash' }).getByRole('img').nth(6).waitFor()
  await page.locator('.tile img').last().evaluate((img) => img.decode())
  await shot('b-trash')
  await page.getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByRole('dialog', { name: 'Empty the trash?' }).waitFor()
  await shot('c-empty-the-trash')
  await page.keyboard.press('Escape')
  await shootAccounts(page, ada, shot)
  await shootAssets(page, ada, url, shot)
  await page.assertClean()
  await page.context().close()
  await gallery.stop()
}

const browser = await openBrowser()
for (const look of Object.keys(LOOKS)) await shoot(browser, look)
await browser.close()
