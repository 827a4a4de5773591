import type { OutsideReturn } from '../api/types'

/** What another service sent the browser back with, in the query of the page's address; nothing for any other query. */
export function outsideReturn(search: string): OutsideReturn | undefined {
  const query = new URLSearchParams(search)
  const state = query.get('state')
  const code = query.get('code')
  const error = query.get('error')
  if (state === null || (code === null && error === null)) return undefined
  const issuer = query.get('iss')
  return { state, ...(code === null ? {} : { code }), ...(error === null ? {} : { error }), ...(issuer === null ? {} : { issuer }) }
}
