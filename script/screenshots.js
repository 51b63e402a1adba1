// Drives Chromium over its debugging pipe: node screenshots.js ADDRESS FOLDER PROFILE
// Needs no package: messages are JSON with a zero byte behind, on file descriptors 3 and 4.
'use strict'

const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')

const [address, folder, profile] = process.argv.slice(2)
const widths = [360, 1280]

// What is typed into the report: refused, and taken.
const wrong = { place: '', date: '2035-05-11', count: 'a few', observer: 'Ewan "Mouat"', note: 'Two <adults> & one young.' }

const right = { place: 'Isle of May', date: '2025-06-01', count: '75', observer: 'Ruth Calder', note: '' }

const pages = [
  { name: 'list', path: '/' },
  { name: 'list-dark', path: '/', dark: true },
  { name: 'search', path: '/?q=tern' },
  { name: 'bird', path: '/birds/1' },
  { name: 'bird-dark', path: '/birds/1', dark: true },
  { name: 'report', path: '/birds/1/report' },
  { name: 'report-errors', path: '/birds/1/report', fill: wrong },
  { name: 'not-found', path: '/birds/dodo/nest' },
  { name: 'broken', path: '/broken' },
  { name: 'reported', path: '/birds/1/report', fill: right, widths: [1280] } // each time it reports once more
]

const browser = spawn('chromium', [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'
], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })

const waiting = new Map() // replies by number, events by name
let last = 0
let rest = ''

function fail (why) {
  console.error(why)
  browser.kill()
  process.exit(1)
}

function settle (message) {
  const key = message.id ?? message.method
  const waiter = waiting.get(key)

  waiting.delete(key)
  if (message.error) fail(`Chromium: ${message.error.message}`)
  if (waiter) waiter(message.result ?? message.params)
}

function send (method, params = {}, sessionId = undefined) {
  const id = ++last

  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0')
  return new Promise(resolve => waiting.set(id, resolve))
}

const happening = event => new Promise(resolve => waiting.set(event, resolve))

async function openTab () {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const tab = (method, params) => send(method, params, sessionId)

  await tab('Page.enable')
  return tab
}

async function evaluate (tab, expression) {
  const { result, exceptionDetails } = await tab('Runtime.evaluate', { expression, returnByValue: true })

  if (exceptionDetails) fail(`${expression}: ${exceptionDetails.exception.description}`)
  return result.value
}

async function load (tab, action) {
  const loaded = happening('Page.loadEventFired')

  await action()
  await loaded
}

async function fillForm (tab, values) {
  await evaluate(tab, `for (const [name, value] of Object.entries(${JSON.stringify(values)}))
    document.getElementById(name).value = value`)
  await load(tab, () => evaluate(tab, 'document.querySelector("form.report").submit()'))
}

async function shoot (tab, page, width) {
  const scheme = page.dark ? 'dark' : 'light'

  await tab('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: width < 600 })
  await tab('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
  await load(tab, () => tab('Page.navigate', { url: address + page.path }))
  if (page.fill) await fillForm(tab, page.fill)

  // A page that is wider than its window would have to be scrolled sideways.
  const [client, wide] = await evaluate(tab, '[document.documentElement.clientWidth, document.documentElement.scrollWidth]')
  if (client !== width || wide !== width) fail(`${page.name}: ${wide} px wide in ${client}, wanted ${width}`)

  const { cssContentSize } = await tab('Page.getLayoutMetrics')
  const { data } = await tab('Page.captureScreenshot', {
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.ceil(cssContentSize.height), scale: 1 }
  })
  writeFileSync(`${folder}/${page.name}-${width}.png`, Buffer.from(data, 'base64'))
}

async function run () {
  const tab = await openTab()

  for (const page of pages) {
    for (const width of page.widths ?? widths) await shoot(tab, page, width)
  }
  await send('Browser.close')
}

browser.on('error', error => fail(`chromium cannot be started: ${error.message}`))
browser.stdio[4].on('data', bytes => {
  const messages = (rest + bytes).split('\0')

  rest = messages.pop()
  messages.forEach(message => settle(JSON.parse(message)))
})
setTimeout(() => fail('Chromium did not answer in time'), 120000).unref()
run().catch(error => fail(error.stack))
