// Accounts in a real browser, as a server of its own for each case serves the page: the account menu, settings, one-time
// links, and what administrators do.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startGallery } from '../../tests/e2e/support/gallery.mjs'
import { paint } from './pictures.mjs'
import { accountMenu, ADA, assertFits, bendAnswers, logIn, logOut, openBrowser, openPage, signUp, until } from './support.mjs'

const BOB = { email: 'bob@example.com', username: 'bob', password: 'staple battery horse' }
const PHONE = { width: 375, height: 740 }

let browser, gallery, page, opened
before(async () => (browser = await openBrowser()))
after(() => browser?.close())
beforeEach(async () => {
  gallery = await startGallery('--sign-up', 'invitation')
  opened = []
  page = await open('/')
})
afterEach(async () => {
  try {
    for (const each of opened) await each.assertClean()
  } finally {
    for (const each of opened) await each.context().close()
    await gallery.stop()
  }
})

const base = () => `http://${gallery.address}`

/** A browser of somebody else, which opens that path first. */
async function open(path) {
  const other = await openPage(browser, base(), {}, path)
  opened.push(other)
  return other
}

/** What stands behind the server's name in a link that was made: the browser knows it by its address. */
const pathOf = (link) => `/${new URL(link).hash}`

/** The administrator, in the page. */
async function begin() {
  await signUp(page, ADA, gallery.setupToken)
}

/** An ordinary account in the page, made by an administrator who is a program. Answers both as programs see them. */
async function beginAsBob() {
  const administrator = await gallery.signUpAdministrator()
  const made = await administrator.send('POST', '/users', { body: BOB })
  assert.equal(made.status, 201)
  await page.reload()
  await logIn(page, BOB)
  return { administrator, bob: await gallery.logIn(BOB) }
}

async function choose(name) {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name }).click()
}
const openSettings = async () => {
  await choose('Settings')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
}
const openAdministration = async (section) => {
  await choose('Administration')
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: section }).click()
}
const region = (name) => page.getByRole('region', { name, exact: true })
const dialog = (name) => page.getByRole('dialog', { name })
const focused = (on = page) => on.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
const row = (name) => page.getByRole('row').filter({ hasText: name })
const act = async (name, action) => {
  await row(name).getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** A real issuer beside the gallery, which begins anew with it, at the same address. */
async function beginWithIssuer() {
  const child = spawn('node', [fileURLToPath(new URL('../../tests/e2e/support/oidc_issuer.mjs', import.meta.url)), `${base()}/`],
    { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })
  const [url] = await once(lines, 'line')
  await gallery.kill()
  gallery.settings.push('--oidc-issuer', url, '--oidc-client-id', 'tintype', '--oidc-name', 'Example', '--oidc-sign-up', 'open')
  process.env.TINTYPE_OIDC_CLIENT_SECRET = 'a/secret+of:tests'
  await gallery.start()
  const control = (change) => fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(change) })
  return { url, control, stop: () => child.stdin.end() }
}

// The whole way through another service and back, in one browser: a new account, then an account that is linked.
test('signs in with another service', async () => {
  const issuer = await beginWithIssuer()
  page.mayVisit = issuer.url
  try {
    await issuer.control({ users: { cleo: { email: 'cleo@example.com', email_verified: true, name: 'Cleo Clock' } } })
    await page.reload()
    await signUp(page, ADA, gallery.setupToken)
    await logOut(page)
    const service = page.getByRole('button', { name: 'Sign in with Example' })
    const identitiesOf = async (username) => {
      const ada = await gallery.logIn(ADA)
      const { items } = await (await ada.send('GET', '/users')).json()
      const { userId } = items.find((user) => user.username === username)
      return (await ada.send('GET', `/users/${userId}/identities`)).json()
    }
    const answer = async (button) => {
      await page.getByLabel('Who are you?').fill('cleo')
      await page.getByRole('button', { name: button, exact: true }).click()
    }
    await service.click()
    await answer('Do not continue')
    await page.getByText('Example did not sign you in.').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await service.click()
    await answer('Continue')
    await accountMenu(page).waitFor()
    await openSettings()
    await region('Other ways to sign in').getByText('cleo@example.com', { exact: true }).waitFor()
    await region('Other ways to sign in').getByRole('button', { name: 'Remove cleo@example.com' }).click()
    await dialog('Do not sign in with cleo@example.com any more?').getByRole('button', { name: 'Remove' }).click()
    await region('Other ways to sign in').getByText('This is the only way to sign in').waitFor()
    await logOut(page)
    await issuer.control({ users: { ada: { email: ADA.email, email_verified: true } }, forget: true })
    await logIn(page, ADA)
    await openSettings()
    await region('Other ways to sign in').getByRole('button', { name: 'Link Example' }).click()
    await page.getByLabel('Who are you?').fill('ada')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByText('You can sign in with it from now on').waitFor()
    await region('Other ways to sign in').getByText(ADA.email, { exact: true }).waitFor()
    // An administrator takes the way in away from whom it is the only one.
    await openAdministration('Users')
    await act('Cleo Clock', 'Other ways to sign in')
    const ways = dialog('Other ways to sign in of Cleo Clock')
    await ways.getByRole('button', { name: 'Remove cleo@example.com' }).click()
    await ways.getByText('No other service leads to this account.').waitFor()
    assert.deepEqual((await identitiesOf('cleo')).items, [])
  } finally {
    delete process.env.TINTYPE_OIDC_CLIENT_SECRET
    issuer.stop()
  }
})

// The menu works without a mouse, gives the focus back, and shows administration to nobody else.
test('opens the account menu by keyboard', async () => {
  await beginAsBob()
  await accountMenu(page).focus()
  await page.keyboard.press('Enter')
  await page.getByText(BOB.email).waitFor()
  await until(async () => (await focused())?.trim() === 'Settings', 'the focus on the first entry')
  assert.deepEqual((await page.getByRole('menuitem').allTextContents()).map((text) => text.trim()), ['Settings', 'Log out'])
  await page.keyboard.press('ArrowUp')
  assert.equal((await focused()).trim(), 'Log out')
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('menu').count(), 0)
  assert.equal(await focused(), 'Account: bob')
  await page.keyboard.press('ArrowDown')
  await until(async () => (await focused())?.trim() === 'Settings', 'the focus on the first entry again')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await until(() => page.evaluate(() => document.activeElement?.tagName === 'H2'), 'the focus on the heading')
  await page.goto(`${base()}/#/administration/users`)
  await page.getByRole('heading', { name: 'Only administrators see this' }).waitFor()
})

// A display name is shown at once and kept; without one, the username is.
test('changes the display name', async () => {
  const { bob } = await beginAsBob()
  const shown = async () => (await (await bob.send('GET', '/me')).json()).displayName
  await openSettings()
  await page.getByRole('button', { name: 'Change the name' }).click()
  await page.getByLabel('Display name').fill('Bob the Builder')
  await page.keyboard.press('Enter')
  await page.getByText('Your name is changed').waitFor()
  await page.getByRole('button', { name: 'Account: Bob the Builder' }).waitFor()
  await until(async () => (await focused())?.includes('Change the name'), 'the focus is back')
  assert.equal(await shown(), 'Bob the Builder')
  await page.getByRole('button', { name: 'Change the name' }).click()
  await page.getByLabel('Display name').fill('Somebody else')
  await page.keyboard.press('Escape')
  assert.equal(await page.getByLabel('Display name').count(), 0)
  assert.equal(await shown(), 'Bob the Builder')
  await page.getByRole('button', { name: 'Change the name' }).click()
  await page.getByLabel('Display name').fill('')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Account: bob', exact: true }).waitFor()
  assert.equal(await shown(), null)
})

// A picture is shown before it is sent, then everywhere; a file that is none is refused in words, and it can be removed.
test('sets and removes the picture', async () => {
  const { bob } = await beginAsBob()
  const shown = async () => (await (await bob.send('GET', '/me')).json()).picture
  const card = region('bob')
  const send = (name, buffer) => card.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await openSettings()
  await card.getByText('Choose a picture').waitFor()
  await send('me.png', paint({ width: 900, height: 600 }))
  await dialog('Use this picture?').locator('img').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await shown(), null)
  await until(() => page.evaluate(() => document.activeElement?.getAttribute('type') === 'file'), 'the focus is back')

  await send('me.png', paint({ width: 900, height: 600 }))
  await dialog('Use this picture?').getByRole('button', { name: 'Use this picture' }).click()
  await page.getByText('Your picture is changed').waitFor()
  const link = await shown()
  assert.match(link, /^\/media\/profile-pictures\//)
  assert.ok(!link.includes(BOB.email), 'the link does not tell the email')
  for (const place of [card.locator('.avatar img'), accountMenu(page).locator('img')]) {
    await until(() => place.evaluate((image) => image.complete && image.naturalWidth === 512 && image.naturalHeight === 512), 'the picture')
  }
  await page.reload()
  await until(() => accountMenu(page).locator('img').evaluate((image) => image.naturalWidth === 512), 'the picture after a reload')
  await page.setViewportSize(PHONE)
  await assertFits(page, 'settings with a picture')

  const whole = paint({ width: 900, height: 600 })
  await send('torn.png', whole.subarray(0, Math.floor(whole.length / 2)))
  await dialog('Use this picture?').getByRole('button', { name: 'Use this picture' }).click()
  const said = () => dialog('Use this picture?').getByRole('alert').textContent()
  await until(async () => (await said()) !== '', 'what is wrong with the file')
  await dialog('Use this picture?').getByRole('button', { name: 'Cancel' }).click()
  assert.ok(await shown(), 'the picture from before stays')

  await card.getByRole('button', { name: 'Remove the picture' }).click()
  await page.getByText('Your picture is removed').waitFor()
  await until(async () => (await accountMenu(page).locator('img').count()) === 0, 'the initials are back')
  assert.equal(await shown(), null)
})

// A few words on oneself are saved like the name, without a button.
test('changes the words about oneself', async () => {
  const { bob } = await beginAsBob()
  const shown = async () => (await (await bob.send('GET', '/me')).json()).about
  await openSettings()
  await page.getByLabel('About you').fill('Builds things.')
  await page.keyboard.press('Enter')
  await page.getByText('Your profile is changed').waitFor()
  assert.equal(await shown(), 'Builds things.')
  await page.getByLabel('About you').fill('Something else')
  await page.keyboard.press('Escape')
  assert.equal(await page.getByLabel('About you').inputValue(), 'Builds things.')
  await page.getByLabel('About you').fill('')
  await page.keyboard.press('Tab')
  await until(async () => (await shown()) === null, 'nothing about oneself')
})

// Another password ends all other sessions, and a wrong one is told beside its field.
test('changes the password', async () => {
  const { bob } = await beginAsBob()
  await openSettings()
  const card = region('Password')
  await card.getByText('This ends all your other sessions.').waitFor()
  await card.getByLabel('Current password').fill('not this one')
  await card.getByLabel('New password').fill('a new and better one')
  await card.getByRole('button', { name: 'Change the password' }).click()
  await card.getByText('The current password is wrong.').waitFor()
  const field = card.getByLabel('Current password')
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  assert.ok(await field.evaluate((input) => input === document.activeElement), 'the focus is on the field')
  assert.equal(await card.getByLabel('New password').inputValue(), 'a new and better one')
  assert.equal((await bob.send('GET', '/me')).status, 200)
  await field.fill(BOB.password)
  await card.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed').waitFor()
  await until(async () => (await bob.send('GET', '/me')).status === 401, 'the other session ends')
  await until(async () => (await region('Sessions').getByRole('listitem').count()) === 1, 'one session is left')
  assert.equal(await field.inputValue(), '')
  await logOut(page)
  await logIn(page, { ...BOB, password: 'a new and better one' })
})

// Each session with its device and address; this one is marked, and the others can be ended.
test('lists and ends sessions', async () => {
  const { bob } = await beginAsBob()
  const second = await gallery.logIn(BOB)
  await openSettings()
  const sessions = region('Sessions').getByRole('listitem')
  await until(async () => (await sessions.count()) === 3, 'three sessions')
  const own = sessions.filter({ hasText: 'This device' })
  await own.getByText(/Chrome on Linux/).waitFor()
  assert.match(await own.innerText(), /Last used just now · 127\.0\.0\.1/)
  assert.equal(await own.getByRole('button').count(), 0)
  await sessions.filter({ hasNotText: 'This device' }).first().getByRole('button', { name: /^End the session of / }).click()
  await page.getByText(/^The session of .* has ended$/).waitFor()
  await until(async () => (await sessions.count()) === 2, 'it goes')
  const statuses = async () => Promise.all([bob, second].map(async (session) => (await session.send('GET', '/me')).status))
  await until(async () => (await statuses()).filter((status) => status === 401).length === 1, 'one of them is out')
  await page.getByRole('button', { name: 'End all others' }).click()
  await until(async () => (await sessions.count()) === 1, 'only this one is left')
  await until(async () => (await statuses()).every((status) => status === 401), 'both are out')
  await page.reload()
  await until(async () => (await sessions.count()) === 1, 'and this one works')
})

// A key is shown once, does what its scopes say, and nothing once it is deleted.
test('makes an API key', async () => {
  await beginAsBob()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openSettings()
  await region('API keys').getByText('No API keys.').waitFor()
  await page.getByRole('button', { name: 'New API key' }).click()
  const form = dialog('New API key')
  assert.equal(await form.getByLabel(/^Administer/).count(), 0)
  await form.getByLabel('Name').fill('Backup script')
  await form.getByLabel(/^Read/).uncheck()
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('Choose at least one.').waitFor()
  await form.getByLabel(/^Read/).check()
  await form.getByLabel(/^Delete/).check()
  await form.getByLabel('Ends after').selectOption('30')
  await form.getByRole('button', { name: 'Create' }).click()
  const created = dialog('API key “Backup script”')
  await created.getByText('It is shown this once.').waitFor()
  const key = await created.getByLabel('API key').inputValue()
  assert.match(key, /^tintype_/)
  await created.getByRole('button', { name: 'Copy' }).click()
  await created.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key)
  await created.getByRole('button', { name: 'Done' }).click()
  assert.ok(!(await page.content()).includes(key), 'the key is gone from the page')
  const use = async (method, path) => (await fetch(gallery.url(path), { method, headers: { Authorization: `Bearer ${key}` } })).status
  assert.deepEqual([await use('GET', '/images'), await use('POST', '/images/1/share'), await use('GET', '/me/sessions')], [200, 403, 403])

  await page.reload()
  const listed = region('API keys').getByRole('listitem')
  assert.match(await listed.innerText(), /Backup script\s+Can read and delete · .* · ends on /)
  await listed.getByRole('button', { name: 'Delete the API key Backup script' }).click()
  const asked = dialog('Delete the API key “Backup script”?')
  await asked.waitFor()
  assert.equal(await focused(), 'Cancel')
  await asked.getByRole('button', { name: 'Delete' }).click()
  await region('API keys').getByText('No API keys.').waitFor()
  await until(async () => (await use('GET', '/images')) === 401, 'the key is refused')
})

// Deleting one's account takes the password and a warning, and logs out; administrators are told who deletes theirs.
test('deletes the own account', async () => {
  await beginAsBob()
  await openSettings()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const asked = dialog('Delete your account?')
  await asked.getByText('This cannot be undone.').waitFor()
  await asked.getByLabel('Your password').fill('not this one')
  await asked.getByRole('button', { name: 'Delete everything' }).click()
  await asked.getByText('The current password is wrong.').waitFor()
  await asked.getByLabel('Your password').fill(BOB.password)
  await asked.getByRole('button', { name: 'Delete everything' }).click()
  await page.getByText('Your account is being deleted').waitFor()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await assert.rejects(gallery.logIn(BOB))

  await page.reload()
  await logIn(page, { email: 'root', password: ADA.password })
  await openSettings()
  await page.getByText('is deleted by another administrator').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete my account' }).count(), 0)
})

// Whom another service signs in is asked for no password that there is not: they set one, or delete the account, without.
test('asks for no password where there is none', async () => {
  await beginAsBob()
  await bendAnswers(page, '**/api/v1/me', (me) => ({ ...me, hasPassword: false }))
  await openSettings()
  const card = region('Password')
  await card.getByText('You have none: another service signs you in.').waitFor()
  await card.getByRole('button', { name: 'Set a password' }).waitFor()
  assert.equal(await card.getByLabel('Current password').count(), 0)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await dialog('Delete your account?').getByRole('button', { name: 'Delete everything' }).waitFor()
  assert.equal(await dialog('Delete your account?').getByLabel('Your password').count(), 0)
})

// An account without a password gets a link by which its owner sets one, once.
test('creates a user, who sets a password by the link', async () => {
  await begin()
  await openAdministration('Users')
  await page.getByRole('button', { name: 'Create' }).click()
  const form = dialog('Create an account')
  await form.getByLabel('Email address').fill(BOB.email)
  await form.getByLabel('Username').fill(ADA.username)
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('This username is taken.').waitFor()
  await form.getByLabel('Username').fill(BOB.username)
  await form.getByRole('button', { name: 'Create' }).click()
  const shown = dialog('bob has an account')
  const link = await shown.getByLabel('Link').inputValue()
  assert.match(link, /^http.*\/#password=./)
  await shown.getByRole('button', { name: 'Done' }).click()
  await row('bob').getByText('Member').waitFor()
  await row('bob').getByText('Active').waitFor()
  await row('bob').getByText('500').waitFor()

  const theirs = await open(pathOf(link))
  await theirs.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await theirs.getByLabel('New password').fill(BOB.password)
  await theirs.getByRole('button', { name: 'Set the password' }).click()
  await accountMenu(theirs).waitFor()
  assert.ok(!theirs.url().includes('password'), 'the token is gone from the address')
  await logOut(theirs)
  await logIn(theirs, BOB)

  const late = await open(pathOf(link))
  await late.getByLabel('New password').fill('another one, too late')
  await late.getByRole('button', { name: 'Set the password' }).click()
  await late.getByText('This link has been used').waitFor()

  await act('bob', 'Make a password link')
  await dialog('Password link for bob').getByRole('button', { name: 'Make the link' }).click()
  assert.match(await dialog('Password link for bob').getByLabel('Link').inputValue(), /#password=./)
})

// What can be undone is done at once, with an Undo; whoever is disabled is out, and comes back when enabled.
test('disables, enables, promotes, limits and deletes a user', async () => {
  await begin()
  const ada = await gallery.logIn(ADA)
  assert.equal((await ada.send('POST', '/users', { body: BOB })).status, 201)
  const bob = await gallery.logIn(BOB)
  const stored = async () => (await (await ada.send('GET', '/users')).json()).items.find(({ username }) => username === 'bob')
  await openAdministration('Users')

  await act('bob', 'Disable')
  await page.getByText('bob is disabled, and logged out everywhere').waitFor()
  await row('bob').getByText('Disabled').waitFor()
  await until(async () => (await bob.send('GET', '/me')).status === 401, 'bob is out')
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('bob').getByText('Active').waitFor()
  assert.equal((await stored()).state, 'active')
  await gallery.logIn(BOB)

  await act('bob', 'Make an administrator')
  await row('bob').getByText('Administrator').waitFor()
  assert.equal((await stored()).administrator, true)
  await act('bob', 'Make a member')
  await row('bob').getByText('Member').waitFor()

  await act('bob', 'Change the upload limit')
  await dialog('Upload limit of bob').getByLabel('Uploads left').fill('1234')
  await dialog('Upload limit of bob').getByRole('button', { name: 'Save' }).click()
  await row('bob').getByText('1,234').waitFor()
  assert.equal((await stored()).limit, 1234)
  await act('bob', 'Change the upload limit')
  await dialog('Upload limit of bob').getByLabel('No limit').check()
  await dialog('Upload limit of bob').getByRole('button', { name: 'Save' }).click()
  await row('bob').getByText('No limit').waitFor()
  assert.equal((await stored()).limit, null)

  await act('bob', 'Change the quota')
  await dialog('Quota of bob').getByLabel('So much in all').check()
  await dialog('Quota of bob').getByLabel('Gigabytes').fill('2.5')
  await dialog('Quota of bob').getByRole('button', { name: 'Save' }).click()
  await row('bob').getByText('0 bytes of 2.5 GB').waitFor()
  assert.equal((await stored()).quotaBytes, 2_500_000_000)
  await act('bob', 'Change the quota')
  await dialog('Quota of bob').getByLabel('No quota').check()
  await dialog('Quota of bob').getByRole('button', { name: 'Save' }).click()
  await row('bob').getByText('0 bytes', { exact: true }).waitFor()
  assert.equal((await stored()).quotaBytes, null)

  // Nobody locks themselves out.
  await row('ada').getByRole('button', { name: 'Actions for ada' }).click()
  assert.deepEqual(await page.getByRole('menuitem').allTextContents(), [
    'Change the upload limit', 'Change the quota', 'Make a password link', 'Other ways to sign in',
  ])
  await page.keyboard.press('Escape')

  await act('bob', 'Delete')
  const asked = dialog('Delete bob?')
  await asked.getByText('with all its photos').waitFor()
  await page.keyboard.press('Escape')
  await until(async () => (await focused()) === 'Actions for bob', 'the focus is back')
  await act('bob', 'Delete')
  await asked.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('bob is being deleted').waitFor()
  await until(async () => (await stored()) === undefined, 'bob is gone')
  await page.reload()
  await row('ada').waitFor()
  assert.equal(await row('bob').count(), 0)
})

// More users than a page of the list has.
test('pages through many users', async () => {
  await begin()
  const ada = await gallery.logIn(ADA)
  for (let n = 0; n < 45; ++n) {
    const username = `user${String(n).padStart(2, '0')}`
    assert.equal((await ada.send('POST', '/users', { body: { email: `${username}@example.com`, username } })).status, 201)
  }
  await openAdministration('Users')
  await until(async () => (await page.getByRole('row').count()) === 41, 'the first page, below its heading')
  await page.getByRole('button', { name: 'Show more' }).click()
  await until(async () => (await page.getByRole('row').count()) === 47, 'all of them')
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

// An invitation opens sign-up, for the address that it names and once; one that was taken back does not.
test('invites by link', async () => {
  await begin()
  await openAdministration('Invitations')
  await page.getByText('No invitations are open.').waitFor()
  const invite = async (email) => {
    await page.getByRole('button', { name: 'Invite' }).click()
    await dialog('Invite somebody').getByLabel('Email address').fill(email)
    await dialog('Invite somebody').getByRole('button', { name: 'Make the link' }).click()
    const link = await dialog('The invitation is ready').getByLabel('Link').inputValue()
    await dialog('The invitation is ready').getByRole('button', { name: 'Done' }).click()
    assert.match(link, /^http.*\/#invitation=./)
    return link
  }
  const forBob = await invite(BOB.email)
  const forAnyone = await invite('')
  const list = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem')
  await until(async () => /Member\s+Made by ada · ends on /.test(await list.filter({ hasText: BOB.email }).innerText()), 'who made it')
  await page.getByRole('button', { name: 'Take back the invitation for anyone with the link' }).click()
  await dialog('Take the invitation back?').getByRole('button', { name: 'Take back' }).click()
  await page.getByText('The invitation is taken back').waitFor()
  await until(async () => (await list.count()) === 1, 'it goes')

  const stranger = await open(pathOf(forAnyone))
  const fill = async (on, { email, username, password }) => {
    await on.getByLabel('Email address').fill(email)
    await on.getByLabel('Username').fill(username)
    await on.getByLabel('Password').fill(password)
    await on.getByRole('button', { name: 'Sign up' }).click()
  }
  await fill(stranger, BOB)
  await stranger.getByText('This invitation has been used or taken back').waitFor()
  await stranger.goto(`${base()}/#/`)
  await stranger.getByText('Accounts are made by invitation here.').waitFor()
  assert.equal(await stranger.getByRole('button', { name: 'Sign up' }).count(), 0)

  const theirs = await open(pathOf(forBob))
  await theirs.getByText('You are invited to this server.').waitFor()
  await fill(theirs, { ...BOB, email: 'eve@example.com' })
  await theirs.getByText('is for another email address').waitFor()
  assert.equal(await theirs.getByLabel('Username').inputValue(), BOB.username)
  await fill(theirs, BOB)
  await theirs.getByText('Nothing here yet').waitFor()
  assert.ok(!theirs.url().includes('invitation'), 'the token is gone from the address')
  await page.reload()
  await page.getByText('No invitations are open.').waitFor()

  // Whoever is logged in already is asked first.
  await theirs.goto(`${base()}${pathOf(forBob)}`)
  await theirs.getByText('You are logged in as bob.').waitFor()
  await theirs.getByRole('link', { name: 'Go to your photos' }).click()
  await theirs.getByText('Nothing here yet').waitFor()
})

// An invitation opens whichever way to an account there is: the form, the other service, or neither.
test('leads an invitation to the other service', async () => {
  await begin()
  await logOut(page)
  const check = async (signUp, outside) => {
    const straighten = await bendAnswers(page, '**/api/v1/auth/state', (state) => ({ ...state, signUp, outside: { name: 'Example', signUp: outside } }))
    await page.goto(`${base()}/#invitation=t`)
    await page.reload()
    await page.getByText(signUp === 'closed' && outside === 'closed' ? 'But sign-up is closed' : 'The invitation works once.').waitFor()
    await until(async () => (await page.getByRole('button', { name: 'Sign in with Example' }).count()) === (outside === 'closed' ? 0 : 1), 'the way there')
    await until(async () => (await page.getByLabel('Email address').count()) === (signUp === 'closed' ? 0 : 1), 'the form')
    await straighten()
  }
  await check('closed', 'invitation')
  await check('invitation', 'invitation')
  await check('invitation', 'closed')
  await check('closed', 'closed')
})

// The audit is in sentences, newest first, and narrows to what one looks for.
test('reads the audit', async () => {
  await begin()
  const ada = await gallery.logIn(ADA)
  assert.equal((await ada.send('POST', '/users', { body: BOB })).status, 201)
  await assert.rejects(gallery.logIn({ ...BOB, password: 'not this one' }))
  await openAdministration('Audit')
  const entries = page.getByRole('list', { name: 'Today' }).getByRole('listitem')
  await entries.filter({ hasText: 'ada created the account of bob' }).waitFor()
  await entries.filter({ hasText: 'ada signed up' }).waitFor()

  const filters = page.getByRole('form', { name: 'Filters' })
  await filters.getByLabel('Outcome').selectOption('denied')
  // Denials are noted together, after a moment.
  await until(async () => {
    if ((await entries.filter({ hasText: 'tried to log in, and was refused' }).count()) === 1) return true
    await filters.getByRole('button', { name: 'Show everything' }).click()
    await filters.getByLabel('Outcome').selectOption('denied')
    return false
  }, 'the refused log-in')
  assert.equal(await entries.filter({ hasText: 'created the account' }).count(), 0)

  await filters.getByRole('button', { name: 'Show everything' }).click()
  await filters.getByLabel('About').selectOption('account')
  await until(async () => (await entries.filter({ hasText: 'logged in' }).count()) === 0 && (await entries.count()) === 2, 'accounts alone')
  const created = entries.filter({ hasText: 'created the account of bob' })
  await created.getByText('From 127.0.0.1').click()
  await created.getByRole('button', { name: 'Only kind account.create' }).click()
  await until(async () => (await entries.count()) === 1, 'one kind alone')
  await filters.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('Nothing fits these filters.').waitFor()
  await filters.getByRole('button', { name: 'Show everything' }).click()
  await entries.filter({ hasText: 'ada signed up' }).waitFor()
})

// A list that cannot be loaded says why, and is asked for again.
test('tries again when a list cannot be loaded', async () => {
  await begin()
  await page.route(/\/api\/v1\/users\?/, (route) => route.fulfill({ status: 503, headers: { 'x-bent': 'yes' } }), { times: 1 })
  await openAdministration('Users')
  await page.getByText('The server is not available just now.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await row('ada').getByText('You', { exact: true }).waitFor()
})

// Nothing sticks out at the width of a phone, dialogs and menus included, in the light and in the dark.
for (const colorScheme of ['light', 'dark']) {
  test(`fits a phone in the ${colorScheme}`, async () => {
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme })
    await begin()
    const ada = await gallery.logIn(ADA)
    const long = { email: `${'long'.repeat(14)}@${'example'.repeat(6)}.com`, username: 'name'.repeat(10) }
    assert.equal((await ada.send('POST', '/users', { body: long })).status, 201)
    assert.equal((await ada.send('POST', '/invitations', { body: { email: long.email } })).status, 201)
    assert.equal((await ada.send('POST', '/me/api-keys', { body: { name: 'x'.repeat(80), scopes: ['read'] } })).status, 201)
    await accountMenu(page).click()
    await assertFits(page, 'the menu')
    await page.keyboard.press('Escape')
    await openSettings()
    await region('API keys').getByRole('listitem').waitFor()
    await assertFits(page, 'settings')
    await page.getByRole('button', { name: 'New API key' }).click()
    await page.getByRole('dialog').waitFor()
    await assertFits(page, 'a dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await openAdministration('Users')
    await row(long.username).waitFor()
    await assertFits(page, 'users')
    await row(long.username).getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await assertFits(page, 'the menu of a user')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    await assertFits(page, 'a question')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Invitations' }).click()
    await page.getByText(long.email).waitFor()
    await assertFits(page, 'invitations')
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('ada signed up').waitFor()
    await page.locator('.audit summary').first().click()
    await assertFits(page, 'audit')
  })
}
