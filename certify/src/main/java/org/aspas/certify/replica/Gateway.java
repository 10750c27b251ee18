package org.aspas.certify.replica;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.replica.AppserverQueue.Lane;
import org.aspas.certify.replica.AppserverQueue.Waiting;

/**
 * The appservers' way into the ordered commands (paper §3.5), for what {@link CommandAdmission} admits. Every appserver
 * gives each command to all gateways. The one that the command's hash chooses submits at once, and so does the one that leads the
 * order, whose requests need not travel; the others submit only when the command has not come out ordered after a while.
 * Each appserver has an {@link AppserverQueue} of its own, so that none can use up another one's. Times are milliseconds of one clock. Not thread-safe.
 */
final class Gateway {
    /** How many ordered commands are remembered: a command that comes after it was ordered is dropped. */
    private static final int REMEMBERED = 4096;

    private final CommandAdmission admission;
    private final int replica;
    private final int replicas;
    private final ReplicaOutbox outbox;
    private final List<AppserverQueue> shares = new ArrayList<>();
    private boolean asking;
    private boolean leads;
    private final Set<Hash> ordered = Collections.newSetFromMap(new BoundedMap<>(REMEMBERED));

    Gateway(ReplicaSettings settings, ReplicaOutbox outbox) {
        this.admission = new CommandAdmission(settings);
        this.replica = settings.replica();
        this.replicas = settings.members().bftservers().size();
        this.outbox = outbox;
        int appservers = settings.members().appservers().size();
        for (int i = 0; i < appservers; i++) {
            shares.add(new AppserverQueue(Math.max(settings.commandBytes(), settings.relayedBytes() / appservers)));
        }
    }

    /**
     * Takes a command from an authenticated node.
     *
     * @return whether the sender may bring it, so that its signature is right, too
     */
    boolean receive(NodeId from, Command command, long now) {
        Optional<Lane> lane = admission.lane(from, command);
        if (lane.isEmpty()) {
            return false;
        }
        AppserverQueue queue = shares.get(from.index());
        Waiting waiting = queue.find(command.hash());
        if (waiting == null && !ordered.contains(command.hash()) && queue.admits(lane.get(), command, now)) {
            Waiting fresh = new Waiting(command);
            queue.hold(lane.get(), fresh);
            pass(from, lane.get(), fresh, now);
        } else if (waiting != null && waiting.again(now)) {
            pass(from, lane.get(), waiting, now);
        }
        return true;
    }

    private void pass(NodeId from, Lane lane, Waiting waiting, long now) {
        if (lane == Lane.REPORT && asking) {
            waiting.keepBack(now);
        } else {
            pass(from, waiting, now);
        }
    }

    /**
     * While a question is open the machine does nothing with reports, and after that it needs the newest.
     *
     * @param open whether a question is open of which it is not foreseen what it decides
     */
    void asks(boolean open, long now) {
        asking = open;
        for (int server = 0; server < shares.size() && !open; server++) {
            passKeptBack(server, true, now);
        }
    }

    private void passKeptBack(int server, boolean all, long now) {
        NodeId from = NodeId.appserver(server);
        shares.get(server).keptBack(Lane.REPORT, all, now).forEach(waiting -> pass(from, waiting, now));
    }

    private void pass(NodeId from, Waiting waiting, long now) {
        boolean atOnce = leads || Math.floorMod(waiting.command().hash().hashCode(), replicas) == replica;
        waiting.passed(now, atOnce);
        if (atOnce) {
            outbox.now(new Effect.Relay(from, waiting.command()));
        }
    }

    /**
     * Notes that a command has come out ordered at this bftserver.
     *
     * @return the same command; if it came through this gateway, the one that is verified already
     */
    Command ordered(Command command) {
        Hash hash = command.hash();
        ordered.add(hash);
        Command known = command;
        for (AppserverQueue queue : shares) {
            Waiting found = queue.ordered(hash);
            known = found == null ? known : found.command();
        }
        return known;
    }

    void tick(long now, boolean leading) {
        leads = leading;
        for (int server = 0; server < shares.size(); server++) {
            NodeId from = NodeId.appserver(server);
            AppserverQueue queue = shares.get(server);
            passKeptBack(server, false, now);
            for (Command command : queue.overdue(now)) {
                outbox.now(new Effect.Relay(from, command));
            }
            for (Command command : queue.released(now)) {
                receive(from, command, now);
            }
        }
    }
}
