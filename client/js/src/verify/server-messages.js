/** The messages between servers (docs/formats.md §2). No client gets them; whoever reads recordings does. */
import { Certificate, CertificateContent, consistency, exclusion, included, page, tags } from './messages.js';
import {
  ascending, bool, bstr, client, dot, hash, index, kindOf, list, message, MAX_ORIGINS, nat, optional, payloadOf, pos, signed, text, tuple,
  upTo, value, version,
} from './schema.js';

const MAX_LIST = 1 << 16;
const TAG_BYTES = 16;
const Head = kindOf(20);
const heads = ascending(signed(Head), (one) => one.message.origin);

export const Batch = message(22, 'Batch', { head: signed(Head), entries: list(bstr, MAX_LIST) }, {
  more: { tags },
  check: (read) => (read.tags !== undefined && read.tags.length !== TAG_BYTES * read.entries.length ? 'another number of tags than of entries' : null),
});
export const Frontier = message(23, 'Frontier', { version, heads, certificate: nat });
export const Pull = message(24, 'Pull', { origin: index, after: nat, certified: nat });
export const CertifiedEntries = message(25, 'CertifiedEntries', {
  origin: index, rootBefore: hash, before: consistency, entries: list(bstr, MAX_LIST), after: consistency,
});

const place = tuple({ object: optional(hash), from: hash });
const logEnd = tuple({ peaks: list(hash, 64), last: optional(included) });
const element = tuple({ element: value, state: value });
const counted = tuple({ number: pos, dot, identity: hash });
const contents = [
  tuple({ layout: upTo(1), key: text, type: text, state: value }),
  tuple({ layout: upTo(2), key: text, type: text, size: nat, root: hash, elements: optional(list(element)) }),
  tuple({ layout: upTo(3), element: value, state: value }),
  tuple({ layout: upTo(4), client, session: nat, tolerance: nat, full: nat, rest: bstr, blocks: list(list(counted)) }),
];
const content = {
  read(r) {
    const begin = r.at;
    r.open();
    const number = Number(r.between(1n, 4n));
    r.at = begin;
    return contents[number - 1].read(r);
  },
  write: (w, item) => contents[item.layout - 1].write(w, item),
};
export const SnapshotPull = message(27, 'SnapshotPull', { certificate: nat, place: optional(place) });
export const SnapshotHead = message(28, 'SnapshotHead', { certificate: optional(Certificate), logs: list(logEnd, MAX_ORIGINS) });
export const SnapshotChunk = message(29, 'SnapshotChunk', {
  certificate: nat, place, page: optional(page), contents: list(content, MAX_LIST),
});

const byServer = { signer: 'server' };
const byReplica = { signer: 'replica' };
export const VertObft = message(30, 'VertObft', { server: index, version, heads }, { domain: 'vertobft', ...byServer });
export const BftReqStable = message(31, 'BftReqStable', {
  replica: index, epoch: nat, round: nat, previous: hash, number: nat, version, exclusions: list(exclusion, MAX_ORIGINS),
}, { domain: 'bftreqstable', ...byReplica });
export const Tick = message(33, 'Tick', { replica: index, k: nat }, { domain: 'tick', ...byReplica });
export const Accept = message(34, 'Accept', { replica: index, number: nat, attempt: nat, content: hash }, { domain: 'accept', ...byReplica });
export const Share = message(36, 'Share', { replica: index, content: signed(CertificateContent) });
export const Commit = message(40, 'Commit', { replica: index, number: nat, attempt: nat, content: hash }, { domain: 'commit', ...byReplica });
export const ProvenContent = message(42, 'ProvenContent', {
  payload: bstr, accepts: ascending(signed(Accept), (one) => one.message.replica),
}, { check: payloadOf(CertificateContent) });
export const Recover = message(41, 'Recover', {
  replica: index, start: hash, answers: hash, knowing: bool, epoch: nat, number: nat, attempt: nat, proven: optional(ProvenContent),
}, { domain: 'recover', ...byReplica });
