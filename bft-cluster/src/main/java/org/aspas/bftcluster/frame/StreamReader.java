package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

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
    /** By handle: a StreamValue, a StreamClass, or the mark of something that is still being read. */
    private final List<Object> handles = new ArrayList<>();

    private int depth;

    private enum Mark {
        UNFINISHED
    }

    private StreamReader(byte[] stream) {
        this.in = ByteBuffer.wrap(stream);
    }

    /** All that a stream contains, to its last byte: objects, and runs of primitive data as one Data each. */
    static List<StreamValue> read(byte[] stream) throws MalformedFrameException {
        try {
            StreamReader reader = new StreamReader(stream);
            require(reader.in.getInt() == HEADER, RefusalReason.NOT_A_MESSAGE, "no stream header");
            return reader.contents(false);
        } catch (java.nio.BufferUnderflowException tooShort) {
            throw new MalformedFrameException(RefusalReason.NOT_A_MESSAGE, "the stream ends too early");
        }
    }

    /** Until the end mark, or until the end of the stream. */
    private List<StreamValue> contents(boolean marked) throws MalformedFrameException {
        List<StreamValue> result = new ArrayList<>(2);
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
                result.add(new StreamValue.Data(run.toByteArray()));
                run = null;
            }
            if (tag == END_BLOCK && marked) {
                return result;
            }
            result.add(value(tag));
        }
        if (run != null) {
            result.add(new StreamValue.Data(run.toByteArray()));
        }
        return result;
    }

    private StreamValue value(byte tag) throws MalformedFrameException {
        require(++depth <= MAX_DEPTH, RefusalReason.NOT_A_MESSAGE, "nested too deeply");
        StreamValue result = switch (tag) {
            case NULL -> StreamValue.Nil.NIL;
            case REFERENCE -> known(StreamValue.class);
            case OBJECT -> object();
            case STRING -> text();
            case ARRAY -> array();
            default -> throw new MalformedFrameException(RefusalReason.NOT_A_MESSAGE, "tag " + tag);
        };
        depth--;
        return result;
    }

    private <T> T known(Class<T> expected) throws MalformedFrameException {
        int index = in.getInt() - FIRST_HANDLE;
        require(index >= 0 && index < handles.size(), RefusalReason.NOT_A_MESSAGE, "a reference to nothing");
        Object found = handles.get(index);
        require(expected.isInstance(found), RefusalReason.NOT_A_MESSAGE, "a reference to something else");
        return expected.cast(found);
    }

    private int newHandle() {
        handles.add(Mark.UNFINISHED);
        return handles.size() - 1;
    }

    private StreamValue.Text text() throws MalformedFrameException {
        StreamValue.Text result = new StreamValue.Text(characters());
        handles.add(result);
        return result;
    }

    private String characters() throws MalformedFrameException {
        int length = in.getShort() & 0xffff;
        require(length <= MAX_TEXT, RefusalReason.NOT_A_MESSAGE, "a long string");
        byte[] octets = octets(length);
        for (byte octet : octets) {
            require(octet > 0, RefusalReason.NOT_A_MESSAGE, "a string that is not ASCII");
        }
        return new String(octets, StandardCharsets.US_ASCII);
    }

    private byte[] octets(int length) throws MalformedFrameException {
        require(
                length >= 0 && length <= in.remaining(),
                RefusalReason.NOT_A_MESSAGE,
                "a length beyond the stream's end");
        byte[] result = new byte[length];
        in.get(result);
        return result;
    }

    private @Nullable StreamClass descriptor() throws MalformedFrameException {
        byte tag = in.get();
        if (tag == NULL) {
            return null;
        }
        if (tag == REFERENCE) {
            return known(StreamClass.class);
        }
        require(tag == CLASS_DESCRIPTOR, RefusalReason.NOT_A_MESSAGE, "no class descriptor");
        require(++depth <= MAX_DEPTH, RefusalReason.NOT_A_MESSAGE, "nested too deeply");
        StreamClass result = newDescriptor();
        depth--;
        return result;
    }

    private StreamClass newDescriptor() throws MalformedFrameException {
        StreamClass expected = LibraryClasses.named(characters());
        if (expected == null) {
            throw new MalformedFrameException(RefusalReason.NOT_A_MESSAGE, "a class that is not sent here");
        }
        boolean same = in.getLong() == expected.serialVersion();
        int handle = newHandle();
        same &= (in.get() & 0xff) == expected.flags()
                && in.getShort() == expected.fields().size();
        require(same, RefusalReason.NOT_A_MESSAGE, "another version of a class");
        for (StreamClass.Field field : expected.fields()) {
            same &= (in.get() == field.code()) & characters().equals(field.name());
            same &= !field.isObject() || signature().equals(field.signature());
        }
        same &= in.get() == END_BLOCK;
        handles.set(handle, expected);
        require(same && descriptor() == expected.parent(), RefusalReason.NOT_A_MESSAGE, "another form of a class");
        return expected;
    }

    private String signature() throws MalformedFrameException {
        byte tag = in.get();
        require(tag == STRING || tag == REFERENCE, RefusalReason.NOT_A_MESSAGE, "no type string");
        return (tag == STRING ? text() : known(StreamValue.Text.class)).characters();
    }

    private StreamClass someDescriptor() throws MalformedFrameException {
        StreamClass type = descriptor();
        if (type == null) {
            throw new MalformedFrameException(RefusalReason.NOT_A_MESSAGE, "no class");
        }
        return type;
    }

    private StreamValue object() throws MalformedFrameException {
        StreamClass type = someDescriptor();
        require(!type.isArray(), RefusalReason.NOT_A_MESSAGE, "not the class of an object");
        int handle = newHandle();
        Map<String, Object> fields = new LinkedHashMap<>();
        List<StreamValue> written = new ArrayList<>(2);
        if (type.has(StreamClass.EXTERNALIZABLE)) {
            written.addAll(contents(true));
        } else {
            levels(type, fields, written);
        }
        StreamValue.Instance result = new StreamValue.Instance(type, fields, written);
        handles.set(handle, result);
        return result;
    }

    /** The fields and own data of an object, from its highest class down. */
    private void levels(StreamClass type, Map<String, Object> fields, List<StreamValue> written)
            throws MalformedFrameException {
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

    private Long primitive(char code) throws MalformedFrameException {
        return switch (code) {
            case 'B', 'Z' -> (long) in.get();
            case 'I' -> (long) in.getInt();
            case 'J' -> in.getLong();
            case 'F' -> (long) Float.floatToRawIntBits(in.getFloat());
            default ->
                throw new MalformedFrameException(
                        RefusalReason.NOT_A_MESSAGE, "a primitive type that is not sent here");
        };
    }

    private StreamValue array() throws MalformedFrameException {
        StreamClass type = someDescriptor();
        require(type.isArray(), RefusalReason.NOT_A_MESSAGE, "not the class of an array");
        int handle = newHandle();
        int size = in.getInt();
        StreamValue result = new StreamValue.Bytes(octets(size));
        handles.set(handle, result);
        return result;
    }
}
