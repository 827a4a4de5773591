// The page in a real browser, as a server of its own for each case serves it.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { readFileSync } from 'node:fs'
import { dirname, join as pathTo } from 'node:path'
import { startGallery } from '../../tests/e2e/support/gallery.mjs'
import { cameraExif, paint } from './pictures.mjs'
import {
  ADA, asDocument, asSound, asVideo, assertFits, bendAnswers, developed, drop, EMPTY_ZIP, logOut, openBrowser, openPage, photo,
  setLine, signUp, SPOKEN, tiles, undeveloped, until,
} from './support.mjs'

let browser, gallery, page
before(async () => (browser = await openBrowser()))
after(() => browser?.close())
beforeEach(() => begin())
afterEach(async () => {
  try {
    await page.assertClean()
  } finally {
    await page.context().close()
    await gallery.stop()
  }
})

/** Anybody may sign up, so that each case has somebody of its own; what invitations are like is in accounts.test.mjs. */
const OPEN = ['--sign-up', 'open']

async function begin() {
  gallery = await startGallery(...OPEN)
  page = await openPage(browser, `http://${gallery.address}`)
}

/** Where ./dev puts models, and photos for tests. */
const BUILD = dirname(dirname(process.env.TINTYPE_BIN ?? ''))

const uploads = () => page.getByRole('region', { name: 'Uploads' })
const viewer = () => page.getByRole('dialog')

/** Signs up an ordinary account: somebody else is the administrator, who has no limit. Answers it as a program sees it. */
async function join() {
  await gallery.signUpAdministrator()
  await page.reload()
  await page.getByRole('button', { name: 'Sign up' }).click()
  await signUp(page, ADA)
  return gallery.logIn(ADA)
}

async function joinWithOnePhoto() {
  const ada = await join()
  await drop(page, [photo('one.png', { seed: 1 })])
  await developed(page, 1)
  return ada
}

/** Signs up with so many photos, the newest of which has the highest number. */
async function joinWithPhotos(count) {
  const ada = await join()
  for (let n = 0; n < count; ++n) await ada.upload(paint({ width: 60, height: 40, seed: n + 1 }), `seed-${n}.png`)
  await page.reload()
  return ada
}

/** What happens when the access token, or the session, has come to its end: the browser drops the cookie. */
const expire = (name) => page.context().clearCookies({ name })

// The first account needs the setup token, and the second one does not see the field. It has no limit, so no number is
// shown. Both of its names log in.
test('signs up with the setup token, logs out and in', async () => {
  await page.getByRole('heading', { name: 'Sign up' }).waitFor()
  await page.getByLabel('Setup token').fill('wrong')
  await page.getByLabel('Email address').fill(ADA.email)
  await page.getByLabel('Username').fill(ADA.username)
  await page.getByLabel('Password').fill(ADA.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('The setup token is wrong').waitFor()
  assert.equal(await page.getByLabel('Username').inputValue(), ADA.username)
  await page.getByLabel('Setup token').fill(gallery.setupToken)
  const limit = page.waitForResponse((response) => response.url().endsWith('/me/limit'))
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Nothing here yet').waitFor()
  assert.deepEqual(await (await limit).json(), { limit: null, usedBytes: 0, quotaBytes: null })
  assert.equal(await page.locator('.limit').innerText(), '')

  await logOut(page)
  for (const name of [ADA.email, ` ${ADA.username.toUpperCase()} `]) {
    await page.getByLabel('Email or username').fill(name)
    await page.getByLabel('Password').fill('not this one')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('The name or the password is wrong.').waitFor()
    assert.equal(await page.getByLabel('Email or username').inputValue(), name)
    await page.getByLabel('Password').fill(ADA.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Nothing here yet').waitFor()
    await logOut(page)
  }
  await page.getByRole('button', { name: 'Sign up' }).click()
  assert.equal(await page.getByLabel('Setup token').count(), 0)
})

// Tiles stand in the grid while the server still develops, and become pictures without a reload.
test('drops two photos that develop in front of the eye', async () => {
  const ada = await join()
  const develop = await bendAnswers(page, /\/api\/v1\/images/, ({ items, ...rest }) =>
    (items ? { items: items.map(undeveloped), ...rest } : undeveloped(rest)))
  await drop(page, [photo('wide.png', { width: 600, height: 300, seed: 1 }), photo('größer.png', { width: 300, height: 400, seed: 2 })])
  await page.getByText('Developing…').nth(1).waitFor()
  await page.getByText('498 uploads left').waitFor()
  const ratioOf = (name) => page.locator('.tile', { has: page.getByLabel(name) }).evaluate((tile) => tile.offsetWidth / tile.offsetHeight)
  // The canvas of the local preview gives the place its ratio before the server knows it.
  await page.locator('.tile canvas').nth(1).waitFor()
  assert.ok(Math.abs((await ratioOf('wide.png')) - 2) < 0.1)
  await develop()
  await developed(page, 2)
  assert.equal(await uploads().count(), 0)
  assert.ok((await ada.images()).some((image) => image.originalFilename === 'größer.png'))
  assert.equal(await page.locator('.tile canvas').count(), 0)
})

// A slow upload shows how far it is, and can be stopped; the server never lists it.
test('shows progress and cancels', async () => {
  const ada = await join()
  await setLine(page, { bytesPerSecond: 2_000_000 })
  const large = photo('large.png', { width: 2000, height: 1400, seed: 3, level: 0 })
  await drop(page, [large])
  const bar = uploads().getByRole('progressbar', { name: 'Upload of large.png' })
  await bar.waitFor()
  await until(async () => {
    const value = await bar.evaluate((progress) => progress.value)
    return value > 0 && value < 1
  }, 'progress between 0 and 1')
  await uploads().getByRole('button', { name: 'Cancel large.png' }).click()
  await until(async () => (await uploads().count()) === 0, 'the panel goes')
  await until(async () => (await ada.limit()) === 500 && gallery.spooled().length === 0, 'the server gives the upload up')
  assert.deepEqual(await ada.images(), [])
})

// The server dies in the middle of a file: the upload says so, and goes on by itself where it was.
test('goes on after the line was cut', async () => {
  const ada = await join()
  await setLine(page, { bytesPerSecond: 200_000 })
  const large = photo('large.png', { width: 600, height: 400, seed: 3, level: 0 })
  await drop(page, [large])
  await until(() => gallery.spooled().some((id) => gallery.spooledBytes(id) > 50_000), 'a part of the file')
  const [upload] = gallery.spooled()
  const creations = []
  page.on('request', (request) => request.method() === 'POST' && creations.push(request.url()))
  await gallery.kill()
  await uploads().getByText('No connection. This goes on by itself.').waitFor()
  await setLine(page)
  await gallery.start()
  await developed(page, 1)
  const [image] = await ada.images()
  assert.deepEqual([image.id, creations], [upload, []])
  const original = await fetch(new URL(image.sizes.ORIGINAL, page.url()))
  assert.ok(large.bytes.equals(Buffer.from(await original.arrayBuffer())))
})

// No more than three bodies are on their way at once, and all arrive.
test('sends three at a time', async () => {
  await join()
  await setLine(page, { bytesPerSecond: 100_000 })
  await drop(page, [1, 2, 3, 4, 5].map((n) => photo(`p${n}.png`, { width: 200, height: 150, seed: n, level: 0 })))
  await uploads().getByText('Waiting').first().waitFor()
  assert.equal(await uploads().locator('li.sending').count(), 3)
  assert.equal(await uploads().locator('li.waiting').count(), 2)
  await setLine(page)
  await developed(page, 5)
})

// Each refusal is told in words beside its file; trying again works once the reason is gone.
test('explains failed uploads and retries', async () => {
  await gallery.restart(...OPEN, '--upload-mb', '1')
  await page.reload()
  await join()
  await drop(page, [
    photo('huge.png', { width: 900, height: 600, seed: 4, level: 0 }),
    { name: 'empty.txt', type: 'text/plain', bytes: Buffer.alloc(0) },
  ])
  await uploads().getByText('This file is too large for the server.').waitFor()
  await uploads().getByRole('button', { name: 'Dismiss empty.txt' }).waitFor()
  await gallery.restart(...OPEN, '--upload-mb', '10')
  await uploads().getByRole('button', { name: 'Try huge.png again' }).click()
  await developed(page, 1)
  await uploads().getByRole('button', { name: 'Clear' }).click()
  await until(async () => (await uploads().count()) === 0, 'the panel goes')
})

// Where nobody may sign up, nobody is asked to; and who has an account logs in.
test('says who makes accounts when sign-up is closed', async () => {
  await gallery.signUp(ADA.username)
  await gallery.restart('--sign-up', 'closed')
  await page.reload()
  await page.getByText('Ask the person who runs this server for one.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign up' }).count(), 0)
  await page.getByLabel('Email or username').fill(ADA.username)
  await page.getByLabel('Password').fill(ADA.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('500 uploads left').waitFor()
})

// The limit's end stops the files behind it too, and the header says so.
test('tells that the upload limit is used up', async () => {
  await gallery.restart(...OPEN, '--upload-limit', '1')
  await page.reload()
  await join()
  await page.getByText('1 upload left').waitFor()
  await drop(page, [1, 2, 3, 4, 5].map((n) => photo(`p${n}.png`, { width: 60, height: 40, seed: n })))
  await until(async () => (await uploads().getByText('ask the person who runs this server').count()) === 4, 'four refusals')
  await page.getByText('No uploads left').waitFor()
  await developed(page, 1)
})

// The same bytes again lead to the photo that is there.
test('recognises a duplicate', async () => {
  const ada = await joinWithOnePhoto()
  await drop(page, [photo('copy.png', { seed: 1 })])
  await uploads().getByText('You have this photo already.').waitFor()
  await uploads().getByRole('link', { name: 'Show it' }).click()
  await viewer().getByText('one.png').waitFor()
  assert.equal((await ada.images()).length, 1)
})

// A photo that cannot be developed says why.
test('shows why a photo failed', async () => {
  const ada = await join()
  await drop(page, [{ name: 'broken.gif', type: 'image/gif', bytes: Buffer.from('GIF89a'.padEnd(60, 'x')) }])
  const failed = await until(async () => (await ada.images()).find(({ processingStatus }) => processingStatus === 'failed'), 'the failure')
  assert.ok(failed.processingError.length > 10)
  await tiles(page).getByText(failed.processingError).waitFor()
})

// Titles and tags are saved with the version they were made on; readers hear the alternative text.
test('edits the details in the viewer', async () => {
  const ada = await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await viewer().getByLabel('Title').fill('Evening')
  await viewer().getByLabel('Alternative text').fill('Hills under a low sun')
  await viewer().getByLabel('Tags').fill('hills,  evening , hills')
  await viewer().getByRole('button', { name: 'Save' }).click()
  await viewer().getByText('Saved.').waitFor()
  const [image] = await ada.images()
  assert.deepEqual([image.title, image.tags, image.version], ['Evening', ['hills', 'evening'], 2])
  await page.keyboard.press('Escape')
  await tiles(page).getByRole('img', { name: 'Hills under a low sun' }).waitFor()
})

// Somebody else's change is shown, nothing is overwritten unseen, and nothing typed is lost.
test('shows the new state when the photo was changed meanwhile', async () => {
  const ada = await joinWithOnePhoto()
  const stored = async () => (await ada.images())[0]
  await tiles(page).getByRole('link').click()
  await viewer().getByLabel('Title').fill('Mine')
  await ada.change(await stored(), { title: 'Theirs', description: 'Changed elsewhere' })
  await viewer().getByRole('button', { name: 'Save' }).click()
  const conflict = viewer().getByRole('alert').filter({ hasText: 'Changed meanwhile.' })
  await conflict.getByText('Theirs').waitFor()
  assert.equal(await viewer().getByLabel('Title').inputValue(), 'Mine')
  assert.equal((await stored()).title, 'Theirs')
  await viewer().getByRole('button', { name: 'Save mine over it' }).click()
  await viewer().getByText('Saved.').waitFor()
  assert.equal((await stored()).title, 'Mine')

  await viewer().getByLabel('Title').fill('Mine again')
  await ada.change(await stored(), { title: 'Theirs again' })
  await viewer().getByRole('button', { name: 'Save' }).click()
  await conflict.getByRole('button', { name: 'Take the new state' }).click()
  assert.equal(await viewer().getByLabel('Title').inputValue(), 'Theirs again')
})

// Sharing puts a photo into everybody's feed, unsharing takes it out.
test('shares to the feed', async () => {
  await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await viewer().getByRole('button', { name: 'Share' }).click()
  await viewer().getByRole('button', { name: 'Unshare' }).waitFor()
  await page.keyboard.press('Escape')
  await tiles(page).getByText('Shared').waitFor()
  await page.getByRole('link', { name: 'Shared', exact: true }).click()
  const shared = page.getByRole('list', { name: 'Shared photos' })
  await shared.getByText('ada', { exact: true }).waitFor()
  await shared.getByRole('link').click()
  await viewer().getByText('ada', { exact: true }).waitFor()
  assert.ok(!(await page.content()).includes(ADA.email), 'an email address is for nobody else to see')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Photos', exact: true }).click()
  await tiles(page).getByRole('link').click()
  await viewer().getByRole('button', { name: 'Unshare' }).click()
  await viewer().getByText('Only you see this photo now.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Shared', exact: true }).click()
  await page.getByText('Nothing is shared yet').waitFor()
})

// Deleting is one click because undoing is one too; the photo comes back to its place.
test('deletes to the trash and undoes it', async () => {
  await joinWithPhotos(3)
  await developed(page, 3)
  const order = () => tiles(page).locator('a').evaluateAll((links) => links.map((link) => link.dataset.photo))
  const before = await order()
  await tiles(page).getByRole('link').nth(1).click()
  await viewer().getByRole('button', { name: 'Delete' }).click()
  await viewer().getByText('is in the trash').waitFor()
  await until(async () => (await order()).length === 2, 'the tile goes')
  await viewer().getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await order()).length === 3, 'the tile is back')
  assert.deepEqual(await order(), before)
})

const trash = () => page.getByRole('list', { name: 'Photos in the trash' }).getByRole('listitem')
const openTrash = () => page.getByRole('link', { name: 'Trash', exact: true }).click()

/** Signs up with so many photos, all of which are in the trash; the last of them came first. */
async function joinWithTrash(count) {
  const ada = await joinWithPhotos(count)
  for (const { id } of (await ada.images()).reverse()) {
    await ada.developed(id)
    assert.equal((await ada.send('DELETE', `/images/${id}`)).status, 202)
  }
  await page.reload()
  return ada
}

// The trash shows what is in it and for how long, gives it back, and deletes for good only after it has asked.
for (const width of [1280, 375]) {
  test(`opens the trash at ${width} pixels`, async () => {
    await page.setViewportSize({ width, height: 800 })
    const ada = await joinWithTrash(4)
    await openTrash()
    await until(async () => (await trash().getByText('30 days left').count()) === 4, 'four photos with their days')
    await page.getByText('Photos stay here for 30 days').waitFor()
    await developed(page, 4)
    const [wide, inside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    assert.ok(wide <= inside, `${wide} pixels wide`)
    for (const button of await trash().getByRole('button').all()) {
      const box = await button.boundingBox()
      assert.ok(box.width >= 38 && box.height >= 38 && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box))
    }

    // By keyboard; the focus goes on to the next photo.
    await trash().getByRole('button', { name: 'Restore seed-3.png' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('“seed-3.png” is back in your photos.').waitFor()
    await until(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'Restore seed-2.png'), 'the focus')
    assert.deepEqual((await ada.images()).map(({ originalFilename }) => originalFilename), ['seed-3.png'])

    await trash().getByRole('button', { name: 'Delete seed-2.png for good' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete “seed-2.png” for good?' })
    await asked.waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Cancel')
    await page.keyboard.press('Escape')
    assert.equal(await trash().count(), 3)
    await trash().getByRole('button', { name: 'Delete seed-2.png for good' }).click()
    await asked.getByRole('button', { name: 'Delete for good' }).click()
    await until(async () => (await trash().count()) === 2, 'the tile goes')
    await page.getByText('497 uploads left').waitFor()

    await page.getByRole('button', { name: 'Empty the trash' }).click()
    const emptying = page.getByRole('dialog', { name: 'Empty the trash?' })
    await emptying.getByText('2 photos are deleted for good.').waitFor()
    await emptying.getByRole('button', { name: 'Empty the trash' }).click()
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await page.getByText('499 uploads left').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await until(async () => (await tiles(page).count()) === 1, 'the photo that was restored')
  })
}

// More than a page of the trash is loaded as its end comes near, and emptied as a whole.
test('empties more than is loaded', async () => {
  const ada = await joinWithTrash(60)
  await openTrash()
  await until(async () => (await trash().count()) >= 40, 'the first page')
  await page.getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await until(async () => (await ada.limit()) === 500, 'all uploads are back')
})

// A photo that is uploaded again while it is in the trash comes back, and the page says so.
test('says that a photo came back from the trash', async () => {
  const ada = await joinWithOnePhoto()
  const [{ id }] = await ada.images()
  await tiles(page).getByRole('link').click()
  await viewer().getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing here yet').waitFor()
  await drop(page, [photo('copy.png', { seed: 1 })])
  await uploads().getByText('This photo was in the trash, and is back.').waitFor()
  await uploads().getByRole('link', { name: 'Show it' }).click()
  await viewer().getByText('one.png', { exact: true }).waitFor()
  assert.deepEqual((await ada.images()).map((image) => image.id), [id])
})

// Who is at the limit and has photos in the trash is told of them, and can go on once it is empty.
test('tells that emptying the trash gives uploads back', async () => {
  await gallery.restart(...OPEN, '--upload-limit', '1')
  await page.reload()
  const ada = await joinWithOnePhoto()
  const [{ id }] = await ada.images()
  await ada.send('DELETE', `/images/${id}`)
  await drop(page, [photo('more.png', { seed: 2 })])
  await uploads().getByText('emptying it gives uploads back').waitFor()
  await openTrash()
  await page.getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty the trash' }).click()
  await page.getByText('1 upload left').waitFor()
  await uploads().getByRole('button', { name: 'Try more.png again' }).click()
  await until(async () => (await ada.images()).some(({ originalFilename }) => originalFilename === 'more.png'), 'the photo')
})

// The viewer works without a mouse, and gives the focus back to the photo that was looked at last.
test('pages with the keyboard', async () => {
  await joinWithPhotos(3)
  await developed(page, 3)
  await tiles(page).getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await viewer().getByText('seed-2.png').waitFor()
  await page.keyboard.press('ArrowRight')
  await viewer().getByText('seed-1.png').waitFor()
  await viewer().getByLabel('Title').fill('typing')
  await page.keyboard.press('ArrowRight') // Moves the caret, not the photo.
  assert.equal(await viewer().getByText('seed-1.png').count(), 1)
  await page.keyboard.press('Escape')
  await until(() => page.evaluate(() => document.activeElement?.querySelector('img')?.alt === 'seed-1.png'), 'focus on the tile')
  await page.keyboard.press('Enter')
  assert.equal(await viewer().getByLabel('Title').inputValue(), 'typing')
})

// The edits arrive as operations in pixels, and the page follows the job to its end.
test('rotates and crops by a job', async () => {
  const ada = await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await viewer().getByRole('button', { name: 'Edit' }).click()
  await viewer().getByRole('button', { name: 'Rotate right' }).click()
  await viewer().getByRole('button', { name: 'Crop' }).click()
  await viewer().getByLabel('Left').fill('20')
  await viewer().getByLabel('Width').fill('200')
  await viewer().getByLabel('Width').press('Tab')
  const corner = await page.locator('.handle.se').boundingBox()
  await page.mouse.move(corner.x + 14, corner.y + 14)
  await page.mouse.down()
  await page.mouse.move(corner.x + 54, corner.y + 14, { steps: 4 })
  await page.mouse.up()
  assert.ok(Number(await viewer().getByLabel('Width').inputValue()) > 200)
  await viewer().getByRole('button', { name: 'Black and white' }).click()
  await viewer().getByRole('button', { name: 'Apply' }).click()
  await viewer().getByText('The edit is done.').waitFor()
  const { items: [job] } = await (await ada.send('GET', '/jobs')).json()
  const operations = JSON.parse(job.operations)
  assert.deepEqual(operations.map(({ op }) => op), ['rotate', 'crop', 'black_and_white'])
  assert.equal(operations[1].left, 20)
  assert.match(await viewer().locator('.picture img').last().getAttribute('src'), /revision=1/)
})

// An edit is opened again where it was left, and every picture comes back: by a button, by the list, and by undoing that.
test('goes back to the original', async () => {
  const ada = await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  const sizeShown = () => viewer().getByRole('region', { name: 'Facts' }).innerText()
  const shown = () => viewer().locator('.picture img').last().getAttribute('src')
  const isShown = (size, what) => until(async () => (await sizeShown()).includes(size), what)
  const original = await shown()
  const [{ id, fileSize }] = await ada.images()
  assert.equal(await viewer().getByRole('button', { name: 'Revert to original' }).count(), 0)
  assert.equal(await viewer().getByRole('region', { name: 'Versions' }).count(), 0)
  const edit = async (change) => {
    await viewer().getByRole('button', { name: 'Edit' }).click()
    await change()
    await viewer().getByRole('button', { name: 'Apply' }).click()
    await viewer().getByText('The edit is done.').waitFor()
    await viewer().getByRole('button', { name: 'Dismiss' }).click()
  }
  await edit(async () => {
    await viewer().getByRole('button', { name: 'Rotate right' }).click()
    await viewer().getByRole('button', { name: 'Crop' }).click()
    await viewer().getByLabel('Left').fill('20')
    await viewer().getByLabel('Width').fill('200')
    await viewer().getByLabel('Width').press('Tab')
  })
  await isShown('200 × ', 'the size of the edit')
  const { items: [newest] } = await (await ada.send('GET', `/images/${id}/versions`)).json()
  const kilobytes = (bytes) => (bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(bytes < 9950 ? 1 : 0)} KB`)
  await isShown(kilobytes(newest.fileSize), 'the bytes of the edit')
  assert.ok(!(await sizeShown()).includes(kilobytes(fileSize)), 'no bytes of the original')

  // The crop is there to be widened, in the picture that it was taken from.
  await edit(async () => {
    await until(async () => (await viewer().getByLabel('Width').inputValue()) === '200', 'the crop as it was left')
    assert.equal(await viewer().getByLabel('Left').inputValue(), '20')
    assert.ok(await viewer().getByRole('button', { name: 'Apply' }).isDisabled(), 'nothing has changed yet')
    await viewer().getByLabel('Width').fill('300')
    await viewer().getByLabel('Width').press('Tab')
  })
  await isShown('300 × ', 'the wider crop')
  const versions = viewer().getByRole('region', { name: 'Versions' }).getByRole('listitem')
  await until(async () => (await versions.count()) === 3, 'two edits and the upload')

  await viewer().getByRole('button', { name: 'Revert to original' }).click()
  await viewer().getByText('The photo is back to the original.').waitFor()
  await isShown(`600 × 400 · ${kilobytes(fileSize)}`, 'the size of the original')
  assert.equal(new URL(await shown(), page.url()).pathname, new URL(original, page.url()).pathname)
  assert.equal(await viewer().getByRole('button', { name: 'Revert to original' }).count(), 0)
  await viewer().getByRole('button', { name: 'Undo' }).click()
  await isShown('300 × ', 'the edit again')
  await viewer().getByRole('button', { name: 'Go back to version 1' }).click()
  await isShown('200 × ', 'the first edit')
  await versions.filter({ hasText: 'Back to version 1' }).waitFor()

  // An editor in which everything is undone goes back, too.
  await viewer().getByRole('button', { name: 'Edit' }).click()
  await viewer().getByRole('button', { name: 'Rotate left' }).click()
  await viewer().getByRole('button', { name: 'Crop' }).click()
  await viewer().getByRole('button', { name: 'Apply' }).click()
  await isShown('600 × 400', 'the original without a job')
  const { items } = await (await ada.send('GET', '/jobs')).json()
  assert.equal(items.length, 2)
})

// A failed job leaves the photo as it was and says why.
test('tells why an edit failed', async () => {
  await joinWithOnePhoto()
  await bendAnswers(page, /\/api\/v1\/jobs\//, (job) => (
    { ...job, status: 'FAILED', error: { code: 'TIMEOUT', message: 'The helper ran out of time', retryCount: 3 } }))
  await tiles(page).getByRole('link').click()
  await viewer().getByRole('button', { name: 'Edit' }).click()
  await viewer().getByRole('button', { name: 'Auto levels' }).click()
  await viewer().getByRole('button', { name: 'Apply' }).click()
  await viewer().getByText('The helper ran out of time').waitFor()
})

// An expired access token is renewed unseen: the request is simply repeated.
test('refreshes the session unseen', async () => {
  await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await expire('tintype_access')
  await viewer().getByLabel('Title').fill('Still here')
  await viewer().getByRole('button', { name: 'Save' }).click()
  await viewer().getByText('Saved.').waitFor()
  await expire('tintype_access')
  await page.reload()
  await viewer().getByText('one.png').waitFor()
})

// Tabs share the cookies: what one renews, the other takes over, and neither is thrown out.
test('goes on beside another tab', async () => {
  await joinWithOnePhoto()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByText('499 uploads left').waitFor()
  await expire('tintype_access')
  await other.reload() // Refreshes, which makes a new token that the first tab does not know.
  await other.getByText('499 uploads left').waitFor()
  await tiles(page).getByRole('link').click()
  await viewer().getByRole('button', { name: 'Share' }).click()
  await viewer().getByRole('button', { name: 'Unshare' }).waitFor()
  await page.keyboard.press('Escape')
  await drop(page, [photo('two.png', { seed: 2 })])
  await developed(page, 2)
  await expire('tintype_access')
  await other.reload()
  await other.getByText('498 uploads left').waitFor()
  await logOut(page)
})

// When only a log-in helps, the form comes over the page, and what was asked for is done afterwards.
test('keeps what was typed when the session has ended', async () => {
  const ada = await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await viewer().getByLabel('Title').fill('Typed before')
  await expire(/tintype_(access|refresh)/)
  await viewer().getByRole('button', { name: 'Save' }).click()
  const again = page.getByRole('dialog', { name: 'Log in again' })
  await again.getByLabel('Password').fill(ADA.password)
  await again.getByRole('button', { name: 'Log in' }).click()
  await page.locator('dialog.viewer').getByText('Saved.').waitFor()
  assert.equal((await ada.images())[0].title, 'Typed before')
})

// Pages load as the end comes near, each photo once; a page that failed can be asked for again.
test('scrolls through many photos', async () => {
  await joinWithPhotos(95)
  await until(async () => (await tiles(page).count()) >= 40, 'the first page')
  await page.route(/\/api\/v1\/images\?/, (route) => route.fulfill({ status: 503, headers: { 'x-bent': 'yes' } }), { times: 1 })
  await until(async () => {
    await page.mouse.wheel(0, 4000)
    const again = page.getByRole('button', { name: 'Try again' })
    if (await again.count()) await again.click()
    return (await tiles(page).count()) === 95
  }, 'all 95 tiles')
  const ids = await tiles(page).locator('a').evaluateAll((links) => links.map((link) => link.dataset.photo))
  assert.equal(new Set(ids).size, 95)
  assert.deepEqual(ids, [...ids].sort().reverse())
})

/** From now on photos are looked at, by the models that ./dev models brings. */
const useModels = () => gallery.restart(...OPEN, '--models-dir', pathTo(BUILD, 'models'))

const found = () => viewer().getByRole('region', { name: 'Found in the photo' })

// Things are named beside the photo, and outlined in it when they are pointed at; what was not looked for says why.
test('shows what was found in a photo', async () => {
  await useModels()
  const ada = await join()
  const { id } = await ada.upload(readFileSync(pathTo(BUILD, 'photos', 'chelsea.png')), 'cat.png')
  await ada.developed(id)
  await page.reload()
  await tiles(page).getByRole('link').click()
  const cat = found().getByRole('button', { name: 'Cat' })
  await cat.waitFor()
  const boxes = viewer().locator('.boxes rect')
  assert.equal(await boxes.count(), 0)
  await cat.click()
  assert.equal(await cat.getAttribute('aria-pressed'), 'true')
  assert.equal(await boxes.count(), 1)
  const [box, picture] = await Promise.all([boxes.boundingBox(), viewer().getByRole('img', { name: 'cat.png' }).boundingBox()])
  assert.ok(box.width > 0.3 * picture.width && box.x >= picture.x - 1 && box.x + box.width <= picture.x + picture.width + 1, JSON.stringify({ box, picture }))
  await cat.click()
  assert.equal(await boxes.count(), 0)
  await found().getByText('Looking for').waitFor({ state: 'detached' })
  await found().getByText('Not looked for').click()
  await found().getByText('Faces').waitFor()
  await found().getByText('This installation has no model for it.').first().waitFor()
})

// Text in a photo stands beside it, and can be copied.
test('shows the text in a photo', async () => {
  await useModels()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const ada = await join()
  const { id } = await ada.upload(readFileSync(pathTo(BUILD, 'photos', 'page.png')), 'page.png')
  await ada.developed(id)
  await page.reload()
  await tiles(page).getByRole('link').click()
  const text = found().getByLabel('Text in the photo')
  await text.waitFor()
  const lines = await text.innerText()
  assert.match(lines, /region/i)
  await found().getByRole('button', { name: 'Copy text' }).click()
  await found().getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), lines)
})

// Without models nothing is claimed of the photo, but why.
test('says what was not looked for', async () => {
  await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await found().getByText('Not looked for').click()
  await found().getByText('libonnxruntime.so.1 is missing').first().waitFor()
  assert.equal(await found().getByText('no text').count(), 0)
})

const SCREENS = { phone: { width: 375, height: 740 }, desk: { width: 1280, height: 800 } }

// Camera, exposure, date and place stand beside the photo, by the clock of the place; `i` opens and closes it.
for (const [screen, size] of Object.entries(SCREENS)) {
  test(`shows what the camera wrote (${screen})`, async () => {
    await page.setViewportSize(size)
    const ada = await join()
    const { id } = await ada.upload(paint({ seed: 1, exif: cameraExif() }), 'lake.png')
    await ada.developed(id)
    await page.reload()
    await tiles(page).getByRole('link').click()
    const facts = viewer().getByRole('region', { name: 'Facts' })
    await facts.getByText('ACME Box One · ACME 35mm F2').waitFor()
    assert.deepEqual(await facts.getByRole('list', { name: 'Exposure' }).getByRole('listitem').allTextContents(),
      ['f/2.8', '1/250 s', 'ISO 200', '35 mm'])
    await facts.getByText('47.5460° N, 9.6840° E').waitFor()
    await facts.getByText('398 m above the sea · Only you see this').waitFor()
    assert.match(await facts.innerText(), /14.*2026.*(15:12|3:12)/)
    await facts.getByText('Local time (UTC+01:00), from the camera').waitFor()
    await facts.getByText('600 × 400 · ').waitFor()

    const toggle = viewer().getByRole('button', { name: 'Details', exact: true })
    const seen = () => viewer().locator('.side').evaluate((side) => side.getBoundingClientRect().height * (side.checkVisibility() ? 1 : 0))
    const opened = screen === 'desk'
    assert.equal(await toggle.getAttribute('aria-expanded'), String(opened))
    const before = await seen()
    await page.keyboard.press('i')
    assert.equal(await toggle.getAttribute('aria-expanded'), String(!opened))
    assert.ok(opened ? (await seen()) === 0 : (await seen()) > before + 100, `${before}, then ${await seen()}`)
    if (screen === 'phone') assert.ok((await seen()) <= size.height * 0.61)
    await toggle.click()
    assert.equal(await seen(), before)
    if (screen === 'phone') await viewer().getByRole('button', { name: 'Show more' }).click()
    await viewer().getByLabel('Title').fill('')
    await viewer().getByLabel('Title').press('i')
    assert.equal(await viewer().getByLabel('Title').inputValue(), 'i')
    assert.ok((await seen()) > 0)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out sideways')
  })

  // A file that ends early is shown as far as it goes: the tile says so, the viewer why and what to do.
  test(`says that a file ends in the middle (${screen})`, async () => {
    await page.setViewportSize(size)
    const ada = await join()
    const whole = paint({ seed: 2, level: 0 })
    await drop(page, [{ name: 'torn.png', type: 'image/png', bytes: whole.subarray(0, whole.length / 2) }, photo('whole.png', { seed: 3 })])
    await developed(page, 2)
    const { processingWarning } = (await ada.images()).find(({ originalFilename }) => originalFilename === 'torn.png')
    assert.equal(processingWarning.code, 'truncated')
    assert.equal(await tiles(page).getByText('Incomplete').count(), 1)
    await tiles(page).getByRole('link', { name: 'torn.png Incomplete' }).click()
    await viewer().getByText(processingWarning.message).waitFor()
    assert.match(processingWarning.message, /^This file ends in the middle\. About 4\d % of the picture is there\. Upload the whole file\.$/)
    await page.keyboard.press('Escape')
    await tiles(page).getByRole('link', { name: 'whole.png' }).click()
    await viewer().getByText('whole.png').waitFor()
    assert.equal(await viewer().getByText('This file').count(), 0)
  })
}

// Which rendition a tile loads follows from how wide it is drawn, not from a guess.
test('loads panoramas sharp, and small tiles small', async () => {
  const ada = await join()
  for (const [name, options] of Object.entries({ wide: { width: 2600, height: 500 }, wider: { width: 3000, height: 320 }, usual: { width: 1500, height: 1000 } })) {
    const { id } = await ada.upload(paint({ ...options, seed: 4 }), `${name}.png`)
    await ada.developed(id)
  }
  await page.reload()
  await developed(page, 3)
  const chosen = () => page.locator('.tile img').evaluateAll((imgs) => Object.fromEntries(imgs.map((img) => {
    // As wide as it is drawn, cut off at both ends where it is wider than its tile.
    const drawn = Math.max(img.clientWidth, (img.clientHeight * img.naturalWidth) / img.naturalHeight)
    return [img.alt, { size: new URL(img.currentSrc).pathname.split('/').pop(), drawn }]
  })))
  const { 'wide.png': wide, 'wider.png': wider, 'usual.png': usual } = await until(async () => {
    const sizes = await chosen()
    return sizes['wide.png'].size === 'LARGE' && sizes
  }, 'a sharp panorama')
  assert.ok(wide.drawn > 1024 && wide.drawn <= 2048, `${wide.drawn} pixels`)
  assert.equal(wider.size, 'LARGE')
  assert.ok(usual.drawn < 512, `${usual.drawn} pixels`)
  assert.equal(usual.size, 'SMALL')
})

// Whatever the server keeps has a tile and a page, a picture or none.
test('keeps a file that has no preview', async () => {
  const ada = await join()
  assert.equal(await page.locator('.choose-files input').getAttribute('accept'), null)
  await drop(page, [{ name: 'backup of the letters.zip', type: 'application/zip', bytes: EMPTY_ZIP }])
  const tile = tiles(page).getByRole('link', { name: 'backup of the letters.zip ZIP · 22 bytes' })
  await tile.waitFor()
  const [image] = await ada.images()
  assert.equal(image.processingWarning.code, 'no-preview')
  await tile.click()
  await viewer().getByText(image.processingWarning.message).waitFor()
  assert.equal(await viewer().getByRole('button', { name: 'Edit' }).count(), 0)
  assert.equal(await viewer().locator('img').count(), 0)
  const [saved] = await Promise.all([page.waitForEvent('download'), viewer().getByRole('link', { name: 'Download' }).click()])
  assert.equal(saved.suggestedFilename(), 'backup of the letters.zip')
  assert.deepEqual(readFileSync(await saved.path()), EMPTY_ZIP)
})

const media = () => viewer().locator('video, audio')

// What was found in a video stands beside it with its times; keys play it, and words are followed while they are said.
for (const [screen, size] of Object.entries(SCREENS)) {
  test(`plays a video by its words (${screen})`, async () => {
    await page.setViewportSize(size)
    await joinWithPhotos(2)
    await developed(page, 2)
    await asVideo(page, 'seed-1.png')
    await page.reload()
    await developed(page, 2)
    await tiles(page).getByRole('link', { name: 'seed-1.png Video, 0:12' }).click()
    await until(() => media().evaluate((video) => video.tagName === 'VIDEO' && video.duration === 12), 'the length of the video')
    assert.match(await media().getAttribute('poster'), /LARGE/)
    assert.equal(await viewer().getByRole('button', { name: 'Edit' }).count(), 0)
    await viewer().getByRole('region', { name: 'Facts' }).getByText('0:12 · ').waitFor()
    const found = viewer().getByRole('region', { name: 'Found in the video' })
    await until(() => media().evaluate((video) => video.textTracks[0]?.kind === 'captions'), 'captions')
    await page.keyboard.press('c')
    await until(() => media().evaluate((video) => video.textTracks[0].cues?.[1]?.text !== undefined), 'the words of the captions')

    const at = () => media().evaluate((video) => video.currentTime)
    await found.getByRole('button', { name: 'Boat at 0:04' }).click()
    await until(async () => (await at()) === 4, 'the boat')
    await found.getByText('May show tobacco').waitFor()
    await found.getByText('People').waitFor()
    await found.getByText('Mood: positive').waitFor()
    const segments = found.getByRole('list', { name: 'What is said' }).getByRole('listitem')
    await segments.filter({ hasText: SPOKEN[2].transcript }).click()
    await until(async () => (await at()) === Number(SPOKEN[2].start_time), 'the third sentence')
    assert.equal(await segments.nth(2).getAttribute('aria-current'), 'true')
    await viewer().locator('.stage').focus()
    await page.keyboard.press('m')
    await page.keyboard.press('Space')
    await until(() => media().evaluate((video) => !video.paused && video.muted), 'it plays, and is not heard')
    await page.keyboard.press('Space')
    await until(() => media().evaluate((video) => video.paused), 'it stops')
    assert.ok(await viewer().evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth), 'nothing sticks out sideways')

    // In the player arrows move the time, elsewhere they go to the next one.
    await media().focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await media().count(), 1)
    await viewer().locator('.stage').focus()
    await page.keyboard.press('ArrowRight')
    await viewer().getByRole('img', { name: 'seed-0.png' }).waitFor()
    assert.equal(await media().count(), 0)
  })
}

// A sound is drawn, and its drawing is a way through it.
test('plays a sound by its waveform', async () => {
  await joinWithOnePhoto()
  await asSound(page, 'one.png')
  await page.reload()
  await tiles(page).getByRole('link', { name: 'one.png Sound, 0:12' }).click()
  await until(() => media().evaluate((audio) => audio.tagName === 'AUDIO' && audio.duration === 12), 'the length of the sound')
  const waveform = viewer().getByRole('slider', { name: 'Position' })
  const { width, height } = await waveform.boundingBox()
  await waveform.click({ position: { x: width / 2, y: height / 2 } })
  await until(async () => Math.abs((await media().evaluate((audio) => audio.currentTime)) - 6) < 0.1, 'the middle')
  assert.equal(await waveform.getAttribute('aria-valuetext'), '0:06 of 0:12')
  await page.keyboard.press('ArrowRight')
  await until(async () => (await media().evaluate((audio) => audio.currentTime)) > 10.5, 'five seconds more')
  const colours = await waveform.evaluate((canvas) => {
    const at = (part) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
      .slice(4 * (Math.floor(canvas.height / 2) * canvas.width + Math.floor((canvas.width * part) / 5) * 5)).slice(0, 3).join()
    return [at(0.2), at(0.98)]
  })
  assert.notEqual(colours[0], colours[1])
  assert.equal(await viewer().getByRole('list', { name: 'Things' }).count(), 0)
})

// A video that the server still prepares is shown as far as it is there, and plays without a reload.
test('says that a video is being made ready', async () => {
  await joinWithOnePhoto()
  await asVideo(page, 'one.png', { sizes: { PROXY: undefined }, playback: undefined })
  await page.reload()
  await tiles(page).getByRole('link', { name: 'one.png Video, 0:12' }).click()
  await viewer().getByText('Being made ready for playing…').waitFor()
  assert.equal(await media().count(), 0)
  await asVideo(page, 'one.png')
  await media().waitFor()
  assert.equal(await viewer().getByText('Being made ready').count(), 0)
})

// The first page is a picture; all of the words are there to be read and copied.
test('opens a document', async () => {
  await page.setViewportSize(SCREENS.phone)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await joinWithOnePhoto()
  await asDocument(page, 'one.png', 'Dear Ada,\n\fYours, Mira\n')
  await page.reload()
  await tiles(page).getByRole('link', { name: 'one.png Document, 2 pages' }).click()
  await viewer().getByRole('img', { name: 'one.png, page 1' }).waitFor()
  const open = viewer().getByRole('link', { name: 'Open' })
  assert.equal(await open.getAttribute('target'), '_blank')
  assert.match(await open.getAttribute('href'), /ORIGINAL/)
  assert.equal(await viewer().getByRole('button', { name: 'Edit' }).count(), 0)
  await viewer().getByRole('button', { name: 'Details', exact: true }).click()
  await viewer().getByText('Text of the document').click()
  const text = viewer().getByRole('region', { name: 'Text', exact: true })
  await text.getByText('Yours, Mira').waitFor()
  await text.getByRole('heading', { name: 'Page 2' }).waitFor()
  await viewer().locator('.document-text').getByRole('button', { name: 'Copy text' }).click()
  await viewer().getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Dear Ada,\n\nYours, Mira')
  await assertFits(page, 'a document')
})
