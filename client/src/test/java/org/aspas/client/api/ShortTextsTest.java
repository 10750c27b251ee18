package org.aspas.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What a program prints of an answer, a confirmation and a value fits into a line: their bytes are not in it. */
class ShortTextsTest {
    private static final VersionVector VERSION = VersionVector.zero(4).with(0, 3);
    private static final CertificateNumber NUMBER = new CertificateNumber(17);
    private static final Certificate CERTIFICATE = new Certificate(
            new CertificateContent(
                    Hash.ZERO,
                    NUMBER,
                    Hash.ZERO,
                    VERSION,
                    List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                    Hash.ZERO,
                    List.of()),
            new byte[300],
            List.of());

    @Test
    void ofAnAnswer() {
        Response response = new Response(
                0,
                1,
                ClientId.NOBODY,
                1,
                Value.of(5),
                new Dot(0, 3),
                Hash.ZERO,
                VERSION,
                Hash.ZERO,
                CertificateNumber.NONE,
                Hash.ZERO);
        UpdateAnswer answer = new UpdateAnswer(
                1, Value.of(5), new Dot(0, 3), VERSION, 7, new Signed<>(response, new byte[200], new byte[64]));
        assertThat(answer)
                .hasToString("UpdateAnswer[number=1, value=5, dot=" + new Dot(0, 3) + ", version=" + VERSION + "]");
    }

    @Test
    void ofAConfirmation() {
        UpdateConfirmation confirmation = new UpdateConfirmation(
                1, new Dot(0, 3), NUMBER, CERTIFICATE, new InclusionProof(0, 1, List.of()), 1, 1);
        assertThat(confirmation)
                .hasToString(
                        "UpdateConfirmation[number=1, dot=" + new Dot(0, 3) + ", certificateNumber=" + NUMBER + "]");
    }

    @Test
    void ofAValue() {
        ReadResult<Long> result =
                new ReadResult<>(5L, ReadLevel.CERTIFIED, VERSION, NUMBER, CERTIFICATE, null, null, 1);
        assertThat(result).hasToString("ReadResult[value=5, level=CERTIFIED, certificateNumber=" + NUMBER + "]");
    }
}
