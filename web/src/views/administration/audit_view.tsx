import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AuditFilter } from '../../api/client'
import type { AuditEntry } from '../../api/types'
import { useGallery } from '../context'
import { ListingFrame } from '../loading'
import type { FilterName } from './audit_filter'
import { AuditFilters } from './audit_filters'
import { accountsIn, actorOf, byDay, deedOf } from './audit_words'

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** Who did what, newest first. */
export function AuditView() {
  const { administration } = useGallery()
  const { audit, users, names } = administration
  const filter = useSignal<AuditFilter>({})
  const entries = audit.items.value
  const narrow = (to: AuditFilter) => {
    filter.value = to
    void administration.readAudit(to)
  }
  useEffect(() => {
    narrow({})
    if (!users.known.peek()) void users.reload()
  }, [administration])
  useEffect(() => void names.resolve(accountsIn(entries)), [names, entries])
  const only = (name: FilterName, value: string) => narrow({ ...filter.value, [name]: value })
  const filtered = Object.keys(filter.value).length > 0
  return (
    <>
      <AuditFilters filter={filter.value} onChange={narrow} />
      <section class="panel" aria-label="Audit" aria-busy={audit.loading.value}>
        <ListingFrame list={audit} empty={<p>{filtered ? 'Nothing fits these filters.' : 'Nothing is recorded yet.'}</p>}>
          {byDay(entries, new Date()).map((day) => (
            <section key={day.title} class="day">
              <h3>{day.title}</h3>
              <ol class="audit" aria-label={day.title}>
                {day.entries.map((entry) => <EntryRow key={`${entry.chain} ${entry.sequence}`} entry={entry} onOnly={only} />)}
              </ol>
            </section>
          ))}
        </ListingFrame>
      </section>
    </>
  )
}

function EntryRow({ entry, onOnly }: { entry: AuditEntry; onOnly: (name: FilterName, value: string) => void }) {
  const { names } = useGallery().administration
  const known = names.known.value
  return (
    <li>
      <time dateTime={entry.time}>{TIME.format(new Date(entry.time))}</time>
      <div>
        <p>
          <b>{actorOf(entry, known)}</b> {deedOf(entry, known)}
          {entry.outcome === 'denied' && <> <span class="pill warn">Refused</span></>}
          {entry.outcome === 'failed' && <> <span class="pill bad">Failed</span></>}
        </p>
        <details>
          <summary>{entry.address ? `From ${entry.address}` : 'Details'}</summary>
          <Facts entry={entry} onOnly={onOnly} />
        </details>
      </div>
    </li>
  )
}

/** All that is recorded of it; what can be a filter is one click away from being it. */
function Facts({ entry, onOnly }: { entry: AuditEntry; onOnly: (name: FilterName, value: string) => void }) {
  const facts: [string, string | undefined, FilterName?][] = [
    ['Kind', entry.kind, 'kind'],
    ['Account', entry.accountId, 'account'],
    ['Done to', entry.subject, 'subject'],
    ['By', entry.principalKind, 'principal'],
    ['Session or key', entry.principalId, 'principal'],
    ['Address', entry.address, 'address'],
    ...Object.entries(entry.details).map(([name, text]): [string, string] => [name, text]),
    ['Request', entry.requestId],
    ['Entry', `${entry.sequence} of ${entry.chain}`],
  ]
  return (
    <dl class="audit-facts">
      {facts.map(([label, value, name]) => value && (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <span class="mono">{value}</span>
            {name && <button class="link" aria-label={`Only ${label.toLowerCase()} ${value}`} onClick={() => onOnly(name, value)}>Only this</button>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
