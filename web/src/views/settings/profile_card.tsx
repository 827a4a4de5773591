import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { LIMITS } from '../../api/types'
import { nameOf } from '../../state/account_names'
import { Avatar } from '../avatar'
import { useApp, useGallery, useUser } from '../context'
import { Field, FormError, useForm } from '../form'
import { Icon } from '../icons'
import { PictureChange } from './picture_change'

export function ProfileCard() {
  const user = useUser()
  const editing = useSignal(false)
  const change = useRef<HTMLButtonElement>(null)
  const name = nameOf(user)
  const end = () => {
    editing.value = false
    // Whoever left by the Tab key is elsewhere already.
    requestAnimationFrame(() => document.activeElement === document.body && change.current?.focus())
  }
  return (
    <section class="panel" aria-labelledby="profile-title">
      <div class="profile">
        <Avatar name={name} picture={user.picture} size="large" />
        <div>
          <h3 id="profile-title">{name}</h3>
          <p class="soft">{user.username} · {user.email}</p>
          {user.administrator && <p class="soft">Looks after this server</p>}
        </div>
        {!editing.value && (
          <button ref={change} class="small" onClick={() => (editing.value = true)}><Icon name="edit" /> Change the name</button>
        )}
      </div>
      {editing.value && <NameForm onEnd={end} />}
      <PictureChange />
      <AboutForm key={user.about ?? ''} />
    </section>
  )
}

/** Saved like the name, and always there: it is not what the card is called by. */
function AboutForm() {
  const app = useApp()
  const { settings } = useGallery()
  const user = useUser()
  const element = useRef<HTMLFormElement>(null)
  const form = useForm(async (field) => {
    if (field('about').trim() === (user.about ?? '')) return
    await settings.describe(field('about'))
    app.toasts.show('Your profile is changed')
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') element.current?.reset()
  }
  return (
    <form ref={element} class="stack" onSubmit={form.onSubmit} onKeyDown={onKeyDown}>
      <Field form={form} label="About you" name="about" autocapitalize="sentences" spellcheck required={false}
        maxLength={LIMITS.About.maxLength} defaultValue={user.about ?? ''} hint="A few words, if you like. Enter saves, Escape cancels."
        onBlur={() => element.current?.requestSubmit()} />
      <FormError text={form.error} />
    </form>
  )
}

/** One line of text has no button: Enter or leaving the field saves it, Escape gives the old one back. */
function NameForm({ onEnd }: { onEnd: () => void }) {
  const app = useApp()
  const { settings } = useGallery()
  const user = useUser()
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => element.current?.querySelector('input')?.select(), [])
  const form = useForm(async (field) => {
    if (field('displayName').trim() !== (user.displayName ?? '')) {
      await settings.rename(field('displayName'))
      app.toasts.show('Your name is changed')
    }
    onEnd()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onEnd()
  }
  return (
    <form ref={element} class="stack" onSubmit={form.onSubmit} onKeyDown={onKeyDown}>
      <Field form={form} label="Display name" name="displayName" autocomplete="name" autocapitalize="words" required={false}
        maxLength={LIMITS.DisplayName.maxLength} defaultValue={user.displayName ?? ''} placeholder={user.username}
        hint="Others see it beside what you share. Empty, your username is shown. Enter saves, Escape cancels."
        onBlur={() => element.current?.requestSubmit()} />
      <FormError text={form.error} />
    </form>
  )
}
