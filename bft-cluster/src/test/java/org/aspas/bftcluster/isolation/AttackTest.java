package org.aspas.bftcluster.isolation;

import static org.aspas.bftcluster.frame.Messages.batch;
import static org.aspas.bftcluster.frame.Messages.request;
import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.util.TOMUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.bftcluster.frame.Messages;
import org.aspas.bftcluster.frame.RequestCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The findings S1 to S20 and S26 to S30 of docs/security.md against three correct replicas as they are deployed. The attacker is a
 * stranger at the ports, or holds all keys of the fourth. After each attack the three must still order, and agree.
 */
@Tag("attack")
class AttackTest {
    private static final int AT_ONCE = 40;

    private static IsolatedCluster cluster;
    private static Insider insider;
    private static int ordered;

    @BeforeAll
    static void start() throws Exception {
        cluster = new IsolatedCluster(new ReplicaOptions(2_000, 100, 50), 8_000);
        for (int i = 0; i < Insider.INDEX; i++) {
            cluster.start(i);
        }
        for (int i = 0; i < Insider.INDEX; i++) {
            cluster.awaitReady(i);
        }
        insider = new Insider(cluster);
        stillOrders();
    }

    @AfterAll
    static void stop() {
        insider.close();
        cluster.close();
    }

    private static void stillOrders() throws Exception {
        for (int through = 0; through < Insider.INDEX; through++) {
            cluster.orderPersistently(through, ordered, ordered + AT_ONCE);
            ordered += AT_ONCE;
        }
        // At least: an insider may also have well-formed requests ordered.
        cluster.awaitAgreement(ordered, 0, 1, 2);
        for (int i = 0; i < Insider.INDEX; i++) {
            assertThat(cluster.replica(i).failure().toCompletableFuture()).isNotDone();
        }
    }

    /** Once it may have been something else, on a busy machine. Where the insider leads then, it does not for long. */
    private static void assertLeaderKept(int before) {
        boolean insiderIsNext = (before + 1) % (Insider.INDEX + 1) == Insider.INDEX;
        assertThat(cluster.regency(0)).isLessThanOrEqualTo(before + (insiderIsNext ? 2 : 1));
    }

    private static long refused() {
        long sum = 0;
        for (int i = 0; i < Insider.INDEX; i++) {
            IsolationCounters counters = cluster.replica(i).counters();
            sum += counters.framesRefused() + counters.requestsRefused() + counters.handshakesRefused();
        }
        return sum;
    }

    /** Runs an attack and checks that the isolation layers refused all of it. */
    private static void refusedAll(int frames, Runnable attack) throws Exception {
        long before = refused();
        attack.run();
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(60))
                .until(() -> refused() >= before + frames);
        stillOrders();
    }

    private static byte[] requestOf(int replica, int sequence, TOMMessageType type) {
        return TOMMessage.messageToBytes(request(RequestCheck.client(replica, 9), sequence, type));
    }

    private static byte[] batchOf(TOMMessageType type, int trailer) {
        return batch(new byte[trailer], request(RequestCheck.client(3, 9), 0, type));
    }

    @Test
    void s1ReconfigurationRequests() throws Exception {
        requests(TOMMessageType.RECONFIG);
    }

    @Test
    void s2RepliesAndStatusRequests() throws Exception {
        requests(TOMMessageType.REPLY);
        requests(TOMMessageType.ASK_STATUS);
        requests(TOMMessageType.UNORDERED_REQUEST);
    }

    private void requests(TOMMessageType type) throws Exception {
        refusedAll(3 * 3 * 100, () -> {
            for (int i = 0; i < 100; i++) {
                for (int victim = 0; victim < Insider.INDEX; victim++) {
                    insider.request(victim, requestOf(3, i, type));
                }
                insider.message(Messages.forward(3, request(RequestCheck.client(3, 9), i, type)));
                insider.message(Messages.propose(3, 1 + i, batchOf(type, 4)));
            }
        });
    }

    @Test
    void s3ForgedClients() throws Exception {
        refusedAll(3 * 200, () -> {
            for (int i = 0; i < 200; i++) {
                for (int victim = 0; victim < Insider.INDEX; victim++) {
                    insider.request(victim, requestOf(i % 3, i, TOMMessageType.ORDERED_REQUEST));
                }
            }
        });
    }

    @Test
    void s4s6s7s8s9StrangersFindNoPortOfTheLibrary() throws Exception {
        // Every port of this machine where anything of this process could listen, as a stranger sees it.
        int loopbacks = 0;
        for (int port = 10_240; port < 32_001; port++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
                // A lower replica's loopback port, or another program: idle, oversized and wrong introductions.
                socket.getOutputStream()
                        .write(ByteBuffer.allocate(8)
                                .putInt(1)
                                .putInt(Integer.MAX_VALUE)
                                .array());
                loopbacks++;
            } catch (IOException nobody) {
                continue;
            }
        }
        assertThat(loopbacks).isLessThan(200);
        stillOrders();
    }

    @Test
    void s4s9StrangersAtTheLinksAreNotHeard() throws Exception {
        byte[] random = new byte[4096];
        new SecureRandom().nextBytes(random);
        Socket[] idle = new Socket[20];
        for (int i = 0; i < idle.length; i++) {
            idle[i] = new Socket(
                    cluster.address(i % 3).getAddress(), cluster.address(i % 3).getPort());
            if (i % 2 == 0) {
                idle[i].getOutputStream().write(random);
            }
        }
        stillOrders();
        for (Socket socket : idle) {
            socket.close();
        }
    }

    @Test
    void s4ReplayedAndForgedGreetings() throws Exception {
        byte[] own = Handshake.of(IsolatedCluster.key(3));
        for (int victim = 0; victim < Insider.INDEX; victim++) {
            insider.handshake(victim, own);
            insider.handshake(victim, new byte[0]);
            insider.handshake(victim, new byte[1 << 20]);
        }
        stillOrders();
    }

    @Test
    void s4FramesWithoutCodeAreNotDeserialized() throws Exception {
        refusedAll(3, () -> {
            for (int victim = 0; victim < Insider.INDEX; victim++) {
                insider.frame(victim, Messages.frame(Messages.serialized(Messages.write(3, 5, 0)), 0));
            }
        });
    }

    @Test
    void s5AcceptWithAStringForAProof() throws Exception {
        refusedAll(6, () -> {
            insider.message(Messages.accept(3, 5, new byte[16], "no map"));
            insider.message("no message");
        });
    }

    @Test
    void s6s8AnInsiderThatNeverIntroducesItselfHoldsUpNobody() throws Exception {
        // The insider's links come and go; the libraries see none of it.
        for (int round = 0; round < 3; round++) {
            insider.close();
            stillOrders();
            insider = new Insider(cluster);
        }
        stillOrders();
    }

    @Test
    void s9LengthBombs() throws Exception {
        byte[] lying = Messages.frame(Messages.write(3, 5, 0));
        ByteBuffer.wrap(lying).putInt(Integer.MAX_VALUE);
        refusedAll(6, () -> {
            for (int victim = 0; victim < Insider.INDEX; victim++) {
                insider.frame(victim, lying);
                insider.raw(victim, new byte[] {9, 9, 9});
            }
        });
    }

    @Test
    void s10FramesCutOffInTheMiddle() throws Exception {
        byte[] right = Messages.frame(Messages.write(3, 5, 0));
        refusedAll(3 * (right.length - 1), () -> {
            for (int length = 1; length < right.length; length++) {
                for (int victim = 0; victim < Insider.INDEX; victim++) {
                    insider.frame(victim, java.util.Arrays.copyOf(right, length));
                }
            }
        });
    }

    @Test
    void s11BatchesWithRoomForACollision() throws Exception {
        refusedAll(3 * 3, () -> {
            insider.message(Messages.propose(3, ordered + 1, batchOf(TOMMessageType.ORDERED_REQUEST, 5)));
            insider.message(Messages.propose(3, ordered + 1, batchOf(TOMMessageType.ORDERED_REQUEST, 1000)));
            insider.message(Messages.propose(3, ordered + 1, batchOf(TOMMessageType.ORDERED_REQUEST, 0)));
        });
    }

    @Test
    void s12CollectsOfOldRegenciesAndDecisionsWithoutProof() throws Exception {
        refusedAll(3 * 3, () -> {
            insider.message(Messages.sync(3, 5, null, batch(), Messages.collects(4)));
            insider.message(Messages.sync(3, 5, null, batch(), Set.of()));
            insider.message(Messages.stopdata(3, 3, 1_000_000, Set.of()));
        });
    }

    @Test
    void s13ValuesThatTheLibraryWouldRejectTooLate() throws Exception {
        refusedAll(3 * 2, () -> {
            insider.message(Messages.sync(3, 1, null, batch(new byte[4]), Messages.collects(1)));
            insider.message(Messages.sync(3, 1, null, new byte[3], Messages.collects(1)));
        });
    }

    /** Found here: a STOP without requests, which the library itself can send, kills its receivers. */
    @Test
    void s19StopWithoutRequests() throws Exception {
        refusedAll(3, () -> insider.message(Messages.stop(3, 1, null)));
    }

    /** Found here: a new leader without requests proposes an empty batch, with which its peers lose decisions. */
    @Test
    void s20EmptyBatchesOfANewLeader() throws Exception {
        refusedAll(3, () -> insider.message(Messages.sync(3, 1, null, batch(new byte[4]), Messages.collects(1))));
        long before = cluster.replica(0).counters().requestsIn();
        // Whoever hears that the leader is doubted has a filler ordered, so that a new one would not be without.
        insider.message(Messages.stop(3, 1, batch()));
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(60))
                .until(() -> cluster.replica(0).counters().requestsIn() > before);
        stillOrders();
    }

    @Test
    void s14StatesNobodyAskedFor() throws Exception {
        for (int i = 0; i < 50; i++) {
            insider.message(Messages.state(3, i));
            insider.message(Messages.question(3, TOMUtil.SM_REPLY_INITIAL));
            insider.message(Messages.question(3, TOMUtil.SM_ASK_INITIAL));
        }
        stillOrders();
    }

    @Test
    void s17BadBatches() throws Exception {
        byte[] counted = batch();
        ByteBuffer.wrap(counted).putInt(12, 1 << 20);
        refusedAll(3 * 3, () -> {
            insider.message(Messages.propose(3, ordered + 1, counted));
            insider.message(Messages.propose(3, ordered + 1, new byte[0]));
            insider.message(new ConsensusMessage(MessageFactory.PROPOSE, ordered + 1, 0, 3, null));
        });
    }

    @Test
    void s17EpochsWithoutEnd() throws Exception {
        refusedAll(3 * 2, () -> {
            insider.message(Messages.write(3, ordered + 1, 1 << 30));
            insider.message(Messages.write(3, ordered + 1, Integer.MIN_VALUE));
        });
    }

    @Test
    void s18FloodsAreBounded() throws Exception {
        long before = refused();
        byte[] large = batch(new byte[4], large(1 << 19));
        for (int i = 0; i < 120; i++) {
            insider.message(Messages.propose(3, 1_000_000 + i, large));
            insider.message(Messages.stop(3, 2 + i, batch()));
        }
        for (int i = 0; i < 3_000; i++) {
            insider.message(Messages.write(3, 5_000 + i, 0));
        }
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(60))
                .until(() -> refused() > before + 100);
        stillOrders();
    }

    private static TOMMessage large(int bytes) {
        byte[] content = new byte[bytes];
        new Random(1).nextBytes(content);
        TOMMessage request =
                new TOMMessage(RequestCheck.client(3, 1), 1, 0, 0, content, 0, TOMMessageType.ORDERED_REQUEST);
        request.serializedMessage = TOMMessage.messageToBytes(request);
        return request;
    }

    private static TOMMessage requestOf(int owner, int turn, int session, int sequence, byte[] content) {
        TOMMessage request = new TOMMessage(
                RequestCheck.client(owner, turn),
                session,
                sequence,
                sequence,
                content,
                0,
                TOMMessageType.ORDERED_REQUEST);
        request.serializedMessage = TOMMessage.messageToBytes(request);
        return request;
    }

    /** Requests passed on as to a leader: large ones, many, in others' names, of clients that nobody has. */
    @Test
    void s26RequestsPassedOn() throws Exception {
        for (int i = 0; i < 3; i++) {
            insider.message(Messages.forward(3, requestOf(3, 40 + i, 1, 0, new byte[3 << 20])));
            insider.message(Messages.forward(3, requestOf(i, 40 + i, 1, 0, new byte[3 << 20])));
        }
        stillOrders();
        for (int i = 0; i < 11_000; i++) {
            insider.message(Messages.forward(3, requestOf(i % 4, 50 + i % 100, i, 0, new byte[8])));
        }
        stillOrders();
        refusedAll(3 * 100, () -> {
            for (int i = 0; i < 100; i++) {
                insider.message(Messages.forward(3, request(1 << 30 | i, 0, TOMMessageType.ORDERED_REQUEST)));
            }
        });
    }

    /** The next request of a victim's session, with another content, passed on before the victim gives it. */
    @Test
    void s26AVictimsNextRequestIsNotReplaced() throws Exception {
        AtomicInteger forged = new AtomicInteger();
        insider.onRequest((victim, request) -> {
            TOMMessage seen = TOMMessage.bytesToMessage(request);
            TOMMessage next = new TOMMessage(
                    seen.getSender(),
                    seen.getSession(),
                    seen.getSequence() + 1,
                    seen.getSequence() + 1,
                    new byte[] {6, 6, 6},
                    0,
                    TOMMessageType.ORDERED_REQUEST);
            next.serializedMessage = TOMMessage.messageToBytes(next);
            forged.incrementAndGet();
            insider.tryMessage(Messages.forward(3, next));
        });
        for (int i = 0; i < 5; i++) {
            stillOrders();
        }
        insider.onRequest((victim, request) -> {});
        assertThat(forged.get()).isPositive();
        for (int i = 0; i < Insider.INDEX; i++) {
            assertThat(cluster.machine(i).hasApplied(new byte[] {6, 6, 6})).isFalse();
        }
    }

    /** STOPs of one replica, again and again, each with other requests: they neither fill memory nor others' STOPs. */
    @Test
    void s27StopsAgainAndAgain() throws Exception {
        int next = cluster.regency(0) + 1;
        byte[] content = new byte[1 << 20];
        for (int i = 0; i < 60; i++) {
            TOMMessage[] large = {requestOf(i % 3, 60, 1_000 + i, 0, content), requestOf(3, 61, 1_000 + i, 0, content)};
            insider.message(Messages.stop(3, next, batch(new byte[4], large)));
        }
        for (int i = 0; i < 3_000; i++) {
            insider.message(Messages.write(3, cluster.instance(0) + 1, 0));
        }
        stillOrders();
        // And a change of leader, to which all three contribute what they have of these STOPs.
        loseTheLeader();
    }

    /** The leader dies; the insider adds two STOPDATAs to the change, with a decision that nobody can check. */
    @Test
    void s28AChangeOfLeaderWithTwoStopdatasAndAForgedDecision() throws Exception {
        int before = cluster.regency(0);
        for (int regency = before + 1; regency <= before + 4; regency++) {
            for (int i = 0; i < 2; i++) {
                insider.message(Messages.stopdata(
                        3,
                        regency,
                        1_000_000,
                        Messages.proof(1_000_000, batch(), 0, 1, 2),
                        IsolatedCluster.key(Insider.INDEX).getPrivate()));
            }
        }
        loseTheLeader();
    }

    /** The leader dies, the insider votes for another, and after a while the dead one is there again. */
    private static void loseTheLeader() throws Exception {
        int leader = cluster.replica(0).leader();
        int watcher = (leader + 1) % Insider.INDEX;
        int before = cluster.regency(watcher);
        for (int regency = before + 1; regency <= before + 4; regency++) {
            insider.message(Messages.stop(3, regency, batch()));
        }
        cluster.stop(leader);
        var unused = cluster.replica(watcher).submit(new byte[] {0, 0, 0, 1});
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(120))
                .until(() -> cluster.regency(watcher) > before);
        cluster.start(leader);
        insider.handshake(leader);
        cluster.awaitReady(leader);
        stillOrders();
    }

    /** A request that only one replica gets makes that one doubt every leader; with the insider's own STOP it is enough. */
    @Test
    void s30ARequestForOneReplicaAlone() throws Exception {
        int before = cluster.regency(0);
        for (int session = 0; session < 4; session++) {
            int alone = (cluster.replica(0).leader() + 1) % Insider.INDEX;
            for (int sequence = 0; sequence < 3; sequence++) {
                insider.request(alone, requestOf(3, 70, session, sequence, new byte[8]).serializedMessage);
            }
            // The library doubts its leader after twice the request timeout, 4 s.
            long until = System.nanoTime() + java.util.concurrent.TimeUnit.SECONDS.toNanos(6);
            while (System.nanoTime() < until) {
                insider.message(Messages.stop(3, cluster.regency(0) + 1, batch()));
                stillOrders();
            }
        }
        assertLeaderKept(before);
        // A session that does not begin at its beginning is not taken at all.
        long outOfTurn = cluster.replica(1).counters().requestsOutOfTurn();
        insider.request(1, requestOf(3, 71, 5, 4, new byte[8]).serializedMessage);
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(60))
                .until(() -> cluster.replica(1).counters().requestsOutOfTurn() > outOfTurn);
    }

    /** Proposals of a replica that does not lead, for the instance after the one being decided. */
    @Test
    void s29ProposalsOfAReplicaThatDoesNotLead() throws Exception {
        int before = cluster.regency(0);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 100; i++) {
                insider.message(Messages.propose(3, cluster.instance(0) + 1 + i % 3, batch()));
            }
            stillOrders();
        }
        assertLeaderKept(before);
    }

    @Test
    void fuzzedFramesOnTheLink() throws Exception {
        Random random = new Random(20261121);
        byte[][] corpus = {
            Messages.frame(Messages.propose(3, 5, batch())),
            Messages.frame(Messages.accept(3, 5, new byte[16], Messages.codes())),
            Messages.frame(Messages.stop(3, 1, batch())),
            Messages.frame(Messages.state(3, 0)),
            requestOf(3, 1, TOMMessageType.ORDERED_REQUEST)
        };
        for (int i = 0; i < 20_000; i++) {
            byte[] frame = corpus[random.nextInt(corpus.length)].clone();
            frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] sealed = Envelope.seal(Envelope.Kind.values()[1 + random.nextInt(2)], frame);
            insider.raw(random.nextInt(3), sealed);
        }
        stillOrders();
    }
}
