import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { LIMITS } from '../../api/types'
import { explain } from '../../api/problem'
import { nameOf } from '../../state/account_names'
import { Avatar } from '../avatar'
import { useApp, useGallery, useUser } from '../context'
import { Dialog } from '../dialog'
import { FormError, SubmitButton, useForm } from '../form'
import { Icon } from '../icons'
import { byteWords } from '../words'

/** The ways to another profile picture, and to none. */
export function PictureChange() {
  const app = useApp()
  const { settings } = useGallery()
  const { picture } = useUser()
  const chosen = useSignal<File | undefined>(undefined)
  const error = useSignal('')
  const input = useRef<HTMLInputElement>(null)
  const end = () => {
    chosen.value = undefined
    requestAnimationFrame(() => input.current?.focus())
  }
  const choose = (file: File | undefined) => {
    const most = LIMITS.PictureBytes.maximum
    error.value = file !== undefined && file.size > most ? `A profile picture may have at most ${byteWords(most)}.` : ''
    chosen.value = error.value === '' ? file : undefined
  }
  const remove = async () => {
    error.value = ''
    try {
      await settings.removePicture()
      input.current?.focus()
      app.toasts.show('Your picture is removed')
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  return (
    <div class="stack">
      <div class="form-buttons">
        <label class="choose-picture">
          <input ref={input} type="file" accept="image/*" class="visually-hidden"
            onChange={(event) => {
              const { files } = event.currentTarget
              choose(files?.[0])
              event.currentTarget.value = '' // So that choosing the same file again is a change again.
            }} />
          <span class="button small"><Icon name="photo" /> <span>{picture === null ? 'Choose a picture' : 'Change the picture'}</span></span>
        </label>
        {picture !== null && <button class="small" onClick={() => void remove()}>Remove the picture</button>}
      </div>
      <FormError text={error.value} />
      {chosen.value && <PictureDialog file={chosen.value} onClose={end} />}
    </div>
  )
}

/** Shows what was chosen as others will see it, before it is sent. */
function PictureDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const app = useApp()
  const { settings } = useGallery()
  const user = useUser()
  const preview = useMemo(() => URL.createObjectURL(file), [file])
  useEffect(() => () => URL.revokeObjectURL(preview), [preview])
  const form = useForm(async () => {
    await settings.setPicture(file)
    onClose()
    app.toasts.show('Your picture is changed')
  })
  return (
    <Dialog title="Use this picture?" onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <Avatar name={nameOf(user)} picture={preview} size="huge" />
        <p class="soft">The middle of the picture is shown to everybody on this server, beside what you share.</p>
        <FormError text={form.error} />
        <div class="form-buttons end">
          <button type="button" onClick={onClose}>Cancel</button>
          <SubmitButton form={form}>Use this picture</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
