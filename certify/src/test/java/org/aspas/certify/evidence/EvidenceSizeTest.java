package org.aspas.certify.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever can be proved fits into one command, whatever the limits of a deployment are. */
class EvidenceSizeTest {
    private static final Quorums MOST = new Quorums(33, 33);
    private static final long FAR = (1L << 60) - 1;

    private static final int KIB = 1024;

    static Stream<Limits> limits() {
        return Stream.of(
                Limits.DEFAULT,
                new Limits(KIB, 64 * KIB, 1, 16, 1, KIB, 100, 3, 10, 2),
                new Limits(KIB, 64 * KIB, 4096, KIB / 2, 1, KIB, 100, 3, 10, 2),
                new Limits(16 * KIB * KIB, 64 * KIB * KIB, 4096, 8 * KIB * KIB, 1, 16 * KIB * KIB, 100, 3, 10, 2));
    }

    /** The longest entry of a correct origin fits its bound. */
    @ParameterizedTest
    @MethodSource("limits")
    void aCorrectEntryIsWithinItsBound(Limits limits) {
        assertThat(entry(limits).length).isLessThanOrEqualTo(limits.entryBytes(MOST.appservers()));
    }

    private static byte[] entry(Limits limits) {
        Sealer client = History.sealer(1);
        // The operation's own encoding has some bytes more than its argument.
        byte[] argument = new byte[limits.operationBytes()];
        Signed<Request> request = client.seal(new Request(
                new org.aspas.certify.identity.ClientId(client.publicKey()),
                FAR,
                "k".repeat(limits.keyBytes()),
                "pn-counter",
                Operation.of("increment", Value.of(argument))));
        VersionVector dependencies = VersionVector.zero(MOST.appservers());
        for (int origin = 0; origin < MOST.appservers(); origin++) {
            dependencies = dependencies.with(origin, FAR);
        }
        return History.entry(new Dot(MOST.appservers() - 1, FAR), dependencies, request);
    }

    /** Two entries of the greatest length with the longest proofs, and the verdicts of f+1 servers. */
    @ParameterizedTest
    @MethodSource("limits")
    void aBrokenEntryIsWithinOneCommand(Limits limits) {
        byte[] longest = new byte[limits.entryBytes(MOST.appservers())];
        InclusionProof proof = new InclusionProof(FAR, FAR, Collections.nCopies(MerkleTree.MAX_PATH, Hash.ZERO));
        BrokenEntry.Included included = new BrokenEntry.Included(longest, proof);
        Evidence evidence = new BrokenEntry(
                History.server(0).seal(new Head(MOST.appservers() - 1, FAR, Hash.ZERO)), included, included);
        assertThat(Codec.encode(evidence).length).isLessThanOrEqualTo(limits.evidenceBytes());
        assertThat(verdict(evidence).length).isLessThanOrEqualTo(limits.commandBytes());
    }

    /** A client's frame with evidence is longer than the evidence, and the command is within the bound for that too. */
    @ParameterizedTest
    @MethodSource("limits")
    void whatAClientCanBringIsWithinOneCommand(Limits limits) {
        Sealer client = History.sealer(1);
        Signed<Head> head = client.seal(new Head(0, 1, Hash.ZERO));
        Evidence small = new ForkedHeads(head, head);
        Complain complain = new Complain(new org.aspas.certify.identity.ClientId(client.publicKey()), 1, small);
        int around = verdict(small).length - Codec.encode(small).length;
        assertThat(Codec.encode(client.seal(complain)).length).isGreaterThan(Codec.encode(small).length);
        assertThat(limits.clientFrameBytes()).isLessThanOrEqualTo(limits.evidenceBytes());
        assertThat(limits.evidenceBytes() + around).isLessThanOrEqualTo(limits.commandBytes());
    }

    private static byte[] verdict(Evidence evidence) {
        List<Signed<Blacklist>> words = new ArrayList<>();
        for (int server = 0; server < MOST.oneCorrectAppserver(); server++) {
            words.add(History.server(server)
                    .seal(new Blacklist(
                            server, Digests.evidence(evidence), evidence.accused(), Blacklist.Finding.GUILTY)));
        }
        return Codec.encode(History.server(1).seal(new Verdict(1, evidence, words)));
    }
}
