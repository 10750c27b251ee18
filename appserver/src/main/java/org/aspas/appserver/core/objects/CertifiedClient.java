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
    /** What is counted of the numbers of one block, and the hash of that. */
    private record Block(TreeMap<Long, Counted> counted, Hash hash) {
        static final Block EMPTY = of(new TreeMap<>());

        static Block of(TreeMap<Long, Counted> counted) {
            return new Block(counted, StateLeaves.countedBlock(counted.values()));
        }
    }

    /** What a record takes in a snapshot without its lists, and each update in it, in bytes, at most. */
    private static final long CONTENT_BYTES = 160;

    private static final long COUNTED_BYTES = 64;

    /** Of somebody of whom nothing is certified. */
    static final CertifiedClient NOBODY = new CertifiedClient(new CountedNumbers(), 0, 0, new TreeMap<>());

    private final CountedNumbers numbers;
    private final long session;
    private final long tolerance;
    private final TreeMap<Long, Block> blocks;

    private CertifiedClient(CountedNumbers numbers, long session, long tolerance, TreeMap<Long, Block> blocks) {
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
        List<Hash> hashes = remembered().stream().map(Block::hash).toList();
        return new ClientLeaf(
                client,
                this,
                StateLeaves.client(client, session, tolerance, numbers.fullBytes(), numbers.rest(), hashes));
    }

    /** The blocks that are remembered, the newest last. */
    private List<Block> remembered() {
        List<Block> all = new ArrayList<>();
        for (long block = numbers.firstBlock(); numbers.highest() > 0 && block <= block(numbers.highest()); block++) {
            all.add(blocks.getOrDefault(block, Block.EMPTY));
        }
        return all;
    }

    boolean counts(long number) {
        return numbers.contains(number);
    }

    /** The entry that counts for a number, unless it lies too far back. */
    Optional<Counted> find(long number) {
        return Optional.ofNullable(
                blocks.getOrDefault(block(number), Block.EMPTY).counted().get(number));
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
        private @Nullable TreeMap<Long, Block> hashed;

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
        private TreeMap<Long, Block> blocks() {
            TreeMap<Long, Block> known = hashed;
            if (known != null) {
                return known;
            }
            TreeMap<Long, TreeMap<Long, Counted>> grown = new TreeMap<>();
            for (Counted one :
                    added.tailMap(firstBlock() * StateLeaves.BLOCK, false).values()) {
                long number = block(one.number());
                grown.computeIfAbsent(
                                number,
                                any -> new TreeMap<>(base.blocks
                                        .getOrDefault(any, Block.EMPTY)
                                        .counted()))
                        .put(one.number(), one);
            }
            TreeMap<Long, Block> all = new TreeMap<>(base.blocks.tailMap(firstBlock()));
            grown.forEach((number, counted) -> all.put(number, Block.of(counted)));
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
                        * blocks.values().stream()
                                .mapToLong(block -> block.counted().size())
                                .sum();
    }

    /** What stands for the record in a snapshot. */
    SnapshotLeaf.OfClient content(ClientId client) {
        return new SnapshotLeaf.OfClient(
                client,
                session,
                tolerance,
                numbers.fullBytes(),
                numbers.rest(),
                remembered().stream()
                        .map(block -> List.copyOf(block.counted().values()))
                        .toList());
    }

    /** The record that a content stands for, of which the leaf was verified; empty when no record has it. */
    static Optional<CertifiedClient> of(SnapshotLeaf.OfClient content) {
        Optional<CountedNumbers> numbers = CountedNumbers.of(content.full(), content.rest());
        if (numbers.isEmpty()) {
            return Optional.empty();
        }
        TreeMap<Long, Block> blocks = new TreeMap<>();
        long block = numbers.get().firstBlock();
        for (List<Counted> counted : content.blocks()) {
            TreeMap<Long, Counted> byNumber = new TreeMap<>();
            counted.forEach(one -> byNumber.put(one.number(), one));
            if (!byNumber.isEmpty()) {
                blocks.put(block, Block.of(byNumber));
            }
            block++;
        }
        return Optional.of(new CertifiedClient(numbers.get(), content.session(), content.tolerance(), blocks));
    }
}
