// Videos, sounds, documents and other files in a real browser, on a real server that reads and plays them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathTo } from 'node:path'
import { after, before, test } from 'node:test'
import { startGallery } from '../../tests/e2e/support/gallery.mjs'
import { ADA, assertFits, EMPTY_ZIP, openBrowser, openPage, signUp, tiles, until } from './support.mjs'

let browser, gallery, page, ada, folder
before(async () => {
  folder = mkdtempSync(pathTo(tmpdir(), 'tintype-media-'))
  browser = await openBrowser()
  gallery = await startGallery('--sign-up', 'open', '--ai-options', 'none')
  await gallery.signUpAdministrator()
  page = await openPage(browser, `http://${gallery.address}`)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await signUp(page, ADA)
  ada = await gallery.logIn(ADA)
})
after(async () => {
  await browser?.close()
  await gallery?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

/** The file that ffmpeg writes of what it generates. */
function ffmpeg(name, ...made) {
  const path = pathTo(folder, name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...made, path], { timeout: 60_000 })
  return readFileSync(path)
}

/** A document with a line on each page. */
function pdf(...pages) {
  const font = 3 + 2 * pages.length
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, n) => `${3 + 2 * n} 0 R`).join(' ')}] /Count ${pages.length} >>`]
  pages.forEach((text, n) => {
    const drawn = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 ${font} 0 R >> >> /Contents ${4 + 2 * n} 0 R >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`)
  })
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  let written = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const offset = written.length
    written += `${n + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  return Buffer.from(`${written}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${written.length}\n%%EOF\n`)
}

const viewer = () => page.getByRole('dialog')

async function open(name) {
  await tiles(page).getByRole('link', { name }).or(tiles(page).getByRole('button', { name })).first().click()
  await viewer().waitFor()
}

async function close() {
  await page.keyboard.press('Escape')
  await viewer().waitFor({ state: 'detached' })
}

test('every type is shown, played and read', { timeout: 120_000 }, async () => {
  const video = ffmpeg('walk.mov', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=15:duration=3', '-f', 'lavfi', '-i', 'sine=duration=3',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac')
  const sound = ffmpeg('song.mp3', '-f', 'lavfi', '-i', 'sine=frequency=300:duration=4', '-c:a', 'libmp3lame')
  await ada.upload(video, 'walk.mov')
  await ada.upload(sound, 'song.mp3')
  await ada.upload(pdf('The garden', 'The house'), 'papers.pdf')
  await ada.upload(EMPTY_ZIP, 'things.zip')
  await page.reload()
  await until(async () => (await ada.images()).every((image) => image.processingStatus === 'completed'), 'all are developed')
  await until(async () => (await ada.images()).some((image) => image.playback === 'proxy'), 'the video can be played')
  await page.reload()
  await tiles(page).nth(3).waitFor()
  await page.getByText('0:03').first().waitFor()
  await page.getByText('0:04').first().waitFor()
  await assertFits(page, 'the library')
  if (process.env.TINTYPE_SHOTS) await page.screenshot({ path: pathTo(process.env.TINTYPE_SHOTS, 'media-library.png') })

  await open(/walk/)
  const player = viewer().locator('video')
  await player.waitFor()
  await player.evaluate((element) => { element.muted = true; return element.play() })
  await until(() => player.evaluate((element) => element.currentTime > 0.2 && element.videoWidth === 640), 'the video plays')
  // To a place that was not loaded in the order of the file.
  await player.evaluate((element) => { element.currentTime = 2.5 })
  await until(() => player.evaluate((element) => element.currentTime >= 2.5 && !element.seeking), 'it plays from elsewhere')
  if (process.env.TINTYPE_SHOTS) await page.screenshot({ path: pathTo(process.env.TINTYPE_SHOTS, 'media-video.png') })
  await close()

  await open(/song/)
  const heard = viewer().locator('audio')
  await heard.evaluate((element) => { element.muted = true; return element.play() })
  await until(() => heard.evaluate((element) => element.currentTime > 0.1), 'the sound plays')
  await viewer().locator('canvas').first().waitFor()
  if (process.env.TINTYPE_SHOTS) await page.screenshot({ path: pathTo(process.env.TINTYPE_SHOTS, 'media-sound.png') })
  await close()

  await open(/papers/)
  await viewer().getByText('Page 1 of 2').waitFor()
  await viewer().getByRole('button', { name: 'Next page' }).click()
  await viewer().getByText('Page 2 of 2').waitFor()
  const second = viewer().getByRole('img', { name: /page 2/ })
  await until(() => second.evaluate((element) => element.complete && element.naturalHeight === 1600), 'the second page is drawn')
  assert.equal(await viewer().getByRole('button', { name: 'Next page' }).isDisabled(), true)
  await viewer().getByText('Text of the document').click()
  await viewer().getByText('The house').waitFor()
  if (process.env.TINTYPE_SHOTS) await page.screenshot({ path: pathTo(process.env.TINTYPE_SHOTS, 'media-document.png') })
  await close()

  await open(/things/)
  await viewer().getByText(/There is no preview/).first().waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), viewer().getByRole('link', { name: 'Download' }).first().click()])
  assert.equal(download.suggestedFilename(), 'things.zip')
  await close()

  await page.setViewportSize({ width: 375, height: 800 })
  await assertFits(page, 'the library on a phone')
  await open(/papers/)
  await viewer().getByRole('button', { name: 'Next page' }).waitFor()
  await assertFits(page, 'a document on a phone')
  if (process.env.TINTYPE_SHOTS) await page.screenshot({ path: pathTo(process.env.TINTYPE_SHOTS, 'media-phone.png') })
  await page.assertClean()
})
