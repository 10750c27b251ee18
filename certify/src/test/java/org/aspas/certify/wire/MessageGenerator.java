package org.aspas.certify.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateProof;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Makes well-formed random messages of every kind. They mean nothing together: signatures are random bytes and no proof
 * holds. One seed always gives the same messages. For one thread.
 */
public final class MessageGenerator {
    private static final long[] EDGES = {
        0, 1, 23, 24, 255, 256, 65535, 65536, 0xffffffffL, 0x100000000L, Integer.MAX_VALUE, Long.MAX_VALUE
    };
    private static final int[] TEXT_EDGES = {0, 1, 23, 24, 85, 86, 255, 256, 4000};
    private static final String[] LETTERS = {"a", "Z", "0", "é", "ß", "€", "漢", "😀", "\0", "\"", "\uffff"};

    private final Random random;

    /** A generator that follows a seed. */
    public MessageGenerator(long seed) {
        this.random = new Random(seed);
    }

    /** A message of any kind. */
    public Message message() {
        Kind[] kinds = Kind.values();
        return message(kinds[random.nextInt(kinds.length)]);
    }

    /** A message of one kind. */
    public Message message(Kind kind) {
        return switch (kind) {
            case REQUEST -> request();
            case OPEN_SESSION -> new OpenSession(client(), positive(), number(), maybe(this::share));
            case RESPONSE -> response();
            case ANSWER -> new Answer(signed(response()), maybe(this::certificate), maybe(this::objectProof));
            case REFUSAL -> new Refusal(client(), number(), random.nextBoolean(), reason(), text());
            case READ -> read();
            case HELLO -> new Hello(hash(), index());
            case CONFIRMATION -> new Confirmation(client(), certificate(), list(4, this::covered));
            case GET_CERTIFICATE -> new GetCertificate(certificateNumber());
            case CERTIFICATE_REPLY -> new CertificateReply(certificateNumber(), maybe(this::certificate));
            case HEAD -> head(index());
            case ENTRY -> entry();
            case BATCH -> batch();
            case TAGGED_REQUEST -> new TaggedRequest(signed(request()), tags(1 + random.nextInt(4)));
            case FRONTIER -> new Frontier(version(), heads(), certificateNumber());
            case PULL -> new Pull(index(), number(), number());
            case CERTIFIED_ENTRIES ->
                new CertifiedEntries(
                        index(), hash(), consistency(), list(4, () -> Codec.encode(entry())), consistency());
            case SNAPSHOT_PULL -> new SnapshotPull(certificateNumber(), maybe(this::place));
            case SNAPSHOT_HEAD ->
                new SnapshotHead(
                        maybe(this::certificate),
                        list(4, () -> new SnapshotHead.LogEnd(list(4, this::hash), maybe(this::included))));
            case SNAPSHOT_CHUNK ->
                new SnapshotChunk(certificateNumber(), place(), maybe(this::pageProof), list(4, this::snapshotLeaf));
            case VERTOBFT -> new VertObft(index(), version(), heads());
            case BFTREQSTABLE ->
                new BftReqStable(
                        index(), epoch(), number(), hash(), certificateNumber(), version(), list(2, this::exclusion));
            case STABLE -> stable(index());
            case TICK -> new Tick(index(), number());
            case ACCEPT -> new Accept(index(), certificateNumber(), number(), hash());
            case CERTIFICATE_CONTENT -> content();
            case SHARE -> new Share(index(), signed(content()));
            case CERTIFICATE -> certificate();
            case COMMIT -> new Commit(index(), certificateNumber(), number(), hash());
            case RECOVER -> recover();
            case PROVEN_CONTENT -> provenContent();
            case ASK_STANDING ->
                new AskStanding(client(), number(), list(4, () -> new AskStanding.Named(positive(), hash())));
            case STANDING -> new Standing(index(), client(), number(), maybe(this::certificate), list(4, this::held));
            case INSPECT -> new Inspect(client(), number(), signed(response()), question());
            case INSPECTREPLY -> inspectReply(index());
            case COMPLAIN -> new Complain(client(), number(), evidence());
            case BLACKLIST -> blacklist(index());
            case VERDICT -> new Verdict(index(), evidence(), ofServers(this::blacklist));
            default -> evidence(kind);
        };
    }

    private OpenSession.Share share() {
        return new OpenSession.Share(AgreementShare.of(bytes(AgreementShare.LENGTH)), index());
    }

    private Batch batch() {
        Batch batch = new Batch(signed(head(index())), list(4, () -> Codec.encode(entry())));
        return random.nextBoolean() ? batch : batch.tagged(tags(batch.entries().size()));
    }

    private byte[] tags(int count) {
        return bytes(count * TaggedRequest.TAG_BYTES);
    }

    private SnapshotPull.Place place() {
        return new SnapshotPull.Place(maybe(this::hash), hash());
    }

    private SnapshotLeaf snapshotLeaf() {
        return switch (random.nextInt(4)) {
            case 0 -> new SnapshotLeaf.Whole(text(), text(), value(0));
            case 1 ->
                new SnapshotLeaf.OfElements(
                        text(), text(), number(), hash(), maybe(() -> list(4, this::snapshotElement)));
            case 2 -> snapshotElement();
            default ->
                new SnapshotLeaf.OfClient(
                        client(),
                        number(),
                        number(),
                        number(),
                        bytes(random.nextInt(40)),
                        list(3, () -> list(4, () -> new Counted(positive(), dot(), hash()))));
        };
    }

    private SnapshotLeaf.Element snapshotElement() {
        return new SnapshotLeaf.Element(value(0), value(0));
    }

    /** Evidence of any kind that proves nothing. */
    public Evidence evidence() {
        Kind[] kinds = Kind.values();
        int first = Kind.FORKED_HEADS.ordinal();
        return evidence(kinds[first + random.nextInt(Kind.CLIENT_EQUIVOCATION.ordinal() - first + 1)]);
    }

    private Evidence evidence(Kind kind) {
        return switch (kind) {
            case FORKED_HEADS -> new ForkedHeads(signed(head(index())), signed(head(index())));
            case FORKED_ENTRIES -> new ForkedEntries(branch(), branch());
            case BROKEN_ENTRY -> new BrokenEntry(signed(head(index())), included(), maybe(this::included));
            case ANSWER_AGAINST_LOG ->
                new AnswerAgainstLog(signed(response()), certificate(), hash(), inclusionProof());
            case ANSWER_AGAINST_HEAD ->
                new AnswerAgainstHead(signed(response()), signed(head(index())), hash(), inclusionProof());
            case BAD_CERTIFICATE -> new BadCertificate(signed(response()), certificate());
            case CERTIFICATE_WENT_BACK -> new CertificateWentBack(signed(response()), signed(response()));
            case WRONG_ANSWER -> new WrongAnswer(signed(response()), question(), ofServers(this::inspectReply));
            case WRONG_STATE -> new WrongState(signed(stable(index())), ofServers(this::stable));
            case CLIENT_EQUIVOCATION -> new ClientEquivocation(signed(request()), signed(request()));
            default -> throw new IllegalArgumentException(kind + " is no evidence");
        };
    }

    private <M extends Message> List<Signed<M>> ofServers(IntFunction<M> message) {
        List<Signed<M>> items = new ArrayList<>();
        for (int server : indices()) {
            items.add(signed(message.apply(server)));
        }
        return items;
    }

    private Standing.Held held() {
        return new Standing.Held(positive(), maybe(this::dot));
    }

    private Request request() {
        return new Request(client(), positive(), text(), text(), operation());
    }

    private Question question() {
        return random.nextBoolean() ? Question.of(signed(request())) : Question.of(read());
    }

    private InspectReply inspectReply(int server) {
        InspectReply.Outcome[] outcomes = InspectReply.Outcome.values();
        return new InspectReply(server, client(), number(), hash(), hash(), outcomes[random.nextInt(outcomes.length)]);
    }

    private Blacklist blacklist(int server) {
        Blacklist.Finding[] findings = Blacklist.Finding.values();
        Accused accused = random.nextBoolean() ? new Accused.Server(index()) : new Accused.Client(client());
        return new Blacklist(server, hash(), accused, findings[random.nextInt(findings.length)]);
    }

    private ForkedEntries.Branch branch() {
        return new ForkedEntries.Branch(signed(head(index())), hash(), inclusionProof());
    }

    private BrokenEntry.Included included() {
        return new BrokenEntry.Included(
                random.nextBoolean() ? bytes(random.nextInt(80)) : Codec.encode(entry()), inclusionProof());
    }

    /** A message with its bytes and 64 random bytes for a signature. */
    public <M extends Message> Signed<M> signed(M message) {
        return new Signed<>(message, Codec.encode(message), bytes(Ed25519.SIGNATURE_LENGTH));
    }

    /** A value that a decoder accepts, nested as deep as that allows at most. */
    public Value value() {
        return value(0);
    }

    private Value value(int depth) {
        int kind = random.nextInt(depth < CborReader.MAX_DEPTH - 1 ? 5 : 3);
        if (kind == 0) {
            return Value.of(random.nextBoolean() ? number() : -1 - number());
        }
        if (kind == 1) {
            return Value.of(text());
        }
        return kind == 2 ? Value.of(bytes(random.nextInt(40))) : Value.sequence(list(4, () -> value(depth + 1)));
    }

    /** A number from 0, often at the edge of a length of encoding. */
    public long number() {
        return random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextLong() >>> random.nextInt(1, 64);
    }

    /** A text of up to a few thousand characters, mostly short. */
    public String text() {
        int length = random.nextInt(8) == 0 ? TEXT_EDGES[random.nextInt(TEXT_EDGES.length)] : random.nextInt(12);
        boolean plain = random.nextBoolean();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(plain ? "x" : LETTERS[random.nextInt(LETTERS.length)]);
        }
        return text.toString();
    }

    /** Random bytes. */
    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A random hash. */
    public Hash hash() {
        return random.nextInt(10) == 0 ? Hash.ZERO : Hash.of(bytes(Hash.LENGTH));
    }

    /** A version vector of any permitted size. */
    public VersionVector version() {
        long[] components = new long[random.nextInt(8) == 0 ? CborReader.MAX_ORIGINS : random.nextInt(11)];
        for (int i = 0; i < components.length; i++) {
            components[i] = number();
        }
        return VersionVector.of(components);
    }

    /** The content of a certificate. */
    public CertificateContent content() {
        List<CertificateContent.Exclusion> exclusions = list(2, this::exclusion);
        return new CertificateContent(
                hash(), new CertificateNumber(positive()), hash(), version(), list(10, this::hash), hash(), exclusions);
    }

    private CertificateContent.Exclusion exclusion() {
        return new CertificateContent.Exclusion(index(), number(), hash());
    }

    /** A certificate with random signatures in the right order. */
    public Certificate certificate() {
        CertificateContent content = content();
        List<Certificate.ReplicaSignature> signatures = new ArrayList<>();
        for (int replica : indices()) {
            signatures.add(new Certificate.ReplicaSignature(replica, bytes(Ed25519.SIGNATURE_LENGTH)));
        }
        return new Certificate(content, Codec.encode(content), signatures);
    }

    private Response response() {
        return new Response(
                index(),
                number(),
                client(),
                number(),
                value(),
                maybe(this::dot),
                hash(),
                version(),
                hash(),
                certificateNumber(),
                hash());
    }

    private CertificateNumber certificateNumber() {
        return new CertificateNumber(number());
    }

    private Epoch epoch() {
        return new Epoch(number());
    }

    private Recover recover() {
        return new Recover(
                index(),
                hash(),
                hash(),
                random.nextBoolean(),
                epoch(),
                certificateNumber(),
                number(),
                maybe(this::provenContent));
    }

    private ProvenContent provenContent() {
        CertificateContent content = content();
        List<Signed<Accept>> accepts = new ArrayList<>();
        for (int replica : indices()) {
            accepts.add(signed(new Accept(replica, certificateNumber(), number(), hash())));
        }
        return new ProvenContent(content, Codec.encode(content), accepts);
    }

    private Stable stable(int server) {
        return new Stable(
                server,
                epoch(),
                number(),
                hash(),
                version(),
                list(10, this::hash),
                version(),
                list(10, this::hash),
                hash());
    }

    private Entry entry() {
        ClientSigned body = (ClientSigned) message(random.nextBoolean() ? Kind.REQUEST : Kind.OPEN_SESSION);
        return new Entry(dot(), version(), signed(body));
    }

    private Head head(int origin) {
        return new Head(origin, number(), hash());
    }

    private List<Signed<Head>> heads() {
        List<Signed<Head>> heads = new ArrayList<>();
        for (int origin : indices()) {
            heads.add(signed(head(origin)));
        }
        return heads;
    }

    private Confirmation.Covered covered() {
        return new Confirmation.Covered(positive(), dot(), inclusionProof());
    }

    /** A claim of inclusion that hardly ever holds. */
    public InclusionProof inclusionProof() {
        return new InclusionProof(number(), number(), list(64, this::hash));
    }

    private ConsistencyProof consistency() {
        return new ConsistencyProof(number(), number(), list(64, this::hash));
    }

    private ObjectProof objectProof() {
        return new ObjectProof(maybe(this::text), maybe(this::elementsProof), stateProof());
    }

    private ElementsProof elementsProof() {
        return new ElementsProof(number(), hash(), pageProof(), list(5, () -> value(0)));
    }

    private PageProof pageProof() {
        return new PageProof(
                random.nextInt(PageProof.MAX_BITS + 1),
                list(20, this::hash),
                maybe(() -> new StateLeaf(hash(), hash())));
    }

    private Read read() {
        return new Read(number(), text(), text(), random.nextBoolean(), certificateNumber(), maybe(this::part));
    }

    private ReadPart part() {
        return random.nextBoolean() ? ReadPart.element(value(0)) : ReadPart.page(hash(), certificateNumber());
    }

    /** A claim about a state that hardly ever holds. */
    public StateProof stateProof() {
        return new StateProof(list(20, this::hash), maybe(() -> new StateLeaf(hash(), hash())));
    }

    private Operation operation() {
        return new Operation(text(), list(3, () -> value(1)));
    }

    private Refusal.Reason reason() {
        Refusal.Reason[] reasons = Refusal.Reason.values();
        return reasons[random.nextInt(reasons.length)];
    }

    private ClientId client() {
        return new ClientId(
                PublicKey.of(bytes(PublicKey.LENGTH)), random.nextLong() & Long.MAX_VALUE, random.nextLong());
    }

    private Dot dot() {
        return new Dot(index(), positive());
    }

    private int index() {
        return random.nextInt(CborReader.MAX_ORIGINS);
    }

    private Iterable<Integer> indices() {
        return new TreeSet<>(list(5, this::index));
    }

    private long positive() {
        return Math.max(1, number());
    }

    private <T> List<T> list(int most, Supplier<T> items) {
        List<T> list = new ArrayList<>();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            list.add(items.get());
        }
        return list;
    }

    private <T> @Nullable T maybe(Supplier<T> item) {
        return random.nextBoolean() ? item.get() : null;
    }
}
