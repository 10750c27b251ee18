package org.aspas.certify.replica;

import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.wire.Sealer;

/**
 * What a bftserver's core is told once, at its start.
 *
 * @param machine the settings of the replicated machine, equal at all bftservers
 * @param stepMillis the length of a step of ordered time, in milliseconds, from 1
 * @param commandBytes the longest command, in bytes
 * @param relayedBytes how long the waiting verdicts of all appservers may be together, in bytes; each appserver has an
 *     equal part, which is at least one command
 */
public record ReplicaSettings(
        int replica,
        Membership members,
        Sealer sealer,
        MachineSettings machine,
        long stepMillis,
        int commandBytes,
        long relayedBytes) {
    public static ReplicaSettings of(
            Descriptor descriptor, int replica, SigningKey key, int commandBytes, long relayedBytes) {
        Limits limits = descriptor.limits();
        return new ReplicaSettings(
                replica,
                Membership.of(descriptor),
                new Sealer(key, descriptor.id()),
                new MachineSettings(limits.epochTicks(), limits.roundTicks()),
                limits.tickMillis(),
                commandBytes,
                relayedBytes);
    }
}
