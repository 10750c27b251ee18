package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ClientLines;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/** A Byzantine client: connected to every appserver at once, it follows no protocol. Its key is its own. */
public final class BadClient implements ClientLines.Caller {
    enum Kind {
        /** Signs two contents under one number, and gives them to different appservers. */
        EQUIVOCATING,
        /** Sends more than anybody should. */
        FLOODING,
        /** Sends bytes that are no frame, and frames with changed bytes. */
        GARBAGE,
        /** Complains of correct servers and clients with evidence that proves nothing. */
        COMPLAINING,
        /**
         * Complains of answers with replies to inspections that no f+1 servers signed. Servers are to see that, and to
         * refuse it for a while.
         */
        SLANDERING,
        /** Asks for inspections and standings without end, of genuine answers and of none. */
        INSPECTING,
        /** Changes fields of all that a client can send, and signs again. */
        FUZZING_FIELDS,
        /** Sends requests with tags that are wrong for some appservers. */
        BAD_TAGS,
        /** Opens sessions with new shares for a few requests each, also two under one number, and of other homes. */
        CHURNING,
        /** Signs two contents under numbers under which a colluding server has entered others. */
        BODYGUARDED,
        /** Sends requests in the name of others, with gaps, of wrong type, with reused numbers. */
        FORGING
    }

    private static final Set<Kind> CURIOUS =
            EnumSet.of(Kind.FUZZING_FIELDS, Kind.COMPLAINING, Kind.INSPECTING, Kind.SLANDERING);
    private static final long PAUSE = 150 * Timeline.MILLI;
    private static final int FLOOD = 20;
    private static final int FUZZED = 4;
    private static final int REMEMBERED = 40;

    /** How often it acts before it slanders: first it gathers what others reply. */
    private static final int GATHERED = 12;

    /** How often each number is sent, so that a server that missed one gets it still. */
    private static final int REPEATED = 8;

    /** How often it acts before it contradicts itself: first the colluding server enters what it guards with. */
    private static final int GUARDED = 9;

    private final AdversaryContext power;
    private final Kind kind;
    private final Timeline timeline;
    private final ClientLines lines;
    private final List<ClientId> others;
    private final ClientId self;
    private final Map<ConnectionId, Integer> open = new TreeMap<>();
    private final TaggedCalls tagged;
    private final FalseEvidence lies;
    private final FalseVoices voices;
    private @Nullable FuzzedCalls fuzzed;
    private final List<Answer> answers = new ArrayList<>();
    private long nonce;
    private long number;
    private long session;
    private boolean stopped;

    BadClient(AdversaryContext power, Kind kind, Timeline timeline, ClientLines lines, List<ClientId> others) {
        this.power = power;
        this.kind = kind;
        this.timeline = timeline;
        this.lines = lines;
        this.others = List.copyOf(others);
        this.tagged = new TaggedCalls(power, kind == Kind.CHURNING);
        this.lies = new FalseEvidence(power);
        this.voices = new FalseVoices(power);
        this.self = new ClientId(power.sealer().publicKey());
    }

    /** Begins, and goes on until a moment. */
    public void start(long until) {
        for (int server = 0; server < power.quorums().appservers(); server++) {
            connect(server);
        }
        act(until);
    }

    /** Whether all its complaints are false by their signatures alone. */
    public boolean slanders() {
        return kind == Kind.SLANDERING;
    }

    public boolean owns(ConnectionId connection) {
        return open.containsKey(connection);
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

    private void attack(ConnectionId connection) {
        switch (kind) {
            case EQUIVOCATING ->
                send(
                        connection,
                        request(self, number / REPEATED, 1 + power.chance().index(3)));
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
            case COMPLAINING -> complain(connection, lies.any());
            case SLANDERING -> slander(connection);
            case INSPECTING -> inspect(connection, FLOOD);
            case FUZZING_FIELDS -> fuzz(connection);
            case BAD_TAGS, CHURNING ->
                tagged.next(connection, number + 2).forEach(wire -> lines.toServer(connection, wire));
            case BODYGUARDED -> contradict(connection);
        }
    }

    private int server(ConnectionId connection) {
        return open.getOrDefault(connection, 0);
    }

    private void contradict(ConnectionId connection) {
        if (number >= GUARDED) {
            long place = TaggedForgeries.HONEST + (number - GUARDED) / REPEATED;
            Signed<ClientSigned> update = request(self, place, 1 + server(connection) % 2);
            send(connection, power.chance().happens(0.2) ? Colluder.forged(power, update) : update);
        }
    }

    /** Each server enters the same requests, so that there are genuine answers of all of them. */
    private Signed<ClientSigned> next() {
        return request(self, number / REPEATED, 1);
    }

    private void complain(ConnectionId connection, Optional<Evidence> lie) {
        send(connection, next());
        lie.ifPresent(evidence ->
                lines.toServer(connection, Wire.of(power.sealer().seal(new Complain(self, ++nonce, evidence)))));
    }

    private void fuzz(ConnectionId connection) {
        FuzzedCalls calls = fuzzed == null ? new FuzzedCalls(power) : fuzzed;
        fuzzed = calls;
        Signed<Request> due = update(1 + number / REPEATED, 1);
        lines.toServer(connection, Wire.of(due));
        calls.request(due);
        if (!answers.isEmpty()) {
            Answer answer = power.chance().pick(answers);
            calls.answer(answer.response(), question(answer, 1));
        }
        lies.any().ifPresent(calls::evidence);
        for (int i = 0; i < FUZZED; i++) {
            calls.any().ifPresent(bytes -> lines.toServer(connection, new Wire(bytes)));
        }
    }

    private void slander(ConnectionId connection) {
        if (number < GATHERED) {
            inspect(connection, 2);
        } else {
            complain(connection, voices.any());
        }
    }

    private void inspect(ConnectionId connection, int times) {
        send(connection, next());
        List<AskStanding.Named> named = List.of(new AskStanding.Named(number / REPEATED, Hash.ZERO));
        for (int i = 0; i < times; i++) {
            lines.toServer(connection, Wire.of(power.sealer().seal(new AskStanding(self, ++nonce, named))));
            if (!answers.isEmpty()) {
                Answer answer = power.chance().pick(answers);
                Question question = question(answer, power.chance().happens(0.8) ? 1 : 2);
                lines.toServer(
                        connection,
                        Wire.of(power.sealer().seal(new Inspect(self, ++nonce, answer.response(), question))));
            }
        }
    }

    private Question question(Answer answer, int amount) {
        return Question.of(update(answer.response().message().reference(), amount));
    }

    private Signed<Request> update(long place, int amount) {
        return power.sealer()
                .seal(new Request(
                        self,
                        place,
                        "counter/bad",
                        DataTypes.PN_COUNTER.name(),
                        Operation.of("increment", Value.of(amount))));
    }

    private void send(ConnectionId connection, Signed<ClientSigned> signed) {
        lines.toServer(connection, Wire.of(signed));
    }

    private Message question() {
        return power.chance().happens(0.5)
                ? new Read(
                        1 + number,
                        "counter/all",
                        DataTypes.PN_COUNTER.name(),
                        power.chance().happens(0.5),
                        CertificateNumber.NONE)
                : new GetCertificate(new CertificateNumber(power.chance().between(0, 100)));
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
    public void connected(ConnectionId connection) {
        if (kind == Kind.BAD_TAGS || kind == Kind.CHURNING) {
            lines.toServer(connection, tagged.open(connection, server(connection), number + 1));
            return;
        }
        ClientId name = kind == Kind.FORGING && power.chance().happens(0.2) && !others.isEmpty()
                ? power.chance().pick(others)
                : self;
        send(connection, power.sealer().<ClientSigned>seal(new OpenSession(name, ++session, 0)));
    }

    @Override
    public void frame(ConnectionId connection, Wire wire) {
        if (CURIOUS.contains(kind)
                && wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                && accepted.value() instanceof Frame.Plain plain
                && plain.message() instanceof Answer answer
                && answer.response().message().dot() != null
                && answer.response().message().reference() != 0) {
            learn(answer);
        }
        if (kind == Kind.SLANDERING
                && wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                && accepted.value() instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof InspectReply reply) {
            voices.reply(new Signed<>(
                    reply, sealed.signed().payload(), sealed.signed().signature()));
        }
    }

    private void learn(Answer answer) {
        power.chance().keep(answers, answer, REMEMBERED);
        lies.answer(answer.response(), question(answer, 1));
        voices.answer(answer.response(), question(answer, 1));
        Certificate certificate = answer.certificate();
        if (certificate != null) {
            lies.certificate(certificate);
        }
    }

    @Override
    public void closed(ConnectionId connection) {
        Integer server = open.remove(connection);
        tagged.closed(connection);
        if (server != null && !stopped) {
            timeline.after(PAUSE, () -> connect(server));
        }
    }
}
