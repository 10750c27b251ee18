package org.aspas.appserver.core;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;

/** A base in memory, which keeps what changed as the real one does. */
final class MemoryBase implements SavedBase, BaseReader {
    final TreeMap<byte[], byte[]> contents = new TreeMap<>(Arrays::compareUnsigned);
    byte[] head = new byte[0];
    /** How many keys were put or removed. */
    long changes;
    /** For how many bytes of objects there is room in memory. */
    long room = Long.MAX_VALUE;

    private @Nullable BaseImage written;

    void keep(Effect.Keep keep) {
        if (!keep.held()) {
            if (written == null) {
                contents.clear();
            }
            keep.image().changesSince(written, new BaseImage.Changes() {
                @Override
                public void put(byte[] key, byte[] content) {
                    contents.put(key, content);
                    changes++;
                }

                @Override
                public void remove(byte[] key) {
                    contents.remove(key);
                    changes++;
                }

                @Override
                public void removeBelow(byte[] prefix) {
                    below(prefix).keySet().removeIf(key -> key.length > prefix.length);
                    changes++;
                }
            });
            head = keep.image().head();
        }
        written = keep.image();
    }

    private Map<byte[], byte[]> below(byte[] prefix) {
        byte[] last = Arrays.copyOf(prefix, prefix.length + 33);
        Arrays.fill(last, prefix.length, last.length, (byte) 0xff);
        return contents.subMap(prefix, true, last, true);
    }

    /** Whether the newest image says that an object rests. */
    boolean rests(String key) {
        return written != null && written.rests(key);
    }

    @Override
    public long room() {
        return room;
    }

    @Override
    public CertificateNumber holds() {
        return written == null ? CertificateNumber.NONE : written.number();
    }

    @Override
    public boolean contents(byte[] from, byte[] to, Visitor visitor) {
        for (Map.Entry<byte[], byte[]> one :
                List.copyOf(contents.subMap(from, true, to, true).entrySet())) {
            if (!visitor.take(one.getKey(), one.getValue())) {
                break;
            }
        }
        return true;
    }

    /** The same as it is now, as another process finds it. */
    MemoryBase copy() {
        MemoryBase copy = new MemoryBase();
        copy.contents.putAll(contents);
        copy.head = head;
        return copy;
    }

    Optional<SavedBase> saved() {
        return head.length == 0 ? Optional.empty() : Optional.of(this);
    }

    @Override
    public byte[] head() {
        return head;
    }

    @Override
    public boolean contents(Visitor visitor) {
        for (Map.Entry<byte[], byte[]> one : contents.entrySet()) {
            if (!visitor.take(one.getKey(), one.getValue())) {
                break;
            }
        }
        return true;
    }
}
