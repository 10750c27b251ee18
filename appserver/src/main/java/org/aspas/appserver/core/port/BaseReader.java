package org.aspas.appserver.core.port;

import org.aspas.certify.message.CertificateNumber;

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
        public boolean contents(byte[] prefix, SavedBase.Visitor visitor) {
            return false;
        }
    };

    /** How many bytes of memory objects may take, as the core counts them, before those that are longest unused are left to the base. */
    long room();

    /** The certificate of the image that the base holds whole; none before this process has taken or written one. */
    CertificateNumber holds();

    /**
     * Shows all keys that begin with these bytes with their contents, keys ascending as unsigned bytes.
     *
     * @return false when they could not all be read
     */
    boolean contents(byte[] prefix, SavedBase.Visitor visitor);
}
