package org.aspas.bftcluster.frame;

/** A frame is not what a correct replica sends. Stays inside this package: callers get a {@link FrameVerdict}. */
final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RefusalReason reason;

    MalformedFrameException(RefusalReason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    RefusalReason reason() {
        return reason;
    }

    static void require(boolean holds, RefusalReason reason, String detail) throws MalformedFrameException {
        if (!holds) {
            throw new MalformedFrameException(reason, detail);
        }
    }
}
