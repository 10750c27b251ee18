package org.aspas.emulab.sim.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.ObjectStore.Proved;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ElementsProof;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.ElementsRead;
import org.aspas.client.core.ReadCheck;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A client believes what a server proves of a set, whole, by pages or of one element, and the model agrees; it believes no
 * answer that says something else.
 */
class ProvedPartsTest {
    private static final int ORIGINS = 4;
    private static final String SET = "aw-set";
    private static final CertificateNumber NEWEST = CertificateNumber.NONE;

    private final ObjectStore store = new ObjectStore();
    private final ReferenceModel model = new ReferenceModel();
    private final Logs logs = new Logs(ORIGINS);
    private final List<Certificate> certificates = new ArrayList<>();
    private VersionVector certified = VersionVector.zero(ORIGINS);
    private long requests;

    private void say(int origin, Operation operation) {
        long[] delivered = new long[ORIGINS];
        for (int other = 0; other < ORIGINS; other++) {
            delivered[other] = certified.get(other);
        }
        logs.append(origin, Logs.request(1, ++requests, "s", SET, operation), delivered);
    }

    private void certify() {
        VersionVector version = logs.version();
        Candidate candidate = store.candidate(certified, logs.between(certified, version));
        CertificateContent content = logs.content(model, version, candidate.root(), List.of());
        assertEquals(List.of(), model.certify(content, logs.placed(certified, version)));
        store.commit(candidate);
        certified = version;
        certificates.add(new Certificate(content, Codec.encode(content), List.of()));
    }

    private static Read read(String key, String type, CertificateNumber least, @Nullable ReadPart part) {
        return new Read(1, key, type, true, least, part);
    }

    private Certificate newest() {
        return certificates.get(certificates.size() - 1);
    }

    /** What the server answers, which the client believes. */
    private Proved believed(Certificate certificate, @Nullable ReadPart part) {
        Proved proved = store.prove("s", SET, part, certificate.number()).orElseThrow();
        Read read = read("s", SET, newest().number(), part);
        assertEquals(Optional.empty(), ReadCheck.check(read, proved.value(), certificate, proved.proof()));
        return proved;
    }

    private static List<Value> items(Value value) {
        return ((Value.Sequence) value).items();
    }

    private static Value element(SplittableRandom random, int kinds, int bytes) {
        int number = random.nextInt(kinds);
        return number % 3 == 0
                ? Value.of(number)
                : number % 3 == 1
                        ? Value.of("é" + number)
                        : Value.of(("" + number).repeat(bytes / 4).getBytes());
    }

    private void updates(SplittableRandom random, int count, int kinds, int bytes) {
        for (int i = 0; i < count; i++) {
            Value element = element(random, kinds, bytes);
            int what = random.nextInt(60);
            Operation operation =
                    what == 0 ? Operation.of("clear") : Operation.of(what < 15 ? "remove" : "add", element);
            say(random.nextInt(ORIGINS), operation);
        }
    }

    /** All elements of a certificate, page by page. */
    private List<Value> pages(Certificate certificate) {
        List<Value> all = new ArrayList<>();
        Hash from = Hash.ZERO;
        while (from != null) {
            ReadPart part = ReadPart.page(from, certificate.number());
            Proved proved = believed(certificate, part);
            all.addAll(items(proved.value()));
            ElementsRead rest = ReadCheck.elements(read("s", SET, NEWEST, part), proved.proof());
            assertNotNull(rest);
            from = rest.next();
        }
        all.sort(null);
        return all;
    }

    @Test
    void everyPartIsProvedAtEveryRememberedCertificate() {
        for (long seed = 1; seed <= 12; seed++) {
            ProvedPartsTest run = new ProvedPartsTest();
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 40; i++) {
                run.updates(random, 1 + random.nextInt(12), 1 + random.nextInt(40), 16);
                run.certify();
            }
            for (Certificate each : run.certificates.subList(8, 40)) {
                Value right = run.model.valueAt("s", SET, each.number().value()).orElseThrow();
                assertEquals(items(right), run.pages(each), "seed " + seed);
                for (int i = 0; i < 5; i++) {
                    Value element = element(random, 40, 16);
                    Proved one = run.store
                            .prove("s", SET, ReadPart.element(element), each.number())
                            .orElseThrow();
                    boolean there = items(right).contains(element);
                    assertEquals(there ? List.of(element) : List.of(), items(one.value()), "seed " + seed);
                }
            }
            run.believed(run.newest(), null);
            run.believed(run.newest(), ReadPart.element(element(random, 40, 16)));
            assertTrue(run.store
                    .prove("s", SET, null, run.certificates.get(0).number())
                    .isEmpty());
        }
    }

    @Test
    void aLargeSetHasManyPages() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 600; i++) {
            say(
                    i % ORIGINS,
                    Operation.of("add", Value.of(("" + (1000 + i)).repeat(1024).getBytes())));
        }
        certify();
        Certificate before = newest();
        updates(random, 30, 1000, 4096);
        certify();
        Value whole = believed(newest(), null).value();
        assertEquals(items(whole), pages(newest()));
        assertEquals(600, pages(before).size());
        Proved first = believed(newest(), ReadPart.page(Hash.ZERO, NEWEST));
        assertTrue(
                items(first.value()).size() > 16 && items(first.value()).size() < 70,
                "" + items(first.value()).size());
    }

    @Test
    void anAbsentSetAndAnEmptyOneAreToldApart() {
        say(0, Operation.of("remove", Value.of(1)));
        certify();
        Proved empty = believed(newest(), null);
        assertEquals(SET, empty.proof().type());
        Proved none = store.prove("t", SET, null, newest().number()).orElseThrow();
        assertEquals(null, none.proof().type());
        assertEquals(
                Optional.empty(), ReadCheck.check(read("t", SET, NEWEST, null), none.value(), newest(), none.proof()));
        assertFalse(ReadCheck.check(read("t", SET, NEWEST, null), none.value(), newest(), empty.proof())
                .isEmpty());
        ObjectProof absent = new ObjectProof(null, null, empty.proof().path());
        assertFalse(ReadCheck.check(read("s", SET, NEWEST, null), none.value(), newest(), absent)
                .isEmpty());
    }

    private static List<ElementsProof> changed(ElementsProof right) {
        PageProof page = right.page();
        List<ElementsProof> all = new ArrayList<>();
        all.add(new ElementsProof(right.size() + 1, right.root(), page, right.states()));
        all.add(new ElementsProof(right.size() - 1, right.root(), page, right.states()));
        all.add(new ElementsProof(right.size(), Hash.sha256(new byte[1]), page, right.states()));
        all.add(new ElementsProof(
                right.size(),
                right.root(),
                new PageProof(page.bits() + 1, page.siblings(), page.other()),
                right.states()));
        if (!right.states().isEmpty()) {
            List<Value> states = new ArrayList<>(right.states());
            states.set(0, Value.of(new byte[32]));
            all.add(new ElementsProof(right.size(), right.root(), page, states));
            all.add(new ElementsProof(right.size(), right.root(), page, states.subList(1, states.size())));
        }
        return all;
    }

    @Test
    void noOtherAnswerIsBelieved() {
        for (long seed = 1; seed <= 60; seed++) {
            ProvedPartsTest run = new ProvedPartsTest();
            SplittableRandom random = new SplittableRandom(seed);
            run.updates(random, 1 + random.nextInt(60), 1 + random.nextInt(30), 16);
            run.certify();
            Value element = element(random, 30, 16);
            List<ReadPart> parts = new ArrayList<>();
            parts.add(null);
            parts.add(ReadPart.element(element));
            parts.add(ReadPart.page(Hash.ZERO, NEWEST));
            for (ReadPart part : parts) {
                Proved right = run.believed(run.newest(), part);
                run.refused(part, right, "seed " + seed + ", " + part);
            }
        }
    }

    private void refused(@Nullable ReadPart part, Proved right, String label) {
        ObjectProof proof = right.proof();
        ElementsProof elements = proof.elements();
        if (elements == null) {
            return;
        }
        for (ElementsProof other : changed(elements)) {
            refused(part, right.value(), new ObjectProof(SET, other, proof.path()), label);
        }
        List<Value> items = items(right.value());
        Value pair = Value.sequence(
                List.of(Value.of(elements.size()), Value.of(elements.root().toBytes())));
        refused(part, pair, new ObjectProof(SET, null, proof.path()), label);
        refused(part, right.value(), new ObjectProof("pn-counter", elements, proof.path()), label);
        refused(part, Value.of(items.size()), proof, label);
        for (int i = 0; i < items.size(); i++) {
            List<Value> less = new ArrayList<>(items);
            List<Value> states = new ArrayList<>(elements.states());
            less.remove(i);
            states.remove(i);
            ElementsProof fewer = new ElementsProof(elements.size(), elements.root(), elements.page(), states);
            refused(part, Value.sequence(less), new ObjectProof(SET, fewer, proof.path()), label);
            List<Value> twice = new ArrayList<>(items);
            List<Value> statesTwice = new ArrayList<>(elements.states());
            twice.add(i, items.get(i));
            statesTwice.add(i, elements.states().get(i));
            ElementsProof more = new ElementsProof(elements.size(), elements.root(), elements.page(), statesTwice);
            refused(part, Value.sequence(twice), new ObjectProof(SET, more, proof.path()), label);
        }
    }

    private void refused(@Nullable ReadPart part, Value value, ObjectProof proof, String label) {
        assertTrue(
                ReadCheck.check(read("s", SET, NEWEST, part), value, newest(), proof)
                        .isPresent(),
                label + ": " + value + " with " + proof);
    }
}
