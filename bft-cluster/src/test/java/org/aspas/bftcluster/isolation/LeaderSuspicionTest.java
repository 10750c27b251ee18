package org.aspas.bftcluster.isolation;

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

/** Replica 0 of four, of which one may lie: whose word makes it order a request, and when it suspicion its leader. */
class LeaderSuspicionTest {
    private static final int ENOUGH = 2;

    private final Map<RequestId, byte[]> waiting = new HashMap<>();
    private final List<byte[]> ordered = new ArrayList<>();
    private final List<byte[]> suspended = new ArrayList<>();
    private final List<byte[]> resumed = new ArrayList<>();
    private final List<WaitingRequest> told = new ArrayList<>();
    private final LeaderSuspicion suspicion = new LeaderSuspicion(
            0,
            ENOUGH,
            10_000,
            new LeaderSuspicion.LocalRequests() {
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
            suspicion.passedOn(3, request(1, i));
        }
        assertThat(ordered).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void theOwnerMayPassOnItsOwn() {
        suspicion.passedOn(3, request(3, 0));
        assertThat(ordered).containsExactly(request(3, 0));
    }

    @Test
    void whatTwoHaveIsOrderedOnceWhoeverPassesItOn() {
        byte[] request = request(3, 0);
        suspicion.passedOn(1, request);
        suspicion.said(1, WaitingRequest.of(request));
        assertThat(ordered).isEmpty();
        suspicion.said(2, WaitingRequest.of(request));
        suspicion.passedOn(2, request);
        assertThat(ordered).contains(request);
        byte[] other = request(1, 5);
        suspicion.said(1, WaitingRequest.of(other));
        suspicion.passedOn(2, other);
        assertThat(ordered).contains(other);
    }

    @Test
    void theVeryBytesCount() {
        byte[] request = request(1, 0);
        byte[] forged = request.clone();
        forged[forged.length - 1] ^= 1;
        suspicion.passedOn(3, forged);
        suspicion.said(2, WaitingRequest.of(request));
        assertThat(ordered).isEmpty();
    }

    @Test
    void whatWaitsHereIsNotGivenAgainAndSaidOnce() {
        byte[] request = request(3, 0);
        waiting.put(RequestCheck.id(request), request);
        suspicion.passedOn(1, request);
        suspicion.passedOn(2, request);
        assertThat(ordered).isEmpty();
        assertThat(told).containsExactly(WaitingRequest.of(request));
    }

    @Test
    void nobodyIsDoubtedForARequestThatNobodyElseHas() {
        byte[] request = request(3, 0);
        suspicion.passesOn(request, 0, 100);
        assertThat(told).hasSize(1);
        suspicion.said(3, WaitingRequest.of(request));
        suspicion.look(99);
        assertThat(suspended).isEmpty();
        suspicion.look(100);
        suspicion.look(101);
        assertThat(suspended).containsExactly(request);
        assertThat(resumed).isEmpty();
        suspicion.said(1, WaitingRequest.of(request));
        assertThat(resumed).containsExactly(request);
    }

    @Test
    void whatEnoughOthersHaveIsDoubtedFor() {
        byte[] request = request(2, 0);
        suspicion.said(1, WaitingRequest.of(request));
        suspicion.passesOn(request, 0, 100);
        suspicion.said(2, WaitingRequest.of(request));
        suspicion.look(1000);
        assertThat(suspended).isEmpty();
        suspicion.passesOn(request(0, 0), 0, 100);
        suspicion.look(2000);
        assertThat(suspended).isEmpty();
    }

    @Test
    void whatIsExecutedIsNotDoubtedAbout() {
        byte[] request = request(3, 0);
        suspicion.passesOn(request, 0, 100);
        suspicion.executed(RequestCheck.id(request));
        suspicion.look(1000);
        assertThat(suspended).isEmpty();
    }

    @Test
    void onePeersWordsTakeBoundedRoom() {
        for (int i = 0; i < 3 * LeaderSuspicion.MOST_SAID; i++) {
            suspicion.passedOn(3, request(1, i));
        }
        suspicion.said(2, WaitingRequest.of(request(1, 0)));
        assertThat(ordered).isEmpty();
        suspicion.said(2, WaitingRequest.of(request(1, 3 * LeaderSuspicion.MOST_SAID - 1)));
        assertThat(ordered).hasSize(1);
    }
}
