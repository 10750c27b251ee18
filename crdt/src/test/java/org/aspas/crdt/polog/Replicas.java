package org.aspas.crdt.polog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * Several replicas that hold one object of each data type and exchange operations by causal delivery, in a
 * random schedule that a seed determines.
 */
final class Replicas {

    /** An operation on the object of a type; the dots number the operations on all objects together. */
    record Entry(DataType type, Tagged tagged) {}

    /** One replica. */
    static final class Replica {
        final int id;
        VersionVector version;
        final List<Entry> delivered = new ArrayList<>();
        final TreeMap<String, VersionedObject> objects = new TreeMap<>();

        Replica(int id, int size) {
            this.id = id;
            this.version = VersionVector.zero(size);
            for (DataType type : DataTypes.all()) {
                objects.put(type.name(), new VersionedObject(type.empty(), version));
            }
        }

        VersionedObject object(DataType type) {
            VersionedObject object = objects.get(type.name());
            if (object == null) {
                throw new IllegalArgumentException(type.name());
            }
            return object;
        }

        void deliver(Entry entry) {
            object(entry.type()).deliver(entry.tagged());
            delivered.add(entry);
            version = timestamp(entry.tagged()).join(version);
        }

        List<Tagged> deliveredOf(DataType type) {
            return operationsOf(type, delivered, version);
        }
    }

    final Random random;
    final List<Replica> members = new ArrayList<>();
    final List<List<Entry>> logs = new ArrayList<>();
    final List<Entry> issued = new ArrayList<>();

    Replicas(long seed) {
        random = new Random(seed);
        int size = 3 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            members.add(new Replica(i, size));
            logs.add(new ArrayList<>());
        }
    }

    Replica any() {
        return members.get(random.nextInt(members.size()));
    }

    /** Lets a replica issue a random operation. */
    void issue(Replica at) {
        DataType type = DataTypes.all().get(random.nextInt(DataTypes.all().size()));
        Dot dot = new Dot(at.id, at.version.get(at.id) + 1);
        Entry entry = new Entry(type, new Tagged(dot, at.version, randomOperation(type)));
        logs.get(at.id).add(entry);
        issued.add(entry);
        at.deliver(entry);
    }

    /** Delivers one operation to a replica, from a random origin that has one it can take; false if none. */
    boolean deliverSome(Replica at) {
        int first = random.nextInt(members.size());
        for (int i = 0; i < members.size(); i++) {
            int origin = (first + i) % members.size();
            int next = (int) at.version.get(origin);
            if (next < logs.get(origin).size()) {
                Entry entry = logs.get(origin).get(next);
                if (at.version.dominates(entry.tagged().dependencies())) {
                    at.deliver(entry);
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns a random causally closed version between two closed versions. */
    VersionVector closedVersion(VersionVector from, VersionVector to) {
        VersionVector candidate = from;
        for (int origin = 0; origin < to.size(); origin++) {
            long range = to.get(origin) - from.get(origin);
            candidate = candidate.with(origin, from.get(origin) + random.nextInt((int) range + 1));
        }
        return largestClosed(candidate);
    }

    private VersionVector largestClosed(VersionVector candidate) {
        for (int origin = 0; origin < candidate.size(); origin++) {
            for (int i = 0; i < candidate.get(origin); i++) {
                if (!candidate.dominates(logs.get(origin).get(i).tagged().dependencies())) {
                    return largestClosed(candidate.with(origin, i));
                }
            }
        }
        return candidate;
    }

    /** Returns the operations on the object of a type that a version covers, in a random causal order. */
    List<Tagged> inRandomCausalOrder(DataType type, VersionVector version) {
        List<Tagged> operations = new ArrayList<>(operationsOf(type, issued, version));
        Collections.shuffle(operations, random);
        operations.sort(Comparator.comparingLong(each -> timestamp(each).sum()));
        return operations;
    }

    /** Computes a state from nothing but the operations that a version covers. */
    Crdt replay(DataType type, VersionVector version) {
        Crdt state = type.empty();
        inRandomCausalOrder(type, version).forEach(state::apply);
        return state;
    }

    private static VersionVector timestamp(Tagged tagged) {
        return tagged.dependencies().with(tagged.dot().origin(), tagged.dot().sequence());
    }

    static List<Tagged> operationsOf(DataType type, List<Entry> entries, VersionVector version) {
        return entries.stream()
                .filter(each -> each.type() == type)
                .map(Entry::tagged)
                .filter(each -> version.covers(each.dot()))
                .toList();
    }

    private Operation randomOperation(DataType type) {
        if (type == DataTypes.PN_COUNTER) {
            long amount = random.nextInt(10) == 0 ? Long.MAX_VALUE - random.nextInt(9) : 1 + random.nextInt(9);
            return Operation.of(random.nextBoolean() ? "increment" : "decrement", Value.of(amount));
        }
        Value element =
                random.nextBoolean() ? Value.of(random.nextInt(2)) : Value.of("ab".substring(random.nextInt(2)));
        int kind = random.nextInt(10);
        if (kind == 0) {
            return Operation.of("clear");
        }
        return Operation.of(kind < 6 ? "add" : "remove", element);
    }
}
