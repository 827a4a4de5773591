import type { OutsideIdentity } from '../api/types'
import { Icon } from './icons'
import { dayWords } from './words'

/** What an identity of another service is called. */
export function identityName({ email, issuer }: OutsideIdentity): string {
  return email ?? issuer
}

interface Props {
  label: string
  identities: readonly OutsideIdentity[]
  onRemove: (identity: OutsideIdentity) => void
}

/** The other services that somebody signs in with. */
export function IdentityRows({ label, identities, onRemove }: Props) {
  return (
    <ul class="rows" aria-label={label}>
      {identities.map((identity) => (
        <li key={identity.id}>
          <span class="lead"><Icon name="link" /></span>
          <div class="grow">
            <b>{identityName(identity)}</b>
            <p class="soft">{identity.issuer} · linked on {dayWords(identity.createdAt)}</p>
          </div>
          <button type="button" class="small danger" aria-label={`Remove ${identityName(identity)}`} onClick={() => onRemove(identity)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  )
}
