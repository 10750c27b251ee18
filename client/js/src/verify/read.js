/** What a certificate proves of an object: steps 2 to 5 of docs/formats.md §10. */
import { compareValues, showText, showValue, TYPES, wrongElement } from './values.js';
import {
  collectionLeaf, elementLeaf, elementPath, nextPage, objectLeaf, objectPath, provesAbsence, provesElement, provesPage, provesPresence,
} from './state.js';
import { ZERO } from './hash.js';
import { toHex } from './bytes.js';
import { short } from './trail.js';

function sameValue(one, other) {
  return compareValues(one, other) === 0;
}

/** Whether the elements of an answer are those that were asked for, and all of them. */
function provesElements(part, result, proof) {
  if (!Array.isArray(result) || result.length !== proof.states.length) return false;
  if (result.some((element) => wrongElement(element) !== null)) return false;
  for (let i = 1; i < result.length; i++) if (compareValues(result[i - 1], result[i]) >= 0) return false;
  const leaves = result.map((element, i) => ({ path: elementPath(element), value: elementLeaf(element, proof.states[i]) }));
  if (part === null) {
    return proof.page.bits === 0 && BigInt(leaves.length) === proof.size && provesPage(proof.page, proof.root, ZERO, leaves);
  }
  return part.element !== null
    ? provesElement(proof.page, proof.root, elementPath(part.element), leaves)
    : provesPage(proof.page, proof.root, part.from, leaves);
}

function provesValue(trail, read, result, proof, root) {
  const path = objectPath(read.key);
  const at = `at the path ${short(toHex(path))} of ${showText(read.key)}`;
  const type = TYPES.get(read.type);
  const reason = `the value of ${showText(read.key)} is not proved`;
  if (!type) return trail.fail(`there is no type ${showText(read.type)}`);
  if (proof.type === null) {
    const holds = proof.elements === null && sameValue(result, type.empty) && provesAbsence(proof.path, root, path);
    return trail.check(holds, `The certified state has nothing ${at}: its value is ${showValue(type.empty)}.`, reason);
  }
  if (!trail.check(proof.type === read.type && type.elements === (proof.elements !== null), `The object is a ${proof.type}.`,
    'the object is of another type')) return false;
  if (!type.elements) {
    const holds = read.part === null && provesPresence(proof.path, root, path, objectLeaf(read.key, read.type, result));
    return trail.check(holds, `The certified state has ${showValue(result)} ${at}: ${proof.path.siblings.length} hashes lead to the state root.`, reason);
  }
  const { size, root: elements } = proof.elements;
  const there = provesPresence(proof.path, root, path, collectionLeaf(read.key, read.type, size, elements));
  return trail.check(there, `The certified state has a set of ${size} elements ${at}.`, reason)
    && trail.check(provesElements(read.part, result, proof.elements), `Its tree of elements has exactly these: ${showValue(result)}.`,
      `the elements of ${showText(read.key)} are not proved`);
}

/** Checks that a verified certificate is as new as the read asks, and proves the result. Returns whether both hold. */
export function checkRead(trail, read, result, certificate, proof) {
  const { number, state } = certificate.content;
  const wanted = read.part === null ? 0n : read.part.certificate;
  const fits = wanted === 0n ? number >= read.certificate : number === wanted;
  return trail.check(fits, `Certificate ${number} is as new as the read asks for.`,
    `the value is of certificate ${number}, asked for was ${wanted === 0n ? `${read.certificate} or later` : wanted}`)
    && provesValue(trail, read, result, proof, state);
}

/** What a proved answer tells of all elements: `{size, root, next}`; null for a type without elements or no object. */
export function elementsOf(read, proof) {
  if (proof.elements === null) return null;
  const from = read.part === null ? null : read.part.from;
  return { size: proof.elements.size, root: proof.elements.root, next: from === null ? null : nextPage(proof.elements.page, from) };
}
