package org.aspas.bftcluster.shield;

/** The connection of the local library that stands for one peer. */
interface LibraryLine extends AutoCloseable {
    /** The peer's greeting is known: the library may be connected from now on. Called once. */
    void open(byte[] peerGreeting);

    /** Gives the library a frame of the peer; false when it is not connected or has too much waiting. */
    boolean deliver(byte[] frame);

    @Override
    void close();
}
