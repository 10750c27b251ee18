package org.aspas.bftcluster.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.certify.identity.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervises what a bftserver's own threads do. A bug there is logged and makes the bftserver fail, so that its owner makes it
 * anew; without, an executor would keep it to itself, and end a repeated task for good. After a failure nothing more is run:
 * what a bug left half done is nothing to build on. Thread-safe.
 */
final class ThreadSupervisor {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadSupervisor.class);

    private final NodeId self;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private volatile boolean ended;

    ThreadSupervisor(NodeId self) {
        this.self = self;
    }

    /** Runs nothing from here on: the bftserver is being closed, and what that disturbs is no bug. */
    void end() {
        ended = true;
    }

    /** Runs a task, unless one before it has thrown. */
    void run(Runnable task) {
        if (ended) {
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error bug) {
            if (ended) {
                LOG.debug("{} ends in the middle of something", self, bug);
                return;
            }
            ended = true;
            LOG.error(
                    "{} cannot go on: thread {} met a bug",
                    self,
                    Thread.currentThread().getName(),
                    bug);
            fail("thread " + Thread.currentThread().getName() + " met a bug: " + bug);
        }
    }

    void fail(String reason) {
        failure.complete(reason);
    }

    /** Completes with the first reason for which the bftserver cannot go on. */
    CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }
}
