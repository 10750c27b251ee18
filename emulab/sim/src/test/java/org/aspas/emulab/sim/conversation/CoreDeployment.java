package org.aspas.emulab.sim.conversation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.replica.BftServerCore;
import org.aspas.certify.replica.Command;
import org.aspas.certify.replica.RecordState;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;

/**
 * The real cores of all servers of a descriptor, in one thread and in virtual time. Every message takes equally long, every
 * disk too, and the order is that of submission: so one run is like the other, byte for byte.
 */
final class CoreDeployment {
    private static final long LINK_MILLIS = 10;
    private static final long DISK_MILLIS = 1;
    private static final long TICK_MILLIS = 20;
    private static final int APPSERVER = 0x10;
    private static final int BFTSERVER = 0x20;
    private static final long RELAYED_BYTES = 1L << 24;

    private record Due(long at, long number, Runnable action) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));

    private final List<AppServerCore> servers = new ArrayList<>();
    private final List<BftServerCore> replicas = new ArrayList<>();
    private final Consumer<byte[]> toClient;
    private long now;
    private long scheduled;

    /**
     * Starts all servers.
     *
     * @param descriptor of servers whose seeds are those of docs/vectors/README.md
     * @param toClient takes the frames for the one client, which is at appserver 0
     */
    CoreDeployment(Descriptor descriptor, Consumer<byte[]> toClient) {
        this.toClient = toClient;
        for (int i = 0; i < descriptor.quorums().bftservers(); i++) {
            byte[] start = ("start " + i).getBytes(StandardCharsets.US_ASCII);
            ReplicaSettings settings = ReplicaSettings.of(
                    descriptor, i, key(BFTSERVER + i), descriptor.limits().commandBytes(), RELAYED_BYTES);
            replicas.add(new BftServerCore(settings, RecordState.ofFirstDay(), Hash.sha256(start)));
        }
        for (int i = 0; i < descriptor.quorums().appservers(); i++) {
            SigningKey key = key(APPSERVER + i);
            SessionTags tags = new SessionTags(descriptor.id(), i, AgreementKey.ofServer(key), () -> now, () -> false);
            servers.add(new AppServerCore(
                    CoreSettings.of(descriptor, NodeId.appserver(i), key, RetentionLimits.USUAL, tags)));
        }
        connect();
        every(TICK_MILLIS, this::tickServers);
        every(replicas.get(0).tickMillis(), this::tickReplicas);
    }

    static SigningKey key(int seed) {
        byte[] bytes = new byte[Ed25519.SEED_LENGTH];
        Arrays.fill(bytes, (byte) seed);
        return SigningKey.of(bytes);
    }

    private void connect() {
        for (int server = 0; server < servers.size(); server++) {
            for (int other = 0; other < servers.size(); other++) {
                if (other != server) {
                    step(server, new Event.NodeConnected(NodeId.appserver(other)));
                }
            }
            for (int replica = 0; replica < replicas.size(); replica++) {
                step(server, new Event.NodeConnected(NodeId.bftserver(replica)));
                step(replica, new org.aspas.certify.replica.Event.Connected(NodeId.appserver(server)));
            }
        }
    }

    private void tickServers() {
        for (int server = 0; server < servers.size(); server++) {
            step(server, new Event.Tick(now));
        }
    }

    private void tickReplicas() {
        for (int replica = 0; replica < replicas.size(); replica++) {
            step(replica, new org.aspas.certify.replica.Event.Tick(now, true, replica == 0));
        }
    }

    /** What time it is, in milliseconds from the start. */
    long now() {
        return now;
    }

    void after(long millis, Runnable action) {
        queue.add(new Due(now + millis, scheduled++, action));
    }

    void every(long millis, Runnable action) {
        after(millis, () -> {
            action.run();
            every(millis, action);
        });
    }

    /** Lets the next thing happen. */
    void next() {
        Due due = queue.remove();
        now = due.at();
        due.action().run();
    }

    /** The client connects to appserver 0. */
    void open(ConnectionId connection) {
        step(0, new Event.ClientOpened(connection));
    }

    /** The client has sent a frame on its connection. */
    void fromClient(ConnectionId connection, byte[] frame) {
        after(LINK_MILLIS, () -> step(0, new Event.ClientFrame(connection, decoded(frame))));
    }

    static Frame decoded(byte[] frame) {
        return Codec.decode(frame).accepted().orElseThrow();
    }

    private void step(int server, Event event) {
        for (Effect effect : servers.get(server).step(event)) {
            if (effect instanceof Effect.Persist persist) {
                after(DISK_MILLIS, () -> step(server, new Event.Persisted(persist.ticket())));
            } else if (effect instanceof Effect.ToNode send) {
                send(server, send.to(), Codec.encode(send.message()));
            } else if (effect instanceof Effect.ToNodeSigned send) {
                send(server, send.to(), Codec.encode(send.signed()));
            } else if (effect instanceof Effect.ToClient answer) {
                byte[] frame = Codec.encode(answer.message());
                after(LINK_MILLIS, () -> toClient.accept(frame));
            } else if (effect instanceof Effect.CloseClient close) {
                throw new IllegalStateException(close.reason());
            } else if (effect instanceof Effect.Raise raise) {
                throw new IllegalStateException(raise.alarm().toString());
            }
        }
    }

    private void send(int from, NodeId to, byte[] frame) {
        NodeId sender = NodeId.appserver(from);
        if (to.role() == Role.APPSERVER) {
            after(LINK_MILLIS, () -> step(to.index(), new Event.NodeFrame(sender, decoded(frame))));
        } else {
            Command command = new Command(frame);
            after(LINK_MILLIS, () -> step(to.index(), new org.aspas.certify.replica.Event.Received(sender, command)));
        }
    }

    private void step(int replica, org.aspas.certify.replica.Event event) {
        for (org.aspas.certify.replica.Effect effect : replicas.get(replica).step(event)) {
            if (effect instanceof org.aspas.certify.replica.Effect.Submit own) {
                order(own.command());
            } else if (effect instanceof org.aspas.certify.replica.Effect.Relay relay) {
                order(relay.command().bytes());
            } else if (effect instanceof org.aspas.certify.replica.Effect.Persist persist) {
                after(
                        DISK_MILLIS,
                        () -> step(replica, new org.aspas.certify.replica.Event.Persisted(persist.ticket())));
            } else if (effect instanceof org.aspas.certify.replica.Effect.ToAppserver send) {
                fromReplica(replica, send.to(), send.frame());
            } else if (effect instanceof org.aspas.certify.replica.Effect.ToAppservers send) {
                for (int server = 0; server < servers.size(); server++) {
                    fromReplica(replica, NodeId.appserver(server), send.frame());
                }
            }
        }
    }

    private void fromReplica(int replica, NodeId to, byte[] frame) {
        after(LINK_MILLIS, () -> step(to.index(), new Event.NodeFrame(NodeId.bftserver(replica), decoded(frame))));
    }

    /** All bftservers get each command in one order. */
    private void order(byte[] command) {
        after(LINK_MILLIS, () -> {
            for (int replica = 0; replica < replicas.size(); replica++) {
                replicas.get(replica).apply(command);
                step(replica, new org.aspas.certify.replica.Event.Advanced());
            }
        });
    }
}
