package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What any appserver answers without a session: standing, inspection, complaints; and what it costs to ask too much. */
class InquiryTest {
    private static final String COUNTER = "pn-counter";

    private final Deployment world = new Deployment(11);
    private long nonce = 1000;

    private static Operation increment(long amount) {
        return Operation.of("increment", Value.of(amount));
    }

    private TestClient writer(int index, int server, int updates) {
        TestClient client = world.client(index, server);
        client.open();
        for (int i = 0; i < updates; i++) {
            client.update("c", COUNTER, increment(2));
            world.run(30);
        }
        world.run(300);
        return client;
    }

    private Signed<Response> answer(TestClient client, long number) {
        return client.answer(number, true).orElseThrow().response();
    }

    private static Response valued(Response r, Value value) {
        return new Response(
                r.server(),
                r.sequence(),
                r.client(),
                r.reference(),
                value,
                r.dot(),
                r.leaf(),
                r.version(),
                r.roots(),
                r.certificate(),
                r.certificateDigest());
    }

    private Outcome inspect(int server, Signed<Response> answer, Question question) {
        return reply(server, answer, question).message().outcome();
    }

    private Signed<InspectReply> reply(int server, Signed<Response> answer, Question question) {
        TestClient asker = world.client(50 + (int) (nonce % 20), server);
        asker.ask(new Inspect(asker.id(), ++nonce, answer, question));
        world.run(20);
        Signed<InspectReply> reply = asker.newest(InspectReply.class).orElseThrow();
        assertThat(reply.message().answer()).isEqualTo(answer.identity());
        assertThat(reply.verify(world.verifier, world.sealer(1, server).publicKey(), Domain.INSPECTREPLY))
                .isTrue();
        return reply;
    }

    @Test
    void everyHonestAnswerMatchesAtEveryServerNowAndLater() {
        List<TestClient> clients = new ArrayList<>();
        for (int server = 0; server < 4; server++) {
            TestClient client = world.client(server, server);
            client.open();
            clients.add(client);
        }
        List<Long> reads = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            for (TestClient client : clients) {
                client.update("c", COUNTER, increment(1 + i));
            }
            TestClient reader = clients.get(i % 4);
            reads.add(reader.read("c", COUNTER, i % 3 == 2 && world.now > 2000, 0));
            world.run(110);
        }
        world.run(1500);
        int known = 0;
        for (TestClient client : clients) {
            for (long number = 1; number <= 25; number++) {
                Signed<Response> answer = answer(client, number);
                Outcome outcome = inspect((int) (number % 4), answer, Question.of(client.requests.get(number)));
                assertThat(outcome).isIn(Outcome.MATCH, Outcome.PRUNED);
                known += outcome == Outcome.MATCH ? 1 : 0;
                if (outcome == Outcome.MATCH) {
                    Signed<Response> lie = world.sealer(1, client.server).seal(valued(answer.message(), Value.of(-1)));
                    assertThat(inspect((int) ((number + 1) % 4), lie, Question.of(client.requests.get(number))))
                            .isEqualTo(Outcome.DIFFERS);
                }
                world.run(500);
            }
        }
        assertThat(known).isPositive();
    }

    /** Clients that wander, resubmit, add and remove; delays and partitions; whatever is answered never differs. */
    @Test
    void noHonestAnswerEverDiffers() {
        int matches = 0;
        for (long seed = 1; seed <= 6; seed++) {
            Deployment honest = new Deployment(seed);
            Random random = new Random(seed);
            List<TestClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(honest.client(i, i));
                clients.get(i).open();
            }
            for (int step = 0; step < 120; step++) {
                TestClient client = clients.get(random.nextInt(4));
                int choice = random.nextInt(10);
                if (choice < 5) {
                    String kind = random.nextInt(3) == 0 ? "remove" : "add";
                    client.update("s", "aw-set", Operation.of(kind, Value.of(random.nextInt(3))));
                } else if (choice < 7) {
                    client.update("c", COUNTER, increment(1 + random.nextInt(9)));
                } else if (choice == 7) {
                    client.move(random.nextInt(4));
                    client.requests
                            .tailMap(Math.max(1, client.number - 3))
                            .values()
                            .forEach(client::resend);
                } else {
                    boolean certified = random.nextInt(3) > 0;
                    client.read("s", "aw-set", certified, 0, part(random, newest(honest, client.server)));
                }
                int cut = random.nextInt(12);
                honest.open = (from, to) -> from.index() != cut && to.index() != cut;
                honest.run(random.nextInt(80));
                if (step % 10 == 9) {
                    honest.open = (from, to) -> true;
                    honest.run(300);
                    matches += inspectAll(honest, clients, seed);
                }
            }
            assertThat(honest.machine.convicted()).isEmpty();
        }
        assertThat(matches).isGreaterThan(100);
    }

    private static CertificateNumber newest(Deployment deployment, int server) {
        return deployment
                .cores
                .get(server)
                .newestCertificate()
                .map(Certificate::number)
                .orElse(CertificateNumber.NONE);
    }

    /** All, an element, or a page: of the newest certificate without its number or with it, or of one before. */
    private static @Nullable ReadPart part(Random random, CertificateNumber newest) {
        return switch (random.nextInt(5)) {
            case 0 -> null;
            case 1 -> ReadPart.element(Value.of(random.nextInt(3)));
            case 2 -> ReadPart.page(Hash.ZERO, CertificateNumber.NONE);
            case 3 -> ReadPart.page(Hash.ZERO, newest);
            default -> ReadPart.page(Hash.ZERO, new CertificateNumber(Math.max(0, newest.value() - 1)));
        };
    }

    private int inspectAll(Deployment honest, List<TestClient> clients, long seed) {
        int matches = 0;
        for (TestClient client : clients) {
            for (Answer answer : List.copyOf(client.answers())) {
                Response response = answer.response().message();
                Question question = response.isUpdate()
                        ? Question.of(client.requests.get(response.reference()))
                        : Question.of(client.reads.get(response.reference()));
                int server = (int) (++nonce % 4);
                TestClient asker = honest.client(100 + (int) nonce, server);
                asker.ask(new Inspect(asker.id(), nonce, answer.response(), question));
                honest.run(20);
                Outcome outcome =
                        asker.newest(InspectReply.class).orElseThrow().message().outcome();
                assertThat(outcome)
                        .as("seed %d, %s at server %d", seed, response, server)
                        .isNotEqualTo(Outcome.DIFFERS);
                matches += outcome == Outcome.MATCH ? 1 : 0;
            }
            client.received.clear();
        }
        return matches;
    }

    @Test
    void readsAreInspectedToo() {
        writer(1, 0, 3);
        TestClient reader = world.client(2, 0);
        Read read = new Read(1, "c", COUNTER, false, CertificateNumber.NONE);
        reader.read("c", COUNTER, false, 0);
        world.run(50);
        Signed<Response> answer = reader.answer(1, false).orElseThrow().response();
        assertThat(answer.message().leaf()).isEqualTo(Digests.read(read));
        assertThat(inspect(2, answer, Question.of(read))).isEqualTo(Outcome.MATCH);
        Signed<Response> lie = world.sealer(1, 0).seal(valued(answer.message(), Value.of(99)));
        assertThat(inspect(3, lie, Question.of(read))).isEqualTo(Outcome.DIFFERS);
        TestClient asker = world.client(3, 1);
        asker.ask(new Inspect(
                asker.id(), 5, answer, Question.of(new Read(1, "other", COUNTER, false, CertificateNumber.NONE))));
        world.run(20);
        assertThat(asker.refusals()).extracting(Refusal::reason).containsExactly(Reason.MALFORMED);
    }

    /** The log has another entry at that place, so nobody has verified that update. */
    @Test
    void anAnswerToAnUpdateThatNobodySignedIsNoAnswer() {
        TestClient client = writer(1, 3, 3);
        Signed<Response> answer = answer(client, 3);
        Signed<Request> right = client.requests.get(3L);
        Signed<Request> forged = new Signed<>(
                right.message(), right.payload(), client.requests.get(2L).signature());
        Response said = answer.message();
        VersionVector before = said.version().with(3, said.dot().sequence() - 1);
        Entry entry =
                new Entry(said.dot(), before, new Signed<>(forged.message(), forged.payload(), forged.signature()));
        Signed<Response> lie = world.sealer(1, 3)
                .seal(new Response(
                        said.server(),
                        said.sequence(),
                        said.client(),
                        said.reference(),
                        said.result(),
                        said.dot(),
                        MerkleTree.leafHash(Codec.encode(entry)),
                        said.version(),
                        said.roots(),
                        said.certificate(),
                        said.certificateDigest()));
        TestClient asker = world.client(40, 1);
        asker.ask(new Inspect(asker.id(), 1, lie, Question.of(forged)));
        world.run(20);
        assertThat(asker.refusals()).extracting(Refusal::reason).containsExactly(Reason.MALFORMED);
        assertThat(inspect(1, answer, Question.of(right))).isEqualTo(Outcome.MATCH);
    }

    /** Ten times the entries, of other objects, and as little to recompute. */
    @Test
    void anInspectionLooksAtTheEntriesOfItsObjectAlone() {
        TestClient client = writer(1, 3, 2);
        for (int i = 0; i < 200; i++) {
            client.update("other" + i, COUNTER, increment(1));
        }
        client.update("c", COUNTER, increment(2));
        world.run(2_000);
        assertThat(inspect(0, answer(client, 203), Question.of(client.requests.get(203L))))
                .isEqualTo(Outcome.MATCH);
        assertThat(world.cores.get(0).status().counters())
                .containsEntry("inspections_from_own", 1L)
                .doesNotContainKey("inspections_from_all");
    }

    private Outcome elements(Read read, Signed<Response> answer, Integer... found) {
        Value value = Value.sequence(Stream.of(found).map(Value::of).toList());
        Signed<Response> other = world.sealer(1, 0).seal(valued(answer.message(), value));
        return inspect((int) (nonce % 4), other, Question.of(read));
    }

    /** The paths of the elements 0 to 3 begin with 1a, 11, af and 58: so a first page ends before 10, or behind 1a, 58 or af. */
    @Test
    void anyPageOfAnInspectedCertificateMatchesAndNothingElse() {
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < 4; i++) {
            client.update("s", "aw-set", Operation.of("add", Value.of(i)));
        }
        world.run(3000);
        CertificateNumber newest = newest(world, 0);
        for (CertificateNumber of : List.of(CertificateNumber.NONE, newest)) {
            long asked = client.read("s", "aw-set", true, 0, ReadPart.page(Hash.ZERO, of));
            world.run(50);
            Signed<Response> answer = client.answer(asked, false).orElseThrow().response();
            Read read = client.reads.get(asked);
            assertThat(inspect(2, answer, Question.of(read))).isEqualTo(Outcome.MATCH);
            for (Integer[] right : new Integer[][] {{}, {0, 1}, {0, 1, 3}, {0, 1, 2, 3}}) {
                assertThat(elements(read, answer, right))
                        .as("%s", List.of(right))
                        .isEqualTo(Outcome.MATCH);
                world.run(1000);
            }
            for (Integer[] wrong : new Integer[][] {{0}, {1}, {0, 3}, {2, 3}, {0, 1, 2}, {9}, {0, 1, 2, 3, 4}}) {
                assertThat(elements(read, answer, wrong))
                        .as("%s", List.of(wrong))
                        .isEqualTo(Outcome.DIFFERS);
                world.run(1000);
            }
        }
    }

    /** Whoever signs more on a page than a correct server shows is wrong, and makes nobody compute it. */
    @Test
    void aPageThatIsLongerThanACorrectServersDiffers() {
        TestClient client = world.client(1, 0);
        client.open();
        List<Value> elements = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            elements.add(Value.of(i));
            client.update("s", "aw-set", Operation.of("add", Value.of(i)));
        }
        world.run(5_000);
        long asked = client.read("s", "aw-set", true, 0, ReadPart.page(Hash.ZERO, CertificateNumber.NONE));
        world.run(100);
        Signed<Response> answer = client.answer(asked, false).orElseThrow().response();
        Question question = Question.of(client.reads.get(asked));
        assertThat(inspect(2, answer, question)).isEqualTo(Outcome.MATCH);
        Signed<Response> all = world.sealer(1, 0).seal(valued(answer.message(), Value.sequence(elements)));
        assertThat(inspect(2, all, question)).isEqualTo(Outcome.DIFFERS);
    }

    /** Each inspection of a whole value of a MiB costs a part of what a server recomputes for one client. */
    @Test
    void inspectionsOfLargeValuesAreFew() {
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < 512; i++) {
            client.update("s", "aw-set", Operation.of("add", Value.of("x".repeat(2_000) + i)));
            world.run(20);
        }
        world.run(5_000);
        long asked = client.read("s", "aw-set", false, 0);
        world.run(100);
        Signed<Response> answer = client.answer(asked, false).orElseThrow().response();
        Question question = Question.of(client.reads.get(asked));
        TestClient asker = world.client(2, 1);
        for (int i = 0; i < 19; i++) {
            Signed<Response> lie = world.sealer(1, 0).seal(valued(answer.message(), Value.of(i)));
            asker.ask(new Inspect(asker.id(), ++nonce, lie, question));
        }
        world.run(20);
        assertThat(asker.refusals()).isNotEmpty().extracting(Refusal::reason).containsOnly(Reason.TOO_OFTEN);
        asker.received.clear();
        world.run(1_000);
        Signed<Response> lie = world.sealer(1, 0).seal(valued(answer.message(), Value.of(-1)));
        assertThat(inspect(1, lie, question)).isEqualTo(Outcome.DIFFERS);
    }

    @Test
    void aWrongAnswerIsConvictedByRecomputation() {
        TestClient client = writer(1, 3, 3);
        Question question = Question.of(client.requests.get(3L));
        Signed<Response> lie = world.sealer(1, 3).seal(valued(answer(client, 3).message(), Value.of(77)));
        Evidence evidence = new WrongAnswer(lie, question, List.of(reply(0, lie, question), reply(2, lie, question)));
        TestClient complainer = world.client(30, 0);
        complainer.ask(new Complain(complainer.id(), 1, evidence));
        world.run(20);
        assertThat(complainer.newest(Blacklist.class).orElseThrow().message().finding())
                .isEqualTo(Blacklist.Finding.GUILTY);
        world.run(4000);
        for (int server = 0; server < 3; server++) {
            assertThat(world.cores
                            .get(server)
                            .newestCertificate()
                            .orElseThrow()
                            .content()
                            .exclusions())
                    .extracting(Exclusion::origin, Exclusion::evidence)
                    .containsExactly(org.assertj.core.api.Assertions.tuple(3, Digests.evidence(evidence)));
        }
        assertThat(complainer.refusals()).isEmpty();
    }

    @Test
    void twoLiarsCannotConvictACorrectServer() {
        TestClient client = writer(1, 3, 3);
        Signed<Response> right = answer(client, 3);
        Question question = Question.of(client.requests.get(3L));
        List<Signed<InspectReply>> lies = LongStream.of(0, 1)
                .mapToObj(server -> world.sealer(1, (int) server)
                        .seal(new InspectReply(
                                (int) server,
                                client.id(),
                                4,
                                right.identity(),
                                right.message().roots(),
                                Outcome.DIFFERS)))
                .toList();
        Evidence evidence = new WrongAnswer(right, question, lies);
        for (int server = 0; server < 3; server++) {
            TestClient complainer = world.client(30 + server, server);
            complainer.ask(new Complain(complainer.id(), 1, evidence));
            world.run(20);
            assertThat(complainer
                            .newest(Blacklist.class)
                            .orElseThrow()
                            .message()
                            .finding())
                    .isEqualTo(Blacklist.Finding.UNCONFIRMED);
        }
        world.run(3000);
        assertThat(world.machine.convicted()).isEmpty();
    }

    @Test
    void evidenceThatNoCommandCouldCarryIsNotTaken() {
        TestClient client = writer(1, 3, 3);
        Value fits = Value.of(new byte[CoreLimits.USUAL.maxEvidenceBytes() - 4096]);
        Value tooLarge = Value.of(new byte[CoreLimits.USUAL.maxEvidenceBytes()]);
        assertThat(complaint(30, wentBack(answer(client, 3).message(), tooLarge)))
                .isEqualTo(Blacklist.Finding.FALSE);
        world.run(2000);
        assertThat(world.machine.convicted()).isEmpty();
        assertThat(complaint(31, wentBack(answer(client, 3).message(), fits))).isEqualTo(Blacklist.Finding.GUILTY);
        world.run(2000);
        assertThat(world.machine.convicted()).containsExactly(3);
    }

    /** Appserver 3 lies about its newest certificate, in an answer with this value. */
    private Evidence wentBack(Response honest, Value value) {
        Response later = valued(honest, value);
        Sealer three = world.sealer(1, 3);
        return new CertificateWentBack(three.seal(with(honest, 1, 2)), three.seal(with(later, 2, 1)));
    }

    private static Response with(Response r, long sequence, long certificate) {
        return new Response(
                r.server(),
                sequence,
                r.client(),
                r.reference(),
                r.result(),
                r.dot(),
                r.leaf(),
                r.version(),
                r.roots(),
                new CertificateNumber(certificate),
                r.certificateDigest());
    }

    private Blacklist.Finding complaint(int index, Evidence evidence) {
        TestClient complainer = world.client(index, 0);
        complainer.ask(new Complain(complainer.id(), 1, evidence));
        world.run(20);
        return complainer.newest(Blacklist.class).orElseThrow().message().finding();
    }

    @Test
    void standingTellsTheCertificateAndWhatIsHeld() {
        TestClient client = writer(1, 0, 3);
        world.run(2000);
        List<AskStanding.Named> named = new ArrayList<>();
        client.requests.forEach((number, request) -> named.add(new AskStanding.Named(number, request.identity())));
        named.add(new AskStanding.Named(9, Hash.ZERO));
        named.add(new AskStanding.Named(2, Hash.ZERO));
        TestClient elsewhere = new TestClient(world, client.sealer, 2);
        world.attach(elsewhere);
        elsewhere.ask(new AskStanding(client.id(), 3, named));
        world.run(20);
        Signed<Standing> standing = elsewhere.newest(Standing.class).orElseThrow();
        assertThat(standing.verify(world.verifier, world.sealer(1, 2).publicKey(), Domain.STANDING))
                .isTrue();
        assertThat(standing.message().certificate())
                .isEqualTo(world.cores.get(2).newestCertificate().orElseThrow());
        assertThat(standing.message().updates())
                .extracting(held -> held.dot() != null)
                .containsExactly(true, true, true, false, false);
        assertThat(standing.message().updates().get(0).dot())
                .isEqualTo(answer(client, 1).message().dot());
    }

    @Test
    void aClientThatSignsTwoContentsIsRefusedEverywhereForGood() {
        TestClient client = writer(1, 0, 1);
        Signed<Request> other = client.sealer.seal(new Request(client.id(), 1, "c", COUNTER, increment(50)));
        Evidence evidence = new ClientEquivocation(client.requests.get(1L), other);
        TestClient complainer = world.client(30, 2);
        complainer.ask(new Complain(complainer.id(), 1, evidence));
        world.run(500);
        for (int server = 0; server < 4; server++) {
            client.move(server);
            world.run(100);
            assertThat(client.refusals()).last().extracting(Refusal::reason).isEqualTo(Reason.EXCLUDED);
        }
        world.crash(1);
        client.session += 5;
        client.move(1);
        world.run(100);
        assertThat(client.refusals()).last().extracting(Refusal::reason).isEqualTo(Reason.EXCLUDED);
        assertThat(world.machine.convicted()).isEmpty();
    }

    @Test
    void falseComplaintsAreCountedAndTheirClientRefusedForATime() {
        TestClient honest = writer(1, 0, 2);
        TestClient liar = world.client(2, 1);
        for (long number = 1; number <= 3; number++) {
            Signed<Request> request = honest.requests.get(1L);
            liar.ask(new Complain(liar.id(), number, new ClientEquivocation(request, request)));
        }
        world.run(20);
        assertThat(liar.signed).hasSize(3);
        assertThat(liar.newest(Blacklist.class).orElseThrow().message().finding())
                .isEqualTo(Blacklist.Finding.FALSE);
        liar.open();
        world.run(20);
        assertThat(liar.refusals()).last().extracting(Refusal::reason).isEqualTo(Reason.FALSE_COMPLAINTS);
        world.run(61_000);
        liar.received.clear();
        liar.session++;
        liar.open();
        world.run(100);
        assertThat(liar.refusals()).isEmpty();
    }

    @Test
    void whoeverAsksTooOftenIsToldSoAndOthersAreServed() {
        TestClient client = writer(1, 0, 1);
        Signed<Response> answer = answer(client, 1);
        Question question = Question.of(client.requests.get(1L));
        TestClient flood = world.client(9, 1);
        for (int i = 0; i < 200; i++) {
            flood.ask(new Inspect(flood.id(), i + 1, answer, question));
        }
        world.run(20);
        assertThat(flood.signed).hasSizeBetween(15, 30);
        assertThat(flood.refusals()).extracting(Refusal::reason).containsOnly(Reason.TOO_OFTEN);
        assertThat(inspect(1, answer, question)).isEqualTo(Outcome.MATCH);
        Sealer thief = world.sealer(3, 99);
        flood.received.clear();
        flood.send(org.aspas.certify.wire.Codec.encode(thief.seal(new Inspect(client.id(), 1, answer, question))));
        world.run(20);
        assertThat(flood.refusals()).extracting(Refusal::reason).containsOnly(Reason.BAD_SIGNATURE);
    }
}
