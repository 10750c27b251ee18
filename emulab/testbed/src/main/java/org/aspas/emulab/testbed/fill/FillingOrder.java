package org.aspas.emulab.testbed.fill;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.replica.BftServerCore;
import org.aspas.certify.replica.Command;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.emulab.testbed.deployment.Deployment;

/** All bftservers with their records, and an order that takes commands as they come. For one thread. */
final class FillingOrder implements AutoCloseable {
    private static final int COMMAND_BYTES = 1 << 20;
    private static final long RELAYED_BYTES = 64L << 20;

    /** Where frames of bftservers go. */
    interface Outlet {
        void send(NodeId from, int appserver, Frame frame);
    }

    private final int appservers;
    private final Outlet outlet;
    private final List<BftServerCore> cores = new ArrayList<>();
    private final List<DurableRecord> records = new ArrayList<>();
    private final Deque<byte[]> order = new ArrayDeque<>();

    /** The bftservers of a new deployment, each of which begins its record. */
    FillingOrder(Deployment made, Path data, Outlet outlet) throws RecordUnusableException {
        this.appservers = made.descriptor().quorums().appservers();
        this.outlet = outlet;
        for (int replica = 0; replica < made.descriptor().quorums().bftservers(); replica++) {
            NodeId id = NodeId.bftserver(replica);
            ReplicaSettings settings =
                    ReplicaSettings.of(made.descriptor(), replica, made.key(id), COMMAND_BYTES, RELAYED_BYTES);
            DurableRecord record = DurableRecord.open(
                    data.resolve(id.toString()), made.descriptor().id(), replica);
            records.add(record);
            Hash start = Hash.sha256(id.toString().getBytes(StandardCharsets.US_ASCII));
            cores.add(new BftServerCore(settings, record.state().copy(), start));
        }
    }

    int size() {
        return cores.size();
    }

    /** Links to all appservers are up. */
    void connected() throws IOException {
        for (int replica = 0; replica < cores.size(); replica++) {
            for (int server = 0; server < appservers; server++) {
                step(replica, new Event.Connected(NodeId.appserver(server)));
            }
        }
    }

    void received(NodeId from, int replica, byte[] command) throws IOException {
        step(replica, new Event.Received(from, new Command(command)));
    }

    void tick(long nowMillis) throws IOException {
        for (int replica = 0; replica < cores.size(); replica++) {
            step(replica, new Event.Tick(nowMillis, true, replica == 0));
        }
    }

    /** Has all bftservers execute what was submitted, and what follows from that. */
    void run() throws IOException {
        for (byte[] next = order.poll(); next != null; next = order.poll()) {
            Command command = new Command(next);
            for (int replica = 0; replica < cores.size(); replica++) {
                cores.get(replica).apply(command);
                step(replica, new Event.Advanced());
            }
        }
    }

    private void step(int replica, Event event) throws IOException {
        Deque<Event> due = new ArrayDeque<>(List.of(event));
        for (Event next = due.poll(); next != null; next = due.poll()) {
            Ticket last = null;
            for (Effect effect : cores.get(replica).step(next)) {
                if (effect instanceof Effect.Persist persist) {
                    records.get(replica).append(persist.item());
                    last = persist.ticket();
                } else {
                    carryOut(replica, effect);
                }
            }
            if (last != null) {
                records.get(replica).sync();
                due.add(new Event.Persisted(last));
            }
        }
    }

    private void carryOut(int replica, Effect effect) {
        if (effect instanceof Effect.Submit own) {
            order.add(own.command());
        } else if (effect instanceof Effect.Relay relay) {
            order.add(relay.command().bytes());
        } else if (effect instanceof Effect.ToAppserver send) {
            outlet.send(NodeId.bftserver(replica), send.to().index(), decoded(send.frame()));
        } else if (effect instanceof Effect.ToAppservers send) {
            Frame frame = decoded(send.frame());
            for (int server = 0; server < appservers; server++) {
                outlet.send(NodeId.bftserver(replica), server, frame);
            }
        } else {
            throw new IllegalStateException("bftserver-" + replica + " finds fault with correct servers: " + effect);
        }
    }

    private static Frame decoded(byte[] frame) {
        return Codec.decode(frame)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("a bftserver sends what nobody can read"));
    }

    @Override
    public void close() {
        records.forEach(DurableRecord::close);
    }
}
