package org.aspas.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.client.core.CertificateCheck;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Appserver 0 of four and the whole back end in one object, honest, for one client and counters. */
public final class ScriptedServer {
    public static final int SERVERS = 4;
    public static final Quorums QUORUMS = new Quorums(1, 1);
    public static final SigningKey SERVER_KEY = key(100);
    public static final List<SigningKey> BFT_KEYS = List.of(key(200), key(201), key(202), key(203));

    public final Hash deployment;
    public final Map<String, Long> counters = new HashMap<>();
    public final List<ClientSigned> received = new ArrayList<>();
    public final TreeMap<Long, Certificate> certificates = new TreeMap<>();
    private final Sealer sealer;
    private final MerkleLog log = new MerkleLog();
    private final Map<RequestName, Signed<Response>> stored = new HashMap<>();
    private final Map<RequestName, Signed<ClientSigned>> entered = new HashMap<>();
    private final Map<RequestName, Dot> unproved = new LinkedHashMap<>();
    private StateTree certified = StateTree.empty();
    private final Map<String, Long> certifiedCounters = new HashMap<>();
    private final Set<Request> refused = new HashSet<>();
    private long sequence;
    private final Map<ClientId, Long> lastNumbers = new HashMap<>();
    private long toldCertificate;

    public ScriptedServer(Hash deployment) {
        this.deployment = deployment;
        this.sealer = new Sealer(SERVER_KEY, deployment);
    }

    public static SigningKey key(int name) {
        byte[] seed = new byte[32];
        seed[0] = (byte) name;
        return SigningKey.of(seed);
    }

    public static List<PublicKey> bftPublicKeys() {
        return BFT_KEYS.stream().map(SigningKey::publicKey).toList();
    }

    public static SigningKey serverKey(int index) {
        return key(100 + index);
    }

    public static List<PublicKey> serverPublicKeys() {
        return IntStream.range(0, SERVERS)
                .mapToObj(index -> serverKey(index).publicKey())
                .toList();
    }

    public static EvidenceJudge judge(Hash deployment) {
        return new EvidenceJudge(QUORUMS, serverPublicKeys(), bftPublicKeys(), new Verifier(deployment));
    }

    public CertificateCheck certificateCheck() {
        return certificateCheck(deployment);
    }

    public static CertificateCheck certificateCheck(Hash deployment) {
        var verifier = new CertificateVerifier(QUORUMS, bftPublicKeys(), new Verifier(deployment));
        return certificate -> verifier.verify(certificate)
                .<CertificateCheck.Verdict>map(CertificateCheck.Verdict.Wrong::new)
                .orElseGet(() -> new CertificateCheck.Verdict.Genuine(certificate));
    }

    public Hello hello() {
        return new Hello(deployment, 0);
    }

    public long newest() {
        return certificates.isEmpty() ? 0 : certificates.lastKey();
    }

    /** Answers one frame. */
    public Message serve(Frame frame) {
        if (frame instanceof Frame.Sealed sealed) {
            return enter(sealed.signed());
        }
        Message message = ((Frame.Plain) frame).message();
        if (message instanceof Read read) {
            return read(read);
        }
        long number = ((GetCertificate) message).number().value();
        return new CertificateReply(new CertificateNumber(number), certificates.get(number == 0 ? newest() : number));
    }

    private Message enter(Signed<? extends Message> signed) {
        ClientSigned body = (ClientSigned) signed.message();
        received.add(body);
        if (body instanceof Request request) {
            Signed<Response> before = stored.get(RequestName.of(request));
            long lastNumber = lastNumbers.getOrDefault(request.client(), 0L);
            if (before != null) {
                return new Answer(before, null, null);
            }
            if (request.number() != lastNumber + 1) {
                return new Refusal(
                        request.client(),
                        request.number(),
                        false,
                        Refusal.Reason.BEHIND,
                        "expected " + (lastNumber + 1));
            }
            if (request.type().equals("aw-set") && refused.add(request)) {
                return new Refusal(
                        request.client(), request.number(), false, Refusal.Reason.WRONG_TYPE, "only counters here");
            }
            lastNumbers.put(request.client(), lastNumber + 1);
        }
        return enterNew(new Signed<>(body, signed.payload(), signed.signature()));
    }

    private Answer enterNew(Signed<ClientSigned> words) {
        ClientSigned body = words.message();
        Signed<Response> response = sealer.seal(respond(words));
        if (body instanceof Request request) {
            stored.put(RequestName.of(request), response);
            entered.put(RequestName.of(request), words);
            unproved.put(
                    RequestName.of(request),
                    Objects.requireNonNull(response.message().dot()));
        }
        return new Answer(response, newCertificate(), null);
    }

    private Response respond(Signed<ClientSigned> words) {
        ClientSigned body = words.message();
        Dot dot = new Dot(0, log.size() + 1);
        Value result = Value.sequence(List.of());
        VersionVector before = version();
        if (body instanceof Request request && request.operation().argument() instanceof Value.Int amount) {
            long sign = request.operation().name().equals("increment") ? 1 : -1;
            result = Value.of(counters.merge(request.key(), sign * amount.value(), Long::sum));
        }
        byte[] entry = Codec.encode(new Entry(dot, before, words));
        log.append(entry);
        long reference = body instanceof Request request ? request.number() : 0;
        return new Response(
                0,
                ++sequence,
                body.client(),
                reference,
                result,
                dot,
                MerkleTree.leafHash(entry),
                version(),
                LogRoots.digest(roots()),
                new CertificateNumber(newest()),
                newestDigest());
    }

    private Hash newestDigest() {
        Certificate certificate = certificates.get(newest());
        return certificate == null ? Hash.ZERO : Digests.certificate(certificate);
    }

    private @Nullable Certificate newCertificate() {
        if (newest() > toldCertificate) {
            toldCertificate = newest();
            return certificates.get(toldCertificate);
        }
        return null;
    }

    private Answer read(Read read) {
        Map<String, Long> values = read.certified() ? certifiedCounters : counters;
        Long value = values.get(read.key());
        Response response = new Response(
                0,
                ++sequence,
                client(),
                read.nonce(),
                Value.of(value == null ? 0 : value),
                null,
                Digests.read(read),
                version(),
                LogRoots.digest(roots()),
                new CertificateNumber(newest()),
                newestDigest());
        if (!read.certified()) {
            return new Answer(sealer.seal(response), null, null);
        }
        var path = certified.prove(StateTree.objectPath(read.key()));
        ObjectProof proof =
                value == null ? new ObjectProof(null, null, path) : new ObjectProof("pn-counter", null, path);
        Certificate certificate = newest() > read.certificate().value() ? certificates.get(newest()) : null;
        return new Answer(sealer.seal(response), certificate, proof);
    }

    private ClientId client() {
        return received.get(received.size() - 1).client();
    }

    public VersionVector version() {
        return VersionVector.zero(SERVERS).with(0, log.size());
    }

    private List<Hash> roots() {
        return List.of(log.root(), MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT);
    }

    /** Forgets a place, enters the number again, and returns its new answer. */
    public Answer enterAgain(RequestName name) {
        return enterNew(Objects.requireNonNull(entered.get(name)));
    }

    /** Certifies all that was entered. */
    public Certificate certify() {
        for (var entry : counters.entrySet()) {
            Value value = Value.of(entry.getValue());
            certified = certified.put(
                    StateTree.objectPath(entry.getKey()), StateLeaves.object(entry.getKey(), "pn-counter", value));
        }
        certifiedCounters.putAll(counters);
        Hash previous = certificates.isEmpty()
                ? Hash.ZERO
                : certificates.lastEntry().getValue().hash();
        Certificate certificate = sign(new CertificateContent(
                deployment,
                new CertificateNumber(newest() + 1),
                previous,
                version(),
                roots(),
                certified.root(),
                List.of()));
        certificates.put(certificate.number().value(), certificate);
        return certificate;
    }

    /** Any content under three genuine replica signatures. */
    public Certificate sign(CertificateContent content) {
        byte[] payload = Codec.encode(content);
        List<Certificate.ReplicaSignature> signatures = new ArrayList<>();
        for (int replica = 0; replica < QUORUMS.bftserverQuorum(); replica++) {
            var signed = new Sealer(BFT_KEYS.get(replica), deployment).seal(content);
            signatures.add(new Certificate.ReplicaSignature(replica, signed.signature()));
        }
        return new Certificate(content, payload, signatures);
    }

    /** The newest certificate with the proofs that are due, for each client that any are due to. */
    public List<Confirmation> confirmations() {
        List<ClientId> clients =
                unproved.keySet().stream().map(RequestName::client).distinct().toList();
        return clients.stream().map(this::confirmation).toList();
    }

    /** The newest certificate with the proofs that are due to the only client. */
    public Confirmation confirmation() {
        return confirmation(client());
    }

    private Confirmation confirmation(ClientId client) {
        Certificate certificate = certificates.lastEntry().getValue();
        toldCertificate = certificate.number().value();
        long size = certificate.content().version().get(0);
        List<Confirmation.Covered> covered = new ArrayList<>();
        unproved.forEach((name, dot) -> {
            if (name.client().equals(client) && dot.sequence() <= size) {
                covered.add(new Confirmation.Covered(name.number(), dot, log.proveInclusion(dot.sequence() - 1, size)));
            }
        });
        covered.forEach(item -> unproved.remove(new RequestName(client, item.number())));
        return new Confirmation(client, certificate, covered);
    }

    /** Signs a response with the server's own key. */
    public Signed<Response> seal(Response response) {
        return sealer.seal(response);
    }

    /** The number of the newest session record that arrived. */
    public long lastSession() {
        long last = 0;
        for (ClientSigned body : received) {
            last = body instanceof OpenSession opening ? opening.number() : last;
        }
        return last;
    }
}
