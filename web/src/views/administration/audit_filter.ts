import type { AuditFilter } from '../../api/client'

export type FilterName = keyof AuditFilter

/** The first moment of a day (2026-11-18) where the visitor is, as the API takes it; undefined for what is no day. */
export function startOfDay(day: string): string | undefined {
  return momentOf(day, 0)
}

/** The first moment after a day. */
export function endOfDay(day: string): string | undefined {
  return momentOf(day, 1)
}

/** The day of a moment where the visitor is, so many days on. */
export function dayOf(moment: string, days: number): string {
  const date = new Date(moment)
  date.setDate(date.getDate() + days)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function momentOf(day: string, days: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return undefined
  const moment = new Date(Number(year), Number(month) - 1, Number(date) + days)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
