package org.aspas.bftcluster.shield;

import java.util.concurrent.CompletableFuture;

/**
 * One command of this bftserver on its way.
 *
 * @param deadlineNanos when it counts as lost
 * @param bytes the command's length
 * @param result its answer
 */
record Submission(long deadlineNanos, int bytes, CompletableFuture<byte[]> result) {}
