package org.aspas.client.api;

import java.util.OptionalLong;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/**
 * A verified answer to an update. Immutable.
 *
 * @param number the request number
 * @param value the counter's value after the update at the server that answered; an empty sequence for other types
 * @param dot the place of the update among the entries of the server that answered
 * @param version the server's version after the update
 * @param roundTripNanos nanoseconds from the call to this answer, including any wait for room in the window of τ
 * @param response the signed answer, which is evidence against the server if it is wrong
 */
public record UpdateAnswer(
        long number, Value value, Dot dot, VersionVector version, long roundTripNanos, Signed<Response> response) {
    /** Returns a short form for people, without the signed answer. */
    @Override
    public String toString() {
        return "UpdateAnswer[number=" + number + ", value=" + value + ", dot=" + dot + ", version=" + version + "]";
    }

    /** Returns the counter's value after the update at the server that answered; empty for an update of another type. */
    public OptionalLong counter() {
        return value instanceof Value.Int counted ? OptionalLong.of(counted.value()) : OptionalLong.empty();
    }
}
