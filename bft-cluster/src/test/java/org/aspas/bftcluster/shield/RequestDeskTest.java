package org.aspas.bftcluster.shield;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a bftserver says itself finds room however much others give it. */
class RequestDeskTest {
    private static final int MOST = 100;
    private static final int TIMEOUT_MILLIS = 1000;

    private final List<byte[]> sent = new ArrayList<>();
    private final RequestDesk desk = new RequestDesk(0, MOST, 10_000, TIMEOUT_MILLIS, sent::add);

    private static boolean taken(CompletionStage<byte[]> answer) {
        return !answer.toCompletableFuture().isDone();
    }

    private int relayed(int commands, int bytes) {
        int taken = 0;
        for (int i = 0; i < commands; i++) {
            taken += taken(desk.relay(new byte[bytes])) ? 1 : 0;
        }
        return taken;
    }

    @Test
    void manyCommandsOfOthersLeaveHalfTheRoom() {
        assertThat(relayed(10 * MOST, 1)).isEqualTo(MOST / 2);
        for (int i = 0; i < MOST / 2; i++) {
            assertThat(taken(desk.submit(new byte[1]))).isTrue();
        }
        assertThat(taken(desk.submit(new byte[1]))).isFalse();
        assertThat(sent).hasSize(MOST);
    }

    @Test
    void longCommandsOfOthersLeaveHalfTheBytes() {
        assertThat(relayed(10, 2_000)).isEqualTo(2);
        assertThat(taken(desk.submit(new byte[5_000]))).isTrue();
    }

    @Test
    void whatIsLostGivesItsRoomBack() {
        relayed(MOST, 1);
        desk.expire(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * TIMEOUT_MILLIS));
        assertThat(relayed(10 * MOST, 1)).isEqualTo(MOST / 2);
    }
}
