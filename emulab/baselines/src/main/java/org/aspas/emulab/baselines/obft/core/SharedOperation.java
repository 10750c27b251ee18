package org.aspas.emulab.baselines.obft.core;

import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.value.Operation;

/**
 * An operation that a replica executed for a client, as it tells the others.
 *
 * @param epoch the epoch in which it was executed
 * @param dependencies what the replica had executed before, of each origin
 * @param type the name of the object's datatype
 * @param body the encoding of all this, which is authenticated and hashed
 * @param macs the origin's authentication codes for the other replicas, one after the other by index; empty where they do
 *     not travel
 */
record SharedOperation(
        long epoch,
        int origin,
        VersionVector dependencies,
        String key,
        String type,
        Operation operation,
        byte[] body,
        byte[] macs) {
    /** Its number among the operations of its origin, from 1. */
    long sequence() {
        return dependencies.get(origin) + 1;
    }

    Tagged tagged() {
        return new Tagged(new Dot(origin, sequence()), dependencies, operation);
    }
}
