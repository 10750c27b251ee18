package org.aspas.appserver.core.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.Counters;
import org.aspas.appserver.core.Outbox;
import org.aspas.appserver.core.Records;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.broadcast.OriginLog;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.complaint.Inquiries;
import org.aspas.appserver.core.complaint.TokenBucket;
import org.aspas.appserver.core.objects.Counted;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.LogRoots;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.ClientEquivocation;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.GetCertificate;
import org.aspas.certify.message.Hello;
import org.aspas.certify.message.ObjectProof;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Refusal.Reason;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Serves clients: checks what they send, enters it into the own log, answers, and pushes confirmations. */
public final class Sessions {
    /** Stands for the client in the answer to a read on a connection without a session. */
    public static final ClientId ANONYMOUS = new ClientId(PublicKey.of(new byte[PublicKey.LENGTH]));

    private static final int ANSWERS_PER_START_BITS = 40;
    private static final int SESSIONS_OF_A_CLIENT = 2;
    /** How many proofs one confirmation holds at most. */
    private static final int PROOFS_AT_ONCE = 256;
    /** How many reads a connection without a session may make at once, and each second. */
    private static final long READS_AT_ONCE = 100;

    private static final long READS_PER_SECOND = 20;
    /** A read of more bytes counts as several. */
    private static final long BYTES_PER_READ = 16 << 10;
    /** A larger object is not read: its value is not even made. */
    private static final long MOST_READ_BYTES = 4 * ObjectStore.FULL_BYTES;
    /** For how many such connections at that rate the server works at all. */
    private static final long READING_STRANGERS = 20;
    /**
     * After so long without a frame a connection without a session is ended: some time after the client library ends its own
     * short connections.
     */
    private static final long STRANGER_IDLE_MILLIS = 30_000;

    private final CoreSettings settings;
    private final Logs logs;
    private final ObjectStore objects;
    private final Certification certification;
    private final Inquiries inquiries;
    private final Outbox outbox;
    private final Counters counters;
    private final Map<Long, Session> sessions = new TreeMap<>();
    private final Map<ClientId, List<Session>> connected = new HashMap<>();
    private final Map<ClientId, ClientLedger> ledgers = new HashMap<>();
    private final TokenBucket strangerReads = new TokenBucket(
            READS_AT_ONCE * READING_STRANGERS, READS_PER_SECOND * READING_STRANGERS, Long.MIN_VALUE / 2);
    private long firstAnswer;
    private boolean ticked;
    private long now;

    /** No sessions yet. */
    public Sessions(
            CoreSettings settings,
            Logs logs,
            ObjectStore objects,
            Certification certification,
            Inquiries inquiries,
            Outbox outbox,
            Counters counters) {
        this.settings = settings;
        this.logs = logs;
        this.objects = objects;
        this.certification = certification;
        this.inquiries = inquiries;
        this.outbox = outbox;
        this.counters = counters;
    }

    /** Makes the sequence numbers of answers higher than those that were given before this many restarts. */
    public void startedAgain(long starts) {
        firstAnswer = starts << ANSWERS_PER_START_BITS;
    }

    /** The number of connections. */
    public int connections() {
        return sessions.size();
    }

    /** The number of clients that are known. */
    public int clients() {
        return ledgers.size();
    }

    /** Time has passed: whoever opened no session and has asked nothing for long has no more use of the connection. */
    public void tick(long nowMillis) {
        now = nowMillis;
        if (!ticked) {
            // Who came before there was a time is heard now.
            ticked = true;
            sessions.values().forEach(session -> session.heardAt = now);
        }
        List<Session> idle = new ArrayList<>();
        for (Session session : sessions.values()) {
            if (session.client == null && now - session.heardAt >= STRANGER_IDLE_MILLIS) {
                idle.add(session);
            }
        }
        for (Session session : idle) {
            gone(session.connection);
            outbox.close(session.connection, "it has no session, and nothing was asked for long");
            counters.count("idle_strangers_ended");
        }
    }

    /** A frame came that others take. */
    public void heard(long connection) {
        Session session = sessions.get(connection);
        if (session != null) {
            session.heardAt = now;
        }
    }

    /** A client connected. */
    public void opened(long connection) {
        sessions.put(connection, new Session(connection, new TokenBucket(READS_AT_ONCE, READS_PER_SECOND, now), now));
        outbox.client(connection, new Hello(settings.verifier().deployment(), settings.index()));
    }

    /** A connection ended. */
    public void gone(long connection) {
        Session session = sessions.remove(connection);
        if (session != null && session.client != null) {
            List<Session> others = connected.getOrDefault(session.client, List.of());
            if (others.size() <= 1) {
                connected.remove(session.client);
            } else {
                others.remove(session);
            }
        }
    }

    /** Notes a delivered entry of any origin. */
    public void delivered(Entry entry) {
        ClientSigned body = entry.body().message();
        ClientLedger ledger = ledger(body.client());
        boolean own = entry.dot().origin() == settings.index();
        Hash identity = entry.body().identity();
        if (body instanceof Request request) {
            ledger.numbers.add(request.number());
            if (own) {
                ledger.own(request.number(), new ClientLedger.Own(entry.dot().sequence(), identity));
            }
        } else if (body instanceof OpenSession open && open.number() > ledger.session) {
            ledger.session = open.number();
        }
    }

    /** Frees the numbers of revoked entries that no other entry carries. */
    public void revoked(List<Entry> entries) {
        for (Entry entry : entries) {
            if (entry.body().message() instanceof Request request
                    && !objects.requests().knows(request.client(), request.number())) {
                ledger(request.client()).numbers.remove(request.number());
            }
        }
    }

    /** Tells every client with a session that a certificate excludes somebody, beyond whose cut its updates may lie. */
    public void tellExclusion(Certificate certificate) {
        for (Session session : sessions.values()) {
            if (session.client != null && session.certificate < certificate.number()) {
                session.certificate = certificate.number();
                outbox.client(session.connection, new Confirmation(certificate, List.of()));
            }
        }
    }

    /** Takes a client's frame; {@code issuing} says whether this server may add to its log. */
    public void frame(long connection, Frame frame, boolean issuing) {
        Session session = sessions.get(connection);
        if (session == null) {
            return;
        }
        session.heardAt = now;
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Read read) {
            if (session.client != null || mayRead(session, read)) {
                read(session, read, issuing);
            } else {
                send(session, readRefusal(read, Reason.TOO_OFTEN, "open a session, or wait and ask again"));
            }
        } else if (frame instanceof Frame.Plain plain && plain.message() instanceof GetCertificate get) {
            outbox.client(
                    connection,
                    new CertificateReply(
                            get.number(), certification.find(get.number()).orElse(null)));
        } else if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof ClientSigned body) {
            Signed<ClientSigned> signed = typed(sealed.signed(), body);
            refuse(session, body, signed, issuing).ifPresent(refusal -> send(session, refusal));
        } else {
            send(
                    session,
                    new Refusal(0, false, Reason.MALFORMED, "this message is not for an appserver's client port"));
        }
    }

    /** A stranger's read costs more the longer the value is. */
    private boolean mayRead(Session session, Read read) {
        long bytes = objects.bytes(read.key(), read.type());
        long cost = Math.min(READS_AT_ONCE, 1 + bytes / BYTES_PER_READ);
        return session.strangerReads.take(cost, now) && strangerReads.take(cost, now);
    }

    @SuppressWarnings("unchecked") // The message is a ClientSigned, and Signed only hands it out.
    private static Signed<ClientSigned> typed(Signed<?> signed, ClientSigned body) {
        if (signed.message() != body) {
            throw new IllegalStateException("not the message of this signature: " + body);
        }
        return (Signed<ClientSigned>) signed;
    }

    private void send(Session session, Refusal refusal) {
        counters.count("refused_" + refusal.reason().name().toLowerCase(Locale.ROOT));
        outbox.client(session.connection, refusal);
    }

    private Optional<Refusal> refuse(Session session, ClientSigned body, Signed<ClientSigned> signed, boolean issuing) {
        long reference = body instanceof Request request ? request.number() : 0;
        if (!settings.admits().test(body.client())) {
            return refusal(reference, Reason.UNKNOWN_CLIENT, "this deployment does not admit the client");
        }
        Optional<Refusal> excluded = inquiries.refused(body.client(), reference, false);
        if (excluded.isPresent()) {
            return excluded;
        }
        if (body instanceof Request && !body.client().equals(session.client)) {
            return refusal(reference, Reason.NO_SESSION, "the client has no session on this connection");
        }
        if (signed.payload().length > settings.limits().maxRequestBytes()) {
            return refusal(reference, Reason.TOO_LARGE, "the request is longer than the limit");
        }
        if (!signed.verify(settings.verifier(), body.client().key(), Sealer.domainOf(body))) {
            return refusal(reference, Reason.BAD_SIGNATURE, "the client's signature is wrong");
        }
        if (body instanceof Request request) {
            return update(session, request, signed, issuing);
        }
        return body instanceof OpenSession open ? open(session, open, signed, issuing) : Optional.empty();
    }

    private static Optional<Refusal> refusal(long reference, Reason reason, String detail) {
        return Optional.of(new Refusal(reference, false, reason, detail));
    }

    private boolean busy(boolean issuing) {
        return !issuing || outbox.full(settings.limits().maxUnanswered());
    }

    // ---- Sessions ----

    private Optional<Refusal> open(Session session, OpenSession open, Signed<ClientSigned> signed, boolean issuing) {
        ClientLedger ledger = ledger(open.client());
        if (session.client != null && !session.client.equals(open.client())) {
            return refusal(0, Reason.MALFORMED, "the connection has a session of another client");
        }
        if (open.number() < 1 || open.number() <= ledger.session) {
            return refusal(0, Reason.NUMBER_REUSED, "the session number must be above " + ledger.session);
        }
        if (busy(issuing)) {
            return refusal(0, Reason.BUSY, "this server takes no updates now");
        }
        Entry entry = append(signed);
        boolean fresh = session.client == null;
        session.client = open.client();
        answer(session, sealUpdate(ledger, entry, 0, Value.sequence(List.of())), null);
        if (fresh) {
            join(session, open.client());
            confirm(session, confirmations(ledger.certified));
            for (Counted one : ledger.certified) {
                if (ownEntry(one.dot().sequence()).body().message() instanceof Request request) {
                    tellIfWithoutEffect(session, request);
                }
            }
        }
        return Optional.empty();
    }

    /** Every session of a client is told of every confirmation, so it has few; the newest count. */
    private void join(Session session, ClientId client) {
        List<Session> all = connected.computeIfAbsent(client, any -> new ArrayList<>());
        all.add(session);
        if (all.size() > SESSIONS_OF_A_CLIENT) {
            Session eldest = all.get(0);
            gone(eldest.connection);
            outbox.close(eldest.connection, "the client has opened newer sessions");
            counters.count("sessions_replaced");
        }
    }

    // ---- Updates ----

    private Optional<Refusal> update(Session session, Request request, Signed<ClientSigned> signed, boolean issuing) {
        ClientLedger ledger = ledger(request.client());
        Optional<ClientLedger.Own> own = ledger.own(request.number());
        if (own.isPresent()) {
            if (own.get().identity().equals(signed.identity())) {
                return repeat(session, ledger, request, own.get());
            }
            inquiries.found(
                    new ClientEquivocation(typed(ownEntry(own.get().sequence()).body()), typed(signed)));
            return refusal(request.number(), Reason.NUMBER_REUSED, "another request has this number");
        }
        if (request.number() > ledger.numbers.contiguous() + 1) {
            return refusal(
                    request.number(),
                    Reason.BEHIND,
                    "this server knows the client's requests up to " + ledger.numbers.contiguous());
        }
        Optional<Refusal> refused = check(request);
        if (refused.isPresent() && !session.givenAgain(refused.get(), signed.identity())) {
            return refused;
        }
        if (busy(issuing)) {
            return refusal(request.number(), Reason.BUSY, "this server takes no updates now");
        }
        Entry entry = append(signed);
        session.entered(signed.identity());
        Signed<Response> response = sealUpdate(ledger, entry, request.number(), result(request));
        ledger.answer(request.number(), response);
        answer(session, response, null);
        counters.count("updates");
        return Optional.empty();
    }

    private Optional<Refusal> check(Request request) {
        long number = request.number();
        Optional<DataType> type = DataTypes.byName(request.type());
        if (number < 1) {
            return refusal(number, Reason.MALFORMED, "request numbers begin at 1");
        }
        if (request.key().getBytes(StandardCharsets.UTF_8).length
                > settings.limits().maxKeyBytes()) {
            return refusal(number, Reason.TOO_LARGE, "the key is longer than the limit");
        }
        if (type.isEmpty()) {
            return refusal(number, Reason.WRONG_TYPE, "there is no such datatype");
        }
        Optional<String> known = objects.type(request.key());
        if (known.isPresent() && !known.get().equals(request.type())) {
            return refusal(number, Reason.WRONG_TYPE, "the object is of type " + known.get());
        }
        return type.get()
                .check(request.operation())
                .or(() -> full(type.get(), request))
                .map(why -> new Refusal(number, false, Reason.BAD_OPERATION, why));
    }

    /** Why an operation has no effect, or soon would have none, on an object that is too large. */
    private Optional<String> full(DataType type, Request request) {
        return type.grows(request.operation()) && objects.bytes(request.key(), request.type()) >= ObjectStore.FULL_BYTES
                ? Optional.of("the object is full: it has " + ObjectStore.FULL_BYTES + " bytes or more")
                : Optional.empty();
    }

    private Value result(Request request) {
        return request.type().equals(DataTypes.PN_COUNTER.name())
                ? objects.liveValue(request.key(), request.type())
                : Value.sequence(List.of());
    }

    private Optional<Refusal> repeat(Session session, ClientLedger ledger, Request request, ClientLedger.Own own) {
        Signed<Response> response = ledger.answer(request.number()).orElse(null);
        if (response == null) {
            Entry entry = ownEntry(own.sequence());
            if (!logs.delivered(entry.dependencies())) {
                return refusal(request.number(), Reason.BUSY, "this server repairs what the answer depends on");
            }
            // What the counter was then is not kept that long.
            response = sealUpdate(ledger, entry, request.number(), Value.sequence(List.of()));
        }
        answer(session, response, null);
        counters.count("answers_repeated");
        if (own.sequence() <= certification.certified().get(settings.index())) {
            Dot dot = new Dot(settings.index(), own.sequence());
            confirm(session, confirmations(List.of(new Counted(request.number(), dot, own.identity()))));
        }
        return Optional.empty();
    }

    private Entry ownEntry(long sequence) {
        return Codec.decode(logs.own().encoded(sequence), Entry.class)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("own entry " + sequence + " is malformed"));
    }

    /** A signed request as such; both callers have one. */
    private static Signed<Request> typed(Signed<ClientSigned> signed) {
        if (!(signed.message() instanceof Request request)) {
            throw new IllegalStateException("no request: " + signed);
        }
        return new Signed<>(request, signed.payload(), signed.signature());
    }

    private Entry append(Signed<ClientSigned> signed) {
        Entry entry = logs.appendOwn(signed);
        outbox.persist(Records.ownEntry(logs.own().encoded(entry.dot().sequence())));
        return entry;
    }

    private Signed<Response> sealUpdate(ClientLedger ledger, Entry entry, long reference, Value result) {
        long sequence = entry.dot().sequence();
        VersionVector version = entry.dependencies().with(settings.index(), sequence);
        return settings.sealer()
                .seal(new Response(
                        settings.index(),
                        firstAnswer + ++ledger.answersGiven,
                        entry.body().message().client(),
                        reference,
                        result,
                        entry.dot(),
                        logs.own().leaf(sequence),
                        version,
                        LogRoots.digest(logs.rootsAt(version)),
                        certification.number(),
                        certification.digest()));
    }

    private void answer(Session session, Signed<Response> response, @Nullable ObjectProof proof) {
        // An answer that is given again names the certificate of its own time: another one would not fit it.
        boolean named = response.message().certificateDigest().equals(certification.digest());
        outbox.client(session.connection, new Answer(response, named ? unsent(session) : null, proof));
    }

    /** The newest certificate if the connection has not had it; counts it as sent. */
    private @Nullable Certificate unsent(Session session) {
        if (session.certificate >= certification.number()) {
            return null;
        }
        session.certificate = certification.number();
        return certification.newest().orElse(null);
    }

    // ---- Reads ----

    private void read(Session session, Read read, boolean vouching) {
        Optional<String> known = objects.type(read.key());
        if (DataTypes.byName(read.type()).isEmpty()) {
            send(session, readRefusal(read, Reason.WRONG_TYPE, "there is no such datatype"));
        } else if (known.isPresent() && !known.get().equals(read.type())) {
            send(session, readRefusal(read, Reason.WRONG_TYPE, "the object is of type " + known.get()));
        } else if (objects.bytes(read.key(), read.type()) > MOST_READ_BYTES) {
            send(
                    session,
                    readRefusal(read, Reason.TOO_LARGE, "the value is longer than " + MOST_READ_BYTES + " bytes"));
        } else if (outbox.full(settings.limits().maxUnanswered())) {
            send(session, readRefusal(read, Reason.BUSY, "too much waits for this server's disk"));
        } else if (read.certified()) {
            readCertified(session, read);
        } else if (!vouching) {
            send(session, readRefusal(read, Reason.BUSY, "this server cannot vouch for its state now"));
        } else {
            VersionVector version = logs.version();
            Value value = objects.liveValue(read.key(), read.type());
            answer(session, sealRead(session, read, value, version, logs.rootsAt(version)), null);
            counters.count("reads_local");
        }
    }

    private void readCertified(Session session, Read read) {
        Optional<Certificate> newest = certification.newest();
        if (read.certificate() > certification.number()) {
            send(session, readRefusal(read, Reason.BEHIND, "this server has certificate " + certification.number()));
        } else if (newest.isEmpty()) {
            send(session, readRefusal(read, Reason.NO_CERTIFICATE, "there is no certificate yet"));
        } else {
            Certificate certificate = newest.get();
            Value value = objects.certifiedValue(read.key(), read.type());
            Signed<Response> response = sealRead(
                    session,
                    read,
                    value,
                    certificate.content().version(),
                    certificate.content().roots());
            answer(session, response, objects.prove(read.key(), read.type()));
            counters.count("reads_certified");
        }
    }

    private static Refusal readRefusal(Read read, Reason reason, String detail) {
        return new Refusal(read.nonce(), true, reason, detail);
    }

    private Signed<Response> sealRead(
            Session session, Read read, Value value, VersionVector version, List<Hash> roots) {
        ClientId reader = session.client == null ? ANONYMOUS : session.client;
        long sequence = session.client == null ? 1 : firstAnswer + ++ledger(reader).answersGiven;
        return settings.sealer()
                .seal(new Response(
                        settings.index(),
                        sequence,
                        reader,
                        read.nonce(),
                        value,
                        null,
                        Digests.read(read),
                        version,
                        LogRoots.digest(roots),
                        certification.number(),
                        certification.digest()));
    }

    // ---- Confirmations ----

    /**
     * Tells connected clients which of their updates a newly adopted certificate covers, by the dots that this server
     * answered with.
     */
    public void adopted(Certification.Adopted adopted) {
        Map<ClientId, List<Counted>> covered = new HashMap<>();
        Map<ClientId, List<Request>> updates = new HashMap<>();
        for (Entry entry : adopted.range()) {
            boolean own = entry.dot().origin() == settings.index();
            if (entry.body().message() instanceof Request request) {
                // An exclusion may have freed the number, when this entry was not certified yet.
                ledger(request.client()).numbers.add(request.number());
            }
            if (own && entry.body().message() instanceof Request request) {
                Counted one =
                        new Counted(request.number(), entry.dot(), entry.body().identity());
                ledger(request.client()).certified(one);
                if (connected.containsKey(request.client())) {
                    covered.computeIfAbsent(request.client(), any -> new ArrayList<>())
                            .add(one);
                    updates.computeIfAbsent(request.client(), any -> new ArrayList<>())
                            .add(request);
                }
            }
        }
        Map<ClientId, List<Confirmation>> made = new HashMap<>();
        for (Session session : sessions.values()) {
            ClientId client = session.client;
            if (client != null && covered.containsKey(client)) {
                confirm(
                        session,
                        made.computeIfAbsent(client, any -> confirmations(covered.getOrDefault(client, List.of()))));
                updates.getOrDefault(client, List.of()).forEach(request -> tellIfWithoutEffect(session, request));
            }
        }
    }

    /** The proofs that the newest certificate covers updates, in messages of a bounded length; none without one. */
    private List<Confirmation> confirmations(Collection<Counted> updates) {
        List<Confirmation> confirmations = new ArrayList<>();
        Certificate newest = certification.newest().orElse(null);
        if (newest == null) {
            return confirmations;
        }
        List<Confirmation.Covered> covered = new ArrayList<>();
        for (Counted one : updates) {
            OriginLog log = logs.of(one.dot().origin());
            long size = newest.content().version().get(one.dot().origin());
            covered.add(new Confirmation.Covered(
                    one.number(), one.dot(), log.prove(one.dot().sequence(), size)));
            if (covered.size() == PROOFS_AT_ONCE) {
                confirmations.add(new Confirmation(newest, covered));
                covered = new ArrayList<>();
            }
        }
        if (!covered.isEmpty()) {
            confirmations.add(new Confirmation(newest, covered));
        }
        return confirmations;
    }

    /**
     * A hint to the client, which proves it by reading the object: its certified update has no effect, for another type has
     * the key. Where two types meet under a fresh key, that comes out only with the certificate.
     */
    private void tellIfWithoutEffect(Session session, Request request) {
        Optional<String> type = objects.type(request.key()).filter(known -> !known.equals(request.type()));
        if (type.isPresent()) {
            outbox.client(
                    session.connection,
                    new Refusal(
                            request.number(),
                            false,
                            Reason.WRONG_TYPE,
                            "it is certified without effect: the object is of type " + type.get()));
            counters.count("certified_without_effect");
        }
    }

    private void confirm(Session session, List<Confirmation> confirmations) {
        for (Confirmation one : confirmations) {
            session.certificate = one.certificate().number();
            outbox.client(session.connection, one);
            counters.add("confirmations", one.covered().size());
        }
    }

    private ClientLedger ledger(ClientId client) {
        return ledgers.computeIfAbsent(client, any -> new ClientLedger());
    }
}
