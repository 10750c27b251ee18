package org.aspas.bftcluster.isolation;

/** The connection of the local library that stands for one peer. */
interface LibraryConnection extends AutoCloseable {
    /** The peer's handshake is known: the library may be connected from now on. Called once. */
    void open(byte[] peerHandshake);

    /** Gives the library a frame of the peer; false when it is not connected or has too much waiting. */
    boolean deliver(byte[] frame);

    @Override
    void close();
}
