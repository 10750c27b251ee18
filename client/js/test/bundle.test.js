/** The package in bundles for browsers and for Node, made by esbuild where it is (`npm install --no-save esbuild`, or ASPAS_ESBUILD=PATH). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { descriptor } from './support/example.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const esbuild = [process.env.ASPAS_ESBUILD, join(ROOT, 'node_modules', '.bin', 'esbuild'),
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'esbuild'))].find((path) => path && existsSync(path));
const skip = esbuild === undefined && 'esbuild is not here (npm install --no-save esbuild)';
const ENTRY = `export { AspasClient } from 'aspas-client';
export { verifyFile } from 'aspas-client/verify';`;

for (const [platform, sockets] of [['browser', false], ['neutral', false], ['node', true]]) {
  test(`a bundle for the platform ${platform}`, { skip }, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'aspas-bundle-'));
    t.after(() => rm(directory, { recursive: true }));
    const file = join(directory, 'bundle.mjs');
    const args = ['--bundle', `--platform=${platform}`, '--format=esm', `--outfile=${file}`, '--log-level=warning'];
    execFileSync(esbuild, args, { cwd: ROOT, input: ENTRY, stdio: ['pipe', 'pipe', 'inherit'] });
    assert.equal((await readFile(file, 'utf8')).includes('node:net'), sockets);
    const { AspasClient, verifyFile } = await import(pathToFileURL(file).href);
    assert.equal(typeof verifyFile, 'function');
    // The bundle has a Descriptor of its own, which that of this test is not.
    await assert.rejects(AspasClient.connect({ descriptor }), { code: 'bad-argument' });
  });
}
