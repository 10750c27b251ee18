package org.aspas.emulab.sim.invariant;

import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/**
 * What a correct appserver says at the end about one object.
 *
 * @param certified whether it is the certified value, else the live one
 * @param roots the digest of all log roots at that version
 * @param certificate the number of the newest certificate that the server had
 */
public record FinalRead(
        int server,
        String key,
        String type,
        boolean certified,
        VersionVector version,
        Hash roots,
        long certificate,
        Value value) {}
