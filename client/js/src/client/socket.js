/** Binary sessions over TCP or TLS in Node (docs/formats.md §21). */
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { once, SILENCE_MILLIS } from './transport.js';

const GREETING = Buffer.from('ASPAS/1\n', 'ascii');
const HEAD_BYTES = 4;
/** Codes of errors about a certificate. */
const UNTRUSTED = /CERT|UNABLE_TO_VERIFY/;

/** Connects; `options.ca` is the PEM text of certificates to trust, `options.maxFrame` the longest frame that is taken. */
export function openSocket({ host, sessionPort, clientTls }, { ca, maxFrame }, events) {
  const end = once(events.closed);
  const begin = () => {
    socket.write(GREETING);
    events.opened();
  };
  const socket = clientTls
    ? connectTls({ host, port: sessionPort, ca, minVersion: 'TLSv1.3', servername: /[a-z]/i.test(host) && !host.includes(':') ? host : undefined }, begin)
    : connectTcp({ host, port: sessionPort }, begin);
  socket.setNoDelay(true);
  socket.setTimeout(SILENCE_MILLIS, () => socket.destroy(new Error('nothing came for a minute')));
  let rest = Buffer.alloc(0);
  socket.on('data', (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    while (rest.length >= HEAD_BYTES) {
      const length = rest.readUInt32BE(0);
      if (length > maxFrame) return socket.destroy(new Error(`a frame of ${length} bytes`));
      if (rest.length < HEAD_BYTES + length) return undefined;
      const frame = new Uint8Array(rest.subarray(HEAD_BYTES, HEAD_BYTES + length));
      rest = rest.subarray(HEAD_BYTES + length);
      if (length === 0) send(frame);
      else events.frame(frame);
    }
    return undefined;
  });
  socket.on('error', (error) => end(UNTRUSTED.test(error.code ?? '')
    ? `its certificate is not trusted (${error.message}): name who signed it with the option ca` : error.message));
  socket.on('close', () => end('the connection was closed'));

  function send(bytes) {
    const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
    frame.writeUInt32BE(bytes.length, 0);
    frame.set(bytes, HEAD_BYTES);
    socket.write(frame);
  }
  return {
    send: (bytes) => socket.writable && send(bytes),
    close() {
      end('closed here');
      socket.destroy();
    },
  };
}
