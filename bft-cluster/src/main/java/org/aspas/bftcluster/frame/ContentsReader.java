package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Takes apart what an object wrote, in order; throws when something else comes. */
final class ContentsReader {
    private static final int LOAD_FACTOR = Float.floatToRawIntBits(0.75f);

    private final Iterator<StreamValue> rest;

    private ContentsReader(List<StreamValue> values) {
        this.rest = values.iterator();
    }

    static ContentsReader of(List<StreamValue> values) {
        return new ContentsReader(values);
    }

    /** The parts of an object of exactly this class. */
    static ContentsReader of(StreamValue value, Class<?> type) throws MalformedFrameException {
        return new ContentsReader(instance(value, type).written());
    }

    static StreamValue.Instance instance(StreamValue value, Class<?> type) throws MalformedFrameException {
        if (value instanceof StreamValue.Instance instance && instance.is(type)) {
            return instance;
        }
        throw new MalformedFrameException(RefusalReason.SHAPE, "another class");
    }

    StreamValue next() throws MalformedFrameException {
        require(rest.hasNext(), RefusalReason.SHAPE, "a part is missing");
        return rest.next();
    }

    ByteBuffer data(int length) throws MalformedFrameException {
        ByteBuffer found = data();
        require(found.remaining() == length, RefusalReason.SHAPE, "primitive data of another length");
        return found;
    }

    ByteBuffer data() throws MalformedFrameException {
        if (next() instanceof StreamValue.Data data) {
            return ByteBuffer.wrap(data.octets());
        }
        throw new MalformedFrameException(RefusalReason.SHAPE, "no primitive data");
    }

    byte[] bytes() throws MalformedFrameException {
        return bytes(next());
    }

    static byte[] bytes(Object value) throws MalformedFrameException {
        if (value instanceof StreamValue.Bytes bytes) {
            return bytes.octets();
        }
        throw new MalformedFrameException(RefusalReason.SHAPE, "no bytes");
    }

    void end() throws MalformedFrameException {
        require(!rest.hasNext(), RefusalReason.SHAPE, "a part too many");
    }

    boolean hasNext() {
        return rest.hasNext();
    }

    /** The members of a HashSet whose declared size is correct. */
    static List<StreamValue> set(StreamValue value, int atMost) throws MalformedFrameException {
        ContentsReader parts = of(value, java.util.HashSet.class);
        ByteBuffer head = parts.data(12);
        int capacity = head.getInt();
        require(head.getInt() == LOAD_FACTOR, RefusalReason.SHAPE, "another load factor");
        int size = head.getInt();
        require(size >= 0 && size <= atMost, RefusalReason.SHAPE, "the size of a set");
        require(capacity >= 0 && capacity <= 1 << 16, RefusalReason.SHAPE, "the capacity of a set");
        return parts.exactly(size);
    }

    /** The keys and values, in turn, of a HashMap whose declared size is correct. */
    static List<StreamValue> map(StreamValue value, int atMost) throws MalformedFrameException {
        StreamValue.Instance map = instance(value, java.util.HashMap.class);
        ContentsReader parts = of(map.written());
        require(number(map, "loadFactor") == LOAD_FACTOR, RefusalReason.SHAPE, "another load factor");
        ByteBuffer head = parts.data(8);
        int capacity = head.getInt();
        int size = head.getInt();
        require(size >= 0 && size <= atMost, RefusalReason.SHAPE, "the size of a map");
        require(capacity >= 0 && capacity <= 1 << 16, RefusalReason.SHAPE, "the capacity of a map");
        return parts.exactly(2 * size);
    }

    private List<StreamValue> exactly(int count) throws MalformedFrameException {
        List<StreamValue> result = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            result.add(next());
        }
        end();
        return result;
    }

    static long number(StreamValue.Instance object, String field) throws MalformedFrameException {
        if (object.fields().get(field) instanceof Long number) {
            return number;
        }
        throw new MalformedFrameException(RefusalReason.SHAPE, "no number");
    }

    static StreamValue field(StreamValue.Instance object, String field) throws MalformedFrameException {
        if (object.fields().get(field) instanceof StreamValue value) {
            return value;
        }
        throw new MalformedFrameException(RefusalReason.SHAPE, "no such field");
    }

    static int integer(StreamValue value) throws MalformedFrameException {
        return (int) number(instance(value, Integer.class), "value");
    }
}
