/** Whole snapshots of a certified state (docs/formats.md §10, "To verify a snapshot"): every object, element and client, nothing left out. */
import { asBytes, compare, equal, toHex } from './bytes.js';
import { verifyDecodedCertificate } from './certificate.js';
import { nodeHash, ZERO } from './hash.js';
import { entryLeaf, EMPTY_ROOT, verifyInclusion } from './log.js';
import { Entry } from './messages.js';
import { decode } from './schema.js';
import { SnapshotChunk, SnapshotHead } from './server-messages.js';
import {
  clientLeaf, clientPath, collectionLeaf, elementLeaf, elementPath, nextPage, objectLeaf, objectPath, provesPage, shortForm, stateRoot,
} from './state.js';
import { Trail, short } from './trail.js';
import { showText, wrongElement } from './values.js';

const WHOLE = 1;
const ELEMENTS = 2;
const ELEMENT = 3;

/**
 * Verifies a snapshot.
 *
 * @param parts `{head, chunks}`: an encoded SnapshotHead, and encoded SnapshotChunks in any order
 * @returns a verdict with `number`, of the certificate, and `objects`: `{key, type, state}` of one without elements, of another one
 *   `{key, type, elements}` with the `element` and `state` of each; and `clients`, how many there are
 */
export async function verifySnapshot(descriptor, { head, chunks }) {
  const trail = new Trail();
  const none = { number: null, objects: null, clients: null };
  const first = read(SnapshotHead, head);
  const rest = chunks.map((chunk) => read(SnapshotChunk, chunk));
  const malformed = [first, ...rest].find(({ ok }) => !ok);
  if (malformed) trail.fail(`a part is malformed: ${malformed.reason}`);
  else if (first.value.certificate === null) trail.fail('there is no certificate, and so no certified state');
  if (!trail.ok || !trail.add(await verifyDecodedCertificate(descriptor, first.value.certificate))) return trail.verdict(none);
  const { content } = first.value.certificate;
  const wrong = wrongEnds(first.value.logs, content);
  if (!trail.check(wrong === null, `The ends of all ${content.version.length} logs lead to the certified roots.`, wrong)) return trail.verdict(none);
  const assembly = new Assembly(content);
  for (const { value } of rest) {
    if (!assembly.take(value)) break;
  }
  const lacks = assembly.wrong ?? assembly.end();
  trail.check(lacks === null, `${rest.length} chunks have every leaf under the state root ${short(toHex(content.state))}.`, lacks);
  return trail.verdict(trail.ok ? { number: content.number, objects: assembly.objects(), clients: assembly.clients } : none);
}

function read(type, bytes) {
  const given = asBytes(bytes);
  return given === null ? { ok: false, reason: 'no bytes' } : decode(type, given);
}

// ---- The ends of logs ----

function wrongEnds(logs, { version, roots }) {
  if (logs.length !== version.length) return `there are the ends of ${logs.length} logs, and ${version.length} appservers`;
  const origin = logs.findIndex((end, i) => !rightEnd(end, i, version[i], roots[i], version.length));
  return origin < 0 ? null : `the end of the log of origin ${origin} is not the certified one`;
}

function rightEnd({ peaks, last }, origin, size, root, servers) {
  const bits = [...size.toString(2)].filter((digit) => digit === '1').length;
  if (peaks.length !== bits || !equal(peaks.length === 0 ? EMPTY_ROOT : peaks.reduceRight((right, left) => nodeHash(left, right)), root)) return false;
  if (last === null || size === 0n) return last === null && size === 0n;
  const { proof, entry } = last;
  if (proof.treeSize !== size || proof.leafIndex !== size - 1n || !verifyInclusion(proof, entryLeaf(entry), root)) return false;
  const decoded = decode(Entry, entry);
  return decoded.ok && decoded.value.dot.origin === origin && decoded.value.dot.sequence === size && decoded.value.dependencies.length === servers;
}

// ---- The state ----

function leafOf(content) {
  switch (content.layout) {
    case WHOLE:
      return { path: objectPath(content.key), value: objectLeaf(content.key, content.type, content.state) };
    case ELEMENTS:
      return { path: objectPath(content.key), value: collectionLeaf(content.key, content.type, content.size, content.root) };
    case ELEMENT:
      return { path: elementPath(content.element), value: elementLeaf(content.element, shortForm(content.state)) };
    default:
      return { path: clientPath(content.client), value: clientLeaf(content) };
  }
}

const isElement = ({ element }) => wrongElement(element) === null;

const ascending = (leaves) => leaves.every(({ path }, i) => i === 0 || compare(leaves[i - 1].path, path) < 0);

/** Pages of one tree, by where they begin. */
class Pages {
  constructor(root) {
    this.root = root;
    this.byStart = new Map();
    this.contents = [];
  }

  take({ place: { from }, page, contents }) {
    const start = toHex(from);
    const leaves = contents.map(leafOf);
    if (page === null || this.byStart.has(start) || !ascending(leaves) || !provesPage(page, this.root, from, leaves)) return false;
    this.byStart.set(start, nextPage(page, from));
    this.contents.push(...contents);
    return true;
  }

  /** Whether the pages follow each other from the first path to the end of the tree, and none is besides. */
  get whole() {
    let from = ZERO;
    let used = 0;
    for (; from !== null; used++) {
      const next = this.byStart.get(toHex(from));
      if (next === undefined) return false;
      from = next;
    }
    return used === this.byStart.size;
  }
}

class Assembly {
  constructor({ number, state }) {
    this.number = number;
    this.state = new Pages(state);
    this.elements = new Map();
    this.wrong = null;
    this.clients = 0;
  }

  /** Takes a chunk; chunks of an object's elements are put by until all leaves of the state tree are there. */
  take(chunk) {
    const { object } = chunk.place;
    if (chunk.certificate !== this.number) this.wrong = 'a chunk is of another certificate';
    else if (object !== null) this.put(toHex(object), chunk);
    else if (chunk.contents.some(({ layout }) => layout === ELEMENT) || !this.state.take(chunk)) this.wrong = 'a chunk is not what is certified';
    return this.wrong === null;
  }

  put(object, chunk) {
    if (!this.elements.has(object)) this.elements.set(object, []);
    this.elements.get(object).push(chunk);
  }

  /** What is wrong with all chunks together, or null. */
  end() {
    if (!this.state.whole) return 'chunks of the state tree are missing, or come twice';
    for (const content of this.state.contents) {
      if (content.layout === ELEMENTS && !this.filled(content)) return `the elements of ${showText(content.key)} are not those that are certified`;
      if (content.layout > ELEMENT) this.clients++;
    }
    return this.elements.size === 0 ? null : 'there are elements of an object that needs none';
  }

  /** Whether the elements of an object are here and right. */
  filled(object) {
    const { size, root } = object;
    if (object.elements !== null) {
      if (!object.elements.every(isElement)) return false;
      const leaves = object.elements.map(({ element, state }) => leafOf({ layout: ELEMENT, element, state }));
      return BigInt(leaves.length) === size && new Set(leaves.map(({ path }) => toHex(path))).size === leaves.length && equal(stateRoot(leaves), root);
    }
    const path = toHex(objectPath(object.key));
    const pages = new Pages(root);
    const right = (this.elements.get(path) ?? []).every((chunk) => chunk.contents.every(({ layout }) => layout === ELEMENT) && pages.take(chunk));
    this.elements.delete(path);
    object.elements = pages.contents;
    return right && pages.whole && pages.contents.every(isElement) && BigInt(pages.contents.length) === size;
  }

  objects() {
    return this.state.contents.filter(({ layout }) => layout <= ELEMENTS).map(({ layout, key, type, state, elements }) => (layout === WHOLE
      ? { key, type, state } : { key, type, elements: elements.map((one) => ({ element: one.element, state: one.state })) }));
  }
}
