package org.aspas.bftcluster.node;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.VertObft;

/**
 * The appservers' way into the ordered commands (paper §3.5): it passes on VERTOBFT and STABLE that the sending appserver
 * signed itself, and nothing else. Every appserver gives each command to all gateways; the one that the command's hash
 * chooses submits at once, the others only when the command has not come out ordered after a while. Thread-safe.
 */
final class Gateway {
    private static final int REMEMBERED = 4096;
    private static final long FALLBACK_MILLIS = 400;

    private final Descriptor descriptor;
    private final int replica;
    private final Ordering ordering;
    private final ScheduledExecutorService timer;
    private final Map<Hash, Boolean> seen = new LinkedHashMap<>();
    private final LongAdder refused = new LongAdder();

    Gateway(Descriptor descriptor, int replica, Ordering ordering, ScheduledExecutorService timer) {
        this.descriptor = descriptor;
        this.replica = replica;
        this.ordering = ordering;
        this.timer = timer;
    }

    /** Takes a frame from an authenticated node. */
    void receive(NodeId from, byte[] command) {
        if (from.role() != Role.APPSERVER || !admissible(from, command)) {
            refused.increment();
            return;
        }
        Hash hash = Hash.sha256(command);
        if (!remember(hash, false)) {
            return;
        }
        if (Math.floorMod(hash.hashCode(), descriptor.quorums().bftservers()) == replica) {
            ordering.submit(command);
        } else {
            timer.schedule(() -> submitUnlessOrdered(hash, command), FALLBACK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private boolean admissible(NodeId from, byte[] command) {
        if (!(Codec.decode(command) instanceof Decoded.Accepted<Frame> accepted)
                || !(accepted.value() instanceof Frame.Sealed sealed)) {
            return false;
        }
        Signed<? extends Message> signed = sealed.signed();
        return switch (signed.message().kind()) {
            case VERTOBFT ->
                from.index() == ((VertObft) signed.message()).server() && signedBy(from, signed, Domain.VERTOBFT);
            case STABLE ->
                from.index() == ((Stable) signed.message()).server() && signedBy(from, signed, Domain.STABLE);
            default -> false;
        };
    }

    private boolean signedBy(NodeId from, Signed<?> signed, Domain domain) {
        return signed.verify(descriptor.verifier(), descriptor.node(from).key(), domain);
    }

    /** Notes that a command has come out ordered at this replica. */
    void ordered(byte[] command) {
        remember(Hash.sha256(command), true);
    }

    private void submitUnlessOrdered(Hash hash, byte[] command) {
        boolean ordered;
        synchronized (seen) {
            ordered = seen.getOrDefault(hash, true);
        }
        if (!ordered) {
            ordering.submit(command);
        }
    }

    /** Whether the hash is new here; forgets the oldest beyond a bound. */
    private boolean remember(Hash hash, boolean ordered) {
        synchronized (seen) {
            Boolean known = seen.get(hash);
            if (known == null || ordered) {
                seen.put(hash, ordered);
            }
            if (seen.size() > REMEMBERED) {
                var oldest = seen.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
            return known == null;
        }
    }

    /** How many frames were refused. */
    long refused() {
        return refused.sum();
    }
}
