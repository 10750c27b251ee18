package org.aspas.appserver.core.certification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** What a server can vouch for, by how it came to its first certificate. */
class CertifiedHistoryTest {
    private final CertifiedHistory history = new CertifiedHistory(2);

    private static final Certificate FIRST = certificate(CertificateNumber.FIRST, 3);

    private static Certificate certificate(CertificateNumber number, long size) {
        CertificateContent content = new CertificateContent(
                Hash.ZERO,
                number,
                Hash.ZERO,
                VersionVector.of(size, 0),
                List.of(Hash.ZERO, Hash.ZERO),
                Hash.ZERO,
                List.of());
        return new Certificate(content, Codec.encode(content), List.of());
    }

    @Test
    void whoAdoptedTheFirstCertificateKnowsWhatWasBeforeIt() {
        history.adopted(FIRST);
        assertThat(history.versionAt(CertificateNumber.NONE)).contains(VersionVector.zero(2));
        assertThat(history.peerReply(new GetCertificate(CertificateNumber.FIRST))
                        .certificate())
                .isEqualTo(FIRST);
    }

    @Test
    void whoGotTheStateOfTheFirstCertificateDoesNot() {
        history.installed(FIRST);
        assertThat(history.versionAt(CertificateNumber.NONE)).isEmpty();
        assertThat(history.versionAt(CertificateNumber.FIRST)).contains(VersionVector.of(3, 0));
    }

    /** Nor can a peer adopt it by what is here; a client only wants to see it. */
    @Test
    void whoGotAStateDoesNotGiveItsCertificateToPeers() {
        history.installed(FIRST);
        history.adopted(certificate(CertificateNumber.FIRST.next(), 5));
        GetCertificate asked = new GetCertificate(CertificateNumber.FIRST);
        assertThat(history.peerReply(asked).certificate()).isNull();
        assertThat(history.reply(asked).certificate()).isEqualTo(FIRST);
        assertThat(history.peerReply(new GetCertificate(CertificateNumber.NONE)).certificate())
                .isEqualTo(history.newest().orElseThrow());
    }
}
