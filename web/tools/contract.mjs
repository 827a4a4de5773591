// What the page has of the API's contract, and Redocly's opinion of it.
//
//   node tools/contract.mjs types   writes src/api/types.ts, if it is not that already
//   node tools/contract.mjs lint    fails when one of Redocly's recommended rules is broken, warnings included
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

// Nothing of this asks anybody: neither for newer versions nor with figures.
process.env.REDOCLY_TELEMETRY = 'off'
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true'

const CONTRACT = new URL('../../src/contract/openapi.json', import.meta.url)
const TYPES = new URL('../src/api/types.ts', import.meta.url)
const HEADING = `// The types of the REST API, and its limits. Generated from src/contract/openapi.json by \`npm run types\`.

`

/** The limits of schemas that have a name, as \`LIMITS.Title.maxLength\`. */
function limitsOf(schemas) {
  const lines = []
  for (const [name, schema] of Object.entries(schemas)) {
    const limits = ['minLength', 'maxLength', 'maxItems', 'minimum', 'maximum'].filter((limit) => schema[limit] !== undefined)
    if (limits.length > 0) lines.push(`  ${name}: { ${limits.map((limit) => `${limit}: ${schema[limit]}`).join(', ')} },`)
  }
  return `/** Lengths count characters, which are Unicode's code points. */\nexport const LIMITS = {\n${lines.join('\n')}\n} as const\n`
}

async function typesText() {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const contract = JSON.parse(await readFile(CONTRACT, 'utf8'))
  const nodes = await openapiTS(CONTRACT, { rootTypes: true, rootTypesNoSchemaPrefix: true, alphabetize: false, silent: true })
  return `${HEADING}${astToString(nodes)}\n${limitsOf(contract.components.schemas)}`
}

async function types() {
  const text = await typesText()
  // Left alone when nothing changed, so that a page in development is not loaded again.
  if (text !== await readFile(TYPES, 'utf8').catch(() => '')) await writeFile(TYPES, text)
}

async function lint() {
  const { createConfig, formatProblems, getTotals, lint: lintContract } = await import('@redocly/openapi-core')
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintContract({ ref: fileURLToPath(CONTRACT), config })
  const totals = getTotals(problems)
  formatProblems(problems, { format: 'codeframe', totals, version: '' })
  console.log(`Redocly's recommended rules: ${totals.errors} errors, ${totals.warnings} warnings`)
  if (totals.errors + totals.warnings > 0) throw new Error('the contract breaks a rule')
}

const [command] = process.argv.slice(2)
try {
  if (command === 'types') await types()
  else if (command === 'lint') await lint()
  else throw new Error('usage: contract.mjs types | lint')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
