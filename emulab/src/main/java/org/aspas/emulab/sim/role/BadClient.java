package org.aspas.emulab.sim.role;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.GetCertificate;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.network.Wire;

/** A Byzantine client: connected to every appserver at once, it follows no protocol. Its key is its own. */
public final class BadClient implements ClientLines.Caller {
    /** What it does. */
    enum Kind {
        /** Signs two contents under one number, and gives them to different appservers. */
        EQUIVOCATING,
        /** Sends more than anybody should. */
        FLOODING,
        /** Sends bytes that are no frame, and frames with changed bytes. */
        GARBAGE,
        /** Sends requests in the name of others, with gaps, of wrong type, with reused numbers. */
        FORGING
    }

    private static final long PAUSE = 150 * Timeline.MILLI;
    private static final int FLOOD = 20;

    private final Power power;
    private final Kind kind;
    private final Timeline timeline;
    private final ClientLines lines;
    private final List<ClientId> others;
    private final ClientId self;
    private final Map<Long, Integer> open = new TreeMap<>();
    private long number;
    private long session;
    private boolean stopped;

    BadClient(Power power, Kind kind, Timeline timeline, ClientLines lines, List<ClientId> others) {
        this.power = power;
        this.kind = kind;
        this.timeline = timeline;
        this.lines = lines;
        this.others = List.copyOf(others);
        this.self = new ClientId(power.sealer().publicKey());
    }

    /** Begins, and goes on until a moment. */
    public void start(long until) {
        for (int server = 0; server < power.quorums().appservers(); server++) {
            connect(server);
        }
        act(until);
    }

    private void connect(int server) {
        open.put(lines.connect("bad-client", NodeId.appserver(server), this), server);
    }

    private void act(long until) {
        if (timeline.now() >= until) {
            stopped = true;
            return;
        }
        List.copyOf(open.keySet()).forEach(this::attack);
        number++;
        timeline.after(PAUSE, () -> act(until));
    }

    private void attack(long connection) {
        switch (kind) {
            case EQUIVOCATING ->
                send(connection, request(self, number, 1 + power.chance().index(3)));
            case FLOODING -> {
                for (int i = 0; i < FLOOD; i++) {
                    lines.toServer(connection, Wire.of(question()));
                    send(connection, request(self, number * FLOOD + i, 1));
                }
            }
            case GARBAGE -> {
                Signed<ClientSigned> right = request(self, number, 1);
                byte[] bytes = power.chance().happens(0.5)
                        ? power.chance().bytes(1 + power.chance().index(300))
                        : Noise.mutated(power, Codec.encode(right));
                lines.toServer(connection, new Wire(bytes));
            }
            case FORGING -> send(connection, forged());
        }
    }

    private void send(long connection, Signed<ClientSigned> signed) {
        lines.toServer(connection, Wire.of(signed));
    }

    private Message question() {
        return power.chance().happens(0.5)
                ? new Read(
                        1 + number,
                        "counter/all",
                        DataTypes.PN_COUNTER.name(),
                        power.chance().happens(0.5),
                        0)
                : new GetCertificate(power.chance().between(0, 100));
    }

    private Signed<ClientSigned> request(ClientId client, long place, int amount) {
        return power.sealer()
                .<ClientSigned>seal(new Request(
                        client,
                        place + 1,
                        "counter/bad",
                        DataTypes.PN_COUNTER.name(),
                        Operation.of("increment", Value.of(amount))));
    }

    private Signed<ClientSigned> forged() {
        ClientId victim = others.isEmpty() ? self : power.chance().pick(others);
        return switch (power.chance().index(5)) {
            case 0 -> request(victim, power.chance().between(0, 20), 1);
            case 1 -> power.sealer().<ClientSigned>seal(new OpenSession(victim, Long.MAX_VALUE / 4, 1));
            case 2 -> request(self, number + power.chance().between(1, 1_000), 1);
            case 3 ->
                power.sealer()
                        .<ClientSigned>seal(new Request(
                                self,
                                number + 1,
                                "set/all",
                                DataTypes.PN_COUNTER.name(),
                                Operation.of("increment", Value.of(1))));
            default -> request(self, power.chance().between(0, number), 2);
        };
    }

    @Override
    public void connected(long connection) {
        ClientId name = kind == Kind.FORGING && power.chance().happens(0.2) && !others.isEmpty()
                ? power.chance().pick(others)
                : self;
        send(connection, power.sealer().<ClientSigned>seal(new OpenSession(name, ++session, 0)));
    }

    @Override
    public void frame(long connection, Wire wire) {
        // It does not listen.
    }

    @Override
    public void closed(long connection) {
        Integer server = open.remove(connection);
        if (server != null && !stopped) {
            timeline.after(PAUSE, () -> connect(server));
        }
    }

    /** The kinds by the names of their roles. */
    static Map<String, Kind> byName() {
        Map<String, Kind> names = new TreeMap<>();
        for (Kind kind : new ArrayList<>(List.of(Kind.values()))) {
            names.put("client-" + kind.name().toLowerCase(java.util.Locale.ROOT), kind);
        }
        return names;
    }
}
