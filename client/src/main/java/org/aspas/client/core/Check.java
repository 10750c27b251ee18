package org.aspas.client.core;

/** The checks that a client makes on servers' messages (docs/protocol.md §3.4 and §6). */
public enum Check {
    /** The answer is signed by the server's key. */
    SIGNATURE,
    /** The answer is from the server asked, to this client, about something it asked. */
    ADDRESS,
    /** The dot is the server's own and fits the version vector. */
    DOT,
    /** The leaf is that of the client's own signed request at that dot with those dependencies. */
    LEAF,
    /** A request keeps its dot, unless a certificate covers the dot: then the server may have forgotten it. */
    REPEATED_ANSWER,
    /** The certificate number in a server's later answer is not lower than in an earlier one. */
    CERTIFICATE_WENT_BACK,
    /** The certificate is signed by a quorum and fits the certificates seen before. */
    CERTIFICATE,
    /** No two different certificates have the same number. */
    CERTIFICATE_FORK,
    /** The update's own leaf is in the certified log. */
    INCLUSION,
    /** A certified read names a certificate that the client can verify and that is not older than it asked for. */
    READ_CERTIFICATE,
    /** The value read is in the certified state. */
    STATE_PROOF,
    /** f+1 other servers compute the value that the server answered. */
    INSPECTION
}
