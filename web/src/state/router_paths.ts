/** Where the page is. `photo` is the one that the viewer shows, `link` what somebody was sent. */
export interface Route {
  section: 'library' | 'feed' | 'trash' | 'settings' | 'users' | 'invitations' | 'audit'
  photo?: string
  link?: OneTimeLink
}

/** A link that somebody was sent: it works once. */
export interface OneTimeLink {
  kind: 'invitation' | 'password'
  token: string
}

/** The pages for administrators, in the order of their menu. */
export const ADMINISTRATION = ['users', 'invitations', 'audit'] as const satisfies readonly Route['section'][]

export function isAdministration(section: Route['section']): section is (typeof ADMINISTRATION)[number] {
  return (ADMINISTRATION as readonly string[]).includes(section)
}

/** Routes live behind '#', so that the server has one page to serve and links still work. */
export function parseRoute(hash: string): Route {
  const [, kind, token] = /^#(invitation|password)=(.+)$/.exec(hash) ?? []
  if (kind !== undefined && token !== undefined) {
    return { section: 'library', link: { kind: kind as OneTimeLink['kind'], token: decoded(token) ?? token } }
  }
  const [first, second] = hash.replace(/^#\/?/, '').split('/')
  if (first === 'administration') return { section: ADMINISTRATION.find((name) => name === second) ?? 'users' }
  const section = first === 'feed' || first === 'trash' || first === 'settings' ? first : 'library'
  const photo = (first === 'photo' || first === 'feed') && second ? decoded(second) : undefined
  return photo === undefined ? { section } : { section, photo }
}

export function hashOf({ section, photo, link }: Route): string {
  if (link) return `#${link.kind}=${encodeURIComponent(link.token)}`
  if (isAdministration(section)) return `#/administration/${section}`
  if (photo !== undefined && (section === 'library' || section === 'feed')) {
    return `#/${section === 'feed' ? 'feed' : 'photo'}/${encodeURIComponent(photo)}`
  }
  return section === 'library' ? '#/' : `#/${section}`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
