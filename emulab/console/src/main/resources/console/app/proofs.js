// Proofs of misbehavior: the list, the download, and the check in this page.

import { checkCertificate, checkProof } from './check.js';
import { byId, el, keyed, setAttribute, setText } from './dom.js';
import { bytes, count, hash, words } from './format.js';

/** The bar with the proofs, and the dialog that verifies them. */
export class Proofs {
  /** `state()` returns what the page knows now; `verified()` runs when a proof holds. */
  constructor(state, verified) {
    this.state = state;
    this.verified = verified;
    this.dialog = byId('proof-dialog');
    this.holds = new Set();
    this.chosen = null;
    byId('proof-choice').addEventListener('change', (event) => this.choose(event.target.value));
    byId('verify').addEventListener('click', () => this.verifyChosen());
    byId('proof-close').addEventListener('click', () => this.dialog.close());
  }

  choose(chosen) {
    this.chosen = chosen;
    this.show(this.state());
  }

  show(state) {
    const { proofs } = state;
    byId('proof-bar').hidden = proofs.length === 0 && !state.attack;
    if (proofs.length > 0 && !proofs.some((one) => one.hash === this.chosen)) {
      this.chosen = proofs.at(-1).hash;
    }
    const choice = byId('proof-choice');
    choice.disabled = proofs.length === 0;
    byId('verify').disabled = proofs.length === 0;
    if (proofs.length > 0) {
      choice.querySelectorAll(':scope > option:not([value])').forEach((none) => none.remove());
      keyed(choice, proofs, (one) => one.hash, (one) => el('option', { value: one.hash }), (option, one) => {
        const mark = this.holds.has(one.hash) ? '✓ ' : '';
        setText(option, `${mark}${words(one.kind)}, against ${one.accused}`);
      });
      choice.value = this.chosen;
    }
    this.showDownload(proofs.find((one) => one.hash === this.chosen));
  }

  showDownload(proof) {
    const link = byId('download');
    // The event may contain anything, so only an address of this console becomes a link.
    setAttribute(link, 'href', proof?.url.startsWith('api/') ? proof.url : null);
    setAttribute(link, 'download', proof && ''); // The server names the file.
    setAttribute(link, 'aria-disabled', proof ? null : 'true');
    setAttribute(link, 'title', proof ? `${bytes(proof.bytes)}; aspas evidence verify checks it offline` : null);
  }

  async verifyChosen() {
    const proof = this.state().proofs.find((one) => one.hash === this.chosen);
    const about = `${words(proof.kind)}, against ${proof.accused}, by ${proof.by}: ${bytes(proof.bytes)}, ${hash(proof.hash, 16)}`;
    const outcome = await this.run('The proof, verified in this page', about, (id) => checkProof(proof, id));
    if (outcome.state === 'proved') {
      this.holds.add(proof.hash);
      this.verified();
      this.show(this.state());
    }
  }

  /** Verifies a certificate and shows the result in the same dialog. */
  async verifyCertificate(one) {
    const about = `Certificate ${one.number}, first at ${one.by}, covers ${count(one.entries)} entries, ${count(one.covered)} of them new.`;
    await this.run('The certificate, verified in this page', about, (id) => checkCertificate(one, id));
  }

  async run(title, about, check) {
    setText(byId('proof-title'), title);
    setText(byId('proof-about'), about);
    byId('proof-steps').replaceChildren(stepItem({ text: 'Fetching the bytes and recomputing.' }, 'running'));
    this.verdict('running', 'Checking');
    this.dialog.showModal();
    const begun = performance.now();
    let outcome;
    try {
      outcome = await check(this.state().hello.deployment.id);
    } catch (problem) {
      outcome = { state: 'refuted', sentence: `It could not be checked: ${problem.message}`, steps: [] };
    }
    byId('proof-steps').replaceChildren(...outcome.steps.map((step) => stepItem(step, step.ok ? 'good' : 'bad')));
    this.verdict(outcome.state, `${outcome.sentence} (${count(outcome.steps.length)} steps, ${Math.ceil(performance.now() - begun)} ms)`);
    return outcome;
  }

  verdict(state, text) {
    setAttribute(byId('proof-verdict'), 'data-state', state);
    setText(byId('proof-verdict'), text);
  }
}

function stepItem(step, state) {
  return el('li', { class: 'check', 'data-state': state }, el('span', { text: step.text }));
}
