package org.aspas.bftcluster.engine;

/** A command was not seen to be ordered. It may be ordered all the same; submit it again if that does no harm. */
public final class OrderingUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OrderingUnavailable(String message) {
        super(message);
    }
}
