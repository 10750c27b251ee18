package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.jspecify.annotations.Nullable;

/** A client that sends what a test tells it to and keeps what it receives. */
final class TestClient {
    final Deployment deployment;
    final Sealer sealer;
    final List<Message> received = new ArrayList<>();
    final List<Signed<? extends Message>> signed = new ArrayList<>();
    final TreeMap<Long, Signed<Request>> requests = new TreeMap<>();
    final TreeMap<Long, Read> reads = new TreeMap<>();
    int server;
    ConnectionId connection = ConnectionId.NONE;
    long salt;
    long session;
    long number;
    /** By which requests are tagged; null for no tags. */
    @Nullable
    RequestTags tags;

    private long nonce;

    TestClient(Deployment deployment, Sealer sealer, int server) {
        this.deployment = deployment;
        this.sealer = sealer;
        this.server = server;
    }

    ClientId id() {
        return new ClientId(sealer.publicKey(), 0, salt);
    }

    void received(Frame frame) {
        if (frame instanceof Frame.Plain plain) {
            received.add(plain.message());
        } else {
            signed.add(((Frame.Sealed) frame).signed());
        }
    }

    void open() {
        send(Codec.encode(sealer.seal(new OpenSession(id(), ++session, 1))));
    }

    /** Opens a session with a share: requests are tagged from now on. */
    void openTagged() {
        AgreementKey own = AgreementKey.of(
                Hash.sha256(id().toBytes(), new byte[] {(byte) ++session}).toBytes());
        Signed<OpenSession> record =
                sealer.seal(new OpenSession(id(), session, 1, new OpenSession.Share(own.share(), server)));
        tags = RequestTags.of(own, Deployment.agreements(), deployment.deployment, record.identity());
        send(Codec.encode(record));
    }

    /** Connects to another server and opens a session there. */
    void move(int to) {
        server = to;
        deployment.attach(this);
        open();
    }

    Signed<Request> update(String key, String type, Operation operation) {
        return update(++number, key, type, operation);
    }

    Signed<Request> update(long as, String key, String type, Operation operation) {
        Signed<Request> signed = sealer.seal(new Request(id(), as, key, type, operation));
        requests.put(as, signed);
        resend(signed);
        return signed;
    }

    void resend(Signed<Request> signed) {
        RequestTags known = tags;
        send(known == null ? Codec.encode(signed) : Codec.encode(new Frame.Sealed(signed, known.of(signed))));
    }

    long read(String key, String type, boolean certified, long certificate) {
        return read(key, type, certified, certificate, null);
    }

    long read(String key, String type, boolean certified, long certificate, @Nullable ReadPart part) {
        Read read = new Read(++nonce, key, type, certified, new CertificateNumber(certificate), part);
        reads.put(nonce, read);
        send(Codec.encode(read));
        return nonce;
    }

    void send(byte[] bytes) {
        deployment.step(server, new Event.ClientFrame(connection, Deployment.decoded(bytes)));
    }

    /** The newest signed message of a kind that came outside an answer. */
    <M extends Message> Optional<Signed<M>> newest(Class<M> type) {
        return signed.stream()
                .filter(one -> type.isInstance(one.message()))
                .map(one -> new Signed<>(type.cast(one.message()), one.payload(), one.signature()))
                .reduce((first, second) -> second);
    }

    void ask(Message question) {
        send(Codec.encode(sealer.seal(question)));
    }

    Optional<Answer> answer(long reference, boolean update) {
        return received.stream()
                .filter(Answer.class::isInstance)
                .map(Answer.class::cast)
                .filter(answer -> answer.response().message().reference() == reference
                        && answer.response().message().isUpdate() == update)
                .reduce((first, second) -> second);
    }

    /** The answers to updates and reads. */
    List<Answer> answers() {
        return received.stream()
                .filter(Answer.class::isInstance)
                .map(Answer.class::cast)
                .filter(answer -> answer.response().message().reference() != 0)
                .toList();
    }

    List<Refusal> refusals() {
        return received.stream()
                .filter(Refusal.class::isInstance)
                .map(Refusal.class::cast)
                .toList();
    }

    List<Confirmation> confirmations() {
        return received.stream()
                .filter(Confirmation.class::isInstance)
                .map(Confirmation.class::cast)
                .toList();
    }

    Optional<Certificate> certificate() {
        Certificate newest = null;
        for (Message message : received) {
            Certificate seen = message instanceof Answer answer
                    ? answer.certificate()
                    : message instanceof Confirmation confirmation ? confirmation.certificate() : null;
            newest = seen == null ? newest : seen;
        }
        return Optional.ofNullable(newest);
    }
}
