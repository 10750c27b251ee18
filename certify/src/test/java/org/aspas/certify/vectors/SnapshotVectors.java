package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreePage;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotLeaves;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Whole snapshots of the certified states (docs/formats.md §10, "To verify a snapshot"). */
final class SnapshotVectors {
    private static final VectorWorld WORLD = VectorWorld.WORLD;
    private static final Certificate CERTIFICATE = WORLD.certificates.get(1);
    private static final String SET = "aw-set";
    /** So many leaves a page has where a tree is given in pages. */
    private static final int OBJECTS = 2;

    private static final int ELEMENTS = 8;

    private final VectorCases cases = new VectorCases();

    private SnapshotVectors() {}

    static JsonNode make() {
        SnapshotVectors vectors = new SnapshotVectors();
        vectors.right();
        vectors.heads();
        vectors.chunks();
        return vectors.cases.list();
    }

    private void right() {
        fill(cases.valid("of the first certificate"), head(WORLD.certificates.get(0)), first());
        fill(cases.valid("in one chunk"), head(CERTIFICATE), whole());
        fill(cases.valid("in pages, elements too"), head(CERTIFICATE), pages());
    }

    private void wrong(String name, String reason, SnapshotHead head, List<SnapshotChunk> chunks) {
        fill(cases.invalid(name, reason), head, chunks);
    }

    private static void fill(ObjectNode out, SnapshotHead head, List<SnapshotChunk> chunks) {
        ArrayNode list = out.put("head", VectorJson.hex(head)).putArray("chunks");
        chunks.forEach(chunk -> list.add(VectorJson.hex(chunk)));
    }

    // ---- Heads ----

    private static SnapshotHead head(Certificate certificate) {
        int size = (int) certificate.content().version().get(0);
        return head(certificate, WORLD.log.peaks(size), last(size, size));
    }

    private static BrokenEntry.Included last(int sequence, int size) {
        return new BrokenEntry.Included(WORLD.entries.get(sequence - 1), WORLD.log.proveInclusion(sequence - 1, size));
    }

    private static SnapshotHead head(
            @Nullable Certificate certificate, List<Hash> peaks, BrokenEntry.@Nullable Included last) {
        List<SnapshotHead.LogEnd> logs = new ArrayList<>();
        logs.add(new SnapshotHead.LogEnd(peaks, last));
        for (int origin = 1; origin < VectorWorld.SERVERS; origin++) {
            logs.add(new SnapshotHead.LogEnd(List.of(), null));
        }
        return new SnapshotHead(certificate, logs);
    }

    private void heads() {
        int size = VectorWorld.ALL;
        List<Hash> peaks = WORLD.log.peaks(size);
        wrong("a head alone", "the chunks are missing", head(CERTIFICATE), List.of());
        wrong("a head without a certificate", "there is no certificate", new SnapshotHead(null, List.of()), List.of());
        wrong(
                "a certificate with too few signatures",
                "the certificate verifies",
                head(WORLD.certified(CERTIFICATE.content(), 0, 1)),
                whole());
        wrong(
                "without a peak",
                "as many peaks as bits",
                head(CERTIFICATE, peaks.subList(1, peaks.size()), last(size, size)),
                whole());
        List<Hash> other = new ArrayList<>(peaks);
        other.set(0, Hash.ZERO);
        wrong("another peak", "the peaks make the root", head(CERTIFICATE, other, last(size, size)), whole());
        wrong(
                "the entry before the last",
                "the last entry is at the last index",
                head(CERTIFICATE, peaks, last(size - 1, size)),
                whole());
        wrong("without the last entry", "a log that is not empty has one", head(CERTIFICATE, peaks, null), whole());
        SnapshotHead three =
                new SnapshotHead(CERTIFICATE, head(CERTIFICATE).logs().subList(0, 3));
        wrong("three ends of logs", "one for each appserver", three, whole());
    }

    // ---- Chunks ----

    private static SnapshotLeaf.OfClient client(long full, byte rest, int last) {
        List<Counted> counted = WORLD.state.counted(last);
        return new SnapshotLeaf.OfClient(WORLD.clientId, 1, 8, full, new byte[] {rest}, List.of(counted));
    }

    private static List<SnapshotLeaf.Element> elements(int count) {
        return sorted(IntStream.range(0, count)
                .mapToObj(i -> element(VectorWorld.element(i)))
                .toList());
    }

    /** As they are in a page: by their paths. */
    private static <L extends SnapshotLeaf> List<L> sorted(List<L> leaves) {
        return leaves.stream()
                .sorted(Comparator.comparing(leaf -> SnapshotLeaves.of(leaf).path()))
                .toList();
    }

    private static SnapshotLeaf.Element element(Value element) {
        return new SnapshotLeaf.Element(
                element, Optional.ofNullable(WORLD.state.states.get(element)).orElseThrow());
    }

    private static SnapshotLeaf set(@Nullable List<SnapshotLeaf.Element> elements) {
        return new SnapshotLeaf.OfElements("s", SET, VectorWorld.ELEMENTS, WORLD.state.elements.root(), elements);
    }

    private static List<SnapshotLeaf> contents(SnapshotLeaf set) {
        return List.of(
                new SnapshotLeaf.Whole("c", "pn-counter", Value.of(5)),
                set,
                new SnapshotLeaf.OfElements("t", SET, 0, Hash.ZERO, List.of()),
                client(VectorState.FULL, VectorState.REST, VectorWorld.ALL - 1));
    }

    private static List<SnapshotChunk> first() {
        List<SnapshotLeaf> all =
                List.of(new SnapshotLeaf.Whole("c", "pn-counter", Value.of(5)), client(0, (byte) 1, 1));
        return pages(1, null, WORLD.state.first, all, all.size());
    }

    private static List<SnapshotChunk> whole() {
        return pages(2, null, WORLD.state.tree, contents(set(elements(VectorWorld.ELEMENTS))), ELEMENTS);
    }

    private static List<SnapshotChunk> pages() {
        List<SnapshotChunk> all = new ArrayList<>(pages(2, null, WORLD.state.tree, contents(set(null)), OBJECTS));
        List<SnapshotLeaf> elements = List.copyOf(elements(VectorWorld.ELEMENTS));
        all.addAll(pages(2, StateTree.objectPath("s"), WORLD.state.elements, elements, ELEMENTS));
        return all;
    }

    private static List<SnapshotChunk> pages(
            long number, @Nullable Hash object, StateTree tree, List<SnapshotLeaf> contents, int most) {
        Map<Hash, SnapshotLeaf> byPath = new HashMap<>();
        contents.forEach(content -> byPath.put(SnapshotLeaves.of(content).path(), content));
        List<SnapshotChunk> chunks = new ArrayList<>();
        Optional<Hash> from = Optional.of(Hash.ZERO);
        while (from.isPresent()) {
            TreePage page = tree.page(from.get(), leaves -> leaves.count() <= most);
            List<SnapshotLeaf> found = page.leaves().stream()
                    .map(leaf -> Optional.ofNullable(byPath.get(leaf.path())).orElseThrow())
                    .toList();
            chunks.add(new SnapshotChunk(
                    new CertificateNumber(number), new Place(object, from.get()), page.proof(), found));
            from = page.proof().next(from.get());
        }
        return chunks;
    }

    private static List<SnapshotChunk> with(int place, @Nullable SnapshotChunk other) {
        List<SnapshotChunk> chunks = new ArrayList<>(pages());
        chunks.remove(place);
        if (other != null) {
            chunks.add(place, other);
        }
        return chunks;
    }

    private void chunks() {
        SnapshotHead head = head(CERTIFICATE);
        List<SnapshotChunk> pages = pages();
        SnapshotChunk one = pages.get(0);
        int last = pages.size() - 1;
        wrong("without the first chunk", "a chunk is missing", head, with(0, null));
        wrong("without the last chunk of elements", "a chunk is missing", head, with(last, null));
        List<SnapshotChunk> twice = new ArrayList<>(pages);
        twice.add(one);
        wrong("a chunk twice", "it is not needed any more", head, twice);
        wrong("chunks of another certificate", "the number is the certificate's", head, first());
        List<SnapshotLeaf> fewer = one.leaves().subList(1, one.leaves().size());
        wrong(
                "a chunk without a leaf",
                "the page proves exactly its leaves",
                head,
                with(0, new SnapshotChunk(one.number(), one.place(), one.proof(), fewer)));
        wrong(
                "a chunk without its proof",
                "there is no such chunk",
                head,
                with(0, new SnapshotChunk(one.number(), one.place(), null, List.of())));
        List<SnapshotLeaf> lies = new ArrayList<>(contents(set(elements(VectorWorld.ELEMENTS))));
        lies.set(0, new SnapshotLeaf.Whole("c", "pn-counter", Value.of(6)));
        wrong("another value", "the page proves its leaves", head, forged(lies));
        lies = new ArrayList<>(contents(set(elements(VectorWorld.ELEMENTS))));
        lies.set(lies.size() - 1, client(VectorState.FULL, VectorState.REST, VectorWorld.ALL - 2));
        wrong("another block of counted numbers", "the page proves its leaves", head, forged(lies));
        wrong(
                "an element less than the leaf says",
                "the elements make the root in the leaf",
                head,
                forged(contents(set(elements(VectorWorld.ELEMENTS - 1)))));
    }

    /** The right proof of all leaves, with these contents. */
    private static List<SnapshotChunk> forged(List<SnapshotLeaf> contents) {
        SnapshotChunk right = whole().get(0);
        return List.of(new SnapshotChunk(right.number(), right.place(), right.proof(), sorted(contents)));
    }
}
