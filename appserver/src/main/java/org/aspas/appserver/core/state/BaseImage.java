package org.aspas.appserver.core.state;

import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;

/**
 * All that is certified at one certificate, for a base to keep. Images share what did not change between them. What it holds never
 * changes, and any thread may use it.
 */
public interface BaseImage {
    /** The keys of objects and clients begin with this byte. */
    byte KEYS = 's';
    /** Those of what is known of leaves begin with this byte, the next one; there are no others. */
    byte LEAVES = 't';

    CertificateNumber number();

    /** What is to be kept beside the contents: the certificate, and the ends of the logs. */
    byte[] head();

    /**
     * Tells what has to be changed in a base that holds another image, at a cost in proportion to that.
     *
     * @param before what the base holds; null for nothing
     */
    void changesSince(@Nullable BaseImage before, Changes changes);

    /** Whether the object under a key is in the base alone now; of one that was certified later, no. */
    boolean rests(String key);

    /** Is told what to change. */
    interface Changes {
        void put(byte[] key, byte[] content);

        void remove(byte[] key);

        /** No key that begins with these bytes and is longer has a content any more. */
        void removeBelow(byte[] prefix);
    }
}
