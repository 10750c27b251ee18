package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.PageProof;
import org.aspas.crdt.value.Value;

/**
 * The proof of some of an object's elements in the tree of its elements.
 *
 * @param size the number of all elements, which the object's leaf has
 * @param root the root of the tree of the elements, which the object's leaf has
 * @param page which of them the answer has, and that there are no others between them
 * @param states for each element of the answer, in their order, its state in short form ({@code StateLeaves.shortForm})
 */
public record ElementsProof(long size, Hash root, PageProof page, List<Value> states) {
    static final Item<ElementsProof> ITEM = Item.array(items -> new ElementsProof(
            items.natural(ElementsProof::size),
            items.hash(ElementsProof::root),
            items.of(Item.PAGE, ElementsProof::page),
            items.list(Integer.MAX_VALUE, Item.VALUE, ElementsProof::states)));

    public ElementsProof {
        states = List.copyOf(states);
    }
}
