package org.aspas.appserver.core.state;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A batch of which a shell may have decoded some entries, and verified their signatures, on another thread before the
 * core takes it. What was verified is remembered in the entries themselves, so that the core asks all that it would ask
 * of a closed batch and only spends less on it. That a tag convinced is remembered here, for this batch alone: it verifies no signature.
 * One thread makes it, another one takes it.
 */
public final class OpenBatch {
    /** Who is told by the shell what became of a batch, on the core's thread. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The core judged the batch.
         *
         * @param size how many entries of the origin are accepted now; 0 for no such origin
         */
        void judged(BatchOutcome outcome, long size);
    }

    private final Batch batch;
    private final List<@Nullable Entry> opened;
    private final BitSet convincing = new BitSet();
    private final Listener listener;

    private OpenBatch(Batch batch, List<@Nullable Entry> opened, Listener listener) {
        this.batch = batch;
        this.opened = opened;
        this.listener = listener;
    }

    /** A batch of which nothing is decoded yet. */
    public static OpenBatch closed(Batch batch) {
        return closed(batch, (outcome, size) -> {});
    }

    /** A batch of which nothing is decoded yet, and somebody who is told what becomes of it. */
    public static OpenBatch closed(Batch batch, Listener listener) {
        return new OpenBatch(batch, List.of(), listener);
    }

    /**
     * A batch of which all entries from one on are decoded now.
     *
     * @param first the place of that entry in the batch, from 0
     */
    public static OpenBatch openedFrom(Batch batch, int first, Listener listener) {
        List<@Nullable Entry> opened = new ArrayList<>(Collections.nCopies(first, null));
        batch.entries().stream()
                .skip(first)
                .forEach(bytes -> opened.add(decoded(bytes).orElse(null)));
        return new OpenBatch(batch, opened, listener);
    }

    private static Optional<Entry> decoded(byte[] bytes) {
        return Codec.decode(bytes, Entry.class).accepted();
    }

    /** Tells the listener what became of the batch; for the shell, on {@link org.aspas.appserver.core.state.Effect.BatchJudged}. */
    public void judged(BatchOutcome outcome, long size) {
        listener.judged(outcome, size);
    }

    /** Notes that its tag convinced this server of the entry at a place; before the core takes the batch. */
    public void convinced(int place) {
        convincing.set(place);
    }

    /** Whether its tag convinced this server that the entry at a place is its client's. */
    public boolean convincing(int place) {
        return convincing.get(place);
    }

    public boolean seen(int place) {
        return place < opened.size() && opened.get(place) != null;
    }

    public Batch batch() {
        return batch;
    }

    /** The entry at a place from 0, decoded now if it was not; empty when its bytes are no entry. */
    public Optional<Entry> entry(int place) {
        Entry known = place < opened.size() ? opened.get(place) : null;
        return known == null ? decoded(batch.entries().get(place)) : Optional.of(known);
    }
}
