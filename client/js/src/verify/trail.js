/** The steps of a verification, in plain English, for whoever wants to see what was recomputed. */

/** Collects steps. The first that fails gives the reason of the verdict. */
export class Trail {
  constructor() {
    this.steps = [];
    this.reason = null;
  }

  get ok() {
    return this.reason === null;
  }

  /** Something that was only read. */
  note(text) {
    this.steps.push({ text, ok: true });
  }

  /** Something that was checked: what holds, and what to say if it does not. Returns whether it holds. */
  check(holds, text, reason) {
    this.steps.push({ text: holds ? text : reason, ok: holds });
    if (!holds) this.reason ??= reason;
    return holds;
  }

  /** A step that failed. */
  fail(reason) {
    return this.check(false, '', reason);
  }

  /** Takes over the steps of another trail. */
  add(verdict) {
    this.steps.push(...verdict.steps);
    if (!verdict.ok) this.reason ??= verdict.reason;
    return verdict.ok;
  }

  verdict(more = {}) {
    return { ok: this.ok, reason: this.reason, ...more, steps: this.steps };
  }
}

/** The first digits of a hash. */
export function short(hex) {
  return `${hex.slice(0, 12)}…`;
}
