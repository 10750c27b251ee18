package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull;
import org.junit.jupiter.api.Test;

/**
 * So much is written that what is certified is forgotten by its bytes, long before there are as many certificates as are kept.
 * Appserver 3 was away, and has to come back all the same: what is forgotten is covered by a snapshot that is still given.
 */
class ForgottenByBytesTest extends LateServer {
    /** Of what {@link #certify} writes, some ten certificates. */
    private static final long KEPT_BYTES = 400_000;

    /** Parts on their way to the late server over a slow line. */
    private final Queue<Runnable> line = new ArrayDeque<>();

    ForgottenByBytesTest() {
        super(new RetentionLimits(
                1024,
                3_600_000,
                KEPT_BYTES,
                3_600_000,
                1 << 30,
                RetentionLimits.USUAL.uncertifiedBytes(),
                RetentionLimits.USUAL.leafBlockLevel()));
    }

    @Test
    void whoWasAwayWhileMoreWasWrittenThanIsKeptComesBack() {
        TestClient writer = writer(0);
        certify(writer, 3);
        away();
        certify(writer, 40);
        assertThat(kept(0)).isLessThanOrEqualTo(KEPT_BYTES);
        back();
        certify(writer, 30);
        assertCaughtUp();
        assertThat(count(LATE, "snapshots_installed")).isPositive();
    }

    /** It takes longer to get the state than to write as much as is kept, and writers do not pause. */
    @Test
    void aLargeStateIsInstalledWhileMoreIsWrittenThanIsKept() {
        TestClient writer = writer(0);
        certify(writer, 120);
        slowLine();
        world.lose(LATE);
        long before = number(0);
        long mostKept = 0;
        for (int i = 0; i < 60 && count(LATE, "snapshots_installed") == 0; i++) {
            certify(writer, 1);
            mostKept = Math.max(mostKept, kept(0));
            for (int part = 0; part < 2 && !line.isEmpty(); part++) {
                line.remove().run();
            }
        }
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertThat(count(LATE, "snapshots_given_up")).isZero();
        assertThat(number(0) - before).as("certificates while it came").isGreaterThan(10);
        assertThat(mostKept).isBetween(KEPT_BYTES, 4 * KEPT_BYTES);
        certify(writer, 20);
        assertCaughtUp();
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        world.run(40_000);
        certify(writer, 3);
        assertThat(kept(0)).as("nobody holds it any more").isLessThanOrEqualTo(KEPT_BYTES);
    }

    /** A peer that asks again and again, and installs nothing, costs a bounded number of bytes. */
    @Test
    void aPeerThatNeverEndsHoldsNoMoreThanFourTimesWhatIsKept() {
        TestClient writer = writer(0);
        certify(writer, 40);
        away();
        long[] held = {0};
        world.seen = (server, effect) -> {
            if (effect instanceof Effect.ToNode sent
                    && sent.to().equals(NodeId.appserver(LATE))
                    && sent.message() instanceof SnapshotHead head
                    && head.certificate() != null) {
                held[0] = head.certificate().number().value();
            }
        };
        long first = 0;
        long mostKept = 0;
        for (int i = 0; i < 80; i++) {
            SnapshotPull again = new SnapshotPull(new CertificateNumber(held[0]), null);
            world.step(0, new Event.NodeFrame(NodeId.appserver(LATE), Deployment.decoded(Codec.encode(again))));
            first = first == 0 ? held[0] : first;
            certify(writer, 1);
            mostKept = Math.max(mostKept, kept(0));
        }
        assertThat(first).isPositive();
        assertThat(held[0]).as("the one it held is gone").isGreaterThan(first);
        assertThat(mostKept).isBetween(3 * KEPT_BYTES, 5 * KEPT_BYTES);
    }

    /** Two offer an old snapshot, have most votes by that, and give no part of it: the third one's is taken after theirs. */
    @Test
    void whoOffersWhatDoesNotComeHasNoVoteForTheNext() {
        TestClient writer = writer(0);
        certify(writer, 40);
        SnapshotHead[] old = {null};
        world.seen = (server, effect) -> {
            if (effect instanceof Effect.ToNode sent && sent.message() instanceof SnapshotHead head) {
                old[0] = head;
            }
        };
        SnapshotPull any = new SnapshotPull(CertificateNumber.NONE, null);
        world.step(0, new Event.NodeFrame(NodeId.appserver(LATE), Deployment.decoded(Codec.encode(any))));
        SnapshotHead offered = old[0];
        certify(writer, 40);
        world.altered = (from, to, message) -> from == 0 || !to.equals(NodeId.appserver(LATE))
                ? message
                : message instanceof SnapshotHead ? offered : message instanceof SnapshotChunk ? null : message;
        world.lose(LATE);
        world.run(40_000);
        assertThat(count(LATE, "snapshots_given_up")).isPositive();
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
    }

    /** A store has the head of a snapshot that nobody keeps any more: another one is taken at once, whatever the clock says. */
    @Test
    void theHeadOfASnapshotThatIsGoneHoldsNobodyUpAfterAStart() {
        TestClient writer = writer(0);
        certify(writer, 40);
        world.altered = (from, to, message) ->
                to.equals(NodeId.appserver(LATE)) && message instanceof SnapshotChunk ? null : message;
        world.lose(LATE);
        world.run(1_500);
        assertThat(count(LATE, "snapshots_begun")).isEqualTo(1);
        world.stop(LATE);
        world.run(40_000);
        certify(writer, 40);
        world.run(40_000);
        world.altered = (from, to, message) -> message;
        world.crash(LATE);
        world.run(3_000);
        assertThat(count(LATE, "snapshots_installed")).isEqualTo(1);
        assertCaughtUp();
    }

    private long kept(int server) {
        return world.cores.get(server).status().gauges().getOrDefault("certified_bytes_kept", 0L);
    }

    private void slowLine() {
        world.altered = (from, to, message) -> {
            if (!to.equals(NodeId.appserver(LATE)) || !(message instanceof SnapshotChunk)) {
                return message;
            }
            byte[] bytes = Codec.encode(message);
            line.add(() -> world.step(LATE, new Event.NodeFrame(NodeId.appserver(from), Deployment.decoded(bytes))));
            return null;
        };
    }
}
