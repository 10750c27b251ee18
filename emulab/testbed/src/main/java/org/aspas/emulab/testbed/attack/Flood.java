package org.aspas.emulab.testbed.attack;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.client.api.ClientResources;
import org.aspas.client.net.SocketTransport;
import org.aspas.client.net.Transport;
import org.aspas.client.net.WebSocketTransport;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Byzantine clients that flood the appservers of a running deployment: one of each {@link Kind} of a {@link FloodPlan} at each
 * server, on a connection that it makes again when it is closed. Their frames are made before they begin, so that what they cost is the servers'
 * work. One thread sends for all.
 */
public final class Flood implements AutoCloseable {
    private static final int PREPARED = 256;
    private static final long PULSE_MILLIS = 5;
    private static final long RETRY_MILLIS = 200;
    private static final int QUEUED = 256;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final String HOT_KEY = "counter/flooded";

    /** What a flooding client sends. */
    public enum Kind {
        /** Reads without a session. */
        READS,
        /** Reads without a session, and never takes in an answer. */
        DEAF_READS,
        /** Updates with invalid signatures. */
        FORGERIES,
        /** Updates of a session of its own, the same few ones again and again. */
        REPEATED_UPDATES,
        /** Questions how updates stand, which are answered at a rate, as inspections are. */
        INQUIRIES,
        /** Evidence that is false by its signatures alone. */
        COMPLAINTS,
        /** Bytes that are no frame. */
        GARBAGE
    }

    private final List<Client> clients = new ArrayList<>();
    private final AtomicLong frames = new AtomicLong();
    private final Thread thread;
    private final int perPulse;
    private volatile boolean over;

    private Flood(Descriptor descriptor, ClientResources resources, FloodPlan plan, int perSecond, long seed) {
        this.perPulse = (int) Math.max(1, perSecond * PULSE_MILLIS / TimeUnit.SECONDS.toMillis(1));
        Random random = new Random(seed);
        for (NodeDescription node : descriptor.nodes()) {
            if (node.id().role() == Role.APPSERVER) {
                int frameBytes = descriptor.limits().linkFrameBytes();
                Transport transport = transport(node, resources, plan, frameBytes);
                for (Kind kind : plan.kinds()) {
                    clients.add(new Client(kind, transport, prepared(kind, descriptor, random)));
                }
            }
        }
        this.thread = new Thread(this::run, "flood");
        thread.setDaemon(true);
    }

    private static Transport transport(
            NodeDescription node, ClientResources resources, FloodPlan plan, int frameBytes) {
        return plan.sessions()
                ? new SocketTransport(
                        resources.loops(),
                        InetSocketAddress.createUnresolved(node.host(), node.sessionPort()),
                        CONNECT_TIMEOUT,
                        frameBytes,
                        QUEUED)
                : new WebSocketTransport(resources.http(), node.webSocket(), CONNECT_TIMEOUT, frameBytes, QUEUED);
    }

    /**
     * Begins to flood every appserver.
     *
     * @param perSecond how many frames a second each client would like to send
     * @param seed where the clients' keys come from
     */
    public static Flood begin(
            Descriptor descriptor, ClientResources resources, FloodPlan plan, int perSecond, long seed) {
        Flood flood = new Flood(descriptor, resources, plan, perSecond, seed);
        flood.thread.start();
        return flood;
    }

    /** How many frames were handed to connections so far. */
    public long frames() {
        return frames.get();
    }

    /** Ends all connections, once nothing more is sent. */
    @Override
    public void close() {
        over = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        clients.forEach(Client::end);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long due = System.nanoTime();
        while (!over) {
            clients.forEach(client -> client.pulse(System.nanoTime()));
            due = Math.max(due + TimeUnit.MILLISECONDS.toNanos(PULSE_MILLIS), System.nanoTime());
            try {
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            } catch (InterruptedException interrupted) {
                over = true;
            }
        }
    }

    // ---- What is sent ----

    private record Frames(byte @Nullable [] first, List<byte[]> others) {}

    private static Frames prepared(Kind kind, Descriptor descriptor, Random random) {
        byte[] keySeed = new byte[Ed25519.SEED_LENGTH];
        random.nextBytes(keySeed);
        Sealer sealer = new Sealer(SigningKey.of(keySeed), descriptor.id());
        ClientId self = new ClientId(sealer.publicKey());
        List<byte[]> frames = new ArrayList<>();
        for (int i = 1; i <= PREPARED; i++) {
            frames.add(frame(kind, sealer, self, i, random));
        }
        byte[] opening = kind == Kind.REPEATED_UPDATES
                ? Codec.encode(sealer.seal(new OpenSession(self, 1, OpenSession.UNBOUNDED)))
                : null;
        return new Frames(opening, frames);
    }

    private static byte[] frame(Kind kind, Sealer sealer, ClientId self, int number, Random random) {
        return switch (kind) {
            case READS, DEAF_READS ->
                Codec.encode(new Read(number, HOT_KEY, DataTypes.PN_COUNTER.name(), false, CertificateNumber.NONE));
            case FORGERIES -> {
                Request request = request(self, number);
                byte[] none = new byte[Ed25519.SIGNATURE_LENGTH];
                random.nextBytes(none);
                yield Codec.encode(new Signed<>(request, Codec.encode(request), none));
            }
            case REPEATED_UPDATES -> Codec.encode(sealer.seal(request(self, number)));
            case INQUIRIES -> Codec.encode(sealer.seal(new AskStanding(self, number, List.of())));
            case COMPLAINTS -> Codec.encode(sealer.seal(new Complain(self, number, falseEvidence(sealer, random))));
            case GARBAGE -> {
                byte[] noise = new byte[64 + random.nextInt(512)];
                random.nextBytes(noise);
                yield noise;
            }
        };
    }

    private static Request request(ClientId self, int number) {
        return new Request(self, number, HOT_KEY, DataTypes.PN_COUNTER.name(), Operation.of("increment", Value.of(1)));
    }

    /** Two heads of appserver 0 that this client signed itself. */
    private static ForkedHeads falseEvidence(Sealer sealer, Random random) {
        return new ForkedHeads(head(sealer, random), head(sealer, random));
    }

    private static Signed<Head> head(Sealer sealer, Random random) {
        byte[] root = new byte[Hash.LENGTH];
        random.nextBytes(root);
        return sealer.seal(new Head(0, 1, Hash.of(root)));
    }

    // ---- One client ----

    private final class Client implements Transport.Listener {
        private final Kind kind;
        private final Transport transport;
        private final Frames prepared;
        private volatile Transport.@Nullable Connection connection;
        private volatile boolean standing;
        /** Whether the first frame is still to be sent. */
        private volatile boolean fresh;

        private volatile boolean gone = true;
        private long retryAt = Long.MIN_VALUE;
        private int next;

        Client(Kind kind, Transport transport, Frames prepared) {
            this.kind = kind;
            this.transport = transport;
            this.prepared = prepared;
        }

        /** Sends what is due, or connects again. */
        void pulse(long now) {
            if (gone && (retryAt == Long.MIN_VALUE || now - retryAt >= 0)) {
                gone = false;
                retryAt = now + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
                connection = transport.connect(this);
            }
            Transport.Connection open = connection;
            byte[] first = prepared.first();
            if (standing && open != null && fresh) {
                fresh = false;
                if (first != null) {
                    open.send(first);
                }
            }
            for (int i = 0; standing && open != null && i < perPulse; i++) {
                open.send(prepared.others().get(next));
                next = (next + 1) % prepared.others().size();
                frames.incrementAndGet();
            }
        }

        void end() {
            Transport.Connection open = connection;
            if (open != null) {
                open.close();
            }
        }

        @Override
        public void connected() {
            fresh = true;
            standing = true;
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            if (kind != Kind.DEAF_READS) {
                consumed.run();
            }
        }

        @Override
        public void closed(String reason) {
            standing = false;
            gone = true;
        }
    }
}
