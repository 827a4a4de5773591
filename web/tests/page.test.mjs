// The page in a real browser against the mock, whose answers can be bent for each case.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { paint } from '../mock/pictures.mjs'
import { startMock } from '../mock/server.mjs'
import { ADA, developed, drop, openBrowser, openPage, photo, signUp, tiles, until } from './support.mjs'

let browser, mock, page
before(async () => (browser = await openBrowser()))
after(() => browser?.close())
beforeEach(async () => {
  mock = await startMock({ developMilliseconds: 150, jobMilliseconds: 200 })
  page = await openPage(browser, mock.url)
})
afterEach(async () => {
  try {
    page.assertClean()
  } finally {
    await page.context().close()
    await mock.stop()
  }
})

const uploads = () => page.getByRole('region', { name: 'Uploads' })
const viewer = () => page.getByRole('dialog')
const join = () => signUp(page, ADA, mock.store.setupToken)
const ada = () => [...mock.store.users.values()][0]
const seeded = (count) => {
  for (let n = 0; n < count; ++n) {
    const uploadedAt = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()
    mock.store.addImage(ada(), paint({ width: 60, height: 40, seed: n + 1 }), { filename: `seed-${n}.png`, uploadedAt })
  }
}

async function joinWithOnePhoto() {
  await join()
  await drop(page, [photo('one.png', { seed: 1 })])
  await developed(page, 1)
}

// The first account needs the setup token, and the second one does not see the field.
test('signs up with the setup token, logs out and in', async () => {
  await page.getByRole('heading', { name: 'Sign up' }).waitFor()
  await page.getByLabel('Setup token').fill('wrong')
  await page.getByLabel('Email address').fill(ADA.email)
  await page.getByLabel('Username').fill(ADA.username)
  await page.getByLabel('Password').fill(ADA.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('The setup token is wrong').waitFor()
  assert.equal(await page.getByLabel('Username').inputValue(), ADA.username)
  await page.getByLabel('Setup token').fill(mock.store.setupToken)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('500 uploads left').waitFor()
  await page.getByText('No photos yet').waitFor()

  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.getByLabel('Email address').fill(ADA.email)
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('The email address or the password is wrong.').waitFor()
  assert.equal(await page.getByLabel('Email address').inputValue(), ADA.email)
  await page.getByLabel('Password').fill(ADA.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('No photos yet').waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Sign up' }).click()
  assert.equal(await page.getByLabel('Setup token').count(), 0)
})

// Tiles stand in the grid while the server still develops, and become pictures without a reload.
test('drops two photos that develop in front of the eye', async () => {
  mock.settings.developMilliseconds = 1_500
  await join()
  await drop(page, [photo('wide.png', { width: 600, height: 300, seed: 1 }), photo('größer.png', { width: 300, height: 400, seed: 2 })])
  await page.getByText('Developing…').nth(1).waitFor()
  await page.getByText('498 uploads left').waitFor()
  const ratioOf = (name) => page.locator('.tile', { has: page.getByLabel(name) }).evaluate((tile) => tile.offsetWidth / tile.offsetHeight)
  // The canvas of the local preview gives the place its ratio before the server knows it.
  await page.locator('.tile canvas').nth(1).waitFor()
  assert.ok(Math.abs((await ratioOf('wide.png')) - 2) < 0.1)
  await developed(page, 2)
  assert.equal(await uploads().count(), 0)
  assert.ok([...mock.store.images.values()].some((image) => image.originalFilename === 'größer.png'))
  assert.equal(await page.locator('.tile canvas').count(), 0)
})

// A slow upload shows how far it is, and can be stopped; the server never lists it.
test('shows progress and cancels', async () => {
  mock.settings.uploadBytesPerSecond = 4_000_000
  await join()
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
  await until(() => mock.store.canceled === 1, 'the request ends')
  assert.equal(mock.store.images.size, 0)
})

// The line is cut in the middle of a file: the upload says so, and goes on by itself where it was.
test('goes on after the line was cut', async () => {
  mock.settings.cutUploadAt = 200_000
  await join()
  const large = photo('large.png', { width: 600, height: 400, seed: 3, level: 0 })
  await drop(page, [large])
  await uploads().getByText('No connection. This goes on by itself.').waitFor()
  await developed(page, 1)
  const [upload] = mock.store.uploads.values()
  assert.equal(mock.store.uploads.size, 1)
  assert.ok(upload.bytes.equals(large.bytes))
})

// No more than three bodies are on their way at once, and all arrive.
test('sends three at a time', async () => {
  mock.settings.uploadBytesPerSecond = 300_000
  await join()
  await drop(page, [1, 2, 3, 4, 5].map((n) => photo(`p${n}.png`, { width: 200, height: 150, seed: n, level: 0 })))
  await uploads().getByText('Waiting').first().waitFor()
  assert.equal(await uploads().locator('li.sending').count(), 3)
  assert.equal(await uploads().locator('li.waiting').count(), 2)
  await developed(page, 5)
})

// Each refusal is told in words beside its file; trying again works once the reason is gone.
test('explains failed uploads and retries', async () => {
  mock.settings.bytesMax = 100_000
  await join()
  await drop(page, [
    photo('huge.png', { width: 400, height: 300, seed: 4, level: 0 }),
    { name: 'fake.jpg', type: 'image/jpeg', bytes: Buffer.from('no image at all') },
    { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('words') },
  ])
  await uploads().getByText('This file is too large for the server.').waitFor()
  await until(async () => (await uploads().getByText('not a photo that can be developed').count()) === 2, 'both are refused')
  mock.settings.bytesMax = 10_000_000
  await uploads().getByRole('button', { name: 'Try huge.png again' }).click()
  await developed(page, 1)
  await uploads().getByRole('button', { name: 'Clear' }).click()
  await until(async () => (await uploads().count()) === 0, 'the panel goes')
})

// The limit's end stops the files behind it too, and the header says so.
test('tells that the upload limit is used up', async () => {
  mock.settings.limit = 1
  await join()
  await page.getByText('1 upload left').waitFor()
  await drop(page, [1, 2, 3, 4, 5].map((n) => photo(`p${n}.png`, { width: 60, height: 40, seed: n })))
  await until(async () => (await uploads().getByText('Your upload limit is used up.').count()) === 4, 'four refusals')
  await page.getByText('No uploads left').waitFor()
  await developed(page, 1)
})

// The same bytes again lead to the photo that is there.
test('recognises a duplicate', async () => {
  await joinWithOnePhoto()
  await drop(page, [photo('copy.png', { seed: 1 })])
  await uploads().getByText('You have this photo already.').waitFor()
  await uploads().getByRole('link', { name: 'Show it' }).click()
  await viewer().getByText('one.png').waitFor()
  assert.equal(mock.store.images.size, 1)
})

// A photo that cannot be developed says why.
test('shows why a photo failed', async () => {
  mock.settings.developError = 'The file ends too early'
  await join()
  await drop(page, [photo('broken.png')])
  await tiles(page).getByText('The file ends too early').waitFor()
})

// Titles and tags are saved with the version they were made on; readers hear the alternative text.
test('edits the details in the viewer', async () => {
  await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await viewer().getByLabel('Title').fill('Evening')
  await viewer().getByLabel('Alternative text').fill('Hills under a low sun')
  await viewer().getByLabel('Tags').fill('hills,  evening , hills')
  await viewer().getByRole('button', { name: 'Save' }).click()
  await viewer().getByText('Saved.').waitFor()
  const [image] = mock.store.images.values()
  assert.deepEqual([image.title, image.tags, image.version], ['Evening', ['hills', 'evening'], 2])
  await page.keyboard.press('Escape')
  await tiles(page).getByRole('img', { name: 'Hills under a low sun' }).waitFor()
})

// Somebody else's change is shown, nothing is overwritten unseen, and nothing typed is lost.
test('shows the new state when the photo was changed meanwhile', async () => {
  await joinWithOnePhoto()
  const [image] = mock.store.images.values()
  await tiles(page).getByRole('link').click()
  await viewer().getByLabel('Title').fill('Mine')
  mock.store.changeImage(image, { title: 'Theirs', description: 'Changed elsewhere' })
  await viewer().getByRole('button', { name: 'Save' }).click()
  const conflict = viewer().getByRole('alert').filter({ hasText: 'Changed meanwhile.' })
  await conflict.getByText('Theirs').waitFor()
  assert.equal(await viewer().getByLabel('Title').inputValue(), 'Mine')
  assert.equal(image.title, 'Theirs')
  await viewer().getByRole('button', { name: 'Save mine over it' }).click()
  await viewer().getByText('Saved.').waitFor()
  assert.equal(image.title, 'Mine')

  await viewer().getByLabel('Title').fill('Mine again')
  mock.store.changeImage(image, { title: 'Theirs again' })
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
  await shared.getByText('ada').waitFor()
  await shared.getByRole('link').click()
  await viewer().getByRole('img').first().waitFor()
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
  await join()
  seeded(3)
  await page.reload()
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

// The viewer works without a mouse, and gives the focus back to the photo that was looked at last.
test('pages with the keyboard', async () => {
  await join()
  seeded(3)
  await page.reload()
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
  await joinWithOnePhoto()
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
  const [job] = mock.store.jobs.values()
  assert.deepEqual(job.operations.map(({ op }) => op), ['rotate', 'crop', 'black_and_white'])
  assert.equal(job.operations[1].left, 20)
  assert.match(await viewer().locator('.picture img').last().getAttribute('src'), /revision=1/)
})

// A failed job leaves the photo as it was and says why.
test('tells why an edit failed', async () => {
  mock.settings.jobError = 'The helper ran out of time'
  await joinWithOnePhoto()
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
  mock.store.expire()
  await viewer().getByLabel('Title').fill('Still here')
  await viewer().getByRole('button', { name: 'Save' }).click()
  await viewer().getByText('Saved.').waitFor()
  mock.store.expire()
  await page.reload()
  await viewer().getByText('one.png').waitFor()
})

// Tabs share the cookies: what one renews, the other takes over, and neither is thrown out.
test('goes on beside another tab', async () => {
  await joinWithOnePhoto()
  const other = await page.context().newPage()
  await other.goto(mock.url)
  await other.getByText('499 uploads left').waitFor()
  mock.store.expire()
  await other.reload() // Refreshes, which makes a new token that the first tab does not know.
  await other.getByText('499 uploads left').waitFor()
  await tiles(page).getByRole('link').click()
  await viewer().getByRole('button', { name: 'Share' }).click()
  await viewer().getByRole('button', { name: 'Unshare' }).waitFor()
  await page.keyboard.press('Escape')
  await drop(page, [photo('two.png', { seed: 2 })])
  await developed(page, 2)
  mock.store.expire()
  await other.reload()
  await other.getByText('498 uploads left').waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
})

// When only a log-in helps, the form comes over the page, and what was asked for is done afterwards.
test('keeps what was typed when the session has ended', async () => {
  await joinWithOnePhoto()
  await tiles(page).getByRole('link').click()
  await viewer().getByLabel('Title').fill('Typed before')
  mock.store.expire({ refreshToo: true })
  await viewer().getByRole('button', { name: 'Save' }).click()
  const again = page.getByRole('dialog', { name: 'Log in again' })
  await again.getByLabel('Password').fill(ADA.password)
  await again.getByRole('button', { name: 'Log in' }).click()
  await page.locator('dialog.viewer').getByText('Saved.').waitFor()
  assert.equal([...mock.store.images.values()][0].title, 'Typed before')
})

// Pages load as the end comes near, each photo once; a page that failed can be asked for again.
test('scrolls through many photos', async () => {
  await join()
  seeded(95)
  await page.reload()
  await until(async () => (await tiles(page).count()) >= 40, 'the first page')
  mock.settings.failures.push({ method: 'GET', path: '/images', status: 503, times: 1 })
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
