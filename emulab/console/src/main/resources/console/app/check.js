// Verifies the proofs and certificates of the server with the verifier of client/js, and trusts nothing that the server says about them.

import { bytesOf } from './stream.js';

const text = (bytes) => new TextDecoder().decode(bytes).trim();

/**
 * Loads the descriptor and verifies that the operator signed it and that it is the announced deployment's. Returns the steps, and the
 * descriptor or the reason why it is refused.
 */
async function descriptorOf(verify, announced) {
  const [descriptor, signature, operator] = await Promise.all(
    ['api/deployment.json', 'api/deployment.json.sig', 'api/operator.pub'].map(bytesOf),
  );
  const verdict = await verify.loadDescriptor(descriptor, text(signature), text(operator));
  if (!verdict.ok) {
    return verdict;
  }
  const same = verdict.descriptor.idHex === announced;
  const step = { text: same ? 'The deployment is the one that this console shows.' : 'The deployment is not the one that this console shows.', ok: same };
  return { ...verdict, ok: same, reason: same ? null : step.text, steps: [...verdict.steps, step] };
}

/**
 * Verifies an item from the server. `checked(verify, descriptor, bytes)` verifies its bytes and returns a verdict of the verifier. The
 * result has `state` (proved, open or refuted), `sentence`, and all `steps` as `{text, ok}`.
 */
async function verified(address, announced, checked) {
  const verify = await import('../verify/index.js');
  const trust = await descriptorOf(verify, announced);
  if (!trust.ok) {
    return { state: 'refuted', sentence: `Not verified: ${trust.reason}.`, steps: trust.steps };
  }
  const bytes = await bytesOf(address);
  const verdict = await checked(verify, trust.descriptor, bytes);
  return { ...verdict, steps: [...trust.steps, ...verdict.steps] };
}

/** Verifies a proof of misbehavior that an event `proof` announced. */
export function checkProof(proof, announced) {
  return verified(proof.url, announced, async (verify, descriptor, bytes) => {
    let verdict = await verify.verifyEvidence(descriptor, bytes);
    if (verdict.finding === 'needs-replay') {
      const findings = await bytesOf(`${proof.url}/verdict`).catch(() => null);
      verdict = findings === null ? verdict : await verify.verifyEvidence(descriptor, findings);
    }
    const accused = verdict.accused ? verify.describeAccused(verdict.accused) : proof.accused;
    const steps = [...verdict.steps];
    if (verdict.id) {
      const same = verdict.id === proof.hash;
      steps.push({ text: same ? `Its hash is ${verdict.id}, as announced.` : `Its hash is ${verdict.id}, not the announced one.`, ok: same });
      if (!same) {
        return { state: 'refuted', sentence: 'These are not the bytes that were announced.', steps };
      }
    }
    if (verdict.ok) {
      return { state: 'proved', sentence: `The proof holds: ${accused} ${verdict.misdeed}.`, steps };
    }
    return verdict.finding === 'needs-replay'
      ? { state: 'open', sentence: `All signatures are valid. Servers still have to recompute the answer of ${accused}.`, steps }
      : { state: 'refuted', sentence: `This proves nothing: ${verdict.reason}.`, steps };
  });
}

/** Verifies a certificate that an event `certificate` announced. */
export function checkCertificate(certificate, announced) {
  return verified(certificate.url, announced, async (verify, descriptor, bytes) => {
    const verdict = await verify.verifyCertificate(descriptor, bytes);
    const same = Number(verdict.number) === certificate.number;
    const steps = [...verdict.steps, { text: `It has the number ${verdict.number}.`, ok: same }];
    return verdict.ok && same
      ? { state: 'proved', sentence: `Certificate ${verdict.number} holds: ${verdict.signers.length} bftservers signed it.`, steps }
      : { state: 'refuted', sentence: `This certificate does not hold: ${verdict.reason ?? 'it has another number'}.`, steps };
  });
}
