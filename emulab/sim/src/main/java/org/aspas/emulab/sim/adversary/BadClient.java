package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ClientLines;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/** A Byzantine client: connected to every appserver at once, it follows no protocol. Its key is its own. */
public final class BadClient implements ClientLines.Caller {
    enum Attack {
        EQUIVOCATING(
                "client-equivocating", "signs two updates under one number, and gives them to different appservers"),
        FLOODING("client-flooding", "sends more than anybody should"),
        GARBAGE("client-garbage", "sends bytes that are no frame, and changed frames"),
        COMPLAINING("client-complaining", "complains of correct parties with evidence that proves nothing"),
        /** Servers are to see that, and to refuse it for a while. */
        SLANDERING("client-slandering", "complains with replies to inspections that no f+1 servers signed"),
        INSPECTING("client-inspecting", "asks for inspections and standings without end"),
        FUZZING_FIELDS("client-fuzzing-fields", "changes fields of all that a client can send, and signs again"),
        BAD_TAGS("client-bad-tags", "sends updates whose tags are wrong for some appservers"),
        CHURNING(
                "client-session-churn",
                "opens sessions with new shares without end, also two under one number, and of other homes"),
        /** Its server and it are one role, so that they work together. */
        BODYGUARDED(ServerRoles.BODYGUARD, "signs two contents under numbers that its server guards"),
        FORGING(
                "client-forging",
                "sends requests in the name of others, with gaps, of wrong type, with numbers used before");

        private final String role;
        private final String line;

        Attack(String role, String line) {
            this.role = role;
            this.line = line;
        }

        String role() {
            return role;
        }

        /** What such a client does, for people. */
        String line() {
            return line;
        }
    }

    private static final Set<Attack> CURIOUS =
            EnumSet.of(Attack.FUZZING_FIELDS, Attack.COMPLAINING, Attack.INSPECTING, Attack.SLANDERING);
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

    private final AdversaryContext context;
    private final Attack attack;
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

    BadClient(AdversaryContext context, Attack attack, Timeline timeline, ClientLines lines, List<ClientId> others) {
        this.context = context;
        this.attack = attack;
        this.timeline = timeline;
        this.lines = lines;
        this.others = List.copyOf(others);
        this.tagged = new TaggedCalls(context, attack == Attack.CHURNING);
        this.lies = new FalseEvidence(context);
        this.voices = new FalseVoices(context);
        this.self = new ClientId(context.sealer().publicKey());
    }

    /** Begins, and goes on until a moment. */
    public void start(long until) {
        for (int server = 0; server < context.quorums().appservers(); server++) {
            connect(server);
        }
        act(until);
    }

    /** Whether all its complaints are false by their signatures alone. */
    public boolean slanders() {
        return attack == Attack.SLANDERING;
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
        switch (attack) {
            case EQUIVOCATING ->
                send(
                        connection,
                        update(1 + number / REPEATED, 1 + context.chance().index(3)));
            case FLOODING -> {
                for (int i = 0; i < FLOOD; i++) {
                    lines.toServer(connection, Wire.of(question()));
                    send(connection, update(1 + number * FLOOD + i, 1));
                }
            }
            case GARBAGE -> {
                Signed<Request> right = context.sealer().seal(update(1 + number, 1));
                byte[] bytes = context.chance().happens(0.5)
                        ? context.chance().bytes(1 + context.chance().index(300))
                        : Noise.mutated(context, Codec.encode(right));
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
            long place = 1 + ForgedLog.TaggedForgeries.HONEST + (number - GUARDED) / REPEATED;
            Signed<Request> update = context.sealer().seal(update(place, 1 + server(connection) % 2));
            send(connection, context.chance().happens(0.2) ? Colluder.forged(context, update) : update);
        }
    }

    /** Each server enters the same requests, so that there are genuine answers of all of them. */
    private Request next() {
        return update(1 + number / REPEATED, 1);
    }

    private void complain(ConnectionId connection, Optional<Evidence> lie) {
        send(connection, next());
        lie.ifPresent(evidence -> send(connection, new Complain(self, ++nonce, evidence)));
    }

    private void fuzz(ConnectionId connection) {
        FuzzedCalls calls = fuzzed == null ? new FuzzedCalls(context) : fuzzed;
        fuzzed = calls;
        Signed<Request> due = context.sealer().seal(next());
        send(connection, due);
        calls.request(due);
        if (!answers.isEmpty()) {
            Answer answer = context.chance().pick(answers);
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
            send(connection, new AskStanding(self, ++nonce, named));
            if (!answers.isEmpty()) {
                Answer answer = context.chance().pick(answers);
                Question question = question(answer, context.chance().happens(0.8) ? 1 : 2);
                send(connection, new Inspect(self, ++nonce, answer.response(), question));
            }
        }
    }

    private Question question(Answer answer, int amount) {
        long reference = answer.response().message().reference();
        return Question.of(context.sealer().seal(update(reference, amount)));
    }

    private void send(ConnectionId connection, Signed<? extends Message> signed) {
        lines.toServer(connection, Wire.of(signed));
    }

    private void send(ConnectionId connection, Message message) {
        send(connection, context.sealer().seal(message));
    }

    private Message question() {
        return context.chance().happens(0.5)
                ? new Read(
                        1 + number,
                        "counter/all",
                        DataTypes.PN_COUNTER.name(),
                        context.chance().happens(0.5),
                        CertificateNumber.NONE)
                : new GetCertificate(new CertificateNumber(context.chance().between(0, 100)));
    }

    private Request update(long number, int amount) {
        return Colluder.increment(self, number, "counter/bad", amount);
    }

    private Message forged() {
        ClientId victim = others.isEmpty() ? self : context.chance().pick(others);
        return switch (context.chance().index(5)) {
            case 0 -> Colluder.increment(victim, context.chance().between(1, 21), "counter/bad", 1);
            case 1 -> new OpenSession(victim, Long.MAX_VALUE / 4, 1);
            case 2 -> update(number + context.chance().between(2, 1_001), 1);
            case 3 -> Colluder.increment(self, number + 1, "set/all", 1);
            default -> update(context.chance().between(1, number + 1), 2);
        };
    }

    @Override
    public void connected(ConnectionId connection) {
        if (attack == Attack.BAD_TAGS || attack == Attack.CHURNING) {
            lines.toServer(connection, tagged.open(connection, server(connection), number + 1));
            return;
        }
        ClientId name = attack == Attack.FORGING && context.chance().happens(0.2) && !others.isEmpty()
                ? context.chance().pick(others)
                : self;
        send(connection, new OpenSession(name, ++session, 0));
    }

    @Override
    public void frame(ConnectionId connection, Wire wire) {
        Frame frame = wire.command().frame().orElse(null);
        if (frame == null) {
            return;
        }
        if (CURIOUS.contains(attack)
                && frame.message() instanceof Answer answer
                && answer.response().message().dot() != null
                && answer.response().message().reference() != 0) {
            learn(answer);
        }
        if (attack == Attack.SLANDERING && frame instanceof Frame.Sealed sealed) {
            sealed.signed().as(InspectReply.class).ifPresent(voices::reply);
        }
    }

    private void learn(Answer answer) {
        context.chance().keep(answers, answer, REMEMBERED);
        lies.answer(answer.response(), question(answer, 1));
        voices.answer(answer.response(), question(answer, 1));
        lies.certificate(answer.certificate());
    }

    @Override
    public void closed(ConnectionId connection) {
        Integer server = open.remove(connection);
        tagged.closed(connection);
        if (server != null && !stopped) {
            timeline.after(PAUSE, () -> connect(server));
        }
    }

    /**
     * What a Byzantine client does with tags: it spoils those for some appservers; or it opens sessions with new shares for a few requests each, also
     * two under one number, and some that name another home.
     */
    private static final class TaggedCalls {
        /** What it is on one connection. */
        private final class Session {
            final int server;
            final Colluder client;
            long number;

            Session(int server, long start, long salt) {
                this.server = server;
                this.client = new Colluder(
                        context, context.sealer(), new ClientId(context.sealer().publicKey(), start, salt));
            }
        }

        private final AdversaryContext context;
        private final boolean churning;
        private final Set<Integer> spoiled = new TreeSet<>();
        private final boolean anew;
        private final Map<ConnectionId, Session> sessions = new TreeMap<>();
        private long starts;

        TaggedCalls(AdversaryContext context, boolean churning) {
            this.context = context;
            this.churning = churning;
            int servers = context.quorums().appservers();
            int count = context.chance().pick(List.of(context.quorums().f(), servers));
            this.anew = context.chance().happens(0.3);
            while (spoiled.size() < count) {
                spoiled.add(context.chance().index(servers));
            }
        }

        /** Whoever churns is one start at every second server, and another one at each of the others. */
        private Session session(ConnectionId connection, int server) {
            boolean twin = churning && server % 2 == 1;
            return sessions.computeIfAbsent(
                    connection, any -> new Session(server, twin ? 1 : ++starts, twin ? 0 : 1 + server));
        }

        /** The first session on a connection to a server. */
        Wire open(ConnectionId connection, int server, long session) {
            return Wire.of(session(connection, server).client.open(session, server));
        }

        void closed(ConnectionId connection) {
            sessions.remove(connection);
        }

        /** The next frames on a connection; at the same time the same number for a session is given for all. */
        List<Wire> next(ConnectionId connection, long session) {
            Session own = sessions.get(connection);
            if (own == null) {
                return List.of();
            }
            long due = ++own.number; // Each update is given twice: the server may have been busy.
            return churning
                    ? List.of(Wire.of(own.client.open(session, home(own))), update(own, due), update(own, due + 1))
                    : List.of(update(own, due), update(own, due + 1));
        }

        private int home(Session own) {
            return context.chance().happens(0.2)
                    ? context.chance().index(context.quorums().appservers() + 1)
                    : own.server;
        }

        private Wire update(Session own, long number) {
            Signed<ClientSigned> update = own.client.update(number, 1);
            byte[] tags = own.client.tags(update);
            for (int at = 0; !churning && at < tags.length / TaggedRequest.TAG_BYTES; at++) {
                if (anew ? context.chance().happens(0.5) : spoiled.contains(at)) {
                    tags[at * TaggedRequest.TAG_BYTES] ^= 1;
                }
            }
            return Wire.of(new Frame.Sealed(update, tags));
        }
    }

    /** What a client can send, with changed fields, signed again with its own key. */
    private static final class FuzzedCalls {
        private static final Set<Kind> KINDS = EnumSet.of(
                Kind.REQUEST,
                Kind.TAGGED_REQUEST,
                Kind.OPEN_SESSION,
                Kind.READ,
                Kind.GET_CERTIFICATE,
                Kind.ASK_STANDING,
                Kind.INSPECT,
                Kind.COMPLAIN);

        private final AdversaryContext context;
        private final ClientId self;
        private final FrameFuzzer frames;
        private long nonce;

        FuzzedCalls(AdversaryContext context) {
            this.context = context;
            this.self = new ClientId(context.sealer().publicKey());
            this.frames = new FrameFuzzer(context, self);
            learn(new Read(1, "counter/all", DataTypes.PN_COUNTER.name(), true, CertificateNumber.FIRST));
            part(ReadPart.element(Value.of("element 1")));
            part(ReadPart.page(Hash.ZERO, CertificateNumber.FIRST));
            learn(new GetCertificate(CertificateNumber.FIRST));
            learn(new OpenSession(self, 2, 4));
            AgreementShare share = AgreementShare.of(context.chance().bytes(AgreementShare.LENGTH));
            learn(new OpenSession(self, 3, 4, new OpenSession.Share(share, 0)));
        }

        private void part(ReadPart part) {
            learn(new Read(++nonce, "set/all", DataTypes.AW_SET.name(), true, CertificateNumber.FIRST, part));
        }

        private void learn(Message message) {
            frames.learn(context.frame(message));
        }

        /** Learns a request of this client. */
        void request(Signed<Request> request) {
            frames.learn(new Frame.Sealed(request));
            int tags = context.quorums().appservers() * TaggedRequest.TAG_BYTES;
            frames.learn(new Frame.Sealed(request, context.chance().bytes(tags)));
            learn(new AskStanding(
                    self,
                    ++nonce,
                    List.of(new AskStanding.Named(request.message().number(), request.identity()))));
        }

        /** Learns what a server answered to a request, or to a read. */
        void answer(Signed<Response> response, Question question) {
            learn(new Inspect(self, ++nonce, response, question));
            Read read = new Read(++nonce, "counter/bad", DataTypes.PN_COUNTER.name(), false, CertificateNumber.NONE);
            learn(new Inspect(self, ++nonce, response, Question.of(read)));
        }

        /** Learns something to complain with. */
        void evidence(Evidence evidence) {
            learn(new Complain(self, ++nonce, evidence));
        }

        Optional<byte[]> any() {
            return frames.any(KINDS);
        }
    }

    /**
     * Makes WRONG_ANSWER evidence that is false by its signatures alone, whoever the accused is: fewer than f+1 genuine replies of
     * servers that call the answer wrong, alone, or among replies that the liar signed in the names of the others.
     */
    private static final class FalseVoices {
        private static final int REMEMBERED = 40;

        private final AdversaryContext context;
        private final List<FalseEvidence.Asked> answers = new ArrayList<>();
        private final List<Signed<InspectReply>> voices = new ArrayList<>();

        FalseVoices(AdversaryContext context) {
            this.context = context;
        }

        /** Learns an answer. */
        void answer(Signed<Response> response, Question question) {
            context.chance().keep(answers, new FalseEvidence.Asked(response, question), REMEMBERED);
        }

        /** Learns what a server that inspected found. */
        void reply(Signed<InspectReply> signed) {
            if (signed.message().outcome() == Outcome.DIFFERS) {
                context.chance().keep(voices, signed, REMEMBERED);
            }
        }

        /** Some false evidence, if there is an answer to make it of. */
        Optional<Evidence> any() {
            if (answers.isEmpty()) {
                return Optional.empty();
            }
            FalseEvidence.Asked asked = context.chance().pick(answers);
            boolean alone = context.chance().happens(0.3);
            TreeMap<Integer, Signed<InspectReply>> replies = genuine(asked);
            for (int server = 0; !alone && server < context.quorums().appservers(); server++) {
                if (server != asked.response().message().server()) {
                    replies.putIfAbsent(server, forged(asked, server));
                }
            }
            return Optional.of(new WrongAnswer(asked.response(), asked.question(), List.copyOf(replies.values())));
        }

        /** Genuine replies of other servers that call the answer wrong, at most f. */
        private TreeMap<Integer, Signed<InspectReply>> genuine(FalseEvidence.Asked asked) {
            TreeMap<Integer, Signed<InspectReply>> some = new TreeMap<>();
            for (Signed<InspectReply> voice : voices) {
                InspectReply reply = voice.message();
                if (some.size() < context.quorums().oneCorrectAppserver() - 1
                        && reply.answer().equals(asked.response().identity())
                        && reply.server() != asked.response().message().server()) {
                    some.put(reply.server(), voice);
                }
            }
            return some;
        }

        private Signed<InspectReply> forged(FalseEvidence.Asked asked, int server) {
            Response response = asked.response().message();
            return context.sealer()
                    .seal(new InspectReply(
                            server,
                            response.client(),
                            1,
                            asked.response().identity(),
                            response.roots(),
                            Outcome.DIFFERS));
        }
    }
}
