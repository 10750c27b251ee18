import type { ClientState, ConnectOptions } from './client.js';

/** Reads a deployment's directory, which the caller trusts. Nothing is verified yet. */
export function readDeployment(directory: string): Promise<Pick<ConnectOptions, 'descriptor' | 'ca'>>;

/**
 * A record on disk, for one process at a time: what is signed and unconfirmed, so that the next client with the key gives it again, in the
 * same bytes. Each update waits for the disk before it is sent. `load` rejects with the code `in-use` while another process has the record.
 */
export function fileState(path: string): ClientState;
