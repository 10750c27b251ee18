package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.value.Value;

/**
 * What is counted of one block of a client's numbers, and the hash of that. It is packed into about 48 bytes for each update, for a server
 * keeps 33 blocks of every client. Does not change.
 */
final class CountedBlock {
    static final CountedBlock EMPTY = new CountedBlock();

    /** What {@link #state} has of each update. */
    private static final int ITEMS = 4;

    /** Ascending, as are the other arrays. */
    private final long[] numbers;

    private final int[] origins;
    private final long[] sequences;
    /** {@link Hash#LENGTH} bytes for each number. */
    private final byte[] identities;

    private final Hash hash;

    /** The first ones of another block, and after them others, of which each number is above that of the one before. */
    private CountedBlock(CountedBlock first, int kept, Collection<Counted> ascending) {
        int size = kept + ascending.size();
        numbers = Arrays.copyOf(first.numbers, size);
        origins = Arrays.copyOf(first.origins, size);
        sequences = Arrays.copyOf(first.sequences, size);
        identities = Arrays.copyOf(first.identities, size * Hash.LENGTH);
        int at = kept;
        for (Counted one : ascending) {
            numbers[at] = one.number();
            origins[at] = one.dot().origin();
            sequences[at] = one.dot().sequence();
            one.identity().copyTo(identities, at * Hash.LENGTH);
            at++;
        }
        hash = StateLeaves.countedBlock(numbers, origins, sequences, identities);
    }

    private CountedBlock() {
        numbers = new long[0];
        origins = new int[0];
        sequences = new long[0];
        identities = new byte[0];
        hash = StateLeaves.countedBlock(numbers, origins, sequences, identities);
    }

    /** A block with these, in any order, of which no two have one number. */
    static CountedBlock of(Collection<Counted> counted) {
        return counted.isEmpty() ? EMPTY : EMPTY.with(counted);
    }

    /** This block with more of its numbers; what it has of the same number is replaced. */
    CountedBlock with(Collection<Counted> more) {
        TreeMap<Long, Counted> added = new TreeMap<>();
        more.forEach(one -> added.put(one.number(), one));
        int kept = Arrays.binarySearch(numbers, added.firstKey());
        kept = kept < 0 ? -kept - 1 : kept;
        for (int index = kept; index < numbers.length; index++) {
            added.putIfAbsent(numbers[index], at(index));
        }
        return new CountedBlock(this, kept, added.values());
    }

    private Counted at(int index) {
        return new Counted(
                numbers[index], new Dot(origins[index], sequences[index]), Hash.of(identities, index * Hash.LENGTH));
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

    /** The block as one value: of each update the number, the two parts of its dot, and its identity, one after another. */
    Value state() {
        List<Value> items = new ArrayList<>(ITEMS * numbers.length);
        for (int index = 0; index < numbers.length; index++) {
            items.add(Value.of(numbers[index]));
            items.add(Value.of(origins[index]));
            items.add(Value.of(sequences[index]));
            items.add(Value.of(Arrays.copyOfRange(identities, index * Hash.LENGTH, (index + 1) * Hash.LENGTH)));
        }
        return Value.sequence(items);
    }

    /** The updates of a {@link #state}, the lowest number first; empty when it is none. */
    static Optional<List<Counted>> ofState(Value state) {
        if (!(state instanceof Value.Sequence sequence) || sequence.items().size() % ITEMS != 0) {
            return Optional.empty();
        }
        List<Value> items = sequence.items();
        List<Counted> counted = new ArrayList<>(items.size() / ITEMS);
        for (int at = 0; at < items.size(); at += ITEMS) {
            if (!(items.get(at) instanceof Value.Int number
                    && items.get(at + 1) instanceof Value.Int origin
                    && items.get(at + 2) instanceof Value.Int place
                    && items.get(at + 3) instanceof Value.Blob identity)) {
                return Optional.empty();
            }
            Optional<Hash> hash = Hash.read(identity.toBytes());
            boolean dot = origin.value() >= 0
                    && origin.value() <= Integer.MAX_VALUE
                    && SequenceNumbers.isSequence(place.value());
            if (hash.isEmpty() || !dot) {
                return Optional.empty();
            }
            counted.add(new Counted(number.value(), new Dot((int) origin.value(), place.value()), hash.get()));
        }
        return Optional.of(counted);
    }

    Hash hash() {
        return hash;
    }
}
