import { loadEnv } from 'vite'
import { defineConfig } from 'vitest/config'

// Where `npm run dev` finds the API: a server that runs.
const SERVER = loadEnv('', '.', 'TINTYPE_').TINTYPE_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    // The server's policy is default-src 'self', which forbids data: URLs, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // With the browser's own Host: the server refuses pages of another origin than that.
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: SERVER, changeOrigin: false }, '/media': { target: SERVER, changeOrigin: false } },
  },
  test: { include: ['src/**/*.test.ts'] },
})
