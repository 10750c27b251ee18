package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreePage;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.ElementsProof;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.value.Value;

/** Certified reads of certificate 2 with their answers (docs/formats.md §10), and the files that keep them (§20). */
final class ReadVectors {
    private static final VectorWorld WORLD = VectorWorld.WORLD;
    private static final Certificate NEWEST = WORLD.certificates.get(1);
    private static final StateTree STATE = WORLD.state.tree;
    private static final StateTree ELEMENTS = WORLD.state.elements;
    private static final int PAGE = 4;

    private final VectorCases cases = new VectorCases();

    private ReadVectors() {}

    /** A read with an honest answer. */
    record Case(String name, Read read, Value result, ObjectProof proof) {
        Answer answer(ClientId client) {
            return answer(client, NEWEST, read);
        }

        Answer answer(ClientId client, Certificate certificate, Read named) {
            Response response = new Response(
                    0,
                    40,
                    client,
                    named.nonce(),
                    result,
                    null,
                    Digests.read(named),
                    VectorWorld.version(VectorWorld.ALL),
                    LogRoots.digest(WORLD.roots(VectorWorld.ALL)),
                    certificate.number(),
                    Digests.certificate(certificate));
            return new Answer(WORLD.server(0).seal(response), certificate, proof);
        }
    }

    static ObjectNode make() {
        ReadVectors vectors = new ReadVectors();
        vectors.right();
        vectors.wrong();
        vectors.newerAttached();
        ObjectNode out = VectorJson.object();
        out.put("server", "0").put("client", VectorJson.hex(WORLD.clientId.toBytes()));
        out.set("cases", vectors.cases.list());
        return out;
    }

    private static Read read(long nonce, String key, String type, ReadPart... part) {
        return new Read(nonce, key, type, true, new CertificateNumber(2), part.length == 0 ? null : part[0]);
    }

    static Case counter() {
        return new Case(
                "a counter",
                read(1001, "c", "pn-counter"),
                Value.of(5),
                new ObjectProof("pn-counter", null, STATE.prove(StateTree.objectPath("c"))));
    }

    private static Case absent(String type, Value none) {
        return new Case(
                "no object: " + type,
                read(1002, "nothing", type),
                none,
                new ObjectProof(null, null, STATE.prove(StateTree.objectPath("nothing"))));
    }

    private static Case set(String name, Read read, String key, long size, Hash root, TreePage page) {
        List<Value> found = new ArrayList<>();
        for (Value element : WORLD.state.states.keySet()) {
            Hash path = StateLeaves.elementPath(element);
            if (page.leaves().stream().anyMatch(leaf -> leaf.path().equals(path))) {
                found.add(element);
            }
        }
        found.sort(Comparator.naturalOrder());
        List<Value> states = found.stream()
                .map(element ->
                        Optional.ofNullable(WORLD.state.states.get(element)).orElseThrow())
                .toList();
        return new Case(
                name,
                read,
                Value.sequence(found),
                new ObjectProof(
                        "aw-set",
                        new ElementsProof(size, root, page.proof(), states),
                        STATE.prove(StateTree.objectPath(key))));
    }

    private static Case elements(String name, Read read, TreePage page) {
        return set(name, read, "s", VectorWorld.ELEMENTS, ELEMENTS.root(), page);
    }

    private static Case wholeSet() {
        return elements("a whole set", read(1003, "s", "aw-set"), ELEMENTS.page(Hash.ZERO, fits -> true));
    }

    private static Case element(String name, Value element) {
        return elements(
                name,
                read(1004, "s", "aw-set", ReadPart.element(element)),
                ELEMENTS.one(StateLeaves.elementPath(element)));
    }

    private static Case page(String name, Hash from) {
        ReadPart part = ReadPart.page(from, from.equals(Hash.ZERO) ? CertificateNumber.NONE : NEWEST.number());
        return elements(name, read(1005, "s", "aw-set", part), ELEMENTS.page(from, leaves -> leaves.count() <= PAGE));
    }

    private void right() {
        add(counter());
        add(absent("pn-counter", Value.of(0)));
        add(absent("aw-set", Value.sequence(List.of())));
        add(wholeSet());
        add(set(
                "an empty set",
                read(1006, "t", "aw-set"),
                "t",
                0,
                Hash.ZERO,
                StateTree.empty().page(Hash.ZERO, fits -> true)));
        add(element("one element that is there", VectorWorld.element(VectorWorld.ELEMENTS - 1)));
        add(element("one element that is not there", Value.of("none")));
        Optional<Hash> from = Optional.of(Hash.ZERO);
        for (int page = 1; from.isPresent(); page++) {
            Case one = page("page " + page + " of a set", from.get());
            Optional<Hash> next = elementsOf(one.proof).page().next(from.get());
            ObjectNode out = add(one);
            out.put("next", next.map(Hash::toString).orElse(null));
            from = next;
        }
        fill(
                        cases.valid("on a connection without a session"),
                        counter(),
                        counter().answer(ClientId.NOBODY))
                .put("client", VectorJson.hex(ClientId.NOBODY.toBytes()));
    }

    private static ElementsProof elementsOf(ObjectProof proof) {
        return Optional.ofNullable(proof.elements()).orElseThrow();
    }

    private ObjectNode add(Case one) {
        ObjectNode out = fill(cases.valid(one.name), one, one.answer(WORLD.clientId));
        out.set("result", VectorJson.items(Codec.encodeValue(one.result)));
        return out;
    }

    private static ObjectNode fill(ObjectNode out, Case one, Answer answer) {
        return out.put("read", VectorJson.hex(one.read)).put("answer", VectorJson.hex(answer));
    }

    private void wrong() {
        Case counter = counter();
        Case whole = wholeSet();
        refuse(
                "another value",
                "the leaf of this value is not under the path",
                with(counter, Value.of(6), counter.proof));
        refuse(
                "no value for one that is there",
                "the path proves presence",
                with(counter, Value.of(0), new ObjectProof(null, null, counter.proof.path())));
        refuse(
                "another object's proof",
                "the path is that of another object",
                with(counter, Value.of(5), new ObjectProof("pn-counter", null, whole.proof.path())));
        refuse(
                "a type that was not asked for",
                "the type is the one asked for",
                new Case("", read(1, "c", "aw-set"), Value.of(5), counter.proof));
        refuse(
                "a value other than the empty one, of no object",
                "the result is the empty value",
                with(absent("pn-counter", Value.of(1)), Value.of(1), absent("pn-counter", Value.of(0)).proof));
        sets(whole);
        strangeElements();
        fill(
                cases.invalid("a proof against another certificate", "the path does not lead to this state root"),
                counter,
                counter.answer(WORLD.clientId, WORLD.certificates.get(0), counter.read));
        Read newer = new Read(1001, "c", "pn-counter", true, new CertificateNumber(3));
        fill(
                cases.invalid("an older certificate than was asked for", "its number is below the one in the read"),
                new Case("", newer, counter.result, counter.proof),
                counter.answer(WORLD.clientId, NEWEST, newer));
        Read other = read(1007, "c", "pn-counter");
        fill(
                cases.invalid("the answer to another read", "the reference and the leaf are those of the read"),
                counter,
                counter.answer(WORLD.clientId, NEWEST, other));
        fill(
                cases.invalid("an answer for another client", "the client is the one who asked"),
                counter,
                counter.answer(ClientId.NOBODY));
        Answer right = counter.answer(WORLD.clientId);
        Signed<Response> forged = WORLD.server(1).seal(right.response().message());
        fill(
                cases.invalid("signed by another appserver", "the signature is that of the one who was asked"),
                counter,
                new Answer(forged, NEWEST, counter.proof));
        fill(
                cases.invalid(
                        "another certificate than the answer names",
                        "the certificate's digest is the one in the answer"),
                counter,
                new Answer(right.response(), WORLD.certified(NEWEST.content(), 0, 1, 3), counter.proof));
        fill(
                cases.invalid("no proof", "a certified read has a proof"),
                counter,
                new Answer(right.response(), NEWEST, null));
    }

    private void sets(Case whole) {
        List<Value> items = ((Value.Sequence) whole.result).items();
        ElementsProof proof = elementsOf(whole.proof);
        refuse(
                "a set without an element",
                "there are as many as the size says",
                withElements(
                        whole, items.subList(1, items.size()), proof.states().subList(1, items.size()), proof));
        List<Value> turned = new ArrayList<>(items);
        turned.add(turned.remove(0));
        List<Value> states = new ArrayList<>(proof.states());
        states.add(states.remove(0));
        refuse("a set out of order", "elements are ascending", withElements(whole, turned, states, proof));
        refuse("states in another order", "each element has its own state", withElements(whole, items, states, proof));
        refuse(
                "fewer states than elements",
                "one state for each element",
                withElements(whole, items, states.subList(1, states.size()), proof));
        Case one = element("", VectorWorld.element(0));
        refuse(
                "a page of one element for a whole set",
                "the page has d = 0",
                new Case("", whole.read, one.result, one.proof));
        refuse(
                "a whole set for one element",
                "the page has d = 256",
                new Case("", one.read, whole.result, whole.proof));
        Case none = element("", Value.of("none"));
        refuse(
                "an element that is there, answered as absent",
                "the other leaf is at another path",
                new Case("", one.read, none.result, none.proof));
        Case first = page("", Hash.ZERO);
        Hash next = elementsOf(first.proof).page().next(Hash.ZERO).orElseThrow();
        refuse(
                "the first page for the second",
                "the page begins with the path asked for",
                new Case("", page("", next).read, first.result, first.proof));
    }

    /** What 2b+1 bftservers have certified that no update can make: §7 says what an element is, for who verifies, too. */
    private void strangeElements() {
        String rule = "an element is an integer, or a text or byte string of at most 4,096 bytes";
        for (Value element : List.of(Value.of("x".repeat(4096)), Value.of(new byte[4096]), Value.of(""))) {
            strange(cases.valid("a set with the longest or shortest element: " + kind(element)), element)
                    .set("result", VectorJson.items(Codec.encodeValue(Value.sequence(List.of(element)))));
        }
        strange(cases.invalid("a set with an array as an element", rule), Value.sequence(List.of(Value.of(1))));
        strange(cases.invalid("a set with a text of 4,097 bytes", rule), Value.of("x".repeat(4097)));
        strange(cases.invalid("a set with a text of 4,098 bytes, two each", rule), Value.of("\u00e9".repeat(2049)));
        strange(cases.invalid("a set with 4,097 bytes", rule), Value.of(new byte[4097]));
    }

    private static String kind(Value element) {
        return element instanceof Value.Text text
                ? text.value().isEmpty() ? "the empty text" : "a text of 4,096 bytes"
                : "4,096 bytes";
    }

    private static ObjectNode strange(ObjectNode out, Value element) {
        Value state = WORLD.state.states.values().iterator().next();
        StateTree elements =
                StateTree.empty().put(StateLeaves.elementPath(element), StateLeaves.element(element, state));
        Hash path = StateTree.objectPath("s");
        StateTree all = StateTree.empty().put(path, StateLeaves.object("s", "aw-set", 1, elements.root()));
        CertificateContent newest = NEWEST.content();
        Certificate certificate = WORLD.certified(new CertificateContent(
                newest.deployment(),
                newest.number(),
                newest.previous(),
                newest.version(),
                newest.roots(),
                all.root(),
                newest.exclusions()));
        TreePage page = elements.page(Hash.ZERO, fits -> true);
        Case one = new Case(
                "",
                read(1008, "s", "aw-set"),
                Value.sequence(List.of(element)),
                new ObjectProof(
                        "aw-set",
                        new ElementsProof(1, elements.root(), page.proof(), List.of(state)),
                        all.prove(path)));
        return fill(out, one, one.answer(WORLD.clientId, certificate, one.read));
    }

    private static Case with(Case one, Value result, ObjectProof proof) {
        return new Case("", one.read, result, proof);
    }

    private static Case withElements(Case one, List<Value> items, List<Value> states, ElementsProof proof) {
        PageProof page = proof.page();
        return new Case(
                "",
                one.read,
                Value.sequence(items),
                new ObjectProof(
                        "aw-set", new ElementsProof(proof.size(), proof.root(), page, states), one.proof.path()));
    }

    private void refuse(String name, String reason, Case one) {
        fill(cases.invalid(name, reason), one, one.answer(WORLD.clientId));
    }

    /** Files that prove a value to whoever has the descriptor. */
    static ObjectNode files() {
        VectorCases files = new VectorCases();
        Case counter = counter();
        Answer right = counter.answer(WORLD.clientId);
        file(files.valid("a counter"), counter.read, right)
                .set("result", VectorJson.items(Codec.encodeValue(counter.result)));
        Case page = page("", Hash.ZERO);
        file(files.valid("a page of a set"), page.read, page.answer(WORLD.clientId))
                .set("result", VectorJson.items(Codec.encodeValue(page.result)));
        Signed<Response> nobody =
                new Signed<>(right.response().message(), right.response().payload(), new byte[64]);
        file(files.valid("an answer that nobody signed"), counter.read, new Answer(nobody, NEWEST, counter.proof))
                .set("result", VectorJson.items(Codec.encodeValue(counter.result)));
        file(
                files.invalid("no certificate", "the answer always has its certificate"),
                counter.read,
                new Answer(right.response(), null, counter.proof));
        file(
                files.invalid("no proof", "the answer always has a proof"),
                counter.read,
                new Answer(right.response(), NEWEST, null));
        file(
                files.invalid("a certificate that does not verify", "2b+1 signatures are needed"),
                counter.read,
                new Answer(right.response(), WORLD.certified(NEWEST.content(), 0, 1), counter.proof));
        Case six = with(counter, Value.of(6), counter.proof);
        file(
                files.invalid("another value", "the leaf of this value is not under the path"),
                six.read,
                six.answer(WORLD.clientId));
        file(
                files.invalid("another object", "the path is that of another object"),
                read(1001, "d", "pn-counter"),
                right);
        files.invalid("another layout", "the layout is 1")
                .put("file", VectorJson.hex(container(2, counter.read, right)));
        ObjectNode out = VectorJson.object();
        out.set("cases", files.list());
        return out;
    }

    private static ObjectNode file(ObjectNode out, Read read, Answer answer) {
        return out.put("file", VectorJson.hex(container(1, read, answer)));
    }

    private static Value container(long layout, Read read, Answer answer) {
        return Value.sequence(List.of(Value.of(layout), Value.of(Codec.encode(read)), Value.of(Codec.encode(answer))));
    }

    /** A server attaches its newest certificate to answers about pages, too; the page is still of the one that its read names. */
    private void newerAttached() {
        Hash from = elementsOf(page("", Hash.ZERO).proof).page().next(Hash.ZERO).orElseThrow();
        Case page = page("", from);
        Certificate newer = WORLD.certificates.get(2);
        Answer answer = page.answer(WORLD.clientId, newer, page.read);
        ObjectNode right = fill(cases.valid("a page of a held certificate, with a newer one attached"), page, answer);
        right.set("result", VectorJson.items(Codec.encodeValue(page.result)));
        held(right, NEWEST);
        fill(
                cases.invalid("a page of a certificate that is not held", "the attached certificate is another one"),
                page,
                answer);
        ReadPart first = ReadPart.page(from, WORLD.certificates.get(0).number());
        Case older = new Case("", read(1005, "s", "aw-set", first), page.result, page.proof);
        held(
                fill(
                        cases.invalid(
                                "a page of another certificate than the read names",
                                "the held certificate that the read names has another state root"),
                        older,
                        older.answer(WORLD.clientId, newer, older.read)),
                WORLD.certificates.get(0),
                NEWEST);
        Certificate unsigned = WORLD.certified(newer.content(), 0, 1);
        held(
                fill(
                        cases.invalid(
                                "a page of a held certificate, with one attached that does not verify",
                                "2b+1 signatures are needed"),
                        page,
                        page.answer(WORLD.clientId, unsigned, page.read)),
                NEWEST);
    }

    private static void held(ObjectNode out, Certificate... certificates) {
        ArrayNode held = out.putArray("held");
        for (Certificate one : certificates) {
            held.add(VectorJson.hex(one));
        }
    }
}
