import { describe, expect, it } from 'vitest'
import type { Image } from '../api/types'
import {
  badgeOf, durationText, formatOf, hasCover, hasPicture, isAnimated, isEditable, isSettled, nounOf, opensInBrowser, pagesToTurn, playbackOf, timeText, type Asset,
} from './assets'

const warning = (code: string) => ({ processingWarning: { code, message: 'It is so.' } })
const sizes = { SMALL: '/small', ORIGINAL: '/original' }
const video: Asset = { assetType: 'VIDEO', width: 640, height: 360, sizes, processingStatus: 'completed' }

describe('times', () => {
  it.each([[0, '0:00'], [0.3, '0:01'], [7.2, '0:07'], [59.6, '1:00'], [750, '12:30'], [3723, '1:02:03'], [36_000, '10:00:00'], [NaN, '0:00'],
    [Infinity, '0:00'], [-5, '0:00']])('says %d seconds as %s', (seconds, text) => expect(durationText(seconds)).toBe(text))

  // A clock does not say a minute that has not begun.
  it.each([[0.9, '0:00'], [59.9, '0:59'], [61, '1:01'], [NaN, '0:00']])('is at %d seconds in %s', (seconds, text) =>
    expect(timeText(seconds)).toBe(text))
})

describe('badgeOf', () => {
  it.each<[Asset, ReturnType<typeof badgeOf>]>([
    [{ assetType: 'IMAGE' }, undefined],
    [{}, undefined],
    [{ assetType: 'VIDEO', duration: 42.4 }, { icon: 'play', text: '0:42', words: 'Video, 0:42' }],
    [{ assetType: 'VIDEO' }, { icon: 'play', text: '', words: 'Video' }],
    [{ assetType: 'AUDIO', duration: 185 }, { icon: 'sound', text: '3:05', words: 'Sound, 3:05' }],
    [{ assetType: 'DOCUMENT', pages: 1 }, { icon: 'document', text: '1', words: 'Document, 1 page' }],
    [{ assetType: 'DOCUMENT', pages: 12 }, { icon: 'document', text: '12', words: 'Document, 12 pages' }],
    [{ assetType: 'DOCUMENT' }, { icon: 'document', text: '', words: 'Document' }],
  ])('says of %o what it is', (asset, badge) => expect(badgeOf(asset)).toEqual(badge))
})

describe('playbackOf', () => {
  it.each<[string, Asset, ReturnType<typeof playbackOf>]>([
    ['photo', { assetType: 'IMAGE', sizes: { ...sizes, PROXY: '/proxy' } }, undefined],
    ['document', { assetType: 'DOCUMENT' }, undefined],
    ['video that plays', { ...video, sizes: { ...sizes, PROXY: '/proxy' } }, 'ready'],
    ['video that waits', video, 'preparing'],
    ['video that ends early, and waits', { ...video, ...warning('truncated') }, 'preparing'],
    ['video that never plays', { ...video, ...warning('unplayable') }, 'never'],
    ['sound that nobody knows', { assetType: 'AUDIO', ...warning('no-preview') }, 'never'],
    ['video that failed', { ...video, processingStatus: 'failed' }, 'never'],
  ])('knows of a %s when it plays', (_name, asset, playback) => expect(playbackOf(asset)).toBe(playback))

  // A video is asked about until it plays, or it is known that it never will.
  it('says when the server is through', () => {
    const settled = (asset: Asset) => isSettled(asset as Image)
    expect(settled({ processingStatus: 'completed', assetType: 'IMAGE' })).toBe(true)
    expect(settled({ processingStatus: 'processing', assetType: 'IMAGE' })).toBe(false)
    expect(settled(video)).toBe(false)
    expect(settled({ ...video, sizes: { PROXY: '/proxy' } })).toBe(true)
    expect(settled({ ...video, ...warning('unplayable') })).toBe(true)
    expect(settled({ ...video, processingStatus: 'failed' })).toBe(true)
  })
})

describe('what there is to show', () => {
  it('is a picture, if there is one', () => {
    expect(hasPicture(video)).toBe(true)
    expect(hasPicture({ sizes })).toBe(true)
    expect(hasPicture({ width: 0, sizes })).toBe(false)
    expect(hasPicture({ width: 0, sizes: { ORIGINAL: '/original' } })).toBe(false)
    expect(hasPicture({ width: 5 })).toBe(false)
  })

  it('can be edited when it is a photo', () => {
    const photo: Asset = { ...video, assetType: 'IMAGE' }
    expect(isEditable(photo)).toBe(true)
    expect(isEditable({ ...photo, processingStatus: 'processing' })).toBe(false)
    expect(isEditable({ ...photo, width: 0 })).toBe(false)
    for (const assetType of ['VIDEO', 'AUDIO', 'DOCUMENT'] as const) expect(isEditable({ ...photo, assetType })).toBe(false)
  })

  // Covers are about square; a sound that has none is drawn, as wide as a film.
  it('is the cover of a sound', () => {
    const sound = (width: number, height: number): Asset => ({ assetType: 'AUDIO', width, height, sizes })
    expect(hasCover(sound(500, 500))).toBe(true)
    expect(hasCover(sound(1600, 900))).toBe(false)
    expect(hasCover({ ...sound(500, 500), sizes: {} })).toBe(false)
  })

  it.each<[Asset, string]>([
    [{ originalFilename: 'a.tar.gz' }, 'GZ'], [{ originalFilename: 'Makefile', mimeType: 'text/plain' }, 'PLAIN'],
    [{ originalFilename: 'x', mimeType: 'application/x-rar' }, 'RAR'], [{ originalFilename: 'x', mimeType: 'application/octet-stream' }, 'File'],
    [{ originalFilename: 'page.html', mimeType: 'text/html' }, 'HTML'], [{}, 'File'],
  ])('has a format: %o', (asset, format) => expect(formatOf(asset)).toBe(format))

  it('has a name among people', () => {
    expect([{}, { assetType: 'VIDEO' }, { assetType: 'AUDIO' }, { assetType: 'DOCUMENT', pages: 2 }, { assetType: 'DOCUMENT' }]
      .map((asset) => nounOf(asset as Asset))).toEqual(['photo', 'video', 'sound', 'document', 'file'])
  })

  // A page of somebody's is not to be run, only read.
  it('opens in the browser if that shows it without running it', () => {
    expect(opensInBrowser({ mimeType: 'application/pdf' })).toBe(true)
    expect(opensInBrowser({ mimeType: 'Text/Plain; charset=utf-8' })).toBe(true)
    expect(opensInBrowser({ mimeType: 'text/html' })).toBe(false)
    expect(opensInBrowser({})).toBe(false)
  })

  it('is turned as far as there are pictures of its pages', () => {
    expect([undefined, 1, 7, 5000].map((pages) => pagesToTurn(pages))).toEqual([1, 1, 7, 100])
  })

  // Of an edit there is one picture, and of a TIFF no browser shows any.
  it('moves if it is an animation', () => {
    const gif: Asset = { mimeType: 'image/gif', pages: 8, sizes: { ORIGINAL: '/original', LARGE: '/large' } }
    expect(isAnimated(gif)).toBe(true)
    expect(isAnimated({ ...gif, pages: 1 })).toBe(false)
    expect(isAnimated({ ...gif, mimeType: 'image/tiff' })).toBe(false)
    expect(isAnimated({ ...gif, sizes: { LARGE: '/large' } })).toBe(false)
    expect(isAnimated({ ...gif, sizes: { ORIGINAL: '/original', FULL: '/full' } })).toBe(false)
  })
})
