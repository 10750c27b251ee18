package org.aspas.bftcluster.shield;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.tom.core.messages.TOMMessageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.bftcluster.frame.Messages;
import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Replica 0 of four, of which one may lie: whose word makes it order a request, and when it doubts its leader. */
class DoubtsTest {
    private static final int ENOUGH = 2;

    private final Map<RequestId, byte[]> waiting = new HashMap<>();
    private final List<byte[]> ordered = new ArrayList<>();
    private final List<byte[]> suspended = new ArrayList<>();
    private final List<byte[]> resumed = new ArrayList<>();
    private final List<WaitingRequest> told = new ArrayList<>();
    private final Doubts doubts = new Doubts(
            0,
            ENOUGH,
            10_000,
            new Doubts.Here() {
                @Override
                public byte @Nullable [] waiting(RequestId id) {
                    return waiting.get(id);
                }

                @Override
                public void order(byte[] request) {
                    ordered.add(request);
                }

                @Override
                public void suspend(byte[] request) {
                    suspended.add(request);
                }

                @Override
                public void resume(byte[] request) {
                    resumed.add(request);
                }
            },
            told::add);

    private static byte[] request(int owner, int sequence) {
        return Messages.request(RequestCheck.client(owner, 3), sequence, TOMMessageType.ORDERED_REQUEST)
                .serializedMessage;
    }

    @Test
    void whatOneReplicaPassesOnOfAnothersIsNotOrdered() {
        for (int i = 0; i < 100; i++) {
            doubts.passedOn(3, request(1, i));
        }
        assertThat(ordered).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void theOwnerMayPassOnItsOwn() {
        doubts.passedOn(3, request(3, 0));
        assertThat(ordered).containsExactly(request(3, 0));
    }

    @Test
    void whatTwoHaveIsOrderedOnceWhoeverPassesItOn() {
        byte[] request = request(3, 0);
        doubts.passedOn(1, request);
        doubts.said(1, WaitingRequest.of(request));
        assertThat(ordered).isEmpty();
        doubts.said(2, WaitingRequest.of(request));
        doubts.passedOn(2, request);
        assertThat(ordered).contains(request);
        byte[] other = request(1, 5);
        doubts.said(1, WaitingRequest.of(other));
        doubts.passedOn(2, other);
        assertThat(ordered).contains(other);
    }

    @Test
    void theVeryBytesCount() {
        byte[] request = request(1, 0);
        byte[] forged = request.clone();
        forged[forged.length - 1] ^= 1;
        doubts.passedOn(3, forged);
        doubts.said(2, WaitingRequest.of(request));
        assertThat(ordered).isEmpty();
    }

    @Test
    void whatWaitsHereIsNotGivenAgainAndSaidOnce() {
        byte[] request = request(3, 0);
        waiting.put(RequestCheck.id(request), request);
        doubts.passedOn(1, request);
        doubts.passedOn(2, request);
        assertThat(ordered).isEmpty();
        assertThat(told).containsExactly(WaitingRequest.of(request));
    }

    @Test
    void nobodyIsDoubtedForARequestThatNobodyElseHas() {
        byte[] request = request(3, 0);
        doubts.passesOn(request, 0, 100);
        assertThat(told).hasSize(1);
        doubts.said(3, WaitingRequest.of(request));
        doubts.look(99);
        assertThat(suspended).isEmpty();
        doubts.look(100);
        doubts.look(101);
        assertThat(suspended).containsExactly(request);
        assertThat(resumed).isEmpty();
        doubts.said(1, WaitingRequest.of(request));
        assertThat(resumed).containsExactly(request);
    }

    @Test
    void whatEnoughOthersHaveIsDoubtedFor() {
        byte[] request = request(2, 0);
        doubts.said(1, WaitingRequest.of(request));
        doubts.passesOn(request, 0, 100);
        doubts.said(2, WaitingRequest.of(request));
        doubts.look(1000);
        assertThat(suspended).isEmpty();
        doubts.passesOn(request(0, 0), 0, 100);
        doubts.look(2000);
        assertThat(suspended).isEmpty();
    }

    @Test
    void whatIsExecutedIsNotDoubtedAbout() {
        byte[] request = request(3, 0);
        doubts.passesOn(request, 0, 100);
        doubts.executed(RequestCheck.id(request));
        doubts.look(1000);
        assertThat(suspended).isEmpty();
    }

    @Test
    void onePeersWordsTakeBoundedRoom() {
        for (int i = 0; i < 3 * Doubts.MOST_SAID; i++) {
            doubts.passedOn(3, request(1, i));
        }
        doubts.said(2, WaitingRequest.of(request(1, 0)));
        assertThat(ordered).isEmpty();
        doubts.said(2, WaitingRequest.of(request(1, 3 * Doubts.MOST_SAID - 1)));
        assertThat(ordered).hasSize(1);
    }
}
