import { useSignal } from '@preact/signals'
import { initialsOf } from './account_words'

interface AvatarProps {
  name: string
  /** The link to the person's picture, where they have one. */
  picture?: string | null | undefined
  size?: '' | 'large' | 'huge'
}

/** A person's picture, or their initials, beside their name: readers skip them. */
export function Avatar({ name, picture, size = '' }: AvatarProps) {
  // A link that has expired, or a picture that was taken away meanwhile.
  const broken = useSignal<string | undefined>(undefined)
  const shown = picture && picture !== broken.value ? picture : undefined
  return (
    <span class={`avatar ${size}`} aria-hidden="true">
      {shown === undefined ? initialsOf(name) || '?' : (
        <img src={shown} alt="" decoding="async" onError={() => (broken.value = shown)} />
      )}
    </span>
  )
}
