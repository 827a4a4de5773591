import { describe, expect, it } from 'vitest'
import { dayOf, endOfDay, startOfDay } from './audit_filter'

describe('days as a filter', () => {
  // "To" means all of that day, and the API's end is not part of what it answers.
  it('goes from the first moment of a day to the first one after it', () => {
    expect(startOfDay('2026-11-18')).toBe(new Date(2026, 10, 18).toISOString())
    expect(endOfDay('2026-11-18')).toBe(new Date(2026, 10, 19).toISOString())
    expect(endOfDay('2026-12-31')).toBe(new Date(2027, 0, 1).toISOString())
  })

  it.each(['', 'today', '18.11.2026'])('ignores %j', (day) => expect([startOfDay(day), endOfDay(day)]).toEqual([undefined, undefined]))

  it.each(['2026-11-18', '2026-03-29', '2026-10-25', '2024-02-29'])('shows %s again', (day) => {
    expect(dayOf(startOfDay(day) ?? '', 0)).toBe(day)
    expect(dayOf(endOfDay(day) ?? '', -1)).toBe(day)
  })
})
