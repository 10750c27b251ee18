package org.aspas.client.api;

/** What a read is to be trusted for (the protocol page, docs/protocol.md §6). */
public enum ReadLevel {
    /** The server's live value: newest, signed by the server, not certified. */
    LOCAL,
    /** The value at a certificate no older than any this client has seen, with a verified proof. */
    CERTIFIED
}
