import { initialsOf } from './account_words'

/** A person's initials, beside their name: readers skip them. */
export function Avatar({ name, size = '' }: { name: string; size?: '' | 'large' }) {
  return <span class={`avatar ${size}`} aria-hidden="true">{initialsOf(name) || '?'}</span>
}
