package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.SnapshotHead;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is wrong with a head of a snapshot is noticed before any part is asked for. */
class SnapshotHeadTest extends LateServer {
    /** What is wrong with a head. */
    private enum WrongHead {
        ANOTHER_PEAK(head -> firstEnd(head, end -> {
            List<Hash> peaks = new ArrayList<>(end.peaks());
            peaks.set(0, Hash.ZERO);
            return new SnapshotHead.LogEnd(peaks, end.last());
        })),
        A_PEAK_LESS(head -> firstEnd(
                head,
                end -> new SnapshotHead.LogEnd(
                        end.peaks().subList(1, end.peaks().size()), end.last()))),
        NO_LAST_ENTRY(head -> firstEnd(head, end -> new SnapshotHead.LogEnd(end.peaks(), null))),
        ANOTHER_LAST_ENTRY(head -> firstEnd(head, end -> {
            BrokenEntry.Included last = Objects.requireNonNull(end.last());
            byte[] bytes = last.bytes().clone();
            // The last bytes are those of the client's signature: it is an entry all the same.
            bytes[bytes.length - 1] ^= 1;
            return new SnapshotHead.LogEnd(end.peaks(), new BrokenEntry.Included(bytes, last.proof()));
        })),
        A_LOG_LESS(head -> new SnapshotHead(
                head.certificate(), head.logs().subList(0, head.logs().size() - 1))),
        A_STATE_THAT_NOBODY_SIGNED(head -> {
            Certificate genuine = Objects.requireNonNull(head.certificate());
            CertificateContent other = content(genuine.content(), genuine.number(), Hash.sha256(new byte[] {1}));
            return new SnapshotHead(new Certificate(other, Codec.encode(other), genuine.signatures()), head.logs());
        }),
        A_SIGNATURE_LESS(head -> {
            Certificate genuine = Objects.requireNonNull(head.certificate());
            return new SnapshotHead(
                    new Certificate(
                            genuine.content(),
                            genuine.payload(),
                            genuine.signatures().subList(0, 2)),
                    head.logs());
        });

        private final UnaryOperator<SnapshotHead> lie;

        WrongHead(UnaryOperator<SnapshotHead> lie) {
            this.lie = lie;
        }

        private static SnapshotHead firstEnd(SnapshotHead head, UnaryOperator<SnapshotHead.LogEnd> lie) {
            List<SnapshotHead.LogEnd> logs = new ArrayList<>(head.logs());
            logs.set(0, lie.apply(logs.get(0)));
            return new SnapshotHead(head.certificate(), logs);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongHeadIsRefusedWhoeverSendsIt(WrongHead wrong) {
        comesBackLate();
        world.altered = (from, to, message) ->
                message instanceof SnapshotHead head && head.certificate() != null ? wrong.lie.apply(head) : message;
        back();
        world.run(3000);
        assertThat(count(LATE, "refused_snapshot_head")).isGreaterThan(3);
        assertThat(count(LATE, "snapshots_begun")).isZero();
        world.altered = (from, to, message) -> message;
        world.run(4000);
        certify(writer(0), 3);
        assertCaughtUp();
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertThat(world.alarms).isEmpty();
    }
}
