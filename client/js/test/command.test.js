import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decode, encode, messages, parseHex } from '../src/verify/index.js';

const COMMAND = fileURLToPath(new URL('../bin/aspas-verify.js', import.meta.url));
const vectors = async (name) => JSON.parse(await readFile(new URL(`../../../docs/vectors/${name}.json`, import.meta.url), 'utf8'));
// Not in a hook: the first versions of Node 20 do not wait for those of a file.
const dir = await mkdtemp(join(tmpdir(), 'aspas-verify-'));
after(() => rm(dir, { recursive: true }));

function run(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd: dir }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
  });
}

{
  const [descriptor] = (await vectors('descriptor')).cases;
  await writeFile(join(dir, 'deployment.json'), descriptor.text);
  await writeFile(join(dir, 'deployment.json.sig'), descriptor.signatureFile);
  await writeFile(join(dir, 'operator.pub'), `${descriptor.operatorKey}\n`);
  const { chains: [chain] } = await vectors('certificates');
  for (const [i, hex] of chain.certificates.entries()) await writeFile(join(dir, `c${i + 1}.cbor`), parseHex(hex));
  const evidence = (await vectors('evidence')).cases.find((one) => one.finding === 'guilty');
  await writeFile(join(dir, 'evidence.cbor'), parseHex(evidence.evidence));
  const [value] = (await vectors('proof-files')).cases;
  await writeFile(join(dir, 'value.cbor'), parseHex(value.file));
  const broken = parseHex(chain.certificates[0]);
  broken[100] ^= 1;
  await writeFile(join(dir, 'broken.cbor'), broken);
}

test('files of each kind verify, and the exit code is 0', async () => {
  const { code, stdout, stderr } = await run('--dir', dir, 'c1.cbor', 'evidence.cbor', 'value.cbor');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /c1\.cbor: right, certificate 1, signed by bftservers/);
  assert.match(stdout, /evidence\.cbor: right, proves that appserver 0 signed two/);
  assert.match(stdout, /value\.cbor: right, "c" = 5 at certificate/);
  assert.match(stdout, / {2}ok {2}/);
});

test('--json is one object a line', async () => {
  const { code, stdout } = await run('--dir', dir, '--json', 'evidence.cbor', 'broken.cbor');
  assert.equal(code, 1);
  const [evidence, broken] = stdout.trim().split('\n').map((text) => JSON.parse(text));
  assert.equal(evidence.ok, true);
  assert.equal(evidence.kind, 'ForkedHeads');
  assert.equal(broken.ok, false);
  assert.ok(broken.reason.length > 0);
});

test('what a terminal would obey is escaped', async () => {
  const { cases: [{ file }] } = await vectors('proof-files');
  const proof = decode(messages.ValueProof, parseHex(file)).value;
  const read = { ...decode(messages.Read, proof.read).value, key: 'x\n\x1b[2J\x9b31m\u202ey' };
  await writeFile(join(dir, 'spoofed.cbor'), encode(messages.ValueProof, { ...proof, read: encode(messages.Read, read) }));
  const { code, stdout } = await run('--dir', dir, 'spoofed.cbor');
  assert.equal(code, 1);
  assert.ok(stdout.includes('"x\\n\\u001b[2J\\u009b31m\\u202ey"'), stdout);
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(stdout, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

test('a chain, and one with a gap', async () => {
  assert.equal((await run('--dir', dir, '--chain', 'c1.cbor', 'c2.cbor', 'c3.cbor')).code, 0);
  assert.equal((await run('--dir', dir, '--chain', 'c1.cbor', 'c3.cbor')).code, 1);
  assert.equal((await run('--dir', dir, '--chain', '--gaps', 'c1.cbor', 'c3.cbor')).code, 0);
});

test('the descriptor alone, and another operator', async () => {
  const operator = await readFile(join(dir, 'operator.pub'), 'utf8');
  assert.equal((await run('--descriptor', 'deployment.json', '--operator', operator.trim(), 'c1.cbor')).code, 0);
  const other = await run('--descriptor', 'deployment.json', '--operator', '00'.repeat(32), 'c1.cbor');
  assert.equal(other.code, 2);
  assert.match(other.stderr, /not signed by this operator/);
});

test('what is wrong with the command line is said, and the exit code is 2', async () => {
  for (const args of [[], ['--dir', dir], ['--dir', dir, 'none.cbor'], ['--unknown'], ['c1.cbor'], ['--dir', '/nowhere', 'c1.cbor']]) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /^aspas-verify: .+\nTry aspas-verify --help/m, args.join(' ')); // Old versions warn first.
  }
  const help = await run('--help');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /Exit codes: 0 all verify/);
});
