/** The client as ES modules in a headless Chromium, against a real deployment: session, update, confirmation, certified read, proof. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readDeployment } from '../../src/client/node.js';
import { init, startAppservers, up } from '../support/deployment.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const chromium = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
const BFTSERVERS = [0, 1, 2, 3].map((i) => `bftserver-${i}`).join();
const PAGE = `<!doctype html><title>a page</title><script type="module">
import { AspasClient } from '/src/client/index.js';
import { engineName, toJson, verifyFile } from '/src/verify/index.js';

async function story() {
  const given = await (await fetch('/deployment')).json();
  const client = await AspasClient.connect({ descriptor: given, tolerance: 4, connectMillis: 240000, answerMillis: 60000, readMillis: 120000 });
  const numbers = [];
  const updates = [];
  for (let i = 1; i <= 5; i++) updates.push(await client.counter('page').increment(i));
  for (const { number, confirmed } of updates) numbers.push([number, (await confirmed).number]);
  const { value, proof } = await client.counter('page').get({ level: 'certified' });
  const verdict = await verifyFile(client.descriptor, proof);
  const changed = proof.slice();
  changed[changed.length - 1] ^= 1;
  const other = await verifyFile(client.descriptor, changed);
  await client.close();
  return { numbers, value, proved: verdict.ok && verdict.value === value, refused: !other.ok, engine: await engineName() };
}
story().then(toJson, (error) => ({ error: String(error.stack ?? error) }))
  .then((result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) }));
</script>`;

let deployment;
const running = [];
let site;
let told;

/** Serves the page and the modules; what the page posts is the result. */
async function serve() {
  let tell;
  told = new Promise((resolve) => { tell = resolve; });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const send = (type, body) => response.writeHead(200, { 'Content-Type': type }).end(body);
    if (pathname === '/') return send('text/html', PAGE);
    if (pathname === '/result') {
      let body = '';
      for await (const part of request) body += part;
      tell(JSON.parse(body));
      return response.writeHead(204).end();
    }
    if (pathname === '/deployment') {
      const { descriptor } = await readDeployment(deployment.directory);
      return send('application/json', JSON.stringify({ ...descriptor, text: new TextDecoder().decode(descriptor.text) }));
    }
    const path = normalize(pathname);
    if (!/^\/src\/[a-z0-9/_-]+\.js$/.test(path)) return response.writeHead(404).end();
    return send('text/javascript', await readFile(join(ROOT, path)).catch(() => ''));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  running.push({ stop: () => { server.closeAllConnections(); server.close(); } });
  return `http://127.0.0.1:${server.address().port}`;
}

async function browse(address) {
  const profile = await mkdtemp(join(tmpdir(), 'aspas-chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', `--user-data-dir=${profile}`];
  const child = spawn(chromium, [...flags, address], { stdio: 'ignore' });
  const ended = new Promise((resolve) => { child.on('exit', resolve); });
  running.push({
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  });
}

const skip = chromium ? false : 'there is no Chromium here; on Debian: apt-get install -y chromium';

before(async () => {
  if (skip) return;
  deployment = await init();
  site = await serve();
  running.push(await up(deployment.directory, '--node', BFTSERVERS));
  running.push(await startAppservers(deployment.directory, site));
});
after(async () => {
  for (const one of running.reverse()) await one.stop();
  await deployment?.remove();
});

test('the client in a page', { skip, timeout: 900_000 }, async (t) => {
  await browse(`${site}/`);
  const result = await told;
  assert.equal(result.error, undefined);
  assert.deepEqual(result.numbers, [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]], 'each update is confirmed');
  assert.equal(result.value, 15);
  assert.deepEqual([result.proved, result.refused], [true, true]);
  t.diagnostic(`signatures are verified by ${result.engine}`);
});
