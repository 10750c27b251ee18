package org.aspas.appserver.core.objects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.codec.StateLeaves;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Counted;
import org.aspas.crdt.clock.Dot;

/**
 * What is counted of one block of a client's numbers, and the hash of that. It is packed into about 48 bytes for each update, for a server
 * keeps 33 blocks of every client. Does not change.
 */
final class CountedBlock {
    /** Of no number. */
    static final CountedBlock EMPTY = new CountedBlock(List.of());

    /** Ascending, as are the other arrays. */
    private final long[] numbers;

    private final int[] origins;
    private final long[] sequences;
    /** {@link Hash#LENGTH} bytes for each number. */
    private final byte[] identities;

    private final Hash hash;

    private CountedBlock(Collection<Counted> ascending) {
        int size = ascending.size();
        numbers = new long[size];
        origins = new int[size];
        sequences = new long[size];
        identities = new byte[size * Hash.LENGTH];
        int at = 0;
        for (Counted one : ascending) {
            numbers[at] = one.number();
            origins[at] = one.dot().origin();
            sequences[at] = one.dot().sequence();
            System.arraycopy(one.identity().toBytes(), 0, identities, at * Hash.LENGTH, Hash.LENGTH);
            at++;
        }
        hash = StateLeaves.countedBlock(ascending);
    }

    /** A block with these, in any order, of which no two have one number. */
    static CountedBlock of(Collection<Counted> counted) {
        return counted.isEmpty() ? EMPTY : EMPTY.with(counted);
    }

    /** This block with more of its numbers; what it has of the same number is replaced. */
    CountedBlock with(Collection<Counted> more) {
        TreeMap<Long, Counted> all = new TreeMap<>();
        counted().forEach(one -> all.put(one.number(), one));
        more.forEach(one -> all.put(one.number(), one));
        return new CountedBlock(all.values());
    }

    private Counted at(int index) {
        byte[] identity = Arrays.copyOfRange(identities, index * Hash.LENGTH, (index + 1) * Hash.LENGTH);
        return new Counted(numbers[index], new Dot(origins[index], sequences[index]), Hash.of(identity));
    }

    Optional<Counted> find(long number) {
        int index = Arrays.binarySearch(numbers, number);
        return index < 0 ? Optional.empty() : Optional.of(at(index));
    }

    /** The lowest number first. */
    List<Counted> counted() {
        List<Counted> all = new ArrayList<>(numbers.length);
        for (int index = 0; index < numbers.length; index++) {
            all.add(at(index));
        }
        return all;
    }

    int size() {
        return numbers.length;
    }

    Hash hash() {
        return hash;
    }
}
