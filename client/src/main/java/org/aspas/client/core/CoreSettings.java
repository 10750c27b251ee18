package org.aspas.client.core;

import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Verifier;

/**
 * What a client's core is told once.
 *
 * @param verifier verifies signatures of the deployment, whose id it names
 * @param server the index of the appserver that this client talks to
 * @param serverKey that appserver's key
 * @param servers the number of appservers, which is the size of every version vector
 * @param firstSession the number of the first session record; higher than any the client's key was used for
 * @param bounds how much may be pending
 * @param persistent whether {@link Effect.Persist} is wanted
 */
public record CoreSettings(
        Verifier verifier,
        int server,
        PublicKey serverKey,
        int servers,
        long firstSession,
        Bounds bounds,
        boolean persistent) {
    /**
     * How much may be pending.
     *
     * @param unconfirmed how many updates may be unconfirmed however large τ is, from 1
     * @param unanswered how many updates may be on their way at once, from 1
     * @param waiting how many updates may wait because of the two bounds above; 0 makes them fail at once
     * @param reads how many reads and questions for certificates may be pending, from 1
     * @param keyBytes the greatest length of an object's key in bytes of UTF-8
     * @param readMillis after how many milliseconds a read fails, from 1
     */
    public record Bounds(int unconfirmed, int unanswered, int waiting, int reads, int keyBytes, long readMillis) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException with the name of the bound that is out of range
         */
        public Bounds {
            atLeast(1, unconfirmed, "unconfirmed");
            atLeast(1, unanswered, "unanswered");
            atLeast(0, waiting, "waiting");
            atLeast(1, reads, "reads");
            atLeast(1, keyBytes, "keyBytes");
            atLeast(1, readMillis, "readMillis");
        }

        private static void atLeast(long least, long value, String name) {
            if (value < least) {
                throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
            }
        }
    }
}
