import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { AuditFilter } from '../../api/client'
import { nameOf } from '../../state/account_names'
import { accountWords } from '../account_words'
import { useGallery } from '../context'
import { Icon } from '../icons'
import { KIND_GROUPS, kindWords } from './audit_words'
import { dayOf, endOfDay, startOfDay, type FilterName } from './audit_filter'

interface FiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

const TEXT_FILTERS: readonly [FilterName, string, string][] = [
  ['address', 'Address', 'Such as 203.0.113.7.'],
  ['subject', 'Done to', 'The id of a photo, an account or a key, or the name of a table.'],
  ['principal', 'Session or key', 'Its id, or a kind such as api-key.'],
]

/** What of the audit to show. */
export function AuditFilters({ filter, onChange }: FiltersProps) {
  const { users, names } = useGallery().administration
  const more = useSignal(TEXT_FILTERS.some(([name]) => filter[name] !== undefined))
  const set = (name: FilterName, value: string | undefined) => {
    const { [name]: _, ...rest } = filter
    onChange(value === undefined || value === '' ? rest : { ...rest, [name]: value } as AuditFilter)
  }
  const accounts = users.items.value
  const account = filter.account
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Choice label="Account" value={account ?? ''} onChange={(value) => set('account', value)}>
        <option value="">Everybody</option>
        {account !== undefined && !accounts.some(({ userId }) => userId === account) && (
          <option value={account}>{accountWords(names.known.value, account)}</option>
        )}
        {accounts.map((user) => <option key={user.userId} value={user.userId}>{nameOf(user)}</option>)}
      </Choice>
      <Choice label="About" value={filter.kind ?? ''} onChange={(value) => set('kind', value)}>
        <option value="">Everything</option>
        {filter.kind !== undefined && kindWords(filter.kind) === filter.kind && <option value={filter.kind}>{filter.kind}</option>}
        {KIND_GROUPS.map(([group, words]) => <option key={group} value={group}>{words}</option>)}
      </Choice>
      <Choice label="Outcome" value={filter.outcome ?? ''} onChange={(value) => set('outcome', value)}>
        <option value="">Any</option>
        <option value="done">Done</option>
        <option value="denied">Refused</option>
        <option value="failed">Failed</option>
      </Choice>
      <Text label="From" type="date" value={filter.since === undefined ? '' : dayOf(filter.since, 0)}
        onChange={(day) => set('since', startOfDay(day))} />
      <Text label="To" type="date" value={filter.until === undefined ? '' : dayOf(filter.until, -1)}
        onChange={(day) => set('until', endOfDay(day))} />
      <button type="button" aria-expanded={more.value} onClick={() => (more.value = !more.value)}>
        <Icon name="settings" /> {more.value ? 'Fewer filters' : 'More filters'}
      </button>
      {more.value && TEXT_FILTERS.map(([name, label, hint]) => (
        <Text key={name} label={label} type="text" value={filter[name] ?? ''} hint={hint} onChange={(text) => set(name, text.trim())} />
      ))}
      {Object.keys(filter).length > 0 && <button type="button" onClick={() => onChange({})}><Icon name="close" /> Show everything</button>}
    </form>
  )
}

interface ChoiceProps {
  label: string
  value: string
  onChange: (value: string) => void
  children: ComponentChildren
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>{children}</select>
    </div>
  )
}

interface TextProps {
  label: string
  type: 'date' | 'text'
  value: string
  hint?: string
  onChange: (value: string) => void
}

/** Asked for when it is done with: by Enter, or when the field is left. */
function Text({ label, type, value, hint, onChange }: TextProps) {
  const id = useId()
  return (
    <div class={`field ${type}`}>
      <label for={id}>{label}</label>
      <input id={id} type={type} value={value} spellcheck={false} autocapitalize="none" {...(hint ? { 'aria-describedby': `${id}-note` } : {})}
        onChange={(event) => onChange(event.currentTarget.value)} />
      {hint && <p id={`${id}-note`} class="field-note">{hint}</p>}
    </div>
  )
}
