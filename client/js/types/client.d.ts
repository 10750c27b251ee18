/**
 * The client. An argument that no server could take throws an AspasError `bad-argument` at the call, before anything is numbered or sent;
 * `connect` rejects with it.
 */
import type { BytesLike, Certificate, Descriptor, ElementsRead, EvidenceKind, Value } from './verify.js';

/** An integer of 64 bits (a number up to 2^53 - 1), a well-formed text of at most 4,096 bytes in UTF-8, or as many bytes, which are copied. */
export type Element = bigint | number | string | Uint8Array;

export interface ConnectOptions {
  /** A verified descriptor, or its parts: the operator's key comes from a source that the caller trusts. */
  descriptor: Descriptor | { text: Uint8Array | string; signature: BytesLike; operator: BytesLike };
  /** The client's key: a seed of 32 bytes or its hexadecimal digits, or an Ed25519 key in PKCS#8 as PEM. Without one it is fresh. */
  key?: Uint8Array | string;
  /** The index of the appserver to begin with; 0 if not given. */
  server?: number;
  /** τ: how many updates may be unconfirmed at once, from 1; no bound if not given. */
  tolerance?: number;
  /** How long a server may owe an answer before the client leaves it, in milliseconds; 5,000 if not given. */
  answerMillis?: number;
  /** How long an answered update may stay unconfirmed before the other servers are asked, in milliseconds; 3,000 if not given. */
  graceMillis?: number;
  /** How long a read may take, with switches of server in between, in milliseconds; 15,000 if not given. */
  readMillis?: number;
  /** How long the first session may take; 30,000 if not given. */
  connectMillis?: number;
  /** How many updates may be unconfirmed when τ has no bound; 4,096 if not given. */
  mostUnconfirmed?: number;
  /** The part of the answers, from 0 to 1, that other servers are asked to recompute; 0 if not given. */
  inspect?: number;
  /** What the next client with the key goes on with: `fileState(path)` in Node. It needs a key. Without one, nothing is kept. */
  state?: ClientState;
  /** Certificates to trust for TLS, as PEM (Node only). */
  ca?: string;
  /** Sessions on WebSockets even where binary sessions are possible. */
  webSocket?: boolean;
  /** Listeners by the name of their event, from the beginning; `*` for all. See `AspasClient.on`. */
  on?: { [Name in keyof Events]?: (event: Events[Name]) => void } & { '*'?: (event: { name: string }) => void };
}

/** What an earlier client with the key left. */
export interface Left {
  /** The highest number of a certificate that it verified; 0n for none. */
  certificate: bigint;
  /** Its unconfirmed requests, signed. */
  open: SignedRequest[];
}

/** A request with the bytes and the signature that were sent. */
export interface SignedRequest {
  readonly message: { readonly client: Uint8Array; readonly number: bigint; readonly key: string; readonly type: string };
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** Keeps what is unconfirmed. It serves one client at a time, from `load` to `close`. */
export interface ClientState {
  /** How many requests it takes; any number if not given. */
  readonly mostOpen?: number;
  /** What was saved last, or `{certificate: 0n, open: []}`. */
  load(owner: { deployment: Uint8Array; key: Uint8Array }): Left | Promise<Left>;
  /** Replaces the record. It is durable when this returns, or resolves: nothing new is sent before. */
  save(left: Left): void | Promise<void>;
  close(): void | Promise<void>;
}

export interface Events {
  connected: { server: number };
  disconnected: { server: number; reason: string };
  switched: {
    from: number;
    to: number;
    why: 'unreachable' | 'not-verified' | 'wrong-server' | 'draining' | 'refused' | 'convicted' | 'no-answer' | 'withheld' | 'not-spread' | 'stale';
    detail: string;
  };
  resubmitted: { server: number; numbers: bigint[] };
  certificate: { number: bigint; certificate: Certificate };
  confirmed: Confirmation;
  revoked: { server: number; numbers: bigint[] };
  excluded: { server: number; cut: bigint; certificate: bigint };
  'not-verified': { server: number; reason: string; steps: { text: string; ok: boolean }[] };
  inspected: { server: number; right: boolean | null };
  evidence: { kind: EvidenceKind; server: number; evidence: Uint8Array };
  convicted: { server: number; kind: EvidenceKind; evidence: Uint8Array; findings: Uint8Array[] };
  closed: { reason: string; code: string };
  error: Error;
}

export interface Dot {
  origin: number;
  sequence: bigint;
}

export interface Confirmation {
  /** Who numbered it, 48 bytes in hexadecimal: this client, or an earlier one whose record it has. */
  client: string;
  number: bigint;
  /** Of the certificate that covers the update. */
  certificate: bigint;
  /** The same, by the name that it has in the other languages. */
  certificateNumber: bigint;
  dot: Dot;
}

/** An update that was answered: its server's signature and leaf are verified. */
export interface Update {
  number: bigint;
  dot: Dot;
  server: number;
  /** Of a counter the value after the update, as the server has it; of a set an empty array. */
  result: Value;
  /** Resolves when a verified certificate covers the update. Nobody has to wait for it. */
  confirmed: Promise<Confirmation>;
}

export interface ReadOptions {
  /** `local` is what the server says now; `certified` is proved, whoever answers. `local` if not given. */
  level?: 'local' | 'certified';
  millis?: number;
}

export interface ReadResult<V> {
  value: V;
  level: 'local' | 'certified';
  server: number;
  /** The certificate that proves the value, or the newest that the server named. */
  certificate: bigint;
  /** The same, by the name that it has in the other languages. */
  certificateNumber: bigint;
  version: bigint[];
  /** Of a certified set or page. */
  elements: ElementsRead | null;
  /** Of a certified read: a file that proves the value to whoever has the descriptor. */
  proof: Uint8Array | null;
}

export interface Counter {
  /** Adds 1 to 2^63-1. With τ = 1 it returns when the update is confirmed, else when it is answered. */
  increment(by?: number | bigint): Promise<Update>;
  decrement(by?: number | bigint): Promise<Update>;
  get(options?: ReadOptions): Promise<ReadResult<bigint>>;
}

export interface AddWinsSet {
  add(element: Element): Promise<Update>;
  remove(element: Element): Promise<Update>;
  clear(): Promise<Update>;
  get(options?: ReadOptions): Promise<ReadResult<Value[]>>;
  has(element: Element, options?: ReadOptions): Promise<ReadResult<boolean>>;
  /** All elements at one certificate, page by page; the order means nothing. */
  pages(options?: { millis?: number }): AsyncGenerator<ReadResult<Value[]>>;
}

export class AspasClient {
  private constructor();
  /** Opens a session. Rejects with an AspasError when no server takes it. */
  static connect(options: ConnectOptions): Promise<AspasClient>;
  readonly descriptor: Descriptor;
  /** The client's 48 bytes in hexadecimal. */
  readonly id: string;
  /** The index of the present appserver. */
  readonly server: number;
  /** How many updates no certificate covers yet, those of the record among them. */
  readonly unconfirmed: number;
  /** What the record had open when the client began, and no certificate covers yet. */
  readonly inherited: { client: string; number: bigint; confirmed: Promise<Confirmation> }[];
  readonly waiting: number;
  readonly certificateNumber: bigint;
  /** τ, which may be changed at any time. */
  tolerance: number;
  /** A key is a well-formed text of 1 to 512 bytes in UTF-8 (`keyBytes` of the deployment). */
  counter(key: string): Counter;
  set(key: string): AddWinsSet;
  /** A verified certificate; 0 is the newest of the present server. */
  certificate(number?: number | bigint, options?: { millis?: number }): Promise<Certificate>;
  /**
   * Calls a listener at each event; gives what removes it. What a listener throws, or its promise is rejected with, changes nothing: it goes to
   * the listeners of `error`, and where there is none, or one of them threw it, to `reportError` or the console.
   */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => boolean;
  on(name: '*', listener: (event: { name: string }) => void): () => boolean;
  /** Ends the session. What is unconfirmed may still take effect; its promises are rejected. */
  close(): Promise<void>;
}

export class AspasError extends Error {
  readonly code: 'closed' | 'refused' | 'timeout' | 'unreachable' | 'bad-argument' | 'fork' | 'no-certificate' | 'in-use' | 'record' | 'unsupported';
  /** Of a refusal the server's; of a text or an element that is none a word of docs/vectors/texts.json, such as `lone-surrogate`. */
  readonly reason?: string;
}
