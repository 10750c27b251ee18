package org.aspas.appserver.port;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.certify.log.LeafBlock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps hashes of leaves that the core has no room for, for this process and those after it. Nothing is promised: the core compares what
 * comes back with what it has, and does without what does not. Thread-safe; nothing here blocks.
 */
public interface LeafStore {
    LeafStore NONE = new LeafStore() {
        @Override
        public void keep(int origin, LeafBlock block) {
            // What is asked for later is refused.
        }

        @Override
        public CompletionStage<@Nullable LeafBlock> load(int origin, long first) {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void drop(int origin, long before) {
            // There is none.
        }
    };

    /**
     * Keeps a block; one that cannot be written is left out.
     *
     * @param block the block, which begins at a multiple of its length
     */
    void keep(int origin, LeafBlock block);

    /**
     * Gives back what was kept before.
     *
     * @param first the position of the block's first leaf
     * @return the block, or null when it is not there or cannot be read; never fails
     */
    CompletionStage<@Nullable LeafBlock> load(int origin, long first);

    /**
     * Forgets blocks.
     *
     * @param before those all of whose leaves lie before this position
     */
    void drop(int origin, long before);
}
