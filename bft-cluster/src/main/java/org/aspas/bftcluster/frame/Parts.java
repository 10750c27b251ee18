package org.aspas.bftcluster.frame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Takes apart what an object wrote, in order; throws when something else comes. */
final class Parts {
    private static final int LOAD_FACTOR = Float.floatToRawIntBits(0.75f);

    private final Iterator<Value> rest;

    private Parts(List<Value> values) {
        this.rest = values.iterator();
    }

    static Parts of(List<Value> values) {
        return new Parts(values);
    }

    /** The parts of an object of exactly this class. */
    static Parts of(Value value, Class<?> type) throws Malformed {
        return new Parts(instance(value, type).written());
    }

    static Value.Instance instance(Value value, Class<?> type) throws Malformed {
        if (value instanceof Value.Instance instance && instance.is(type)) {
            return instance;
        }
        throw new Malformed(Refusal.SHAPE, "another class");
    }

    Value next() throws Malformed {
        Malformed.unless(rest.hasNext(), Refusal.SHAPE, "a part is missing");
        return rest.next();
    }

    /** Primitive data of exactly this length. */
    ByteBuffer data(int length) throws Malformed {
        ByteBuffer found = data();
        Malformed.unless(found.remaining() == length, Refusal.SHAPE, "primitive data of another length");
        return found;
    }

    ByteBuffer data() throws Malformed {
        if (next() instanceof Value.Data data) {
            return ByteBuffer.wrap(data.octets());
        }
        throw new Malformed(Refusal.SHAPE, "no primitive data");
    }

    byte[] bytes() throws Malformed {
        return bytes(next());
    }

    static byte[] bytes(Object value) throws Malformed {
        if (value instanceof Value.Bytes bytes) {
            return bytes.octets();
        }
        throw new Malformed(Refusal.SHAPE, "no bytes");
    }

    void end() throws Malformed {
        Malformed.unless(!rest.hasNext(), Refusal.SHAPE, "a part too many");
    }

    boolean hasNext() {
        return rest.hasNext();
    }

    /** The members of a HashSet that says the truth about its size. */
    static List<Value> set(Value value, int atMost) throws Malformed {
        Parts parts = of(value, java.util.HashSet.class);
        ByteBuffer head = parts.data(12);
        int capacity = head.getInt();
        Malformed.unless(head.getInt() == LOAD_FACTOR, Refusal.SHAPE, "another load factor");
        int size = head.getInt();
        Malformed.unless(size >= 0 && size <= atMost, Refusal.SHAPE, "the size of a set");
        Malformed.unless(capacity >= 0 && capacity <= 1 << 16, Refusal.SHAPE, "the capacity of a set");
        return parts.exactly(size);
    }

    /** Keys and values in turn of a HashMap that says the truth about its size. */
    static List<Value> map(Value value, int atMost) throws Malformed {
        Value.Instance map = instance(value, java.util.HashMap.class);
        Parts parts = of(map.written());
        Malformed.unless(number(map, "loadFactor") == LOAD_FACTOR, Refusal.SHAPE, "another load factor");
        ByteBuffer head = parts.data(8);
        int capacity = head.getInt();
        int size = head.getInt();
        Malformed.unless(size >= 0 && size <= atMost, Refusal.SHAPE, "the size of a map");
        Malformed.unless(capacity >= 0 && capacity <= 1 << 16, Refusal.SHAPE, "the capacity of a map");
        return parts.exactly(2 * size);
    }

    private List<Value> exactly(int count) throws Malformed {
        List<Value> result = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            result.add(next());
        }
        end();
        return result;
    }

    static long number(Value.Instance object, String field) throws Malformed {
        if (object.fields().get(field) instanceof Long number) {
            return number;
        }
        throw new Malformed(Refusal.SHAPE, "no number");
    }

    static Value field(Value.Instance object, String field) throws Malformed {
        if (object.fields().get(field) instanceof Value value) {
            return value;
        }
        throw new Malformed(Refusal.SHAPE, "no such field");
    }

    static int integer(Value value) throws Malformed {
        return (int) number(instance(value, Integer.class), "value");
    }
}
