package org.aspas.bftcluster.proxy;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.aspas.bftcluster.engine.OrderingUnavailable;

/** One command and the answers to it so far. Runs on one event loop, except that anybody may wait for the result. */
final class ProxiedCommand {
    private final byte[] command;
    private final long deadlineNanos;
    private final CompletableFuture<byte[]> result = new CompletableFuture<>();
    private byte[][] answers = new byte[0][];

    ProxiedCommand(byte[] command, long deadlineNanos) {
        this.command = command;
        this.deadlineNanos = deadlineNanos;
    }

    byte[] command() {
        return command;
    }

    CompletableFuture<byte[]> result() {
        return result;
    }

    void begin(int replicas) {
        answers = new byte[replicas][];
    }

    /** Counts a replica's first answer; true when enough are equal, which completes the result. */
    boolean answer(int replica, byte[] content, int enough) {
        if (answers[replica] == null) {
            answers[replica] = content;
        }
        long equal = Arrays.stream(answers)
                .filter(other -> other != null && Arrays.equals(other, content))
                .count();
        return equal >= enough && result.complete(content);
    }

    boolean expire(long nowNanos) {
        boolean late = nowNanos - deadlineNanos >= 0;
        if (late) {
            fail("not enough equal answers in time");
        }
        return late;
    }

    void fail(String why) {
        result.completeExceptionally(new OrderingUnavailable(why));
    }
}
