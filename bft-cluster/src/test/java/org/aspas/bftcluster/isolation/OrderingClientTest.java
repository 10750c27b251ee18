package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.tom.core.messages.TOMMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.junit.jupiter.api.Test;

/**
 * Which requests go where: nobody hears of a session from the middle on. And what a bftserver says itself finds room however
 * much others give it.
 */
class OrderingClientTest {
    private static final int OWN = 0;
    private static final int MOST = 100;
    private static final int TIMEOUT_MILLIS = 1000;

    private final Map<Integer, List<TOMMessage>> given = new TreeMap<>();
    private final Set<Integer> full = new TreeSet<>();
    private final OrderingClient client = new OrderingClient(OWN, MOST, 1 << 20, 60_000, this::give);

    private boolean give(int bftserver, byte[] request) {
        return !full.contains(bftserver)
                && given.computeIfAbsent(bftserver, any -> new ArrayList<>()).add(TOMMessage.bytesToMessage(request));
    }

    private void submit(int commands) {
        for (int i = 0; i < commands; i++) {
            var unused = client.submit(new byte[] {(byte) i});
        }
    }

    private List<TOMMessage> at(int bftserver) {
        return given.getOrDefault(bftserver, List.of());
    }

    /** Whether a replica heard each session, under an id of its own, from its first request and without a gap. */
    private void assertUnbroken(int bftserver) {
        Map<Integer, Integer> next = new TreeMap<>();
        for (TOMMessage request : at(bftserver)) {
            assertThat(request.getSequence()).isEqualTo(next.getOrDefault(request.getSender(), 0));
            next.put(request.getSender(), request.getSequence() + 1);
        }
    }

    @Test
    void whoIsLinkedLaterHearsOfAFreshSession() {
        client.linked(1);
        submit(3);
        client.linked(2);
        submit(2);
        assertThat(at(OWN)).hasSize(5);
        assertThat(at(1)).hasSize(5);
        assertThat(at(2)).hasSize(2);
        assertUnbroken(1);
        assertUnbroken(2);
    }

    @Test
    void whoWasAwayHearsNothingOfTheSessionInBetween() {
        client.linked(1);
        submit(2);
        client.unlinked(1);
        submit(2);
        client.linked(1);
        submit(2);
        assertThat(at(1)).hasSize(4);
        assertUnbroken(1);
        assertUnbroken(OWN);
    }

    @Test
    void whoCouldNotTakeARequestGetsNoMoreOfItsSession() {
        client.linked(1);
        client.linked(2);
        submit(1);
        full.add(1);
        submit(1);
        full.clear();
        submit(2);
        assertThat(at(1)).hasSize(1);
        client.expire(System.nanoTime());
        submit(2);
        assertThat(at(1)).hasSize(3);
        assertThat(at(2)).hasSize(6);
        assertUnbroken(1);
        assertUnbroken(2);
        assertUnbroken(OWN);
    }

    private static boolean taken(CompletionStage<byte[]> answer) {
        return !answer.toCompletableFuture().isDone();
    }

    private static int relayed(OrderingClient busy, int commands, int bytes) {
        int taken = 0;
        for (int i = 0; i < commands; i++) {
            taken += taken(busy.relay(new byte[bytes])) ? 1 : 0;
        }
        return taken;
    }

    private OrderingClient small() {
        return new OrderingClient(OWN, MOST, 10_000, TIMEOUT_MILLIS, this::give);
    }

    @Test
    void manyCommandsOfOthersLeaveHalfTheRoom() {
        OrderingClient busy = small();
        assertThat(relayed(busy, 10 * MOST, 1)).isEqualTo(MOST / 2);
        for (int i = 0; i < MOST / 2; i++) {
            assertThat(taken(busy.submit(new byte[1]))).isTrue();
        }
        assertThat(taken(busy.submit(new byte[1]))).isFalse();
        assertThat(at(OWN)).hasSize(MOST);
    }

    @Test
    void longCommandsOfOthersLeaveHalfTheBytes() {
        OrderingClient busy = small();
        assertThat(relayed(busy, 10, 2_000)).isEqualTo(2);
        assertThat(taken(busy.submit(new byte[5_000]))).isTrue();
    }

    @Test
    void longCommandsOfOthersDoNotKeepShortOnesOut() {
        OrderingClient busy = small();
        assertThat(relayed(busy, 1, 5_000)).isEqualTo(1);
        assertThat(relayed(busy, 1, 1_000)).isZero();
        assertThat(relayed(busy, 10, 100)).isEqualTo(10);
    }

    @Test
    void aCommandInWhosePlaceAnotherWasOrderedFailsAndTheSessionEnds() {
        byte[] command = {1, 2, 3};
        CompletionStage<byte[]> right = client.submit(command);
        CompletionStage<byte[]> lost = client.submit(command);
        client.executed(id(0), command, new byte[] {7});
        client.executed(id(1), new byte[] {9}, new byte[] {8});
        assertThat(right.toCompletableFuture().getNow(new byte[0])).containsExactly(7);
        assertThat(lost.toCompletableFuture()).isCompletedExceptionally();
        submit(1);
        assertThat(at(OWN).get(2).getSequence()).isZero();
        // Taken before the client has come to it.
        client.executed(new RequestId(at(OWN).get(2).getSender(), at(OWN).get(2).getSession(), 1), command, command);
        submit(1);
        assertThat(at(OWN).get(3).getSequence()).isZero();
        assertUnbroken(OWN);
    }

    private RequestId id(int nth) {
        TOMMessage request = at(OWN).get(nth);
        return new RequestId(request.getSender(), request.getSession(), request.getSequence());
    }

    @Test
    void whatIsLostGivesItsRoomBack() {
        OrderingClient busy = small();
        relayed(busy, MOST, 1);
        busy.expire(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * TIMEOUT_MILLIS));
        assertThat(relayed(busy, 10 * MOST, 1)).isEqualTo(MOST / 2);
    }
}
