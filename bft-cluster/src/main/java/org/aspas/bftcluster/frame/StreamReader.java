package org.aspas.bftcluster.frame;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a serialization stream of version 5 (specification, §6.4) into values. It makes no object of any class that the
 * stream names, and refuses every construct and class that the library does not send. Work and memory are linear in the
 * stream's length. Used once.
 */
final class StreamReader {
    private static final int HEADER = 0xACED0005;
    private static final int MAX_DEPTH = 24;
    private static final int MAX_TEXT = 1024;

    private static final byte NULL = 0x70;
    private static final byte REFERENCE = 0x71;
    private static final byte CLASS_DESCRIPTOR = 0x72;
    private static final byte OBJECT = 0x73;
    private static final byte STRING = 0x74;
    private static final byte ARRAY = 0x75;
    private static final byte BLOCK = 0x77;
    private static final byte END_BLOCK = 0x78;
    private static final byte LONG_BLOCK = 0x7A;
    private static final int FIRST_HANDLE = 0x7E0000;

    private final ByteBuffer in;
    /** By handle: a Value, a StreamClass, or the mark of something that is still being read. */
    private final List<Object> handles = new ArrayList<>();

    private int depth;

    private enum Mark {
        UNFINISHED
    }

    private StreamReader(byte[] stream) {
        this.in = ByteBuffer.wrap(stream);
    }

    /** All that a stream contains, to its last byte: objects, and runs of primitive data as one Data each. */
    static List<Value> read(byte[] stream) throws Malformed {
        try {
            StreamReader reader = new StreamReader(stream);
            Malformed.unless(reader.in.getInt() == HEADER, Refusal.NOT_A_MESSAGE, "no stream header");
            return reader.contents(false);
        } catch (java.nio.BufferUnderflowException tooShort) {
            throw new Malformed(Refusal.NOT_A_MESSAGE, "the stream ends too early");
        }
    }

    /** Until the end mark, or until the end of the stream. */
    private List<Value> contents(boolean marked) throws Malformed {
        List<Value> result = new ArrayList<>(2);
        @Nullable ByteArrayOutputStream run = null;
        while (marked || in.hasRemaining()) {
            byte tag = in.get();
            if (tag == BLOCK || tag == LONG_BLOCK) {
                int length = tag == BLOCK ? in.get() & 0xff : in.getInt();
                run = run == null ? new ByteArrayOutputStream(64) : run;
                run.writeBytes(octets(length));
                continue;
            }
            if (run != null) {
                result.add(new Value.Data(run.toByteArray()));
                run = null;
            }
            if (tag == END_BLOCK && marked) {
                return result;
            }
            result.add(value(tag));
        }
        if (run != null) {
            result.add(new Value.Data(run.toByteArray()));
        }
        return result;
    }

    private Value value(byte tag) throws Malformed {
        Malformed.unless(++depth <= MAX_DEPTH, Refusal.NOT_A_MESSAGE, "nested too deeply");
        Value result = switch (tag) {
            case NULL -> Value.Nil.NIL;
            case REFERENCE -> known(Value.class);
            case OBJECT -> object();
            case STRING -> text();
            case ARRAY -> array();
            default -> throw new Malformed(Refusal.NOT_A_MESSAGE, "tag " + tag);
        };
        depth--;
        return result;
    }

    private <T> T known(Class<T> expected) throws Malformed {
        int index = in.getInt() - FIRST_HANDLE;
        Malformed.unless(index >= 0 && index < handles.size(), Refusal.NOT_A_MESSAGE, "a reference to nothing");
        Object found = handles.get(index);
        Malformed.unless(expected.isInstance(found), Refusal.NOT_A_MESSAGE, "a reference to something else");
        return expected.cast(found);
    }

    private int newHandle() {
        handles.add(Mark.UNFINISHED);
        return handles.size() - 1;
    }

    private Value.Text text() throws Malformed {
        Value.Text result = new Value.Text(characters());
        handles.add(result);
        return result;
    }

    private String characters() throws Malformed {
        int length = in.getShort() & 0xffff;
        Malformed.unless(length <= MAX_TEXT, Refusal.NOT_A_MESSAGE, "a long string");
        byte[] octets = octets(length);
        for (byte octet : octets) {
            Malformed.unless(octet > 0, Refusal.NOT_A_MESSAGE, "a string that is not ASCII");
        }
        return new String(octets, StandardCharsets.US_ASCII);
    }

    private byte[] octets(int length) throws Malformed {
        Malformed.unless(
                length >= 0 && length <= in.remaining(), Refusal.NOT_A_MESSAGE, "a length beyond the stream's end");
        byte[] result = new byte[length];
        in.get(result);
        return result;
    }

    private @Nullable StreamClass descriptor() throws Malformed {
        byte tag = in.get();
        if (tag == NULL) {
            return null;
        }
        if (tag == REFERENCE) {
            return known(StreamClass.class);
        }
        Malformed.unless(tag == CLASS_DESCRIPTOR, Refusal.NOT_A_MESSAGE, "no class descriptor");
        Malformed.unless(++depth <= MAX_DEPTH, Refusal.NOT_A_MESSAGE, "nested too deeply");
        StreamClass result = newDescriptor();
        depth--;
        return result;
    }

    private StreamClass newDescriptor() throws Malformed {
        StreamClass expected = LibraryClasses.named(characters());
        if (expected == null) {
            throw new Malformed(Refusal.NOT_A_MESSAGE, "a class that is not sent here");
        }
        boolean same = in.getLong() == expected.serialVersion();
        int handle = newHandle();
        same &= (in.get() & 0xff) == expected.flags()
                && in.getShort() == expected.fields().size();
        Malformed.unless(same, Refusal.NOT_A_MESSAGE, "another version of a class");
        for (StreamClass.Field field : expected.fields()) {
            same &= (in.get() == field.code()) & characters().equals(field.name());
            same &= !field.isObject() || signature().equals(field.signature());
        }
        same &= in.get() == END_BLOCK;
        handles.set(handle, expected);
        Malformed.unless(same && descriptor() == expected.parent(), Refusal.NOT_A_MESSAGE, "another form of a class");
        return expected;
    }

    private String signature() throws Malformed {
        byte tag = in.get();
        Malformed.unless(tag == STRING || tag == REFERENCE, Refusal.NOT_A_MESSAGE, "no type string");
        return (tag == STRING ? text() : known(Value.Text.class)).characters();
    }

    private StreamClass someDescriptor() throws Malformed {
        StreamClass type = descriptor();
        if (type == null) {
            throw new Malformed(Refusal.NOT_A_MESSAGE, "no class");
        }
        return type;
    }

    private Value object() throws Malformed {
        StreamClass type = someDescriptor();
        Malformed.unless(!type.isArray(), Refusal.NOT_A_MESSAGE, "not the class of an object");
        int handle = newHandle();
        Map<String, Object> fields = new LinkedHashMap<>();
        List<Value> written = new ArrayList<>(2);
        if (type.has(StreamClass.EXTERNALIZABLE)) {
            written.addAll(contents(true));
        } else {
            levels(type, fields, written);
        }
        Value.Instance result = new Value.Instance(type, fields, written);
        handles.set(handle, result);
        return result;
    }

    /** The fields and own data of an object, from its highest class down. */
    private void levels(StreamClass type, Map<String, Object> fields, List<Value> written) throws Malformed {
        if (type.parent() != null) {
            levels(type.parent(), fields, written);
        }
        for (StreamClass.Field field : type.fields()) {
            fields.put(field.name(), field.isObject() ? value(in.get()) : primitive(field.code()));
        }
        if (type.has(StreamClass.WRITE_METHOD)) {
            written.addAll(contents(true));
        }
    }

    private Long primitive(char code) throws Malformed {
        return switch (code) {
            case 'B', 'Z' -> (long) in.get();
            case 'I' -> (long) in.getInt();
            case 'J' -> in.getLong();
            case 'F' -> (long) Float.floatToRawIntBits(in.getFloat());
            default -> throw new Malformed(Refusal.NOT_A_MESSAGE, "a primitive type that is not sent here");
        };
    }

    private Value array() throws Malformed {
        StreamClass type = someDescriptor();
        Malformed.unless(type.isArray(), Refusal.NOT_A_MESSAGE, "not the class of an array");
        int handle = newHandle();
        int size = in.getInt();
        Value result = new Value.Bytes(octets(size));
        handles.set(handle, result);
        return result;
    }
}
