package org.aspas.certify.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;

/** The definitions of RFC 9162 §2.1 written down literally, as the reference for the efficient structure. */
final class NaiveMerkle {
    private NaiveMerkle() {}

    /** Distinct entries, numbered from 0. */
    static List<byte[]> entries(int count) {
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(ByteBuffer.allocate(4).putInt(i).array());
        }
        return entries;
    }

    /** MTH(D_n). */
    static Hash root(List<byte[]> entries) {
        int n = entries.size();
        if (n == 0) {
            return Hash.sha256(new byte[0]);
        }
        if (n == 1) {
            return Hash.sha256(new byte[] {0}, entries.get(0));
        }
        int k = split(n);
        byte[] left = root(entries.subList(0, k)).toBytes();
        byte[] right = root(entries.subList(k, n)).toBytes();
        return Hash.sha256(new byte[] {1}, left, right);
    }

    /** PATH(m, D_n). */
    static List<Hash> path(int m, List<byte[]> entries) {
        int n = entries.size();
        if (n == 1) {
            return List.of();
        }
        int k = split(n);
        List<byte[]> left = entries.subList(0, k);
        List<byte[]> right = entries.subList(k, n);
        return m < k ? plus(path(m, left), root(right)) : plus(path(m - k, right), root(left));
    }

    /** SUBPROOF(m, D_n, b). */
    static List<Hash> subproof(int m, List<byte[]> entries, boolean complete) {
        int n = entries.size();
        if (m == n) {
            return complete ? List.of() : List.of(root(entries));
        }
        int k = split(n);
        List<byte[]> left = entries.subList(0, k);
        List<byte[]> right = entries.subList(k, n);
        return m <= k
                ? plus(subproof(m, left, complete), root(right))
                : plus(subproof(m - k, right, false), root(left));
    }

    private static int split(int n) {
        int k = 1;
        while (2 * k < n) {
            k *= 2;
        }
        return k;
    }

    private static List<Hash> plus(List<Hash> path, Hash hash) {
        List<Hash> longer = new ArrayList<>(path);
        longer.add(hash);
        return longer;
    }
}
