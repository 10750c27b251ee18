/** A deployment's directory, for Node (docs/operations.md, "Files"). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads `deployment.json`, its `.sig`, `operator.pub` and, where it is, `tls-ca.pem` from a directory that the caller trusts.
 *
 * @returns `{descriptor: {text, signature, operator}, ca}`, as AspasClient.connect takes them; nothing is verified yet
 */
export async function readDeployment(directory) {
  const [text, signature, operator] = await Promise.all([
    readFile(join(directory, 'deployment.json')),
    readFile(join(directory, 'deployment.json.sig'), 'utf8'),
    readFile(join(directory, 'operator.pub'), 'utf8'),
  ]);
  const ca = await readFile(join(directory, 'tls-ca.pem'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return { descriptor: { text: new Uint8Array(text), signature: signature.trim(), operator: operator.trim() }, ca };
}

export { fileState } from './record.js';
