package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.certify.identity.NodeId;
import org.aspas.client.net.TransportDelay;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a world asks of a way, from the moment of sending. */
class EmulatedNetworkTest {
    private static final NodeId A = NodeId.appserver(0);
    private static final NodeId B = NodeId.appserver(1);
    private static final NodeId C = NodeId.bftserver(2);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    /** Far enough from now that no way is younger. */
    private static final long LATER = TimeUnit.MINUTES.toNanos(5);

    private static final String NETWORKS = """
        name: small
        about: Four networks.
        networks_ms: {clients_appservers: 40, appservers: 30, appservers_bftservers: 20, bftservers: 10}
        """;

    private static WorldMap world(String more) throws MalformedFileException {
        return WorldReader.read("small.yaml", NETWORKS + more, role -> true);
    }

    private static long due(LinkDelay.Way way, long sent, int bytes) {
        return way.due(sent, bytes) - sent;
    }

    @Test
    void aFrameTakesHalfOfARoundTrip() throws Exception {
        try (EmulatedNetwork network = new EmulatedNetwork(world(""), 1)) {
            assertThat(network.isUsed()).isFalse();
            long sent = System.nanoTime() + LATER;
            assertThat(due(network.delayOf(A).to(B), sent, 100)).isEqualTo(15 * MILLI);
            assertThat(due(network.delayOf(A).to(C), sent, 100)).isEqualTo(10 * MILLI);
            assertThat(due(network.delayOf(NodeId.bftserver(0)).to(C), sent, 100))
                    .isEqualTo(5 * MILLI);
            TransportDelay client = network.delayOf(3, 1);
            assertThat(client.toServer().due(sent, 1) - sent).isEqualTo(20 * MILLI);
            assertThat(client.toClient().due(sent, 1) - sent).isEqualTo(20 * MILLI);
            assertThat(network.isUsed()).isTrue();
        }
    }

    @Test
    void jitterIsAddedAndKeepsTheOrder() throws Exception {
        try (EmulatedNetwork network = new EmulatedNetwork(world("jitter: 40 %\n"), 1)) {
            LinkDelay.Way way = network.delayOf(A).to(B);
            long sent = System.nanoTime() + LATER;
            long before = sent;
            boolean varies = false;
            for (int frame = 0; frame < 100; frame++) {
                long due = way.due(sent, 100);
                assertThat(due - sent).isBetween(15 * MILLI, 21 * MILLI);
                assertThat(due).isGreaterThanOrEqualTo(before);
                varies |= due != before && frame > 0;
                before = due;
            }
            assertThat(varies).isTrue();
        }
    }

    /** 1,000 bytes at 8 Mbit/s take a millisecond to enter, one frame after the other. */
    @Test
    void bytesEnterAtTheBandwidth() throws Exception {
        try (EmulatedNetwork network = new EmulatedNetwork(world("bandwidth_mbit: 8\n"), 1)) {
            LinkDelay.Way way = network.delayOf(A).to(B);
            long sent = System.nanoTime() + LATER;
            assertThat(due(way, sent, 1000)).isEqualTo(16 * MILLI);
            assertThat(due(way, sent, 1000)).isEqualTo(17 * MILLI);
            assertThat(due(way, sent + 100 * MILLI, 1000)).isEqualTo(16 * MILLI);
        }
    }

    @Test
    void faultsComeAndGoOnTheTimeline() throws Exception {
        String faults = "faults: [{at: 100 s, for: 200 s, partition: [[appserver-0], [appserver-1]]},"
                + " {at: 500 s, for: 100 s, slow: [[appserver-0], [appserver-1]], by: 100 ms}]\n";
        try (EmulatedNetwork network = new EmulatedNetwork(world(faults), 1)) {
            LinkDelay.Way way = network.delayOf(A).to(B);
            LinkDelay.Way other = network.delayOf(A).to(C);
            long now = System.nanoTime();
            assertThat(way.open(now + 200_000 * MILLI)).as("before it begins").isEqualTo(now + 200_000 * MILLI);
            network.begin(Instant.now());
            for (long[] moment : new long[][] {{50_000, 0}, {200_000, 1}, {400_000, 0}}) {
                long then = now + moment[0] * MILLI;
                assertThat(way.open(then) > then).as(moment[0] + " ms").isEqualTo(moment[1] == 1);
                assertThat(other.open(then)).isEqualTo(then);
            }
            assertThat(due(way, now + 400_000 * MILLI, 1)).isEqualTo(15 * MILLI);
            assertThat(due(way, now + 550_000 * MILLI, 1)).isEqualTo(115 * MILLI);
            assertThat(due(other, now + 550_000 * MILLI, 1)).isEqualTo(10 * MILLI);
            network.end();
            assertThat(way.open(now + 200_000 * MILLI)).isEqualTo(now + 200_000 * MILLI);
        }
    }

    /** The timer, at least; an older kernel takes the wish and does nothing. */
    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void theSystemIsAskedToRunTheDelaysThreadsAtOnce() throws Exception {
        try (EmulatedNetwork network = new EmulatedNetwork(world(""), 1)) {
            assertThat(network.report().promptThreads()).isZero();
            network.begin();
            assertThat(network.report().promptThreads()).isPositive();
        }
    }

    @Test
    void latenessIsCountedForEachNetwork() throws Exception {
        try (EmulatedNetwork network = new EmulatedNetwork(world(""), 1)) {
            LinkDelay.Way way = network.delayOf(A).to(B);
            for (int frame = 0; frame < 98; frame++) {
                way.left(0, 15 * MILLI, 15 * MILLI + MILLI / 2);
            }
            assertThat(network.report().tailsHeld()).isTrue();
            way.left(0, 15 * MILLI, 18 * MILLI);
            way.left(0, 15 * MILLI, 18 * MILLI);
            DelayReport report = network.report();
            assertThat(report.valid()).as("two of a hundred are late").isTrue();
            assertThat(report.tailsHeld()).isFalse();
            assertThat(report.networks()).singleElement().satisfies(appservers -> {
                assertThat(appservers.name()).isEqualTo("appservers");
                assertThat(appservers.frames()).isEqualTo(100);
                assertThat(appservers.askedMs()).isCloseTo(15, within(0.001));
                assertThat(appservers.measuredMs()).isCloseTo(15.55, within(0.001));
                assertThat(appservers.lateP50Ms()).isCloseTo(0.5, within(0.001));
                assertThat(appservers.lateMaxMs()).isCloseTo(3, within(0.01));
            });
            for (int frame = 0; frame < 4; frame++) {
                way.left(0, 15 * MILLI, 18 * MILLI);
            }
            assertThat(network.report().valid()).as("six of 104 are late").isFalse();
            network.begin();
            assertThat(network.report().networks()).isEmpty();
        }
    }
}
