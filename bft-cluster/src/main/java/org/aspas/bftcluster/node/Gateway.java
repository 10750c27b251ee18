package org.aspas.bftcluster.node;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.aspas.bftcluster.node.AppserverShare.Lane;
import org.aspas.bftcluster.node.AppserverShare.Waiting;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.Verdict;
import org.aspas.certify.message.VertObft;
import org.aspas.certify.order.Ordering;

/**
 * The appservers' way into the ordered commands (paper §3.5): it passes on VERTOBFT, STABLE and VERDICT that the sending
 * appserver signed itself, and nothing else. Every appserver gives each command to all gateways; the one that the command's
 * hash chooses submits at once, the others only when the command has not come out ordered after a while. Each appserver has
 * an {@link AppserverShare} of its own, so that none can use up another one's. Thread-safe.
 */
final class Gateway {
    /** How often {@link #sweep} is to be called, in milliseconds. */
    static final long SWEEP_MILLIS = 50;

    /** How many ordered commands are remembered: a command that comes after it was ordered is dropped. */
    private static final int REMEMBERED = 4096;

    private final Membership members;
    private final int replica;
    private final int commandBytes;
    private final Ordering ordering;
    private final LongSupplier nanos;
    private final List<AppserverShare> shares = new ArrayList<>();
    private final Set<Hash> ordered = new LinkedHashSet<>();
    private final LongAdder refused = new LongAdder();

    /**
     * A gateway.
     *
     * @param members the deployment
     * @param replica which bftserver this is
     * @param commandBytes the longest command, in bytes
     * @param roomBytes how long the waiting verdicts of all appservers may be together, in bytes; each has an equal part,
     *     which is at least one command
     * @param ordering where commands go
     * @param nanos a clock that never goes back, in nanoseconds
     */
    Gateway(Membership members, int replica, int commandBytes, long roomBytes, Ordering ordering, LongSupplier nanos) {
        this.members = members;
        this.replica = replica;
        this.commandBytes = commandBytes;
        this.ordering = ordering;
        this.nanos = nanos;
        int appservers = members.appservers().size();
        for (int i = 0; i < appservers; i++) {
            shares.add(new AppserverShare(Math.max(commandBytes, roomBytes / appservers)));
        }
    }

    /** Takes a frame from an authenticated node. */
    void receive(NodeId from, byte[] command) {
        boolean possible =
                from.role() == Role.APPSERVER && from.index() < shares.size() && command.length <= commandBytes;
        if (!possible) {
            refused.increment();
            return;
        }
        Hash hash = Hash.sha256(command);
        AppserverShare share = shares.get(from.index());
        if (!known(share, hash)) {
            take(from, share, hash, command);
        }
    }

    /** Whether a command needs no judgement: it was ordered, or waits; when it waited long it is passed on again. */
    private boolean known(AppserverShare share, Hash hash) {
        Waiting waiting;
        synchronized (shares) {
            waiting = share.find(hash);
            if (waiting == null || !waiting.again(nanos.getAsLong())) {
                return waiting != null || ordered.contains(hash);
            }
            waiting.passed(nanos.getAsLong(), chosen(hash));
        }
        submitIfChosen(hash, waiting.command());
        return true;
    }

    private void take(NodeId from, AppserverShare share, Hash hash, byte[] command) {
        Optional<Frame> frame = Codec.decode(command).accepted();
        Optional<Lane> lane = frame.flatMap(words -> lane(from, words));
        if (lane.isEmpty()) {
            refused.increment();
            return;
        }
        synchronized (shares) {
            if (!share.admits(lane.get(), command, nanos.getAsLong())) {
                return;
            }
        }
        if (!signed(from, lane.get(), (Frame.Sealed) frame.get())) {
            refused.increment();
            return;
        }
        Waiting waiting = new Waiting(command, frame.get());
        synchronized (shares) {
            waiting.passed(nanos.getAsLong(), chosen(hash));
            share.hold(lane.get(), hash, waiting);
        }
        submitIfChosen(hash, command);
    }

    private boolean chosen(Hash hash) {
        return Math.floorMod(hash.hashCode(), members.bftservers().size()) == replica;
    }

    private void submitIfChosen(Hash hash, byte[] command) {
        if (chosen(hash)) {
            ordering.submit(command);
        }
    }

    /** What a frame is, if it is something that its sender may say. */
    private static Optional<Lane> lane(NodeId from, Frame frame) {
        if (!(frame instanceof Frame.Sealed sealed)) {
            return Optional.empty();
        }
        Message message = sealed.signed().message();
        if (message instanceof VertObft report && report.server() == from.index()) {
            return Optional.of(Lane.REPORT);
        }
        if (message instanceof Stable answer && answer.server() == from.index()) {
            return Optional.of(Lane.ANSWER);
        }
        if (message instanceof Verdict verdict && verdict.server() == from.index()) {
            return Optional.of(Lane.VERDICT);
        }
        return Optional.empty();
    }

    private boolean signed(NodeId from, Lane lane, Frame.Sealed sealed) {
        Signed<? extends Message> words = sealed.signed();
        Domain domain = switch (lane) {
            case REPORT -> Domain.VERTOBFT;
            case ANSWER -> Domain.STABLE;
            case VERDICT -> Domain.VERDICT;
        };
        return words.verify(members.verifier(), members.appservers().get(from.index()), domain);
    }

    /**
     * Notes that a command has come out ordered at this replica.
     *
     * @return what the command decodes to: that which came through this gateway and is verified already, or else decoded
     *     now; empty when it is no frame
     */
    Optional<Frame> ordered(byte[] command) {
        Hash hash = Hash.sha256(command);
        Waiting waiting = null;
        synchronized (shares) {
            ordered.add(hash);
            if (ordered.size() > REMEMBERED) {
                ordered.remove(ordered.iterator().next());
            }
            for (AppserverShare share : shares) {
                Waiting found = share.ordered(hash);
                waiting = found == null ? waiting : found;
            }
        }
        return waiting != null
                ? Optional.of(waiting.frame())
                : Codec.decode(command).accepted();
    }

    /** Does what has become due; to be called every {@link #SWEEP_MILLIS}. */
    void sweep() {
        for (int server = 0; server < shares.size(); server++) {
            AppserverShare share = shares.get(server);
            List<byte[]> overdue;
            List<byte[]> released;
            synchronized (shares) {
                overdue = share.overdue(nanos.getAsLong());
                released = share.released(nanos.getAsLong());
            }
            overdue.forEach(ordering::submit);
            for (byte[] command : released) {
                receive(NodeId.appserver(server), command);
            }
        }
    }

    /** How many frames were refused. */
    long refused() {
        return refused.sum();
    }
}
