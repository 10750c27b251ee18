package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.ScriptedServer;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** A core and a scripted server with the wire between them, which a test can hold back and change. */
final class ScriptedSession {
    static final Hash DEPLOYMENT = Hash.sha256(new byte[] {7});
    static final SigningKey CLIENT_KEY = ScriptedServer.key(1);
    static final ClientId CLIENT = new ClientId(CLIENT_KEY.publicKey());
    static final ClientSettings.Bounds BOUNDS = new ClientSettings.Bounds(1000, 100, 100, 100, 512, 4096, 1000);

    final ScriptedServer server = new ScriptedServer(DEPLOYMENT);
    final ClientCore core;
    final List<Effect> effects = new ArrayList<>();
    final ArrayDeque<Frame> toServer = new ArrayDeque<>();
    UnaryOperator<Message> liar = message -> message;
    /** Whether records are durable only when the test says so. */
    boolean slowDisk;

    private final ArrayDeque<Ticket> writing = new ArrayDeque<>();
    private long calls;
    int highestUnconfirmed;

    ScriptedSession(long tolerance) {
        this(tolerance, BOUNDS, ClientState.FRESH, false);
    }

    ScriptedSession(long tolerance, ClientSettings.Bounds bounds, ClientState record, boolean persistent) {
        this(tolerance, bounds, record, persistent, Tagging.NONE);
    }

    ScriptedSession(
            long tolerance, ClientSettings.Bounds bounds, ClientState record, boolean persistent, Tagging tagging) {
        ClientSettings settings = new ClientSettings(
                new Verifier(DEPLOYMENT),
                ScriptedServer.judge(DEPLOYMENT),
                ScriptedServer.QUORUMS,
                ScriptedServer.serverPublicKeys(),
                0,
                new ClientId(CLIENT_KEY.publicKey(), 0, record.unconfirmed().size()),
                bounds,
                Policy.STAY,
                persistent,
                tagging);
        core = new ClientCore(
                settings,
                new Sealer(CLIENT_KEY, DEPLOYMENT),
                server.certificateCheck(),
                record,
                tolerance,
                new SplittableRandom(1));
    }

    static ScriptedSession connected(long tolerance) {
        ScriptedSession session = new ScriptedSession(tolerance);
        session.connect();
        return session;
    }

    void connect() {
        toServer.clear();
        step(new Event.Connected());
        push(server.hello());
        serve();
    }

    void step(Event event) {
        List<Effect> now = core.step(event);
        effects.addAll(now);
        for (Effect effect : now) {
            if (effect instanceof Effect.Send send) {
                toServer.add(overTheWire(send.frame()));
            } else if (effect instanceof Effect.Persist persist) {
                writing.add(persist.ticket());
            }
        }
        if (!slowDisk) {
            recordDurable();
        }
        highestUnconfirmed = Math.max(highestUnconfirmed, core.unconfirmed());
    }

    /** What is being written is durable. */
    void recordDurable() {
        while (!writing.isEmpty()) {
            step(new Event.Persisted(writing.remove()));
        }
    }

    /** The server answers all that is on its way. */
    void serve() {
        while (!toServer.isEmpty()) {
            push(liar.apply(server.serve(toServer.remove())));
        }
    }

    void push(Message message) {
        step(new Event.FrameReceived(overTheWire(new Frame.Plain(message))));
    }

    void certify() {
        server.certify();
        server.confirmations().forEach(one -> push(liar.apply(one)));
    }

    private static Frame overTheWire(Frame frame) {
        Decoded<Frame> decoded = Codec.decode(Codec.encode(frame));
        assertThat(decoded).isInstanceOf(Decoded.Accepted.class);
        return decoded.accepted().orElseThrow();
    }

    CallId increment(String key) {
        step(new Event.Update(new CallId(++calls), key, "pn-counter", Operation.of("increment", Value.of(1))));
        return new CallId(calls);
    }

    CallId add(String key) {
        step(new Event.Update(new CallId(++calls), key, "aw-set", Operation.of("add", Value.of("x"))));
        return new CallId(calls);
    }

    CallId read(String key, boolean certified) {
        step(new Event.ReadAsked(new CallId(++calls), key, "pn-counter", certified));
        return new CallId(calls);
    }

    <E extends Effect> List<E> seen(Class<E> type) {
        return effects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<CallId> answered() {
        return seen(Effect.Answered.class).stream().map(Effect.Answered::call).toList();
    }

    List<CallId> confirmed() {
        return seen(Effect.Confirmed.class).stream().map(Effect.Confirmed::call).toList();
    }

    Failure failure(CallId call) {
        return seen(Effect.Failed.class).stream()
                .filter(failed -> failed.call().equals(call))
                .map(Effect.Failed::failure)
                .findFirst()
                .orElseThrow(() -> new AssertionError("call " + call + " did not fail: " + effects));
    }

    /** Why the application was told that an update may take effect although something went wrong. */
    Failure doubt(CallId call) {
        assertThat(seen(Effect.Failed.class)).noneMatch(failed -> failed.call().equals(call));
        return seen(Effect.MayTakeEffect.class).stream()
                .filter(doubtful -> doubtful.call().equals(call))
                .map(Effect.MayTakeEffect::why)
                .findFirst()
                .orElseThrow(() -> new AssertionError("call " + call + " is not in doubt: " + effects));
    }

    /** The call failed with this check, or is in doubt for it, and the application was told. */
    void assertNotVerified(CallId call, Check check) {
        boolean update = seen(Effect.Entered.class).stream()
                .anyMatch(entered -> entered.call().equals(call));
        assertThat(update ? doubt(call) : failure(call))
                .isInstanceOfSatisfying(
                        Failure.NotVerified.class,
                        failure -> assertThat(failure.check()).isEqualTo(check));
        assertThat(core.verificationFailures()).isEqualTo(1);
        assertThat(effects)
                .anyMatch(effect -> effect instanceof Effect.Noticed noticed
                        && noticed.notice() instanceof Notice.VerificationFailed failed
                        && failed.check() == check);
    }
}
