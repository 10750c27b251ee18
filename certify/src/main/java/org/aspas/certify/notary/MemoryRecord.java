package org.aspas.certify.notary;

/**
 * A record that its process takes with it: for demonstrations and tests. A replica that restarts with a new one is as one
 * that lost its disk: it signs nothing until the others have taught it.
 */
public final class MemoryRecord implements NotaryRecord {
    private final RecordState state = new RecordState();

    @Override
    public RecordState state() {
        return state;
    }

    @Override
    public void append(RecordItem item) {
        state.apply(item);
    }

    @Override
    public void close() {
        // Nothing is held open.
    }
}
