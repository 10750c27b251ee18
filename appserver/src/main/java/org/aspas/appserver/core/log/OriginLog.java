package org.aspas.appserver.core.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleBranch;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one origin with their Merkle tree and the origin's signed heads. Entries are accepted in order; some of
 * the last ones may wait for delivery. For one thread.
 */
public final class OriginLog {
    private final int blockLevel;
    private MerkleLog tree;
    /** The entries after the pruned ones. */
    private final List<byte[]> encoded = new ArrayList<>();

    private final List<Entry> open = new ArrayList<>();
    private final TreeMap<Long, Signed<Head>> heads = new TreeMap<>();
    private long pruned;
    private @Nullable LogEdge start;
    private long released;
    private long delivered;
    private long pendingBytes;
    private long uncertifiedBytes;
    private long headless;
    private long cachedSize = -1;
    private Hash cachedRoot = Hash.ZERO;

    /** No entries yet; leaves are given away in blocks of 2^blockLevel. */
    OriginLog(int blockLevel) {
        this.blockLevel = blockLevel;
        this.tree = new MerkleLog(blockLevel);
    }

    long blockLeaves() {
        return 1L << blockLevel;
    }

    /** The first leaf of the block that has a leaf. */
    public long blockOf(long index) {
        return index & -(1L << blockLevel);
    }

    /** How many entries are accepted. */
    public long size() {
        return pruned + encoded.size();
    }

    /** Whether the root at a size, from 0 to the present one, is known. */
    public boolean knowsRoot(long size) {
        return tree.has(size);
    }

    /** Whether it is known which entry has a place, by sequence number. */
    public boolean knowsLeaf(long sequence) {
        return tree.hasLeaf(sequence - 1);
    }

    /** Whether the root at a size, and the places of all entries after it up to another size, are known. */
    boolean knowsAll(long after, long upTo) {
        boolean known = knowsRoot(after) && knowsRoot(upTo);
        for (long at = after; known && at < upTo; at += 1L << blockLevel) {
            known = tree.hasLeaf(at);
        }
        return known && (after == upTo || tree.hasLeaf(upTo - 1));
    }

    /** The log becomes one of which only the end is here. */
    void restart(LogEdge end) {
        BrokenEntry.Included last = end.included();
        tree = MerkleLog.after(end.size(), end.peaks(), blockLevel);
        encoded.clear();
        open.clear();
        heads.clear();
        pruned = last == null ? 0 : end.size() - 1;
        if (last != null) {
            encoded.add(last.bytes());
        }
        start = end;
        released = end.size();
        delivered = end.size();
        headless = end.size();
        pendingBytes = 0;
        uncertifiedBytes = 0;
        cachedSize = -1;
    }

    /** The end that the log had at a size, which is certified. */
    public LogEdge edge(long size) {
        LogEdge first = start;
        if (first != null && size == first.size()) {
            return first;
        }
        return size == 0
                ? new LogEdge(0, List.of(), null, null)
                : new LogEdge(
                        size,
                        tree.peaks(size),
                        new BrokenEntry.Included(encoded(size), prove(size, size)),
                        entry(size));
    }

    /** All entries up to a place count as delivered, though some may have waited for others. */
    void delivered(long upTo) {
        while (delivered < upTo) {
            deliverNext();
        }
    }

    public long delivered() {
        return delivered;
    }

    /** The encoded bytes of the entries that are accepted and not delivered. */
    public long pendingBytes() {
        return pendingBytes;
    }

    /** The encoded bytes of the entries that are not released. */
    public long uncertifiedBytes() {
        return uncertifiedBytes;
    }

    public long pruned() {
        return pruned;
    }

    /** The Merkle tree, until {@link #restart}; only its blocks may be changed. */
    public MerkleLog tree() {
        return tree;
    }

    /** The bytes of an entry that is not forgotten, by sequence number. */
    public byte[] encoded(long sequence) {
        return encoded.get((int) (sequence - 1 - pruned));
    }

    /** The hash of an entry's leaf that is not forgotten, by sequence number. */
    public Hash leaf(long sequence) {
        return tree.leaf(sequence - 1);
    }

    /** An accepted entry that is not forgotten, by sequence number; one that is released is decoded again. */
    public Entry entry(long sequence) {
        if (sequence > released) {
            return open.get((int) (sequence - 1 - released));
        }
        return Codec.decode(encoded(sequence), Entry.class)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("the accepted entry " + sequence + " is malformed"));
    }

    public Hash rootAt(long size) {
        if (size != cachedSize) {
            cachedRoot = tree.rootAt(size);
            cachedSize = size;
        }
        return cachedRoot;
    }

    public InclusionProof prove(long sequence, long size) {
        return tree.proveInclusion(sequence - 1, size);
    }

    ConsistencyProof proveConsistency(long oldSize, long newSize) {
        return tree.proveConsistency(oldSize, newSize);
    }

    Hash rootAfter(List<Hash> leaves) {
        return tree.rootAfter(leaves);
    }

    /** The log that would be if these leaves followed the first entries. */
    MerkleBranch branch(long kept, List<Hash> leaves) {
        return new MerkleBranch(tree, kept, leaves);
    }

    void append(byte[] bytes, Entry entry) {
        encoded.add(bytes);
        open.add(entry);
        pendingBytes += bytes.length;
        uncertifiedBytes += bytes.length;
        tree.append(bytes);
    }

    void deliverNext() {
        delivered++;
        pendingBytes -= encoded(delivered).length;
    }

    /** Forgets the decoded form of the entries up to a sequence number; their bytes stay. */
    public void release(long upTo) {
        int count = (int) (upTo - released);
        if (count > 0) {
            uncertifiedBytes -= bytesBetween(released, upTo);
            open.subList(0, count).clear();
            released = upTo;
        }
    }

    /**
     * Forgets the first entries, but never the last released one, and heads that cover nothing else, but never the newest.
     *
     * @param upTo up to which place, which is released
     * @param leaves up to which place the leaves are forgotten too, as far as the entries are
     */
    void forget(long upTo, long leaves) {
        long end = Math.max(pruned, Math.min(upTo, released - 1));
        encoded.subList(0, (int) (end - pruned)).clear();
        pruned = end;
        Map.Entry<Long, Signed<Head>> newest = heads.lastEntry();
        heads.headMap(pruned, true).clear();
        if (newest != null) {
            heads.putIfAbsent(newest.getKey(), newest.getValue());
        }
        tree.moveOut(pruned);
        tree.forget(Math.min(leaves, pruned));
    }

    /** Takes the last entries back, which are not released; gives those of them that were delivered, in order. */
    List<Entry> truncate(long kept) {
        List<Entry> revoked = new ArrayList<>();
        for (long sequence = kept + 1; sequence <= delivered; sequence++) {
            revoked.add(entry(sequence));
        }
        pendingBytes -= bytesBetween(Math.max(kept, delivered), size());
        uncertifiedBytes -= bytesBetween(kept, size());
        tree.truncate(kept);
        encoded.subList((int) (kept - pruned), encoded.size()).clear();
        open.subList((int) (kept - released), open.size()).clear();
        heads.tailMap(kept, false).clear();
        delivered = Math.min(delivered, kept);
        headless = Math.min(headless, kept);
        cachedSize = -1;
        return revoked;
    }

    /** The least signed head that covers an entry. */
    public Optional<Signed<Head>> headOver(long sequence) {
        return Optional.ofNullable(heads.ceilingEntry(sequence)).map(Map.Entry::getValue);
    }

    /** The signed heads after one place up to another one, by their sizes. */
    public TreeMap<Long, Signed<Head>> headsBetween(long after, long end) {
        return new TreeMap<>(heads.subMap(after, false, Math.max(after, end), true));
    }

    /** The entries so far came under a certified root: there may be no head for a long way before this place. */
    void headless() {
        headless = size();
    }

    void retain(Signed<Head> head) {
        if (head.message().size() <= pruned && !heads.isEmpty()) {
            return;
        }
        heads.putIfAbsent(head.message().size(), head);
    }

    Optional<Signed<Head>> headAt(long size) {
        return Optional.ofNullable(heads.get(size));
    }

    /**
     * The smallest signed head over all delivered entries; else, as for own entries that are not cut yet, the newest.
     * Entries under it that cannot be delivered do no harm.
     */
    public Optional<Signed<Head>> deliveredHead() {
        Map.Entry<Long, Signed<Head>> covering = heads.ceilingEntry(delivered);
        Map.Entry<Long, Signed<Head>> found = covering == null ? heads.lastEntry() : covering;
        return delivered == 0 ? Optional.empty() : Optional.ofNullable(found).map(Map.Entry::getValue);
    }

    public Optional<Signed<Head>> newestHead() {
        return Optional.ofNullable(heads.lastEntry()).map(Map.Entry::getValue);
    }

    /**
     * The signed head that ends the largest batch after a place that keeps the bounds. A batch that came whole is passed on
     * whole, whatever its size; what came without heads is not, and has to be asked for by its certificate.
     */
    Optional<Signed<Head>> cutAfter(long after, int maxEntries, int maxBytes) {
        @Nullable Signed<Head> best = null;
        long bytes = 0;
        long counted = after;
        for (Signed<Head> head : heads.tailMap(after, false).values()) {
            long end = head.message().size();
            bytes += bytesBetween(counted, end);
            counted = end;
            boolean whole = best == null && after >= headless;
            if (!whole && (end - after > maxEntries || bytes > maxBytes)) {
                break;
            }
            best = head;
        }
        return Optional.ofNullable(best);
    }

    /** How many entries after a place fit into one batch; at least one if there is any. */
    long fitting(long after, int maxEntries, int maxBytes) {
        long end = after;
        long bytes = 0;
        while (end < size() && end - after < maxEntries) {
            bytes += encoded(end + 1).length;
            if (bytes > maxBytes && end > after) {
                break;
            }
            end++;
        }
        return end;
    }

    /** The bytes of the entries after one place up to another one. */
    public List<byte[]> between(long after, long end) {
        return encoded.subList((int) (after - pruned), (int) (end - pruned));
    }

    long bytesBetween(long after, long end) {
        long bytes = 0;
        for (byte[] one : between(Math.max(after, pruned), Math.max(end, pruned))) {
            bytes += one.length;
        }
        return bytes;
    }
}
