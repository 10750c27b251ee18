package org.aspas.bftcluster.isolation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.certify.identity.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IsolatedReplicaTest {
    private final IsolatedCluster cluster = new IsolatedCluster(new ReplicaOptions(2_000, 100, 50));

    @AfterEach
    void closeAll() {
        cluster.close();
    }

    @Test
    void ordersThroughAnyReplicaAndRefusesNothingOfCorrectOnes() throws Exception {
        cluster.startAll();
        for (int replica = 0; replica < IsolatedCluster.N; replica++) {
            cluster.order(replica, 100 * replica, 100 * replica + 100);
        }
        cluster.awaitEqual(400, 0, 1, 2, 3);
        nothingRefused();
    }

    @Test
    void aReplicaThatIsStoppedCostsNothingAndCatchesUp() throws Exception {
        cluster.startAll();
        cluster.order(1, 0, 200);
        cluster.stop(3);
        cluster.order(1, 200, 400);
        cluster.awaitEqual(400, 0, 1, 2);
        cluster.start(3);
        cluster.awaitReady(3);
        cluster.order(3, 400, 500);
        cluster.awaitEqual(500, 0, 1, 2, 3);
        nothingRefused();
    }

    @Test
    void threeOfFourStartAloneAndTheFourthJoins() throws Exception {
        for (int replica = 0; replica < 3; replica++) {
            cluster.start(replica);
        }
        for (int replica = 0; replica < 3; replica++) {
            cluster.awaitReady(replica);
        }
        cluster.order(2, 0, 120);
        cluster.awaitEqual(120, 0, 1, 2);
        cluster.start(3);
        cluster.awaitReady(3);
        cluster.order(3, 120, 200);
        cluster.awaitEqual(200, 0, 1, 2, 3);
        nothingRefused();
    }

    /** ACCEPTs and COMMITs count when they arrive, so each command is told of with its giver, once, besides its order. */
    @Test
    void whatAnotherGivesIsToldOfOnce() throws Exception {
        cluster.startAll();
        List<String> commands = List.of("a command", "another", "a third one");
        for (String command : commands) {
            cluster.replica(1)
                    .submit(command.getBytes(UTF_8))
                    .toCompletableFuture()
                    .get(100, TimeUnit.SECONDS);
        }
        cluster.awaitEqual(commands.size(), 0, 1, 2, 3);
        for (int other : List.of(0, 2, 3)) {
            await().atMost(Duration.ofSeconds(300))
                    .untilAsserted(() -> assertThat(
                                    cluster.given(other).stream().filter(one -> commands.contains(one.command())))
                            .containsExactlyElementsOf(commands.stream()
                                    .map(command -> new IsolatedCluster.Given(1, command))
                                    .toList()));
        }
        assertThat(cluster.given(1))
                .as("its own")
                .extracting(IsolatedCluster.Given::by)
                .doesNotContain(1);
    }

    @Test
    void theLargestCommandIsOrdered() throws Exception {
        cluster.startAll();
        byte[] largest = new byte[Limits.DEFAULT.commandBytes()];
        assertThat(cluster.replica(1).submit(largest).toCompletableFuture().get(100, TimeUnit.SECONDS))
                .hasSize(32);
        cluster.awaitEqual(1, 0, 1, 2, 3);
    }

    @Test
    void bytesThatMayWaitHoldTheLargestCommandAndAllThatWaitFitsAFrame() {
        for (int b = 1; b <= 33; b++) {
            int replicas = 3 * b + 1;
            int command = Limits.DEFAULT.commandBytes();
            int link = (int) IsolationOptions.leastLinkFrameBytes(command, replicas);
            IsolationOptions options = IsolationOptions.within(link, command);
            assertThat(options.waitingBytes(replicas)).isGreaterThanOrEqualTo(command + IsolationOptions.REQUEST_BYTES);
            assertThat(replicas * options.waitingBytes(replicas)).isLessThanOrEqualTo(options.maxFrameBytes() / 2);
        }
    }

    @Test
    void theLeaderCanBeLost() throws Exception {
        cluster.startAll();
        cluster.order(2, 0, 100);
        cluster.stop(0);
        cluster.order(2, 100, 200);
        cluster.awaitAgreement(200, 1, 2, 3); // A slow change of leaders has commands ordered that are none.
        nothingRefused();
    }

    /** Three of four lose the order at once and begin a new one, which the fourth must not take for its own. */
    @Test
    void aReplicaThatIsLeftOverFromAnEarlierLifeIsToBeMadeAnew() throws Exception {
        cluster.startAll();
        cluster.order(3, 0, 200);
        cluster.awaitEqual(200, 0, 1, 2, 3);
        CompletableFuture<String> leftOver = cluster.replica(3).failure().toCompletableFuture();
        for (int replica = 0; replica < 3; replica++) {
            cluster.stop(replica);
        }
        assertThat(leftOver).isNotDone();
        for (int replica = 0; replica < 3; replica++) {
            cluster.start(replica);
        }
        for (int replica = 0; replica < 3; replica++) {
            cluster.awaitReady(replica);
        }
        cluster.orderPersistently(1, 200, 210);
        assertThat(leftOver.get(100, TimeUnit.SECONDS)).contains("begun the order anew");
        cluster.stop(3);
        cluster.start(3);
        cluster.awaitReady(3);
        cluster.orderPersistently(1, 210, 220);
        cluster.awaitAgreement(20, 0, 1, 2, 3);
        for (int replica = 0; replica < 4; replica++) {
            assertThat(cluster.replica(replica).failure().toCompletableFuture()).isNotDone();
        }
    }

    /** One of four is gone for good; two others lose the order and begin a new one, which needs the vote of the one left. */
    @Test
    void twoThatBeginAnewAreJoinedByTheOneThatIsLeftOver() throws Exception {
        cluster.startAll();
        cluster.order(3, 0, 50);
        cluster.awaitEqual(50, 0, 1, 2, 3);
        CompletableFuture<String> leftOver = cluster.replica(3).failure().toCompletableFuture();
        for (int replica = 0; replica < 3; replica++) {
            cluster.stop(replica);
        }
        for (int replica = 1; replica < 3; replica++) {
            cluster.start(replica);
        }
        for (int replica = 1; replica < 3; replica++) {
            cluster.awaitReady(replica);
        }
        assertThat(leftOver.get(100, TimeUnit.SECONDS)).contains("begun the order anew");
        cluster.stop(3);
        cluster.start(3);
        cluster.awaitReady(3);
        cluster.orderPersistently(1, 50, 60);
        cluster.awaitAgreement(10, 1, 2, 3);
    }

    private void nothingRefused() {
        for (int replica = 1; replica < 3; replica++) {
            assertThat(cluster.replica(replica).counters().refused().values()).containsOnly(0L);
            assertThat(cluster.replica(replica).counters().requestsRefused()).isZero();
        }
    }
}
