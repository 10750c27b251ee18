package org.aspas.bftcluster.node;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.Verdict;
import org.aspas.certify.message.VertObft;
import org.aspas.certify.order.Ordering;

/**
 * The appservers' way into the ordered commands (paper §3.5): it passes on VERTOBFT, STABLE and VERDICT that the sending appserver
 * signed itself, and nothing else. Every appserver gives each command to all gateways; the one that the command's hash
 * chooses submits at once, the others only when the command has not come out ordered after a while. Thread-safe.
 */
final class Gateway {
    private static final int REMEMBERED = 4096;
    private static final long FALLBACK_MILLIS = 400;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * FALLBACK_MILLIS);
    private static final Waiting ORDERED = new Waiting(Optional.empty(), 0);

    /**
     * A command that has not come out ordered.
     *
     * @param frame what it decodes to; empty once it is ordered
     * @param since when it was passed on last, in nanoseconds of the JVM's clock
     */
    private record Waiting(Optional<Frame> frame, long since) {
        /** Whether it may be passed on again when it comes again: what was submitted while too few replicas ran is lost. */
        boolean again(long now) {
            return frame.isPresent() && now - since >= AGAIN_NANOS;
        }
    }

    private final Descriptor descriptor;
    private final int replica;
    private final Ordering ordering;
    private final ScheduledExecutorService timer;
    /** By the hash of a command: what it decodes to while it is not ordered, and empty from then on. */
    private final Map<Hash, Waiting> seen = new LinkedHashMap<>();

    private final LongAdder refused = new LongAdder();

    Gateway(Descriptor descriptor, int replica, Ordering ordering, ScheduledExecutorService timer) {
        this.descriptor = descriptor;
        this.replica = replica;
        this.ordering = ordering;
        this.timer = timer;
    }

    /** Takes a frame from an authenticated node. */
    void receive(NodeId from, byte[] command) {
        Hash hash = Hash.sha256(command);
        synchronized (seen) {
            Waiting known = seen.get(hash);
            if (known != null) {
                if (known.again(System.nanoTime())) {
                    seen.put(hash, new Waiting(known.frame, System.nanoTime()));
                    pass(hash, command);
                }
                return;
            }
        }
        Optional<Frame> frame = Codec.decode(command).accepted();
        if (from.role() != Role.APPSERVER || frame.isEmpty() || !admissible(from, frame.get())) {
            refused.increment();
            return;
        }
        if (remember(hash, frame)) {
            pass(hash, command);
        }
    }

    private void pass(Hash hash, byte[] command) {
        if (Math.floorMod(hash.hashCode(), descriptor.quorums().bftservers()) == replica) {
            ordering.submit(command);
        } else {
            timer.schedule(() -> submitUnlessOrdered(hash, command), FALLBACK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private boolean admissible(NodeId from, Frame frame) {
        if (!(frame instanceof Frame.Sealed sealed)) {
            return false;
        }
        Signed<? extends Message> signed = sealed.signed();
        return switch (signed.message().kind()) {
            case VERTOBFT ->
                from.index() == ((VertObft) signed.message()).server() && signedBy(from, signed, Domain.VERTOBFT);
            case STABLE ->
                from.index() == ((Stable) signed.message()).server() && signedBy(from, signed, Domain.STABLE);
            case VERDICT ->
                from.index() == ((Verdict) signed.message()).server() && signedBy(from, signed, Domain.VERDICT);
            default -> false;
        };
    }

    private boolean signedBy(NodeId from, Signed<?> signed, Domain domain) {
        return signed.verify(descriptor.verifier(), descriptor.node(from).key(), domain);
    }

    /**
     * Notes that a command has come out ordered at this replica.
     *
     * @return what the command decodes to: that which came through this gateway and is verified already, or else decoded
     *     now; empty when it is no frame
     */
    Optional<Frame> ordered(byte[] command) {
        Hash hash = Hash.sha256(command);
        Optional<Frame> open;
        synchronized (seen) {
            open = seen.getOrDefault(hash, ORDERED).frame();
            seen.put(hash, ORDERED);
            forgetOldest();
        }
        return open.isPresent() ? open : Codec.decode(command).accepted();
    }

    private void submitUnlessOrdered(Hash hash, byte[] command) {
        boolean open;
        synchronized (seen) {
            open = seen.getOrDefault(hash, ORDERED).frame().isPresent();
        }
        if (open) {
            ordering.submit(command);
        }
    }

    /** Keeps what is not ordered yet; false when the hash was known. */
    private boolean remember(Hash hash, Optional<Frame> frame) {
        synchronized (seen) {
            boolean fresh = seen.putIfAbsent(hash, new Waiting(frame, System.nanoTime())) == null;
            forgetOldest();
            return fresh;
        }
    }

    private void forgetOldest() {
        if (seen.size() > REMEMBERED) {
            var oldest = seen.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** How many frames were refused. */
    long refused() {
        return refused.sum();
    }
}
