package org.aspas.appserver.core.broadcast;

import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.TaggedRequest;

/**
 * The tags that came with own entries, for the other servers, until a certificate covers the entries (docs/tags.md). For one thread.
 */
public final class OwnTags {
    /** Older tags are dropped; the signatures of their requests are verified instead. */
    private static final int MOST_BYTES = 16 << 20;

    private final int bytes;
    private final TreeMap<Long, byte[]> tags = new TreeMap<>();

    OwnTags(int servers) {
        this.bytes = servers * TaggedRequest.TAG_BYTES;
    }

    /** Keeps what came with an own entry: one tag for each server. Anything else is as good as nothing. */
    public void keep(long sequence, byte[] each) {
        if (each.length == bytes) {
            tags.put(sequence, each);
            if (tags.size() > MOST_BYTES / bytes) {
                tags.pollFirstEntry();
            }
        }
    }

    void forget(long certified) {
        tags.headMap(certified, true).clear();
    }

    /** A batch of own entries with the tags for a server, where there are any. */
    Batch with(Batch batch, int server) {
        long last = batch.head().message().size();
        int count = batch.entries().size();
        SortedMap<Long, byte[]> known = tags.subMap(last - count, false, last, true);
        if (known.isEmpty()) {
            return batch;
        }
        byte[] ofServer = new byte[count * TaggedRequest.TAG_BYTES];
        known.forEach((sequence, each) -> copy(each, server, ofServer, (int) (sequence - last + count - 1)));
        return batch.tagged(ofServer);
    }

    private static void copy(byte[] each, int server, byte[] target, int place) {
        int from = server * TaggedRequest.TAG_BYTES;
        System.arraycopy(each, from, target, place * TaggedRequest.TAG_BYTES, TaggedRequest.TAG_BYTES);
    }
}
