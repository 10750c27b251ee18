package org.aspas.client.api;

import java.util.function.Function;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.core.ElementsRead;
import org.aspas.client.core.ReadProof;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * The verified result of a read. Immutable if its value is.
 *
 * @param <T> the Java type of the value
 * @param value the value read
 * @param level the level that was asked for
 * @param version the version vector that the value reflects: the certificate's for a certified read, otherwise the server's
 * @param certificateNumber for a certified read, the number of the certificate that proves the value; for a local read, the newest that
 *     the server names, 0 before the first
 * @param certificate for a certified read, the certificate that proves the value; otherwise null
 * @param elements for a certified read of a set, what the proof says about the set as a whole; otherwise null
 * @param proof for a certified read, a proof that anyone with the descriptor can verify, to store or to pass on; otherwise null
 * @param roundTripNanos nanoseconds from the call to the result
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
    /** Returns a short form for people, without the certificate's bytes and the proof. */
    @Override
    public String toString() {
        return "ReadResult[value=" + value + ", level=" + level + ", certificateNumber=" + certificateNumber + "]";
    }

    <R> ReadResult<R> map(Function<? super T, ? extends R> function) {
        return new ReadResult<>(
                function.apply(value), level, version, certificateNumber, certificate, elements, proof, roundTripNanos);
    }
}
