package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
    static final CertifiedClient NOBODY = new CertifiedClient(new RequestNumberBitmap(), 0, 0, List.of());

    private final RequestNumberBitmap numbers;
    private final long session;
    private final long tolerance;
    /** Those that are remembered: from {@link RequestNumberBitmap#firstBlock} to that of the highest number. */
    private final List<CountedBlock> blocks;

    private CertifiedClient(RequestNumberBitmap numbers, long session, long tolerance, List<CountedBlock> blocks) {
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

    private static int blocksOf(RequestNumberBitmap numbers) {
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
        private final RequestNumberBitmap numbers;
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
        Optional<RequestNumberBitmap> numbers = RequestNumberBitmap.of(content.full(), content.rest());
        if (numbers.isEmpty() || content.blocks().size() != blocksOf(numbers.get())) {
            return Optional.empty();
        }
        List<CountedBlock> blocks =
                content.blocks().stream().map(CountedBlock::of).toList();
        return Optional.of(new CertifiedClient(numbers.get(), content.session(), content.tolerance(), blocks));
    }

    /**
     * The numbers of a client that are counted: all up to some, and a few bits after these. None is as much as
     * {@link StateLeaves#SPAN} greater than the lowest that is missing. For one thread.
     */
    private static final class RequestNumberBitmap {
        private static final int BYTE = Byte.SIZE;

        /** Numbers up to this one are all in; a multiple of 64. */
        private long below;

        /** Bit i stands for the number below + i + 1. */
        private BitSet after;

        RequestNumberBitmap() {
            this(0, new BitSet());
        }

        private RequestNumberBitmap(long below, BitSet after) {
            this.below = below;
            this.after = after;
        }

        RequestNumberBitmap copy() {
            return new RequestNumberBitmap(below, (BitSet) after.clone());
        }

        boolean contains(long number) {
            return number <= below || number - below <= after.length() && after.get((int) (number - below - 1));
        }

        /** The lowest number that is missing, at least 1. */
        long lowestMissing() {
            return below + after.nextClearBit(0) + 1;
        }

        /** The highest number, 0 if there is none. */
        long highest() {
            return below + after.length();
        }

        boolean admits(long number) {
            return number - lowestMissing() < StateLeaves.SPAN;
        }

        /** Adds a number that is admitted. */
        void add(long number) {
            if (number > below) {
                after.set((int) (number - below - 1));
                int whole = after.nextClearBit(0) / Long.SIZE * Long.SIZE;
                if (whole > 0) {
                    after = after.get(whole, Math.max(whole, after.length()));
                    below += whole;
                }
            }
        }

        /** How many times eight numbers from 1 on are all in. */
        long fullBytes() {
            return (lowestMissing() - 1) / BYTE;
        }

        /** The bits behind {@link #fullBytes}, as {@link StateLeaves#client} has them. */
        byte[] rest() {
            return after.get((int) (fullBytes() * BYTE - below), Math.max(after.length(), 1))
                    .toByteArray();
        }

        /** The first block of numbers of which it is remembered what counted. */
        long firstBlock() {
            return Math.max(0, (highest() - 1) / StateLeaves.BLOCK - StateLeaves.REMEMBERED_BLOCKS);
        }

        /** The numbers that have these {@link #fullBytes} and this {@link #rest}; empty when none have. */
        static Optional<RequestNumberBitmap> of(long fullBytes, byte[] rest) {
            if (fullBytes < 0
                    || fullBytes > Long.MAX_VALUE >> Long.BYTES
                    || rest.length > StateLeaves.SPAN / BYTE + 1) {
                return Optional.empty();
            }
            long below = fullBytes * BYTE / Long.SIZE * Long.SIZE;
            int full = (int) (fullBytes * BYTE - below);
            BitSet bits = BitSet.valueOf(rest);
            BitSet after = new BitSet();
            after.set(0, full);
            bits.stream().forEach(bit -> after.set(full + bit));
            RequestNumberBitmap numbers = new RequestNumberBitmap(below, after);
            return numbers.fullBytes() == fullBytes && Arrays.equals(numbers.rest(), rest)
                    ? Optional.of(numbers)
                    : Optional.empty();
        }

        IntervalSet toNumbers() {
            IntervalSet numbers = new IntervalSet();
            numbers.restore(
                    lowestMissing() - 1,
                    after.stream().mapToObj(bit -> below + bit + 1).toList());
            return numbers;
        }
    }
}
