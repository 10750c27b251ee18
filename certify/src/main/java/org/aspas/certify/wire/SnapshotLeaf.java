package org.aspas.certify.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a leaf of the state tree, or of the tree of an object's elements, stands for: all that decides what later entries do to
 * it. The leaf can be computed from it ({@code certify.wire.SnapshotLeaves}).
 */
public sealed interface SnapshotLeaf {
    /**
     * An object of a type without elements.
     *
     * @param state its state, which is also its value
     */
    record Whole(String key, String type, Value state) implements SnapshotLeaf {
        static final Schema<Whole> SCHEMA =
                items -> new Whole(items.text(Whole::key), items.text(Whole::type), items.value(Whole::state));
    }

    /**
     * An object of a type with elements.
     *
     * @param root the root of the tree of its elements
     * @param elements all its elements, paths ascending; null when they travel in chunks of their own
     */
    record OfElements(
            String key,
            String type,
            long size,
            Hash root,
            @Nullable List<Element> elements) implements SnapshotLeaf {
        private static final Item<List<Element>> ELEMENTS = Item.list(Item.MAX_LIST, Item.array(Element.SCHEMA));

        static final Schema<OfElements> SCHEMA = items -> new OfElements(
                items.text(OfElements::key),
                items.text(OfElements::type),
                items.natural(OfElements::size),
                items.hash(OfElements::root),
                items.optional(ELEMENTS, OfElements::elements));

        public OfElements {
            elements = elements == null ? null : List.copyOf(elements);
        }
    }

    record Element(Value element, Value state) implements SnapshotLeaf {
        static final Schema<Element> SCHEMA =
                items -> new Element(items.value(Element::element), items.value(Element::state));
    }

    /**
     * What is certified of a client.
     *
     * @param session the highest session number; 0 for none
     * @param full how many times eight numbers from 1 on are counted without a gap
     * @param rest the numbers after these, as the leaf has them ({@code certify.wire.StateLeaves.client})
     * @param blocks what counted of each block of numbers that is remembered, the newest block last, the lowest number first
     */
    record OfClient(ClientId client, long session, long tolerance, long full, byte[] rest, List<List<Counted>> blocks)
            implements SnapshotLeaf {
        private static final Item<List<List<Counted>>> BLOCKS =
                Item.list(StateLeaves.REMEMBERED_BLOCKS + 1, Item.list(StateLeaves.BLOCK, Counted.ITEM));

        static final Schema<OfClient> SCHEMA = items -> new OfClient(
                items.client(OfClient::client),
                items.natural(OfClient::session),
                items.natural(OfClient::tolerance),
                items.natural(OfClient::full),
                items.binary(OfClient::rest),
                items.of(BLOCKS, OfClient::blocks));

        /** Copies the lists, not the array. */
        public OfClient {
            blocks = blocks.stream().map(List::copyOf).toList();
        }

        /** The same with other blocks. */
        public OfClient with(List<List<Counted>> other) {
            return new OfClient(client, session, tolerance, full, rest, other);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OfClient that
                    && client.equals(that.client)
                    && session == that.session
                    && tolerance == that.tolerance
                    && full == that.full
                    && Arrays.equals(rest, that.rest)
                    && blocks.equals(that.blocks);
        }

        @Override
        public int hashCode() {
            return Objects.hash(client, session, full, blocks);
        }
    }
}
