package org.aspas.bftcluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.leaderchange.CertifiedDecision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a replica keeps of a change of leader, and what of it fits into its own STOP. */
@SuppressWarnings("NullAway") // The library's layer is only passed on to the superclass, which uses it for proofs.
class BoundedLeaderChangeTest {
    private static final int SELF = 1;
    private static final int N = 4;
    private static final int MOST_FRAME = 1 << 20;
    private static final int MOST_RELAYED = N * 4096;

    private final Set<Integer> proved = new HashSet<>();
    private final BoundedLeaderChange change =
            new BoundedLeaderChange(null, null, null, SELF, N, new Containment.Bounds(MOST_FRAME, MOST_RELAYED)) {
                @Override
                public boolean hasValidProof(CertifiedDecision decision) {
                    return proved.contains(decision.getCID());
                }
            };

    private static TOMMessage request(int client, int sequence, int bytes) {
        TOMMessage request =
                new TOMMessage(client, 7, sequence, sequence, new byte[bytes], 0, TOMMessageType.ORDERED_REQUEST);
        request.serializedMessage = TOMMessage.messageToBytes(request);
        return request;
    }

    private static TOMMessage[] requests(int client, int count, int bytes) {
        TOMMessage[] all = new TOMMessage[count];
        for (int i = 0; i < count; i++) {
            all[i] = request(client, i, bytes);
        }
        return all;
    }

    private static long bytes(List<TOMMessage> requests) {
        return requests.stream()
                .mapToLong(request -> 4 + request.serializedMessage.length)
                .sum();
    }

    /** What the library puts into the own STOP. */
    private List<TOMMessage> own() {
        List<TOMMessage> all = new ArrayList<>(change.getCurrentRequestTimedOut());
        change.getRequestsFromSTOP().stream()
                .filter(request -> !all.contains(request))
                .forEach(all::add);
        return all;
    }

    @Test
    void theOwnStopFitsWhateverOthersSend() {
        for (int[] shape : new int[][] {{20_000, 1}, {2_000, 1_000}, {20, 100_000}, {5, 500_000}}) {
            change.setCurrentRequestTimedOut(List.of(requests(1, shape[0], shape[1])));
            for (int peer = 0; peer < 50; peer++) {
                change.addRequestsFromSTOP(requests(100 + peer, shape[0], shape[1]));
            }
            assertThat(bytes(own())).isLessThan(MOST_FRAME);
            assertThat(own().size()).isBetween(1, MOST_RELAYED);
            change.clearRequestsFromSTOP();
            assertThat(change.getRequestsFromSTOP()).isEmpty();
        }
    }

    @Test
    void whatComesTwiceIsKeptOnce() {
        for (int i = 0; i < 1000; i++) {
            change.addRequestsFromSTOP(requests(5, 10, 8));
        }
        assertThat(change.getRequestsFromSTOP()).hasSize(10);
    }

    @Test
    void oneRequestIsAlwaysKept() {
        change.addRequestsFromSTOP(requests(5, 3, MOST_FRAME / 4));
        assertThat(change.getRequestsFromSTOP()).hasSize(1);
    }

    private void said(int replica, int number) {
        change.addLastCID(3, new CertifiedDecision(replica, number, new byte[8], new HashSet<ConsensusMessage>()));
    }

    @Test
    void aDecisionCountsWithItsProofOnly() {
        proved.addAll(List.of(40, 41));
        said(SELF, 40);
        said(2, 41);
        said(3, 1_000_000);
        assertThat(change.getHighestLastCID(3).getCID()).isEqualTo(41);
    }

    @Test
    void withoutAnyProofTheOwnOneCounts() {
        change.addLastCID(3, new CertifiedDecision(SELF, 40, null, null));
        said(3, 1_000_000);
        assertThat(change.getHighestLastCID(3).getCID()).isEqualTo(40);
    }
}
