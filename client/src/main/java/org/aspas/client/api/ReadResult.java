package org.aspas.client.api;

import java.util.function.Function;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.core.port.ElementsRead;
import org.aspas.client.core.port.ReadProof;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * A verified value.
 *
 * @param certificateNumber for a certified read the certificate that proves it; for a local one the newest that the
 *     server names, 0 before the first
 * @param certificate for a certified read the certificate that proves the value; else null
 * @param elements for a certified read of an object with elements, what is proved of all of them; else null
 * @param proof for a certified read all that proves the value to whoever has the descriptor, to be kept or shown; else null
 * @param roundTripNanos from the call to the result in nanoseconds
 */
public record ReadResult<T>(
        T value,
        ReadLevel level,
        VersionVector version,
        CertificateNumber certificateNumber,
        @Nullable Certificate certificate,
        @Nullable ElementsRead elements,
        @Nullable ReadProof proof,
        long roundTripNanos) {
    /** Short, for people: without the certificate's bytes and the proof. */
    @Override
    public String toString() {
        return "ReadResult[value=" + value + ", level=" + level + ", certificateNumber=" + certificateNumber + "]";
    }

    <R> ReadResult<R> map(Function<? super T, ? extends R> function) {
        return new ReadResult<>(
                function.apply(value), level, version, certificateNumber, certificate, elements, proof, roundTripNanos);
    }
}
