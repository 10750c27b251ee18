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
}
