/** The verifier: no input or output of its own. Everything that it is given may come from a stranger. */

/** Bytes, or their hexadecimal digits. */
export type BytesLike = Uint8Array | ArrayBuffer | string;

/** A piece of data: an integer of 64 bits, a text, a byte string, or an array of values. */
export type Value = bigint | string | Uint8Array | Value[];

/** One line of what was recomputed, in plain English. */
export interface Step {
  text: string;
  ok: boolean;
}

export interface Verdict {
  /** Whether everything holds. */
  ok: boolean;
  /** Why not; null when ok. */
  reason: string | null;
  steps: Step[];
}

export interface NodeDescription {
  role: 'appserver' | 'bftserver';
  index: number;
  key: Uint8Array;
  host: string;
  linkPort: number;
  servicePort: number;
  /** The port of binary sessions; null when sessions are WebSockets at the service port. */
  sessionPort: number | null;
  clientTls: boolean;
  agreementKey: Uint8Array | null;
}

export interface Descriptor {
  readonly id: Uint8Array;
  readonly idHex: string;
  readonly name: string;
  readonly f: number;
  readonly b: number;
  /** 2b+1. */
  readonly quorum: number;
  readonly appservers: readonly NodeDescription[];
  readonly bftservers: readonly NodeDescription[];
  /** The keys of admitted clients in hexadecimal; empty: anyone. */
  readonly admitted: ReadonlySet<string>;
  readonly limits: Readonly<Record<string, number>>;
  admits(client: Uint8Array): boolean;
  signedText(domain: string, payload: Uint8Array): Uint8Array;
  verify(key: Uint8Array, domain: string, payload: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

/** Verifies the operator's signature of a descriptor, and reads it. The operator's key comes from a source that the caller trusts. */
export function loadDescriptor(text: Uint8Array | string, signature: BytesLike, operatorKey: BytesLike):
  Promise<Verdict & { descriptor: Descriptor | null }>;

export interface Certificate {
  payload: Uint8Array;
  signatures: { replica: number; signature: Uint8Array }[];
  content: {
    deployment: Uint8Array;
    number: bigint;
    previous: Uint8Array;
    version: bigint[];
    roots: Uint8Array[];
    state: Uint8Array;
    exclusions: { origin: number; cut: bigint; evidence: Uint8Array }[];
  };
  encoded: Uint8Array;
}

export interface CertificateVerdict extends Verdict {
  number: bigint | null;
  /** Of the payload, in hexadecimal. */
  hash: string | null;
  /** The bftservers that the certificate names as signers; all of them signed it when ok. */
  signers: number[];
  certificate: Certificate | null;
}

export function verifyCertificate(descriptor: Descriptor, bytes: BytesLike): Promise<CertificateVerdict>;

/** Certificates by ascending number, each following the one before; with `gaps` there may be others between them. */
export function verifyChain(descriptor: Descriptor, certificates: BytesLike[], options?: { gaps?: boolean }):
  Promise<Verdict & { numbers: bigint[] }>;

export type EvidenceKind = 'ForkedHeads' | 'ForkedEntries' | 'BrokenEntry' | 'AnswerAgainstLog' | 'AnswerAgainstHead'
  | 'BadCertificate' | 'CertificateWentBack' | 'WrongAnswer' | 'WrongState' | 'ClientEquivocation';

export type Accused = { role: 'appserver'; index: number } | { role: 'client'; id: string; key: string };

export interface EvidenceVerdict extends Verdict {
  kind: EvidenceKind | null;
  accused: Accused | null;
  /** What the accused did, to follow its name: `signed two different histories of the same length`. */
  misdeed: string | null;
  /** The hash of the evidence in hexadecimal. */
  id: string | null;
  /** `needs-replay`: well signed, and proof only with the findings of f+1 appservers that recomputed the answer. */
  finding: 'guilty' | 'needs-replay' | 'cannot-confirm' | 'unfounded';
}

/** Verifies encoded evidence, or an encoded signed Verdict; `findings` are encoded signed Blacklists. */
export function verifyEvidence(descriptor: Descriptor, bytes: BytesLike, options?: { findings?: BytesLike[] }): Promise<EvidenceVerdict>;
export function describeAccused(accused: Accused): string;
export const MISDEEDS: Readonly<Record<EvidenceKind, string>>;

export interface ElementsRead {
  /** How many elements the whole set has. */
  size: bigint;
  /** The root of the tree of its elements. */
  root: Uint8Array;
  /** Where the next page begins; null for the last page, and for other reads. */
  next: Uint8Array | null;
}

export interface AnswerVerdict extends Verdict {
  /** The decoded Response. */
  response: Record<string, unknown> | null;
  value: Value | null;
  certificate: Certificate | null;
  elements: ElementsRead | null;
}

/** Verifies an answer to an update (its signed words) or to a read. Throws TypeError unless one of the two is given. */
export function verifyAnswer(descriptor: Descriptor, question: {
  answer: BytesLike;
  update?: BytesLike;
  read?: BytesLike;
  server?: number;
  client?: Uint8Array;
  certificates?: BytesLike[];
}): Promise<AnswerVerdict>;

/** Verifies that a confirmation covers an update, whose answer is verified too. */
export function verifyConfirmation(descriptor: Descriptor, parts: {
  confirmation: BytesLike;
  answer: BytesLike;
  update: BytesLike;
  server?: number;
}): Promise<Verdict & { number: bigint | null }>;

export interface ValueVerdict extends Verdict {
  key: string | null;
  type: string | null;
  value: Value | null;
  /** Of the certificate. */
  number: bigint | null;
  elements: ElementsRead | null;
  certificate: Certificate | null;
}

/** Verifies a file that proves a certified value. */
export function verifyValueProof(descriptor: Descriptor, bytes: BytesLike): Promise<ValueVerdict>;

export interface SnapshotVerdict extends Verdict {
  /** Of the certificate; null unless ok, as the others. */
  number: bigint | null;
  objects: ({ key: string; type: string; state: Value } | { key: string; type: string; elements: { element: Value; state: Value }[] })[] | null;
  /** How many clients there are. */
  clients: number | null;
}

/** Verifies a whole snapshot: an encoded SnapshotHead, and encoded SnapshotChunks in any order. */
export function verifySnapshot(descriptor: Descriptor, parts: { head: BytesLike; chunks: BytesLike[] }): Promise<SnapshotVerdict>;

/** Finds out what a file is, and verifies it. */
export function verifyFile(descriptor: Descriptor, bytes: BytesLike, options?: { findings?: BytesLike[] }):
  Promise<Verdict & { what: 'certificate' | 'evidence' | 'value' | 'unknown' } & Record<string, unknown>>;

/** A verdict for JSON.stringify: integers beyond 2^53 become texts, bytes hexadecimal; decoded messages are left out. */
export function toJson(item: unknown): unknown;

/** `WebCrypto` or `JavaScript`: what verifies signatures here. */
export function engineName(): Promise<string>;
/** Makes the library in JavaScript verify even where WebCrypto could; for tests and comparisons. */
export function preferJavaScript(prefer?: boolean): void;
export function verifySignature(key: Uint8Array, text: Uint8Array, signature: Uint8Array): Promise<boolean>;
export function isSoundKey(key: Uint8Array): boolean;
export function signingKey(seed: Uint8Array): Promise<{ publicKey: Uint8Array; sign(text: Uint8Array): Promise<Uint8Array> }>;

// ---- The parts of which the above is made ----

/** The hash of a certificate, without its signatures. */
export function certificateHash(certificate: Pick<Certificate, 'payload'>): Uint8Array;
/** The digest of a certificate that an answer names, with its signatures. */
export function certificateDigest(certificate: Pick<Certificate, 'encoded'>): Uint8Array;
/** Why a certificate cannot come after another one, both verified; null when it can. With gaps there may be others between them. */
export function wrongSuccessor(previous: Certificate, next: Certificate, options?: { gaps?: boolean }): string | null;

/** The root of a log without entries. */
export const EMPTY_ROOT: Uint8Array;
export function verifyInclusion(proof: { leafIndex: bigint; treeSize: bigint; path: Uint8Array[] }, leaf: Uint8Array, root: Uint8Array): boolean;
export function verifyConsistency(proof: { oldSize: bigint; newSize: bigint; path: Uint8Array[] }, oldRoot: Uint8Array, newRoot: Uint8Array): boolean;

/** What reads and writes values of one kind; `messages` has one for each kind of message that clients know. */
export interface Type {
  read(reader: unknown): unknown;
  write(writer: unknown, value: never): void;
}
export const messages: Readonly<Record<string, Type>>;
/** Reads bytes to their end. Never throws. */
export function decode(type: Type, bytes: Uint8Array): { ok: true; value: any } | { ok: false; reason: string };
export function encode(type: Type, value: object): Uint8Array;
/** Paths, leaves and proofs of the state tree (docs/formats.md, sections 5 and 6). */
export const state: Readonly<Record<string, (...parts: any[]) => any>>;

export function toHex(bytes: Uint8Array): string;
export function parseHex(hex: string): Uint8Array | null;
export function compareValues(one: Value, other: Value): number;
export function showValue(value: Value): string;
/** A text in quotes and in one line: what a terminal would obey is escaped as in JSON. */
export function showText(text: string): string;
