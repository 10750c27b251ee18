package org.aspas.emulab.sim.engine;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Everything that was delivered, as one SHA-256 over time, sender, receiver and bytes of each event in order: two runs are
 * the same exactly if their hashes are. The last events are kept for whoever has to explain a violation.
 */
public final class Trace {
    private record Line(long time, String what, String from, String to, String detail) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%12.6f %-14s %s -> %s %s", time / 1e6, what, from, to, detail);
        }
    }

    private final MessageDigest digest;
    private final ByteBuffer head = ByteBuffer.allocate(Long.BYTES);
    private final ArrayDeque<Line> last = new ArrayDeque<>();
    private final int kept;
    private long events;

    /**
     * An empty trace.
     *
     * @param kept how many of the last events to keep for people; 0 for none
     */
    public Trace(int kept) {
        this.kept = kept;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    public void event(long time, String what, Object from, Object to, byte[] bytes) {
        event(time, what, from, to, bytes, () -> "");
    }

    /** Takes in one event; its detail is for people, and no part of the hash. */
    public void event(long time, String what, Object from, Object to, byte[] bytes, Supplier<String> detail) {
        events++;
        digest.update(head.clear().putLong(time).array());
        text(what);
        text(from.toString());
        text(to.toString());
        digest.update(bytes);
        if (kept > 0) {
            keep(new Line(time, what, from.toString(), to.toString(), detail.get()));
        }
    }

    /** Adds words for people to the kept events; they are no part of the hash. */
    public void remark(long time, Object who, String words) {
        if (kept > 0) {
            keep(new Line(time, "REMARK", who.toString(), "", words));
        }
    }

    private void text(String text) {
        for (int i = 0; i < text.length(); i++) {
            digest.update((byte) text.charAt(i));
        }
        digest.update((byte) 0);
    }

    private void keep(Line line) {
        last.add(line);
        if (last.size() > kept) {
            last.remove();
        }
    }

    public long events() {
        return events;
    }

    /** The hash of all so far, in hexadecimal; ends the trace. */
    public String hash() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The last events, one line each. */
    public List<String> tail() {
        List<String> lines = new ArrayList<>();
        last.forEach(line -> lines.add(line.toString()));
        return lines;
    }
}
