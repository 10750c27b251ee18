import type { ConnectOptions } from './client.js';

/** Reads a deployment's directory, which the caller trusts. Nothing is verified yet. */
export function readDeployment(directory: string): Promise<Pick<ConnectOptions, 'descriptor' | 'ca'>>;
