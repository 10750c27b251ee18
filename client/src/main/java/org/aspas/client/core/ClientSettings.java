package org.aspas.client.core;

import java.util.List;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Verifier;

/**
 * What a client's core is told once.
 *
 * @param verifier verifies signatures of the deployment, whose id it names
 * @param judge judges evidence of the deployment, so that the client complains only of what it can prove
 * @param keys the keys of the N appservers in order of their index
 * @param server the index of the appserver that this client talks to first
 * @param self the client: a start of its own, whose numbers nobody has given out
 * @param persistent whether {@link Effect.Persist} is wanted
 */
public record ClientSettings(
        Verifier verifier,
        EvidenceJudge judge,
        Quorums quorums,
        List<PublicKey> keys,
        int server,
        ClientId self,
        Bounds bounds,
        Policy policy,
        boolean persistent,
        Tagging tagging) {
    /**
     * Checks that there is a key for each appserver and that the first one exists.
     *
     * @throws IllegalArgumentException otherwise
     */
    public ClientSettings {
        keys = List.copyOf(keys);
        if (keys.size() != quorums.appservers()) {
            throw new IllegalArgumentException(keys.size() + " keys of " + quorums.appservers() + " appservers");
        }
        if (server < 0 || server >= keys.size()) {
            throw new IllegalArgumentException("there is no appserver " + server);
        }
    }

    /** The number of appservers, which is the size of every version vector. */
    public int servers() {
        return keys.size();
    }

    /**
     * How much may be pending.
     *
     * @param unconfirmed how many updates may be unconfirmed however large τ is, from 1
     * @param unanswered how many updates may be on their way at once, from 1
     * @param waiting how many updates may wait because of the two bounds above; 0 makes them fail at once
     * @param reads how many reads and questions for certificates may be pending, from 1
     * @param keyBytes the greatest length of an object's key in bytes of UTF-8
     * @param requestBytes the greatest length of an encoded request: a longer one is never signed
     * @param readMillis after how many milliseconds a read fails, from 1
     */
    public record Bounds(
            int unconfirmed, int unanswered, int waiting, int reads, int keyBytes, int requestBytes, long readMillis) {
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
            atLeast(1, requestBytes, "requestBytes");
            atLeast(1, readMillis, "readMillis");
        }

        private static void atLeast(long least, long value, String name) {
            if (value < least) {
                throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
            }
        }
    }
}
