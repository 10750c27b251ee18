/** Questions to other servers, each on a short connection of its own without a session. */
import { Frame, Hello } from '../verify/messages.js';
import { decode } from '../verify/schema.js';
import { equal } from '../verify/bytes.js';

/**
 * Sends a frame to an appserver and gives the first frame, decoded, for which `wanted` says true; null when none comes in time.
 * Nothing that comes is verified here, but the greeting's deployment.
 */
export async function ask(descriptor, node, frame, wanted, { millis, transport, signal }) {
  let connection = null;
  let timer = null;
  let aborted = null;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(null), millis);
      aborted = () => resolve(null);
      signal?.addEventListener('abort', aborted);
      let greeted = false;
      const take = (bytes) => {
        const decoded = decode(Frame, bytes);
        if (!decoded.ok) return resolve(null);
        const { message } = decoded.value;
        if (!greeted) {
          greeted = message?.name === Hello.name && equal(message.deployment, descriptor.id) && message.server === node.index;
          if (!greeted) return resolve(null);
          return connection?.send(frame);
        }
        return wanted(decoded.value) ? resolve(decoded.value) : undefined;
      };
      transport.open(node, transport, { opened() {}, frame: take, closed: () => resolve(null) })
        .then((opened) => { connection = opened; }, () => resolve(null));
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
    connection?.close();
  }
}
