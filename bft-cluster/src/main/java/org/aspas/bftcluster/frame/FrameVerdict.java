package org.aspas.bftcluster.frame;

import org.jspecify.annotations.Nullable;

/** What became of a frame. */
public sealed interface FrameVerdict {
    /**
     * The frame may go to the library.
     *
     * @param number the consensus instance of a consensus message, the regency of a leader change, the instance asked
     *     for of a state transfer, else 0
     * @param vote the vote that it is; null when it is none
     * @param request the request that is passed on; null when the message is not that
     */
    record Accepted(
            Kind kind, int number, int bytes, @Nullable Vote vote, byte @Nullable [] request) implements FrameVerdict {
        /** What is neither a vote nor a request. */
        public Accepted(Kind kind, int number, int bytes) {
            this(kind, number, bytes, null, null);
        }
    }

    /**
     * The frame must be dropped.
     *
     * @param detail for the log; at most a few words, with nothing in it that the peer chose but numbers
     */
    record Refused(RefusalReason reason, String detail) implements FrameVerdict {}

    /** The messages that replicas send each other. */
    enum Kind {
        /** A leader's batch for one instance. */
        PROPOSE,
        /** First vote. */
        WRITE,
        /** Second vote, with its vector of authentication codes. */
        ACCEPT,
        /** Asks for a change of leader. */
        STOP,
        /** Tells the new leader the sender's state. */
        STOPDATA,
        /** The new leader's choice. */
        SYNC,
        /** A client's request, passed to the leader. */
        FORWARD,
        /** Asks for the state up to an instance. */
        STATE_REQUEST,
        STATE_REPLY,
        /** Asks for the number of the last instance. */
        POSITION_REQUEST,
        POSITION_REPLY
    }
}
