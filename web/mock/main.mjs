// node mock/main.mjs [PORT] [PHOTOS]: the mock on its own, with an account and some photos to look at.
import { paint } from './pictures.mjs'
import { startMock } from './server.mjs'

const port = Number(process.argv[2] ?? 8080)
const photos = Number(process.argv[3] ?? 30)
const mock = await startMock({ port })
const user = mock.store.addUser({ email: 'ada@example.com', username: 'ada', password: 'correct horse', setupToken: mock.store.setupToken })
for (let n = 0; n < photos; ++n) {
  const [width, height] = [[600, 400], [400, 600], [640, 360], [500, 500]][n % 4]
  const uploadedAt = new Date(Date.now() - n * 3_600_000).toISOString()
  mock.store.addImage(user, paint({ width, height, seed: n + 1 }), { filename: `photo-${n + 1}.png`, uploadedAt })
}
console.log(`${mock.url}\nlog in as ada@example.com with "correct horse"`)
