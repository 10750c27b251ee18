package org.aspas.bftcluster.frame;

/** Why a frame is not passed on. */
public enum RefusalReason {
    /** Longer than allowed, or empty. */
    SIZE,
    NO_MAC,
    /** Not a serialization stream of the known classes in the known form. */
    NOT_A_MESSAGE,
    /** Names another sender than the peer. */
    SENDER,
    /** A message whose parts no correct replica would put together. */
    SHAPE,
    /** A batch of requests that the library would not have built. */
    BATCH,
    /** A request of a type, view or client that is not in use here. */
    REQUEST,
    SIGNATURE,
    /** More, or further ahead, than a peer may make the library keep. */
    ALLOWANCE
}
