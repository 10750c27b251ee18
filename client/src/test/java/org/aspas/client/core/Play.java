package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.ScriptedServer;
import org.aspas.client.ScriptedWorld;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A core among four scripted servers, in virtual time. What is on its way arrives in an order drawn from a seed, and so does
 * the word that a record is durable.
 */
final class Play {
    static final Policy POLICY = new Policy(true, 1_000, 2_000, 0, 0, 0);
    static final long TICK = 250;
    private static final int MOST_STEPS = 20_000;

    final ScriptedWorld world = new ScriptedWorld(ScriptedSession.DEPLOYMENT, ScriptedSession.CLIENT);
    final ClientCore core;
    final List<Effect> effects = new ArrayList<>();
    final List<ClientEvent> events = new ArrayList<>();
    final Set<Integer> down = new HashSet<>();
    final Set<Integer> strict = new HashSet<>();
    /** The servers that greet for another deployment. */
    final Set<Integer> strangers = new HashSet<>();
    /** What the servers say instead of what the scripted ones would. */
    final Map<Integer, UnaryOperator<Message>> liars = new HashMap<>();

    /** How many more questions for a standing the client's own server answers. */
    int standings = Integer.MAX_VALUE;

    /** Whether the client's own server says its word first wherever another one is asked for its standing. */
    boolean ownIsWitness;

    private final Random order;
    /** How long every server takes for every frame. */
    long delayMillis;
    /** How long some servers take for every frame. */
    final Map<Integer, Long> delays = new HashMap<>();
    /** How long some servers take for every frame of a session, but not for other questions. */
    final Map<Integer, Long> sessionDelays = new HashMap<>();

    private final ArrayDeque<Timed> toServer = new ArrayDeque<>();
    private final ArrayDeque<Timed> questions = new ArrayDeque<>();
    private final ArrayList<Runnable> aside = new ArrayList<>();
    private boolean connecting = true;
    private boolean dropped;
    private long now;
    private long calls;
    private Ticket durable = Ticket.NONE;
    private ClientState record = ClientState.FRESH;

    /** A frame on its way to a server since a moment. */
    private record Timed(int server, Frame frame, long at) {}

    Play(Policy policy, long tolerance, long seed) {
        this(policy, tolerance, seed, ClientState.FRESH);
    }

    Play(Policy policy, long tolerance, long seed, ClientState record) {
        this(policy, tolerance, seed, record, 1_000);
    }

    Play(Policy policy, long tolerance, long seed, ClientState record, int unconfirmed) {
        order = new Random(seed);
        this.record = record;
        ClientSettings settings = new ClientSettings(
                new Verifier(ScriptedSession.DEPLOYMENT),
                ScriptedServer.judge(ScriptedSession.DEPLOYMENT),
                ScriptedServer.QUORUMS,
                ScriptedServer.serverPublicKeys(),
                0,
                ScriptedSession.CLIENT,
                new ClientSettings.Bounds(unconfirmed, 100, 1000, 100, 512, 4096, 60_000),
                policy,
                true,
                TaggingTest.tagging());
        core = new ClientCore(
                settings,
                new Sealer(ScriptedSession.CLIENT_KEY, ScriptedSession.DEPLOYMENT),
                ScriptedServer.certificateCheck(ScriptedSession.DEPLOYMENT),
                record,
                tolerance,
                new SplittableRandom(seed));
    }

    ScriptedWorld.Server own() {
        return world.servers.get(core.server());
    }

    void step(Event event) {
        for (Effect effect : core.step(event)) {
            effects.add(effect);
            if (effect instanceof Effect.Send send) {
                assertDurable(send.frame());
                toServer.add(new Timed(core.server(), overTheWire(send.frame()), now));
            } else if (effect instanceof Effect.Persist persist) {
                aside.add(() -> durable(persist));
            } else if (effect instanceof Effect.ToServer other) {
                questions.add(new Timed(other.server(), overTheWire(other.frame()), now));
            } else if (effect instanceof Effect.TurnTo) {
                toServer.clear();
                connecting = true;
            } else if (effect instanceof Effect.Reconnect) {
                dropped = true;
            } else if (effect instanceof Effect.Happened happened) {
                events.add(happened.event());
            }
        }
    }

    private void durable(Effect.Persist persist) {
        if (persist.ticket().value() > durable.value()) {
            durable = persist.ticket();
            record = persist.record();
        }
        step(new Event.Persisted(persist.ticket()));
    }

    private void assertDurable(Frame frame) {
        if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Request request) {
            assertThat(record.unconfirmed())
                    .as("request in the record")
                    .anyMatch(one -> one.message().equals(request));
        }
    }

    private void ask(int server, Frame frame) {
        boolean standing =
                frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof AskStanding;
        if (server == core.server() && standing && standings-- <= 0) {
            return;
        }
        if (ownIsWitness && standing && server != core.server()) {
            int own = core.server();
            world.servers
                    .get(own)
                    .ask(frame)
                    .forEach(reply -> step(new Event.FromServer(own, overTheWire(new Frame.Sealed(reply)))));
        }
        if (!down.contains(server)) {
            world.servers
                    .get(server)
                    .ask(frame)
                    .forEach(reply ->
                            aside.add(() -> step(new Event.FromServer(server, overTheWire(new Frame.Sealed(reply))))));
        }
    }

    /** Lets everything arrive, and what follows from it. */
    void settle() {
        int steps = 0;
        while (connecting || due(toServer, sessionDelays) || due(questions, delays) || !aside.isEmpty()) {
            if (++steps > MOST_STEPS) {
                throw new AssertionError("it does not come to rest: " + events);
            }
            if (connecting) {
                connect();
            } else if (due(questions, delays)) {
                Timed question = questions.remove();
                aside.add(() -> ask(question.server(), question.frame()));
            } else if (aside.isEmpty() || (due(toServer, sessionDelays) && order.nextBoolean())) {
                Frame frame = toServer.remove().frame();
                int server = core.server();
                for (Message message : strict.contains(server) ? refuse() : own().serve(frame)) {
                    if (core.server() == server && !connecting) {
                        push(said(message));
                    }
                }
            } else {
                aside.remove(order.nextInt(aside.size())).run();
            }
        }
    }

    private boolean due(ArrayDeque<Timed> frames, Map<Integer, Long> some) {
        if (frames.isEmpty()) {
            return false;
        }
        int server = frames.element().server();
        long delay = some.getOrDefault(server, delays.getOrDefault(server, delayMillis));
        return frames.element().at() + delay <= now;
    }

    private Message said(Message message) {
        return liars.getOrDefault(core.server(), UnaryOperator.identity()).apply(message);
    }

    private static List<Message> refuse() {
        return List.of(new Refusal(0, false, Refusal.Reason.UNKNOWN_CLIENT, "not admitted"));
    }

    private void connect() {
        connecting = false;
        toServer.clear();
        if (down.contains(core.server())) {
            step(new Event.Disconnected("down"));
        } else {
            step(new Event.Connected());
            push(
                    strangers.contains(core.server())
                            ? new Hello(Hash.sha256(new byte[] {9}), core.server())
                            : own().hello());
        }
    }

    /** The connection breaks and is made again. */
    void cut() {
        toServer.clear();
        step(new Event.Disconnected("cut"));
        connecting = true;
    }

    void push(Message message) {
        step(new Event.FrameReceived(overTheWire(new Frame.Plain(message))));
    }

    void tick() {
        now += TICK;
        if (dropped) {
            dropped = false;
            cut();
        }
        step(new Event.Tick(now));
        settle();
    }

    void pass(long millis) {
        for (long passed = 0; passed < millis; passed += TICK) {
            tick();
        }
    }

    /** One certificate, told by the client's server. */
    void certify() {
        world.spread();
        world.certify();
        if (!connecting && !down.contains(core.server())) {
            own().confirmation().ifPresent(this::push);
        }
        settle();
    }

    private static Frame overTheWire(Frame frame) {
        return Codec.decode(Codec.encode(frame)).accepted().orElseThrow();
    }

    CallId increment(String key) {
        step(new Event.Update(new CallId(++calls), key, "pn-counter", Operation.of("increment", Value.of(1))));
        return new CallId(calls);
    }

    CallId read(String key, boolean certified) {
        step(new Event.ReadAsked(new CallId(++calls), key, "pn-counter", certified));
        return new CallId(calls);
    }

    <E extends Effect> List<E> seen(Class<E> type) {
        return effects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <E extends ClientEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<CallId> answered() {
        return seen(Effect.Answered.class).stream().map(Effect.Answered::call).toList();
    }

    List<CallId> confirmed() {
        return seen(Effect.Confirmed.class).stream().map(Effect.Confirmed::call).toList();
    }

    ClientEvent.Why why() {
        return events(ClientEvent.Switched.class).get(0).why();
    }
}
