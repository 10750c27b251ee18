package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.object.DeliveredUpdate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.ObjectStore.Proved;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ReadCheck;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * What one large set costs an appserver's store and a client that verifies, from the command line: the number of elements, and
 * the bytes of each (0 for integers). Signatures are zeros: they cost the same whatever the set's size.
 */
public final class LargeSetMain {
    private static final String SET = "aw-set";
    private static final int ROUNDS = 41;
    private static final int FILL = 1000;

    private final ObjectStore store = new ObjectStore();
    private final int bytes;
    private long sequence;
    private long number;
    private Hash root = Hash.ZERO;

    private LargeSetMain(int bytes) {
        this.bytes = bytes;
    }

    /** Prints the figures, a line each. */
    public static void main(String[] arguments) {
        int elements = Integer.parseInt(arguments[0]);
        LargeSetMain run = new LargeSetMain(Integer.parseInt(arguments[1]));
        long before = heap();
        for (int i = 0; i < elements; i += FILL) {
            run.add(i, Math.min(FILL, elements - i));
        }
        print("heap per element, bytes", (heap() - before) / (double) elements);
        run.certificates(elements);
        run.reads(elements);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void print(String what, double figure) {
        System.out.printf(Locale.ROOT, "%-56s %,14.1f%n", what, figure);
    }

    private Value element(int index) {
        String text = Integer.toString(index);
        return bytes == 0 ? Value.of(index) : Value.of(text + "x".repeat(bytes - text.length()));
    }

    /** Certifies so many additions; microseconds that the state at the next certificate took, and to make it the newest. */
    private double add(int from, int count) {
        VersionVector certified = VersionVector.of(sequence);
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Request request = Logs.request(1, ++sequence, "s", SET, Operation.of("add", element(from + i)));
            Entry entry = new Entry(new Dot(0, sequence), VersionVector.of(sequence - 1), Logs.sealed(request));
            entries.add(entry);
            store.deliver(DeliveredUpdate.of(entry, request));
        }
        long start = System.nanoTime();
        Candidate candidate = store.candidate(certified, entries);
        root = candidate.root();
        store.commit(candidate);
        number++;
        return (System.nanoTime() - start) / 1000.0;
    }

    private void certificates(int elements) {
        for (int count : new int[] {1, 100, 1000}) {
            List<Double> all = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                all.add(add(round * count % (elements - count), count));
            }
            all.sort(null);
            print("certificate with " + count + " elements added again, median us", all.get(ROUNDS / 2));
        }
    }

    private void reads(int elements) {
        read("element that is there", ReadPart.element(element(elements / 2)));
        read("element that is not", ReadPart.element(element(-1)));
        read("first page", ReadPart.page(Hash.ZERO, CertificateNumber.NONE));
        long start = System.nanoTime();
        long pages = 0;
        long found = 0;
        for (Hash from = Hash.ZERO; from != null; pages++) {
            ReadPart part = ReadPart.page(from, new CertificateNumber(number));
            Proved proved = proved(part);
            check(part, proved);
            found += ((Value.Sequence) proved.value()).items().size();
            from = proved.proof().elements().page().next(from).orElse(null);
        }
        print("all pages, elements", (double) found);
        print("all pages, pages", (double) pages);
        print("all pages, proved and verified, ms", (System.nanoTime() - start) / 1e6);
    }

    private Proved proved(ReadPart part) {
        return store.prove("s", SET, part, new CertificateNumber(number)).orElseThrow();
    }

    private void check(ReadPart part, Proved proved) {
        CertificateContent content = new CertificateContent(
                Hash.ZERO,
                new CertificateNumber(number),
                Hash.ZERO,
                VersionVector.of(sequence),
                List.of(),
                root,
                List.of());
        Read read = new Read(1, "s", SET, true, new CertificateNumber(number), part);
        ReadCheck.check(
                        read,
                        proved.value(),
                        new Certificate(content, Codec.encode(content), List.of()),
                        proved.proof())
                .ifPresent(wrong -> {
                    throw new IllegalStateException(wrong.toString());
                });
    }

    private void read(String what, ReadPart part) {
        List<Double> proving = new ArrayList<>();
        List<Double> checking = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            Proved proved = proved(part);
            long made = System.nanoTime();
            check(part, proved);
            proving.add((made - start) / 1000.0);
            checking.add((System.nanoTime() - made) / 1000.0);
        }
        proving.sort(null);
        checking.sort(null);
        Proved proved = proved(part);
        Response response = new Response(
                0,
                1,
                Logs.client(1),
                1,
                proved.value(),
                null,
                Hash.ZERO,
                VersionVector.of(sequence),
                Hash.ZERO,
                new CertificateNumber(number),
                Hash.ZERO);
        Answer answer = new Answer(new Signed<>(response, Codec.encode(response), new byte[64]), null, proved.proof());
        print(what + ", elements", ((Value.Sequence) proved.value()).items().size());
        print(what + ", bytes of the answer", Codec.encode(answer).length);
        print(what + ", median us to prove", proving.get(ROUNDS / 2));
        print(what + ", median us to verify", checking.get(ROUNDS / 2));
    }
}
