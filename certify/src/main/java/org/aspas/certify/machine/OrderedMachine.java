package org.aspas.certify.machine;

/**
 * A deterministic state machine that a total-order library drives: every replica is given the same commands in the same
 * order, and so every correct replica has the same state and gives the same answers. An implementation reads no clock,
 * no randomness and no environment. It is not thread-safe: one thread at a time calls it.
 *
 * <p>Commands come from others and may be any bytes: a command that is malformed or not allowed is answered with bytes
 * that say so, and never with an exception.
 */
public interface OrderedMachine {
    /**
     * Executes the next command.
     *
     * @param command any bytes; not modified and not kept after the call unless copied
     * @return the answer, the same on every correct replica
     */
    byte[] apply(byte[] command);

    /**
     * The whole state in a canonical encoding: equal states give equal bytes on every replica.
     *
     * @return a fresh array
     */
    byte[] snapshot();

    /**
     * Replaces the state by that of a snapshot, as if all its commands had been applied here.
     *
     * @param snapshot bytes that {@link #snapshot()} of a replica returned
     * @throws IllegalArgumentException when the bytes are not a snapshot; the state is then unchanged
     */
    void restore(byte[] snapshot);
}
