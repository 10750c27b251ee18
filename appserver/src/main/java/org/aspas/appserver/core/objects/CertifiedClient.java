package org.aspas.appserver.core.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.codec.StateLeaves;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Counted;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.SnapshotLeaf;
import org.jspecify.annotations.Nullable;

/** What is certified of one client. All of it is a function of the certified entries, and in its leaf. Does not change. */
final class CertifiedClient {
    /** What a record takes in a snapshot without its lists, and each update in it, in bytes, at most. */
    private static final long CONTENT_BYTES = 160;

    private static final long COUNTED_BYTES = 64;

    /** Of somebody of whom nothing is certified. */
    static final CertifiedClient NOBODY = new CertifiedClient(new CountedNumbers(), 0, 0, new TreeMap<>());

    private final CountedNumbers numbers;
    private final long session;
    private final long tolerance;
    private final TreeMap<Long, CountedBlock> blocks;

    private CertifiedClient(CountedNumbers numbers, long session, long tolerance, TreeMap<Long, CountedBlock> blocks) {
        this.numbers = numbers;
        this.session = session;
        this.tolerance = tolerance;
        this.blocks = blocks;
    }

    private static long block(long number) {
        return (number - 1) / StateLeaves.BLOCK;
    }

    /** The leaf of the client in the state tree. */
    ClientLeaf leaf(ClientId client) {
        List<Hash> hashes = remembered().stream().map(CountedBlock::hash).toList();
        return new ClientLeaf(
                client,
                this,
                StateLeaves.client(client, session, tolerance, numbers.fullBytes(), numbers.rest(), hashes));
    }

    /** The blocks that are remembered, the newest last. */
    private List<CountedBlock> remembered() {
        List<CountedBlock> all = new ArrayList<>();
        for (long block = numbers.firstBlock(); numbers.highest() > 0 && block <= block(numbers.highest()); block++) {
            all.add(blocks.getOrDefault(block, CountedBlock.EMPTY));
        }
        return all;
    }

    boolean counts(long number) {
        return numbers.contains(number);
    }

    /** The entry that counts for a number, unless it lies too far back. */
    Optional<Counted> find(long number) {
        return blocks.getOrDefault(block(number), CountedBlock.EMPTY).find(number);
    }

    /** What a candidate adds to a record. For one thread. */
    static final class Change {
        private final ClientId client;
        private final CertifiedClient base;
        private final CountedNumbers numbers;
        private final TreeMap<Long, Counted> added = new TreeMap<>();
        private long session;
        private long tolerance;

        /** {@link #blocks} of what was added so far. */
        private @Nullable TreeMap<Long, CountedBlock> hashed;

        Change(ClientId client, CertifiedClient base) {
            this.client = client;
            this.base = base;
            this.numbers = base.numbers.copy();
            this.session = base.session;
            this.tolerance = base.tolerance;
        }

        ClientId client() {
            return client;
        }

        boolean counts(long number) {
            return numbers.contains(number);
        }

        /** Whether a number is not counted, and may be. What decides is the certificate before. */
        boolean mayCount(long number) {
            return !base.numbers.contains(number) && base.numbers.admits(number);
        }

        Optional<Counted> find(long number) {
            Counted found = added.get(number);
            return found != null ? Optional.of(found) : base.find(number);
        }

        void open(OpenSession record) {
            if (record.number() > session) {
                session = record.number();
                tolerance = record.tolerance();
            }
        }

        void count(Counted one) {
            hashed = null;
            added.put(one.number(), one);
            numbers.add(one.number());
        }

        ClientLeaf leaf() {
            return commit().leaf(client);
        }

        private long firstBlock() {
            return numbers.firstBlock();
        }

        /** The blocks with something in them that are remembered from now on. */
        private TreeMap<Long, CountedBlock> blocks() {
            TreeMap<Long, CountedBlock> known = hashed;
            if (known != null) {
                return known;
            }
            TreeMap<Long, List<Counted>> grown = new TreeMap<>();
            for (Counted one :
                    added.tailMap(firstBlock() * StateLeaves.BLOCK, false).values()) {
                grown.computeIfAbsent(block(one.number()), any -> new ArrayList<>())
                        .add(one);
            }
            TreeMap<Long, CountedBlock> all = new TreeMap<>(base.blocks.tailMap(firstBlock()));
            grown.forEach((number, counted) ->
                    all.put(number, all.getOrDefault(number, CountedBlock.EMPTY).with(counted)));
            hashed = all;
            return all;
        }

        /** The record with what was added. */
        CertifiedClient commit() {
            return new CertifiedClient(numbers, session, tolerance, blocks());
        }

        Iterable<Counted> added() {
            return added.values();
        }
    }

    // ---- Snapshots ----

    /** The numbers that have counted, and the newest session. */
    void show(ClientId client, CertifiedState.ClientVisitor visitor) {
        visitor.take(client, numbers.toNumbers(), new OpenSession(client, session, tolerance));
    }

    /** About how many bytes the record takes in a snapshot. */
    long contentBytes() {
        return CONTENT_BYTES
                + numbers.rest().length
                + COUNTED_BYTES
                        * blocks.values().stream().mapToLong(CountedBlock::size).sum();
    }

    /** What stands for the record in a snapshot. */
    SnapshotLeaf.OfClient content(ClientId client) {
        return new SnapshotLeaf.OfClient(
                client,
                session,
                tolerance,
                numbers.fullBytes(),
                numbers.rest(),
                remembered().stream().map(CountedBlock::counted).toList());
    }

    /** The record that a content stands for, of which the leaf was verified; empty when no record has it. */
    static Optional<CertifiedClient> of(SnapshotLeaf.OfClient content) {
        Optional<CountedNumbers> numbers = CountedNumbers.of(content.full(), content.rest());
        if (numbers.isEmpty()) {
            return Optional.empty();
        }
        TreeMap<Long, CountedBlock> blocks = new TreeMap<>();
        long block = numbers.get().firstBlock();
        for (List<Counted> counted : content.blocks()) {
            if (!counted.isEmpty()) {
                blocks.put(block, CountedBlock.of(counted));
            }
            block++;
        }
        return Optional.of(new CertifiedClient(numbers.get(), content.session(), content.tolerance(), blocks));
    }
}
