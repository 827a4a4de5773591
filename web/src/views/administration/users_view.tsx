import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { explain } from '../../api/problem'
import type { AccountChange, ManagedAccount } from '../../api/types'
import { nameOf } from '../../state/account_names'
import { limitWords, roleWords, STATE_WORDS, storageWords } from '../account_words'
import { Avatar } from '../avatar'
import { Confirm } from '../confirm'
import { useApp, useGallery, useUser } from '../context'
import { FormError } from '../form'
import { Icon } from '../icons'
import { ListingFrame } from '../loading'
import { Menu, MenuItem } from '../menu'
import { dayWords } from '../words'
import { InviteDialog } from './invite_dialog'
import { IdentitiesDialog } from './identities_dialog'
import { QuotaDialog, UploadLimitDialog } from './limit_dialogs'
import { NewUserDialog } from './new_user_dialog'
import { PasswordLinkDialog } from './password_link_dialog'

/** What an administrator is in the middle of. */
type Task = { kind: 'create' | 'invite' } | { kind: 'limit' | 'quota' | 'link' | 'identities' | 'delete'; user: ManagedAccount }

const COLUMNS = ['Name', 'Role', 'State', 'Uploads left', 'Stored', 'Since']

export function UsersView() {
  const app = useApp()
  const { administration } = useGallery()
  const { users } = administration
  const task = useSignal<Task | undefined>(undefined)
  const error = useSignal('')
  useEffect(() => void users.reload(), [users])
  const attempt = async (work: () => Promise<unknown>) => {
    error.value = ''
    try {
      await work()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  /** What can be taken back at once needs no question. */
  const change = (user: ManagedAccount, to: AccountChange, back: AccountChange, done: string) => attempt(async () => {
    await administration.changeUser(user.userId, to)
    const undo = () => void attempt(() => administration.changeUser(user.userId, back))
    app.toasts.show(`${nameOf(user)} ${done}`, { label: 'Undo', run: undo })
  })
  const close = () => (task.value = undefined)
  const remove = (user: ManagedAccount) => {
    close()
    void attempt(async () => {
      await administration.deleteUser(user.userId)
      app.toasts.show(`${nameOf(user)} is being deleted`)
    })
  }
  const now = task.value
  return (
    <section class="panel" aria-labelledby="users-title">
      <header>
        <h3 id="users-title">Users</h3>
        <button onClick={() => (task.value = { kind: 'create' })}><Icon name="plus" /> Create</button>
        <button class="primary" onClick={() => (task.value = { kind: 'invite' })}><Icon name="userPlus" /> Invite</button>
      </header>
      <FormError text={error.value} />
      <ListingFrame list={users} empty={<p>There are no users.</p>}>
        {/* The roles are what it is by itself, until it is drawn as a list on phones. */}
        <table class="fold" role="table" aria-labelledby="users-title">
          <thead role="rowgroup">
            <tr role="row">
              {COLUMNS.map((name) => <th key={name} role="columnheader" scope="col">{name}</th>)}
              <th role="columnheader" scope="col"><span class="visually-hidden">Actions</span></th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {users.items.value.map((user) => (
              <UserRow key={user.userId} user={user} onChange={change} onTask={(next) => (task.value = next)} />
            ))}
          </tbody>
        </table>
      </ListingFrame>
      {now?.kind === 'create' && <NewUserDialog onClose={close} />}
      {now?.kind === 'invite' && <InviteDialog onClose={close} />}
      {now?.kind === 'limit' && <UploadLimitDialog user={now.user} onClose={close} />}
      {now?.kind === 'quota' && <QuotaDialog user={now.user} onClose={close} />}
      {now?.kind === 'identities' && <IdentitiesDialog user={now.user} onClose={close} />}
      {now?.kind === 'link' && <PasswordLinkDialog user={now.user} onClose={close} />}
      {now?.kind === 'delete' && (
        <Confirm title={`Delete ${nameOf(now.user)}?`} action="Delete for good" onCancel={close} onConfirm={() => remove(now.user)}>
          <p>
            The account {now.user.email} is deleted with all its photos, also those that are shared. This cannot be undone. To keep the
            photos, disable the account instead.
          </p>
        </Confirm>
      )}
    </section>
  )
}

interface RowProps {
  user: ManagedAccount
  onChange: (user: ManagedAccount, to: AccountChange, back: AccountChange, done: string) => void
  onTask: (task: Task) => void
}

function UserRow({ user, onChange, onTask }: RowProps) {
  const own = useUser().userId === user.userId
  const { administrator, state } = user
  const name = nameOf(user)
  const disabled = state === 'disabled'
  return (
    <tr role="row">
      <td role="cell" class="who">
        <Avatar name={name} picture={user.picture} />
        <span>
          <b>{name}</b> {own && <span class="pill">You</span>}
          <span class="soft">{user.displayName === null ? user.email : `${user.username} · ${user.email}`}</span>
        </span>
      </td>
      <td role="cell" data-label="Role"><span class={administrator ? 'pill accent' : 'pill'}>{roleWords(user)}</span></td>
      <td role="cell" data-label="State"><span class={state === 'active' ? 'pill good' : 'pill warn'}>{STATE_WORDS[state]}</span></td>
      <td role="cell" data-label="Uploads left" class="number">{limitWords(user.limit)}</td>
      <td role="cell" data-label="Stored" class="number">{storageWords(user)}</td>
      <td role="cell" data-label="Since" class="soft since">{dayWords(user.createdAt)}</td>
      <td role="cell" class="act">
        {state !== 'deleting' && (
          <Menu label={`Actions for ${name}`} face={<Icon name="more" />}>
            {!own && (
              <MenuItem onChoose={() => onChange(user, { administrator: !administrator }, { administrator },
                administrator ? 'is a member now' : 'is an administrator now')}>
                {administrator ? 'Make a member' : 'Make an administrator'}
              </MenuItem>
            )}
            <MenuItem onChoose={() => onTask({ kind: 'limit', user })}>Change the upload limit</MenuItem>
            <MenuItem onChoose={() => onTask({ kind: 'quota', user })}>Change the quota</MenuItem>
            <MenuItem onChoose={() => onTask({ kind: 'link', user })}>Make a password link</MenuItem>
            <MenuItem onChoose={() => onTask({ kind: 'identities', user })}>Other ways to sign in</MenuItem>
            {!own && (
              <MenuItem onChoose={() => onChange(user, { disabled: !disabled }, { disabled },
                disabled ? 'can log in again' : 'is disabled, and logged out everywhere')}>
                {disabled ? 'Enable' : 'Disable'}
              </MenuItem>
            )}
            {!own && <MenuItem tone="danger" onChoose={() => onTask({ kind: 'delete', user })}>Delete</MenuItem>}
          </Menu>
        )}
      </td>
    </tr>
  )
}
