package org.aspas.emulab.baselines.ap;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/**
 * What each server entered, as far as it is here, and the causal order in which it is delivered: an entry is delivered when all
 * that it depends on is. For one thread.
 */
final class CausalLogs {
    private final int self;
    private final List<List<byte[]>> logs = new ArrayList<>();
    /** Accepted entries that wait for others, by origin; the first of them is the next of its origin. */
    private final List<List<Entry>> waiting = new ArrayList<>();

    private VersionVector version;

    CausalLogs(int self, int servers) {
        this.self = self;
        this.version = VersionVector.zero(servers);
        for (int origin = 0; origin < servers; origin++) {
            logs.add(new ArrayList<>());
            waiting.add(new ArrayList<>());
        }
    }

    /** What is delivered; the logs may hold more. */
    VersionVector version() {
        return version;
    }

    /** How many entries of an origin are here, delivered or not. */
    long size(int origin) {
        return logs.get(origin).size();
    }

    /** Entries of an origin after a place, as many as one batch takes; at least one if there is any. */
    List<byte[]> after(int origin, long place, int most, long mostBytes) {
        List<byte[]> log = logs.get(origin);
        int end = (int) place;
        long bytes = 0;
        while (end < log.size() && end - place < most) {
            bytes += log.get(end).length;
            if (bytes > mostBytes && end > place) {
                break;
            }
            end++;
        }
        return List.copyOf(log.subList((int) place, end));
    }

    /** Enters what a client of this server asks for; it is delivered at once. */
    Entry append(Signed<ClientSigned> body) {
        Entry entry = new Entry(new Dot(self, size(self) + 1), version, body);
        logs.get(self).add(Codec.encode(entry));
        version = version.with(self, entry.dot().sequence());
        return entry;
    }

    /** Takes the next entry of another origin; false when it is not the next one, and is not taken. */
    boolean accept(Entry entry, byte[] encoded) {
        int origin = entry.dot().origin();
        if (entry.dot().sequence() != size(origin) + 1) {
            return false;
        }
        logs.get(origin).add(encoded);
        waiting.get(origin).add(entry);
        return true;
    }

    /** Delivers what can be, in a causal order. */
    List<Entry> deliver() {
        List<Entry> delivered = new ArrayList<>();
        boolean progress = true;
        while (progress) {
            progress = false;
            for (int origin = 0; origin < waiting.size(); origin++) {
                int ready = ready(origin, delivered);
                waiting.get(origin).subList(0, ready).clear();
                progress |= ready > 0;
            }
        }
        return delivered;
    }

    private int ready(int origin, List<Entry> delivered) {
        int ready = 0;
        for (Entry entry : waiting.get(origin)) {
            if (!version.dominates(entry.dependencies())) {
                break;
            }
            version = version.with(origin, entry.dot().sequence());
            delivered.add(entry);
            ready++;
        }
        return ready;
    }
}
