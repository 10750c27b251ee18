package org.aspas.certify.vectors;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** What appserver 0 of a {@link VectorWorld} and its client would do wrong, with what proves it. */
final class Offences {
    static final VectorWorld WORLD = VectorWorld.WORLD;
    static final int SIZE = 6;
    static final int AT = 3;
    static final Hash OTHER = Hash.sha256(new byte[] {9});

    /** A second log of appserver 0, equal up to the entry at {@link #AT}. */
    final MerkleLog fork = new MerkleLog();

    final Signed<Head> forked;

    Offences() {
        for (int i = 0; i < SIZE; i++) {
            fork.append(i < AT ? WORLD.entries.get(i) : new byte[] {(byte) i});
        }
        forked = WORLD.server(0).seal(new Head(0, SIZE, fork.root()));
    }

    Map<String, Evidence> guilty() {
        Map<String, Evidence> all = new LinkedHashMap<>();
        Signed<Head> head = WORLD.head(SIZE);
        all.put("two heads of one size", new ForkedHeads(head, forked));
        all.put(
                "two leaves at one place",
                new ForkedEntries(
                        new ForkedEntries.Branch(head, WORLD.log.leaf(AT), WORLD.log.proveInclusion(AT, SIZE)),
                        new ForkedEntries.Branch(forked, fork.leaf(AT), fork.proveInclusion(AT, SIZE))));
        broken(all);
        answers(all);
        all.put("a state that no other server has", state(OTHER));
        all.put(
                "two requests under one number",
                new ClientEquivocation(WORLD.request(2), WORLD.client.seal(otherRequest(1))));
        return all;
    }

    static Request otherRequest(long number) {
        return WORLD.request(number, "c", "pn-counter", Operation.of("increment", Value.of(6)));
    }

    private void broken(Map<String, Evidence> all) {
        Dot dot = new Dot(0, SIZE);
        VersionVector own = VectorWorld.version(SIZE - 1);
        Signed<ClientSigned> body = WORLD.bodies.get(SIZE - 1);
        all.put("bytes that are no entry", broken(new byte[] {1, 2, 3}, null));
        all.put("an entry with the dot of another place", broken(entry(new Dot(0, 3), own, body), null));
        all.put("an entry that depends on itself", broken(entry(dot, VectorWorld.version(SIZE), body), null));
        all.put("an entry with three dependencies", broken(entry(dot, VersionVector.of(SIZE - 1, 0, 0), body), null));
        all.put(
                "an entry that no client signed",
                broken(entry(dot, own, new Signed<>(body.message(), body.payload(), new byte[64])), null));
        all.put(
                "an entry that depends on less than the one before",
                broken(
                        entry(dot, own, body),
                        entry(
                                new Dot(0, SIZE - 1),
                                VectorWorld.version(SIZE - 2).with(2, 9),
                                WORLD.bodies.get(SIZE - 2))));
    }

    static byte[] entry(Dot dot, VersionVector dependencies, Signed<ClientSigned> body) {
        return Codec.encode(new Entry(dot, dependencies, body));
    }

    static BrokenEntry broken(byte[] last, byte @Nullable [] before) {
        MerkleLog log = new MerkleLog();
        for (int i = 0; i < SIZE - 1; i++) {
            log.append(before != null && i == SIZE - 2 ? before : WORLD.entries.get(i));
        }
        log.append(last);
        return new BrokenEntry(
                WORLD.server(0).seal(new Head(0, SIZE, log.root())),
                new BrokenEntry.Included(last, log.proveInclusion(SIZE - 1, SIZE)),
                before == null ? null : new BrokenEntry.Included(before, log.proveInclusion(SIZE - 2, SIZE)));
    }

    private void answers(Map<String, Evidence> all) {
        Certificate second = WORLD.certificates.get(1);
        Signed<Response> honest = answer(AT + 1, 0);
        all.put(
                "an answer against the certified log",
                new AnswerAgainstLog(
                        named(AT + 1, OTHER, 0, Hash.ZERO, 4),
                        second,
                        WORLD.log.leaf(AT),
                        WORLD.log.proveInclusion(AT, VectorWorld.ALL)));
        all.put(
                "an answer against a head",
                new AnswerAgainstHead(honest, forked, fork.leaf(AT), fork.proveInclusion(AT, SIZE)));
        Certificate few = WORLD.certified(second.content(), 0, 2);
        Hash leaf = WORLD.log.leaf(AT);
        all.put(
                "a certificate with too few signatures",
                new BadCertificate(named(AT + 1, leaf, 2, Digests.certificate(few), 4), few));
        all.put(
                "a certificate under another number",
                new BadCertificate(named(AT + 1, leaf, 3, Digests.certificate(second), 4), second));
        all.put(
                "a certificate number that goes back",
                new CertificateWentBack(named(AT + 1, leaf, 2, OTHER, 4), named(AT + 2, leaf, 1, OTHER, 5)));
    }

    static Signed<Response> answer(int sequence, int held) {
        return WORLD.server(0).seal(WORLD.response(sequence, held));
    }

    /** An answer to the update with this sequence, with another leaf, certificate or place among the answers. */
    static Signed<Response> named(int sequence, Hash leaf, long number, Hash digest, long place) {
        Response r = WORLD.response(sequence, 0);
        return WORLD.server(0)
                .seal(new Response(
                        r.server(),
                        place,
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

    static Signed<Stable> stable(int server, Hash state) {
        VersionVector version = VectorWorld.version(SIZE);
        List<Hash> roots = WORLD.roots(SIZE);
        return WORLD.server(server)
                .seal(new Stable(server, new Epoch(4), 1, Hash.ZERO, version, roots, version, roots, state));
    }

    static WrongState state(Hash lie) {
        return new WrongState(stable(0, lie), List.of(stable(1, Hash.ZERO), stable(2, Hash.ZERO)));
    }

    /** What is proved by signatures and a recomputation together. */
    Map<String, Evidence> replayed() {
        Map<String, Evidence> all = new LinkedHashMap<>();
        Read read = new Read(77, "c", "pn-counter", false, CertificateNumber.NONE);
        Signed<Response> answer = read(read, 6);
        all.put(
                "a value that two others compute otherwise",
                new WrongAnswer(answer, Question.of(read), List.of(differs(1, answer), differs(2, answer))));
        Signed<Response> update = answer(2, 0);
        all.put(
                "an update's result that two others compute otherwise",
                new WrongAnswer(
                        update, Question.of(WORLD.request(2)), List.of(differs(1, update), differs(3, update))));
        return all;
    }

    static Signed<Response> read(Read read, long value) {
        return WORLD.server(0)
                .seal(new Response(
                        0,
                        50,
                        WORLD.clientId,
                        read.nonce(),
                        Value.of(value),
                        null,
                        Digests.read(read),
                        VectorWorld.version(SIZE),
                        LogRoots.digest(WORLD.roots(SIZE)),
                        CertificateNumber.NONE,
                        Hash.ZERO));
    }

    static Signed<InspectReply> differs(int server, Signed<Response> answer) {
        return reply(server, answer, InspectReply.Outcome.DIFFERS);
    }

    static Signed<InspectReply> reply(int server, Signed<Response> answer, InspectReply.Outcome outcome) {
        return WORLD.server(server)
                .seal(new InspectReply(
                        server,
                        WORLD.clientId,
                        7,
                        answer.identity(),
                        answer.message().roots(),
                        outcome));
    }

    /** What would convict, if the incarnation that it names were open. */
    Map<String, Evidence> later() {
        long size = (1L << 40) + 1;
        return Map.of(
                "two heads of a later incarnation",
                new ForkedHeads(
                        WORLD.server(0).seal(new Head(0, size, OTHER)),
                        WORLD.server(0).seal(new Head(0, size, Hash.ZERO))));
    }
}
