package org.aspas.appserver.core.objects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.StateLeaves;
import org.jspecify.annotations.Nullable;

/** What is certified of one client. All of it is a function of the certified entries, and in its leaf. Does not change. */
final class CertifiedClient {
    /** What a record takes in a snapshot without its lists, and each update in it, in bytes, at most. */
    private static final long CONTENT_BYTES = 160;

    private static final long COUNTED_BYTES = 64;

    /** A client of which nothing is certified. */
    static final CertifiedClient NOBODY = new CertifiedClient(new CountedNumbers(), 0, 0, List.of());

    private final CountedNumbers numbers;
    private final long session;
    private final long tolerance;
    /** Those that are remembered: from {@link CountedNumbers#firstBlock} to that of the highest number. */
    private final List<CountedBlock> blocks;

    private CertifiedClient(CountedNumbers numbers, long session, long tolerance, List<CountedBlock> blocks) {
        this.numbers = numbers;
        this.session = session;
        this.tolerance = tolerance;
        this.blocks = blocks;
    }

    private static long block(long number) {
        return (number - 1) / StateLeaves.BLOCK;
    }

    ClientLeaf leaf(ClientId client) {
        List<Hash> hashes = blocks.stream().map(CountedBlock::hash).toList();
        return new ClientLeaf(
                client,
                this,
                StateLeaves.client(client, session, tolerance, numbers.fullBytes(), numbers.rest(), hashes));
    }

    private static int blocksOf(CountedNumbers numbers) {
        return numbers.highest() == 0 ? 0 : (int) (block(numbers.highest()) - numbers.firstBlock() + 1);
    }

    /** Empty when it is not remembered. */
    private CountedBlock remembered(long block) {
        long index = block - numbers.firstBlock();
        return index >= 0 && index < blocks.size() ? blocks.get((int) index) : CountedBlock.EMPTY;
    }

    boolean counts(long number) {
        return numbers.contains(number);
    }

    /** The entry that counts for a number, unless it lies too far back. */
    Optional<Counted> find(long number) {
        return remembered(block(number)).find(number);
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
        private @Nullable List<CountedBlock> hashed;

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

        private List<CountedBlock> blocks() {
            List<CountedBlock> known = hashed;
            if (known != null) {
                return known;
            }
            long first = numbers.firstBlock();
            CountedBlock[] all = new CountedBlock[blocksOf(numbers)];
            Arrays.setAll(all, index -> base.remembered(first + index));
            TreeMap<Long, List<Counted>> grown = new TreeMap<>();
            for (Counted one : added.tailMap(first * StateLeaves.BLOCK, false).values()) {
                grown.computeIfAbsent(block(one.number()), any -> new ArrayList<>())
                        .add(one);
            }
            grown.forEach((block, counted) ->
                    all[(int) (block - first)] = base.remembered(block).with(counted));
            hashed = List.of(all);
            return hashed;
        }

        CertifiedClient commit() {
            return new CertifiedClient(numbers, session, tolerance, blocks());
        }

        Iterable<Counted> added() {
            return added.values();
        }
    }

    // ---- The base ----

    /** Is told how the blocks differ that are remembered. */
    interface BlockChanges {
        /** A block is another one, or is remembered now. */
        void put(long number, CountedBlock block);

        /** A block is not remembered any more. */
        void removed(long number);
    }

    /** Tells which blocks another record of the client lacks, or has otherwise, or has beyond these. */
    void blocksSince(CertifiedClient before, BlockChanges changes) {
        long first = numbers.firstBlock();
        long end = first + blocks.size();
        long had = before.numbers.firstBlock();
        long hadEnd = had + before.blocks.size();
        for (long number = had; number < hadEnd; number++) {
            if (number < first || number >= end) {
                changes.removed(number);
            }
        }
        for (long number = first; number < end; number++) {
            CountedBlock block = remembered(number);
            if (number < had || number >= hadEnd || before.remembered(number) != block) {
                changes.put(number, block);
            }
        }
    }

    /** What stands for the record in a base, which has the blocks apart. */
    SnapshotLeaf.OfClient apart(ClientId client) {
        return new SnapshotLeaf.OfClient(client, session, tolerance, numbers.fullBytes(), numbers.rest(), List.of());
    }

    // ---- Snapshots ----

    void show(ClientId client, CertifiedState.ClientVisitor visitor) {
        visitor.take(client, numbers.toNumbers(), new OpenSession(client, session, tolerance));
    }

    /** About how many bytes the record takes in a snapshot. */
    long contentBytes() {
        return CONTENT_BYTES
                + numbers.rest().length
                + COUNTED_BYTES * blocks.stream().mapToLong(CountedBlock::size).sum();
    }

    SnapshotLeaf.OfClient content(ClientId client) {
        return apart(client).with(blocks.stream().map(CountedBlock::counted).toList());
    }

    /** The record that a content stands for, of which the leaf was verified; empty when no record has it. */
    static Optional<CertifiedClient> of(SnapshotLeaf.OfClient content) {
        Optional<CountedNumbers> numbers = CountedNumbers.of(content.full(), content.rest());
        if (numbers.isEmpty() || content.blocks().size() != blocksOf(numbers.get())) {
            return Optional.empty();
        }
        List<CountedBlock> blocks =
                content.blocks().stream().map(CountedBlock::of).toList();
        return Optional.of(new CertifiedClient(numbers.get(), content.session(), content.tolerance(), blocks));
    }
}
