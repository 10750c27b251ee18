package org.aspas.client.api;

import java.util.OptionalLong;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/**
 * A verified answer to an update.
 *
 * @param number the request number
 * @param value the counter's value after the update at the server that answered; an empty sequence for other types
 * @param dot the place of the update among its origin's entries
 * @param version the server's version after the update
 * @param roundTripNanos from the call to this answer in nanoseconds, with any wait for room in the window
 * @param response the signed answer: evidence against the server should it be wrong
 */
public record UpdateAnswer(
        long number, Value value, Dot dot, VersionVector version, long roundTripNanos, Signed<Response> response) {
    /** Short, for people: without the signed answer. */
    @Override
    public String toString() {
        return "UpdateAnswer[number=" + number + ", value=" + value + ", dot=" + dot + ", version=" + version + "]";
    }

    /** The counter's value after the update at the server that answered; empty for an update of another type. */
    public OptionalLong counter() {
        return value instanceof Value.Int counted ? OptionalLong.of(counted.value()) : OptionalLong.empty();
    }
}
