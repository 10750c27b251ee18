package org.aspas.emulab.lab.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.bftcluster.node.RecordUnusableException;

/**
 * Where bftservers run in a process that holds all tiers: in a group of threads of the lowest priority. There they share
 * the processors with the answers to clients, which they do not in a deployment, and no answer waits for them. Has an
 * effect where the launcher lets Java's priorities mean something to the operating system.
 */
final class BackgroundStart {
    private static final ThreadGroup GROUP = new ThreadGroup("bftservers");

    static {
        GROUP.setMaxPriority(Thread.MIN_PRIORITY);
    }

    private BackgroundStart() {}

    /** Makes a bftserver. */
    interface Start {
        BftServer start() throws PortUnavailableException, RecordUnusableException;
    }

    /** Makes a bftserver, all whose threads belong to the group, since threads inherit it. */
    static BftServer start(Start start) throws PortUnavailableException, RecordUnusableException {
        CompletableFuture<BftServer> made = new CompletableFuture<>();
        new Thread(GROUP, () -> complete(made, start), "bftserver-start").start();
        try {
            return made.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof PortUnavailableException port) {
                throw port;
            }
            if (failed.getCause() instanceof RecordUnusableException recorded) {
                throw recorded;
            }
            throw failed;
        }
    }

    private static void complete(CompletableFuture<BftServer> made, Start start) {
        try {
            made.complete(start.start());
        } catch (PortUnavailableException | RecordUnusableException | RuntimeException | Error failed) {
            made.completeExceptionally(failed);
        }
    }
}
