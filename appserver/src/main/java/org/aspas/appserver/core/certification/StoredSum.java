package org.aspas.appserver.core.certification;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;

/**
 * The first record of a sum, read back.
 *
 * @param starts how often the server had started
 * @param number the certificate that was the newest
 * @param ends the ends of all logs there
 */
public record StoredSum(long starts, CertificateNumber number, List<LogEdge> ends) {
    public StoredSum {
        ends = List.copyOf(ends);
    }

    /**
     * Reads the record.
     *
     * @throws IllegalStateException when it is malformed, or its logs are not those of its certificate
     */
    public static StoredSum of(byte[] record) {
        byte[] body = Records.body(record);
        if (body.length < Long.BYTES) {
            throw new IllegalStateException("the store holds a sum of " + body.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(body);
        long starts = in.getLong();
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return BaseHead.decode(rest)
                .flatMap(head -> of(starts, head))
                .orElseThrow(() -> new IllegalStateException("the store holds a malformed sum"));
    }

    private static Optional<StoredSum> of(long starts, BaseHead head) {
        Certificate certificate = head.snapshot().certificate();
        return certificate == null
                ? Optional.empty()
                : VerifiedHead.of(head.snapshot(), certificate)
                        .map(verified -> new StoredSum(starts, certificate.number(), verified.ends()));
    }
}
