package org.aspas.certify.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A server that names a later incarnation, of itself or another one, is not convicted, whatever else is wrong with what it signs. */
class LaterIncarnationTest {
    private static final int SIZE = 4;
    /** The first entry of incarnation 1, and the size of a log that ends with it. */
    private static final long LATER = SequenceNumbers.PER_INCARNATION + 1;

    private static final VersionVector LATER_ELSEWHERE = VersionVector.zero(4).with(2, LATER);
    private static final Hash LEFT = Hash.sha256(new byte[] {1});
    private static final Hash LEAF = Hash.sha256(new byte[] {2});
    private static final Hash OTHER = Hash.sha256(new byte[] {3});

    private final History history = new History(5, SIZE);

    /** Signs as appserver 0 by the wrong key. */
    private static final Sealer FORGER = History.sealer(99);

    /** The root of a tree with LATER leaves of which this is the last, and its proof. */
    private static Hash root(Hash last) {
        return MerkleTree.nodeHash(LEFT, last);
    }

    private static InclusionProof proof() {
        return new InclusionProof(LATER - 1, LATER, List.of(LEFT));
    }

    private static ForkedEntries.Branch branch(Sealer signer, Hash leaf) {
        return new ForkedEntries.Branch(signer.seal(new Head(0, LATER, root(leaf))), leaf, proof());
    }

    /** A log of incarnation 0 with these entries, the last of which breaks a rule. */
    private static BrokenEntry broken(Sealer signer, byte[]... entries) {
        MerkleLog log = new MerkleLog();
        for (byte[] one : entries) {
            log.append(one);
        }
        int size = entries.length;
        return new BrokenEntry(
                signer.seal(new Head(0, size, log.root())),
                new BrokenEntry.Included(entries[size - 1], log.proveInclusion(size - 1, size)),
                size == 1 ? null : new BrokenEntry.Included(entries[size - 2], log.proveInclusion(size - 2, size)));
    }

    private byte[] entry(long sequence, long own) {
        return History.entry(new Dot(0, sequence), VersionVector.zero(4).with(0, own), history.requests.get(0));
    }

    private Signed<Response> answer(
            Sealer signer, long sequence, Dot dot, VersionVector version, long number, Hash digest) {
        Response r = history.responses.get(1).message();
        return signer.seal(new Response(
                r.server(),
                sequence,
                r.client(),
                r.reference(),
                r.result(),
                dot,
                OTHER,
                version,
                r.roots(),
                new CertificateNumber(number),
                digest));
    }

    private static Certificate certificate(VersionVector version, Hash root, int... keys) {
        return History.signed(
                new CertificateContent(
                        History.DEPLOYMENT,
                        CertificateNumber.FIRST,
                        Hash.ZERO,
                        version,
                        List.of(root, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT, MerkleTree.EMPTY_ROOT),
                        Hash.ZERO,
                        List.of()),
                keys);
    }

    private static Signed<Stable> stable(
            Sealer signer, int server, VersionVector version, VersionVector closed, Hash state) {
        Stable s = History.stable(server, state).message();
        return signer.seal(new Stable(
                server, s.epoch(), s.round(), s.previous(), version, s.roots(), closed, s.closedRoots(), state));
    }

    private static WrongState wrongState(Sealer signer, VersionVector version, VersionVector closed) {
        return new WrongState(
                stable(signer, 0, version, closed, OTHER),
                List.of(
                        stable(History.server(1), 1, version, closed, LEAF),
                        stable(History.server(2), 2, version, closed, LEAF)));
    }

    private WrongAnswer wrongAnswer(Sealer signer) {
        Read read = new Read(4, "k", "pn-counter", false, CertificateNumber.NONE);
        Response r = history.answer(read, Value.of(3)).message();
        Signed<Response> answer = signer.seal(new Response(
                r.server(),
                r.sequence(),
                r.client(),
                r.reference(),
                r.result(),
                null,
                r.leaf(),
                LATER_ELSEWHERE,
                r.roots(),
                r.certificate(),
                r.certificateDigest()));
        return new WrongAnswer(
                answer,
                Question.of(read),
                List.of(
                        history.reply(1, answer, InspectReply.Outcome.DIFFERS),
                        history.reply(2, answer, InspectReply.Outcome.DIFFERS)));
    }

    /** Each would convict appserver 0, or call for a replay, if a later incarnation were read like the first one. */
    private List<Evidence> named(Sealer signer) {
        VersionVector zero = VersionVector.zero(4);
        VersionVector own = zero.with(0, LATER);
        Dot dot = new Dot(0, LATER);
        Dot first = new Dot(0, 1);
        Certificate certified = certificate(own, root(LEAF), 40, 41, 42);
        Certificate poor = certificate(zero, LEAF, 40, 41);
        Certificate poorAndLater = certificate(LATER_ELSEWHERE, LEAF, 40, 41);
        List<Evidence> all = new ArrayList<>();
        all.add(new ForkedHeads(signer.seal(new Head(0, LATER, LEAF)), signer.seal(new Head(0, LATER, OTHER))));
        all.add(new ForkedEntries(branch(signer, LEAF), branch(signer, OTHER)));
        byte[] malformed = {1, 2, 3};
        all.add(new BrokenEntry(
                signer.seal(new Head(0, LATER, root(MerkleTree.leafHash(malformed)))),
                new BrokenEntry.Included(malformed, proof()),
                null));
        all.add(broken(signer, entry(LATER, LATER - 1)));
        all.add(broken(signer, entry(LATER, 0)));
        all.add(broken(signer, entry(1, LATER - 1)));
        all.add(broken(signer, entry(LATER, LATER - 1), entry(2, 1)));
        all.add(broken(signer, history.entries.get(0), entry(1, LATER), entry(3, 2)));
        all.add(new AnswerAgainstLog(answer(signer, 9, dot, own, 0, Hash.ZERO), certified, LEAF, proof()));
        all.add(new AnswerAgainstLog(
                answer(signer, 9, first, zero.with(0, 1), 0, Hash.ZERO), certified, LEAF, proof()));
        Signed<Head> head = signer.seal(new Head(0, LATER, root(LEAF)));
        all.add(new AnswerAgainstHead(answer(signer, 9, dot, own, 0, Hash.ZERO), head, LEAF, proof()));
        MerkleLog log = new MerkleLog();
        log.append(history.entries.get(0));
        all.add(new AnswerAgainstHead(
                answer(signer, 9, first, LATER_ELSEWHERE.with(0, 1), 0, Hash.ZERO),
                signer.seal(new Head(0, 1, log.root())),
                log.leaf(0),
                log.proveInclusion(0, 1)));
        all.add(new BadCertificate(answer(signer, 9, first, LATER_ELSEWHERE, 1, Digests.certificate(poor)), poor));
        all.add(new BadCertificate(
                answer(signer, 9, first, zero.with(0, 1), 1, Digests.certificate(poorAndLater)), poorAndLater));
        all.add(new CertificateWentBack(
                answer(signer, 8, first, zero.with(0, 1), 5, OTHER), answer(signer, 9, dot, own, 4, OTHER)));
        all.add(wrongState(signer, LATER_ELSEWHERE, zero));
        all.add(wrongState(signer, zero, LATER_ELSEWHERE));
        all.add(wrongAnswer(signer));
        return all;
    }

    @Test
    void noJudgeConfirmsWhatNamesALaterIncarnation() {
        for (Evidence evidence : named(History.server(0))) {
            assertEquals(new Accused.Server(0), evidence.accused());
            assertInstanceOf(Judgement.CannotConfirm.class, History.JUDGE.judge(evidence), evidence.toString());
            Evidence read = Codec.decode(Codec.encode(evidence), Evidence.class)
                    .accepted()
                    .orElseThrow();
            assertInstanceOf(Judgement.CannotConfirm.class, History.JUDGE.judge(read), evidence.toString());
        }
    }

    /** Nobody can make evidence that is not false in the name of a server that signed nothing of it. */
    @Test
    void whatTheAccusedDidNotSignIsFalse() {
        for (Evidence evidence : named(FORGER)) {
            assertInstanceOf(Judgement.Unfounded.class, History.JUDGE.judge(evidence), evidence.toString());
        }
    }

    /** What an entry depends on of other origins may be of any incarnation: it is compared as numbers, and may not fall. */
    @Test
    void whatAnEntryDependsOnOfOthersMayNotFallFromALaterIncarnation() {
        byte[] high = History.entry(new Dot(0, 1), LATER_ELSEWHERE, history.requests.get(0));
        byte[] low = entry(2, 1);
        assertEquals(
                new Judgement.Guilty(new Accused.Server(0)), History.JUDGE.judge(broken(History.server(0), high, low)));
        byte[] higher = History.entry(new Dot(0, 2), LATER_ELSEWHERE.with(0, 1), history.requests.get(0));
        assertInstanceOf(Judgement.Unfounded.class, History.JUDGE.judge(broken(History.server(0), high, higher)));
    }

    @Test
    void aDotWithTheNumberZeroIsMalformed() {
        byte[] bytes = entry(LATER, 0);
        byte[] sequence = {0x1b, 0, 0, 1, 0, 0, 0, 0, 1};
        int at = 0;
        while (!java.util.Arrays.equals(bytes, at, at + sequence.length, sequence, 0, sequence.length)) {
            at++;
        }
        assertEquals(LATER, decoded(bytes).dot().sequence());
        bytes[at + sequence.length - 1] = 0;
        assertFalse(Codec.decode(bytes, Entry.class).accepted().isPresent());
    }

    private static Entry decoded(byte[] bytes) {
        return Codec.decode(bytes, Entry.class).accepted().orElseThrow();
    }
}
