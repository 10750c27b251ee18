package org.aspas.emulab.baselines.bft;

import java.util.List;

/** The replicas of an ordered store, in this process. Thread-safe. */
public interface OrderedReplicas extends AutoCloseable {
    /** Whether all running replicas take part in the order. */
    boolean ready();

    /** The state of each running replica; equal states are equal. */
    List<byte[]> states();

    /** Stops a replica; has no effect when it does not run. */
    void stop(int replica);

    @Override
    void close();
}
