/**
 * The verifier: it has no input or output of its own, and trusts the operator's key alone. Everything that it is given may come from a
 * stranger. A verdict is `{ok, reason, steps, ...}`: `reason` is null when ok, `steps` are plain-English lines of what was recomputed.
 */
export { loadDescriptor, Descriptor } from './descriptor.js';
export { verifyCertificate, verifyChain, certificateHash, certificateDigest, wrongSuccessor } from './certificate.js';
export { verifyEvidence, describeAccused, MISDEEDS } from './evidence.js';
export { verifyAnswer, verifyConfirmation, verifyValueProof } from './answer.js';
export { verifySnapshot } from './snapshot.js';
export { verifyInclusion, verifyConsistency, EMPTY_ROOT } from './log.js';
export * as state from './state.js';
export * as messages from './messages.js';
export { decode, encode } from './schema.js';
export { engineName, isSoundKey, preferJavaScript, signingKey, verifySignature } from './ed25519.js';
export { compareValues, showText, showValue } from './values.js';
export { toHex, parseHex } from './bytes.js';
export { verifyFile, toJson } from './file.js';
