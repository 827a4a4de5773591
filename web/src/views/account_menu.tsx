import { nameOf } from '../state/account_names'
import { hashOf } from '../state/router_paths'
import { Avatar } from './avatar'
import { useApp, useUser } from './context'
import { Icon } from './icons'
import { Menu, MenuItem, MenuLink } from './menu'

/** Who is logged in, and where they go to change that. */
export function AccountMenu() {
  const app = useApp()
  const user = useUser()
  const name = nameOf(user)
  const head = (
    <div class="menu-head">
      <Avatar name={name} picture={user.picture} />
      <p>
        <b>{name}</b>
        <span class="soft">{user.email}</span>
      </p>
    </div>
  )
  return (
    <Menu label={`Account: ${name}`} class="avatar-button" face={<Avatar name={name} picture={user.picture} />} head={head}>
      <MenuLink href={hashOf({ section: 'settings' })}><Icon name="settings" /> Settings</MenuLink>
      {user.administrator && (
        <MenuLink href={hashOf({ section: 'users' })}><Icon name="shield" /> Administration</MenuLink>
      )}
      <MenuItem onChoose={() => void app.attempt(() => app.session.logout())}><Icon name="logOut" /> Log out</MenuItem>
    </Menu>
  )
}
