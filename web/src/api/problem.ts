import type { Problem } from './types'

/** What is known of a call that failed: all of a problem when the server answered it, less when a proxy or nobody did. */
export type Failure = Pick<Problem, 'status'> & Partial<Record<Exclude<keyof Problem, 'status'>, string>>

/** A call that failed, by an answer of the server or by the lack of one (status 0). */
export class ApiError extends Error {
  constructor(readonly problem: Failure) {
    super(problem.detail ?? problem.title ?? `status ${problem.status}`)
    this.name = 'ApiError'
  }

  get status(): number {
    return this.problem.status
  }

  static unreachable(): ApiError {
    return new ApiError({ status: 0, code: 'Unreachable' })
  }
}

const WORDS_BY_CODE: Record<string, string> = {
  Unreachable: 'The server cannot be reached. Check that it runs, then try again.',
  InvalidCredentials: 'The name or the password is wrong.',
  EmailTaken: 'There is an account with this email address already.',
  UsernameTaken: 'This username is taken. Choose another one.',
  InvalidSetupToken: 'The setup token is wrong. The server printed it when it started for the first time.',
  UnsupportedMediaType: 'This file is not a photo that can be developed. JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF and most raw files can.',
}

// For answers whose code is not in the table above, and those of a proxy in between.
const WORDS_BY_STATUS: Record<number, string> = {
  401: 'Please log in again.',
  403: 'You are not allowed to do this.',
  404: 'This does not exist any more.',
  412: 'Somebody changed this meanwhile.',
  413: 'This file is too large for the server.',
  415: 'This file is not a photo that can be developed. JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF and most raw files can.',
  428: 'The page sent no version of the photo. Reload the page and try again.',
  429: 'Too many requests just now. Wait a moment, then try again.',
  500: 'The server made a mistake. Try again; if it stays, tell the person who runs it.',
  502: 'The server is not available just now. Try again in a moment.',
  503: 'The server is not available just now. Try again in a moment.',
  507: 'The server has no space left.',
}

// The server's own sentence says what this person can do about it, which depends on who they are.
const TOLD_BY_SERVER: ReadonlySet<string> = new Set([
  'UploadLimitReached', 'QuotaExceeded', 'SignUpClosed', 'InvitationRequired', 'InvalidInvitation', 'InvalidOneTimeLink', 'AccountDisabled',
  'WrongPassword', 'OwnAccount', 'SignInExpired', 'IssuerRefused', 'EmailNotVerified', 'LinkRequired', 'IdentityTaken', 'TooManyIdentities',
  'LastSignIn', 'SignInAgain',
])

const FIELD_BY_CODE: Record<string, string> = {
  EmailTaken: 'email',
  UsernameTaken: 'username',
  InvalidSetupToken: 'setupToken',
  InvalidCredentials: 'password',
  WrongPassword: 'currentPassword',
}

/** The member of the request that a failure is about, if it says so: by its code, or with the first words of its sentence. */
export function memberOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { code, detail } = error.problem
  return FIELD_BY_CODE[code ?? ''] ?? /^`(\w+)`/.exec(detail ?? '')?.[1]
}

/** The same failure in words to stand beside that field, where its name need not be said. */
export function explainBeside(error: unknown): string {
  return explain(error).replace(/^`\w+`/, 'This')
}

/** What to tell a person about a failure, in words; never empty. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something unexpected went wrong in this page. Reload it and try again.'
  const { code, status, detail, title } = error.problem
  if (code !== undefined && detail !== undefined && TOLD_BY_SERVER.has(code)) return detail
  const words = WORDS_BY_CODE[code ?? ''] ?? WORDS_BY_STATUS[status]
  // The server's own sentence knows more (which limit, which field) unless the failure is known exactly.
  const known = code !== undefined && code in WORDS_BY_CODE
  if (known && words !== undefined) return (TOLD_BY_SERVER.has(code) ? detail : undefined) ?? words
  if (detail !== undefined && status < 500) return words === undefined ? detail : `${words} (${detail})`
  return words ?? title ?? `The server answered with status ${status}.`
}

/** Reads problem details from an answer's body; tolerates bodies of proxies that know nothing of them. */
export function problemFrom(status: number, body: string): Failure {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { status }
  }
  if (typeof parsed !== 'object' || parsed === null) return { status }
  const problem: Failure = { status }
  for (const name of ['type', 'title', 'detail', 'code', 'requestId'] as const) {
    const value: unknown = Reflect.get(parsed, name)
    if (typeof value === 'string') problem[name] = value
  }
  return problem
}
