package org.aspas.bftcluster.shield;

import java.util.concurrent.CompletableFuture;

/**
 * One command on its way that this bftserver submitted.
 *
 * @param deadlineNanos when it counts as lost
 * @param bytes the command's length
 * @param relay whether it is somebody else's, passed on by this bftserver
 * @param result its answer
 */
record Submission(long deadlineNanos, int bytes, boolean relay, CompletableFuture<byte[]> result) {}
