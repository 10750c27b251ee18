package org.aspas.client.core;

import java.util.ArrayDeque;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.Failure.NotVerified;
import org.jspecify.annotations.Nullable;

/** The session with the present server (the protocol page, docs/protocol.md §3): how far it is, and its signed records. */
public final class ServerSession {
    private enum State {
        DOWN,
        GREETING,
        /** Greeted: the session record is on its way, and nothing else is sent before its answer. */
        OPENING,
        /** The session is open, after a switch: the server does not hold the newest certificate that this client knows yet. */
        CATCHING_UP,
        UP,
        ENDED
    }

    private final Identity self;
    private final ResponseCheck check;
    private final Servers servers;
    private final SessionTagger tagger;
    private final Step step;
    private final ArrayDeque<Signed<ClientSigned>> openings = new ArrayDeque<>();
    private State state = State.DOWN;
    private long next = 1;
    /** When the key of its tags was made, in milliseconds of the core's time. */
    private long openedAt;
    /** The certificate that the server must hold before this client goes on there; 0 for any. */
    private CertificateNumber awaited = CertificateNumber.NONE;
    /** Whether the client has turned to this server and has given it nothing yet. */
    private boolean switched;
    /** Whether any server has ever opened a session. */
    private boolean everOpen;

    public ServerSession(Identity self, Servers servers, ResponseCheck check, SessionTagger tagger, Step step) {
        this.servers = servers;
        this.tagger = tagger;
        this.self = self;
        this.check = check;
        this.step = step;
    }

    /** Whether the server is given requests. */
    public boolean up() {
        return state == State.UP;
    }

    /** Whether the session is open, and the server is behind what this client saw certified. */
    public boolean catchingUp() {
        return state == State.CATCHING_UP;
    }

    public boolean greeted() {
        return state == State.OPENING || state == State.CATCHING_UP || state == State.UP;
    }

    boolean awaitsGreeting() {
        return state == State.GREETING;
    }

    boolean everOpen() {
        return everOpen;
    }

    public boolean ended() {
        return state == State.ENDED;
    }

    public void connected() {
        state = State.GREETING;
    }

    public void disconnected() {
        state = State.DOWN;
        openings.clear();
        tagger.disconnected();
        check.disconnected();
    }

    public void end() {
        state = State.ENDED;
    }

    /** The client turns to another server, which is of use only when it holds this certificate. */
    public void await(CertificateNumber certificate) {
        awaited = certificate;
        switched = true;
    }

    /** The server has greeted as the right one. */
    void begin(long tolerance) {
        state = State.OPENING;
        open(tolerance);
    }

    /** Time has passed: a session that is old gets a new key for its tags. */
    public void tick(long tolerance) {
        if (state == State.UP && openings.isEmpty() && tagger.isOld(step.now() - openedAt)) {
            open(tolerance);
        }
    }

    /** Signs and sends a session record with this τ and a new key, under the next number. */
    public void open(long tolerance) {
        openedAt = step.now();
        Signed<ClientSigned> signed =
                self.<ClientSigned>sign(new OpenSession(self.id(), next++, tolerance, tagger.offer(servers.current())));
        tagger.opening(signed);
        openings.add(signed);
        step.send(signed);
    }

    /** Takes the answer to the oldest session record; whether it is right. {@code finding} is of the common checks. */
    boolean opened(Response response, @Nullable NotVerified finding) {
        Signed<ClientSigned> opening = openings.poll();
        NotVerified wrong = finding;
        if (wrong == null) {
            wrong = opening == null
                    ? new NotVerified(Check.ADDRESS, "an answer to a session record that was never sent")
                    : check.entry(response, opening).orElse(null);
        }
        if (wrong != null) {
            step.notVerified(wrong);
        } else if (opening != null && opening.message() instanceof OpenSession record) {
            tagger.opened(opening);
            step.notice(new Notice.SessionOpened(record.number(), record.tolerance()));
            state = state == State.OPENING ? State.CATCHING_UP : state;
            everOpen = true;
            return true;
        }
        return false;
    }

    /**
     * The server names this certificate. With the awaited one it knows all that this client saw certified.
     *
     * @return whether the session is up by this
     */
    boolean caughtUp(CertificateNumber certificate) {
        if (state != State.CATCHING_UP || awaited.isAfter(certificate)) {
            return false;
        }
        state = State.UP;
        awaited = CertificateNumber.NONE;
        return true;
    }

    /** Whether the client has turned to this server since the last call. */
    boolean takeSwitched() {
        boolean taken = switched;
        switched = false;
        return taken;
    }
}
