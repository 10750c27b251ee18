package org.aspas.bftcluster;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;
import org.aspas.certify.machine.OrderedMachine;

/**
 * The count of the commands and a hash over all of them in order. It throws on an empty command, and leaves out those of
 * one byte, the isolation layer's own fillers for a new leader. Thread-safe.
 */
public final class Chain implements OrderedMachine {
    private final Set<ByteBuffer> shortOnes = new HashSet<>();
    private int count;
    private byte[] head = new byte[32];

    @Override
    public synchronized byte[] apply(byte[] command) {
        if (command.length == 0) {
            throw new IllegalStateException("thrown on purpose by a test");
        }
        if (command.length == 1) {
            return head.clone();
        }
        if (command.length < Integer.BYTES) {
            shortOnes.add(ByteBuffer.wrap(command.clone()));
        }
        count++;
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(head);
            head = digest.digest(command);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
        return head.clone();
    }

    @Override
    public synchronized byte[] snapshot() {
        return ByteBuffer.allocate(36).putInt(count).put(head).array();
    }

    @Override
    public synchronized void restore(byte[] snapshot) {
        ByteBuffer buffer = ByteBuffer.wrap(snapshot);
        count = buffer.getInt();
        head = new byte[32];
        buffer.get(head);
    }

    /** Whether it has itself applied a command that is shorter than an integer. */
    public synchronized boolean hasApplied(byte[] command) {
        return shortOnes.contains(ByteBuffer.wrap(command));
    }

    /** How many commands it has applied, fillers left out. */
    public synchronized int count() {
        return count;
    }
}
