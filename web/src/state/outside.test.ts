import { describe, expect, it } from 'vitest'
import { outsideReturn } from './outside'

describe('outsideReturn', () => {
  it('reads what a service sends back', () => {
    expect(outsideReturn('?code=a%2Fb&state=s&iss=https%3A%2F%2Fid.example&session_state=x')).toEqual({
      code: 'a/b', state: 's', issuer: 'https://id.example',
    })
    expect(outsideReturn('?error=access_denied&error_description=no&state=s')).toEqual({ error: 'access_denied', state: 's' })
  })

  it('takes no other query for it', () => {
    for (const search of ['', '?', '?state=s', '?code=c', '?utm_source=mail']) expect(outsideReturn(search)).toBeUndefined()
  })
})
