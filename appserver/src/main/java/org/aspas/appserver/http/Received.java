package org.aspas.appserver.http;

/** One WebSocket message as it arrived, before its bytes are looked at. */
record Received(Shape shape, byte[] bytes) {
    /** What arrived. */
    enum Shape {
        /** A binary message within the limit. */
        BINARY,
        /** A text message, which the protocol does not have. */
        TEXT,
        /** A binary message above the limit. */
        OVERSIZED,
        /** A message that did not arrive whole, or not in time. */
        BROKEN
    }

    static final Received TEXT = new Received(Shape.TEXT, new byte[0]);
    static final Received OVERSIZED = new Received(Shape.OVERSIZED, new byte[0]);
    static final Received BROKEN = new Received(Shape.BROKEN, new byte[0]);
}
