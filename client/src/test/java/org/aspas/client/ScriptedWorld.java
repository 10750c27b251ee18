package org.aspas.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/**
 * Four appservers with real keys and logs, the wires between them, and the back end, for one client and counters. Each
 * server is honest but for the faults that a test switches on.
 */
public final class ScriptedWorld {
    /** What a server does wrong. */
    public enum Fault {
        /** Acknowledges updates and forgets them. */
        DROPS,
        /** Never sends its entries to others. */
        KEEPS_TO_ITSELF,
        /** Never says that a certificate covers an update. */
        WITHHOLDS,
        /** Answers nothing. */
        SILENT,
        /** Answers with a value that is too high. */
        WRONG_VALUE,
        /** Answers with a certificate that has too few signatures. */
        BAD_CERTIFICATE,
        /** Claims that it holds nothing, and finds nobody guilty. */
        LIES_ABOUT_OTHERS
    }

    private static final int N = ScriptedServer.SERVERS;

    /** One appserver. */
    public final class Server {
        public final Set<Fault> faults = new HashSet<>();
        public final List<Request> received = new ArrayList<>();
        /** The number of the newest certificate that it gets. */
        public long newestNumber = Long.MAX_VALUE;

        private final int index;
        private final Sealer sealer;
        private final MerkleLog log = new MerkleLog();
        private final List<Signed<ClientSigned>> bodies = new ArrayList<>();
        private final Map<Long, Signed<Response>> stored = new HashMap<>();
        private final TreeMap<Long, Dot> unproved = new TreeMap<>();
        private VersionVector held = VersionVector.zero(N);
        private long sequence;

        private Server(int index) {
            this.index = index;
            this.sealer = new Sealer(ScriptedServer.serverKey(index), deployment);
        }

        public Hello hello() {
            return new Hello(deployment, index);
        }

        private Optional<Certificate> newest() {
            return Optional.ofNullable(certificates.floorEntry(newestNumber)).map(Map.Entry::getValue);
        }

        private boolean does(Fault fault) {
            return faults.contains(fault);
        }

        /** Answers a frame of the client's session. */
        public List<Message> serve(Frame frame) {
            if (does(Fault.SILENT)) {
                return List.of();
            }
            if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof ClientSigned body) {
                Signed<? extends Message> signed = sealed.signed();
                return enter(new Signed<>(body, signed.payload(), signed.signature()));
            }
            Message message = frame instanceof Frame.Plain plain ? plain.message() : null;
            if (message instanceof Read read) {
                return List.of(read(read));
            }
            if (message instanceof GetCertificate get) {
                return List.of(new CertificateReply(get.number(), newest().orElse(null)));
            }
            return List.of(new Refusal(0, false, Refusal.Reason.MALFORMED, "not in a session"));
        }

        private List<Message> enter(Signed<ClientSigned> words) {
            client = words.message().client();
            if (words.message() instanceof Request request) {
                received.add(request);
                Signed<Response> before = stored.get(request.number());
                if (before != null) {
                    List<Message> again = new ArrayList<>(List.of(new Answer(before, null, null)));
                    confirmation().ifPresent(again::add);
                    return again;
                }
                long known = known();
                if (request.number() > known + 1) {
                    return List.of(new Refusal(
                            request.client(),
                            request.number(),
                            false,
                            Refusal.Reason.BEHIND,
                            "this server knows up to " + known));
                }
            }
            Signed<Response> response = sealer.seal(respond(words));
            if (words.message() instanceof Request request) {
                stored.put(request.number(), response);
                unproved.put(
                        request.number(),
                        new Dot(index, response.message().version().get(index)));
            }
            return List.of(new Answer(response, named().orElse(null), null));
        }

        /** The highest number up to which the server holds all. */
        private long known() {
            Set<Long> numbers = new HashSet<>(stored.keySet());
            entries(held).forEach(entry -> {
                if (entry.body().message() instanceof Request request) {
                    numbers.add(request.number());
                }
            });
            long known = 0;
            while (numbers.contains(known + 1)) {
                known++;
            }
            return known;
        }

        private Response respond(Signed<ClientSigned> words) {
            Dot dot = new Dot(index, log.size() + 1);
            Entry entry = new Entry(dot, held, words);
            byte[] encoded = Codec.encode(entry);
            VersionVector version = held.with(index, dot.sequence());
            Hash roots = Hash.ZERO;
            if (!does(Fault.DROPS)) {
                log.append(encoded);
                bodies.add(words);
                entries.put(dot, entry);
                held = version;
                roots = LogRoots.digest(roots(version));
            }
            Value result = Value.sequence(List.of());
            long reference = 0;
            if (words.message() instanceof Request request) {
                reference = request.number();
                result = Value.of(value(request.key(), held) + (does(Fault.WRONG_VALUE) ? 7 : 0));
            }
            return response(
                    words.message().client(), reference, result, dot, MerkleTree.leafHash(encoded), version, roots);
        }

        private Response response(
                ClientId client, long reference, Value result, Dot dot, Hash leaf, VersionVector version, Hash roots) {
            long number = named().map(Certificate::number)
                    .orElse(CertificateNumber.NONE)
                    .value();
            Hash digest = named().map(Digests::certificate).orElse(Hash.ZERO);
            return new Response(
                    index,
                    ++sequence,
                    client,
                    reference,
                    result,
                    dot,
                    leaf,
                    version,
                    roots,
                    new CertificateNumber(number),
                    digest);
        }

        /** The certificate that this server names. */
        private Optional<Certificate> named() {
            return newest().map(c -> does(Fault.BAD_CERTIFICATE)
                    ? new Certificate(c.content(), c.payload(), c.signatures().subList(0, 1))
                    : c);
        }

        private Message read(Read read) {
            Certificate certificate = newest().orElse(null);
            if (read.certified() && certificate == null) {
                return new Refusal(read.nonce(), true, Refusal.Reason.NO_CERTIFICATE, "there is no certificate yet");
            }
            if (read.certified() && certificate != null && read.certificate().isAfter(certificate.number())) {
                return new Refusal(
                        read.nonce(),
                        true,
                        Refusal.Reason.BEHIND,
                        "this server has certificate " + certificate.number());
            }
            if (!read.certified() || certificate == null) {
                long value = value(read.key(), held) + (does(Fault.WRONG_VALUE) ? 7 : 0);
                Response local = new Response(
                        index,
                        ++sequence,
                        client,
                        read.nonce(),
                        Value.of(value),
                        null,
                        Digests.read(read),
                        held,
                        LogRoots.digest(roots(held)),
                        CertificateNumber.NONE,
                        Hash.ZERO);
                return new Answer(sealer.seal(withCertificate(local)), null, null);
            }
            VersionVector version = certificate.content().version();
            long value = value(read.key(), version);
            var path = state(version).prove(StateTree.objectPath(read.key()));
            boolean present = keys(version).contains(read.key());
            ObjectProof proof = present ? new ObjectProof("pn-counter", null, path) : new ObjectProof(null, null, path);
            Response response = new Response(
                    index,
                    ++sequence,
                    client,
                    read.nonce(),
                    Value.of(value),
                    null,
                    Digests.read(read),
                    version,
                    LogRoots.digest(certificate.content().roots()),
                    certificate.number(),
                    Digests.certificate(certificate));
            return new Answer(sealer.seal(response), certificate, proof);
        }

        private Response withCertificate(Response r) {
            return new Response(
                    r.server(),
                    r.sequence(),
                    r.client(),
                    r.reference(),
                    r.result(),
                    null,
                    r.leaf(),
                    r.version(),
                    r.roots(),
                    newest().map(Certificate::number).orElse(CertificateNumber.NONE),
                    newest().map(Digests::certificate).orElse(Hash.ZERO));
        }

        /** The proofs that are due to the client. */
        public Optional<Confirmation> confirmation() {
            Certificate certificate = newest().orElse(null);
            if (certificate == null || does(Fault.WITHHOLDS) || does(Fault.SILENT)) {
                return Optional.empty();
            }
            long size = certificate.content().version().get(index);
            List<Confirmation.Covered> covered = new ArrayList<>();
            unproved.forEach((number, dot) -> {
                if (dot.sequence() <= size && dot.sequence() <= log.size()) {
                    covered.add(new Confirmation.Covered(number, dot, log.proveInclusion(dot.sequence() - 1, size)));
                }
            });
            covered.addAll(elsewhere(certificate));
            return Optional.of(new Confirmation(client, certificate, covered));
        }

        /** What others entered, and a client that has turned to this server need not give it. */
        private List<Confirmation.Covered> elsewhere(Certificate certificate) {
            List<Confirmation.Covered> covered = new ArrayList<>();
            if (provesOnlyItsOwn) {
                return covered;
            }
            for (Entry entry : entries(certificate.content().version())) {
                int origin = entry.dot().origin();
                if (origin != index && entry.body().message() instanceof Request request) {
                    long size = certificate.content().version().get(origin);
                    covered.add(new Confirmation.Covered(
                            request.number(),
                            entry.dot(),
                            servers.get(origin).log.proveInclusion(entry.dot().sequence() - 1, size)));
                }
            }
            return covered;
        }

        /** Answers a frame that came without a session; null for silence. */
        public List<Signed<? extends Message>> ask(Frame frame) {
            if (does(Fault.SILENT) || !(frame instanceof Frame.Sealed sealed)) {
                return List.of();
            }
            Message message = sealed.signed().message();
            if (message instanceof AskStanding question) {
                return List.of(sealer.seal(standing(question)));
            } else if (message instanceof Inspect inspect) {
                return List.of(sealer.seal(new InspectReply(
                        index,
                        inspect.client(),
                        inspect.nonce(),
                        inspect.response().identity(),
                        inspect.response().message().roots(),
                        recompute(inspect.response().message(), inspect.question()))));
            } else if (message instanceof Complain complain) {
                complaints.add(complain.evidence());
                Evidence evidence = complain.evidence();
                return List.of(sealer.seal(
                        new Blacklist(index, Digests.evidence(evidence), evidence.accused(), finding(evidence))));
            }
            return List.of();
        }

        private Standing standing(AskStanding question) {
            Map<Hash, Dot> dots = new HashMap<>();
            entries(held).forEach(entry -> dots.put(entry.body().identity(), entry.dot()));
            List<Standing.Held> found = new ArrayList<>();
            for (AskStanding.Named named : question.updates()) {
                Dot dot = dots.get(named.identity());
                found.add(new Standing.Held(named.number(), does(Fault.LIES_ABOUT_OTHERS) ? null : dot));
            }
            return new Standing(
                    index,
                    question.client(),
                    question.nonce(),
                    does(Fault.LIES_ABOUT_OTHERS) ? null : newest().orElse(null),
                    found);
        }

        private InspectReply.Outcome recompute(Response response, Question question) {
            if (does(Fault.LIES_ABOUT_OTHERS)) {
                return InspectReply.Outcome.DIFFERS;
            }
            if (!held.dominates(response.version())) {
                return InspectReply.Outcome.NOT_DELIVERED;
            }
            if (!LogRoots.digest(roots(response.version())).equals(response.roots())) {
                return InspectReply.Outcome.ROOTS_DIFFER;
            }
            Read read = question.read();
            Signed<Request> update = question.update();
            String key = read != null
                    ? read.key()
                    : Objects.requireNonNull(update).message().key();
            return response.result().equals(Value.of(value(key, response.version())))
                    ? InspectReply.Outcome.MATCH
                    : InspectReply.Outcome.DIFFERS;
        }

        private Blacklist.Finding finding(Evidence evidence) {
            if (does(Fault.LIES_ABOUT_OTHERS)) {
                return Blacklist.Finding.FALSE;
            }
            Judgement judgement = ScriptedServer.judge(deployment).judge(evidence);
            if (judgement instanceof Judgement.Unfounded) {
                return Blacklist.Finding.FALSE;
            }
            boolean replayed = !(evidence instanceof WrongAnswer wrong)
                    || recompute(wrong.response().message(), wrong.question()) == InspectReply.Outcome.DIFFERS;
            return replayed ? Blacklist.Finding.GUILTY : Blacklist.Finding.UNCONFIRMED;
        }
    }

    public final Hash deployment;
    public ClientId client;
    public final List<Server> servers = new ArrayList<>();
    public final TreeMap<Long, Certificate> certificates = new TreeMap<>();
    public final TreeMap<Integer, Exclusion> exclusions = new TreeMap<>();
    /** Whether servers prove nothing that others entered. */
    public boolean provesOnlyItsOwn;

    public final List<Evidence> complaints = new ArrayList<>();
    private final TreeMap<Dot, Entry> entries = new TreeMap<>(
            (a, b) -> a.origin() != b.origin() ? a.origin() - b.origin() : Long.compare(a.sequence(), b.sequence()));

    public ScriptedWorld(Hash deployment, ClientId client) {
        this.deployment = deployment;
        this.client = client;
        for (int i = 0; i < N; i++) {
            servers.add(new Server(i));
        }
    }

    public Optional<Certificate> newest() {
        return certificates.isEmpty()
                ? Optional.empty()
                : Optional.of(certificates.lastEntry().getValue());
    }

    /** Every server hears of every entry that its origin does not keep to itself. */
    public void spread() {
        VersionVector all = VersionVector.zero(N);
        for (Server server : servers) {
            if (!server.does(Fault.KEEPS_TO_ITSELF)) {
                all = all.with(server.index, limit(server.index, server.log.size()));
            }
        }
        for (Server server : servers) {
            server.held = server.held.join(all);
        }
    }

    /** Only these servers hear, and only of one another: the network is cut around them. */
    public void spreadAmong(Set<Integer> some) {
        VersionVector all = VersionVector.zero(N);
        for (int index : some) {
            all = all.with(index, servers.get(index).log.size());
        }
        for (int index : some) {
            servers.get(index).held = servers.get(index).held.join(all);
        }
    }

    private long limit(int origin, long sequence) {
        Exclusion exclusion = exclusions.get(origin);
        return exclusion == null ? sequence : Math.min(sequence, exclusion.cut());
    }

    /** Certifies what all servers hold that keep nothing to themselves. */
    public Certificate certify() {
        VersionVector version = VersionVector.zero(N);
        for (int origin = 0; origin < N; origin++) {
            long least = Long.MAX_VALUE;
            for (Server server : servers) {
                least = Math.min(least, server.held.get(origin));
            }
            version = version.with(origin, limit(origin, least));
        }
        Hash previous = newest().map(Certificate::hash).orElse(Hash.ZERO);
        Certificate certificate = new ScriptedServer(deployment)
                .sign(new CertificateContent(
                        deployment,
                        new CertificateNumber(certificates.size() + 1),
                        previous,
                        version,
                        roots(version),
                        state(version).root(),
                        List.copyOf(exclusions.values())));
        certificates.put(certificate.number().value(), certificate);
        return certificate;
    }

    /** Excludes a server at its last certified entry. */
    public void exclude(int server) {
        long cut = newest().map(c -> c.content().version().get(server)).orElse(0L);
        exclusions.put(server, new Exclusion(server, cut, Hash.sha256(new byte[] {(byte) server})));
    }

    /** How often the counters were incremented, each request counted once. */
    public long value(String key, VersionVector version) {
        Set<Hash> counted = new HashSet<>();
        long value = 0;
        for (Entry entry : entries(version)) {
            if (entry.body().message() instanceof Request request
                    && request.key().equals(key)
                    && request.operation().argument() instanceof Value.Int amount
                    && counted.add(entry.body().identity())) {
                value += amount.value();
            }
        }
        return value;
    }

    /** What the newest certificate says of a counter. */
    public long certified(String key) {
        return value(key, newest().orElseThrow().content().version());
    }

    /** Different contents that the client signed under one number, as any server has seen them. */
    public boolean equivocated() {
        Map<Long, Request> contents = new HashMap<>();
        return servers.stream()
                .flatMap(server -> server.received.stream())
                .anyMatch(request -> !contents.computeIfAbsent(request.number(), any -> request)
                        .equals(request));
    }

    private List<Entry> entries(VersionVector version) {
        return entries.values().stream()
                .filter(entry -> version.covers(entry.dot()))
                .toList();
    }

    private Set<String> keys(VersionVector version) {
        Set<String> keys = new TreeSet<>();
        entries(version).forEach(entry -> {
            if (entry.body().message() instanceof Request request) {
                keys.add(request.key());
            }
        });
        return keys;
    }

    private StateTree state(VersionVector version) {
        StateTree tree = StateTree.empty();
        for (String key : keys(version)) {
            Value value = Value.of(value(key, version));
            tree = tree.put(StateTree.objectPath(key), StateLeaves.object(key, "pn-counter", value));
        }
        return tree;
    }

    private List<Hash> roots(VersionVector version) {
        List<Hash> roots = new ArrayList<>();
        for (Server server : servers) {
            roots.add(server.log.rootAt(version.get(server.index)));
        }
        return roots;
    }

    /** Whom a complaint was about. */
    public boolean accused(int server) {
        return complaints.stream().anyMatch(evidence -> evidence.accused().equals(new Accused.Server(server)));
    }
}
