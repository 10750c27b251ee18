// Receives the events of the server and sends it actions.

import { EVENTS } from './state.js';

/** The error of a refused request; `message` is for people. */
export class Refused extends Error {}

/**
 * Listens to the events until the server announces its end. `take(name, data)` receives each event, and `told(text)` receives `open` and
 * `lost`. After a loss the browser reconnects by itself.
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

/** Asks the server for an action and returns the server's sentence about it. Fails with {@link Refused}. */
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

/** Returns the bytes at an address of the server. */
export async function bytesOf(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Refused(`The server has no ${address} (${response.status}).`);
  }
  return new Uint8Array(await response.arrayBuffer());
}
