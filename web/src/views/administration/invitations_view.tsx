import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { explain } from '../../api/problem'
import type { Invitation } from '../../api/types'
import { accountWords, roleWords } from '../account_words'
import { Confirm } from '../confirm'
import { useApp, useGallery } from '../context'
import { FormError } from '../form'
import { Icon } from '../icons'
import { ListingFrame } from '../loading'
import { dateWords } from '../words'
import { InviteDialog } from './invite_dialog'

const ANYONE = 'Anyone with the link'

/** The invitations that nobody has used yet. */
export function InvitationsView() {
  const app = useApp()
  const { administration } = useGallery()
  const { invitations, names } = administration
  const inviting = useSignal(false)
  const asked = useSignal<Invitation | undefined>(undefined)
  const error = useSignal('')
  const heading = useRef<HTMLHeadingElement>(null)
  const items = invitations.items.value
  useEffect(() => void invitations.reload(), [invitations])
  useEffect(() => void names.resolve(items.map(({ createdBy }) => createdBy).filter((id) => id !== null)), [names, items])
  const takeBack = async ({ id }: Invitation) => {
    asked.value = undefined
    error.value = ''
    try {
      await administration.takeInvitationBack(id)
      heading.current?.focus()
      app.toasts.show('The invitation is taken back')
    } catch (failure) {
      error.value = explain(failure)
      void invitations.reload()
    }
  }
  /** Who made it; those from the command line were made by nobody who has an account. */
  const makerOf = ({ createdBy }: Invitation) =>
    (createdBy === null ? 'the command line' : accountWords(names.known.value, createdBy))
  return (
    <section class="panel" aria-labelledby="invitations-title">
      <header>
        <h3 id="invitations-title" ref={heading} tabIndex={-1}>Invitations</h3>
        <button class="primary" onClick={() => (inviting.value = true)}><Icon name="userPlus" /> Invite</button>
      </header>
      <FormError text={error.value} />
      <ListingFrame list={invitations} empty={<p>No invitations are open. Invite somebody, and send them the link.</p>}>
        <ul class="rows" aria-label="Invitations">
          {items.map((invitation) => (
            <li key={invitation.id}>
              <span class="lead"><Icon name={invitation.email === null ? 'link' : 'mail'} /></span>
              <div class="grow">
                <b>{invitation.email ?? ANYONE}</b>{' '}
                <span class={invitation.administrator ? 'pill accent' : 'pill'}>{roleWords(invitation)}</span>
                <p class="soft">Made by {makerOf(invitation)} · ends on {dateWords(invitation.expiresAt)}</p>
              </div>
              <button class="small danger" aria-label={`Take back the invitation for ${invitation.email ?? ANYONE.toLowerCase()}`}
                onClick={() => (asked.value = invitation)}>
                Take back
              </button>
            </li>
          ))}
        </ul>
      </ListingFrame>
      {inviting.value && <InviteDialog onClose={() => (inviting.value = false)} />}
      {asked.value && (
        <Confirm title="Take the invitation back?" action="Take back" onCancel={() => (asked.value = undefined)}
          onConfirm={() => asked.value && void takeBack(asked.value)}>
          <p>The link stops working. You can make another one.</p>
        </Confirm>
      )}
    </section>
  )
}
