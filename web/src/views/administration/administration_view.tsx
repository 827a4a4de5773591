import { ADMINISTRATION, hashOf, isAdministration } from '../../state/router_paths'
import { useApp, useUser } from '../context'
import { PageHead } from '../page_head'
import { AuditView } from './audit_view'
import { InvitationsView } from './invitations_view'
import { UsersView } from './users_view'

const TITLES: Record<(typeof ADMINISTRATION)[number], string> = { users: 'Users', invitations: 'Invitations', audit: 'Audit' }
const VIEWS = { users: UsersView, invitations: InvitationsView, audit: AuditView }

/** What only administrators see. */
export default function AdministrationView() {
  const { router } = useApp()
  const { administrator } = useUser()
  const { section } = router.route.value
  if (!isAdministration(section)) return null
  if (!administrator) {
    return (
      <div class="empty">
        <h2>Only administrators see this</h2>
        <p><a href={hashOf({ section: 'library' })}>Go to your photos</a></p>
      </div>
    )
  }
  const View = VIEWS[section]
  return (
    <div class="panels">
      <PageHead title="Administration" />
      <nav class="subnav" aria-label="Administration">
        {ADMINISTRATION.map((name) => (
          <a key={name} href={hashOf({ section: name })} {...(name === section ? { 'aria-current': 'page' as const } : {})}>{TITLES[name]}</a>
        ))}
      </nav>
      <View />
    </div>
  )
}
