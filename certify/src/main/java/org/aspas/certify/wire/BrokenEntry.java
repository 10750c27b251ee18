package org.aspas.certify.wire;

import java.util.Arrays;
import org.aspas.certify.log.InclusionProof;
import org.jspecify.annotations.Nullable;

/**
 * An entry under a signed head that breaks the rules: no well-formed entry, not at its place, a wrong client signature,
 * a client whom the descriptor does not admit, or dependencies that are not those of the origin or fall below those of the entry before it (the protocol page, §8).
 *
 * @param before the entry before it, needed only to show that the dependencies fall
 */
public record BrokenEntry(
        Signed<Head> head, Included entry, @Nullable Included before) implements Evidence {
    static final Schema<BrokenEntry> SCHEMA = items -> new BrokenEntry(
            items.of(Head.SIGNED, BrokenEntry::head),
            items.of(Included.ITEM, BrokenEntry::entry),
            items.optional(Included.ITEM, BrokenEntry::before));

    /**
     * The bytes of an entry with their place under the head.
     *
     * @param bytes what the origin holds as the entry
     * @param proof the inclusion of its leaf under the head's root
     */
    public record Included(byte[] bytes, InclusionProof proof) {
        static final Item<Included> ITEM =
                Item.array(items -> new Included(items.binary(Included::bytes), items.inclusion(Included::proof)));

        @Override
        public boolean equals(Object other) {
            return other instanceof Included that && Arrays.equals(bytes, that.bytes) && proof.equals(that.proof);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    @Override
    public Accused accused() {
        return new Accused.Server(head.message().origin());
    }
}
