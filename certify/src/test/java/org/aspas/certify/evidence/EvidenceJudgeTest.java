package org.aspas.certify.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.MessageGenerator;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each row of the table is proved by its offence, and by nothing that honest parties sign or that anyone alters. */
class EvidenceJudgeTest {
    private static final int SIZE = 9;

    /** A second log that shares a prefix with the first, signed by the same server. */
    private record Fork(MerkleLog log, Signed<Head> head) {}

    private static Fork fork(History history, int shared) {
        MerkleLog log = new MerkleLog();
        for (int i = 0; i < SIZE; i++) {
            log.append(i < shared ? history.entries.get(i) : new byte[] {(byte) i});
        }
        return new Fork(log, History.server(0).seal(new Head(0, SIZE, log.root())));
    }

    private static Signed<Response> with(Signed<Response> answer, long sequence, Hash leaf, long number, Hash digest) {
        Response r = answer.message();
        return History.server(0)
                .seal(new Response(
                        r.server(),
                        sequence,
                        r.client(),
                        r.reference(),
                        r.result(),
                        r.dot(),
                        leaf,
                        r.version(),
                        r.roots(),
                        new CertificateNumber(number),
                        digest));
    }

    private static BrokenEntry broken(History history, byte[] last, byte @Nullable [] before) {
        MerkleLog log = new MerkleLog();
        for (int i = 0; i < SIZE - 1; i++) {
            log.append(before != null && i == SIZE - 2 ? before : history.entries.get(i));
        }
        log.append(last);
        Signed<Head> head = History.server(0).seal(new Head(0, SIZE, log.root()));
        return new BrokenEntry(
                head,
                new BrokenEntry.Included(last, log.proveInclusion(SIZE - 1, SIZE)),
                before == null ? null : new BrokenEntry.Included(before, log.proveInclusion(SIZE - 2, SIZE)));
    }

    /** One true offence of every kind, and of some kinds several. */
    static List<Evidence> offences(long seed) {
        History h = new History(seed, SIZE);
        int at = h.random.nextInt(SIZE);
        Fork fork = fork(h, at);
        Signed<Head> head = h.heads.get(SIZE - 1);
        Signed<Response> answer = h.responses.get(at);
        InclusionProof theirs = fork.log.proveInclusion(at, SIZE);
        Hash leaf = fork.log.leaf(at);
        Hash other = Hash.sha256(new byte[] {9});
        Certificate last = h.certificates.get(h.certificates.size() - 1);
        Certificate twoSigned = History.signed(last.content(), 40, 42);
        List<Evidence> all = new ArrayList<>();
        all.add(new ForkedHeads(head, fork.head));
        all.add(new ForkedEntries(
                new ForkedEntries.Branch(head, h.log.leaf(at), h.log.proveInclusion(at, SIZE)),
                new ForkedEntries.Branch(fork.head, leaf, theirs)));
        Dot dot = new Dot(0, SIZE);
        VersionVector own = VersionVector.zero(4).with(0, SIZE - 1);
        VersionVector high = own.with(2, 1000);
        all.add(broken(h, new byte[] {1, 2, 3}, null));
        all.add(broken(h, History.entry(new Dot(0, 3), own, h.requests.get(0)), null));
        all.add(broken(h, History.entry(dot, own.with(0, SIZE), h.requests.get(0)), null));
        all.add(broken(
                h,
                History.entry(
                        dot,
                        own,
                        new Signed<>(
                                h.requests.get(0).message(), h.requests.get(0).payload(), new byte[64])),
                null));
        all.add(broken(
                h,
                History.entry(dot, own, h.requests.get(0)),
                History.entry(new Dot(0, SIZE - 1), high.with(0, SIZE - 2), h.requests.get(1))));
        all.add(new AnswerAgainstLog(
                with(answer, 3, other, 0, Hash.ZERO), last, h.log.leaf(at), h.log.proveInclusion(at, SIZE)));
        all.add(new AnswerAgainstHead(answer, fork.head, leaf, theirs));
        all.add(new BadCertificate(
                with(answer, 3, leaf, last.number().value(), org.aspas.certify.wire.Digests.certificate(twoSigned)),
                twoSigned));
        all.add(new BadCertificate(
                with(answer, 3, leaf, last.number().next().value(), org.aspas.certify.wire.Digests.certificate(last)),
                last));
        all.add(new CertificateWentBack(with(answer, 3, leaf, 5, other), with(h.responses.get(0), 4, leaf, 4, other)));
        all.add(new WrongState(
                History.stable(2, other),
                List.of(History.stable(0, leaf), History.stable(1, leaf), History.stable(3, leaf))));
        all.add(new ClientEquivocation(h.requests.get(at), h.request(at + 1, 77)));
        return all;
    }

    private static WrongAnswer wrongAnswer(History h) {
        Read read = new Read(4, "k", "pn-counter", false, CertificateNumber.NONE);
        Signed<Response> answer = h.answer(read, Value.of(3));
        return new WrongAnswer(
                answer,
                Question.of(read),
                List.of(
                        h.reply(1, answer, InspectReply.Outcome.DIFFERS),
                        h.reply(2, answer, InspectReply.Outcome.DIFFERS)));
    }

    @Test
    void everyOffenceConvictsItsAuthor() {
        for (long seed = 0; seed < 5; seed++) {
            for (Evidence evidence : offences(seed)) {
                assertEquals(
                        new Judgement.Guilty(evidence.accused()),
                        History.JUDGE.judge(evidence),
                        evidence.kind() + " of seed " + seed);
                Decoded<Evidence> again = Codec.decode(Codec.encode(evidence), Evidence.class);
                assertEquals(evidence, again.accepted().orElseThrow());
            }
        }
    }

    @Test
    void aWrongAnswerNeedsReplayAndItsOwnQuestion() {
        History h = new History(1, SIZE);
        WrongAnswer evidence = wrongAnswer(h);
        assertEquals(new Judgement.NeedsReplay(new Accused.Server(0)), History.JUDGE.judge(evidence));
        Read another = new Read(4, "other", "pn-counter", false, CertificateNumber.NONE);
        assertInstanceOf(
                Judgement.Unfounded.class,
                History.JUDGE.judge(new WrongAnswer(evidence.response(), Question.of(another), evidence.replies())));
        Signed<Response> update = h.responses.get(3);
        List<Signed<InspectReply>> replies = List.of(
                h.reply(1, update, InspectReply.Outcome.DIFFERS), h.reply(3, update, InspectReply.Outcome.DIFFERS));
        assertInstanceOf(
                Judgement.NeedsReplay.class,
                History.JUDGE.judge(new WrongAnswer(update, Question.of(h.requests.get(3)), replies)));
        assertInstanceOf(
                Judgement.Unfounded.class,
                History.JUDGE.judge(new WrongAnswer(update, Question.of(h.requests.get(2)), replies)));
        assertInstanceOf(
                Judgement.Unfounded.class,
                History.JUDGE.judge(new WrongAnswer(update, Question.of(h.requests.get(3)), replies.subList(0, 1))));
        assertInstanceOf(
                Judgement.Unfounded.class,
                History.JUDGE.judge(new WrongAnswer(
                        update,
                        Question.of(h.requests.get(3)),
                        List.of(replies.get(0), h.reply(2, update, InspectReply.Outcome.PRUNED)))));
    }

    /** Anything that honest parties signed, put together in any way. */
    @Test
    void honestHistoriesConvictNobody() {
        for (long seed = 0; seed < 200; seed++) {
            History h = new History(seed % 10, SIZE);
            Random random = new Random(seed);
            for (Evidence evidence : misused(h, random)) {
                Judgement judgement = History.JUDGE.judge(evidence);
                assertInstanceOf(Judgement.Unfounded.class, judgement, evidence.kind() + " of seed " + seed);
            }
        }
    }

    private static List<Evidence> misused(History h, Random random) {
        int a = random.nextInt(SIZE);
        int b = random.nextInt(SIZE);
        int sizeA = a + 1 + random.nextInt(SIZE - a);
        int sizeB = a + 1 + random.nextInt(SIZE - a);
        Signed<Head> headA = h.heads.get(sizeA - 1);
        Signed<Response> answer = h.responses.get(a);
        Certificate certificate = h.certificates.get(random.nextInt(h.certificates.size()));
        long certified = certificate.content().version().get(0);
        int inside = random.nextInt((int) certified);
        List<Evidence> all = new ArrayList<>();
        all.add(new ForkedHeads(headA, h.heads.get(b)));
        all.add(new ForkedEntries(
                new ForkedEntries.Branch(headA, h.log.leaf(a), h.log.proveInclusion(a, sizeA)),
                new ForkedEntries.Branch(h.heads.get(sizeB - 1), h.log.leaf(a), h.log.proveInclusion(a, sizeB))));
        int previous = Math.max(0, a - 1);
        all.add(new BrokenEntry(
                headA,
                new BrokenEntry.Included(h.entries.get(a), h.log.proveInclusion(a, sizeA)),
                a == 0
                        ? null
                        : new BrokenEntry.Included(h.entries.get(previous), h.log.proveInclusion(previous, sizeA))));
        all.add(new AnswerAgainstLog(
                h.responses.get(random.nextBoolean() ? inside : b),
                certificate,
                h.log.leaf(inside),
                h.log.proveInclusion(inside, certified)));
        all.add(new AnswerAgainstHead(answer, headA, h.log.leaf(b), h.log.proveInclusion(a, sizeA)));
        all.add(new BadCertificate(answer, certificate));
        all.add(new CertificateWentBack(answer, h.responses.get(b)));
        all.add(new ClientEquivocation(h.requests.get(a), h.requests.get(b)));
        Hash state = h.log.leaf(0);
        all.add(new WrongState(
                History.stable(2, state),
                List.of(History.stable(0, state), History.stable(1, state), History.stable(3, state))));
        // One liar among the others is not f+1.
        all.add(new WrongState(History.stable(2, state), List.of(History.stable(1, h.log.leaf(1)))));
        return all;
    }

    /** Every byte of a proof counts: whatever is altered, it proves nothing any more. */
    @Test
    void alteredProofsConvictNobody() {
        for (Evidence evidence : offences(3)) {
            byte[] bytes = Codec.encode(evidence);
            Random random = new Random(bytes.length);
            for (int i = 0; i < 400; i++) {
                byte[] altered = bytes.clone();
                int at = random.nextInt(altered.length);
                altered[at] ^= (byte) (1 << random.nextInt(8));
                Codec.decode(altered, Evidence.class)
                        .accepted()
                        .ifPresent(read -> assertInstanceOf(
                                Judgement.Unfounded.class,
                                History.JUDGE.judge(read),
                                evidence.kind() + " altered at " + at));
            }
        }
    }

    @Test
    void anythingIsJudged() {
        for (long seed = 0; seed < 3000; seed++) {
            Evidence evidence = new MessageGenerator(seed).evidence();
            assertFalse(
                    History.JUDGE.judge(evidence) instanceof Judgement.Guilty, evidence.kind() + " of seed " + seed);
        }
    }
}
