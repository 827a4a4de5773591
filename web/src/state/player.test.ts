import { describe, expect, it } from 'vitest'
import { Player, type PlayerElement } from './player'

/** A video of so many seconds, whose events the test fires. */
function fakeVideo(duration: number) {
  const target = new EventTarget()
  const element = {
    currentTime: 0, duration, paused: true, muted: false, textTracks: [{ mode: 'disabled' }],
    play: () => {
      element.paused = false
      return Promise.reject(new Error('the browser refuses'))
    },
    pause: () => (element.paused = true),
    addEventListener: target.addEventListener.bind(target), removeEventListener: target.removeEventListener.bind(target),
  }
  const fire = (type: string) => target.dispatchEvent(new Event(type))
  return { element, fire, as: element as unknown as PlayerElement }
}

describe('Player', () => {
  it('tells the time while it plays', () => {
    const { element, fire, as } = fakeVideo(60)
    const player = new Player()
    const detach = player.attach(as)
    expect([player.time.value, player.duration.value, player.playing.value]).toEqual([0, 60, false])
    element.paused = false
    element.currentTime = 4.5
    fire('timeupdate')
    expect([player.time.value, player.playing.value]).toEqual([4.5, true])
    detach()
    element.currentTime = 9
    fire('timeupdate')
    expect([player.time.value, player.playing.value]).toEqual([4.5, false])
  })

  it('goes to a moment, and to none outside', () => {
    const { element, as } = fakeVideo(60)
    const player = new Player()
    player.attach(as)
    for (const [to, at] of [[30, 30], [99, 60], [-5, 0]] as const) {
      player.seek(to)
      expect([element.currentTime, player.time.value]).toEqual([at, at])
    }
    player.seek(20)
    player.step(-30)
    expect(element.currentTime).toBe(0)
    player.step(10)
    expect(element.currentTime).toBe(10)
  })

  // Where something was found can be clicked before the first bytes of the video are there.
  it('remembers where to go until it knows how long it is', () => {
    const { element, fire, as } = fakeVideo(NaN)
    const player = new Player()
    player.attach(as)
    player.seek(30)
    fire('emptied')
    expect([element.currentTime, player.time.value, player.duration.value]).toEqual([0, 30, 0])
    element.duration = 20
    fire('loadedmetadata')
    expect([element.currentTime, player.time.value]).toEqual([20, 20])
  })

  it('takes keys', () => {
    const { element, as } = fakeVideo(60)
    const player = new Player()
    player.attach(as)
    player.toggle()
    expect(element.paused).toBe(false)
    player.toggle()
    expect(element.paused).toBe(true)
    player.toggleMute()
    expect(element.muted).toBe(true)
    player.toggleCaptions()
    expect(element.textTracks[0]?.mode).toBe('showing')
    player.toggleCaptions()
    expect(element.textTracks[0]?.mode).toBe('hidden')
  })

  it('does nothing without anything to play', () => {
    const player = new Player()
    for (const act of [() => player.seek(5), () => player.step(5), () => player.toggle(), () => player.toggleMute(), () => player.toggleCaptions()]) act()
    expect(player.time.value).toBe(0)
  })
})
