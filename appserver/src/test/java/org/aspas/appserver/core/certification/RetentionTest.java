package org.aspas.appserver.core.certification;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** What is certified stays until enough certificates and enough time have passed, or there is no room. */
class RetentionTest {
    private static final long FOREVER = 1_000_000;
    private static final CertificateNumber COVERED = new CertificateNumber(FOREVER);

    private final Retention retention = new Retention(new RetentionLimits(3, 1_000, 500, 5_000, FOREVER, 1, 3), 2);

    private void adopt(long number, long bytes) {
        retention.adopted(new CertificateNumber(number), VersionVector.of(number, 10 * number), bytes);
    }

    @Test
    void bothCertificatesAndTimeHaveToPass() {
        for (long number = 1; number <= 3; number++) {
            adopt(number, 10);
        }
        assertThat(retention.tick(0, COVERED)).isFalse();
        assertThat(retention.tick(2_000, COVERED)).as("three, and none more").isFalse();
        adopt(4, 10);
        assertThat(retention.tick(2_001, COVERED)).isTrue();
        assertThat(retention.oldest()).isEqualTo(new CertificateNumber(2));
        assertThat(retention.edge()).isEqualTo(VersionVector.of(1, 10));
        assertThat(retention.bytes()).isEqualTo(30);
        adopt(5, 10);
        adopt(6, 10);
        adopt(7, 10);
        assertThat(retention.tick(2_002, COVERED))
                .as("2 and 3 are old, 4 is not")
                .isTrue();
        assertThat(retention.oldest()).isEqualTo(new CertificateNumber(4));
        assertThat(retention.tick(3_000, COVERED)).isFalse();
        assertThat(retention.tick(3_001, COVERED)).isTrue();
        assertThat(retention.edge()).isEqualTo(VersionVector.of(4, 40));
    }

    @Test
    void timeBeginsWithTheFirstTickAfterTheAdoption() {
        for (long number = 1; number <= 10; number++) {
            adopt(number, 10);
        }
        assertThat(retention.tick(1_000_000, COVERED)).isFalse();
        assertThat(retention.tick(1_000_999, COVERED)).isFalse();
        assertThat(retention.tick(1_001_000, COVERED)).isTrue();
        assertThat(retention.oldest()).isEqualTo(new CertificateNumber(8));
    }

    @Test
    void theBoundInBytesWinsButTheNewestStays() {
        adopt(1, 200);
        adopt(2, 300);
        assertThat(retention.tick(0, COVERED)).isFalse();
        adopt(3, 10);
        assertThat(retention.tick(1, COVERED)).isTrue();
        assertThat(retention.oldest()).isEqualTo(new CertificateNumber(2));
        adopt(4, 10_000);
        assertThat(retention.tick(2, COVERED)).isTrue();
        assertThat(retention.oldest()).isEqualTo(new CertificateNumber(4));
        assertThat(retention.edge()).isEqualTo(VersionVector.of(3, 30));
    }

    @Test
    void whatFollowsTheOldestSnapshotStaysWhateverItsBytes() {
        for (long number = 1; number <= 6; number++) {
            adopt(number, 10_000);
        }
        assertThat(retention.tick(0, CertificateNumber.NONE)).isFalse();
        assertThat(retention.tick(1, new CertificateNumber(4))).isTrue();
        assertThat(retention.oldest()).isEqualTo(new CertificateNumber(5));
        assertThat(retention.tick(2, new CertificateNumber(4))).isFalse();
    }

    @Test
    void leavesStayLongerAndGoInTheirOrder() {
        for (long number = 1; number <= 8; number++) {
            adopt(number, 10);
        }
        retention.tick(0, COVERED);
        retention.tick(1_000, COVERED);
        assertThat(retention.edge()).isEqualTo(VersionVector.of(5, 50));
        assertThat(retention.leafEdge()).isEqualTo(VersionVector.of(0, 0));
        assertThat(retention.tick(4_999, COVERED)).isFalse();
        assertThat(retention.tick(5_000, COVERED)).isTrue();
        assertThat(retention.leafEdge()).isEqualTo(VersionVector.of(5, 50));
    }

    @Test
    void leavesAreBoundedInBytes() {
        Retention narrow = new Retention(new RetentionLimits(1, 1, FOREVER, FOREVER, 1_000, 1, 3), 1);
        for (long number = 1; number <= 100; number++) {
            narrow.adopted(new CertificateNumber(number), VersionVector.of(10 * number), 10);
            narrow.tick(number * 100_000, COVERED);
        }
        assertThat(narrow.edge()).isEqualTo(VersionVector.of(990));
        assertThat((narrow.edge().sum() - narrow.leafEdge().sum()) * 32).isBetween(1L, 1_000L);
    }
}
