/**
 * Why a call failed. `code` is for programs: `closed`, `refused`, `timeout`, `unreachable`, `bad-argument`, `fork`, `no-certificate`, `in-use`,
 * `record`, `unsupported`.
 */
export class AspasError extends Error {
  constructor(code, message, details = {}) {
    super(message);
    this.name = 'AspasError';
    this.code = code;
    Object.assign(this, details);
  }
}

/** The names of the reasons of a Refusal, by number. */
export const REASONS = [
  'malformed', 'bad-signature', 'unknown-client', 'no-session', 'number-reused', 'behind', 'wrong-type', 'bad-operation', 'too-large',
  'no-certificate', 'busy', 'too-often', 'false-complaints', 'excluded', 'moved-on', 'amnesiac', 'draining',
];
