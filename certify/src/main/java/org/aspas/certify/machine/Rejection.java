package org.aspas.certify.machine;

/** Why a command changed nothing. */
public enum Rejection {
    /** The bytes are no frame with a signed message. */
    MALFORMED,
    /** The signed message is none that the machine takes. */
    NOT_A_COMMAND,
    /** The signer's index is out of range. */
    UNKNOWN_SIGNER,
    /** The signature of the command, or of a head in it, is wrong. */
    BAD_SIGNATURE,
    /** A list or a vector has the wrong size or order, or the parts contradict each other. */
    INCONSISTENT,
    /** The command is about something that is past or was counted already; honest servers cause these too. */
    STALE,
    /** The command answers a question that is neither open nor the one that was decided last. */
    NOT_ASKED,
    EXCLUDED,
    UNPROVED
}
