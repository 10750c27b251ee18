/**
 * Connections that carry frames. `open(node, options, events)` connects to an appserver; events are `opened()`, `frame(bytes)` and
 * `closed(reason)`, which comes once, and nothing after it. What it gives has `send(bytes)` and `close()`.
 */

export const SILENCE_MILLIS = 60_000;

/** Binary sessions (docs/formats.md §21) where this is Node and the server has them, else WebSockets. */
export async function open(node, options, events) {
  const inNode = typeof process !== 'undefined' && process.versions?.node;
  if (inNode && node.sessionPort !== null && !options.webSocket) {
    // A name of package.json, so that bundles for browsers are made without it; where it is not Node nobody resolves it.
    const { openSocket } = await import('#socket');
    if (openSocket !== null) return openSocket(node, options, events);
  }
  if (typeof globalThis.WebSocket !== 'function') {
    throw new Error('there is no WebSocket here, and the server has no port for binary sessions');
  }
  return openWebSocket(node, events);
}

/** The address of an appserver's WebSocket. */
function webSocketAddress({ host, servicePort, clientTls }) {
  return `${clientTls ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${servicePort}/v1/session`;
}

function openWebSocket(node, events) {
  const socket = new WebSocket(webSocketAddress(node));
  const end = once(events.closed);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => events.opened();
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) events.frame(new Uint8Array(data));
    else socket.close();
  };
  socket.onerror = () => end('the connection failed');
  socket.onclose = () => end('the connection was closed');
  return {
    send: (bytes) => socket.readyState === WebSocket.OPEN && socket.send(bytes),
    close() {
      end('closed here');
      socket.close();
    },
  };
}

/** The same call, which is made once at most. */
export function once(call) {
  let done = false;
  return (reason) => {
    if (done) return;
    done = true;
    call(reason);
  };
}
