package org.aspas.emulab.sim.node;

import java.util.ArrayDeque;
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
import org.aspas.emulab.sim.engine.SeededRandom;
import org.jspecify.annotations.Nullable;

/**
 * The base of an appserver: images are written one after the other, and none is forced before somebody asks for that. A crash keeps
 * what was forced and any first part of what was written after it.
 */
final class BaseDisk {
    /** So many images wait for the operating system at most. */
    private static final int UNFORCED = 8;
    /** Room in memory for some three objects. */
    private static final long ROOM_BYTES = 2_500;
    /** A key is no longer than its object's key and so many bytes. */
    private static final int LONGEST_REST = 33;

    private final SeededRandom chance;
    private final ArrayDeque<BaseImage> unforced = new ArrayDeque<>();
    private TreeMap<byte[], byte[]> contents = empty();
    private byte @Nullable [] head;
    private long number;
    /** What the contents are; null when they are not of this process. */
    private @Nullable BaseImage written;

    BaseDisk(SeededRandom chance) {
        this.chance = chance;
    }

    private static TreeMap<byte[], byte[]> empty() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    record Copy(TreeMap<byte[], byte[]> contents, byte @Nullable [] head, long number) {}

    /** Takes an image; a full disk drops the oldest of those that wait. */
    void keep(Effect.Keep keep, boolean full) {
        if (keep.held()) {
            written = keep.image();
            return;
        }
        unforced.add(keep.image());
        if (unforced.size() > UNFORCED) {
            BaseImage oldest = unforced.remove();
            if (!full) {
                write(oldest);
            }
        }
    }

    private void write(BaseImage image) {
        if (written == null) {
            contents.clear();
        }
        image.changesSince(written, new BaseImage.Changes() {
            @Override
            public void put(byte[] key, byte[] content) {
                contents.put(key, content);
            }

            @Override
            public void remove(byte[] key) {
                contents.remove(key);
            }

            @Override
            public void removeBelow(byte[] prefix) {
                below(prefix).keySet().removeIf(key -> key.length > prefix.length);
            }
        });
        head = image.head();
        number = image.number().value();
        written = image;
    }

    private Map<byte[], byte[]> below(byte[] prefix) {
        byte[] last = Arrays.copyOf(prefix, prefix.length + LONGEST_REST);
        Arrays.fill(last, prefix.length, last.length, (byte) 0xff);
        return contents.subMap(prefix, true, last, true);
    }

    /** Gives back single objects to the process that runs. There is room for a few of them in memory, so that all come and go. */
    BaseReader reader() {
        return new BaseReader() {
            @Override
            public long room() {
                return ROOM_BYTES;
            }

            @Override
            public CertificateNumber holds() {
                BaseImage held = written;
                return held == null ? CertificateNumber.NONE : held.number();
            }

            @Override
            public boolean contents(byte[] from, byte[] to, SavedBase.Visitor visitor) {
                for (Map.Entry<byte[], byte[]> one :
                        List.copyOf(contents.subMap(from, true, to, true).entrySet())) {
                    if (!visitor.take(one.getKey(), one.getValue())) {
                        break;
                    }
                }
                return true;
            }
        };
    }

    /** Makes all durable that was kept. */
    void flush() {
        while (!unforced.isEmpty()) {
            write(unforced.remove());
        }
    }

    /** The number of the certificate that it holds durably; 0 for none. */
    long number() {
        return number;
    }

    /** The process ends: some of the last images are not there; none that waits for room. */
    void crash(boolean full) {
        long kept = full ? 0 : chance.between(0, unforced.size());
        for (long i = 0; i < kept; i++) {
            write(unforced.remove());
        }
        unforced.clear();
        written = null;
    }

    /** Empties it; no process uses it now. */
    void lose() {
        contents = empty();
        head = null;
        number = 0;
        unforced.clear();
        written = null;
    }

    /** Flips one bit of it, if it holds anything; no process uses it now. */
    void damage() {
        byte[] old = head;
        if (old == null) {
            return;
        }
        int place = chance.index(contents.size() + 1);
        if (place == contents.size()) {
            head = changed(old);
        } else {
            Map.Entry<byte[], byte[]> chosen =
                    contents.entrySet().stream().skip(place).findFirst().orElseThrow();
            chosen.setValue(changed(chosen.getValue()));
        }
    }

    private byte[] changed(byte[] bytes) {
        byte[] damaged = bytes.clone();
        damaged[chance.index(damaged.length)] ^= (byte) (1 << chance.index(Byte.SIZE));
        return damaged;
    }

    /** What it holds beside the contents, as {@link BaseImage#head} was; empty without a base. */
    Optional<byte[]> head() {
        return Optional.ofNullable(head);
    }

    /** What is durable now. */
    Copy copy() {
        TreeMap<byte[], byte[]> same = empty();
        same.putAll(contents);
        return new Copy(same, head, number);
    }

    /** Holds what a copy does; no process uses it now. */
    void become(Copy copy) {
        lose();
        contents.putAll(copy.contents());
        head = copy.head();
        number = copy.number();
    }

    /** What a process finds that starts now. */
    Optional<SavedBase> saved() {
        byte[] found = head;
        if (found == null) {
            return Optional.empty();
        }
        Map<byte[], byte[]> all = copy().contents();
        return Optional.of(new SavedBase() {
            @Override
            public byte[] head() {
                return found;
            }

            @Override
            public boolean contents(Visitor visitor) {
                for (Map.Entry<byte[], byte[]> one : all.entrySet()) {
                    if (!visitor.take(one.getKey(), one.getValue())) {
                        break;
                    }
                }
                return true;
            }
        });
    }
}
