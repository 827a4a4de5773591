import type { AuditEntry } from '../../api/types'
import { accountWords } from '../account_words'

type Names = ReadonlyMap<string, string | null>

/** What a kind of entry tells: that it was done, and what somebody tried to do. `{subject}` is what it was done to. */
interface Kind {
  done: string
  tried: string
  /** What the subject is, if it is shown; an account is shown by its name. */
  subject?: 'account' | 'text'
}

const kind = (done: string, tried: string, subject?: Kind['subject']): Kind => (subject ? { done, tried, subject } : { done, tried })

// As src/access/audit/audit_kinds.h has them.
const KINDS: Readonly<Record<string, Kind>> = {
  'account.sign-up': kind('signed up', 'sign up'),
  'account.change-password': kind('changed their password', 'change their password'),
  'account.set-password': kind('set a password by a one-time link', 'set a password by a one-time link'),
  'account.link-identity': kind('linked another way to sign in', 'link another way to sign in'),
  'account.unlink-identity': kind('removed another way to sign in', 'remove another way to sign in'),
  'account.profile': kind('changed their profile', 'change their profile'),
  'account.create': kind('created the account of {subject}', 'create an account', 'account'),
  'account.change': kind('changed the role, state or upload limit of {subject}', 'change the account of {subject}', 'account'),
  'account.limit': kind('changed the upload limit of {subject}', 'change the upload limit of {subject}', 'account'),
  'account.reset-password': kind('reset the password of {subject}', 'reset the password of {subject}', 'account'),
  'account.password-link': kind('made a password link for {subject}', 'make a password link for {subject}', 'account'),
  'account.delete': kind('deleted the account of {subject}', 'delete the account of {subject}', 'account'),
  'session.login': kind('logged in', 'log in'),
  'session.logout': kind('logged out', 'log out'),
  'session.refresh': kind('went on with a session', 'go on with a session that is over'),
  'session.end': kind('ended one of their sessions', 'end one of their sessions'),
  'session.end-others': kind('ended all their other sessions', 'end all their other sessions'),
  'api-key.create': kind('made an API key', 'make an API key'),
  'api-key.delete': kind('deleted an API key', 'delete an API key'),
  'access.unauthenticated': kind('was let in', 'do something without a valid session or key'),
  'access.forbidden': kind('was let in', 'do something that they may not do'),
  'image.share': kind('shared a photo', 'share a photo'),
  'image.unshare': kind('stopped sharing a photo', 'stop sharing a photo'),
  'image.trash': kind('moved a photo to the trash', 'move a photo to the trash'),
  'image.restore': kind('restored a photo', 'restore a photo'),
  'image.delete': kind('deleted a photo for good', 'delete a photo for good'),
  'trash.empty': kind('emptied the trash', 'empty the trash'),
  'invitation.create': kind('made an invitation', 'make an invitation'),
  'invitation.delete': kind('took an invitation back', 'take an invitation back'),
  'key.create': kind('made the access key {subject}', 'make an access key', 'text'),
  'key.delete': kind('deleted the access key {subject}', 'delete the access key {subject}', 'text'),
  'key.rotate': kind('gave the access key {subject} a new secret', 'give the access key {subject} a new secret', 'text'),
  'key.policy': kind('changed the policy of the access key {subject}', 'change the policy of the access key {subject}', 'text'),
  'key.disable': kind('disabled the access key {subject}', 'disable the access key {subject}', 'text'),
  'key.enable': kind('enabled the access key {subject}', 'enable the access key {subject}', 'text'),
  'key.expire': kind('set the end of the access key {subject}', 'set the end of the access key {subject}', 'text'),
  'key.rotate-master': kind('replaced the master key', 'replace the master key'),
  'key.rotate-data': kind('made a new data key', 'make a new data key'),
  'key.rotate-root': kind('replaced the root key', 'replace the root key'),
  'key.rotate-links': kind('replaced the key of links', 'replace the key of links'),
  'key.rotate-signing': kind('replaced the key of access tokens', 'replace the key of access tokens'),
  'table.create': kind('created the table {subject}', 'create the table {subject}', 'text'),
  'table.update': kind('changed the table {subject}', 'change the table {subject}', 'text'),
  'table.delete': kind('deleted the table {subject}', 'delete the table {subject}', 'text'),
  'table.restore': kind('restored the table {subject}', 'restore the table {subject}', 'text'),
  'table.tags': kind('changed the tags of {subject}', 'change the tags of {subject}', 'text'),
  'table.policy': kind('changed the policy of {subject}', 'change the policy of {subject}', 'text'),
  'table.time-to-live': kind('changed when items of {subject} expire', 'change when items of {subject} expire', 'text'),
  'table.recovery': kind('changed the recovery of {subject}', 'change the recovery of {subject}', 'text'),
  'table.export': kind('exported the table {subject}', 'export the table {subject}', 'text'),
  'table.import': kind('imported the table {subject}', 'import the table {subject}', 'text'),
  'backup.create': kind('backed up the table {subject}', 'back up the table {subject}', 'text'),
  'backup.delete': kind('deleted the backup {subject}', 'delete the backup {subject}', 'text'),
  'directory.backup': kind('backed up the data directory', 'back up the data directory'),
  'images.import': kind('imported a folder of photos', 'import a folder of photos'),
  'images.rebuild': kind('made the sizes of photos again', 'make the sizes of photos again'),
  'images.analyse': kind('had photos analysed again', 'have photos analysed again'),
  'images.recount': kind('counted again what accounts store', 'count again what accounts store'),
  'images.encrypt': kind('encrypted the photos', 'encrypt the photos'),
  'images.scrub': kind('checked all photos', 'check all photos'),
  'work.replay': kind('started failed work again', 'start failed work again'),
  'work.purge': kind('removed failed work', 'remove failed work'),
  'audit.read': kind('read the audit', 'read the audit'),
  'audit.begin': kind('began the audit', 'begin the audit'),
  'audit.trim': kind('removed the oldest entries of the audit', 'remove the oldest entries of the audit'),
  'audit.damage': kind('found the audit damaged', 'check the audit'),
  'audit.lost': kind('lost entries of the audit', 'record entries of the audit'),
}

/** What the list can be narrowed to: all kinds before whose dot this is. */
export const KIND_GROUPS: readonly [string, string][] = [
  ['session', 'Sessions'], ['account', 'Accounts'], ['invitation', 'Invitations'], ['api-key', 'API keys'], ['access', 'Refused requests'],
  ['image', 'Photos'], ['trash', 'The trash'], ['key', 'Access keys'], ['table', 'Tables'], ['backup', 'Backups of tables'],
  ['directory', 'Backups of the data directory'], ['images', 'Work on all photos'], ['work', 'Background work'], ['audit', 'The audit itself'],
]

/** A kind in words for a filter: those of its group, or its own name. */
export function kindWords(name: string): string {
  return KIND_GROUPS.find(([group]) => group === name)?.[1] ?? name
}

/** Who did it. */
export function actorOf({ principalKind, principalId, accountId }: AuditEntry, names: Names): string {
  const account = accountId ? capitalised(accountWords(names, accountId)) : undefined
  switch (principalKind) {
    case 'server': return principalId === 'command-line' ? 'The command line' : 'This server'
    case 'root-key': return 'The root key'
    case 'access-key': return `The access key ${principalId ?? ''}`.trim()
    case 'anonymous': return account ?? 'Somebody unknown'
    case 'api-key': return `${account ?? 'Somebody'}, by an API key,`
    default: return account ?? principalId ?? 'Somebody'
  }
}

/** What they did, or tried to do, as the rest of the sentence. */
export function deedOf(entry: AuditEntry, names: Names): string {
  const known = KINDS[entry.kind]
  const times = entry.count > 1 ? ` ${entry.count} times` : ''
  if (entry.outcome === 'done') return `${known ? withSubject(known.done, known, entry, names) : `did “${entry.kind}”`}${times}`
  const tried = known ? withSubject(known.tried, known, entry, names) : `do “${entry.kind}”`
  return `tried to ${tried}${times}, ${entry.outcome === 'denied' ? 'and was refused' : 'which failed'}`
}

function withSubject(words: string, { subject: what }: Kind, { subject, accountId, outcome }: AuditEntry, names: Names): string {
  if (what !== 'account') return words.replace(/ ?\{subject\}/, subject ? ` ${subject}` : '')
  if (subject && subject !== accountId) return words.replace('{subject}', isId(subject) ? accountWords(names, subject) : subject)
  if (!subject && outcome !== 'done') return words.replace('{subject}', 'somebody')
  return words.replace('the account of {subject}', 'their own account').replace('{subject}', 'their own account')
}

/** Commands name accounts as people do; everything else by ids, which are ULIDs. */
function isId(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

function capitalised(text: string): string {
  return text === 'a deleted account' ? 'A deleted account' : text
}

/** The accounts whose names the sentences of these entries need. */
export function accountsIn(entries: readonly AuditEntry[]): Set<string> {
  const ids = entries.flatMap(({ kind: name, accountId, subject }) =>
    [accountId, KINDS[name]?.subject === 'account' ? subject : undefined])
  return new Set(ids.filter((id): id is string => id !== undefined && isId(id)))
}

/** Entries under the day that they are of, by the visitor's clock. */
export function byDay(entries: readonly AuditEntry[], now: Date): { title: string; entries: AuditEntry[] }[] {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  const special = new Map([[now.toDateString(), 'Today'], [yesterday.toDateString(), 'Yesterday']])
  const days: { key: string; title: string; entries: AuditEntry[] }[] = []
  for (const entry of entries) {
    const date = new Date(entry.time)
    const key = date.toDateString()
    const last = days.at(-1)
    if (last?.key === key) last.entries.push(entry)
    else days.push({ key, title: special.get(key) ?? format.format(date), entries: [entry] })
  }
  return days
}
