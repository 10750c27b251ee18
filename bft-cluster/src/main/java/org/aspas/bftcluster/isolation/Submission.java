package org.aspas.bftcluster.isolation;

import java.util.concurrent.CompletableFuture;

/**
 * One command on its way that this bftserver submitted.
 *
 * @param deadlineNanos when it counts as lost
 * @param relay whether it is somebody else's, passed on by this bftserver
 */
record Submission(long deadlineNanos, byte[] command, boolean relay, CompletableFuture<byte[]> result) {
    int bytes() {
        return command.length;
    }
}
