package org.aspas.certify.wire;

import org.aspas.certify.state.StateProof;
import org.jspecify.annotations.Nullable;

/**
 * The proof of what a certificate has of one object (the protocol page, §2, §6).
 *
 * @param type the object's datatype; absent when the object is proved absent
 * @param elements for a type that has elements, the proof of those that the answer has; else absent
 * @param path the siblings up to the state root
 */
public record ObjectProof(@Nullable String type, @Nullable ElementsProof elements, StateProof path) {
    static final Item<ObjectProof> ITEM = Item.array(items -> new ObjectProof(
            items.optional(Item.TEXT, ObjectProof::type),
            items.optional(ElementsProof.ITEM, ObjectProof::elements),
            items.of(Item.STATE_PROOF, ObjectProof::path)));
}
