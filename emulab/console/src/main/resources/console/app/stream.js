// The events of the server, and the actions that it takes.

import { EVENTS } from './state.js';

/** What the server answered when it refused something; `message` is for people. */
export class Refused extends Error {}

/**
 * Listens to the events until the server says that it ends. `take(name, data)` gets each; `told(text)` gets `open` and `lost`. The
 * browser connects again by itself after a loss.
 */
export function listen(take, told) {
  const source = new EventSource('api/events');
  source.addEventListener('open', () => told('open'));
  source.addEventListener('error', () => {
    told('lost');
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => listen(take, told), 2000);
    }
  });
  for (const name of EVENTS) {
    source.addEventListener(name, (event) => {
      if (name === 'end') {
        source.close();
      }
      take(name, JSON.parse(event.data));
    });
  }
}

/** Asks the server to do something; the answer is its sentence. Fails with {@link Refused}. */
export async function act(name, body) {
  let response;
  try {
    response = await fetch(`api/actions/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refused('The server of this page does not answer.');
  }
  const content = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Refused(content.detail ?? content.title ?? `The server refused it (${response.status}).`);
  }
  return content.text ?? 'Done.';
}

/** The bytes at an address of the server. */
export async function bytesOf(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Refused(`The server has no ${address} (${response.status}).`);
  }
  return new Uint8Array(await response.arrayBuffer());
}
