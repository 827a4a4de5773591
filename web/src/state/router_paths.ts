/** Where the page is. `photo` is the one that the viewer shows. */
export interface Route {
  section: 'library' | 'feed' | 'trash'
  photo?: string
}

/** Routes live behind '#', so that the server has one page to serve and links still work. */
export function parseRoute(hash: string): Route {
  const [first, second] = hash.replace(/^#\/?/, '').split('/')
  const section = first === 'feed' || first === 'trash' ? first : 'library'
  if ((first === 'photo' || first === 'feed') && second) {
    try {
      return { section, photo: decodeURIComponent(second) }
    } catch {
      return { section }
    }
  }
  return { section }
}

export function hashOf({ section, photo }: Route): string {
  if (photo === undefined || section === 'trash') return section === 'library' ? '#/' : `#/${section}`
  return `#/${section === 'feed' ? 'feed' : 'photo'}/${encodeURIComponent(photo)}`
}
