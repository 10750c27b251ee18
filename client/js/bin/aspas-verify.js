#!/usr/bin/env node
/** Verifies certificates, evidence and proofs of values offline. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadDescriptor, showText, showValue, toJson, verifyChain, verifyFile, describeAccused } from '../src/verify/index.js';
import { readDeployment } from '../src/client/node.js';

const HELP = `Usage: aspas-verify [options] FILE...

Verifies files offline: certificates, evidence, verdicts, and proofs of values. It finds out which they are.
What it trusts is the operator's key alone.

  -d, --dir DIR          the deployment: deployment.json, deployment.json.sig and operator.pub in DIR
      --descriptor FILE  or each of them alone: the descriptor,
      --signature FILE   its signature (default: the descriptor's name with .sig),
      --operator KEY     the operator's key: 64 hexadecimal digits, or a file with them
      --findings FILE    a signed finding of a server, for evidence of a wrong answer; may be repeated
      --chain            the files are certificates, each following the one before
      --gaps             with --chain: certificates may be missing in between
      --json             print JSON, for programs
  -q, --quiet            print no steps
  -h, --help             show this

Exit codes: 0 all verify; 1 one does not; 2 the command line or a file that it names is wrong.

Examples:
  aspas-verify --dir lab c.cbor
  aspas-verify --descriptor deployment.json --operator 677a74d9... evidence.cbor --json
`;

class Usage extends Error {}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        dir: { type: 'string', short: 'd' },
        descriptor: { type: 'string' },
        signature: { type: 'string' },
        operator: { type: 'string' },
        findings: { type: 'string', multiple: true, default: [] },
        chain: { type: 'boolean', default: false },
        gaps: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        quiet: { type: 'boolean', short: 'q', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new Usage(error.message);
  }
}

async function bytesOf(file) {
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw new Usage(`cannot read ${file}: ${error.message}`);
  }
}

async function parts({ dir, descriptor, signature, operator }) {
  if (dir !== undefined) {
    if (descriptor !== undefined) throw new Usage('give --dir or --descriptor, not both');
    try {
      const found = await readDeployment(dir);
      return { ...found.descriptor, operator: operator ?? found.descriptor.operator };
    } catch (error) {
      throw new Usage(`${dir} is no deployment: ${error.message}`);
    }
  }
  if (descriptor === undefined || operator === undefined) throw new Usage('give --dir, or --descriptor and --operator');
  const decode = (bytes) => new TextDecoder().decode(bytes).trim();
  return {
    text: await bytesOf(descriptor),
    signature: decode(await bytesOf(signature ?? `${descriptor}.sig`)),
    operator: /^[0-9a-fA-F]{64}$/.test(operator) ? operator : decode(await bytesOf(operator)),
  };
}

function summary(verdict) {
  if (!verdict.ok) return `does not verify: ${verdict.reason}`;
  if (verdict.what === 'certificate') return `certificate ${verdict.number}, signed by bftservers ${verdict.signers.join(', ')}`;
  if (verdict.what === 'evidence') return `proves that ${describeAccused(verdict.accused)} ${verdict.misdeed}`;
  if (verdict.what === 'value') return `${showText(verdict.key)} = ${showValue(verdict.value)} at certificate ${verdict.number}`;
  return `certificates ${verdict.numbers[0]} to ${verdict.numbers[verdict.numbers.length - 1]} follow each other`;
}

function print(name, verdict, { json, quiet }) {
  if (json) return console.log(JSON.stringify({ file: name, ...toJson(verdict) }));
  console.log(`${name}: ${verdict.ok ? 'right' : 'WRONG'}, ${summary(verdict)}`);
  if (!quiet) for (const step of verdict.steps) console.log(`  ${step.ok ? 'ok' : 'NO'}  ${step.text}`);
  return undefined;
}

async function main() {
  const { values, positionals } = options();
  if (values.help) return console.log(HELP);
  if (positionals.length === 0) throw new Usage('give a file to verify');
  const { text, signature, operator } = await parts(values);
  const loaded = await loadDescriptor(text, signature, operator);
  if (!loaded.ok) throw new Usage(`the descriptor cannot be used: ${loaded.reason}`);
  const files = await Promise.all(positionals.map(bytesOf));
  const findings = await Promise.all(values.findings.map(bytesOf));
  const verdicts = values.chain
    ? [[positionals.join(' '), { what: 'chain', ...(await verifyChain(loaded.descriptor, files, { gaps: values.gaps })) }]]
    : await Promise.all(files.map(async (bytes, i) => [positionals[i], await verifyFile(loaded.descriptor, bytes, { findings })]));
  for (const [name, verdict] of verdicts) print(name, verdict, values);
  process.exitCode = verdicts.every(([, verdict]) => verdict.ok) ? 0 : 1;
  return undefined;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Usage)) throw error;
  console.error(`aspas-verify: ${error.message}\nTry aspas-verify --help.`);
  process.exitCode = 2;
}
