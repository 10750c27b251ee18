/**
 * A client's record on disk, for Node: what it has signed and not seen confirmed, so that the next client with the key goes on with it. The
 * file and its lock are those of the Python client (client/python/aspas/record.py): each reads what the other wrote.
 */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { parseHex, toHex } from '../verify/bytes.js';
import { Request } from '../verify/messages.js';
import { decode, encode, signed } from '../verify/schema.js';
import { AspasError } from './errors.js';

const FORMAT = 1;
const MOST_OPEN = 4096;
const MOST_BYTES = 64 << 20;
const MOST_NUMBER = (1n << 63n) - 1n;
const MOST_TRIES = 8;
const NAMES = ['certificate', 'deployment', 'format', 'key', 'open'];

/** A record in one file, for one process at a time: what AspasClient.connect takes as `state`. */
export function fileState(path) {
  return new FileState(path);
}

/**
 * Each write goes to a new file, reaches the disk, and takes the place of the old one: a crash leaves the old or the new record. `PATH.lock`
 * names the process that has it. A lock whose process has ended is taken over. Whoever lost it, as when somebody removed it by hand, saves and
 * sends nothing more.
 */
class FileState {
  constructor(path) {
    this.path = resolve(path);
    this.lock = `${this.path}.lock`;
    this.mostOpen = MOST_OPEN;
    this.held = false;
    this.token = toHex(globalThis.crypto.getRandomValues(new Uint8Array(8)));
    /** What stands in its lock: the process, when that began, and what no other lock has. */
    this.words = `${process.pid} ${started(process.pid) || '-'} ${this.token}\n`;
  }

  /** Locks the record and reads it: `{certificate, open}`, a BigInt and signed requests, byte for byte as they were sent. */
  load({ deployment, key }) {
    this.takeLock();
    this.owner = { deployment: toHex(deployment), key: toHex(key) };
    try {
      return this.read();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Replaces the record; when this returns, the disk has it. What `load` would refuse for its length is not written. */
  save({ certificate, open }) {
    const text = `${JSON.stringify({
      format: FORMAT, ...this.owner, certificate: String(certificate), open: open.map((words) => toHex(encode(signed(Request), words))),
    }, null, 1)}\n`;
    const fresh = `${this.path}.new`;
    try {
      if (text.length > MOST_BYTES) throw new Error(`it would be longer than ${MOST_BYTES} bytes`);
      if (readIfThere(this.lock) !== this.words) throw new Error(`its lock ${this.lock} is not this client's any more, so that another process may have it`);
      writeDurably(fresh, text);
      renameSync(fresh, this.path);
      syncDirectory(dirname(this.path));
    } catch (error) {
      throw new AspasError('record', `the record ${this.path} cannot be written: ${error.message}`);
    }
  }

  /** Lets another process have it. */
  close() {
    if (!this.held) return;
    this.held = false;
    if (readIfThere(this.lock) === this.words) unlinkIfThere(this.lock);
  }

  // ---- The file ----

  read() {
    let text;
    try {
      if (statSync(this.path).size > MOST_BYTES) throw this.damaged(`it is longer than ${MOST_BYTES} bytes`);
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if (error.code === 'ENOENT') return { certificate: 0n, open: [] };
      if (error instanceof AspasError) throw error;
      throw new AspasError('bad-argument', `the record ${this.path} cannot be read: ${error.message}`);
    }
    let found;
    try {
      found = JSON.parse(text);
    } catch (error) {
      throw this.damaged(error.message);
    }
    if (found === null || typeof found !== 'object' || Object.keys(found).sort().join() !== NAMES.join() || found.format !== FORMAT) {
      throw this.damaged(`it is no record of format ${FORMAT}`);
    }
    for (const name of ['deployment', 'key']) {
      if (found[name] !== this.owner[name]) throw new AspasError('bad-argument', `${this.path} is the record of another ${name}: use another file`);
    }
    if (typeof found.certificate !== 'string' || !/^[0-9]{1,19}$/.test(found.certificate) || BigInt(found.certificate) > MOST_NUMBER) {
      throw this.damaged('its certificate is no number');
    }
    if (!Array.isArray(found.open) || found.open.length > MOST_OPEN) throw this.damaged(`its requests are no list of at most ${MOST_OPEN}`);
    return { certificate: BigInt(found.certificate), open: found.open.map((hex) => this.request(hex)) };
  }

  request(hex) {
    const bytes = typeof hex === 'string' ? parseHex(hex) : null;
    const decoded = bytes === null ? { ok: false } : decode(signed(Request), bytes);
    if (!decoded.ok) throw this.damaged('it has a request that is none');
    if (toHex(decoded.value.message.client.subarray(0, 32)) !== this.owner.key) throw this.damaged('it has a request of another key');
    return decoded.value;
  }

  damaged(why) {
    return new AspasError('bad-argument',
      `the record ${this.path} is damaged: ${why}. Put back a copy, however old, or move it away: then what it had open is not sent again`);
  }

  // ---- The lock ----

  /** A lock comes to be with its content, by a link. */
  takeLock() {
    const mine = `${this.lock}.${this.token}`;
    try {
      writeFileSync(mine, this.words);
      this.link(mine);
    } catch (error) {
      throw error instanceof AspasError ? error : new AspasError('bad-argument', `${this.lock} cannot be written: ${error.message}`);
    } finally {
      unlinkIfThere(mine);
    }
  }

  link(mine) {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      if (linkIfFree(mine, this.lock)) {
        this.held = true;
        return;
      }
      const words = readIfThere(this.lock);
      if (words === null) continue;
      this.refuseIfRuns(words);
      this.removeLeft(mine, words);
    }
    throw new AspasError('in-use', `${this.lock}: other processes take and leave the lock; try again`);
  }

  /** Removes the lock of a process that ended. One process at a time does so: else the second one would remove the lock that the first made anew. */
  removeLeft(mine, words) {
    const taking = `${this.lock}.taking`;
    if (!linkIfFree(mine, taking)) {
      const others = readIfThere(taking);
      if (others === null) return;
      this.refuseIfRuns(others);
      unlinkIfThere(taking);
      return;
    }
    if (readIfThere(this.lock) === words) unlinkIfThere(this.lock);
    unlinkIfThere(taking);
  }

  refuseIfRuns(words) {
    const holder = holderOf(words);
    if (holder !== null) throw new AspasError('in-use', `the record ${this.path} is in use by process ${holder}: give each process a record of its own`);
  }
}

/** The process of a lock that still runs; null when it ended. */
function holderOf(words) {
  const [pid, since] = words.trim().split(/\s+/);
  if (!/^[1-9][0-9]*$/.test(pid)) return 'unknown (the lock is damaged; remove it when no client runs)';
  return runs(Number(pid)) && (since === undefined || ['', '-', since].includes(started(Number(pid)))) ? pid : null;
}

/** Links a file to a name, unless there is one of that name. */
function linkIfFree(file, name) {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function writeDurably(path, text) {
  const file = openSync(path, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Not every system lets a directory be opened. */
function syncDirectory(path) {
  let directory;
  try {
    directory = openSync(path, 'r');
    fsyncSync(directory);
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL'].includes(error.code)) throw error;
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function unlinkIfThere(path) {
  try {
    unlinkSync(path);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function runs(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
  // Nobody waited for it yet: it has ended all the same.
  return !['Z', 'X'].includes(stateOf(pid)[0]);
}

/** When a process began, in a unit of its system; empty where that is not known. A number is given to processes again. */
function started(pid) {
  return stateOf(pid)[19] ?? '';
}

/** What Linux says of a process, from its state on (proc(5), "stat"); empty elsewhere. */
function stateOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 1).trim().split(/\s+/);
  } catch {
    return [];
  }
}
