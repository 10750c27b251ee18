package org.aspas.certify.machine;

/** Where commands go to be ordered. Delivery is best effort: every command may be submitted again. */
@FunctionalInterface
public interface Ordering {
    /** Submits a command without waiting for its place in the order. Thread-safe unless the implementation says otherwise. */
    void submit(byte[] command);
}
