package org.aspas.bftcluster.shield;

/** What becomes of the frames that the local library has for one peer. Thread-safe. */
interface ToPeer {
    /** A whole frame. */
    void frame(byte[] frame);

    /** A frame that no link carries was left out. */
    void tooLong(long bytes);
}
