package org.aspas.bftcluster.node;

/** Where commands go to be ordered. Delivery is best effort: every command may be submitted again. */
@FunctionalInterface
public interface Ordering {
    /** Submits a command without waiting for its place in the order. Thread-safe. */
    void submit(byte[] command);
}
