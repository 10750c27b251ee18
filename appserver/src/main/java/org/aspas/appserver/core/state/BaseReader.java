package org.aspas.appserver.core.state;

import org.aspas.certify.wire.CertificateNumber;

/**
 * Gives back single objects of a base while the server runs, at once: an object that nobody used for long is in the base alone. What it
 * gives is verified by the core; {@link #holds} decides only what stays in memory, and never what is answered. For the core's thread.
 */
public interface BaseReader {
    /** Of a server without a base: all objects are in memory. */
    BaseReader NONE = new BaseReader() {
        @Override
        public long room() {
            return Long.MAX_VALUE;
        }

        @Override
        public CertificateNumber holds() {
            return CertificateNumber.NONE;
        }

        @Override
        public boolean contents(byte[] from, byte[] to, SavedBase.Visitor visitor) {
            return false;
        }
    };

    /** How many bytes of memory objects may take, as the core counts them, before those that are longest unused are left to the base. */
    long room();

    /** So many objects are in the base alone now; told whenever that may have changed. */
    default void rest(long objects) {
        // Nobody wants to know.
    }

    /** The certificate of the image that the base holds whole; none before this process has taken or written one. */
    CertificateNumber holds();

    /**
     * Shows all keys of a range with their contents, keys ascending as unsigned bytes.
     *
     * @param from the first key, or before it
     * @param to the last key, or behind it
     * @return false when they could not all be read
     */
    boolean contents(byte[] from, byte[] to, SavedBase.Visitor visitor);
}
