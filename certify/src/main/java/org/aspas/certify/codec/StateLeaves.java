package org.aspas.certify.codec;

import java.nio.charset.StandardCharsets;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Value;

/** What the leaves of the state tree commit to (the protocol page, §2). Pure functions; thread-safe. */
public final class StateLeaves {
    private static final byte[] OBJECT = "aspas/v1/object-leaf\0".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CLIENT = "aspas/v1/client-leaf\0".getBytes(StandardCharsets.UTF_8);
    private static final byte[] COUNTED = "aspas/v1/counted\0".getBytes(StandardCharsets.UTF_8);
    private static final int TYPICAL_BYTES = 256;

    private StateLeaves() {}

    /** The digest of an object's canonical CRDT state. */
    public static Hash stateDigest(Value canonicalState) {
        return Hash.sha256(Codec.encodeValue(canonicalState));
    }

    /**
     * The leaf of an object: its value alone can be proved, and a snapshot whole.
     *
     * @param key the object
     * @param type its datatype
     * @param value what a read returns
     * @param stateDigest {@link #stateDigest} of its canonical state
     */
    public static Hash object(String key, String type, Value value, Hash stateDigest) {
        // Before the other writer exists: only one at a time finds its buffer among the thread's spare ones.
        Hash valueDigest = Hash.sha256(Codec.encodeValue(value));
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        out.array(4).text(key).text(type).hash(valueDigest).hash(stateDigest).end();
        return Hash.sha256(OBJECT, out.toBytes());
    }

    /**
     * The leaf of a client.
     *
     * @param client who
     * @param session the highest certified session number; 0 for none
     * @param tolerance the tolerance of that session
     * @param counted how many of the client's updates are certified
     * @param highest the highest certified request number
     * @param chain the chain of {@link #counted} over all of them in the order in which they were counted
     */
    public static Hash client(ClientId client, long session, long tolerance, long counted, long highest, Hash chain) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        out.array(6)
                .binary(client.key().toBytes())
                .integer(session)
                .integer(tolerance)
                .integer(counted)
                .integer(highest)
                .hash(chain)
                .end();
        return Hash.sha256(CLIENT, out.toBytes());
    }

    /**
     * One link of a client's chain of counted updates.
     *
     * @param previous the chain before; {@code Hash.ZERO} at first
     * @param number the request number
     * @param dot the dot that counted
     */
    public static Hash counted(Hash previous, long number, Dot dot) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        out.array(3).hash(previous).integer(number).dot(dot).end();
        return Hash.sha256(COUNTED, out.toBytes());
    }
}
