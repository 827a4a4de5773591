import { ApiError } from '../api/problem'

/** How long to wait before the n-th question (from 0): quick at first, then ever more patient. */
export function delayBefore(attempt: number, random: () => number = Math.random): number {
  const delay = Math.min(400 * 1.5 ** attempt, 8000)
  // Spread, so that fifty photos dropped at once are not asked for in the same moment for ever.
  return delay * (0.8 + 0.4 * random())
}

export interface FollowOptions<T> {
  ask: () => Promise<T>
  isDone: (answer: T) => boolean
  onAnswer: (answer: T) => void
  signal: AbortSignal
  wait?: (milliseconds: number) => Promise<void>
}

/**
 * Asks again and again until the answer is final or the signal fires. A server that is away for a while
 * is asked on; an answer that will not change by asking (4xx but 429) rejects.
 */
export async function follow<T>({ ask, isDone, onAnswer, signal, wait = sleep }: FollowOptions<T>): Promise<void> {
  for (let attempt = 0; !signal.aborted; ++attempt) {
    await wait(delayBefore(attempt))
    if (signal.aborted) return
    try {
      const answer = await ask()
      if (signal.aborted) return
      onAnswer(answer)
      if (isDone(answer)) return
    } catch (error) {
      const passing = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
      if (!passing) throw error
    }
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
