package org.aspas.bftcluster.isolation;

/** What becomes of the frames that the local library has for one peer. Thread-safe. */
interface LibraryOutputHandler {
    void onFrame(byte[] frame);

    /** A frame that no link carries was left out. */
    void onTooLong(long bytes);
}
