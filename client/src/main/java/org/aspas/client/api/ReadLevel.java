package org.aspas.client.api;

/** How far the result of a read can be trusted (docs/protocol.md §6). */
public enum ReadLevel {
    /** The server's live value: the newest, signed by that server alone and not certified. */
    LOCAL,
    /** The value at a certificate that is at least as new as any this client has seen, with a verified proof. */
    CERTIFIED
}
