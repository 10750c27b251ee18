package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;

/** The logs of all origins as they lie on one disk: bytes, with a Merkle tree over each log. For one thread. */
public final class DiskImage {
    private final List<LogTree> trees = new ArrayList<>();
    private final List<List<byte[]>> entries = new ArrayList<>();

    public DiskImage(int origins) {
        for (int origin = 0; origin < origins; origin++) {
            trees.add(new LogTree());
            entries.add(new ArrayList<>());
        }
    }

    public long size(int origin) {
        return trees.get(origin).size();
    }

    /** Appends the bytes of an entry, which must not be changed. */
    public void append(int origin, byte[] entry) {
        trees.get(origin).append(entry);
        entries.get(origin).add(entry);
    }

    /** The log of an origin becomes one of so many entries, none of which is here: its right edge is, the largest peak first. */
    public void restart(int origin, long size, List<Hash> peaks) {
        trees.get(origin).restart((int) size, peaks.stream().map(Hash::toBytes).toList());
        List<byte[]> log = entries.get(origin);
        log.clear();
        log.addAll(Collections.nCopies((int) size, new byte[0]));
    }

    public void truncate(int origin, long kept) {
        List<byte[]> log = entries.get(origin);
        if (kept < log.size()) {
            trees.get(origin).truncate((int) kept);
            log.subList((int) kept, log.size()).clear();
        }
    }

    /** The bytes of an entry, by sequence number from 1; not to be changed. */
    public byte[] entry(int origin, long sequence) {
        return entries.get(origin).get((int) sequence - 1);
    }

    /** The leaf hash of an entry, by sequence number from 1 (docs/formats.md §4). */
    public Hash leaf(int origin, long sequence) {
        return Hash.of(trees.get(origin).leaf((int) sequence - 1));
    }

    /** The root over the first entries of an origin, of which there must be so many. */
    public Hash root(int origin, long size) {
        return Hash.of(trees.get(origin).root((int) size));
    }

    /** The log roots digest of the first entries of each origin (docs/formats.md §4). */
    public Hash rootsDigest(long[] version) {
        byte[][] roots = new byte[version.length][];
        for (int origin = 0; origin < version.length; origin++) {
            roots[origin] = trees.get(origin).root((int) version[origin]);
        }
        return Hash.of(Sha256.named("log-roots", roots));
    }

    /** Whether the first entries of an origin are those that a content certifies. */
    public boolean holds(CertificateContent content, int origin) {
        long size = content.version().get(origin);
        return size(origin) >= size
                && Arrays.equals(
                        trees.get(origin).root((int) size),
                        content.roots().get(origin).toBytes());
    }

    /** Whether all that a content certifies is there. */
    public boolean holds(CertificateContent content) {
        for (int origin = 0; origin < trees.size(); origin++) {
            if (!holds(content, origin)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The Merkle tree of one origin's log (RFC 9162 §2.1; docs/formats.md §4). Complete subtrees are remembered, so that a root
     * costs the logarithm of the size. For one thread.
     */
    private static final class LogTree {
        private static final int LEAF = 0;
        private static final int INNER = 1;

        /** By height: the hashes of the complete subtrees of 2^height leaves, from the left. */
        private final List<List<byte[]>> complete = new ArrayList<>();

        LogTree() {
            complete.add(new ArrayList<>());
        }

        int size() {
            return complete.get(0).size();
        }

        /** The hash of a leaf, from 0. */
        byte[] leaf(int index) {
            return complete.get(0).get(index);
        }

        void append(byte[] entry) {
            complete.get(0).add(Sha256.tagged(LEAF, entry));
            for (int height = 0; complete.get(height).size() % 2 == 0; height++) {
                List<byte[]> lower = complete.get(height);
                if (complete.size() == height + 1) {
                    complete.add(new ArrayList<>());
                }
                complete.get(height + 1)
                        .add(Sha256.tagged(INNER, lower.get(lower.size() - 2), lower.get(lower.size() - 1)));
            }
        }

        /** Becomes the tree of so many leaves of which only the complete subtrees at its right edge are known, the largest first. */
        void restart(int size, List<byte[]> peaks) {
            complete.clear();
            int peak = peaks.size();
            for (int height = 0; height == 0 || size >> height != 0; height++) {
                List<byte[]> level = new ArrayList<>(Collections.nCopies(size >> height, new byte[0]));
                if ((size >> height & 1) == 1) {
                    level.set(level.size() - 1, peaks.get(--peak));
                }
                complete.add(level);
            }
        }

        void truncate(int kept) {
            for (int height = 0; height < complete.size(); height++) {
                List<byte[]> level = complete.get(height);
                level.subList(Math.min(level.size(), kept >> height), level.size())
                        .clear();
            }
        }

        /** The root over the first leaves. */
        byte[] root(int size) {
            return size == 0 ? Sha256.of() : root(0, size);
        }

        private byte[] root(int first, int count) {
            if (Integer.bitCount(count) == 1) {
                int height = Integer.numberOfTrailingZeros(count);
                return complete.get(height).get(first >> height);
            }
            int left = Integer.highestOneBit(count - 1);
            return Sha256.tagged(INNER, root(first, left), root(first + left, count - left));
        }
    }
}
